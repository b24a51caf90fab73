from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.points.point import Point
from nocbench.points.selection import select_points, select_tests
from nocbench.support.errors import InputError, NothingMatchedError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

pytestmark = pytest.mark.usefixtures("fake_simulator")

ONE_TO_ONE = "One to One Packet Sizes"
ALL_TESTS = [
    "DRAM Interleaved Packet Sizes",
    "One to One Packet Sizes",
    "One from One Packet Sizes",
    "Loopback Packet Sizes",
]


def names_of(points: Sequence[Point]) -> list[str]:
    return list(dict.fromkeys(point.test for point in points))


def test_everything() -> None:
    points = select_points([])
    assert list(dict.fromkeys(point.arch for point in points)) == ["blackhole", "wormhole_b0"]
    assert names_of(points) == ALL_TESTS
    assert len(points) == 2 * 4 * 12


def test_the_quick_tier() -> None:
    assert len(select_points([], tier="quick")) == 2 * 4 * 2


@pytest.mark.parametrize(
    ("pattern", "tests"),
    [
        (ONE_TO_ONE, [ONE_TO_ONE]),
        ("one to one packet sizes", [ONE_TO_ONE]),
        ("4", [ONE_TO_ONE]),
        ("one_to_one", [ONE_TO_ONE]),
        ("One * One*", ["One to One Packet Sizes", "One from One Packet Sizes"]),
        ("one_*", ["One to One Packet Sizes", "One from One Packet Sizes"]),
        ("*", ALL_TESTS),
    ],
)
def test_patterns(pattern: str, tests: list[str]) -> None:
    assert names_of(select_points([pattern])) == tests


def test_several_patterns_keep_the_order_of_the_tests() -> None:
    assert names_of(select_points(["loopback", "4", "One to*"])) == ["One to One Packet Sizes", "Loopback Packet Sizes"]


def test_points_are_in_the_order_of_the_published_tables() -> None:
    points = select_points(["4"], architectures=["wormhole_b0"], axes={"call_size": "64,32"})
    assert [dict(point.parameters) for point in points][:3] == [
        {"num_transactions": "1", "call_size": "64"},
        {"num_transactions": "1", "call_size": "32"},
        {"num_transactions": "4", "call_size": "64"},
    ]


def test_parameters_vary_slowest() -> None:
    points = select_points(
        ["4"],
        architectures=["blackhole"],
        axes={"num_transactions": "1,4", "call_size": "64", "destination": "(1,1),(2,2)"},
    )
    assert [point.parameters[0][1] for point in points] == ["1,1", "1,1", "2,2", "2,2"]
    assert [point.relative_cost for point in points] == [64, 256, 64, 256]


def test_a_board_says_which_architecture_is_meant() -> None:
    points = select_points(["4"], board="p150")
    assert {(point.arch, point.board) for point in points} == {("blackhole", "p150")}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"patterns": ["One to Oen Packet Size"]},
            (
                "no test is called 'One to Oen Packet Size'; did you mean 'One to One Packet Sizes' or "
                "'One from One Packet Sizes' or 'Loopback Packet Sizes'?"
            ),
        ),
        ({"patterns": ["lopback"]}, "no test is called 'lopback'; did you mean 'loopback'?"),
        ({"patterns": ["zzz"]}, "no test is called 'zzz'; 'nocbench list' names them all"),
        (
            {"patterns": ["7"]},
            (
                "no test has the id 7; the nearest are 4, 'One to One Packet Sizes' or 5, 'One from One Packet Sizes'; "
                "'nocbench list' names them all"
            ),
        ),
        (
            {"patterns": ["DRAM Inter Leaved"]},
            "no test is called 'DRAM Inter Leaved'; did you mean 'DRAM Interleaved Packet Sizes'?",
        ),
        (
            {"patterns": ["4"], "axes": {"call_size": "1TiB"}},
            "'1TiB': unknown unit 'TiB'; the units are B, KiB (1024 B), MiB and GiB",
        ),
        (
            {"patterns": ["4"], "axes": {"num_transactions": "1:2000:+1", "call_size": "1:2000:+1"}},
            "expected at most 1,000,000 points in a run, found 8,000,000: choose fewer values",
        ),
        (
            {"patterns": ["4"], "settings": [("a.x", "1:100000:+1"), ("a.y", "1:100000:+1")]},
            "--set: expected at most 1,000,000 combinations of values, found 10,000,000,000",
        ),
        (
            {"patterns": [], "architectures": ["wormhole"]},
            "no architecture is called 'wormhole'; did you mean 'wormhole_b0'?",
        ),
        (
            {"patterns": [], "architectures": ["x86"]},
            "no architecture is called 'x86'; there are: blackhole, wormhole_b0",
        ),
        ({"patterns": [], "board": "n15"}, "no board is called 'n15'; did you mean 'n150'?"),
        ({"patterns": [], "board": "zzz"}, "no board is called 'zzz'; there are: p100, p150, n150, n300"),
        (
            {"patterns": [], "board": "n150", "architectures": ["blackhole"]},
            "no board of blackhole is called 'n150'; did you mean 'p150'?",
        ),
        (
            {"patterns": ["4"], "axes": {"cal_size": "64"}},
            "'One to One Packet Sizes' on blackhole has no parameter 'cal_size'; did you mean 'call_size'?",
        ),
        (
            {"patterns": ["4"], "axes": {"zzz": "64"}},
            (
                "'One to One Packet Sizes' on blackhole has no parameter 'zzz'; there are: num_transactions, "
                "call_size, destination, fault"
            ),
        ),
        ({"patterns": ["4"], "axes": {"call_size": "x"}}, "call_size=x: not a whole number above 0"),
        ({"patterns": ["4"], "axes": {"num_transactions": "0"}}, "num_transactions=0: not a whole number above 0"),
        ({"patterns": [], "tier": "all"}, "no tier is called 'all'; there are: full, quick"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        select_points(**arguments)  # type: ignore[arg-type]
    assert str(error.value) == message


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        select_points(
            [],
            axes={
                "cal_size": "64",
                "zzz": "1",
                "num_transactions": "0,x,1:2",
                "call_size": "4K,,64",
                "fault": "none,noone,nothing",
                "destination": "middle",
            },
            settings=[("router.hop_cycles", "9:8:+1"), ("router.hop_cycles", "8"), ("router.flit_bytes", "1:2")],
        )
    range_help = "a range is first:last:xFACTOR or first:last:+STEP, for example 64B:64KiB:x2"
    test = "'DRAM Interleaved Packet Sizes' on blackhole"
    faults = "expected one of none, abort, impossible, kill, raise, refuse, slow, talk, unsteady, wrong_data"
    assert str(error.value).splitlines() == [
        "router.hop_cycles=9:8:+1: the range begins above its end",
        f"router.flit_bytes=1:2: {range_help}",
        f"{test} has no parameter 'cal_size'; did you mean 'call_size'?",
        f"{test} has no parameter 'zzz'; there are: num_transactions, call_size, destination, fault",
        f"num_transactions=1:2: {range_help}",
        "'4K': unknown unit 'K'; the units are B, KiB (1024 B), MiB and GiB",
        "call_size=4K,,64: an empty value between commas",
        "parameter destination: expected a core x,y, found 'middle'",
        f"parameter fault: {faults}, found 'noone'",
        f"parameter fault: {faults}, found 'nothing'",
    ]


def test_no_more_than_some_mistakes_are_told() -> None:
    with pytest.raises(InputError) as error:
        select_points(["4"], axes={f"z{number}": "1" for number in range(30)})
    lines = str(error.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "... and 10 more mistakes"


def test_a_pattern_that_nothing_matches() -> None:
    with pytest.raises(NothingMatchedError) as error:
        select_points(["*Loobpack*"])
    assert str(error.value) == "no test matches '*Loobpack*'; did you mean 'loopback'?"


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("One to Onee*", "One to One Packet Sizes"), ("DRAM Interleafed*", "DRAM Interleaved Packet Sizes")],
)
def test_a_glob_with_a_slip_suggests_what_was_meant(pattern: str, name: str) -> None:
    with pytest.raises(NothingMatchedError, match=f"did you mean .*'{name}'"):
        select_points([pattern])


def test_tests_are_selected_like_points() -> None:
    assert [test.test for test in select_tests(["one_*"], architectures=["blackhole"])] == [
        "One to One Packet Sizes",
        "One from One Packet Sizes",
    ]
    assert len(select_tests([])) == 8


@pytest.fixture
def epiphany(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the fake simulator an architecture of another kind, without tests."""
    monkeypatch.setitem(fake_simulator.FLIT_BYTES, "epiphany_iii", 8)
    monkeypatch.setitem(fake_simulator.BOARDS, "epiphany_iii", ["parallella"])


OF_ANOTHER_KIND = (
    "'One to One Packet Sizes' is for architectures of kind tensix_torus (blackhole, wormhole_b0), not for "
    "epiphany_iii, of kind epiphany_mesh"
)


@pytest.mark.usefixtures("epiphany")
def test_tests_run_on_the_architectures_of_their_kind() -> None:
    points = select_points([])
    assert list(dict.fromkeys(point.arch for point in points)) == ["blackhole", "wormhole_b0"]
    assert select_points(["4"]) == select_points(["4"], architectures=["blackhole", "wormhole_b0"])


@pytest.mark.usefixtures("epiphany")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"patterns": [ONE_TO_ONE], "architectures": ["epiphany_iii"]}, OF_ANOTHER_KIND),
        ({"patterns": ["4"], "architectures": ["epiphany_iii"]}, OF_ANOTHER_KIND),
        ({"patterns": ["one_to_one"], "architectures": ["epiphany_iii"]}, OF_ANOTHER_KIND),
        ({"patterns": ["4"], "board": "parallella"}, OF_ANOTHER_KIND),
        ({"patterns": ["*Loop*", "4"], "architectures": ["wormhole_b0", "epiphany_iii"]}, OF_ANOTHER_KIND),
        ({"patterns": [], "exclude": ["4"], "architectures": ["epiphany_iii"]}, OF_ANOTHER_KIND),
    ],
)
def test_a_test_for_another_kind(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        select_points(**arguments)  # type: ignore[arg-type]
    assert str(error.value) == message


@pytest.mark.usefixtures("epiphany")
def test_tests_for_another_kind_are_named_as_they_were_asked_for(
    fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(fake_simulator.TESTS, "One to One Again", (104, "one_to_one", ["Sender"]))
    with pytest.raises(InputError, match="'one_to_one' is for architectures of kind tensix_torus "):
        select_points(["one_to_one"], architectures=["epiphany_iii"])


@pytest.mark.usefixtures("epiphany")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"patterns": [], "architectures": ["epiphany_iii"]},
            "there are no tests for epiphany_iii, of kind epiphany_mesh",
        ),
        (
            {"patterns": [], "architectures": ["wormhole_b0", "epiphany_iii"]},
            "there are no tests for epiphany_iii, of kind epiphany_mesh",
        ),
        ({"patterns": [], "board": "parallella"}, "there are no tests for epiphany_iii, of kind epiphany_mesh"),
        (
            {"patterns": ["Loop*"], "architectures": ["epiphany_iii"]},
            "no test matches 'Loop*'; 'nocbench list' names them all",
        ),
        (
            {"patterns": ["4"], "exclude": ["one_*"], "architectures": ["blackhole"]},
            "nothing is left to run on blackhole: all tests that match are excluded",
        ),
        (
            {"patterns": [], "exclude": ["*"]},
            "nothing is left to run on blackhole: all tests that match are excluded",
        ),
    ],
)
def test_nothing_to_run(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(NothingMatchedError) as error:
        select_points(**arguments)  # type: ignore[arg-type]
    assert str(error.value) == message


@pytest.mark.usefixtures("epiphany")
def test_a_glob_that_nothing_on_one_of_several_architectures_matches(
    fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_tests = fake_simulator.list_tests

    def of_two_kinds(arch: str) -> list[dict[str, object]]:
        if arch != "epiphany_iii":
            return list(list_tests(arch))
        return [{**list_tests("blackhole")[0], "test_id": 900, "test": "Mesh", "primitive": "m", "kind": "mesh"}]

    monkeypatch.setattr(fake_simulator, "list_tests", of_two_kinds)
    with pytest.raises(NothingMatchedError) as error:
        select_points(["Loop*", "DRAM*"], architectures=["epiphany_iii", "blackhole"])
    assert str(error.value) == "no test for epiphany_iii matches 'Loop*' or 'DRAM*'"
    assert names_of(select_points(["Mesh", "Loop*"], architectures=["epiphany_iii", "blackhole"])) == [
        "Mesh",
        "Loopback Packet Sizes",
    ]


def test_a_point_says_how_to_run_it_alone() -> None:
    point = Point(
        "wormhole_b0",
        "n150",
        ONE_TO_ONE,
        (("destination", "1,1"), ("call_size", "64")),
        (("router.hop_cycles", "9"),),
    )
    assert point.describe() == (
        "One to One Packet Sizes on wormhole_b0 (n150), destination=1,1, call_size=64, router.hop_cycles=9"
    )
    assert point.command() == (
        "nocbench run 'One to One Packet Sizes' --arch wormhole_b0 --board n150 -a destination=1,1 "
        "-a call_size=64 --set router.hop_cycles=9"
    )
