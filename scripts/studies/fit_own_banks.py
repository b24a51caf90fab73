#!/usr/bin/env python3
r"""Compares the model with published times of cores that each read a DRAM bank of their own.

Prints each time of plots/reference/contended/dram_own_banks.csv, model and silicon side by side. The constants
dram.read_requests_per_virtual_channel_max were chosen with it.

Exit status: 0 if all times are within 10 %; otherwise 1.

Examples:
    .venv/bin/python scripts/studies/fit_own_banks.py
    .venv/bin/python scripts/studies/fit_own_banks.py --arch wormhole_b0 \\
        --set dram.read_requests_per_virtual_channel_max=20,24,28,512
"""

from __future__ import annotations

import argparse
import csv
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nocbench.flow_tables.csv_table import read_csv_table
from nocbench.flow_tables.execution import run_flow_table
from nocbench.programs.execution import Machine

PUBLISHED = Path(__file__).resolve().parents[2] / "plots" / "reference" / "contended" / "dram_own_banks.csv"
CALL_BYTES = 4096
NUM_CALLS = 256
TOLERANCE = 0.1
"""Tolerated relative error of the model."""


@dataclass(frozen=True)
class Run:
    """A published run."""

    machine: Machine
    columns: int
    banks: int
    cores: int
    slowest_cycles: float

    def flows(self) -> str:
        """Returns a table of flows: reader i on core (i mod columns, i / columns) reads bank i mod banks."""
        lines = ["name,kind,core,partner,call_size,num_calls,noc"]
        lines += [
            f"r{i},read,{i % self.columns} {i // self.columns},dram {i % self.banks},{CALL_BYTES},{NUM_CALLS},0"
            for i in range(self.cores)
        ]
        return "\n".join(lines) + "\n"


def read_runs(file: Path = PUBLISHED) -> list[Run]:
    """Returns the published runs."""
    with file.open(newline="") as lines:
        return [
            Run(
                Machine(row["arch"], row["board"], _settings(row["settings"])),
                int(row["columns"]),
                int(row["banks"]),
                int(row["cores"]),
                float(row["slowest_cycles"]),
            )
            for row in csv.DictReader(lines)
        ]


def _settings(text: str) -> tuple[tuple[str, str], ...]:
    field, _, value = text.partition("=")
    return ((field, value),) if field else ()


def slowest_cycles(run: Run, settings: tuple[tuple[str, str], ...] = ()) -> float:
    """Returns the time of the slowest reader in the model, in cycles."""
    machine = Machine(run.machine.arch, run.machine.board, run.machine.settings + settings)
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "own_banks.csv"
        file.write_text(run.flows())
        result = run_flow_table(read_csv_table(file, machine.memories()), machine)
    return max(end - start for start, end in result.flow_times)


def compare(runs: list[Run], settings: tuple[tuple[str, str], ...]) -> bool:
    """Prints model and silicon of each run. Returns True if the model is close enough."""
    is_close = True
    for run in runs:
        cycles = slowest_cycles(run, settings)
        error = cycles / run.slowest_cycles - 1
        is_close = is_close and abs(error) <= TOLERANCE
        print(
            f"  {run.machine.arch}, {run.cores:2} readers {cycles:9,.0f} {run.slowest_cycles:9,.0f} {error:+7.1%}",
            flush=True,
        )
    return is_close


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", help="runs of this architecture only")
    parser.add_argument("--set", metavar="FIELD=VALUES", help="a field of the architecture and values to compare")
    arguments = parser.parse_args()
    runs = [run for run in read_runs() if arguments.arch in (None, run.machine.arch)]
    if not runs:
        parser.error(f"no published run is of '{arguments.arch}'")
    field, _, values = (arguments.set or "").partition("=")
    is_close = True
    for value in values.split(",") if field else [""]:
        print(
            f"{f'{field}={value}' if field else 'as it is'}: model, silicon (cycles of the slowest reader), difference"
        )
        is_close = compare(runs, ((field, value),) if field else ()) and is_close
    return 0 if is_close else 1


if __name__ == "__main__":
    sys.exit(main())
