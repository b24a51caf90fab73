"""Trial of a published compute kernel: the program around it, and the results that are expected of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy

from nocbench import ComputeOptions, correlation, tilize, untilize
from nocbench.compiling.request import BufferFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CORRELATION_MIN = 0.999
DEVIATION_MAX = 0.03
"""Maximum deviation from the expected value, as a share of the largest one."""

TRIALS: dict[str, Callable[[], ComputeTrial]] = {}
"""Functions that make the trial of a kernel, by the kernel's path."""


@dataclass
class Pages:
    """Pages of a circular buffer.

    Attributes:
        values: tiles, stacked: an array of (32 * tiles, 32); for rows, (rows, values of a page). None: room only.
        data_format: format of the values.
        capacity: pages that the buffer holds; None: as many as there are values.
        name: name of the buffer in the kernel, for `dfb::`.
        is_rows: True if a page is a row of a matrix instead of a tile.
        tile_rows: rows of the tiles that the kernel sees; below 32 with `is_rows` and the values in the order of faces.
        memory: name of the memory that the buffer has in common with others; empty: memory of its own.
    """

    values: numpy.ndarray | None = None
    data_format: str = "Float16_b"
    capacity: int | None = None
    name: str = ""
    is_rows: bool = False
    tile_rows: int = 32
    memory: str = ""

    @property
    def page_bytes(self) -> int:
        """Size of a page."""
        if not self.is_rows:
            return BufferFormat(0, self.data_format, self.tile_rows).tile_bytes
        return len(self.encoded(numpy.zeros(self.shape_of_page, dtype="<f4")))

    @property
    def shape_of_page(self) -> tuple[int, int]:
        """Shape of the values of a page."""
        return (1, self.values.shape[1]) if self.is_rows and self.values is not None else (32, 32)

    @property
    def count(self) -> int:
        """Number of pages with values."""
        return 0 if self.values is None else self.values.shape[0] // self.shape_of_page[0]

    def encoded(self, values: numpy.ndarray) -> bytes:
        """Returns the bytes of values in L1."""
        if not self.is_rows:
            return tilize(values, self.data_format)
        if self.data_format == "Float16_b":
            words = values.astype("<f4").view("<u4")
            return ((words + 0x7FFF + (words >> 16 & 1)) >> 16).astype("<u2").tobytes()
        return values.astype("<f4" if self.data_format == "Float32" else "<i4").tobytes()

    def decoded(self, data: bytes) -> numpy.ndarray:
        """Returns the values of bytes in L1."""
        if not self.is_rows:
            return untilize(data, 32, self.data_format)
        columns = self.shape_of_page[1]
        if self.data_format == "Float16_b":
            return (numpy.frombuffer(data, "<u2").astype("<u4") << 16).view("<f4").reshape(-1, columns)
        return numpy.frombuffer(data, "<f4" if self.data_format == "Float32" else "<i4").reshape(-1, columns)


@dataclass
class ComputeTrial:
    """Program around a compute kernel. Words are those that the kernel's host program gives.

    Attributes:
        inputs: buffers that a reader fills, one after the other.
        outputs: buffers that a writer empties, one after the other, with the expected values.
        room: further buffers; values lie there from the start, as shards of a tensor in L1 do.
        constants, named_constants: compile-time arguments.
        runtime, runtime_names: run-time arguments and the names of the first ones.
        around: file beside this one whose kernel calls the tried one, for effects that no output shows; empty: none.
        compared: part of the values that are compared, for outputs that define only some: a function of the values.
    """

    inputs: Mapping[int, Pages]
    outputs: Mapping[int, Pages]
    room: Mapping[int, Pages] = field(default_factory=dict)
    constants: tuple[int, ...] = ()
    named_constants: Mapping[str, int] = field(default_factory=dict)
    runtime: tuple[int, ...] = ()
    runtime_names: tuple[str, ...] = ()
    defines: Mapping[str, object] = field(default_factory=dict)
    options: ComputeOptions = field(default_factory=ComputeOptions)
    around: str = ""
    compared: Callable[[numpy.ndarray], numpy.ndarray] = lambda values: values

    def difference(self, buffer: int, found: bytes) -> str:
        """Returns how the values of an output differ from the expected ones; empty if they do not."""
        its = self.outputs[buffer]
        assert its.values is not None
        expected = self.compared(its.values.astype(float))
        values = self.compared(its.decoded(found).astype(float))
        coefficient = correlation(values, expected)
        deviation = float(numpy.max(numpy.abs(values - expected)) / max(float(numpy.max(numpy.abs(expected))), 1e-30))
        if coefficient >= CORRELATION_MIN and deviation <= DEVIATION_MAX:
            return ""
        return f"buffer {buffer}: correlation {coefficient:.4f}, deviation {100 * deviation:.2f} % of the largest value"


def trial_of(path: str) -> Callable[[Callable[[], ComputeTrial]], Callable[[], ComputeTrial]]:
    """Returns a decorator for the function that makes the trial of the kernel `path`, below ttnn/cpp/ttnn."""

    def register(make: Callable[[], ComputeTrial]) -> Callable[[], ComputeTrial]:
        TRIALS[path] = make
        return make

    return register


def tiles(count: int, seed: int = 1, low: float = -1, high: float = 1) -> numpy.ndarray:
    """Returns tiles of random numbers that bfloat16 can hold, stacked."""
    values = numpy.random.default_rng(seed).uniform(low, high, (32 * count, 32)).astype("<f4")
    return (values.view("<u4") & 0xFFFF0000).view("<f4")
