"""Content of a suite's test: the common interface of kernel programs and tables of flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from nocbench.checks.allowances import Allowance
    from nocbench.checks.findings import Finding
    from nocbench.points.own_run import OwnRun
    from nocbench.programs.execution import Machine


class Content(Protocol):
    """Content of a test, as its file describes it."""

    @property
    def adds_up_cores(self) -> bool:
        """True if a result row has the total bandwidth of all cores, each with a link of its own."""

    @property
    def definition(self) -> Any:  # noqa: ANN401 - any JSON value
        """Part of the content that the suite's own file may contain."""

    def targets(self) -> tuple[Sequence[str], str]:
        """Returns the architectures and the board that the content names, or empty ones.

        Raises InputError for mistakes.
        """

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> Runnable:
        """Returns the content for a machine, with parameters set. Raises InputError with all mistakes in it."""


class Runnable(Protocol):
    """Content of a test on a machine."""

    @property
    def about(self) -> str:
        """Description in the content's file; may be empty."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """Values of the column `kernel` in result rows."""

    @property
    def num_links(self) -> int:
        """Maximum number of links whose bandwidth a result row adds up."""

    @property
    def parameters(self) -> Mapping[str, int]:
        """Parameters of the content, by name."""

    @property
    def files(self) -> set[Path]:
        """All files on which results depend, except those in trees."""

    @property
    def trees(self) -> set[Path]:
        """Trees of tt-metal on which results depend."""

    @property
    def compiler(self) -> str:
        """Name and version of the kernels' compiler; empty if no kernel is compiled.

        Raises InputError without a compiler.
        """

    def findings(self, checks: Collection[str]) -> tuple[list[Finding], list[Allowance]]:
        """Runs it with checks. Returns what they find, and the comments that silence some.

        Raises:
            InputError: as :meth:`run`, or a check that it cannot have.
        """

    def run(self, *, swept: Collection[str], trace_records: int) -> OwnRun:
        """Runs it.

        Args:
            swept: parameters that result rows always name.
            trace_records: maximum number of recorded events of each kind; 0: no recording.

        Raises:
            InputError: the content is invalid, or does not fit the machine.
        """
