#!/usr/bin/env python3
"""Compares the packet-level engine with the exact one on random lists of transfers.

Each core has a few transfers of 1 to 16 KiB, to or from random cores or DRAM banks, on one or both NoCs. The exact
engine also runs each list with the first transfer of each core one flit shorter. Its own change shows how chaotic the
traffic is.

The rows are those of a table in docs/packet_level.md, with the median over the lists and the 90th percentile.

Example:
    .venv/bin/python scripts/studies/fast_engine.py -j 2
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy
import pandas

import nocbench
from nocbench.architectures.description import describe_architecture

CHIPS = {"wormhole_b0": "Wormhole", "blackhole": "Blackhole"}
DRAM = "dram"
KINDS = {
    "write": (24, "lists of writes"),
    "read": (24, "lists of reads"),
    "both": (36, "lists of both"),
    DRAM: (12, "lists of DRAM accesses"),
}
TRANSFERS_PER_CORE = 6
FLIT_BYTES = {"wormhole_b0": 32, "blackhole": 64}


@dataclass(frozen=True, slots=True)
class Change:
    """Change of a list's end, of the mean end of its cores, and the 90th percentile of the cores: per cent."""

    total: float
    mean: float
    cores: float


def random_list(arch: str, kind: str, number: int) -> pandas.DataFrame:
    """Returns a table of flows."""
    numbers = random.Random(f"{arch} {kind} {number}")  # noqa: S311 - the same lists on all machines
    described = describe_architecture(arch)
    board = described.boards[described.default_board]
    cores = [(x, y) for x in range(int(board["compute_columns"])) for y in range(int(board["compute_rows"]))]
    rows = []
    for core in cores:
        for _ in range(TRANSFERS_PER_CORE):
            direction = kind if kind in ("write", "read") else numbers.choice(["write", "read"])
            x, y = numbers.choice([other for other in cores if other != core])
            partner = f"dram {numbers.randrange(described.num_dram_banks)}" if kind == DRAM else f"{x} {y}"
            rows.append(
                {
                    "kind": direction,
                    "core": f"{core[0]} {core[1]}",
                    "partner": partner,
                    "call_size": numbers.randrange(1024, 16384 + 1, FLIT_BYTES[arch]),
                    "noc": numbers.randrange(2) if number % 2 else int(direction == "read"),
                }
            )
    return pandas.DataFrame(rows)


def ends_of(table: pandas.DataFrame, arch: str, accuracy: str) -> pandas.Series[float]:
    """Returns the end of each core's last transfer, in cycles."""
    flows = nocbench.flows(table, arch=arch, accuracy=accuracy).flows
    return flows.groupby(table["core"].to_numpy())["end"].max()


def change(ends: pandas.Series[float], of: pandas.Series[float]) -> Change:
    """Returns the change from one run to another."""
    cores = (ends / of - 1).abs() * 100
    mean = abs(ends.mean() / of.mean() - 1) * 100
    return Change(abs(ends.max() / of.max() - 1) * 100, mean, float(numpy.quantile(cores, 0.9)))


def compare(arch: str, kind: str, number: int) -> tuple[Change, Change]:
    """Returns the error of the packet-level engine on a list, and the own change of the exact engine."""
    table = random_list(arch, kind, number)
    exact = ends_of(table, arch, "exact")
    shorter = table.copy()
    shorter.loc[~shorter.duplicated("core"), "call_size"] -= FLIT_BYTES[arch]
    return change(ends_of(table, arch, "fast"), exact), change(ends_of(shorter, arch, "exact"), exact)


def describe(compared: list[tuple[Change, Change]]) -> str:
    """Returns the cells of a row of the table in docs/packet_level.md."""

    def both(values: list[float]) -> str:
        return f"{numpy.median(values):.1f}, {numpy.quantile(values, 0.9):.1f} %"

    errors, own = zip(*compared, strict=True)
    cells = [
        both([error.total for error in errors]),
        both([error.mean for error in errors]),
        f"{numpy.median([error.cores for error in errors]):.1f} %",
        f"{numpy.median([each.total for each in own]):.1f}, {numpy.median([each.cores for each in own]):.1f} %",
    ]
    return " | ".join(cells)


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-j", "--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--lists", type=int, default=0, help="compare only so many lists of each kind")
    arguments = parser.parse_args()
    everything = []
    with ProcessPoolExecutor(arguments.jobs) as workers:
        for arch, chip in CHIPS.items():
            for kind, (number, words) in KINDS.items():
                wanted = range(min(number, arguments.lists or number))
                compared = list(workers.map(compare, [arch] * len(wanted), [kind] * len(wanted), wanted))
                everything += compared
                print(f"| {chip}, {len(wanted)} {words} | {describe(compared)} |")
    print(f"| all {len(everything)} lists | {describe(everything)} |")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
