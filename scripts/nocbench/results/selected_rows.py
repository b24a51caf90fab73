"""Selection of result rows by architecture and test."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.support.errors import NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.support.columns import Row


def is_called(name: str, pattern: str) -> bool:
    """Returns True if a test has a name, or matches a glob."""
    return fnmatchcase(name.casefold(), pattern.casefold())


def selected_tests(
    tests: Iterable[tuple[str, str]], architectures: Sequence[str] = (), patterns: Sequence[str] = ()
) -> set[tuple[str, str]]:
    """Returns the (arch, test) of some architectures and tests, the latter by name or glob; empty selections mean all.

    Raises:
        NothingMatchedError: nothing of a selected architecture or test is in `tests`.
    """
    tests = list(dict.fromkeys(tests))
    known = [arch for arch, _ in tests]
    for arch in architectures:
        if arch not in known:
            raise NothingMatchedError(f"the results hold nothing of '{arch}'{did_you_mean(arch, known)}")
    if architectures:
        tests = [(arch, name) for arch, name in tests if arch in architectures]
    names = list(dict.fromkeys(name for _, name in tests))
    for pattern in patterns:
        if not any(is_called(name, pattern) for name in names):
            raise NothingMatchedError(f"the results hold no test '{pattern}'{did_you_mean(pattern, names)}")
    return {
        (arch, name) for arch, name in tests if not patterns or any(is_called(name, pattern) for pattern in patterns)
    }


def selected_rows(rows: Sequence[Row], architectures: Sequence[str] = (), patterns: Sequence[str] = ()) -> list[Row]:
    """Returns the rows of the tests that :func:`selected_tests` selects, in order. Raises what it raises."""
    chosen = selected_tests(map(arch_and_test, rows), architectures, patterns)
    return [row for row in rows if arch_and_test(row) in chosen]


def arch_and_test(row: Row) -> tuple[str, str]:
    """Returns the architecture and the name of the test of a row."""
    return str(row["arch"]), str(row["test"])
