"""A host program of tt-metal as content of a suite's test."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.checks.allowances import judged
from nocbench.checks.judgement import error_with_findings, mark_findings
from nocbench.compiling.choice import chosen_compiler
from nocbench.compiling.toolchain import find_toolchain
from nocbench.host.building import HostRequest
from nocbench.host.running import HostOptions, run_host_program
from nocbench.points.own_run import OwnRun
from nocbench.suites.suite_sources import files_of_host_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.host.running import HostRun
    from nocbench.programs.execution import Machine


@dataclass(frozen=True)
class HostContent:
    """A host program; see :class:`nocbench.suites.content.Content`.

    Attributes:
        sources: its sources.
        checks: names of the suite's checks.
        folder: folder of the suite, from which findings name files.
    """

    sources: tuple[Path, ...]
    checks: tuple[str, ...] = ()
    folder: Path = Path()
    adds_up_cores = False

    @property
    def definition(self) -> Any:  # noqa: ANN401 - any JSON value
        """Names of the sources, which have the content."""
        return {"checks": list(self.checks), "host": [source.name for source in self.sources]}

    def targets(self) -> tuple[Sequence[str], str]:
        """See :meth:`Content.targets`: a host program runs on all machines."""
        return [], ""

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> RunnableHostProgram:  # noqa: ARG002 - none
        """See :meth:`Content.on`."""
        return RunnableHostProgram(self.sources, machine, self.checks, self.folder)


@dataclass(frozen=True)
class RunnableHostProgram:
    """A host program on a machine; see :class:`nocbench.suites.content.Runnable`.

    Attributes:
        sources: its sources.
        machine: machine for the run.
        checks: names of checks.
        folder: folder of the suite, from which findings name files.
    """

    sources: tuple[Path, ...]
    machine: Machine
    checks: tuple[str, ...] = ()
    folder: Path = Path()
    about = ""
    num_links = 1
    row_names = ()  # known after a run

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters: none."""
        return {}

    @property
    def files(self) -> set[Path]:
        """Sources, kernels that they name, and headers that these include."""
        return files_of_host_program(self.sources)

    @property
    def trees(self) -> set[Path]:
        """Empty: nocbench has the headers."""
        return set()

    @property
    def compiler(self) -> str:
        """See :attr:`Runnable.compiler`."""
        return find_toolchain(chosen_compiler()).label

    def findings(self, checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
        """See :meth:`Runnable.findings`."""
        return judged(self._run(checks, 0).checked, checks)

    def run(self, *, swept: Collection[str], trace_records: int) -> OwnRun:  # noqa: ARG002 - no parameters
        """See :meth:`Runnable.run`. Rows name a kernel and, if there are several programs, the program's number."""
        run = self._run(self.checks, trace_records)
        if not run.programs:
            raise InputError(f"{self.sources[0]}: expected to enqueue a program, found none")
        for program in run.programs:
            for row in program.rows:
                row["kernel"] += f" of {program.runtime_id}" if len(run.programs) > 1 else ""
                row["data_ok"] = row["data_ok"] and run.status == 0
        fault = f"{self.sources[0].name}: expected exit status 0, found {run.status}" if run.status else ""
        result = {**run.programs[0].result, "rows": run.rows, "data_faults": [fault] * len(run.rows)}
        mark_findings(result, judged(run.checked, self.checks)[0], self.folder)
        return OwnRun(result=result, trace=run.programs[0].trace)

    def _run(self, checks: Collection[str], trace_records: int) -> HostRun:
        options = HostOptions(checks=checks, trace_records=trace_records)
        run = run_host_program(HostRequest(self.sources), self.machine, options)
        if run.failure:
            raise error_with_findings(run.failure, run.checked, checks)
        return run
