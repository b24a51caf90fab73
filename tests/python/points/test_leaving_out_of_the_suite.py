"""Omissions in primitives of the suite, determined by the real simulator without a run."""

from __future__ import annotations

import pytest

from nocbench.points import simulation
from nocbench.points.axes import parse_axes
from nocbench.points.point import Point
from nocbench.points.selection import select_points
from nocbench.points.simulation import check_point
from nocbench.points.swept_tests import list_tests
from nocbench.support.errors import InputError

SIZES = (("num_transactions", "1"), ("call_size", "64"))


@pytest.fixture(autouse=True)
def nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("something is compiled or run")

    monkeypatch.setattr(simulation, "run_point", refuse)
    monkeypatch.setattr("nocbench.compiling.suite_kernels.compile_suite_kernel", refuse)


@pytest.mark.parametrize(
    ("primitive", "choices", "kept", "left_out"),
    [
        ("one_to_one", ["call_size=64B:64KiB:x2"], "One Packet Write Sizes", "call_size=32768,65536"),
        ("one_from_one", ["noc=0,1", "call_size=64KiB"], "One from One Packet Sizes", "One Packet Read Sizes"),
        (
            "one_from_all",
            ["rectangle=(1,1-1,4),(1,1-4,1)"],
            "One from All Packet Sizes",
            "One from All Virtual Channels",
        ),
        (
            "all_from_all",
            ["grid=4x4", "start=together,skewed"],
            "All from All Packet Sizes",
            "All from All Directed Ideal",
        ),
        ("all_to_all", ["grid=4x4", "start=together,skewed"], "All to All Packet Sizes", "All to All Directed Ideal"),
    ],
)
def test_choices_that_make_sense_for_some(primitive: str, choices: list[str], kept: str, left_out: str) -> None:
    notes: list[str] = []
    points = select_points([primitive], axes=parse_axes(choices), say=notes.append)
    assert kept in {point.test for point in points}
    assert any(left_out in note for note in notes), notes
    for point in {(point.test, point.arch): point for point in points}.values():
        check_point(point)


@pytest.mark.parametrize("arch", ["wormhole_b0", "epiphany_iii", "openpiton", "etherbone"])
def test_points_of_all_kinds_are_checked_without_a_run(arch: str) -> None:
    tests = list_tests(arch)
    for test in {test.primitive: test for test in tests}.values():
        first = tuple((name, str(values[0])) for name, values in test.axes["quick"].items())
        check_point(Point(arch, test.board, test.test, first))
        with pytest.raises(InputError, match="call_size"):
            check_point(Point(arch, test.board, test.test, (*first[:-1], ("call_size", "1234567891"))))
