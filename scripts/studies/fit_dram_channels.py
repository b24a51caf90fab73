#!/usr/bin/env python3
r"""Compares the model with a published table: many cores that share the twelve DRAM channels of Wormhole.

Prints each bandwidth of plots/reference/contended/wormhole_dram_channels.csv, model and silicon side by side: of the
best placement that is found, and the mean of random placements with seeds from 1 on. Then the pairs of published
bandwidths that differ by more than 10 % and that the model has the wrong way round. The constants
dram.write_change_cycles, niu.concurrent_responses and router.shared_flits_per_input_port were chosen with it. Cores
have at most WINDOW_PACKETS packets in flight: with a whole transfer of read requests at once, the requests block each
other in the routers, and random placements get half of the published bandwidths.

Exit status: 0 if careful placements are within 10 %, the others within 40 % and no such pair is the wrong way round;
otherwise 1.

Examples:
    .venv/bin/python scripts/studies/fit_dram_channels.py
    .venv/bin/python scripts/studies/fit_dram_channels.py --seeds 4 --only "write dynamic" \\
        --set dram.write_change_cycles=0,250
"""

from __future__ import annotations

import argparse
import csv
import itertools
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from nocbench import _core

PUBLISHED = Path(__file__).resolve().parents[2] / "plots" / "reference" / "contended" / "wormhole_dram_channels.csv"
ARCHITECTURE = "wormhole_b0"
TRANSFER_BYTES = 1 << 20
WINDOW_PACKETS = 8
CAREFUL_TOLERANCE = 0.1
OTHER_TOLERANCE = 0.4
CLEAR_DIFFERENCE = 0.1
"""Relative difference of published bandwidths from which the model must have the same order."""


@dataclass(frozen=True)
class Cell:
    """A published bandwidth, or range of bandwidths."""

    operation: str
    virtual_channels: str
    placement: str
    noc: int
    cores: int
    lowest: float
    highest: float

    @property
    def name(self) -> str:
        """Label of the bandwidth in the table."""
        return f"{self.operation} {self.virtual_channels} {self.placement}, NoC {self.noc}, {self.cores} cores"

    @property
    def tolerance(self) -> float:
        """Tolerated relative error of the model."""
        return CAREFUL_TOLERANCE if self.placement == "careful" else OTHER_TOLERANCE

    def error(self, model: float) -> float:
        """Returns the model's relative error, against the nearer end of a range."""
        nearest = min(max(model, self.lowest), self.highest)
        return model / nearest - 1

    def parameters(self, seed: int) -> dict[str, str]:
        """Returns the parameters of the corresponding point of the model."""
        return {
            "num_transactions": "1",
            "call_size": str(TRANSFER_BYTES),
            "noc": str(self.noc),
            "cores": str(self.cores),
            "bank": "0" if self.placement == "one channel" else "all",
            "placement": "careful" if self.placement == "careful" else "random",
            "seed": str(seed),
            "window": str(WINDOW_PACKETS),
            "dynamic": "1" if self.virtual_channels == "dynamic" else "0",
        }


def read_cells(file: Path = PUBLISHED) -> list[Cell]:
    """Returns the published table."""
    with file.open(newline="") as lines:
        return [
            Cell(
                row["operation"],
                row["virtual_channels"],
                row["placement"],
                int(row["noc"]),
                int(row["cores"]),
                float(row["lowest_gigabytes_per_second"]),
                float(row["highest_gigabytes_per_second"]),
            )
            for row in csv.DictReader(lines)
        ]


def simulate(cell: Cell, seed: int, settings: tuple[tuple[str, str], ...]) -> float:
    """Returns the total bandwidth of all cores in the model, in GB/s.

    Raises:
        RuntimeError: wrong data arrived.
    """
    test = f"DRAM Shared Channels {cell.operation.capitalize()}"
    point = _core.run_point(test, ARCHITECTURE, "", cell.parameters(seed), list(settings))
    if not point["rows"][0]["data_ok"]:
        raise RuntimeError(f"{cell.name}, seed {seed}: wrong data")
    bandwidth: float = point["statistics"]["gigabytes_per_second"]
    return bandwidth


def wrong_orderings(model: dict[Cell, float]) -> list[tuple[Cell, Cell]]:
    """Returns pairs of clearly different published bandwidths, lower first, that the model orders differently."""
    return [
        (lower, higher)
        for lower, higher in itertools.permutations(model, 2)
        if higher.lowest > lower.highest * (1 + CLEAR_DIFFERENCE) and model[higher] <= model[lower]
    ]


def compare(cells: list[Cell], num_seeds: int, settings: tuple[tuple[str, str], ...], jobs: int) -> bool:
    """Prints model and silicon of each cell. Returns True if the model is close enough."""
    model: dict[Cell, float] = {}
    is_close = True
    with ProcessPoolExecutor(jobs) as pool:
        runs = {
            cell: [
                pool.submit(simulate, cell, seed, settings)
                for seed in range(1, (num_seeds if cell.placement == "random" else 1) + 1)
            ]
            for cell in cells
        }
        for cell, futures in runs.items():
            found = [future.result() for future in futures]
            model[cell] = statistics.mean(found)
            error = cell.error(model[cell])
            verdict = "" if abs(error) <= cell.tolerance else f"  more than {cell.tolerance:.0%} off"
            is_close = is_close and not verdict
            published = f"{cell.lowest}" if cell.lowest == cell.highest else f"{cell.lowest} to {cell.highest}"
            spread = f"{min(found):6.1f} to {max(found):5.1f}" if len(found) > 1 else ""
            line = f"  {cell.name:<46} {model[cell]:>7.1f} {published:>11} {error:>+7.1%}  {spread}{verdict}"
            print(line, flush=True)
    wrong = wrong_orderings(model)
    for lower, higher in wrong:
        print(f"  the wrong way round: {lower.name} ({model[lower]:.1f}) < {higher.name} ({model[higher]:.1f})")
    print(f"  {len(wrong)} of the clear orderings are the wrong way round")
    return is_close and not wrong


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="random placements per bandwidth (20)")
    parser.add_argument("--only", default="", metavar="TEXT", help="bandwidths whose name contains this")
    parser.add_argument("--set", metavar="FIELD=VALUES", help="a field of the architecture and values to compare")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    arguments = parser.parse_args()
    cells = [cell for cell in read_cells() if arguments.only in cell.name]
    if not cells:
        parser.error(f"no published bandwidth is named '{arguments.only}'")
    field, _, values = (arguments.set or "").partition("=")
    is_close = True
    for value in values.split(",") if field else [""]:
        print(
            f"{f'{field}={value}' if field else 'as it is'}: model, silicon (GB/s), difference, spread over placements"
        )
        is_close = compare(cells, arguments.seeds, ((field, value),) if field else (), arguments.jobs) and is_close
    return 0 if is_close else 1


if __name__ == "__main__":
    sys.exit(main())
