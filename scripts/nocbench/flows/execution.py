"""Runs of tables of flows on a modeled chip."""

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
    """Run of a table of flows, with its results.

    Attributes:
        table: table of the flows.
        machine: modeled chip that ran the flows.
        result: complete result of the simulator: see run_flow_table in nocbench/_core.pyi.
        trace: recorded events; None without recording.
    """

    table: FlowTable
    machine: Machine
    result: Mapping[str, Any]
    trace: PointTrace | None = None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Result rows, one per group of flows and NoC."""
        return list(self.result["rows"])

    @property
    def fault(self) -> str:
        """The first fault of the data; empty if all data are right."""
        return next((fault for fault in self.result["data_faults"] if fault), "")

    @property
    def cycles(self) -> float:
        """Cycles from the start of the run to the end of the last flow."""
        return max(end for _, end in self.flow_times)

    @property
    def flow_times(self) -> Sequence[tuple[float, float]]:
        """Cycles of start and end of each flow."""
        times: Sequence[tuple[float, float]] = self.result["flow_times"]
        return times

    def traced(self) -> PointTrace:
        """Returns the recorded events. Raises ValueError without recording."""
        if self.trace is None:
            raise ValueError("nothing was recorded")
        return self.trace

    def point_result(self) -> simulator.PointResult:
        """Returns the run as the result of a point."""
        return simulator.PointResult(**{field.name: self.result[field.name] for field in fields(simulator.PointResult)})


def run_flow_table(
    table: FlowTable, machine: Machine, *, cycles_max: int = CYCLES_MAX, trace_records: int = 0
) -> FlowTableRun:
    """Runs a table of flows on a new device.

    Args:
        table: the table to run.
        machine: machine for which the table was read.
        cycles_max: limit of the modeled run time.
        trace_records: maximum number of recorded events of each kind; 0: no recording.

    Raises:
        InputError: the flows do not fit into memory or time, or wait for each other.
    """
    require_time(table, machine, cycles_max)
    where = (machine.arch, machine.board, machine.settings)
    result = simulator.run_flow_table(table.request(cycles_max), *where, trace_records)
    return FlowTableRun(table, machine, result, simulator.to_trace(result, trace_records) if trace_records else None)


def point_of(table: FlowTable, machine: Machine) -> Point:
    """Returns a table as a point of the test named after it."""
    return Point(machine.arch, machine.board, table.name, (), machine.settings)
