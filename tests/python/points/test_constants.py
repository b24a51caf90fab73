"""Constants of architecture files that `--set` can change on a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.architectures.description import describe_architecture, floor_plan
from nocbench.points.constants import calibrated_constants, read_constants
from nocbench.points.selection import select_points
from nocbench.points.swept_tests import list_tests
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.parametrize(
    ("arch", "board"),
    [("wormhole_b0", ""), ("epiphany_iii", "epiphany_iv_64"), ("etherbone", ""), ("etherbone", "exploder_gige")],
)
def test_paths_are_settings(arch: str, board: str) -> None:
    constants = read_constants(arch, board)
    assert len(constants) > 20
    assert not any(constant.path.startswith("boards.") for constant in constants)
    describe_architecture(arch, board, tuple((constant.path, constant.value) for constant in constants))


@pytest.mark.parametrize(
    ("board", "parts"),
    [
        ("", {"hosts.scu3", "bridges.pcie", "fpgas.timing_receiver"}),
        ("t3500_usb", {"hosts.t3500", "bridges.usb", "fpgas.timing_receiver"}),
    ],
)
def test_parts_that_a_board_has(board: str, parts: set[str]) -> None:
    assert {constant.path.rpartition(".")[0] for constant in read_constants("etherbone", board)} == parts


def test_constants_of_a_part_that_were_fitted() -> None:
    fitted = {constant.path: constant for constant in calibrated_constants("etherbone", "t3500_usb")}
    assert "hosts.t3500.interrupt_interval_ns" in fitted
    assert fitted["hosts.t3500.interrupt_interval_ns"].unit == "nanoseconds"


def test_unknown_names() -> None:
    with pytest.raises(InputError, match="no architecture is called 'etherbon'; did you mean 'etherbone'"):
        read_constants("etherbon")
    with pytest.raises(InputError, match=r"board: expected one of a020_vme, .* found t3500_ubs"):
        read_constants("etherbone", "t3500_ubs")


def test_constant_of_a_part_that_the_board_does_not_have(run_program: CommandLine) -> None:
    completed = run_program(
        "run", "*", "--arch", "etherbone", "--board", "scu3_gige", "--set", "hosts.scu2.driver_ns=1"
    )
    assert completed.status == 2
    assert (
        "setting hosts.scu2.driver_ns=1: expected a field of hosts.scu3, the host of board scu3_gige, found "
        "hosts.scu2.driver_ns"
    ) in completed.err


def test_settings_are_checked_on_the_board_of_a_test() -> None:
    """The default board has another host."""
    test = next(test for test in list_tests("etherbone") if test.board == "scu2_pcie")
    points = select_points(
        [test.test], tier="quick", architectures=["etherbone"], settings=[("hosts.scu2.driver_ns", "1")]
    )
    assert {point.settings for point in points} == {(("hosts.scu2.driver_ns", "1"),)}


def test_floor_plan_is_a_row_of_the_slave_and_the_devices_on_its_bus() -> None:
    plan = floor_plan("etherbone", "scu3_gige")
    assert plan["rows"] == 1
    assert plan["columns"] == len(plan["tiles"])
    assert [tile["x"] for tile in plan["tiles"]] == list(range(plan["columns"]))
    assert plan["tiles"][0]["kind"] == "Etherbone slave"
    assert "ECA-Control" in {tile["kind"] for tile in plan["tiles"]}
    assert [network["name"] for network in plan["networks"]] == ["crossbar"]
    assert plan["flit_bytes"] == 4


def test_boards_say_what_they_are_composed_of() -> None:
    described = describe_architecture("etherbone")
    assert described.kind == "wishbone_bridge"
    assert described.clock_hz == 125_000_000
    board = described.boards["t3500_usb"]
    assert (board["host"], board["bridge"], board["fpga"]) == ("t3500", "usb", "timing_receiver")
