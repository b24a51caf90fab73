"""Runs of tables of flows on a modeled chip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.checks.findings import access_of, finding_of
from nocbench.extension import input_errors
from nocbench.flow_tables.work import require_time
from nocbench.points.own_run import OwnRun
from nocbench.points.point import Point
from nocbench.points.point_results import PointTrace
from nocbench.programs.execution import CYCLES_MAX

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nocbench.checks.findings import Access, Finding
    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.programs.execution import Machine


@dataclass(frozen=True, slots=True)
class FlowTableRun(OwnRun):
    """Run of a table of flows.

    Attributes:
        table: the flows that ran.
        machine: the modeled chip that they ran on.
    """

    table: FlowTable
    machine: Machine

    @property
    def cycles(self) -> float:
        """Cycles from the start of the run to the end of the last flow."""
        return max(end for _, end in self.flow_times)

    @property
    def flow_times(self) -> Sequence[tuple[float, float]]:
        """Cycles of start and end of each flow."""
        times: Sequence[tuple[float, float]] = self.result["flow_times"]
        return times

    def findings(self, events: Sequence[int] = ()) -> list[Finding]:
        """Returns what checks have found.

        Args:
            events: numbers of a trace's events, by flow; empty for a table, whose flows have lines.
        """

        def access(site: Mapping[str, Any]) -> Access:
            flow = site["address"] - 1
            name, line = (f"event {events[flow]}", 0) if events else (site["kernel"], self.table.lines[flow])
            return access_of(site, name, str(self.table.path), line)

        return [finding_of(found, access, lambda _address: "") for found in self.result["findings"]]


def run_flow_table(
    table: FlowTable,
    machine: Machine,
    *,
    cycles_max: int = CYCLES_MAX,
    trace_records: int = 0,
    checks: Collection[str] = (),
) -> FlowTableRun:
    """Runs a table of flows on a new device.

    Args:
        table: the table to run.
        machine: machine for which the table was read.
        cycles_max: limit of the modeled run time.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
        checks: names of checks.

    Raises:
        InputError: the flows do not fit into memory or time, or wait for each other.
    """
    require_time(table, machine, cycles_max)
    where = (machine.arch, machine.board, machine.settings)
    request = table.request(cycles_max, checks)
    with input_errors() as core:
        if trace_records:
            result = core.trace_flow_table(request, *where, trace_records)
        else:
            result = core.run_flow_table(request, *where)
    trace = PointTrace.of(result, trace_records) if trace_records else None
    return FlowTableRun(table, machine, result=result, trace=trace)


def point_of(table: FlowTable, machine: Machine) -> Point:
    """Returns a table as a point of the test named after it."""
    return Point(machine.arch, machine.board, table.name, (), machine.settings)
