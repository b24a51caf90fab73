"""Answers that are kept: results of exact simulation that take longer than an answer may take."""

from __future__ import annotations

import csv
import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import digest_of_files
from nocbench.estimating.patterns import PATTERNS
from nocbench.points.swept_tests import list_tests
from nocbench.results.kept_results import key_of_point, key_of_row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench.points.point import Point
    from nocbench.support.columns import Row

KEPT_POINTS_FILE = Path(__file__).with_name("kept_points.csv")
"""Rows of the kept results; made by scripts/studies/accuracy_in_documents.py."""

_LEAST_BYTES = 4 * 2**20
"""Bytes that a point moves, from which on it is kept: fewer are simulated in time."""
_NUMBERS = {"num_transactions": int, "call_size_bytes": int, "latency_cycles": float}
_NUMBERS |= {"bandwidth_bytes_per_cycle": float, "clock_hz": float}
_CONTENT = "arch_digest"
_COLUMNS = ("arch", "test", "primitive", "board", "params", "limiter", *_NUMBERS)


def kept_points(rows: Iterable[Row]) -> str:
    """Returns the slowest row of each large point of the patterns' tests, as CSV."""
    tests = {pattern.test for pattern in PATTERNS.values()}
    slowest: dict[Any, Row] = {}
    for row in rows:
        moved = row["num_transactions"] * row["transaction_size_bytes"] * row["num_cores"]
        if row["test"] in tests and moved >= _LEAST_BYTES:
            point = key_of_row(row)
            slowest[point] = max(slowest.get(point, row), row, key=lambda each: float(each["latency_cycles"]))
    lines = [(*_COLUMNS, _CONTENT)]
    lines += [(*(row[column] for column in _COLUMNS), digest_of_files(row["arch"])) for row in slowest.values()]
    return "".join(",".join(map(str, line)) + "\n" for line in lines)


def kept_row(point: Point) -> Row | None:
    """Returns the row of the slowest kernel of a point; None if it is not kept, or is of a changed machine."""
    if point.settings:
        return None
    defaults = _defaults(point.arch, point.test)
    changed = tuple((name, value) for name, value in point.parameters if defaults.get(name) != value)
    row = _kept().get(key_of_point(replace(point, parameters=changed)))
    if row is None or point.board not in ("", row["board"]) or row[_CONTENT] != digest_of_files(point.arch):
        return None
    return row


@functools.cache
def _defaults(arch: str, test: str) -> dict[str, str]:
    of_test = next(each for each in list_tests(arch) if each.test == test)
    return {parameter.name: parameter.default for parameter in of_test.parameters}


@functools.cache
def _kept() -> dict[Any, Row]:
    with KEPT_POINTS_FILE.open(encoding="utf-8", newline="") as file:
        rows = [
            {**row, **{name: number(row[name]) for name, number in _NUMBERS.items()}} for row in csv.DictReader(file)
        ]
    return {key_of_row(row): row for row in rows}
