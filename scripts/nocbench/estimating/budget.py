"""Runs of a point within a budget of work, and the time of the whole point from runs that are shorter.

Work is counted and not timed: an answer, and how it was found, are the same on every machine.
"""

from __future__ import annotations

import math
import statistics
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.description import TENSIX_TORUS, describe_architecture, floor_plan
from nocbench.estimating.kept import kept_row
from nocbench.points.accuracy import AUTO, EXACT, decide, is_short, with_fast
from nocbench.points.simulation import check_point
from nocbench.points.swept_tests import SKEWED, START, TOGETHER
from nocbench.support.columns import COMPILER, FAST, changed_values
from nocbench.support.errors import InputError, PointRejectedError
from nocbench.support.units import format_size, plural

if TYPE_CHECKING:
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointResult
    from nocbench.support.columns import Row

BUDGET_SECONDS = 0.3
"""Work of all runs for an answer, on one core of an idle machine."""

_TRIED_BYTES = 8192
"""Maximum bytes of the call that is tried first: with fewer, packets would be shorter than in long calls."""

# Measured on patterns with much contention, which are the slowest for their work.
_EXACT_SECONDS_OF_FLIT_HOP = 1 / 10e6
_EXACT_SECONDS_OF_PACKET_HOP = 0.7e-6
_FAST_SECONDS_OF_PACKET_HOP = 1e-6
_TIMES_FOR_READS = 2.5
_SECONDS_OF_COMPILED_CORE_CYCLE = 1 / 60e6
_SECONDS_OF_BYTE = 0.5e-9
_SECONDS_OF_CALL = 5e-6

_LAUNCH_SKEW = "board.launch_skew_cycles"
_LONG_CYCLES = 100_000  # the most that the field takes


class Size(NamedTuple):
    """Size of a run: calls, and bytes of each."""

    calls: int
    bytes: int

    @property
    def total(self) -> int:
        """Bytes of all calls."""
        return self.calls * self.bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer for a point.

    Attributes:
        row: result row of the slowest kernel.
        accuracy: "exact", "fast", or "extrapolated from" the calls that ran.
        rows, data_faults: result rows of the longest run, with the faults of their data; none if nothing ran, as the
            answer is kept.
    """

    row: Row
    accuracy: str
    rows: list[Row]
    data_faults: list[str]


class _Run(NamedTuple):
    """Run with its counted work.

    Attributes:
        size: calls and bytes.
        is_fast: True if it was packet by packet.
        result: results of the run.
        core_cycles: cycles of all cores that execute compiled kernels.
    """

    size: Size
    is_fast: bool
    result: PointResult
    core_cycles: float


def answer(point: Point, choice: str) -> Answer:
    """Answers for a point with the parameters num_transactions and call_size.

    Points of the full tier that take long are kept, and are not run.

    Args:
        point: the point, with exact simulation.
        choice: "exact", "fast", or "auto". "auto" takes the first of these that is within the budget: exact
            simulation, fast simulation, and simulation of fewer or shorter calls, from which the time of those of the
            point is extrapolated.

    Raises:
        InputError: the simulator refuses the point, or fast simulation of its architecture.
    """
    whole = Size(int(dict(point.parameters)["num_transactions"]), int(dict(point.parameters)["call_size"]))
    if choice != FAST and (kept := kept_row(point)) is not None:
        return Answer(kept, EXACT, [], [])
    if choice != AUTO:
        return _whole(_run(point, whole, is_fast=decide(choice, point.arch, lambda: None).is_fast))
    can_be_fast = describe_architecture(point.arch).kind == TENSIX_TORUS
    flit_bytes = floor_plan(point.arch, point.board, point.settings)["flit_bytes"]
    tried = _run(point, Size(1, min(whole.bytes, _TRIED_BYTES)), is_fast=can_be_fast)
    left = BUDGET_SECONDS - _seconds(tried, tried.size, flit_bytes, is_fast=can_be_fast)
    is_skewed = dict(point.parameters).get(START) == SKEWED

    def run(size: Size, *, is_fast: bool) -> _Run:
        return tried if (size, is_fast) == (tried.size, tried.is_fast) else _run(point, size, is_fast=is_fast)

    if _seconds(tried, whole, flit_bytes, is_fast=False) <= left:
        return _whole(run(whole, is_fast=False))
    is_fast = can_be_fast and not is_short(whole.bytes, flit_bytes)
    if whole == tried.size or _seconds(tried, whole, flit_bytes, is_fast=is_fast) <= left:
        return _whole(run(whole, is_fast=is_fast))
    _require_valid(point)
    if is_skewed:  # each size is run twice
        left /= 2
    more = run(_largest(tried, whole, left / 4, flit_bytes, is_fast=is_fast), is_fast=is_fast)
    few = None
    if more is not tried:
        left -= _seconds(more, more.size, flit_bytes, is_fast=is_fast)
    size = _largest(more, whole, left, flit_bytes, is_fast=is_fast)
    if size.total < 2 * more.size.total:  # two runs are much better than one
        size = _largest(more, _twice(more.size, whole), 2 * BUDGET_SECONDS, flit_bytes, is_fast=is_fast)
    # The longer a run, the better is what it says of longer ones.
    while size.total >= 2 * more.size.total:
        few, more = more, run(size, is_fast=is_fast)
        if more.size == whole:
            return _whole(more)
        left -= _seconds(more, more.size, flit_bytes, is_fast=is_fast)
        size = _largest(more, whole, left, flit_bytes, is_fast=is_fast)
    together = _extrapolated(few, more, whole)
    if not is_skewed:
        return together
    alone = _extrapolated(
        few and _run(point, few.size, is_fast=is_fast, is_alone=True),
        _run(point, more.size, is_fast=is_fast, is_alone=True),
        whole,
    )
    skew = describe_architecture(point.arch, point.board, point.settings).launch_skew_cycles
    cycles = staggered_cycles(
        alone.row["latency_cycles"], together.row["latency_cycles"], int(together.row["num_cores"]), skew
    )
    return replace(together, row=_with_latency(together.row, cycles))


def staggered_cycles(alone: float, together: float, num_cores: int, skew: float) -> float:
    """Returns the cycles of the median core if cores start one after another.

    Cores share what limits them in equal parts. What all cores together get in a time is known from a common start.

    Args:
        alone: cycles of a core that meets no other.
        together: cycles of a core if all start at once.
        num_cores: number of cores.
        skew: cycles between starts.
    """
    running: deque[tuple[float, float]] = deque()  # start of each core, and work that a core had done until then
    cycles: list[float] = []
    now = work = 0.0
    num_started = 0
    while len(cycles) < num_cores:
        rate = min(1 / alone, num_cores / max(len(running), 1) / together)
        end = now + (running[0][1] + 1 - work) / rate if running else math.inf
        start = num_started * skew if num_started < num_cores else math.inf
        work += (min(start, end) - now) * rate
        now = min(start, end)
        if start <= end:
            running.append((now, work))
            num_started += 1
        else:
            cycles.append(now - running.popleft()[0])
    return statistics.median(cycles)


def _run(point: Point, size: Size, *, is_fast: bool, is_alone: bool = False) -> _Run:
    """Runs a size of a point. `is_alone`: each core starts long after the one before."""
    parameters = dict(point.parameters)
    changed = {"num_transactions": str(size.calls), "call_size": str(size.bytes)}
    settings = point.settings
    if is_alone:
        settings = (*settings, (_LAUNCH_SKEW, str(_LONG_CYCLES)))
    elif parameters.get(START) == SKEWED and changed.items() - parameters.items():
        # In a shorter run, the first cores would end before the last ones start, and would not meet them.
        changed[START] = TOGETHER
    run = replace(
        point,
        parameters=tuple((parameters | changed).items()),
        settings=with_fast(settings) if is_fast else settings,
    )
    try:
        result = run.catalogue.run_point(run)
    except InputError as error:
        raise PointRejectedError(f"{run.describe()}: {error}") from None
    is_compiled = any(COMPILER in changed_values(row["params"]) for row in result.rows)
    return _Run(size, is_fast, result, is_compiled * len(result.cores) * float(result.elapsed_cycles))


def _require_valid(point: Point) -> None:
    """Raises PointRejectedError if the simulator refuses a point that is not run whole."""
    try:
        check_point(point)
    except InputError as error:
        raise PointRejectedError(f"{point.describe()}: {error}") from None


def _seconds(run: _Run, size: Size, flit_bytes: int, *, is_fast: bool) -> float:
    """Returns the time of simulating another size than that of a run, from the work of the run."""

    def flits_and_packets(num_bytes: int) -> tuple[int, int]:
        packets = math.ceil(num_bytes / _TRIED_BYTES)
        return math.ceil(num_bytes / flit_bytes) + packets, packets

    flits, _ = flits_and_packets(run.size.bytes)
    of_size, packets = flits_and_packets(size.bytes)
    times_calls = size.calls / run.size.calls
    hops_of_flit = run.result.flit_hops / flits * times_calls
    moved = sum(row["num_cores"] * row["transaction_size_bytes"] * row["num_transactions"] for row in run.result.rows)
    seconds = moved * size.total / run.size.total * (_SECONDS_OF_BYTE + _SECONDS_OF_CALL / size.bytes)
    seconds += run.core_cycles * times_calls * max(1.0, of_size / flits) * _SECONDS_OF_COMPILED_CORE_CYCLE
    if not is_fast:
        per_hop = of_size * _EXACT_SECONDS_OF_FLIT_HOP + packets * _EXACT_SECONDS_OF_PACKET_HOP
    else:
        per_hop = packets * _FAST_SECONDS_OF_PACKET_HOP
        if all(row["kernel"] == "Receiver" for row in run.result.rows):
            per_hop *= _TIMES_FOR_READS
    return float(seconds + hops_of_flit * per_hop)


def _largest(run: _Run, whole: Size, seconds: float, flit_bytes: int, *, is_fast: bool) -> Size:
    """Returns the largest size of at most these seconds, or the least one.

    Calls are shorter than those of the point only if a single one takes longer. Numbers of calls are powers of two, so
    that kernels which are compiled for each number are compiled for few.
    """

    def fits(size: Size) -> bool:
        return _seconds(run, size, flit_bytes, is_fast=is_fast) <= seconds

    size = Size(1, min(whole.bytes, _TRIED_BYTES))
    while size != whole and fits(_twice(size, whole)):
        size = _twice(size, whole)
    return size


def _twice(size: Size, whole: Size) -> Size:
    """Returns the next larger size: up to the bytes of the point's calls first, then up to their number."""
    if size.bytes < whole.bytes:
        return Size(1, min(2 * size.bytes, whole.bytes))
    return Size(min(2 * size.calls, whole.calls), size.bytes)


def _whole(run: _Run) -> Answer:
    row = max(run.result.rows, key=lambda each: each["latency_cycles"])
    return Answer(row, FAST if run.is_fast else EXACT, run.result.rows, run.result.data_faults)


def _extrapolated(few: _Run | None, more: _Run, whole: Size) -> Answer:
    """Extrapolates to a point: further bytes take as long as by how much two runs differ, or as in the only run."""
    few_bytes = few.size.total if few else 0
    few_cycles = [row["latency_cycles"] for row in few.result.rows] if few else [0.0] * len(more.result.rows)
    further = (whole.total - more.size.total) / (more.size.total - few_bytes)
    rows = [
        _with_latency(
            row,
            row["latency_cycles"] + further * max(0.0, row["latency_cycles"] - cycles),
            whole.total / more.size.total,
        )
        for row, cycles in zip(more.result.rows, few_cycles, strict=True)
    ]
    calls = plural(more.size.calls, "call")
    size = f" of {format_size(more.size.bytes)}" if more.size.bytes != whole.bytes else ""
    return Answer(
        max(rows, key=lambda each: each["latency_cycles"]),
        f"extrapolated from {calls}{size}, {FAST if more.is_fast else EXACT}",
        more.result.rows,
        more.result.data_faults,
    )


def _with_latency(row: Row, latency_cycles: float, times_bytes: float = 1) -> Row:
    """Returns a row with another latency, and more bytes."""
    bandwidth = row["bandwidth_bytes_per_cycle"] * times_bytes * row["latency_cycles"] / latency_cycles
    return {**row, "latency_cycles": latency_cycles, "bandwidth_bytes_per_cycle": bandwidth}
