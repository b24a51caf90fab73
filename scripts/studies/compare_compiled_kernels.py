#!/usr/bin/env python3
"""Runs the suite's kernels both ways, natively and compiled for the RISCs, and compares both with silicon.

Prints a row per test and architecture: points, and the median and the largest deviation of latency in per cent, of
native kernels and of compiled ones from the published measurements, and of compiled ones from native ones. Nothing of
the compiled way is fitted to calls: their time is that of their instructions.

Exit status: 0; 1 data are wrong, or the two ways do not send the same flits over the same links; 2 bad usage.

Example:
    .venv/bin/python scripts/studies/compare_compiled_kernels.py --num-transactions 1 16 256 --call-size 64 1024 8192
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path

from nocbench.points.point import Point
from nocbench.points.simulation import run_point, run_point_compiled
from nocbench.points.swept_tests import list_tests
from nocbench.published.reference import read_reference
from nocbench.support.errors import NocbenchError

REFERENCE = Path(__file__).resolve().parents[2] / "plots" / "reference" / "tenstorrent_silicon_2025_07.csv"


def deviations(pairs: list[tuple[float, float]]) -> str:
    """Returns median and largest deviation of the first from the second value of pairs, in per cent, as text."""
    if not pairs:
        return "        -       "
    values = [100 * abs(value - wanted) / wanted for value, wanted in pairs]
    return f"{statistics.median(values):7.2f} {max(values):7.2f}"


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("tests", nargs="*", metavar="TEST", help="names of tests; all if left out")
    parser.add_argument("--num-transactions", nargs="+", type=int, default=[1, 16, 256])
    parser.add_argument("--call-size", nargs="+", type=int, default=[64, 512, 2048, 8192])
    arguments = parser.parse_args()
    published = {
        (row["arch"], row["test"], row["kernel"], row["num_transactions"], row["transaction_size_bytes"]): row[
            "latency_cycles"
        ]
        for row in read_reference([REFERENCE]).to_dict("records")
    }
    wrong = 0
    print(f"{'':12}{'':56}{'points':>7}{'native-silicon':>17}{'hart-silicon':>17}{'hart-native':>17}")
    for arch in ("wormhole_b0", "blackhole"):
        for test in list_tests(arch):
            if test.primitive == "synthetic" or (arguments.tests and test.test not in arguments.tests):
                continue
            native, compiled, both = [], [], []
            for count in arguments.num_transactions:
                for size in arguments.call_size:
                    point = Point(arch, "", test.test, (("num_transactions", str(count)), ("call_size", str(size))))
                    one, other = run_point(point), run_point_compiled(point)
                    same = one.links == other.links and one.deliveries == other.deliveries
                    if not same or not all(row["data_ok"] for row in other.rows):
                        print(f"{point.describe()}: {'wrong data' if same else 'other flits'}", file=sys.stderr)
                        wrong += 1
                    for row, its in zip(one.rows, other.rows, strict=True):
                        both.append((its["latency_cycles"], row["latency_cycles"]))
                        key = (arch, test.test, row["kernel"], count, row["transaction_size_bytes"])
                        if key in published:
                            native.append((row["latency_cycles"], published[key]))
                            compiled.append((its["latency_cycles"], published[key]))
            shares = "  ".join(deviations(pairs) for pairs in (native, compiled, both))
            print(f"{arch:12}{test.test:56}{len(both):7}  {shares}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NocbenchError as error:
        print(f"compare_compiled_kernels: {error}", file=sys.stderr)
        sys.exit(2)
