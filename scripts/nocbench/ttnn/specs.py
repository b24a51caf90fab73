"""Properties of tensors besides their values: shape, type, order in memory, and the memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy

from nocbench._core import BufferType, ShardSpec, TensorMemoryLayout, tile_size
from nocbench.points.tiles import tilize, untilize
from nocbench.ttnn.errors import TtnnError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.ttnn.data_types import DataType

TILE_SIZE = 32
_FORMATS = {1: "UInt8", 2: "UInt16", 4: "UInt32"}
"""Formats that keep the bits of stored values, by the bytes of a value."""


class Layout(Enum):
    """Order of a tensor's values in memory: row by row, or tile by tile."""

    ROW_MAJOR = 0
    TILE = 1


class Shape(tuple[int, ...]):
    """Sizes, one for each dimension."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self)

    def __repr__(self) -> str:
        """Returns the sizes as ttnn shows them."""
        return f"Shape({list(self)})"


@dataclass(frozen=True)
class MemoryConfig:
    """Memory of a tensor: DRAM or L1, interleaved over all banks or divided into shards."""

    memory_layout: TensorMemoryLayout = TensorMemoryLayout.INTERLEAVED
    buffer_type: BufferType = BufferType.DRAM
    shard_spec: ShardSpec | None = None

    def is_sharded(self) -> bool:
        """Returns True if the tensor is divided into shards."""
        return self.memory_layout != TensorMemoryLayout.INTERLEAVED


DRAM_MEMORY_CONFIG = MemoryConfig()
L1_MEMORY_CONFIG = MemoryConfig(buffer_type=BufferType.L1)
L1_HEIGHT_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1)
L1_WIDTH_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.WIDTH_SHARDED, BufferType.L1)
L1_BLOCK_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.BLOCK_SHARDED, BufferType.L1)


@dataclass(frozen=True)
class TensorSpec:
    """Everything of a tensor but its values and its address."""

    shape: Sequence[int]
    dtype: DataType
    layout: Layout = Layout.ROW_MAJOR
    memory_config: MemoryConfig = DRAM_MEMORY_CONFIG

    @property
    def padded_shape(self) -> Shape:
        """The shape in memory, which has whole tiles."""
        if self.layout is Layout.ROW_MAJOR:
            return Shape(self.shape)
        *outer, rows, columns = (1,) * (2 - len(self.shape)) + tuple(self.shape)
        return Shape((*outer, *(math.ceil(size / TILE_SIZE) * TILE_SIZE for size in (rows, columns))))

    @property
    def rows_and_columns(self) -> tuple[int, int]:
        """The shape in memory, with all dimensions but the last in one."""
        *outer, columns = self.padded_shape or (1,)
        return math.prod(outer), columns

    @property
    def page_shape(self) -> tuple[int, int]:
        """The rows and columns of a page: a tile, or a row, or the part of one that is in a shard."""
        if self.layout is Layout.TILE:
            return TILE_SIZE, TILE_SIZE
        shards = self.memory_config.shard_spec
        return 1, self.rows_and_columns[1] if shards is None else shards.shape[1]

    @property
    def page_bytes(self) -> int:
        """The bytes of a page."""
        if self.layout is Layout.TILE:
            return tile_size(self.dtype.format)
        return self.page_shape[1] * self.dtype.stored.itemsize

    @property
    def pages(self) -> tuple[int, int]:
        """The rows and columns of pages. Raises TtnnError if a page would be a part of two rows."""
        (rows, columns), (page_rows, page_columns) = self.rows_and_columns, self.page_shape
        if columns % page_columns:
            raise TtnnError(f"shard_spec: expected a width that divides rows of {columns} values, found {page_columns}")
        return rows // page_rows, columns // page_columns

    def to_bytes(self, values: numpy.ndarray) -> bytes:
        """Returns stored values in the order of memory, padded with zeros."""
        padded = self.padded_shape
        shaped = values.reshape((1,) * (len(padded) - values.ndim) + values.shape)
        whole = numpy.zeros(padded, dtype=values.dtype)
        whole[tuple(slice(size) for size in shaped.shape)] = shaped
        if self.layout is Layout.ROW_MAJOR:
            return whole.tobytes()
        bits = whole.view(f"u{values.itemsize}").reshape(self.rows_and_columns)
        return tilize(bits, _FORMATS[values.itemsize])

    def from_bytes(self, content: bytes) -> numpy.ndarray:
        """Returns the stored values that memory has."""
        dtype = self.dtype.stored
        if self.layout is Layout.TILE:
            bits = untilize(content, self.rows_and_columns[1], _FORMATS[dtype.itemsize])
            content = bits.astype(f"u{dtype.itemsize}").tobytes()
        whole = numpy.frombuffer(content, dtype=dtype).reshape(self.padded_shape)
        inner = (1,) * (whole.ndim - len(self.shape)) + tuple(self.shape)
        return whole[tuple(slice(size) for size in inner)].reshape(self.shape)
