"""Choice of the points of a run to simulate packet by packet, and comparison of some of them with exact simulation."""

from __future__ import annotations

import contextlib
import hashlib
import statistics
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from nocbench.architectures.description import TENSIX_TORUS, describe_architecture, floor_plan
from nocbench.points.accuracy import AUTO, EXACT, Accuracy, Decision, Work, decide, is_short, with_fast
from nocbench.points.catalogue import BUILT_IN
from nocbench.points.simulation import run_point
from nocbench.running.engines.engine import Engine, Finished
from nocbench.support.columns import ACCURACY, FAST
from nocbench.support.errors import InputError
from nocbench.support.units import format_size, plural

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from nocbench.points.point import Point
    from nocbench.running.execution import Measurements
    from nocbench.support.columns import Row

_MAX_TESTS_NAMED = 6
_OPEN_LOOP_PRIMITIVE = "synthetic"

_NAMES = ("arch", "test", "kernel", "params", "num_transactions")
ERROR_COLUMNS = (*_NAMES[:-1], "transactions", "size", "exact cycles", "fast cycles", "difference")


def choose(points: Sequence[Point], accuracy: Accuracy, engine: Engine) -> list[Point]:
    """Returns points with the chosen accuracy.

    Args:
        points: points with exact simulation.
        accuracy: value of `--accuracy`; for "auto", one transaction of each family of points runs first.
        engine: engine that runs these transactions.
    """
    choice, say = accuracy
    if choice == EXACT:
        return list(points)
    works = _works(points, engine) if choice == AUTO else {}

    def work_of(point: Point) -> Work | None:
        work = works.get(point.family())
        times = point.num_transactions() or 1
        return None if work is None else Work(*(times * amount for amount in work))

    decisions = [decide(choice, point.arch, lambda point=point: work_of(point)) for point in points]  # type: ignore[misc]
    if choice == AUTO and len(points) == 1:
        say(decisions[0].sentence(points[0].describe()))
    elif choice == AUTO:
        say(_summary(points, decisions))
    return [
        replace(point, settings=with_fast(point.settings)) if decision.is_fast else point
        for point, decision in zip(points, decisions, strict=True)
    ]


def _works(points: Sequence[Point], engine: Engine) -> dict[Hashable, Work | None]:
    families: dict[Hashable, Point] = {}
    for point in points:
        is_torus = describe_architecture(point.arch).kind == TENSIX_TORUS
        if is_torus and point.catalogue is BUILT_IN:  # others cannot be made smaller
            families.setdefault(point.family(), point)
    if not families:
        return {}
    with contextlib.closing(engine.run(work_of_one_transaction, list(families.values()))) as outcomes:
        found = {outcome.index: outcome.value for outcome in outcomes if isinstance(outcome, Finished)}
    return {family: found.get(index) for index, family in enumerate(families)}


def work_of_one_transaction(point: Point) -> Work | None:
    """Returns the work of a single transaction of a point, by simulating it packet by packet, in any process.

    Returns None if the simulator refuses the point, and for open loops, whose load may be beyond saturation: there,
    packet-by-packet simulation has large errors.
    """
    fewer = {"num_transactions": "1"} if point.num_transactions() else {}
    tried = replace(
        point, parameters=tuple((dict(point.parameters) | fewer).items()), settings=with_fast(point.settings)
    )
    try:
        result = run_point(tried)
    except InputError:
        return None
    if any(row["primitive"] == _OPEN_LOOP_PRIMITIVE for row in result.rows):
        return None
    flit_bytes = floor_plan(point.arch, point.board, point.settings)["flit_bytes"]
    num_calls = num_short = 0.0
    for row in result.rows:
        calls_of_transaction = row["transaction_size_bytes"] / max(1, row["call_size_bytes"])
        of_row = row["num_cores"] * row["num_transactions"] * calls_of_transaction
        num_calls += of_row
        num_short += of_row * is_short(row["call_size_bytes"], flit_bytes)
    return Work(result.flit_hops, num_calls, num_short, num_calls)


def _summary(points: Sequence[Point], decisions: Sequence[Decision]) -> str:
    tests = Counter(point.test for point, decision in zip(points, decisions, strict=True) if decision.is_fast)
    reasons = Counter(decisions)
    sentences = []
    for runs_fast, adverb in ((True, "fast"), (False, "exactly")):
        of_kind = {decision.reason: count for decision, count in reasons.items() if decision.is_fast == runs_fast}
        if of_kind:
            counted = [f"{reason} ({count})" for reason, count in of_kind.items()]
            because = ", ".join(counted if len(counted) > 1 else of_kind)
            sentence = f"{sum(of_kind.values())} of {plural(len(points), 'point')} run {adverb} because of {because}"
            sentences.append(sentence + (f": {_named(tests)}" if runs_fast else ""))
    return f"accuracy: {'; '.join(sentences)}"


def _named(tests: Counter[str]) -> str:
    named = [f"{test} ({count})" for test, count in tests.most_common(_MAX_TESTS_NAMED)]
    return ", ".join(named) + (f" and {plural(len(tests) - len(named), 'more test')}" * (len(tests) > len(named)))


def is_fast(point: Point) -> bool:
    """Returns True if a point is simulated packet by packet."""
    return (ACCURACY, FAST) in point.settings


def exact(point: Point) -> Point:
    """Returns a point with exact simulation."""
    return replace(point, settings=tuple(setting for setting in point.settings if setting[0] != ACCURACY))


def sample_of_fast(points: Sequence[Point], count: int) -> list[int]:
    """Returns positions of at most `count` fast points.

    The choice is reproducible, and takes one point of each test before a second of any.
    """
    lots = {
        position: hashlib.sha256(point.digest().encode()).hexdigest()
        for position, point in enumerate(points)
        if is_fast(point)
    }
    taken: Counter[tuple[str, str]] = Counter()
    rounds = {}
    for position in sorted(lots, key=lots.__getitem__):
        test = (points[position].arch, points[position].test)
        rounds[position] = taken[test]
        taken[test] += 1
    return sorted(sorted(lots, key=lambda position: (rounds[position], lots[position]))[:count])


def error_table(positions: Sequence[int], fast: Measurements, exactly: Measurements) -> tuple[list[list[object]], str]:
    """Returns a table that compares fast with exact rows, with the columns ERROR_COLUMNS, and a summary sentence.

    Args:
        positions: positions in the run of the points of `exactly`, in order.
        fast: results of all points of a run.
        exactly: exact results of the points at `positions`.
    """
    of_fast, of_exact = _rows_of_points(fast), _rows_of_points(exactly)
    table: list[list[object]] = []
    differences = []
    for number, position in enumerate(positions):
        for row, other in zip(of_exact[number], of_fast[position], strict=False):
            difference = 100 * (other["latency_cycles"] / row["latency_cycles"] - 1)
            differences.append(abs(difference))
            table.append(
                [
                    *(row[name] for name in _NAMES),
                    format_size(row["transaction_size_bytes"]),
                    f"{row['latency_cycles']:.10g}",
                    f"{other['latency_cycles']:.10g}",
                    f"{difference:+.2f} %",
                ]
            )
    if not differences:
        return [], "no fast point was run exactly as well"
    return table, (
        f"fast against exact, {plural(len(positions), 'point')}: median difference "
        f"{statistics.median(differences):.2f} %, largest {max(differences):.2f} %"
    )


def _rows_of_points(measurements: Measurements) -> list[list[Row]]:
    rows = iter(measurements.rows)
    return [[next(rows) for _ in range(count)] for count in measurements.row_counts]
