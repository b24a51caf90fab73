"""Published rows to which constants were fitted, as listed in architecture files.

A row is *fitted to* if a constant of the architecture lists it, and *never seen* otherwise. Only the files in
device_model/archs decide:

    fitted_rows: - reference: tenstorrent_silicon_2025_07.csv where: {test: One to All Unicast * without Loopback,
        moved_bytes: ..2MiB}

`reference` is a table below plots/reference. The constant lists all rows of its architecture that meet the conditions
on all columns. A condition is a value or a list of values. A value is a glob for columns of text; for columns of
numbers, it is a number, a size with unit, or a range with one or both ends. `moved_bytes` means the number of
transactions times their size.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Any

from nocbench.points.constants import FITTED_ROWS, constants_in, entries_of, file_of
from nocbench.points.yaml_files import YamlFile
from nocbench.published.reference_files import reference_file, reference_names
from nocbench.results.result_files import read_points
from nocbench.support.columns import POINT_KEY
from nocbench.support.errors import did_you_mean
from nocbench.support.units import SIZE_WITH_UNIT, parse_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from nocbench.points.yaml_files import Node

    Row = Mapping[str, str]
    Constants = tuple[str, ...]

FITTED_TO = "fitted to"
NEVER_SEEN = "never seen"

_ARCHITECTURE = "arch"
_MOVED_BYTES = "moved_bytes"
_FACTORS_OF_MOVED_BYTES = ("num_transactions", "transaction_size_bytes")
_RANGE = ".."


@dataclass(frozen=True, slots=True)
class FittedRows:
    """Published rows that a constant lists.

    Attributes:
        constant: path of the constant: "risc.write_new_target_cycles".
        reference: path of the table below plots/reference.
        rows: numbers of the rows, from 0.
    """

    constant: str
    reference: str
    rows: tuple[int, ...]


@cache
def read_table(reference: str) -> tuple[Row, ...]:
    """Returns the rows of a published table, given by its path below plots/reference.

    Raises:
        InputError: no such table.
    """
    with reference_file(reference).open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def constants_of_rows(arch: str, reference: str) -> list[Constants]:
    """Returns the constants of an architecture that list each row of a published table, by row.

    Raises:
        InputError: the architecture's file lists rows that do not exist; the message has file and line.
    """
    named = _constants_by_row(arch)
    return [named.get((reference, number), ()) for number in range(len(read_table(reference)))]


@cache
def constants_of_points(arch: str) -> dict[tuple[str | int, ...], Constants]:
    """Returns the constants of an architecture that list points of published tests, by point.

    Returns:
        Constants by (test, kernel, transactions, size, parameters of the row as in `params`).

    Raises:
        InputError: see :func:`constants_of_rows`.
    """
    points: dict[tuple[str | int, ...], Constants] = {}
    for (reference, number), constants in _constants_by_row(arch).items():
        if read_table(reference)[number].keys() >= set(POINT_KEY):
            row = _points_of(reference)[number]
            point = (*(row[name] for name in POINT_KEY if name != _ARCHITECTURE), row.get("params", ""))
            points[point] = points.get(point, ()) + constants
    return points


@cache
def _points_of(reference: str) -> tuple[Mapping[str, Any], ...]:
    """Returns the rows of :func:`read_table` in the format of results."""
    return tuple(read_points(reference_file(reference)))


def how_earned(constants: Sequence[str]) -> str:
    """Returns the relation of a published row to the model: "never seen", or the constants fitted to it."""
    if not constants:
        return NEVER_SEEN
    return f"{FITTED_TO}: {', '.join(f'`{constant}`' for constant in constants)}"


@cache
def _constants_by_row(arch: str) -> dict[tuple[str, int], Constants]:
    file = file_of(arch)
    named: dict[tuple[str, int], list[str]] = defaultdict(list)
    # An architecture without a file in this revision has no fitted constants.
    for selection in read_fitted_rows(file) if file.is_file() else ():
        for number in selection.rows:
            if selection.constant not in named[selection.reference, number]:
                named[selection.reference, number].append(selection.constant)
    return {row: tuple(constants) for row, constants in named.items()}


def read_fitted_rows(file: Path) -> list[FittedRows]:
    """Returns the rows to which constants of an architecture file were fitted, in the order of the file.

    Raises:
        InputError: tables, columns or values that do not exist, or conditions that no row meets; the message lists all,
            with file and line.
    """
    yaml = YamlFile(file, "an architecture file")
    found = [
        selection
        for path, constant in constants_in(yaml.root)
        if constant["kind"] == "mapping"
        for item in yaml.items(entries_of(constant).get(FITTED_ROWS), f"{path}.{FITTED_ROWS}")
        if (selection := _Selector(yaml, path, file.stem).select(item)) is not None
    ]
    yaml.require_no_mistakes()
    return found


class _Selector:
    """Selector of the rows of published tables that a constant lists. Records mistakes for missing ones."""

    def __init__(self, yaml: YamlFile, constant: str, arch: str) -> None:
        self._yaml = yaml
        self._constant = constant
        self._arch = arch
        self._key = f"{constant}.{FITTED_ROWS}"

    def select(self, item: Node) -> FittedRows | None:
        """Returns the rows that an item of the list selects; None after a mistake."""
        parts = self._yaml.mapping(item, self._key, ("reference", "where"), required=("reference",))
        reference = self._yaml.text(parts.get("reference"), f"{self._key}.reference")
        if not reference:
            return None
        if reference not in reference_names():
            expected = f"a table below plots/reference ({', '.join(reference_names())})"
            hint = did_you_mean(reference, reference_names())
            self._yaml.complain(parts["reference"], f"{self._key}.reference", expected, f"'{reference}'{hint}")
            return None
        rows = [
            (number, _with_moved_bytes(row))
            for number, row in enumerate(read_table(reference))
            if row.get(_ARCHITECTURE, self._arch) == self._arch
        ]
        if not rows:
            expected = f"a table with rows of {self._arch}"
            self._yaml.complain(parts["reference"], f"{self._key}.reference", expected, f"'{reference}'")
            return None
        where = parts.get("where")
        columns = () if where is None else tuple(column for column in rows[0][1] if column != _ARCHITECTURE)
        conditions = {} if where is None else self._yaml.mapping(where, f"{self._key}.where", columns)
        meets = [self._rows_that_meet(column, node, rows) for column, node in conditions.items()]
        if any(numbers is None for numbers in meets):
            return None  # mistake already recorded
        chosen = [number for number, _ in rows if all(number in (numbers or ()) for numbers in meets)]
        if not chosen:
            self._yaml.complain(item, self._key, f"conditions that a row of {reference} meets", "none that does")
            return None
        return FittedRows(self._constant, reference, tuple(chosen))

    def _rows_that_meet(self, column: str, node: Node, rows: Sequence[tuple[int, Row]]) -> set[int] | None:
        """Returns the numbers of rows that have one of the values of a condition; None after a mistake."""
        key = f"{self._key}.where.{column}"
        found: set[int] = set()
        is_right = True
        are_numbers = all(_is_number(row[column]) for _, row in rows)
        for value in node["value"] if node["kind"] == "list" else [node]:
            text = self._yaml.text(value, key)
            try:
                matches = _numbers_like(text) if are_numbers else _texts_like(text)
            except ValueError:
                expected = "a number, a size such as 2MiB, or a range such as ..2MiB, 64.. or 64..256"
                self._yaml.complain(value, key, expected, f"'{text}'")
                is_right = False
                continue
            numbers = {number for number, row in rows if matches(row[column])}
            if not numbers and text:
                expected = f"a value of this column in a row of {self._arch}"
                hint = "" if are_numbers else did_you_mean(text, dict.fromkeys(row[column] for _, row in rows))
                self._yaml.complain(value, key, expected, f"'{text}'{hint}")
            is_right = is_right and bool(numbers)
            found |= numbers
        return found if is_right else None


def _with_moved_bytes(row: Row) -> Row:
    if not row.keys() >= set(_FACTORS_OF_MOVED_BYTES):
        return row
    return {**row, _MOVED_BYTES: str(math.prod(int(row[name]) for name in _FACTORS_OF_MOVED_BYTES))}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _texts_like(pattern: str) -> Callable[[str], bool]:
    return lambda text: fnmatchcase(text, pattern)


def _numbers_like(text: str) -> Callable[[str], bool]:
    """Returns a predicate for a number, size or range. Raises ValueError for any other text."""
    first, is_range, last = text.partition(_RANGE)
    if not is_range:
        only = _number(text)
        return lambda cell: float(cell) == only
    if not first and not last:
        raise ValueError(text)
    least, greatest = _number(first) if first else -math.inf, _number(last) if last else math.inf
    return lambda cell: least <= float(cell) <= greatest


def _number(text: str) -> float:
    return parse_size(text) if SIZE_WITH_UNIT.fullmatch(text.strip()) else float(text)
