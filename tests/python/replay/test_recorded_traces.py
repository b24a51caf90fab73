"""Replays of traces recorded from the suite take as long as the recorded points."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nocbench.points.point import Point
from nocbench.replaying.conversion import Pace
from nocbench.replaying.execution import Replay, machine_of, replay
from nocbench.replaying.recording import write_recorded
from nocbench.replaying.trace_file import read_traces

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

POINTS = [
    ("One to One Packet Sizes", {"num_transactions": "16", "call_size": "2048"}),
    ("One to One Packet Sizes", {"num_transactions": "64", "call_size": "64", "vc": "2"}),
    ("One from One Packet Sizes", {"num_transactions": "16", "call_size": "16384"}),
    ("One to All Multicast 2x2 Packet Sizes without Loopback", {"num_transactions": "16", "call_size": "4096"}),
    ("All from All Packet Sizes", {"num_transactions": "4", "call_size": "512", "grid": "4x4"}),
    ("All to All Packet Sizes", {"num_transactions": "4", "call_size": "2048", "grid": "4x4"}),
    ("DRAM Interleaved Packet Sizes", {"num_transactions": "16", "call_size": "2048"}),
]
STATEFUL = [
    ("One to One Packet Sizes", {"num_transactions": "16", "call_size": "2048", "stateful": "1"}),
    ("One from One Packet Sizes", {"num_transactions": "16", "call_size": "2048", "stateful": "1"}),
]


def replayed(tmp_path: Path, arch: str, test: str, parameters: dict[str, str], pace: Pace) -> Replay:
    path = tmp_path / "trace.json"
    assert write_recorded(Point(arch, "", test, tuple(parameters.items())), path) > 0
    [trace] = read_traces(path)
    return replay(trace, machine_of(trace, arch, "", ()), pace)


@pytest.mark.parametrize("pace", list(Pace))
@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize(("test", "parameters"), [*POINTS, *STATEFUL])
def test_they_come_back(tmp_path: Path, arch: str, test: str, parameters: dict[str, str], pace: Pace) -> None:
    result = replayed(tmp_path, arch, test, parameters, pace)
    assert result.run.fault == ""
    assert abs(result.difference) < 0.01
    recorded, predicted = result.barrier_cycles()
    assert recorded > 0
    assert predicted == pytest.approx(recorded, rel=0.1, abs=100)


def test_the_command_records_and_replays(run_program: CommandLine, tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    point = ("One to One Packet Sizes", "-a", "num_transactions=16", "-a", "call_size=64,2KiB")
    done = run_program("run", *point, "--arch", "blackhole", "-j", "0", "--record", str(traces))
    assert done.status == 0
    files = sorted(traces.rglob("*.json"))
    assert len(files) == 2
    done = run_program("replay", str(files[0]), "--arch", "blackhole")
    assert done.status == 0
    assert "on blackhole (p100), at recorded times: 20 events of 1 core" in done.out
    assert "cycles in barriers, of all processors" in done.out
    done = run_program("replay", str(files[0].parent), "--arch", "blackhole", "-o", str(tmp_path / "rows.csv"))
    assert done.status == 0
    assert "2 traces: differences without sign: median 0.0%" in done.out
    assert (tmp_path / "rows.csv").exists()
    done = run_program("replay", str(files[0]), "--arch", "blackhole", "--pace", "dependencies", "--json")
    [document] = json.loads(done.out)
    assert document["pace"] == "dependencies"
    assert len(document["events"]) == 20


def test_heat_map_trace_and_explanation(run_program: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    write_recorded(Point("wormhole_b0", "", *POINTS[0][:1], tuple(POINTS[0][1].items())), path)
    assert run_program("heatmap", str(path), "-o", str(tmp_path / "map.svg")).status == 0
    assert run_program("trace", str(path), "-o", str(tmp_path / "time.json")).status == 0
    assert "what the end of trace on wormhole_b0" in run_program("explain", str(path)).out


def test_tests_without_tensix_kernels_are_refused(run_program: CommandLine, tmp_path: Path) -> None:
    point = ("Uniform Random*", "-a", "num_transactions=10", "-a", "call_size=64")
    done = run_program("run", "Synthetic*", *point[1:], "--arch", "wormhole_b0", "-j", "0", "--record", str(tmp_path))
    assert done.status in (2, 3)
    assert not list(tmp_path.rglob("*.json"))


def test_one_test_that_is_not_recorded_leaves_nothing_behind(run_program: CommandLine, tmp_path: Path) -> None:
    """The command is refused before anything runs, even if other tests could be recorded."""
    tests = ("Loopback Packet Sizes", "Atomic Semaphore Adjacent*", "Inline Direct Write A*")
    files = ("-o", str(tmp_path / "rows.csv"), "--record", str(tmp_path / "traces"))
    done = run_program("run", *tests, "--arch", "wormhole_b0", "-j", "0", "--tier", "quick", *files)
    assert done.status == 2
    complaints = [line.removeprefix("error: ") for line in done.err.splitlines()]
    assert sorted(complaints) == [
        f"{test} on wormhole_b0: expected kernels that are functions, whose calls are recorded, found none"
        for test in ("Atomic Semaphore Adjacent Bandwidth Sweep", "Inline Direct Write Address Pattern")
    ]
    assert not list(tmp_path.iterdir())
