"""Where tests come from: from nocbench itself, or from a suite in a folder of the user's own.

A point knows its catalogue, and goes to worker processes with it. What is asked of result rows, which do not know
theirs, is answered by the one in use: that of the command.
"""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Protocol

from nocbench.compiling.choice import chosen_compiler
from nocbench.points import simulator
from nocbench.support import revision as own_revision
from nocbench.support.columns import FLOWS_PRIMITIVE, OWN_PRIMITIVES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from nocbench._core import SharedRuns
    from nocbench.points.simulator import Configuration, PointResult, PointTrace, SweptTest


class Catalogue(Protocol):
    """Tests, and how their points are run."""

    @property
    def folder(self) -> str:
        """The folder of a suite, as the user named it; empty for the tests of nocbench."""

    @property
    def name(self) -> str:
        """The name of a suite; empty for the tests of nocbench."""

    def architecture_names(self) -> list[str]:
        """Architectures that there may be tests for, sorted."""

    def list_tests(self, arch: str) -> list[SweptTest]:
        """Its tests for an architecture, by id. Raises InputError if no such architecture is modeled."""

    def run_point(
        self, point: Configuration, *, shorten_from_flit_hops: float | None = None, runs: SharedRuns | None = None
    ) -> PointResult:
        """Simulates a point: see :func:`nocbench.points.simulator.run_point`."""

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        """Simulates a point and records what happened: see :func:`nocbench.points.simulator.trace_point`."""

    def known_theoretical_bytes_per_cycle(self, arch: str, test: str, board: str, params: str) -> float | None:
        """The highest bandwidth that a result row of a test can have; None if that is not known."""

    def adds_up_cores(self, test: str, primitive: str) -> bool:
        """Whether a result row of a test has the bandwidth of all its cores together, each with a link of its own.

        Args:
            test: what the row says.
            primitive: likewise; empty if it does not say.
        """

    def identity_of(self, test: str) -> str:
        """What tells apart two contents of a test of the same name, and two compilers of its kernels.

        Empty where :meth:`identity` says it all.
        """

    def compiler_of(self, test: str) -> str:
        """What compiles the kernels of a test, by name and version; empty if none are compiled.

        Raises:
            InputError: there is no compiler.
        """

    def kernel_sources(self, test: str) -> Mapping[str, str] | None:
        """The user's own files that kernels of a test are compiled from, by path with a digest of each.

        None: there are others, so that nobody knows whether a result is still that of the files.
        """

    def revision(self) -> str:
        """What result rows say they come from."""

    def identity(self) -> str:
        """The same, and a digest of all that results depend on but for the compiler of kernels.

        What is equal gives the same results anywhere, together with :meth:`identity_of` a test.
        """


class _BuiltIn:
    """The tests of nocbench."""

    folder = ""
    name = ""

    def __reduce__(self) -> str:
        return "BUILT_IN"

    def architecture_names(self) -> list[str]:
        return simulator.architecture_names()

    def list_tests(self, arch: str) -> list[SweptTest]:
        return simulator.list_tests(arch)

    def run_point(
        self, point: Configuration, *, shorten_from_flit_hops: float | None = None, runs: SharedRuns | None = None
    ) -> PointResult:
        return simulator.run_point(point, shorten_from_flit_hops=shorten_from_flit_hops, runs=runs)

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        return simulator.trace_point(point, max_records)

    def known_theoretical_bytes_per_cycle(self, arch: str, test: str, board: str, params: str) -> float | None:
        return simulator.known_theoretical_bytes_per_cycle(arch, test, board, params)

    def adds_up_cores(self, test: str, primitive: str) -> bool:  # noqa: ARG002 - of a catalogue's interface
        return primitive == FLOWS_PRIMITIVE

    def identity_of(self, test: str) -> str:
        return _compiler_in_digests(test, chosen_compiler())

    def compiler_of(self, test: str) -> str:
        return simulator.compiler_of(test)

    def kernel_sources(self, test: str) -> Mapping[str, str]:  # noqa: ARG002 - of a catalogue's interface
        return {}

    def revision(self) -> str:
        return own_revision.revision()

    def identity(self) -> str:
        return own_revision.identity()


@functools.cache
def _compiler_in_digests(test: str, _chosen: Path | None) -> str:
    """Looked for once: a run may have many thousands of points."""
    return simulator.compiler_of(test)


BUILT_IN: Catalogue = _BuiltIn()

_in_use: list[Catalogue] = [BUILT_IN]


def in_use() -> Catalogue:
    """The catalogue that the command works with."""
    return _in_use[-1]


@contextlib.contextmanager
def using(catalogue: Catalogue) -> Iterator[None]:
    """Works with another catalogue."""
    _in_use.append(catalogue)
    try:
        yield
    finally:
        _in_use.pop()


def is_own(primitive: str) -> bool:
    """Whether result rows of a primitive are of the user's own: of a suite, of a program, or of a table of flows.

    What they are of may learn to do the same in other pieces.
    """
    return in_use() is not BUILT_IN or primitive in OWN_PRIMITIVES
