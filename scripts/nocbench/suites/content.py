"""The content of a suite's test: the common interface of kernel programs and tables of flows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from nocbench.one_point.point_files import FileRun
    from nocbench.programs.execution import Machine


class Content(Protocol):
    """Content of a test, as its file describes it."""

    @property
    def adds_up_cores(self) -> bool:
        """True if a result row has the bandwidth of all its cores together, each with a link of its own."""

    @property
    def definition(self) -> Any:  # noqa: ANN401 - as JSON has it
        """The part of it that may stand in the suite's own file."""

    def targets(self) -> tuple[Sequence[str], str]:
        """Returns the architectures and the board that it names, or empty ones. Raises InputError for mistakes."""

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> Runnable:
        """Reads it for a machine, with parameters set. Raises InputError with all mistakes in it."""


class Runnable(Protocol):
    """Content of a test on one machine."""

    @property
    def about(self) -> str:
        """Description in its file; may be empty."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """Values of the column `kernel` in its result rows."""

    @property
    def num_links(self) -> int:
        """Most links whose bandwidth a result row adds up."""

    @property
    def parameters(self) -> Mapping[str, int]:
        """Its parameters by name."""

    @property
    def files(self) -> set[Path]:
        """All files that its results depend on, except those in trees."""

    @property
    def trees(self) -> set[Path]:
        """Trees of tt-metal that its results depend on."""

    @property
    def compiler(self) -> str:
        """Name and version of the compiler of its kernels; empty if none are compiled. InputError if there is none."""

    def run(self, *, swept: Collection[str], trace_records: int) -> FileRun:
        """Runs it.

        Args:
            swept: parameters that result rows always name.
            trace_records: most events to record of each kind; 0: none.

        Raises:
            InputError: it makes no sense, or does not fit.
        """
