"""`nocbench host`: circular buffers and sockets between cores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

SUITE = Path(__file__).resolve().parents[2] / "host_suite"


@pytest.mark.parametrize("chip", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize(("source", "num_tests"), [("buffers_between_cores.cpp", 3), ("sockets_on_a_chip.cpp", 3)])
def test_data_and_messages_are_right_and_free_of_races(
    run_program: CommandLine, source: str, num_tests: int, chip: str
) -> None:
    done = run_program("host", SUITE / source, "--arch", chip, "--check", "racecheck,memcheck,initcheck")
    assert done.status == 0, done.out + done.err
    assert f"[  PASSED  ] {num_tests} test" in done.out
