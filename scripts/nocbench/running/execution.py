"""Runs of points on an engine, with result rows in order."""

from __future__ import annotations

import contextlib
import json
import platform
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.files import architecture_files, digest_of_added, has_changed
from nocbench.compiling.choice import chosen_compiler, compiled_by
from nocbench.points.refusals import parameter_mistakes
from nocbench.points.simulation import shared_runs, shortening
from nocbench.running.details import details_of, staged_details, write_details
from nocbench.running.engines.engine import Crashed, Engine, Finished, Outcome, Rejected
from nocbench.running.outcomes import Crash, Measured
from nocbench.running.remaining_work import RemainingWork, sampled_first
from nocbench.running.running_costs import PointCost, measured
from nocbench.support.columns import SIMULATED_TRANSACTIONS, changed_values
from nocbench.support.errors import InputError, PointRejectedError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from pathlib import Path

    from nocbench._core import SharedRuns
    from nocbench.points.point import Point
    from nocbench.running.journal import Journal
    from nocbench.running.kept_points import KeptPoints
    from nocbench.support.columns import Row

_FEWEST_TO_SHORTEN = 8
"""Minimum transactions of points that can be shortened; see kernels/frame/steady_state.cpp."""
_LARGEST_FAMILY = 8
_FEWEST_FAMILIES = 8


@dataclass(slots=True)
class Measurements:
    """Results of a run.

    Attributes:
        rows: result rows of finished points, in the order of points.
        data_faults: first fault of the data, by row; empty if all data are right.
        row_counts: number of rows by point, in order; 0 for an unfinished point.
        crashes: points that did not finish.
        costs: costs of finished points, in order. Costs are the only values that differ between equal runs.
    """

    rows: list[Row] = field(default_factory=list)
    data_faults: list[str] = field(default_factory=list)
    row_counts: list[int] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)
    costs: list[PointCost] = field(default_factory=list)


class _Task(NamedTuple):
    """Points that run one after the other: a single point, or several that differ only in the number of transactions.

    Attributes:
        points: the points.
        with_details: True if their details are wanted.
        shorten_from_flit_hops: see :func:`nocbench.points.simulation.run_point`.
        is_kept: True if results are kept for later runs.
        compiler: compiler that the user chose for all kernels, or None.
        compiler_label: label of the kernels' compiler on the calling machine; empty if no kernel is compiled.
        architecture: digest of the user's own architecture file, as read by the caller; empty for other architectures.
    """

    points: tuple[Point, ...]
    with_details: bool
    shorten_from_flit_hops: float | None
    is_kept: bool
    compiler: Path | None = None
    compiler_label: str = ""
    architecture: str = ""


def measure(task: _Task) -> list[Measured]:
    """Runs the points of a task, in any process."""
    with compiled_by(task.compiler):
        measured = _measure(task)
    arch = task.points[0].arch
    if has_changed(arch, task.architecture):
        raise PointRejectedError(f"{architecture_files(arch)[0]} or its base changed while it ran; run it again")
    return measured


def _measure(task: _Task) -> list[Measured]:
    first = task.points[0]
    label = first.catalogue.compiler_of(first.test)
    if label != task.compiler_label:
        raise PointRejectedError(
            f"{first.describe()}: expected {task.compiler_label}, as on the machine that asks, to compile its kernels, "
            f"found {label} on {platform.node()}"
        )
    runs = shared_runs() if len(task.points) > 1 else None
    if not task.is_kept:
        return [_measure_point(point, task, runs) for point in task.points]
    from nocbench.compiling.cache import noted_files
    from nocbench.running.inputs import Keys, kernel_files

    with noted_files() as noted:
        measured = [_measure_point(point, task, runs) for point in task.points]
    kernels = ""
    if noted:
        files = kernel_files(task.points[0])
        if files is None or not files.cover(noted):
            return measured
        kernels = files.digest
    keys = Keys(shorten_from_flit_hops=task.shorten_from_flit_hops, with_details=task.with_details)
    return [
        result._replace(key=keys.of(point), kernels=kernels)
        for result, point in zip(measured, task.points, strict=True)
    ]


def _measure_point(point: Point, task: _Task, runs: SharedRuns | None) -> Measured:
    with measured() as cost:
        try:
            result = point.catalogue.run_point(
                point,
                shorten_from_flit_hops=task.shorten_from_flit_hops,
                runs=runs,
                counts_packets=task.with_details,
            )
        except InputError as error:
            raise PointRejectedError(f"{point.describe()}: {error}") from None
        cost.flit_hops = result.flit_hops
        cost.shortened = int(any(SIMULATED_TRANSACTIONS in changed_values(row["params"]) for row in result.rows))
        details = json.dumps(details_of(point, result), sort_keys=True) + "\n" if task.with_details else ""
    return Measured(result.rows, result.data_faults, details, cost)


def _families(points: Sequence[Point], order: Sequence[int]) -> list[list[int]]:
    """Groups positions of points that can share runs of few transactions for prediction.

    Such points differ only in the number of transactions, and several of them are long enough for prediction. Large
    groups, and all groups if there are few, are split, since they would leave workers idle.
    """
    families: dict[Hashable, list[int]] = {}
    for position in order:
        families.setdefault(points[position].family(), []).append(position)
    if len(families) < _FEWEST_FAMILIES:
        return [[position] for position in order]

    def shares_runs(family: Sequence[int]) -> bool:
        num_long = sum(points[position].num_transactions() >= _FEWEST_TO_SHORTEN for position in family)
        return num_long > 1 and len(family) <= _LARGEST_FAMILY

    sharing = {position: family for family in families.values() if shares_runs(family) for position in family}
    return [
        sharing.get(position, [position])
        for position in order
        if position not in sharing or position == sharing[position][0]
    ]


def run_points(
    points: Sequence[Point],
    engine: Engine,
    *,
    whole: bool = False,
    detail_directory: Path | None = None,
    on_progress: Callable[[int, Callable[[], float]], None] = lambda _number, _ratio: None,
    journal: Journal | None = None,
    kept: KeptPoints | None = None,
) -> Measurements:
    """Runs every point.

    Args:
        points: points to run, in the order of the result rows.
        engine: engine that runs the points, without influence on results.
        whole: True to simulate all transactions of long points, even if they repeat.
        detail_directory: directory for a file per point with its cores and links, or None.
        on_progress: called with the number of finished points, without those from the journal, and with a function that
            returns the ratio of remaining to finished work.
        journal: journal with finished points of an earlier start, which records points that finish now.
        kept: cache with results of earlier runs, which keeps results of points that finish now.

    Raises:
        PointRejectedError: the simulator refuses a point; the error is about the first one in order of work, on any
            engine.
    """
    of_earlier_runs = {} if kept is None else kept.taken
    taken = of_earlier_runs | ({} if journal is None else journal.taken)
    outcomes: list[Outcome | None] = [
        Finished(position, taken[position]) if position in taken else None for position in range(len(points))
    ]
    # Long points first, so that all workers finish at about the same time.
    order = sorted(
        (position for position in range(len(points)) if position not in taken),
        key=lambda position: (-points[position].relative_cost, position),
    )
    shorten_from_flit_hops = shortening(whole=whole)
    families = [[position] for position in order] if whole else _families(points, order)
    families, sample = sampled_first(points, families)
    remaining = RemainingWork(points, order, sample)
    catalogues = {points[position].test: points[position].catalogue for position in order}
    compilers = {test: catalogue.compiler_of(test) for test, catalogue in catalogues.items()}
    num_done = 0
    with contextlib.ExitStack() as stack:
        staging = None
        if detail_directory is not None:
            name = "" if journal is None else journal.staging_name
            staging = stack.enter_context(staged_details(detail_directory, name))
            for position, value in of_earlier_runs.items():
                write_details(staging, points[position], value.details)
        while families:
            tasks = [
                _Task(
                    tuple(points[position] for position in family),
                    detail_directory is not None,
                    shorten_from_flit_hops,
                    is_kept=kept is not None,
                    compiler=chosen_compiler(),
                    compiler_label=compilers[points[family[0]].test],
                    architecture=digest_of_added(points[family[0]].arch),
                )
                for family in families
            ]
            rejections: list[Rejected] = []
            alone: list[list[int]] = []
            for outcome in stack.enter_context(contextlib.closing(engine.run(measure, tasks))):
                family = families[outcome.index]
                if isinstance(outcome, Rejected):
                    rejections.append(outcome)
                elif isinstance(outcome, Finished):
                    for position, value in zip(family, outcome.value, strict=True):
                        if staging is not None:
                            write_details(staging, points[position], value.details)
                        if journal is not None:
                            journal.record(points[position], value)
                        if kept is not None:
                            kept.keep(position, value)
                        outcomes[position] = Finished(position, value)
                        remaining.note(position, value.cost.cpu_seconds)
                elif len(family) > 1:  # run points one by one to find the crashing one
                    alone += [[position] for position in family]
                    continue
                else:
                    outcomes[family[0]] = outcome
                    remaining.note(family[0], None)
                for _ in family:
                    num_done += 1
                    on_progress(num_done, remaining.ratio)
            if rejections:
                first = min(rejections, key=lambda rejected: rejected.index)
                rejected = [points[position] for position in families[first.index]]
                raise PointRejectedError(_all_mistakes(first.message, rejected, points))
            families = alone
    return _in_order(points, outcomes)


def _all_mistakes(message: str, rejected: Sequence[Point], points: Sequence[Point]) -> str:
    """Returns the message about a rejected point, with the simulator's other complaints about the points."""
    point = next((point for point in rejected if message.startswith(f"{point.describe()}: ")), None)
    if point is None:
        return message
    refused = message.removeprefix(f"{point.describe()}: ")
    return "\n".join([message, *parameter_mistakes([point, *points], after=refused)])


def _in_order(points: Sequence[Point], outcomes: Sequence[Outcome | None]) -> Measurements:
    measurements = Measurements()
    for point, outcome in zip(points, outcomes, strict=True):
        if isinstance(outcome, Finished):
            measurements.rows += [{**row, "revision": point.catalogue.revision()} for row in outcome.value.rows]
            measurements.data_faults += outcome.value.data_faults
            measurements.row_counts.append(len(outcome.value.rows))
            measurements.costs.append(PointCost(point, outcome.value.cost))
        elif isinstance(outcome, Crashed):
            measurements.crashes.append(Crash(point, outcome.reason))
        else:  # the engine broke its contract: report the point
            measurements.crashes.append(Crash(point, "no outcome"))
        if not isinstance(outcome, Finished):
            measurements.row_counts.append(0)
    return measurements
