from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return study_script("fit_own_banks")


def test_readers_are_dealt_to_cores_and_banks_in_turn(script: ModuleType) -> None:
    run = next(run for run in script.read_runs() if run.cores == 16 and run.columns == 8)
    lines = run.flows().splitlines()
    assert len(lines) == 1 + 16
    assert lines[1] == "r0,read,0 0,dram 0,4096,256,0"
    assert lines[14] == "r13,read,5 1,dram 1,4096,256,0"


def test_the_model_is_close_to_silicon(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.compare(script.read_runs(), ())
    assert capsys.readouterr().out.count(" readers ") == 5


def test_a_deep_queue_lets_readers_pass_each_other(script: ModuleType) -> None:
    run = next(run for run in script.read_runs() if run.cores == 8 and run.columns == 8)
    deep = script.slowest_cycles(run, (("dram.read_requests_per_virtual_channel_max", "512"),))
    assert deep < 0.6 * run.slowest_cycles
