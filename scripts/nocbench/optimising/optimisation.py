"""Optimisation of a table of flows: a search with the fast model, then exact runs of finalists."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nocbench.optimising.measuring import measure_all
from nocbench.optimising.search import Search
from nocbench.points.accuracy import with_fast
from nocbench.support.errors import InputError
from nocbench.support.progress import ProgressReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.optimising.measuring import Measurement, Score
    from nocbench.optimising.variations import Variations
    from nocbench.programs.execution import Machine


@dataclass(frozen=True, slots=True)
class Candidate:
    """A table that ran in the fast and in the exact model.

    Attributes:
        name: "start", or "finalist" with its number.
        table: table with the flows.
        changes: differences from the start, in words.
        fast_cycles: cycles in the fast model; None if wrong data arrived.
        exact: result in the exact model.
    """

    name: str
    table: FlowTable
    changes: Sequence[str]
    fast_cycles: float | None
    exact: Measurement


@dataclass(frozen=True, slots=True)
class Optimisation:
    """Result of a search.

    Attributes:
        machine: machine of the runs.
        seed: seed of the search.
        num_runs: number of tables that ran in the fast model.
        num_impossible: number of tables that could not be run.
        start: the unchanged table.
        finalists: best tables by the fast model, best first.
    """

    machine: Machine
    seed: int
    num_runs: int
    num_impossible: int
    start: Candidate
    finalists: Sequence[Candidate]

    @property
    def best(self) -> Candidate:
        """Candidate with the fewest cycles in the exact model; the start unless a finalist takes fewer."""
        gains = [
            candidate
            for candidate in self.finalists
            if candidate.exact.score is not None
            and not candidate.exact.fault
            and candidate.exact.cycles < self.start.exact.cycles
        ]
        return min(gains, key=lambda candidate: candidate.exact.cycles, default=self.start)


def optimise(
    table: FlowTable,
    machine: Machine,
    variations: Variations,
    *,
    num_runs: int,
    num_finalists: int,
    seed: int,
    jobs: int | None,
) -> Optimisation:
    """Searches for a faster table. The result depends on the seed, but not on `jobs`.

    Args:
        table: table that the search starts from.
        machine: machine of the exact runs.
        variations: variations of the table.
        num_runs: maximum number of tables to run in the fast model, including the start; at least 2.
        num_finalists: number of best tables to run exactly, besides the start.
        seed: seed of the search.
        jobs: number of worker processes, as for :func:`nocbench.running.engines.make_engine`.

    Raises:
        InputError: the unchanged table cannot be run.
    """
    from nocbench.running.engines import make_engine

    fast = replace(machine, settings=with_fast(machine.settings))
    engine = make_engine(jobs, num_runs)
    num_done = 0

    def evaluate(tables: Sequence[FlowTable]) -> list[Score | None]:
        nonlocal num_done
        measurements = measure_all(tables, fast, engine)
        if not num_done and measurements[0].score is None:  # the first table is the start
            raise InputError(measurements[0].fault)
        num_done += len(tables)
        progress.update(num_done)
        return [None if measurement.fault else measurement.score for measurement in measurements]

    search = Search(variations, evaluate)
    announcement = f"searching among at most {num_runs} tables in {engine.description}"
    with ProgressReport(announcement, "tables", num_runs) as progress:
        search.run(num_runs, seed)
    found = [variations.start, *search.best(num_finalists)]
    tables = [variations.table(genes) or table for genes in found]
    measured = measure_all(tables, machine, make_engine(jobs, len(tables)))
    if measured[0].score is None:
        raise InputError(measured[0].fault)
    candidates = [
        Candidate(
            f"finalist {number}" if number else "start",
            its_table,
            variations.describe(genes),
            search.cycles(its_table),
            exact,
        )
        for number, (its_table, genes, exact) in enumerate(zip(tables, found, measured, strict=True))
    ]
    num_impossible = sum(score is None for score in search.scores.values())
    return Optimisation(machine, seed, len(search.scores), num_impossible, candidates[0], candidates[1:])
