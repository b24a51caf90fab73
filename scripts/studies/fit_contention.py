#!/usr/bin/env python3
r"""Compares the model with published runs in which all cores of a grid move data at the same time.

Without options: cycles per call of each run of plots/reference/contended, model and silicon side by side; --test names
some of them. The constants of contention (router.link_flits_on_end_max, niu.injection_buffer_flits,
router.shared_flits_per_input_port of Blackhole, router.reservation_backoff_cycles and
router.reservation_backoff_doublings_max) were chosen with it: give several values with --set and compare the means.
Contended reads are chaotic: with --starts, means over runs in which cores start so many cycles one after another.

With --launch-skew: points of the published all to all, in which cores start one after another, near the sizes at which
they begin to hold each other up, for several values of board.launch_skew_cycles.

Examples:
    .venv/bin/python scripts/studies/fit_contention.py --arch blackhole \\
        --set router.shared_flits_per_input_port=48,56,64
    .venv/bin/python scripts/studies/fit_contention.py --arch wormhole_b0 --starts 0,1,2,3,5,8,13
    .venv/bin/python scripts/studies/fit_contention.py --arch wormhole_b0 --test "Multicast*" \\
        --set router.reservation_backoff_cycles=16,32,64,128
    .venv/bin/python scripts/studies/fit_contention.py --arch wormhole_b0 --launch-skew 4700,4750,4800
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from nocbench import _core

REFERENCE = Path(__file__).resolve().parents[2] / "plots" / "reference"
TOGETHER = REFERENCE / "contended" / "tenstorrent_silicon_start_together.csv"
MULTICASTS = REFERENCE / "contended" / "tenstorrent_silicon_row_multicasts.csv"
SKEWED = REFERENCE / "tenstorrent_silicon_2025_07.csv"
SKEWED_TEST = "All to All Packet Sizes"
# Boards of runs in which cores start together, and number of cores in the published skewed runs.
BOARDS: dict[str, tuple[str, dict[str, str]]] = {
    "wormhole_b0": ("n150", {"board.harvested_rows": "[4]"}),
    "blackhole": ("p150", {}),
}
SKEWED_CORES = {"wormhole_b0": 64, "blackhole": 110}
# Transactions and bytes per call: below the cliff, on it and above it, for small and large calls.
SKEWED_POINTS = {
    "wormhole_b0": ((16, 1024), (64, 256), (256, 64), (4, 4096), (1, 16384), (16, 2048), (1, 32768)),
    "blackhole": ((16, 512), (64, 128), (256, 64), (64, 256), (4, 4096), (1, 16384), (16, 1024), (1, 32768)),
}


@dataclass(frozen=True)
class Run:
    """A published run with its configuration."""

    test: str
    board: str
    parameters: dict[str, str]
    settings: tuple[tuple[str, str], ...]
    calls: int
    """Divisor of the latency."""
    published: tuple[float, float]
    """Lowest and highest published figure, which are equal unless a range was published."""

    @property
    def name(self) -> str:
        """Label of the run in its table."""
        which = self.parameters.get("grid", "linked" if self.parameters.get("linked") == "1" else "all")
        return (
            f"{self.test.removesuffix(' Packet Sizes')} {which}, {self.parameters['num_transactions']} x "
            f"{self.parameters['call_size']} B"
        )


def simulate(arch: str, run: Run) -> float:
    """Returns the latency of a run in the model, per call if published per call."""
    point = _core.run_point(run.test, arch, run.board, run.parameters, list(run.settings))
    latency: float = point["rows"][0]["latency_cycles"]
    return latency / run.calls


def runs_of_multicasts(arch: str, settings: dict[str, str]) -> list[Run]:
    """Returns the runs in which all cores of a row multicast to the row. In the model, cores also start together."""
    board, board_settings = BOARDS[arch]
    with MULTICASTS.open(newline="") as file:
        return [
            Run(
                row["test"],
                board,
                {
                    "num_transactions": row["num_transactions"],
                    "call_size": row["call_size_bytes"],
                    "linked": row["linked"],
                },
                tuple((board_settings | settings).items()),
                int(row["num_transactions"]),
                (float(row["lowest_cycles_per_call"]), float(row["highest_cycles_per_call"])),
            )
            for row in csv.DictReader(file)
            if row["arch"] == arch
        ]


def runs_together(arch: str, settings: dict[str, str], calls_max: int, skew_cycles: int) -> list[Run]:
    """Returns the runs in which cores start together, with at most `calls_max` calls per core.

    In the model, cores start one after another, `skew_cycles` apart.
    """
    board, board_settings = BOARDS[arch]
    runs = []
    with TOGETHER.open(newline="") as file:
        for row in csv.DictReader(file):
            columns, rows = (int(part) for part in row["grid"].split("x"))
            calls = columns * rows * int(row["num_transactions"])
            if row["arch"] != arch or calls > calls_max:
                continue
            parameters = {
                "grid": row["grid"],
                "num_transactions": row["num_transactions"],
                "call_size": row["call_size_bytes"],
                "start": "skewed" if skew_cycles else "together",
            }
            changed = tuple((board_settings | {"board.launch_skew_cycles": str(skew_cycles)} | settings).items())
            published = float(row["cycles_per_call"])
            runs.append(Run(row["test"], board, parameters, changed, calls, (published, published)))
    return runs


def runs_skewed(arch: str, settings: dict[str, str]) -> list[Run]:
    """Returns points of the published all-to-all test near the cliff."""
    published = {}
    with SKEWED.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["arch"] == arch and row["test"] == SKEWED_TEST:
                size = int(row["transaction_size_bytes"]) // SKEWED_CORES[arch]
                published[int(row["num_transactions"]), size] = float(row["latency_cycles"])
    return [
        Run(
            SKEWED_TEST,
            "",
            {"num_transactions": str(count), "call_size": str(size), "start": "skewed"},
            tuple(settings.items()),
            1,
            (published[count, size], published[count, size]),
        )
        for count, size in SKEWED_POINTS[arch]
    ]


def compare(arch: str, starts: list[list[Run]], jobs: int) -> None:
    """Prints model, averaged over `starts`, silicon, and error of each run."""
    runs = starts[0]
    everything = [run for start in starts for run in start]
    with ProcessPoolExecutor(jobs) as pool:
        latencies = list(pool.map(simulate, [arch] * len(everything), everything))
    found = [statistics.mean(latencies[number :: len(runs)]) for number in range(len(runs))]
    # For a published range, the nearer end counts.
    nearest = [min(max(model, run.published[0]), run.published[1]) for run, model in zip(runs, found, strict=True)]
    errors = [model / published - 1 for published, model in zip(nearest, found, strict=True)]
    for run, model, published, error in zip(runs, found, nearest, errors, strict=True):
        print(f"  {run.name:<40} {model:>12,.1f} {published:>12,.1f} {error:>+8.1%}")
    sizes = [abs(error) for error in errors]
    print(f"  median {statistics.median(sizes):.1%}, mean {statistics.mean(sizes):.1%}, largest {max(sizes):.1%}")


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", choices=sorted(BOARDS), required=True)
    parser.add_argument("--set", metavar="FIELD=VALUES", help="a field of the architecture and values to compare")
    parser.add_argument("--launch-skew", metavar="CYCLES", help="values of board.launch_skew_cycles to compare")
    parser.add_argument(
        "--starts", metavar="CYCLES", default="0", help="mean over cores that start so many cycles apart"
    )
    parser.add_argument("--test", default="*", metavar="GLOB", help="runs of tests with such names")
    parser.add_argument("--calls-max", type=int, default=2000, help="leave out runs of more calls per core (2000)")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.launch_skew is not None:
        for skew in arguments.launch_skew.split(","):
            print(f"{arguments.arch}, board.launch_skew_cycles={skew}: model, silicon, difference")
            compare(arguments.arch, [runs_skewed(arguments.arch, {"board.launch_skew_cycles": skew})], arguments.jobs)
        return 0
    field, _, values = (arguments.set or "").partition("=")
    for value in values.split(",") if field else [""]:
        changed = {field: value} if field else {}
        title = ", ".join(f"{key}={text}" for key, text in changed.items()) or "as it is"
        print(f"{arguments.arch}, {title}: model, silicon, difference")
        starts = [int(cycles) for cycles in arguments.starts.split(",")]
        runs = [
            [run for run in of_start if fnmatchcase(run.test, arguments.test)]
            for of_start in (
                runs_together(arguments.arch, changed, arguments.calls_max, skew)
                + runs_of_multicasts(arguments.arch, changed)
                for skew in starts
            )
        ]
        if not runs[0]:
            parser.error(f"--test: expected the name of a test of plots/reference/contended, found '{arguments.test}'")
        compare(arguments.arch, runs, arguments.jobs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
