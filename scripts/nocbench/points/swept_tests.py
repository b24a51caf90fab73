"""Tests of nocbench: named, swept instances of primitives."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.architectures.files import require_architecture
from nocbench.extension import input_errors, kept
from nocbench.support.columns import changed_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TRANSACTION_SIZES = "transaction_sizes"
LATENCY_AGAINST_LOAD = "latency_against_load"
PARAMETERS = "parameters"
"""Kinds of pictures.

They show duration and bandwidth by size, latency against injection rate, or duration and bandwidth by one parameter,
with a line for each value of another.
"""


START = "start"
"""Parameter of tests on many cores, which selects how these start."""

BARRIER, TOGETHER, SKEWED = "barrier", "together", "skewed"
"""Values of this parameter."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a test besides its axes.

    Attributes:
        holds_commas: True if a value contains commas, as coordinates of a core do.
        is_number: True if a value must be a whole number; anything else is refused without a run.
    """

    name: str
    default: str
    meaning: str
    holds_commas: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class SweptTest:
    """A named, swept instance of a primitive on one architecture.

    Attributes:
        arch: architecture.
        test_id: stable number.
        test: published name.
        primitive: its folder.
        kind: kind of the architectures that it runs on.
        description: one sentence.
        kernels: labels of its result rows, "Sender" or "Receiver"; one row of each per point.
        axes: tier ("full", "quick") to axis ("num_transactions", "call_size" in bytes, before them swept parameters, if
            any) to values: numbers, or texts of parameters.
        left_out: tier to combinations of values, by axis, that the product of the axes does not have.
        parameters: settable by `-a` besides "num_transactions" and "call_size".
        theoretical_bytes_per_cycle: the highest bandwidth of a result row: that of one link, or where the row adds up
            many cores, of all links that they share.
        board: default board of the test; empty: the architecture's.
        headings: place of its results on the plots page, from the topmost heading down.
        picture: kind of its picture: "transaction_sizes", "latency_against_load" or "parameters".
        plotted: for a picture of parameters, those along the axis and, if there are several lines, of the lines.
    """

    arch: str
    test_id: int
    test: str
    primitive: str
    description: str
    kernels: tuple[str, ...]
    axes: Mapping[str, Mapping[str, tuple[int | str, ...]]]
    parameters: tuple[Parameter, ...]
    theoretical_bytes_per_cycle: float
    headings: tuple[str, ...]
    board: str = ""
    picture: str = TRANSACTION_SIZES
    kind: str = ""
    plotted: tuple[str, ...] = ()
    left_out: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)

    @property
    def swept_parameters(self) -> tuple[str, ...]:
        """Parameters that are axes of the test: its result rows always name their values."""
        names = {parameter.name for parameter in self.parameters}
        return tuple(axis for axis in self.axes["full"] if axis in names)

    def num_points(self, tier: str) -> int:
        """Returns the number of points of a tier."""
        return len(product_without(self.axes[tier], self.left_out.get(tier, ())))


def product_without(
    values: Mapping[str, Sequence[object]], left_out: Sequence[Mapping[str, str]]
) -> list[tuple[tuple[str, str], ...]]:
    """Returns all combinations of values, by name, that have not all values of any combination in `left_out`."""
    product = itertools.product(*([(name, str(value)) for value in of_name] for name, of_name in values.items()))
    return [chosen for chosen in product if not any(part.items() <= dict(chosen).items() for part in left_out)]


def start_of(params: str, test: SweptTest | None) -> str:
    """Returns the value of the parameter `start` of a run, or its default; empty for tests without this parameter."""
    parameters = test.parameters if test else ()
    default = next((parameter.default for parameter in parameters if parameter.name == START), "")
    return changed_values(params).get(START, default)


def starts_as_published(params: str, test: SweptTest | None) -> bool:
    """Returns True if the cores of a run start as those of published runs: by the test's default, or at a barrier.

    A barrier counts for tests with a common start: upstream, their cores meet at one.
    """
    start, default = start_of(params, test), start_of("", test)
    return start == default or (start, default) == (BARRIER, TOGETHER)


def tests_not_offered(arch: str) -> dict[str, str]:
    """Returns why each other test of the kind of an architecture is not offered for it, by name."""
    require_architecture(arch)
    with input_errors() as core:
        return dict(core.tests_not_offered(arch))


def list_tests(arch: str) -> list[SweptTest]:
    """Returns the tests that are offered for an architecture, by id."""
    require_architecture(arch)
    return list(_tests_of(arch))


@kept
def _tests_of(arch: str) -> tuple[SweptTest, ...]:
    with input_errors() as core:
        descriptions = core.list_tests(arch)
    tests = [
        SweptTest(
            **description
            | {
                "arch": arch,
                "kernels": tuple(description["kernels"]),
                "axes": {
                    tier: {axis: tuple(values) for axis, values in axes.items()}
                    for tier, axes in description["axes"].items()
                },
                "parameters": tuple(Parameter(**parameter) for parameter in description["parameters"]),
                "headings": tuple(description.get("headings") or [description["test"]]),
            }
        )
        for description in descriptions
    ]
    return tuple(sorted(tests, key=lambda test: (test.test_id, test.test)))
