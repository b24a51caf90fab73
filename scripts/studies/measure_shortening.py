#!/usr/bin/env python3
"""Compares shortened points with the same points run whole.

The longest points of the full tier are run with fewer transactions once these tell how long all of them take
(kernels/frame/steady_state.h). Here points that take seconds are shortened in the same way and run whole, and the
difference of their latencies is printed, as Markdown. A point is shortened as if it took --times as much as the
shortest points that are.

With --tier: some of the shortest points that the tier shortens, as it does it. They take half an hour or more.

With --fit: how the mean time of a read falls with the number of reads from each core, while all cores of a grid read
from all and the window of reads in flight is not full of those from one of them. The exponent is -1 over
shortening.contended_reads_root in device_model/archs/.

Examples:
    .venv/bin/python scripts/studies/measure_shortening.py
    .venv/bin/python scripts/studies/measure_shortening.py --times 4 --test "All to All Packet Sizes"
    .venv/bin/python scripts/studies/measure_shortening.py --tier --test "All to All Packet Sizes"
    .venv/bin/python scripts/studies/measure_shortening.py --fit
"""

from __future__ import annotations

import argparse
import itertools
import math
import statistics
import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from nocbench.points.point import Point
from nocbench.points.simulation import SHORTEN_FROM_FLIT_HOPS, run_point
from nocbench.support.columns import SIMULATED_TRANSACTIONS, STEADY, changed_values
from nocbench.support.units import format_size

WRITES = "All to All Packet Sizes"
READS = "All from All Packet Sizes"
# Test, number of transactions, bytes per call, and other parameters.
MID_SIZED_POINTS: tuple[tuple[str, int, int, dict[str, str]], ...] = (
    *((test, 256, 4096, {"grid": "5x5"}) for test in (WRITES, READS)),
    *((test, 256, 4096, {"grid": "4x4", "start": "together"}) for test in (WRITES, READS)),
    *((test, 128, 8192, {"grid": "5x5", "start": "together"}) for test in (WRITES, READS)),
    ("One to One Packet Sizes", 256, 16384, {}),
    ("One from One Packet Sizes", 256, 512, {}),
    ("One from All Packet Sizes", 256, 4096, {}),
    ("One to All Unicast 10x10 Packet Sizes without Loopback", 256, 2048, {}),
    ("One to All Multicast 5x5 Packet Sizes without Loopback", 256, 16384, {}),
    ("DRAM Interleaved Packet Sizes", 256, 16384, {}),
)
TIER_POINTS: dict[str, tuple[tuple[str, int, int, dict[str, str]], ...]] = {
    "wormhole_b0": (
        (WRITES, 256, 2048, {}),
        (WRITES, 256, 4096, {}),
        (WRITES, 64, 8192, {}),
        (WRITES, 16, 65536, {}),
        (READS, 64, 16384, {}),
    ),
    "blackhole": (
        (WRITES, 256, 2048, {}),
        (WRITES, 64, 8192, {}),
        (WRITES, 16, 65536, {}),
        (READS, 64, 16384, {}),
    ),
}
# Bytes of a full packet; ways to start; numbers of transactions up to a full window; grids, each with the size of calls
# as a share of a full packet and the maximum number of transactions.
FIT_CALL_SIZES = {"wormhole_b0": 8192, "blackhole": 16384}
FIT_STARTS = ("together", "skewed")
FIT_TRANSACTIONS = (16, 32, 64, 128, 256)
FIT_GRIDS = (("4x4", 1.0, 256), ("5x5", 1.0, 256), ("5x5", 0.5, 256), ("6x6", 1.0, 128))


@dataclass(frozen=True)
class Comparison:
    """Comparison of a point, shortened and whole, by kernel."""

    point: Point
    kernels: tuple[str, ...]
    simulated: str
    """Simulated transactions; empty for all, if the latency was not steady."""
    errors_percent: tuple[float, ...]
    saved: float
    """Share of the work that shortening saved."""


def compare(point: Point, times: float | None) -> Comparison:
    """Runs a point whole and shortened. The work of the whole point is `times` the minimum work for shortening."""
    whole = run_point(point)
    least = SHORTEN_FROM_FLIT_HOPS if times is None else whole.flit_hops / times
    shortened = run_point(point, shorten_from_flit_hops=least)
    changed = changed_values(shortened.rows[0]["params"])
    return Comparison(
        point=point,
        kernels=tuple(row["kernel"] for row in whole.rows),
        simulated=changed.get(SIMULATED_TRANSACTIONS, "") + (", not steady" if STEADY in changed else ""),
        errors_percent=tuple(
            100 * (few["latency_cycles"] / every["latency_cycles"] - 1)
            for few, every in zip(shortened.rows, whole.rows, strict=True)
        ),
        saved=1 - shortened.flit_hops / whole.flit_hops,
    )


def markdown_row(comparison: Comparison) -> str:
    """Returns the row of the table for a comparison."""
    parameters = dict(comparison.point.parameters)
    number, size = parameters.pop("num_transactions"), int(parameters.pop("call_size"))
    cells = [
        comparison.point.arch,
        comparison.point.test,
        ", ".join(f"{name}={value}" for name, value in parameters.items()),
        f"{number} x {format_size(size)}",
        comparison.simulated or "all",
        ", ".join(f"{error:+.1f} %" for error in comparison.errors_percent),
        f"{100 * comparison.saved:.0f} %",
    ]
    return f"| {' | '.join(cells)} |"


def mean_read_cycles(point: Point) -> float:
    """Returns the latency of a point, without shortening, divided by its number of transactions."""
    return float(run_point(point).rows[0]["latency_cycles"]) / int(dict(point.parameters)["num_transactions"])


def fit_reads_exponent(jobs: int | None) -> None:
    """Prints the slope of log time over log transactions for each grid and start, and for all together."""
    cases = [
        (arch, grid, int(share * full_packet_bytes), start, [n for n in FIT_TRANSACTIONS if n <= transactions_max])
        for arch, full_packet_bytes in FIT_CALL_SIZES.items()
        for grid, share, transactions_max in FIT_GRIDS
        for start in FIT_STARTS
    ]
    points = [
        Point(
            arch,
            "",
            READS,
            (
                ("grid", grid),
                ("start", start),
                ("num_transactions", str(number)),
                ("call_size", str(call_size_bytes)),
            ),
        )
        for arch, grid, call_size_bytes, start, numbers in cases
        for number in numbers
    ]
    slopes = []
    with ProcessPoolExecutor(jobs) as pool:
        times = pool.map(mean_read_cycles, points)
        for arch, grid, call_size_bytes, start, numbers in cases:
            cycles = list(itertools.islice(times, len(numbers)))
            slope, _ = statistics.linear_regression([math.log(n) for n in numbers], [math.log(mean) for mean in cycles])
            slopes.append(slope)
            size, per_call = format_size(call_size_bytes), ", ".join(f"{mean:,.0f}" for mean in cycles)
            say(f"{arch}, {grid}, {size}, {start}: cycles per transaction {per_call}; exponent {slope:+.3f}")
    say(f"all: exponent {statistics.mean(slopes):+.3f}")


def say(line: str) -> None:
    """Prints a line and flushes it, since the next line may take long."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=float, default=16, help="how much longer than the shortest (default: 16)")
    parser.add_argument("--tier", action="store_true", help="points of the tier instead, as it shortens them")
    parser.add_argument("--fit", action="store_true", help="the exponent of reads instead")
    parser.add_argument("--test", action="append", help="only these; may be given several times")
    parser.add_argument("--arch", action="append", help="only these; may be given several times")
    parser.add_argument("-j", "--jobs", type=int, help="worker processes (default: as many as processors)")
    options = parser.parse_args()
    if options.fit:
        fit_reads_exponent(options.jobs)
        return

    points = [
        Point(
            arch,
            "",
            test,
            (*others.items(), ("num_transactions", str(number)), ("call_size", str(size))),
        )
        for arch, of_tier in TIER_POINTS.items()
        for test, number, size, others in (of_tier if options.tier else MID_SIZED_POINTS)
        if test in (options.test or [test]) and arch in (options.arch or [arch])
    ]
    times = None if options.tier else options.times
    say("| architecture | test | parameters | point | simulated | error of the latency | work saved |")
    say("|---|---|---|--:|--:|--:|--:|")
    comparisons = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for comparison in pool.map(compare, points, [times] * len(points)):
            comparisons.append(comparison)
            say(markdown_row(comparison))
    for what, tests in (("writes", [WRITES]), ("reads", [READS]), ("others", None)):
        errors = [
            abs(error)
            for comparison in comparisons
            if comparison.simulated
            and (comparison.point.test in tests if tests else comparison.point.test not in (WRITES, READS))
            for error in comparison.errors_percent
        ]
        if errors:
            name = f"all with all, {what}" if tests else what
            say(
                f"\n{name}: {len(errors)} latencies, |error| median {statistics.median(errors):.2f} %, "
                f"maximum {max(errors):.2f} %"
            )


if __name__ == "__main__":
    main()
