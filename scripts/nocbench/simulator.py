"""The boundary to the C++ simulator: everything that Python knows of it goes through here, typed.

The extension module is imported on first use, so that results of earlier runs can be read and compared without it.
Complaints of the simulator about what it was given arrive as :class:`nocbench.errors.InputError`.
"""

from __future__ import annotations

import functools
import math
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

    from nocbench.selection import Point


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a test besides its axes."""

    name: str
    default: str
    meaning: str


@dataclass(frozen=True, slots=True)
class SweptTest:
    """A named, swept instance of a primitive on one architecture.

    Attributes:
        arch: architecture.
        test_id: stable number.
        test: published name.
        primitive: the folder that it comes from.
        description: one sentence.
        kernels: labels of its result rows, "Sender" or "Receiver"; one row of each per point.
        axes: tier ("full", "quick") to axis ("num_transactions", "call_size" in bytes) to values.
        parameters: what `-a` may set besides the axes.
        theoretical_bytes_per_cycle: what one link carries, a flit per cycle.
    """

    arch: str
    test_id: int
    test: str
    primitive: str
    description: str
    kernels: tuple[str, ...]
    axes: Mapping[str, Mapping[str, tuple[int, ...]]]
    parameters: tuple[Parameter, ...]
    theoretical_bytes_per_cycle: float

    def num_points(self, tier: str) -> int:
        """Number of points of a tier."""
        return math.prod(len(values) for values in self.axes[tier].values())


@dataclass(frozen=True, slots=True)
class PointResult:
    """What one point gave.

    Attributes:
        rows: one result row per kernel, all columns but `revision`.
        cores: per core and kernel: coordinates, latency and waits by cause, in cycles.
        links: per link of each NoC: the flits that crossed it.
    """

    rows: list[dict[str, Any]]
    cores: list[dict[str, Any]]
    links: list[dict[str, Any]]


@functools.cache
def _core() -> ModuleType:
    from nocbench import _core as extension_module

    # A wheel carries the architecture files; in a checkout the extension module knows where they are.
    packaged = Path(__file__).parent / "archs"
    if packaged.is_dir():
        extension_module.set_architecture_directory(str(packaged))
    return extension_module


@contextmanager
def _input_errors() -> Iterator[ModuleType]:
    core = _core()
    try:
        yield core
    except core.InputError as error:
        raise InputError(str(error)) from None


def architecture_names() -> list[str]:
    """Names of all modeled architectures, sorted."""
    with _input_errors() as core:
        return sorted(core.architecture_names())


def require_architecture(arch: str) -> None:
    """Raises InputError, with the names that exist, unless `arch` is a modeled architecture."""
    names = architecture_names()
    if arch not in names:
        raise InputError(
            f"no architecture is called '{arch}'{did_you_mean(arch, names) or '; there are: ' + ', '.join(names)}"
        )


def describe_architecture(arch: str) -> dict[str, Any]:
    """Name, description, default_board, clock_hz, flit_bytes and boards of an architecture."""
    require_architecture(arch)
    with _input_errors() as core:
        return dict(core.describe_architecture(arch))


def list_tests(arch: str) -> list[SweptTest]:
    """All tests of an architecture, by id."""
    require_architecture(arch)
    with _input_errors() as core:
        descriptions = core.list_tests(arch)
    tests = [
        SweptTest(
            arch=arch,
            test_id=description["test_id"],
            test=description["test"],
            primitive=description["primitive"],
            description=description["description"],
            kernels=tuple(description["kernels"]),
            axes={
                tier: {axis: tuple(values) for axis, values in axes.items()}
                for tier, axes in description["axes"].items()
            },
            parameters=tuple(Parameter(p["name"], p["default"], p["meaning"]) for p in description["parameters"]),
            theoretical_bytes_per_cycle=float(description["theoretical_bytes_per_cycle"]),
        )
        for description in descriptions
    ]
    return sorted(tests, key=lambda test: (test.test_id, test.test))


def run_point(point: Point) -> PointResult:
    """Simulates one point. Raises InputError if the simulator refuses its configuration."""
    settings: Sequence[tuple[str, str]] = point.settings
    with _input_errors() as core:
        result = core.run_point(point.test, point.arch, point.board, dict(point.parameters), list(settings))
    return PointResult(rows=result["rows"], cores=result["cores"], links=result["links"])
