"""Lists and ranges of values, in the syntax of the command line."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

Number = TypeVar("Number", int, Decimal)

_RANGE = re.compile(r"(?P<first>[^:]+):(?P<last>[^:]+):(?P<operator>[x+])(?P<step>[\w.]+)")
_RANGE_HELP = "a range is first:last:xFACTOR or first:last:+STEP, for example 64B:64KiB:x2"
_MAX_RANGE_VALUES = 100_000  # a typing error such as 0:1GiB:+1 must not exhaust memory


def split_outside_brackets(text: str, brackets: str = "()") -> list[str]:
    """Splits a list at commas outside of brackets of the given kind."""
    opening, closing = brackets[0], brackets[1]
    items = [""]
    depth = 0
    for character in text:
        depth += (character == opening) - (character == closing)
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items]


def expand_range(name: str, item: str, read_number: Callable[[str], Number]) -> list[Number]:
    """Returns the values of a range "first:last:xFACTOR" or "first:last:+STEP".

    Args:
        name: name of the values, for complaints.
        item: text of the range.
        read_number: function that reads each of the three numbers; raises InputError for a malformed one.
    """
    match = _RANGE.fullmatch(item)
    if match is None:
        raise InputError(f"{name}={item}: {_RANGE_HELP}")
    try:
        first, last, step = (read_number(match[group]) for group in ("first", "last", "step"))
    except InputError as error:
        raise InputError(f"{name}={item}: {error}") from None
    multiplies = match["operator"] == "x"
    if first > last:
        raise InputError(f"{name}={item}: the range begins above its end")
    if step <= 0 or (multiplies and (step <= 1 or first <= 0)):
        raise InputError(f"{name}={item}: the range never ends; {_RANGE_HELP}")
    values = []
    value = first
    while value <= last:
        values.append(value)
        if len(values) > _MAX_RANGE_VALUES:
            raise InputError(f"{name}={item}: more than {_MAX_RANGE_VALUES} values")
        value = value * step if multiplies else value + step
    return values
