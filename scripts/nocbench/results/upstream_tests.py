"""The tests of the tt-metal data-movement suite, with nocbench's counterparts.

The table is published/upstream_tests.csv. Measurements have the suite's names, and results have nocbench's.

`params` are the parameters with which nocbench's test equals the suite's. A value in braces stands for the cell of a
column of a measured row, as in `increment={transaction_size_bytes}`: the suite reports the increment as the size.
"""

from __future__ import annotations

import csv
import re
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

WHOLE_GRID = "All"
"""Word for the compute grid in names of tests."""

_ENDINGS_IN_WORDS = {" (Loopback Enabled)": LOOPBACK_SUFFIXES["1"], " (Loopback Disabled)": LOOPBACK_SUFFIXES["0"]}
_WITH_GRID = re.compile(rf"(One to All \w.*) (\d+x\d+|{WHOLE_GRID}) (Packet Sizes.*)")
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

    @property
    def grid(self) -> str | None:
        """Grid in the name of the test, "2x2", or WHOLE_GRID; None if it has none."""
        match = _WITH_GRID.fullmatch(self.upstream_name)
        return match[2] if match else None


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


def upstream_test(name: str, loopback: str | None = None, grid: str | None = None) -> UpstreamTest | None:
    """Returns the test that a name in measurements means.

    Tables of several grids, and of both values of loopback, have names without them, which columns then complete.

    Args:
        name: name in the suite.
        loopback: "1" or "0" if the measurement has this value; else None.
        grid: grid of the receivers, "2x2", or WHOLE_GRID, if the measurement has one; else None.

    Returns:
        The test; None if the suite has no such test.

    Raises:
        ValueError: the name means several tests.
    """
    meant = _tests_by_name().get(name, ())
    if not meant or name == meant[0].upstream_name:
        return meant[0] if meant else None
    ending = LOOPBACK_SUFFIXES.get(loopback or "", "")
    named = {"grid": grid, "loopback": loopback}
    if len({test.grid for test in meant}) == 1:
        grid = None
    found = [test for test in meant if test.upstream_name.endswith(ending) and grid in (None, test.grid)]
    if len(found) == 1:
        return found[0]
    expected = " or ".join(repr(test.upstream_name) for test in found or meant)
    if found:
        missing = ["grid"] * (len({test.grid for test in found}) > 1) + ["loopback"] * (loopback is None)
        raise ValueError(f"expected {expected}, or a column {' and '.join(missing)}")
    raise ValueError(
        f"expected {expected}, found {' and '.join(f'{key}={value}' for key, value in named.items() if value)}"
    )


def names_of(test: UpstreamTest) -> tuple[str, ...]:
    """Returns the names of a test in measurements: in full, with other words, and without grid and loopback."""
    names = [test.upstream_name]
    for words, ending in _ENDINGS_IN_WORDS.items():
        if test.upstream_name.endswith(ending):
            bare = test.upstream_name.removesuffix(ending)
            names += [bare + words, bare]
    names += [f"{match[1]} {match[3]}" for name in names if (match := _WITH_GRID.fullmatch(name))]
    return tuple(names)


@cache
def test_names() -> tuple[str, ...]:
    """Returns all test names in measurements: the suite's, in all forms, and nocbench's."""
    names = {name for test in upstream_tests() for name in (*names_of(test), test.test) if name}
    bare = {name.removesuffix(suffix) for name in names for suffix in LOOPBACK_SUFFIXES.values()}
    return tuple(sorted(names | bare))


@cache
def _tests_by_name() -> dict[str, tuple[UpstreamTest, ...]]:
    tests: dict[str, tuple[UpstreamTest, ...]] = {}
    for test in upstream_tests():
        for name in names_of(test):
            tests[name] = (*tests.get(name, ()), test)
    return tests | {test.upstream_name: (test,) for test in upstream_tests()}
