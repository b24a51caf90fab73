"""Matrices as tiles of 32 x 32 values, as compute kernels read and write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.request import DATA_FORMATS, TILE_BYTES
from nocbench.extension import input_errors
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.extras import needs

if TYPE_CHECKING:
    import numpy

_INTEGERS = ("Int32", "UInt32", "UInt16", "UInt8")
_MATRIX = 2


@needs("pandas")
def tilize(matrix: numpy.ndarray, data_format: str = "Float16_b") -> bytes:
    """Returns the tiles of a matrix, row by row of tiles, each as four faces of 16 x 16.

    Args:
        matrix: two dimensions, each a multiple of 32.
        data_format: format of the values in L1: "Float16_b" (bfloat16), "Float32", "Float16", "Bfp8_b", "Bfp4_b",
            "Int32", "UInt32", "UInt16" or "UInt8". Values are rounded to the nearest.

    Raises:
        InputError: a matrix of another shape, or no such format.
    """
    import numpy

    number = _number_of(data_format)
    if matrix.ndim != _MATRIX:
        raise InputError(f"expected a matrix of two dimensions, found {matrix.ndim}")
    words = matrix.astype(numpy.int64).astype(numpy.uint32) if data_format in _INTEGERS else matrix.astype("<f4")
    with input_errors() as core:
        return bytes(core.tilize(numpy.ascontiguousarray(words).tobytes(), matrix.shape[1], number))


@needs("pandas")
def untilize(tiles: bytes, columns: int, data_format: str = "Float16_b") -> numpy.ndarray:
    """Returns the matrix of `columns` columns that tiles hold; see :func:`tilize`.

    Raises:
        InputError: bytes that are no whole rows of tiles, or no such format.
    """
    import numpy

    with input_errors() as core:
        words = core.untilize(bytes(tiles), columns, _number_of(data_format))
    kind = {"Int32": "<i4"}.get(data_format, "<u4" if data_format in _INTEGERS else "<f4")
    return numpy.frombuffer(words, kind).reshape(-1, columns)


@needs("pandas")
def correlation(result: numpy.ndarray, expected: numpy.ndarray) -> float:
    """Returns Pearson's coefficient of two arrays (PCC), by which operations are compared; 1 for equal ones."""
    import numpy

    left, right = (numpy.asarray(values, dtype=float).ravel() for values in (result, expected))
    if left.shape != right.shape:
        raise InputError(f"expected as many values as the {right.size} expected ones, found {left.size}")
    if numpy.array_equal(left, right):
        return 1.0
    if left.std() == 0 or right.std() == 0:
        return 0.0
    return float(numpy.corrcoef(left, right)[0, 1])


def _number_of(data_format: str) -> int:
    if data_format not in TILE_BYTES:
        raise InputError(f"expected a data format, found '{data_format}'{did_you_mean(data_format, TILE_BYTES)}")
    return DATA_FORMATS[data_format]
