"""The tests of the tt-metal suite beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from nocbench.points import simulator
from nocbench.published.alignment import known_tests
from nocbench.results.upstream_tests import upstream_tests
from nocbench.support.errors import InputError, NothingMatchedError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.points.simulator import SweptTest
    from nocbench.results.upstream_tests import UpstreamTest

HERE = "here"
NOT_HERE_YET = "not here yet"


@dataclass(frozen=True, slots=True)
class ListedTest:
    """A test of the suite, and ours.

    Attributes:
        upstream_id: its number there; None if unknown.
        upstream_name: its name there.
        archs: the architectures that it is for.
        test_id: our number; None if the catalogue has no such test.
        test: our name; empty if it has no counterpart.
        params: parameters of ours that make our test this one.
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
    """Lists the tests of the suite, in the order of its numbers.

    Args:
        patterns: numbers, names or globs of names, theirs or ours; all tests if there are none.
        architectures: only tests for one of them; for any if there are none.

    Raises:
        InputError: no such architecture, number or name.
        NothingMatchedError: a glob that no test matches, or an architecture that no test is for.
    """
    for arch in architectures:
        simulator.require_architecture(arch)
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
        for name in (test.upstream_name, test.test)
    )


def _raise_no_match(tests: Sequence[UpstreamTest], pattern: str) -> None:
    if pattern.isdigit():
        raise InputError(f"no test of the suite of tt-metal has the id {pattern}")
    names = dict.fromkeys(name for test in tests for name in (test.upstream_name, test.test) if name)
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
