"""Values of axes and parameters in options `-a`: lists, sizes with units, and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from nocbench.points.accuracy import refuse_accuracy
from nocbench.points.ranges import expand_range, split_outside_brackets
from nocbench.support.errors import InputError, Mistakes
from nocbench.support.units import SIZE_WITH_UNIT, parse_size

_IN_BRACKETS = re.compile(r"\(([^()]*)\)")


def parse_assignment(text: str) -> tuple[str, str]:
    """Splits "name=value". Raises InputError without name or value."""
    name, equals, value = text.partition("=")
    if not (equals and name.strip() and value.strip()):
        raise InputError(f"'{text}' does not read name=value")
    return name.strip(), value.strip()


def parse_axes(assignments: Iterable[str]) -> dict[str, str]:
    """Returns the values in `-a` options by name: {"call_size": "64B:1KiB:x2", "destination": "1,1"}.

    Raises:
        InputError: malformed options, or a name given twice; the message lists all mistakes.
    """
    return parse_choices(assignments, ())[0]


def parse_choices(assignments: Iterable[str], settings: Iterable[str]) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Returns the values in `-a` options, as :func:`parse_axes`, and the (path, values) in `--set` options.

    Raises:
        InputError: malformed options, or a name given to `-a` twice; the message lists all mistakes.
    """
    mistakes = Mistakes()
    axes: dict[str, str] = {}
    fields: list[tuple[str, str]] = []
    for assignment in assignments:
        with mistakes.noted():
            name, values = parse_assignment(assignment)
            if name in axes:
                mistakes.note(f"-a {name} is given twice; list its values with commas: {name}=first,second")
            axes[name] = values
    for setting in settings:
        with mistakes.noted():
            fields.append(parse_assignment(setting))
            refuse_accuracy(fields[-1])
    mistakes.complain()
    return axes, fields


def parse_values(name: str, text: str, *, holds_commas: bool = False) -> list[str]:
    """Returns the values of an axis or parameter, which are separated by commas outside of brackets.

    Converts sizes to bytes, expands ranges, and removes brackets around a value. Leaves all other checks to the
    simulator.

    Args:
        name: name of the axis or parameter.
        text: values, as after `-a NAME=`.
        holds_commas: True if values contain commas, such as coordinates of a core: "1,1" is a single value,
            "(1,1),(2,2)" are two.

    Raises:
        InputError: malformed sizes or ranges, or empty values; the message lists all mistakes.
    """
    mistakes = Mistakes()
    values: dict[str, None] = {}  # an ordered set: repeated values are one point
    for item in [text] if holds_commas and "(" not in text else split_outside_brackets(text):
        with mistakes.noted():
            if not item.strip("()"):
                raise InputError(f"{name}={text}: an empty value between commas")
            values.update(dict.fromkeys(_expand(name, item)))
    mistakes.complain()
    return list(values)


def axes_to_text(axes: Mapping[str, object]) -> dict[str, str]:
    """Returns values of axes and parameters from Python in the syntax of `-a`."""
    return {name: to_text(value) for name, value in axes.items()}


def to_text(value: object) -> str:
    """Returns one or several values from Python in the syntax of `-a`.

    ``[1, 16]`` becomes "1,16"; ``(1, 1)``, a core, becomes "(1,1)"; ``[(1, 1), (2, 2)]``, two cores, becomes
    "(1,1),(2,2)".
    """
    if isinstance(value, tuple):
        return f"({','.join(str(part) for part in value)})"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    items = [to_text(item) for item in value]
    return ",".join(f"({item})" if "," in item and "(" not in item else item for item in items)


def _expand(name: str, item: str) -> list[str]:
    in_brackets = _IN_BRACKETS.fullmatch(item)
    if in_brackets is not None:
        return [in_brackets[1].strip()]
    if ":" in item and "(" not in item:
        return [str(value) for value in expand_range(name, item, parse_size)]
    if SIZE_WITH_UNIT.fullmatch(item):
        return [str(parse_size(item))]
    return [item]
