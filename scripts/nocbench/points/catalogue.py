"""Catalogues of tests: nocbench itself, or a suite in a folder of the user's own.

A point carries its catalogue to worker processes. Result rows do not know theirs; questions about them go to the
catalogue in use, that of the command.
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
    """Tests, and a way to run their points."""

    @property
    def folder(self) -> str:
        """The folder of a suite, as the user named it; empty for the tests of nocbench."""

    @property
    def name(self) -> str:
        """The name of a suite; empty for the tests of nocbench."""

    def architecture_names(self) -> list[str]:
        """Returns the architectures that there may be tests for, sorted."""

    def list_tests(self, arch: str) -> list[SweptTest]:
        """Returns its tests for an architecture, by id. Raises InputError if no such architecture is modeled."""

    def run_point(
        self, point: Configuration, *, shorten_from_flit_hops: float | None = None, runs: SharedRuns | None = None
    ) -> PointResult:
        """Simulates a point: see :func:`nocbench.points.simulator.run_point`."""

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        """Simulates a point and records its events: see :func:`nocbench.points.simulator.trace_point`."""

    def known_theoretical_bytes_per_cycle(self, arch: str, test: str, board: str, params: str) -> float | None:
        """Returns the highest bandwidth that a result row of a test can have; None if unknown."""

    def adds_up_cores(self, test: str, primitive: str) -> bool:
        """True if a result row of a test has the bandwidth of all its cores together, each with a link of its own.

        Args:
            test: name in the row.
            primitive: primitive in the row, or empty.
        """

    def identity_of(self, test: str) -> str:
        """Identifies the content of a test and the compiler of its kernels; empty if :meth:`identity` covers both."""

    def compiler_of(self, test: str) -> str:
        """Returns name and version of the compiler of a test's kernels; empty if none are compiled.

        Raises:
            InputError: there is no compiler.
        """

    def kernel_sources(self, test: str) -> Mapping[str, str] | None:
        """Returns the user's own sources of a test's kernels: path to digest.

        None if there are sources besides these, so that changes may go unnoticed.
        """

    def revision(self) -> str:
        """Returns the value of the column `revision`."""

    def identity(self) -> str:
        """Returns the revision and a digest of all that results depend on, except the compiler of kernels.

        Equal values, with equal :meth:`identity_of` a test, give equal results anywhere.
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
    """Looks up the compiler once: a run may have many thousands of points."""
    return simulator.compiler_of(test)


BUILT_IN: Catalogue = _BuiltIn()

_in_use: list[Catalogue] = [BUILT_IN]


def in_use() -> Catalogue:
    """Returns the catalogue that the command works with."""
    return _in_use[-1]


@contextlib.contextmanager
def using(catalogue: Catalogue) -> Iterator[None]:
    """Works with another catalogue in the block."""
    _in_use.append(catalogue)
    try:
        yield
    finally:
        _in_use.pop()


def is_own(primitive: str) -> bool:
    """True if result rows of a primitive are of the user's own: of a suite, of a program, or of a table of flows.

    Such kernels may change to do the same work in other pieces.
    """
    return in_use() is not BUILT_IN or primitive in OWN_PRIMITIVES
