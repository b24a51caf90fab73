"""The values that `-a` gives an axis or a parameter: lists, sizes with units, and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from nocbench.errors import InputError
from nocbench.units import parse_size

_RANGE = re.compile(r"(?P<first>[^:]+):(?P<last>[^:]+):(?P<operator>[x+])(?P<step>\w+)")
_SIZE_WITH_UNIT = re.compile(r"\d+\s*[BbKkMmGg][A-Za-z]*")
_RANGE_HELP = "a range is first:last:xFACTOR or first:last:+STEP, for example 64B:64KiB:x2"
_MAX_RANGE_VALUES = 100_000  # a slip such as 0:1GiB:+1 must not eat all memory


def parse_assignment(text: str) -> tuple[str, str]:
    """Splits "name=value". Raises InputError if there is no name or no value."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise InputError(f"'{text}' does not read name=value")
    return name.strip(), value.strip()


def parse_axes(assignments: Iterable[str]) -> dict[str, list[str]]:
    """Reads several `-a` options: {"call_size": ["64", "128"], "destination": ["(1,1)"]}, in the order given.

    Raises:
        InputError: malformed, or a name that is given twice.
    """
    axes: dict[str, list[str]] = {}
    for assignment in assignments:
        name, values = parse_assignment(assignment)
        if name in axes:
            raise InputError(f"-a {name} is given twice; list its values with commas: {name}=first,second")
        axes[name] = parse_values(name, values)
    return axes


def parse_values(name: str, text: str) -> list[str]:
    """Reads the values of one axis or parameter.

    They are separated by commas that stand outside brackets, so that "(1,1),(2,2)" is two coordinates. A size loses its
    unit, a range is written out, and anything else is handed on as it is, for the simulator to judge.
    """
    values: dict[str, None] = {}  # an ordered set: a value listed twice is one point
    for item in _split_outside_brackets(text):
        if not item:
            raise InputError(f"{name}={text}: an empty value between commas")
        for value in _expand(name, item):
            values[value] = None
    return list(values)


def normalize_axes(axes: Mapping[str, object]) -> dict[str, list[str]]:
    """Brings values from Python, single or in sequences, into the form of :func:`parse_axes`.

    Coordinates may be tuples: ``destination=(1, 1)`` is "(1,1)" and ``destination=[(1, 1), (2, 2)]`` two of them.
    """
    normalized = {}
    for name, value in axes.items():
        values = value if isinstance(value, Sequence) and not isinstance(value, (str, tuple)) else _as_list(value)
        normalized[name] = [text for item in values for text in parse_values(name, _as_text(item))]
        if not normalized[name]:
            raise InputError(f"{name}: an empty list of values")
    return normalized


def _as_list(value: object) -> list[object]:
    # range objects are sequences already; arrays, frames' columns and generators are iterable without being one
    if isinstance(value, Iterable) and not isinstance(value, (str, tuple)):
        return list(value)
    return [value]


def _as_text(value: object) -> str:
    if isinstance(value, tuple):
        return "(" + ",".join(str(part) for part in value) + ")"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _split_outside_brackets(text: str) -> list[str]:
    items = [""]
    depth = 0
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == "," and depth == 0:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items]


def _expand(name: str, item: str) -> list[str]:
    if ":" in item and "(" not in item:
        return [str(value) for value in _expand_range(name, item)]
    if _SIZE_WITH_UNIT.fullmatch(item):
        return [str(parse_size(item))]
    return [item]


def _expand_range(name: str, item: str) -> list[int]:
    match = _RANGE.fullmatch(item)
    if match is None:
        raise InputError(f"{name}={item}: {_RANGE_HELP}")
    try:
        first, last, step = (parse_size(match[group]) for group in ("first", "last", "step"))
    except InputError as error:
        raise InputError(f"{name}={item}: {error}") from None
    multiplies = match["operator"] == "x"
    if first > last:
        raise InputError(f"{name}={item}: the range begins above its end")
    if step < 1 or (multiplies and (step < 2 or first < 1)):
        raise InputError(f"{name}={item}: the range never ends; {_RANGE_HELP}")
    values = []
    value = first
    while value <= last:
        values.append(value)
        if len(values) > _MAX_RANGE_VALUES:
            raise InputError(f"{name}={item}: more than {_MAX_RANGE_VALUES} values")
        value = value * step if multiplies else value + step
    return values
