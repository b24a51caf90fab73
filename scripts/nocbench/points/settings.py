"""Values of fields in options `--set`: lists and ranges, and their product."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.fields import list_depth
from nocbench.points.accuracy import refuse_accuracy
from nocbench.points.ranges import expand_range, split_outside_brackets
from nocbench.support.errors import InputError, Mistakes
from nocbench.support.units import SIZE_WITH_UNIT, parse_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Settings = tuple[tuple[str, str], ...]
"""Changed fields of an architecture, each with one value, in the order given."""

MAX_POINTS = 1_000_000
"""Maximum number of points in a run: each takes half a KB before the run, and a row of 1 KB afterwards."""

_MAX_TRIED = 64  # maximum number of combinations; each takes 10 ms
_DECIMAL = re.compile(r"\d+(\.\d+)?")


def combine_settings(settings: Iterable[tuple[str, str]]) -> list[Settings]:
    """Returns all combinations of the fields' values, the last varying fastest; a single empty one without fields.

    Args:
        settings: fields, each with its values in the syntax of `--set`: "8", "8,9,10" or "1:1.5:+0.1".

    Raises:
        InputError: malformed ranges, empty values or fields given twice, all listed in the message; or too many
            combinations.
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
    """Returns the values of a field, which are separated by commas.

    Values of list fields contain commas: "1,2" is a single value, "[1,2],[3,4]" are two. Converts sizes to bytes and
    expands ranges. Leaves all other checks to the simulator.

    Raises:
        InputError: a malformed size or range, or an empty value.
    """
    depth = list_depth(field)
    items = split_outside_brackets(text, "[]")
    if depth and not (len(items) == 1 or all(item.startswith("[" * depth) for item in items)):
        items = [text]
    values: dict[str, None] = {}  # an ordered set: repeated values are one point
    for item in items:
        if not item:
            raise InputError(f"{field}={text}: an empty value between commas")
        values.update(dict.fromkeys(_expand(field, item)))
    return list(values)


def settings_to_text(settings: Mapping[str, object] | None) -> list[tuple[str, str]]:
    """Returns fields and their values from Python in the syntax of `--set`; None: no fields."""
    return [(path, setting_to_text(value)) for path, value in (settings or {}).items()]


def setting_to_text(value: object) -> str:
    """Returns one or several values from Python in the syntax of `--set`.

    ``[8, 9]`` becomes "8,9"; ``(1, 2)``, a value of a list field, becomes "[1,2]"; ``[(1, 2), (3, 4)]``, two such
    values, becomes "[1,2],[3,4]".
    """
    if isinstance(value, tuple):
        return f"[{','.join(setting_to_text(part) for part in value)}]"
    if isinstance(value, str) or not isinstance(value, Iterable):
        return str(value)
    return ",".join(setting_to_text(item) for item in value)


def require_settings(machines: Sequence[tuple[str, str]], combinations: Sequence[Settings]) -> None:
    """Raises InputError, before a long sweep begins, if machines refuse combinations.

    A machine is an architecture and a board, which is empty for the default board.

    Very many combinations are not checked, since checking them would take longer than most sweeps. In this case, the
    first point with a refused combination ends the sweep.
    """
    if len(combinations) > _MAX_TRIED // max(1, len(machines)):
        return
    mistakes = Mistakes()
    for (arch, board), settings in itertools.product(machines, filter(None, combinations)):
        with mistakes.noted():
            describe_architecture(arch, board, settings)
    mistakes.complain()


def _expand(field: str, item: str) -> list[str]:
    if ":" in item and "[" not in item:
        return [format(value.normalize(), "f") for value in expand_range(field, item, _number)]
    if SIZE_WITH_UNIT.fullmatch(item):
        return [str(parse_size(item))]
    return [item]


def _number(text: str) -> Decimal:
    return Decimal(text.strip()) if _DECIMAL.fullmatch(text.strip()) else Decimal(parse_size(text))
