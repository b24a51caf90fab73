#!/usr/bin/env python3
"""Runs the points that the pages in plots/ show and that are not of the full tier.

On Tenstorrent's chips: the smaller points in which every core talks to every other, with cores that start together.
Then points of the grid sweeps with cores that start a few cycles one after another: contended results depend on such
differences, and the pages show how much.

On Epiphany-III: block copies with constants changed. What-ifs: other clocks, the DMA engine without its erratum, read
requests at a full rate, faster FPGA images, the other rule of order, and the board with 64 cores, each with copies of
2 KiB. Then each constant whose status is `fitted` or `measured` in device_model/archs/epiphany_iii.yaml, about a tenth
larger, with copies of 64, 512 and 2048 bytes: what changes with a constant rests on it. Last, with nothing changed,
what every core gets when all read external memory at once, by size: the full tier has that of 2048 bytes only.

The same runs can be made one by one:

    nocbench run "All to All Packet Sizes" -a start=together -a num_transactions=1,4,16 -a call_size=64B:2KiB:x2
    nocbench run "All*Grid Sweep*" -a start=skewed -a master_grid=4x4 -a num_transactions=16 -a call_size=8KiB \
        --set board.launch_skew_cycles=1,2,3,5,8,13
    nocbench run "External Memory*" "Core to Core*" --arch epiphany_iii -a call_size=2048 --set board.clock_hz=300000000

Example:
    .venv/bin/python scripts/studies/run_beside_full_tier.py --output build/results_beside.csv
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.pages.epiphany.runs import BY_CORE
from nocbench.pages.tables.launch_spread import LAUNCH_SKEW
from nocbench.points.constants import calibrated_constants
from nocbench.points.selection import select_points
from nocbench.points.swept_tests import SKEWED, START
from nocbench.published.published_cells import ARCHITECTURE
from nocbench.published.transfers import DMA, EXTERNAL, HOST_TESTS, SIZE_TESTS, SWEEP_BYTES
from nocbench.results.result_files import require_writable, write_results
from nocbench.running.engines import make_engine
from nocbench.running.execution import run_points
from nocbench.support.errors import NocbenchError
from nocbench.support.progress import ProgressReport

if TYPE_CHECKING:
    from nocbench.points.point import Point

OTHER_BOARDS = ["epiphany_iv_64"]
WHAT_IFS = [
    {"board.clock_hz": "300000000"},
    {"board.clock_hz": "1000000000"},
    {"dma.has_throttling_erratum": "0"},
    {"mesh.read_request_cycles": "1"},
    {"elink.single_write_periods": "1.125"},
    {
        "elink.single_write_periods": "1.125",
        "elink.dma_single_write_periods": "1.125",
        "elink.dma_burst_write_periods": "1.125",
        "elink.burst_write_periods": "1.125",
    },
    {"mesh.reads_follow_writes": "0"},
]
LAUNCH_SKEWS_CYCLES = "1,2,3,5,8,13"
SKEWED_POINTS = [
    {"master_grid": "4x4", "num_transactions": "1", "call_size": "2048,4096,8192,16384"},
    {"master_grid": "4x4", "num_transactions": "16", "call_size": "2048,8192"},
    {"master_grid": "all", "num_transactions": "1", "call_size": "2048,4096,8192,16384"},
    {"master_grid": "all", "num_transactions": "16", "call_size": "2048"},
]
LARGEST_BYTES = str(SWEEP_BYTES[-1])
SIZES_OF_STEPS = f"64,512,{LARGEST_BYTES}"


def points_beside() -> list[Point]:
    """Returns all points, in the order of runs."""
    return points_that_start_together() + points_that_start_skewed() + points_of_epiphany()


def points_that_start_together() -> list[Point]:
    """Returns the points in which every core talks to every other."""
    axes = {"start": "together", "num_transactions": "1,4,16", "call_size": "64:2048:x2"}
    return select_points(["All to All Packet Sizes", "All from All Packet Sizes"], axes=axes)


def points_that_start_skewed() -> list[Point]:
    """Returns the points of grid sweeps with small launch skews: calls of 2 KiB and more that run within seconds."""
    return [
        point
        for axes in SKEWED_POINTS
        for point in select_points(
            ["All to All Grid Sweep Packet Sizes 2.0", "All from All Grid Sweep Packet Sizes 2.0"],
            axes={START: SKEWED} | axes,
            settings=[(LAUNCH_SKEW, LAUNCH_SKEWS_CYCLES)],
        )
    ]


def points_of_epiphany() -> list[Point]:
    """Returns the points of Epiphany."""
    copies = list(SIZE_TESTS)
    points = []
    for board in OTHER_BOARDS:
        points += select_points(copies, architectures=[ARCHITECTURE], board=board, axes={"call_size": LARGEST_BYTES})
    for settings in WHAT_IFS:
        points += select_points(
            copies,
            architectures=[ARCHITECTURE],
            axes={"call_size": LARGEST_BYTES},
            settings=list(settings.items()),
        )
    for constant in calibrated_constants(ARCHITECTURE):
        points += select_points(
            [*copies, *HOST_TESTS],
            architectures=[ARCHITECTURE],
            axes={"call_size": SIZES_OF_STEPS},
            settings=[(constant.path, constant.step_up)],
        )
    of_full_tier = set(select_points([BY_CORE], architectures=[ARCHITECTURE]))
    by_core = select_points(
        [BY_CORE],
        architectures=[ARCHITECTURE],
        axes={
            "call_size": f"{SWEEP_BYTES[0]}:{SWEEP_BYTES[-1]}:+{SWEEP_BYTES.step}",
            "target": EXTERNAL,
            "direction": "read",
            "executor": f"core,{DMA}",
        },
    )
    return points + [point for point in by_core if point not in of_full_tier]


def main() -> int:
    """Runs all points. Returns 0, or 1 if a point crashed or wrong data arrived."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE", help="a results file")
    parser.add_argument("--jobs", type=int, metavar="N", help="worker processes; as many as there are processors")
    arguments = parser.parse_args()
    try:
        require_writable(arguments.output)
        points = points_beside()
        engine = make_engine(arguments.jobs, len(points))
        with ProgressReport(f"running {len(points)} points in {engine.description}", "points", len(points)) as progress:
            measurements = run_points(points, engine, on_progress=progress.update)
        write_results(measurements.rows, arguments.output)
    except NocbenchError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    for crash in measurements.crashes:
        sys.stderr.write(f"{crash.describe()}\n")
    num_wrong = sum(not row["data_ok"] for row in measurements.rows)
    if num_wrong:
        sys.stderr.write(f"wrong data arrived in {num_wrong} of {len(measurements.rows)} results\n")
    return 1 if measurements.crashes or num_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
