"""Runs of what users bring: programs of kernels, and tables of flows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.points.point_results import PointResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from nocbench.compiling.source_map import SourceMap
    from nocbench.points.point_results import PointTrace


TEST_ID = "Test id"
"""Name under which kernels of tt-metal's tests record their id for the profiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """Run of a program or table, with its results.

    Attributes:
        result: the whole result of the simulator, as in nocbench/_core.pyi.
        trace: recorded events, if any were recorded.
    """

    result: Mapping[str, Any]
    trace: PointTrace | None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A result row for each kernel, or for each name of flows and NoC."""
        rows: list[dict[str, Any]] = self.result["rows"]
        return rows

    @property
    def fault(self) -> str:
        """The first fault of the data; empty if they are right."""
        return next((fault for fault in self.result["data_faults"] if fault), "")

    def traced(self) -> PointTrace:
        """Returns the recorded events. Raises ValueError if none were recorded."""
        if self.trace is None:
            raise ValueError("nothing was recorded")
        return self.trace

    def point_result(self) -> PointResult:
        """Returns the run as the result of a point."""
        return PointResult.of(self.result)


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelsRun(OwnRun):
    """Run of compiled kernels.

    Attributes:
        kernels: results of each kernel on each core: see run_compiled_program in nocbench/_core.pyi.
    """

    kernels: list[dict[str, Any]]

    def recorded(self, name: str, kernel: str = "") -> list[int]:
        """Returns the values that all kernels, or those of one name, have recorded for the profiler as `name`."""
        return [
            value
            for each in self.kernels
            if kernel in ("", each["name"])
            for what, value, _ in each["recorded"]
            if what == name
        ]

    @property
    def warnings(self) -> list[str]:
        """Lines of kernels that the device may run, and that are likely to be mistakes. Each once, with its cores."""
        return warnings_of([self])

    def source_of(self, name: str) -> Path:
        """Returns the source of a kernel."""
        raise NotImplementedError

    def source_map_of(self, name: str) -> SourceMap:
        """Returns the source line of each instruction of a kernel."""
        raise NotImplementedError


def warnings_of(runs: Iterable[KernelsRun]) -> list[str]:
    """Returns the warnings of runs. Each once, with its first kernel and how many others it concerns in any run.

    A host program often has one kernel per core, from the same source.
    """
    concerned: dict[str, dict[tuple[str, int, int], None]] = {}  # in their order
    for run in runs:
        for kernel in run.kernels:
            for warning in kernel["warnings"]:
                concerned.setdefault(warning, {})[kernel["name"], kernel["x"], kernel["y"]] = None
    texts = []
    for warning, kernels in concerned.items():
        name, x, y = next(iter(kernels))
        others = f" and {len(kernels) - 1} more" if len(kernels) > 1 else ""
        texts.append(f"kernel '{name}' on core {x, y}{others}: {warning}")
    return texts
