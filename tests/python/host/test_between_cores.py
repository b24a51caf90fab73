"""`nocbench host`: circular buffers and sockets between cores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

SUITE = Path(__file__).resolve().parents[2] / "host_suite"


@pytest.mark.parametrize("chip", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize(
    ("source", "checks", "tests", "num_tests"),
    [
        ("buffers_between_cores.cpp", "racecheck,memcheck,initcheck", "*", 3),
        # racecheck does not know that pack is behind unpack
        ("sockets_on_a_chip.cpp", "racecheck", "-*ComputeKernels", 2),
        ("sockets_on_a_chip.cpp", "memcheck,initcheck", "*ComputeKernels", 1),
    ],
)
def test_data_and_messages_are_right(
    run_program: CommandLine, source: str, checks: str, tests: str, num_tests: int, chip: str
) -> None:
    done = run_program("host", SUITE / source, "--arch", chip, "--check", checks, "--", f"--gtest_filter={tests}")
    assert done.status == 0, done.out + done.err
    assert f"[  PASSED  ] {num_tests} test" in done.out
