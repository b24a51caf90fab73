"""Runs points on an engine and puts their result rows in order."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from nocbench import simulator
from nocbench.columns import SIMULATED_TRANSACTIONS, changed_values
from nocbench.details import details_of, staged_details, write_details
from nocbench.engines.engine import Crashed, Engine, Finished, Outcome, Rejected
from nocbench.errors import InputError
from nocbench.revision import revision
from nocbench.running_costs import PointCost, RunningCost, measured

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from nocbench.columns import Row
    from nocbench.selection import Point


@dataclass(frozen=True, slots=True)
class Crash:
    """A point that gave no result."""

    point: Point
    reason: str

    def describe(self) -> str:
        """The configuration, the reason, and how to run it alone."""
        return f"crashed: {self.point.describe()}: {self.reason}\n  reproduce: {self.point.command()}"


@dataclass(slots=True)
class Measurements:
    """What a run gave.

    Attributes:
        rows: result rows of the points that finished, in the order of the points.
        crashes: the points that did not.
        costs: what the points that finished took, in their order. All but this is the same whenever it is run.
    """

    rows: list[Row] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)
    costs: list[PointCost] = field(default_factory=list)


class _Task(NamedTuple):
    point: Point
    with_details: bool
    shorten_from_flit_hops: float | None


class _Measured(NamedTuple):
    rows: list[Row]
    details: str
    cost: RunningCost


def measure(task: _Task) -> _Measured:
    """Runs one point, in whatever process: its rows, its details as JSON if they are wanted, and what it took."""
    with measured() as cost:
        result = simulator.run_point(task.point, shorten_from_flit_hops=task.shorten_from_flit_hops)
        cost.flit_hops = result.flit_hops
        cost.shortened = int(any(SIMULATED_TRANSACTIONS in changed_values(row["params"]) for row in result.rows))
        details = json.dumps(details_of(task.point, result), sort_keys=True) + "\n" if task.with_details else ""
    return _Measured(result.rows, details, cost)


def run_points(
    points: Sequence[Point],
    engine: Engine,
    *,
    whole: bool = False,
    detail_directory: Path | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Measurements:
    """Runs every point.

    Args:
        points: what to run; the order of the result rows.
        engine: where to run them. It has no influence on the results.
        whole: whether all transactions of long points are simulated even if they go on as they begin.
        detail_directory: where to write a file per point with its cores and links, if anywhere.
        on_progress: is called with the number of points done.

    Raises:
        InputError: the simulator refuses a point: the one that is first in order of the work, whatever the engine.
    """
    # Long points first: then the workers finish at about the same time.
    order = sorted(range(len(points)), key=lambda index: (-points[index].relative_cost, index))
    shorten_from_flit_hops = None if whole else simulator.SHORTEN_FROM_FLIT_HOPS
    tasks = [_Task(points[index], detail_directory is not None, shorten_from_flit_hops) for index in order]
    outcomes: list[Outcome | None] = [None] * len(points)
    rejections: list[Rejected] = []
    with contextlib.ExitStack() as stack:
        staging = stack.enter_context(staged_details(detail_directory)) if detail_directory is not None else None
        for num_done, outcome in enumerate(
            stack.enter_context(contextlib.closing(engine.run(measure, tasks))), start=1
        ):
            if isinstance(outcome, Rejected):
                rejections.append(outcome)
            elif isinstance(outcome, Finished) and staging is not None:
                write_details(staging, tasks[outcome.index].point, outcome.value.details)
            outcomes[order[outcome.index]] = outcome
            on_progress(num_done)
        if rejections:
            first = min(rejections, key=lambda rejected: rejected.index)
            raise InputError(f"{tasks[first.index].point.describe()}: {first.message}")
    return _in_order(points, outcomes)


def _in_order(points: Sequence[Point], outcomes: Sequence[Outcome | None]) -> Measurements:
    measurements = Measurements()
    for point, outcome in zip(points, outcomes, strict=True):
        if isinstance(outcome, Finished):
            measurements.rows += [{**row, "revision": revision()} for row in outcome.value.rows]
            measurements.costs.append(PointCost(point, outcome.value.cost))
        elif isinstance(outcome, Crashed):
            measurements.crashes.append(Crash(point, outcome.reason))
        else:  # the engine broke its contract; a point without any outcome must not go unnoticed
            measurements.crashes.append(Crash(point, "no outcome"))
    return measurements
