"""A primitive or glob omits choices that do not suit all of its tests; a named test keeps them."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.points import refusals, swept_tests
from nocbench.points.selection import select_points
from nocbench.points.simulation import check_point
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType

    from nocbench.points.point import Point
    from nocbench.points.simulation import Configuration
    from nocbench.points.swept_tests import SweptTest

TO, FROM, LOOPBACK = "One to One Packet Sizes", "One from One Packet Sizes", "Loopback Packet Sizes"
LARGEST_LOOPBACK = 128


@pytest.fixture(autouse=True)
def different_tests(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Provides reads without a destination, and limits loopbacks to 128 bytes."""
    del fake_simulator
    list_tests = swept_tests.list_tests

    def without_destination(arch: str) -> list[SweptTest]:
        return [
            dataclasses.replace(test, parameters=tuple(p for p in test.parameters if p.name != "destination"))
            if test.test == FROM
            else test
            for test in list_tests(arch)
        ]

    def with_a_limit(point: Configuration) -> None:
        size = int(dict(point.parameters)["call_size"])
        if point.test == LOOPBACK and size > LARGEST_LOOPBACK:
            raise InputError(f"parameter call_size: expected at most {LARGEST_LOOPBACK} bytes, found {size} bytes")
        check_point(point)

    monkeypatch.setattr(swept_tests, "list_tests", without_destination)
    monkeypatch.setattr(refusals, "check_point", with_a_limit)


def selected(*patterns: str, **axes: str) -> tuple[list[Point], list[str]]:
    """Returns points on one architecture, and the notes printed for them."""
    notes: list[str] = []
    return select_points(patterns, architectures=["blackhole"], axes=axes, say=notes.append), notes


def names_of(points: list[Point]) -> list[str]:
    return list(dict.fromkeys(point.test for point in points))


@pytest.mark.parametrize("pattern", ["One*", "one_*"])
def test_tests_without_the_parameter(pattern: str) -> None:
    points, notes = selected(pattern, destination="1,1")
    assert names_of(points) == [TO]
    assert notes == [f"note: left out, since they have no parameter 'destination': {FROM} (blackhole)"]


def test_all_tests() -> None:
    points, notes = selected(destination="1,1")
    assert names_of(points) == ["DRAM Interleaved Packet Sizes", TO, LOOPBACK]
    assert len(notes) == 1


@pytest.mark.parametrize("pattern", [FROM, "5", FROM.upper()])
def test_a_named_test_without_the_parameter_is_an_error(pattern: str) -> None:
    for patterns in ([pattern], [pattern, "one_*"]):
        with pytest.raises(InputError, match=f"'{FROM}' on blackhole has no parameter 'destination'"):
            selected(*patterns, destination="1,1")


def test_a_parameter_that_no_test_has_is_an_error() -> None:
    for pattern in ("one_from_one", "one_*"):
        with pytest.raises(InputError, match="has no parameter 'destinatoin'"):
            selected(pattern, destinatoin="1,1")
    with pytest.raises(InputError, match="has no parameter 'destination'"):
        selected("one_from_one", destination="1,1")


def test_parameters_that_no_test_has_together_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    list_tests = swept_tests.list_tests

    def without_fault(arch: str) -> list[SweptTest]:
        return [
            dataclasses.replace(test, parameters=tuple(p for p in test.parameters if p.name != "fault"))
            if test.test == TO
            else test
            for test in list_tests(arch)
        ]

    monkeypatch.setattr(swept_tests, "list_tests", without_fault)
    with pytest.raises(InputError) as error:
        selected("one_*", destination="1,1", fault="none")
    assert [line.partition("; ")[0] for line in str(error.value).splitlines()] == [
        f"'{TO}' on blackhole has no parameter 'fault'",
        f"'{FROM}' on blackhole has no parameter 'destination'",
    ]


def test_values_that_a_test_refuses() -> None:
    points, notes = selected("*o*", call_size="64B:512B:x2", num_transactions="16")
    sizes = {test: [dict(p.parameters)["call_size"] for p in points if p.test == test] for test in names_of(points)}
    assert sizes[TO] == ["64", "128", "256", "512"]
    assert sizes[LOOPBACK] == ["64", "128"]
    assert notes == [
        f"note: call_size=256,512 is left out of {LOOPBACK} (blackhole): expected at most 128 bytes, found 256 bytes"
    ]


def test_a_test_that_refuses_all_values() -> None:
    points, notes = selected("*o*", call_size="512", num_transactions="16")
    assert names_of(points) == [TO, FROM]
    assert len(notes) == 1


def test_a_value_that_no_test_takes_is_left_to_the_run() -> None:
    for pattern in (LOOPBACK, "loopback"):
        points, notes = selected(pattern, call_size="64,512")
        assert {dict(point.parameters)["call_size"] for point in points} == {"64", "512"}
        assert notes == []


def test_a_named_test_keeps_its_values() -> None:
    points, notes = selected(LOOPBACK, "one_*", call_size="64,512")
    assert names_of(points) == [TO, FROM, LOOPBACK]
    assert len(points) == 3 * 3 * 2
    assert notes == []


def test_python_is_warned() -> None:
    with pytest.warns(nocbench.LeftOutWarning, match="have no parameter 'destination'"):
        frame = nocbench.run("one_*", arch="blackhole", destination=(1, 1), num_transactions=1, call_size=64, jobs=0)
    assert set(frame["test"]) == {TO}


def test_the_command_says_it(capsys: pytest.CaptureFixture[str]) -> None:
    from nocbench.command_line import main

    with pytest.raises(SystemExit) as status:
        main(["run", "one_*", "--arch", "blackhole", "-a", "destination=1,1", "--tier", "quick", "-j", "0"])
    captured = capsys.readouterr()
    assert status.value.code == 0
    assert "note: left out, since they have no parameter 'destination'" in captured.err
    assert FROM not in captured.out


@pytest.mark.parametrize("pattern", ["Zz*", "Zz"])
def test_a_name_that_resembles_none(pattern: str) -> None:
    from nocbench.support.errors import NocbenchError

    with pytest.raises(NocbenchError, match=r"; 'nocbench list' names them all$"):
        selected(pattern)
