"""What a test of a suite runs: the interface that programs of kernels and tables of flows have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from nocbench.one_point.point_files import FileRun
    from nocbench.programs.execution import Machine


class Content(Protocol):
    """What a test runs, as its file says."""

    @property
    def adds_up_cores(self) -> bool:
        """Whether a result row has the bandwidth of all its cores together, each with a link of its own."""

    @property
    def definition(self) -> Any:  # noqa: ANN401 - as JSON has it
        """What of it may stand in the file of the suite itself."""

    def targets(self) -> tuple[Sequence[str], str]:
        """Architectures and a board that it is for; empty where it does not say. Raises InputError for mistakes."""

    def on(self, machine: Machine, parameters: Mapping[str, str]) -> Runnable:
        """Reads it for a machine, with some parameters set. Raises InputError with all mistakes in it."""


class Runnable(Protocol):
    """What a test runs on one machine."""

    @property
    def about(self) -> str:
        """What its file says of it in a sentence; may be empty."""

    @property
    def row_names(self) -> tuple[str, ...]:
        """What the column `kernel` of its result rows has."""

    @property
    def num_links(self) -> int:
        """The most links whose bandwidth a result row adds up."""

    @property
    def parameters(self) -> Mapping[str, int]:
        """Its parameters by name."""

    @property
    def files(self) -> set[Path]:
        """All files that its results depend on, but for those of trees."""

    @property
    def trees(self) -> set[Path]:
        """Trees of tt-metal that its results depend on."""

    @property
    def compiler(self) -> str:
        """What compiles its kernels, by name and version; empty if none are compiled. InputError: there is none."""

    def run(self, *, swept: Collection[str], trace_records: int) -> FileRun:
        """Runs it.

        Args:
            swept: parameters that result rows name whatever their value is.
            trace_records: how much is recorded of what happened when; 0: nothing.

        Raises:
            InputError: it makes no sense, or does not fit.
        """
