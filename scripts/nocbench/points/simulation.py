"""Simulation of points."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Protocol

from nocbench import extension
from nocbench.points.kernel_compilers import compiler_of, kernels_compiled_by, name_compiler, usual_compiler
from nocbench.points.point_results import PointResult, PointTrace

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench._core import SharedRuns

SHORTEN_FROM_FLIT_HOPS = 5e8
"""Points with fewer flit-hops are simulated whole. See docs/results.md."""


class Configuration(Protocol):
    """Input of the simulator for a point: see :class:`nocbench.points.point.Point`."""

    @property
    def arch(self) -> str:
        """Architecture."""

    @property
    def board(self) -> str:
        """Its board, or empty."""

    @property
    def test(self) -> str:
        """Name of the test."""

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """Values of axes and parameters of the test."""

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """Fields that differ from the file of the architecture."""


def shortening(*, whole: bool) -> float | None:
    """Returns the flit-hops from which points of a run may be shortened; None: no point may."""
    return None if whole else SHORTEN_FROM_FLIT_HOPS


def can_be_shortened(test: str) -> bool:
    """True if long points of a test may be run with fewer transactions."""
    with extension.input_errors() as core:
        return bool(core.can_be_shortened(test))


def shared_runs() -> SharedRuns:
    """Returns a cache of runs for points that differ in the number of transactions only: see :func:`run_point`."""
    return extension.core().SharedRuns()  # type: ignore[no-any-return]


def run_point(
    point: Configuration,
    *,
    shorten_from_flit_hops: float | None = None,
    runs: SharedRuns | None = None,
    counts_packets: bool = False,
) -> PointResult:
    """Simulates one point.

    Args:
        point: the point to simulate.
        shorten_from_flit_hops: points of at least as many may be run with fewer transactions, once their latency is
            found to grow steadily with them; None: all transactions are simulated.
        runs: runs of other points, to reuse; ignored unless points may be shortened.
        counts_packets: True to count flits by kind of packet.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    compiler = compiler_of(point.test)
    with kernels_compiled_by(compiler) as core:
        shorten_from = math.inf if shorten_from_flit_hops is None else shorten_from_flit_hops
        result = core.run_point(*_arguments(point), shorten_from, runs, counts_packets)
    name_compiler(result["rows"], compiler)
    return PointResult(**result)


def _arguments(point: Configuration) -> tuple[Any, ...]:
    return point.test, point.arch, point.board, dict(point.parameters), list(point.settings)


def check_point(point: Configuration) -> None:
    """Sets up one point without running it or compiling its kernels.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    with extension.input_errors() as core:
        core.check_point(*_arguments(point))


def run_point_compiled(point: Configuration) -> PointResult:
    """Simulates one point with all kernels compiled for the RISCs of the tiles, instruction by instruction.

    Raises:
        InputError: the simulator refuses its configuration, or a kernel does something illegal.
    """
    compiler = usual_compiler()
    with kernels_compiled_by(compiler) as core:
        result = core.run_point_compiled(*_arguments(point))
    name_compiler(result["rows"], compiler)
    return PointResult(**result)


def findings_of_point(point: Configuration, checks: Iterable[str]) -> list[dict[str, Any]]:
    """Simulates one point with all kernels compiled, and returns what checks find: see _core.pyi.

    Raises:
        InputError: as :func:`run_point_compiled`, unless checks have found something before.
    """
    with kernels_compiled_by(usual_compiler()) as core:
        return list(core.findings_of_point(*_arguments(point), sorted(checks)))


def trace_point(point: Configuration, max_records: int) -> PointTrace:
    """Simulates one point and records events: the first `max_records` transactions and stretches.

    Raises:
        InputError: the simulator refuses its configuration.
    """
    compiler = compiler_of(point.test)
    with kernels_compiled_by(compiler) as core:
        result = core.trace_point(*_arguments(point), max_records)
    name_compiler(result["rows"], compiler)
    return PointTrace.of(result, max_records)


def record_point(point: Configuration) -> list[tuple[Any, ...]]:
    """Simulates one point and returns the calls of its kernels, in the order of bindings/trace.h.

    Raises:
        InputError: the simulator refuses its configuration, or its kernels are not those of Tensix tiles.
    """
    with kernels_compiled_by(compiler_of(point.test)) as core:
        result = core.record_point(*_arguments(point))
    return list(result["calls"])
