"""A table of flows as content of a suite's test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.checks.choice import parse_checks_of_flows
from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import read_flow_table, targets_of
from nocbench.suites.suite_sources import normal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.flow_tables.execution import FlowTableRun
    from nocbench.flow_tables.flow_table import FlowTable
    from nocbench.programs.execution import Machine


@dataclass(frozen=True)
class FlowContent:
    """A table of flows; see :class:`nocbench.suites.content.Content`.

    Attributes:
        path: path of the table.
    """

    path: Path
    adds_up_cores = True
    definition = "flows"

    def targets(self) -> tuple[Sequence[str], str]:
        """See :meth:`Content.targets`."""
        return targets_of(self.path)

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> RunnableFlows:  # noqa: ARG002 - no parameters
        """See :meth:`Content.on`."""
        return RunnableFlows(*read_flow_table(self.path, machine))


@dataclass(frozen=True)
class RunnableFlows:
    """A table of flows on a machine; see :class:`nocbench.suites.content.Runnable`.

    Attributes:
        table: table of the flows.
        machine: machine for the run.
    """

    table: FlowTable
    machine: Machine
    about = ""
    compiler = ""

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of the groups of flows, with the NoC if a group uses both."""
        return tuple(self.table.cores_of_rows())

    @property
    def num_links(self) -> int:
        """Maximum number of cores in a result row: each core has a link of its own."""
        return max(map(len, self.table.cores_of_rows().values()))

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters: none."""
        return {}

    @property
    def files(self) -> set[Path]:
        """File of the table."""
        return {normal(self.table.path)}

    @property
    def trees(self) -> set[Path]:
        """Empty: flows depend on no tree of tt-metal."""
        return set()

    def findings(self, checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
        """See :meth:`Runnable.findings`."""
        possible = parse_checks_of_flows(",".join(sorted(checks)))
        return run_flow_table(self.table, self.machine, checks=possible).findings(), []

    def run(self, *, swept: Collection[str], trace_records: int) -> FlowTableRun:  # noqa: ARG002 - no parameters
        """See :meth:`Runnable.run`."""
        return run_flow_table(self.table, self.machine, trace_records=trace_records)
