"""Values that `--set` gives fields of a board or architecture: lists and ranges, and their product."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from nocbench.points import simulator
from nocbench.points.accuracy import refuse_accuracy
from nocbench.support.errors import InputError, Mistakes
from nocbench.support.ranges import expand_range, split_outside_brackets
from nocbench.support.units import SIZE_WITH_UNIT, parse_size

if TYPE_CHECKING:
    from collections.abc import Sequence

Settings = tuple[tuple[str, str], ...]
"""Fields that differ from the file of the architecture, each with one value, in the order given."""

MAX_POINTS = 1_000_000
"""Most points of a run: each takes half a KB before it begins, and a row of 1 KB afterwards."""

_MAX_TRIED = 64  # combinations; 10 ms each
_DECIMAL = re.compile(r"\d+(\.\d+)?")


def combine_settings(settings: Iterable[tuple[str, str]]) -> list[Settings]:
    """Returns all combinations of the values of fields, the last varying fastest; one empty one without fields.

    Args:
        settings: fields, each with its values as written after `--set`: "8", "8,9,10" or "1:1.5:+0.1".

    Raises:
        InputError: a malformed range, nothing between commas, or a field that is given twice: all such mistakes at
            once; or too many combinations.
    """
    mistakes = Mistakes()
    values: dict[str, list[str]] = {}
    for field, text in settings:
        with mistakes.noted():
            refuse_accuracy((field, text))
        if field in values:
            mistakes.note(f"--set {field} is given twice; list its values with commas: {field}=first,second")
        with mistakes.noted():
            values[field] = parse_setting(field, text)
    mistakes.complain()
    count = math.prod(len(of_field) for of_field in values.values())
    if count > MAX_POINTS:
        raise InputError(f"--set: expected at most {MAX_POINTS:,} combinations of values, found {count:,}")
    return [tuple(zip(values, combination, strict=True)) for combination in itertools.product(*values.values())]


def parse_setting(field: str, text: str) -> list[str]:
    """Reads the values of one field.

    They are separated by commas. Fields that are lists contain commas themselves: "1,2" is one value, and several are
    in brackets, "[1,2],[3,4]". Sizes lose their unit, ranges are expanded; anything else is left to the simulator.

    Raises:
        InputError: a malformed size or range, or nothing between commas.
    """
    depth = simulator.list_depth(field)
    items = split_outside_brackets(text, "[]")
    if depth and not (len(items) == 1 or all(item.startswith("[" * depth) for item in items)):
        items = [text]
    values: dict[str, None] = {}  # an ordered set: a value listed twice is one point
    for item in items:
        if not item:
            raise InputError(f"{field}={text}: an empty value between commas")
        values.update(dict.fromkeys(_expand(field, item)))
    return list(values)


def setting_to_text(value: object) -> str:
    """Writes values from Python, one or several, in the syntax of `--set`.

    ``[8, 9]`` is "8,9", ``(1, 2)`` is one value of a field that is a list, "[1,2]", and ``[(1, 2), (3, 4)]`` two of
    them.
    """
    if isinstance(value, tuple):
        return f"[{','.join(setting_to_text(part) for part in value)}]"
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ",".join(setting_to_text(item) for item in value)


def require_settings(machines: Sequence[tuple[str, str]], combinations: Sequence[Settings]) -> None:
    """Raises InputError if machines refuse combinations, before a long sweep begins.

    A machine is an architecture and its board, which is empty for the default one.

    Very many combinations are not tried, as that would take longer than most sweeps: the first point with a refused one
    then ends the sweep.
    """
    if len(combinations) > _MAX_TRIED // max(1, len(machines)):
        return
    mistakes = Mistakes()
    for (arch, board), settings in itertools.product(machines, filter(None, combinations)):
        with mistakes.noted():
            simulator.require_settings(arch, board, settings)
    mistakes.complain()


def _expand(field: str, item: str) -> list[str]:
    if ":" in item and "[" not in item:
        return [format(value.normalize(), "f") for value in expand_range(field, item, _number)]
    if SIZE_WITH_UNIT.fullmatch(item):
        return [str(parse_size(item))]
    return [item]


def _number(text: str) -> Decimal:
    return Decimal(text.strip()) if _DECIMAL.fullmatch(text.strip()) else Decimal(parse_size(text))
