#!/usr/bin/env python3
"""Measures what the check for races costs: run time and peak memory of programs with and without it, in turns.

Each run is a process of its own, whose kernels have been compiled before. Time is that of the processor, memory
the growth of the process from before it.

Exit status: 0; 1 a median ratio is above --most-time or --most-memory.

Example:
    .venv/bin/python scripts/studies/race_check_cost.py --pairs 7
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench import Program
from nocbench.points.point import Point
from nocbench.points.simulation import findings_of_point
from nocbench.programs.execution import Machine, Watch, run_program
from nocbench.programs.program_file import read_program

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

ARCH = "wormhole_b0"
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
# Adds up the words of a buffer, again and again, and keeps the sum of each round in the buffer itself.
SUMS = """
#include "dataflow_api.h"
void kernel_main() {
    volatile uint32_t* const words = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    for (uint32_t round = 0; round < 64; ++round) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 16384; ++i) {
            sum += words[i];
        }
        words[round] = sum;
    }
}
"""


def all_to_all(checks: Collection[str]) -> None:
    """64 cores write 2 KiB to each other."""
    axes = {"grid": "8x8", "num_transactions": "16", "call_size": "2048"}
    findings_of_point(Point(ARCH, "", "All to All Packet Sizes", tuple(axes.items())), checks)


def pipeline(checks: Collection[str]) -> None:
    """Pages go through a circular buffer."""
    machine = Machine(ARCH)
    program = read_program(EXAMPLES / "copy_pipeline" / "copy.yaml", machine, {"pages": "16384", "page_bytes": "64"})
    run_program(program, machine, watch=Watch(checks))


def loads(checks: Collection[str]) -> None:
    """A kernel loads a million words of L1."""
    program = Program(ARCH)
    program.region("words", 65536, initial=bytes(65536))
    program.kernel(source=SUMS, riscv=0, cores=[(0, 0)], runtime_args=["address words"])
    run_program(program.description(), Machine(ARCH), watch=Watch(checks))


def cost(run: Callable[[Collection[str]], None], checks: Collection[str]) -> tuple[float, float]:
    """Returns seconds and bytes of a run."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    run(checks)
    return time.process_time() - begin, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024.0


def main() -> int:
    """Runs the benchmark. Returns its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--most-time", type=float, default=3.0)
    parser.add_argument("--most-memory", type=float, default=4.0)
    options = parser.parse_args()
    print("| program | without | with | ratio of times, range | MB without | MB with | ratio |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    is_fine = True
    for run in (all_to_all, pipeline, loads):
        with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
            pool.apply(cost, (run, ()))  # fills the cache of compiled kernels
            pairs = [[pool.apply(cost, (run, checks)) for checks in ((), ("racecheck",))] for _ in range(options.pairs)]
        seconds, bytes_ = ([[pair[way][what] for pair in pairs] for way in (0, 1)] for what in (0, 1))
        ratios = [after / before for before, after in zip(*seconds, strict=True)]
        plain, checked = (statistics.median(some) for some in seconds)
        memory, checked_memory = (statistics.median(some) / 1e6 for some in bytes_)
        ratio = checked_memory / memory
        is_fine &= statistics.median(ratios) <= options.most_time and ratio <= options.most_memory
        times = (
            f"{plain:.2f} s | {checked:.2f} s | {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}"
        )
        print(f"| {run.__name__} | {times} | {memory:.0f} | {checked_memory:.0f} | {ratio:.2f} |", flush=True)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
