#!/usr/bin/env python3
"""Fits the times of hosts in archs/etherbone.yaml to the published cycles of the latch unit.

A row of the published table fixes the constant of a host that names it as one of its `fitted_rows`: what the driver,
the network's stack or the interrupts of the USB controller take. All else in a cycle follows from the other constants,
so that a few steps of Newton's method lead there. Prints each constant as it is in the file and as the row asks for it,
and the row that fixes none of a host: USB at the T5810, where a latency of USB from 15 to 26 us gives the same.

Exit status: 0 if every constant is as its row asks for, to what the table's last digit leaves open; otherwise 1.

Example:
    .venv/bin/python scripts/studies/fit_etherbone.py
"""

from __future__ import annotations

import argparse
import sys
from typing import NamedTuple

from nocbench.points.constants import read_constants
from nocbench.points.selection import select_one_point
from nocbench.published.latch_unit import ARCHITECTURE, LatchRow, latch_rows

HOSTS = "hosts."
CYCLES = 1000
STEPS = 4
LAST_DIGIT_MICROSECONDS = 0.05


class Fit(NamedTuple):
    """A constant in nanoseconds, in the file and fitted, and the time of a cycle with the value in the file."""

    in_file: int
    fitted: int
    microseconds: float


def cycle_microseconds(row: LatchRow, settings: tuple[tuple[str, str], ...] = ()) -> float:
    """Returns the time of a cycle on the row's board, with changed settings."""
    point = select_one_point(
        row.test,
        arch=ARCHITECTURE,
        axes={"num_transactions": str(CYCLES), "call_size": "16"},
        settings=settings,
    )
    result = point.catalogue.run_point(point).rows[0]
    return float(result["latency_cycles"]) * 1e6 / float(result["clock_hz"]) / CYCLES


def fixed_by(row: LatchRow) -> str:
    """Returns the host's constant that a row determines; empty if it determines none."""
    return next((constant for constant in row.constants if constant.startswith(HOSTS)), "")


def fit(row: LatchRow) -> Fit:
    """Returns the fitted value of the constant that a row determines."""
    board = row.name.lower().replace(" ", "_")
    path = fixed_by(row)
    in_file = next(int(constant.value) for constant in read_constants(ARCHITECTURE, board) if constant.path == path)
    setting = f"host.{path.rpartition('.')[2]}"  # the board's own host
    value = in_file
    for _ in range(STEPS):
        here = cycle_microseconds(row, ((setting, str(value)),))
        value = max(0, value + round(1000 * (row.microseconds - here)))
    return Fit(in_file, value, cycle_microseconds(row))


def main() -> int:
    """Runs the command."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    is_fine = True
    print(f"{'row':12} {'published':>9} {'modeled':>9}  {'constant':34} {'in file':>8} {'fitted':>8}")
    for row in latch_rows():
        path = fixed_by(row)
        if not path:
            print(f"{row.name:12} {row.microseconds:6.1f} us {cycle_microseconds(row):6.2f} us  none of a host")
            continue
        found = fit(row)
        is_fine = is_fine and abs(found.microseconds - row.microseconds) <= LAST_DIGIT_MICROSECONDS
        print(
            f"{row.name:12} {row.microseconds:6.1f} us {found.microseconds:6.2f} us  {path:34} "
            f"{found.in_file:5} ns {found.fitted:5} ns"
        )
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
