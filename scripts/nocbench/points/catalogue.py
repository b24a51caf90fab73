"""Catalogues of tests: nocbench itself, or a suite in the user's own folder.

A point contains its catalogue, also in worker processes. Result rows do not name a catalogue: they belong to the
catalogue that the command uses.
"""

from __future__ import annotations

import contextlib
import functools
from typing import TYPE_CHECKING, Protocol

from nocbench.architectures import files, machines_of_rows
from nocbench.compiling.choice import chosen_compiler
from nocbench.points import kernel_compilers, simulation, swept_tests
from nocbench.support import revision as own_revision
from nocbench.support.columns import FLOWS_PRIMITIVE, OWN_PRIMITIVES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from nocbench._core import SharedRuns
    from nocbench.points.point_results import PointResult, PointTrace
    from nocbench.points.simulation import Configuration
    from nocbench.points.swept_tests import SweptTest


class Catalogue(Protocol):
    """Tests, and functions that run their points."""

    @property
    def folder(self) -> str:
        """Folder of a suite, as named by the user; empty for the tests of nocbench."""

    @property
    def name(self) -> str:
        """Name of a suite; empty for the tests of nocbench."""

    def architecture_names(self) -> list[str]:
        """Returns the names of architectures that may have tests, sorted."""

    def list_tests(self, arch: str) -> list[SweptTest]:
        """Returns the tests for an architecture, by id. Raises InputError if no such architecture is modeled."""

    def run_point(
        self,
        point: Configuration,
        *,
        shorten_from_flit_hops: float | None = None,
        runs: SharedRuns | None = None,
        counts_packets: bool = False,
    ) -> PointResult:
        """Simulates a point: see :func:`nocbench.points.simulation.run_point`."""

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        """Simulates a point and records its events: see :func:`nocbench.points.simulation.trace_point`."""

    def known_theoretical_bytes_per_cycle(self, arch: str, test: str, board: str, params: str) -> float | None:
        """Returns the highest bandwidth that a result row of a test can have; None if unknown."""

    def adds_up_cores(self, test: str, primitive: str) -> bool:
        """Returns True if result rows of a test have the total bandwidth of all cores, each with a link of its own.

        Args:
            test: name in the row.
            primitive: primitive in the row, or empty.
        """

    def identity_of(self, test: str) -> str:
        """Returns a text that identifies a test's content and compiler; empty if :meth:`identity` covers both."""

    def compiler_of(self, test: str) -> str:
        """Returns name and version of the compiler of a test's kernels; empty if none are compiled.

        Raises:
            InputError: no compiler was found.
        """

    def kernel_sources(self, test: str) -> Mapping[str, str] | None:
        """Returns the digests of the user's own sources of a test's kernels, by path.

        Returns None if other sources exist, whose changes would go unnoticed.
        """

    def revision(self) -> str:
        """Returns the value of the column `revision`."""

    def identity(self) -> str:
        """Returns the revision and a digest of all inputs of results except the compiler of kernels.

        Equal values of this and of :meth:`identity_of` mean equal results on any machine.
        """


class _BuiltIn:
    folder = ""
    name = ""

    def __reduce__(self) -> str:
        return "BUILT_IN"

    def architecture_names(self) -> list[str]:
        return files.architecture_names()

    def list_tests(self, arch: str) -> list[SweptTest]:
        return swept_tests.list_tests(arch)

    def run_point(
        self,
        point: Configuration,
        *,
        shorten_from_flit_hops: float | None = None,
        runs: SharedRuns | None = None,
        counts_packets: bool = False,
    ) -> PointResult:
        return simulation.run_point(
            point, shorten_from_flit_hops=shorten_from_flit_hops, runs=runs, counts_packets=counts_packets
        )

    def trace_point(self, point: Configuration, max_records: int) -> PointTrace:
        return simulation.trace_point(point, max_records)

    def known_theoretical_bytes_per_cycle(self, arch: str, test: str, board: str, params: str) -> float | None:
        return machines_of_rows.known_theoretical_bytes_per_cycle(arch, test, board, params)

    def adds_up_cores(self, test: str, primitive: str) -> bool:  # noqa: ARG002 - of a catalogue's interface
        return primitive == FLOWS_PRIMITIVE

    def identity_of(self, test: str) -> str:
        return _compiler_in_digests(test, chosen_compiler())

    def compiler_of(self, test: str) -> str:
        return kernel_compilers.compiler_of(test)

    def kernel_sources(self, test: str) -> Mapping[str, str]:  # noqa: ARG002 - of a catalogue's interface
        return {}

    def revision(self) -> str:
        return own_revision.revision()

    def identity(self) -> str:
        return own_revision.identity()


@functools.cache
def _compiler_in_digests(test: str, _chosen: Path | None) -> str:
    """Looks up the compiler once: a run may have many thousands of points."""
    return kernel_compilers.compiler_of(test)


BUILT_IN: Catalogue = _BuiltIn()

_in_use: list[Catalogue] = [BUILT_IN]


def in_use() -> Catalogue:
    """Returns the catalogue that the command uses."""
    return _in_use[-1]


@contextlib.contextmanager
def using(catalogue: Catalogue) -> Iterator[None]:
    """Makes another catalogue the one in use within the block."""
    _in_use.append(catalogue)
    try:
        yield
    finally:
        _in_use.pop()


def is_own(primitive: str) -> bool:
    """Returns True if result rows of a primitive belong to the user's own suite, program or table of flows.

    The user may change these kernels so that they split the same work differently.
    """
    return in_use() is not BUILT_IN or primitive in OWN_PRIMITIVES
