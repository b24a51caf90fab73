"""The tests of the tt-metal suite, with nocbench's counterparts."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.architectures.files import require_architecture
from nocbench.published.alignment import known_tests
from nocbench.results.upstream_tests import names_of, upstream_tests
from nocbench.support.errors import InputError, NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.points.swept_tests import SweptTest
    from nocbench.results.upstream_tests import UpstreamTest

HERE = "here"
NOT_HERE_YET = "not here yet"


@dataclass(frozen=True, slots=True)
class ListedTest:
    """A test of the suite, and its counterpart in nocbench.

    Attributes:
        upstream_id: number in the suite; None if unknown.
        upstream_name: name in the suite.
        archs: architectures of the test.
        test_id: id in nocbench; None if the catalogue has no such test.
        test: name in nocbench; empty without a counterpart.
        params: parameters with which nocbench's test equals the suite's.
        state: "here", "not here yet", "not here yet on ARCH", or "no counterpart: " with the reason.
    """

    upstream_id: int | None
    upstream_name: str
    archs: tuple[str, ...]
    test_id: int | None
    test: str
    params: str
    state: str


def list_upstream(patterns: Sequence[str] = (), architectures: Sequence[str] = ()) -> list[ListedTest]:
    """Returns the tests of the suite, in the order of their numbers.

    Args:
        patterns: numbers in the suite, and names or globs of names in the suite or in nocbench; empty: all tests.
        architectures: architectures of the tests; empty: all.

    Raises:
        InputError: no such architecture, number or name.
        NothingMatchedError: a glob that no test matches, or an architecture without tests.
    """
    for arch in architectures:
        require_architecture(arch)
    tests = [
        test for test in upstream_tests() if not architectures or any(arch in architectures for arch in test.archs)
    ]
    if not tests:
        raise NothingMatchedError(f"the suite of tt-metal has no test for {' or '.join(architectures)}")
    picked = {test.upstream_name for test in tests} if not patterns else set()
    for pattern in patterns:
        matches = {test.upstream_name for test in tests if _matches(test, pattern)}
        if not matches:
            _raise_no_match(tests, pattern)
        picked |= matches
    known = {arch: known_tests(arch) for arch in dict.fromkeys(arch for test in tests for arch in test.archs)}
    return [_listed(test, known) for test in tests if test.upstream_name in picked]


def _matches(test: UpstreamTest, pattern: str) -> bool:
    if pattern.isdigit():
        return int(pattern) == test.upstream_id
    return any(
        name.casefold() == pattern.casefold() or fnmatchcase(name.casefold(), pattern.casefold())
        for name in (*names_of(test), test.test)
    )


def _raise_no_match(tests: Sequence[UpstreamTest], pattern: str) -> None:
    if pattern.isdigit():
        raise InputError(f"no test of the suite of tt-metal has the id {pattern}")
    names = dict.fromkeys(name for test in tests for name in (*names_of(test), test.test) if name)
    complaint = f"'{pattern}'{did_you_mean(pattern, names)}"
    if any(character in pattern for character in "*?["):
        raise NothingMatchedError(f"no test of the suite of tt-metal matches {complaint}")
    raise InputError(f"no test of the suite of tt-metal is called {complaint}")


def _listed(test: UpstreamTest, known: Mapping[str, Mapping[str, SweptTest]]) -> ListedTest:
    name = test.test or test.upstream_name
    ids = [known[arch][name].test_id for arch in test.archs if name in known[arch]]
    missing = [arch for arch in test.archs if name not in known[arch]]
    if not missing:
        state = HERE
    elif test.reason:
        state = f"no counterpart: {test.reason}"
    else:
        state = f"{NOT_HERE_YET} on {', '.join(missing)}" if ids else NOT_HERE_YET
    return ListedTest(
        test.upstream_id, test.upstream_name, test.archs, ids[0] if ids else None, test.test, test.params, state
    )
