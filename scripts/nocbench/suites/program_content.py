"""A kernel program as content of a suite's test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.checks.judgement import findings_of_program, run_checked
from nocbench.compiling.tt_metal import find_tt_metal
from nocbench.programs.program_file import machines_in, program_in
from nocbench.programs.requests import compiler_of
from nocbench.suites.suite_sources import files_of, plain

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.points.yaml_files import YamlFile
    from nocbench.programs.execution import Machine, ProgramRun
    from nocbench.programs.program import ProgramDescription


@dataclass(frozen=True)
class ProgramContent:
    """A program; see :class:`nocbench.suites.content.Content`.

    Attributes:
        file: file of the program, or the part of the suite's file with the program.
        checks: names of the suite's checks.
        folder: folder of the suite, from which findings name files.
    """

    file: YamlFile
    checks: tuple[str, ...] = ()
    folder: Path = Path()
    adds_up_cores = False

    @property
    def definition(self) -> Any:  # noqa: ANN401 - any JSON value
        """The complete program."""
        program = plain(self.file.root)
        return {"checks": list(self.checks), "program": program} if self.checks else program

    def targets(self) -> tuple[Sequence[str], str]:
        """See :meth:`Content.targets`."""
        return machines_in(self._own_file())

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> RunnableProgram:
        """See :meth:`Content.on`."""
        return RunnableProgram(
            self.file, program_in(self._own_file(), machine, parameters), machine, self.checks, self.folder
        )

    def _own_file(self) -> YamlFile:
        """Returns the file without mistakes from an earlier reading."""
        return self.file.part(self.file.root)


@dataclass(frozen=True)
class RunnableProgram:
    """A program on a machine; see :class:`nocbench.suites.content.Runnable`.

    Attributes:
        file: file of the program.
        program: description of the program, with parameters set.
        machine: machine for the run.
        checks: names of checks.
        folder: folder of the suite, from which findings name files.
    """

    file: YamlFile
    program: ProgramDescription
    machine: Machine
    checks: tuple[str, ...] = ()
    folder: Path = Path()
    num_links = 1

    @property
    def about(self) -> str:
        """See :attr:`Runnable.about`."""
        return self.program.about

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of the kernels."""
        return tuple(kernel.name for kernel in self.program.kernels)

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters of the program, without those of the machine."""
        return {name: self.program.parameters[name] for name in self.program.own_parameters}

    @property
    def files(self) -> set[Path]:
        """File, data and kernels of the program, and headers that these include."""
        return files_of(self.program, self.file.path, self.file.root)

    @property
    def trees(self) -> set[Path]:
        """See :attr:`Runnable.trees`."""
        tree = self.program.options.tt_metal
        return set() if tree is None else {find_tt_metal(tree).root}

    @property
    def compiler(self) -> str:
        """See :attr:`Runnable.compiler`."""
        return compiler_of(self.program)

    def findings(self, checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
        """See :meth:`Runnable.findings`."""
        return findings_of_program(self.program, self.machine, checks)

    def run(self, *, swept: Collection[str], trace_records: int) -> ProgramRun:
        """See :meth:`Runnable.run`."""
        named = {
            name: value for name, value in self.parameters.items() if name in swept or name in self.program.changed
        }
        program = replace(self.program, changed=named)
        return run_checked(program, self.machine, self.checks, self.folder, trace_records=trace_records)
