"""Runs a table of flows on a modeled chip."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from nocbench.flows.work import require_time
from nocbench.points import simulator
from nocbench.points.point import Point
from nocbench.programs.execution import CYCLES_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.flows.flow_table import FlowTable
    from nocbench.points.simulator import PointTrace
    from nocbench.programs.execution import Machine


@dataclass(frozen=True, slots=True)
class FlowTableRun:
    """What a table of flows did.

    Attributes:
        table: what ran.
        machine: where.
        result: all that the simulator said: see run_flow_table in nocbench/_core.pyi.
        trace: what happened when, if that was recorded.
    """

    table: FlowTable
    machine: Machine
    result: Mapping[str, Any]
    trace: PointTrace | None = None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A result row for each name of flows and NoC."""
        return list(self.result["rows"])

    @property
    def fault(self) -> str:
        """What was wrong first with the data; empty if they are right."""
        return next((fault for fault in self.result["data_faults"] if fault), "")

    @property
    def cycles(self) -> float:
        """From the start of the run to the end of the last flow."""
        return max(end for _, end in self.flow_times)

    @property
    def flow_times(self) -> Sequence[tuple[float, float]]:
        """Of each flow: the cycle of its start, and that of its end."""
        times: Sequence[tuple[float, float]] = self.result["flow_times"]
        return times

    def traced(self) -> PointTrace:
        """What happened when. Raises ValueError if it was not recorded."""
        if self.trace is None:
            raise ValueError("nothing was recorded")
        return self.trace

    def point_result(self) -> simulator.PointResult:
        """As of a point of a test."""
        return simulator.PointResult(**{field.name: self.result[field.name] for field in fields(simulator.PointResult)})


def run_flow_table(
    table: FlowTable, machine: Machine, *, cycles_max: int = CYCLES_MAX, trace_records: int = 0
) -> FlowTableRun:
    """Runs a table on a fresh device.

    Args:
        table: what to run.
        machine: where; it is the one that the table was read for.
        cycles_max: what it may take.
        trace_records: how much is recorded of what happened when; 0: nothing.

    Raises:
        InputError: the flows do not fit into memory or time, or wait for each other.
    """
    require_time(table, machine, cycles_max)
    where = (machine.arch, machine.board, machine.settings)
    result = simulator.run_flow_table(table.request(cycles_max), *where, trace_records)
    return FlowTableRun(table, machine, result, simulator.to_trace(result, trace_records) if trace_records else None)


def point_of(table: FlowTable, machine: Machine) -> Point:
    """A table as a point of a test of its name."""
    return Point(machine.arch, machine.board, table.name, (), machine.settings)
