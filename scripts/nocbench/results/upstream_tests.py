"""The tests of the tt-metal data-movement suite, with nocbench's counterparts.

The table is published/upstream_tests.csv. Measurements have the suite's names, and results have nocbench's.

`params` are the parameters with which nocbench's test equals the suite's. A value in braces stands for the cell of a
column of a measured row, as in `increment={transaction_size_bytes}`: the suite reports the increment as the size.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = PACKAGE / "published" / "upstream_tests.csv"

LOOPBACK_SUFFIXES = {"1": " with Loopback", "0": " without Loopback"}
"""Endings of names of tests that were published with and without the source among the receivers."""

_COLUMNS = ["upstream_id", "upstream_name", "archs", "test", "params", "counterpart", "reason"]


@dataclass(frozen=True, slots=True)
class UpstreamTest:
    """A test of the suite.

    Attributes:
        upstream_id: number in the suite, not always unique; None if unknown.
        upstream_name: name in the suite; variants with and without loopback are two tests.
        archs: architectures of the test.
        test: name in nocbench; empty without a counterpart.
        params: parameters with which nocbench's test equals the suite's: "vcs=4".
        reason: reason for a missing counterpart; empty if there is one.
    """

    upstream_id: int | None
    upstream_name: str
    archs: tuple[str, ...]
    test: str
    params: str
    reason: str


@cache
def upstream_tests(file: Path = FILE) -> tuple[UpstreamTest, ...]:
    """Returns all tests, in the order of the table.

    Raises:
        InputError: mistakes in the table, each with file, line and column.
    """
    with file.open(encoding="utf-8", newline="") as text:
        reader = csv.DictReader(text)
        if reader.fieldnames != _COLUMNS:
            found = ", ".join(reader.fieldnames or ())
            raise InputError(f"{file}:1: expected the columns {', '.join(_COLUMNS)}, found {found}")
        tests = []
        mistakes = []
        line_of_name: dict[str, int] = {}
        for row in reader:
            where = f"{file}:{reader.line_num}"
            complaints = _mistakes_in(row)
            first = line_of_name.setdefault(str(row["upstream_name"]), reader.line_num)
            if first != reader.line_num:
                complaints.append(f"upstream_name: '{row['upstream_name']}' is in line {first}, too")
            mistakes += [f"{where}: {complaint}" for complaint in complaints]
            if not complaints:
                tests.append(
                    UpstreamTest(
                        upstream_id=int(row["upstream_id"]) if row["upstream_id"] else None,
                        upstream_name=row["upstream_name"],
                        archs=tuple(row["archs"].split()),
                        test=row["test"],
                        params=row["params"],
                        reason=row["reason"],
                    )
                )
    if mistakes:
        raise InputError("\n".join(mistakes))
    return tuple(tests)


def _mistakes_in(row: Mapping[str, str | None]) -> list[str]:
    if None in row.values() or None in row:
        return [f"expected {len(_COLUMNS)} values"]
    mistakes = [f"{name}: is empty" for name in ("upstream_name", "archs") if not row[name]]
    if row["upstream_id"] and not str(row["upstream_id"]).isdigit():
        mistakes.append(f"upstream_id: expected a number or nothing, found '{row['upstream_id']}'")
    if row["counterpart"] not in ("yes", "no"):
        return [*mistakes, f"counterpart: expected yes or no, found '{row['counterpart']}'"]
    filled, empty = ("test", "reason") if row["counterpart"] == "yes" else ("reason", "test")
    if not row[filled]:
        mistakes.append(f"{filled}: is empty, although counterpart is {row['counterpart']}")
    if row[empty]:
        mistakes.append(f"{empty}: expected nothing, since counterpart is {row['counterpart']}, found '{row[empty]}'")
    return mistakes


def upstream_test(name: str, loopback: str | None = None) -> UpstreamTest | None:
    """Returns the test that a name in measurements means.

    Args:
        name: name in the suite.
        loopback: "1" or "0" if the measurement has this value, which completes a name without ending; else None.

    Returns:
        The test; None if the suite has no such test.

    Raises:
        ValueError: the name means two tests, with and without loopback.
    """
    by_name = _by_name()
    if name in by_name:
        return by_name[name]
    completed = [full for suffix in LOOPBACK_SUFFIXES.values() if (full := name + suffix) in by_name]
    if loopback in LOOPBACK_SUFFIXES and name + LOOPBACK_SUFFIXES[loopback] in completed:
        return by_name[name + LOOPBACK_SUFFIXES[loopback]]
    if completed:
        raise ValueError(f"expected {' or '.join(repr(full) for full in completed)}, or a column loopback")
    return None


@cache
def test_names() -> tuple[str, ...]:
    """Returns all test names in measurements: the suite's, with and without the loopback ending, and nocbench's."""
    names = {name for test in upstream_tests() for name in (test.upstream_name, test.test) if name}
    bare = {name.removesuffix(suffix) for name in names for suffix in LOOPBACK_SUFFIXES.values()}
    return tuple(sorted(names | bare))


@cache
def _by_name() -> dict[str, UpstreamTest]:
    return {test.upstream_name: test for test in upstream_tests()}
