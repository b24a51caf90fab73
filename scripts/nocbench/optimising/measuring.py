"""Measurement of many tables of flows, in a number of processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from nocbench.flow_tables.execution import run_flow_table
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.flow_tables.execution import FlowTableRun
    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.programs.execution import Machine
    from nocbench.running.engines.engine import Engine


class Score(NamedTuple):
    """Score of a table; smaller is better.

    Attributes:
        cycles: duration from the start of the run to the end of the last flow.
        sum_of_ends: sum over all flows, in cycles. The sum distinguishes tables whose last flows end in the same cycle.
    """

    cycles: float
    sum_of_ends: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """Result of a table.

    Attributes:
        score: None if the table could not be run.
        waits: cycles of all RISCs by cause.
        groups: by group of flows: cycles from the first start to the last end, and the limiter.
        board: board of the run.
        fault: the first fault of the data, or the reason why the table could not be run; empty without either.
    """

    score: Score | None
    waits: dict[str, float] = field(default_factory=dict)
    groups: dict[str, tuple[float, str]] = field(default_factory=dict)
    board: str = ""
    fault: str = ""

    @property
    def cycles(self) -> float:
        """Cycles from the start of the run to the end of the last flow.

        Raises ValueError if the table could not be run.
        """
        if self.score is None:
            raise ValueError(self.fault)
        return self.score.cycles


def measure_all(tables: Sequence[FlowTable], machine: Machine, engine: Engine) -> list[Measurement]:
    """Measures tables on new devices. Returns the results in the order of the tables."""
    from nocbench.running.engines.engine import Finished, Rejected

    measurements = {}
    for outcome in engine.run(_measure, [(table, machine) for table in tables]):
        if isinstance(outcome, Finished):
            measurements[outcome.index] = outcome.value
        else:
            reason = outcome.message if isinstance(outcome, Rejected) else outcome.reason
            measurements[outcome.index] = Measurement(None, fault=reason)
    return [measurements[index] for index in range(len(tables))]


def _measure(task: tuple[FlowTable, Machine]) -> Measurement:
    try:
        return _measurement(run_flow_table(*task))
    except InputError as error:  # an impossible table does not end a search
        return Measurement(None, fault=str(error))


def _measurement(run: FlowTableRun) -> Measurement:
    table = run.table
    waits: dict[str, float] = {}
    for core in run.result["cores"]:
        for cause, cycles in core["waits"].items():
            waits[cause] = waits.get(cause, 0.0) + cycles
    times: dict[str, list[tuple[float, float]]] = {}
    for flow, flow_times in zip(table.flows, run.flow_times, strict=True):
        times.setdefault(table.groups[flow.group], []).append(flow_times)
    limiters: dict[str, str] = {}
    for row in sorted(run.rows, key=lambda row: float(row["latency_cycles"])):  # last: the longest row of a group
        limiters[str(row["kernel"]).rsplit(", NoC ", 1)[0]] = str(row["limiter"])
    groups = {
        name: (max(end for _, end in of_name) - min(begin for begin, _ in of_name), limiters.get(name, ""))
        for name, of_name in times.items()
    }
    score = Score(run.cycles, sum(end for _, end in run.flow_times))
    return Measurement(score, waits, groups, str(run.rows[0]["board"]), run.fault)
