"""Omissions from a selection by primitive or glob: tests without a given parameter, and values that a test refuses.

Such a selection means those tests that accept the parameters and values. If no test accepts them, nothing is left out,
and the simulator's complaints follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.points.point import Point
from nocbench.points.refusals import refusal_of_value

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from nocbench.points.settings import Settings
    from nocbench.points.swept_tests import SweptTest

    Swept = dict[str, list[str]]

_MAX_TESTS_NAMED = 4


def known_parameters(test: SweptTest) -> list[str]:
    """Returns the names of axes and parameters that `-a` may set for a test."""
    return list(dict.fromkeys([*test.axes["full"], *(parameter.name for parameter in test.parameters)]))


def with_parameters(
    tests: Sequence[SweptTest],
    names: Collection[str],
    is_named: Callable[[SweptTest], bool],
    say: Callable[[str], None],
) -> list[SweptTest]:
    """Returns the tests that have all of the parameters, and reports the tests left out.

    Args:
        tests: tests to choose from.
        names: names of the parameters. Names that no test has are ignored.
        is_named: function that returns True if the user named the test itself; named tests stay.
        say: function that receives a note on omissions.
    """
    there = {name for test in tests for name in known_parameters(test)}
    lacking: dict[str, list[SweptTest]] = {}
    left = []
    for test in tests:
        own = known_parameters(test)
        absent = [name for name in names if name in there and name not in own]
        if absent and not is_named(test):
            lacking.setdefault(" and ".join(f"'{name}'" for name in absent), []).append(test)
        else:
            left.append(test)
    if not left:
        return list(tests)
    for absent_names, without in lacking.items():
        say(f"note: left out, since they have no parameter {absent_names}: {_names(without)}")
    return left


def without_refused_values(
    tests: Sequence[SweptTest],
    swept: Sequence[Swept],
    names: Collection[str],
    is_named: Callable[[SweptTest], bool],
    say: Callable[[str], None],
    *,
    board: str,
    settings: Settings,
) -> tuple[list[SweptTest], list[Swept]]:
    """Returns tests and values without values that one test refuses and another accepts, and reports the omissions.

    Args:
        tests: tests to choose from.
        swept: values of the parameters and axes of each test.
        names: parameters and axes whose values the user gave.
        is_named: function that returns True if the user named the test itself; named tests keep their values.
        say: function that receives a note on omissions.
        board: board to run on, or empty.
        settings: settings to run with.
    """
    unchanged = (list(tests), list(swept))
    if in_use() is not BUILT_IN or len(tests) == 1 or all(map(is_named, tests)):
        return unchanged
    refused: list[dict[str, dict[str, str]]] = []
    for test, values_of in zip(tests, swept, strict=True):
        first = {name: values[0] for name, values in values_of.items()}
        point = Point(test.arch, board or test.board, test.test, tuple(first.items()), settings)
        own = [] if is_named(test) else [name for name in names if name in values_of]
        refused.append({name: _refused(point, name, values_of[name], set(names) - {name}) for name in own})
    left_tests: list[SweptTest] = []
    left_values: list[Swept] = []
    notes: dict[tuple[str, str], list[SweptTest]] = {}
    for test, values_of, refused_of in zip(tests, swept, refused, strict=True):
        left = dict(values_of)
        for name, reasons in refused_of.items():
            left[name] = [value for value in values_of[name] if value not in reasons]
            if reasons:
                notes.setdefault((f"{name}={','.join(reasons)}", next(iter(reasons.values()))), []).append(test)
        if all(left.values()):
            left_tests.append(test)
            left_values.append(left)
    for name in names:
        given = dict.fromkeys(value for values_of in swept for value in values_of.get(name, []))
        taken = {value for values_of in left_values for value in values_of.get(name, [])}
        if not taken.issuperset(given):  # a value that no test accepts is a mistake
            return unchanged
    for (values, reason), of_tests in notes.items():
        say(f"note: {values} is left out of {_names(of_tests)}: {reason}")
    return left_tests, left_values


def _refused(point: Point, name: str, values: Sequence[str], others: Collection[str]) -> dict[str, str]:
    """Returns the refused values with reasons. Assumes that numbers between two accepted ones are accepted."""
    if not all(value.isdecimal() for value in values):
        reasons = {value: refusal_of_value(point, name, value, others) for value in values}
        return {value: reason for value, reason in reasons.items() if reason}
    refused = {}
    ordered = sorted(values, key=int)
    while ordered and (reason := refusal_of_value(point, name, ordered[0], others)):
        refused[ordered.pop(0)] = reason
    while len(ordered) > 1 and (reason := refusal_of_value(point, name, ordered[-1], others)):
        refused[ordered.pop()] = reason
    return {value: refused[value] for value in values if value in refused}


def _names(tests: Sequence[SweptTest]) -> str:
    architectures: dict[str, list[str]] = {}
    for test in tests:
        architectures.setdefault(test.test, []).append(test.arch)
    named = [f"{name} ({', '.join(archs)})" for name, archs in architectures.items()]
    if len(named) > _MAX_TESTS_NAMED:
        named[_MAX_TESTS_NAMED:] = [f"{len(named) - _MAX_TESTS_NAMED} more"]
    return ", ".join(named)
