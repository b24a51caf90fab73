"""Types of values, and how they are stored."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import numpy

from nocbench.extension import core
from nocbench.ttnn.errors import TtnnError

if TYPE_CHECKING:
    from nocbench._core import DataFormat


class DataType(Enum):
    """Type of a tensor's values: the name of its format on the chip, and the numpy type of what is stored, if any."""

    BFLOAT16 = ("Float16_b", "uint16")
    FLOAT32 = ("Float32", "float32")
    UINT32 = ("UInt32", "uint32")
    INT32 = ("Int32", "int32")
    UINT16 = ("UInt16", "uint16")
    UINT8 = ("UInt8", "uint8")
    BFLOAT8_B = ("Bfp8_b", "")
    BFLOAT4_B = ("Bfp4_b", "")

    def __repr__(self) -> str:
        """Returns the name."""
        return f"DataType.{self.name}"

    @property
    def format(self) -> DataFormat:
        """The format on the chip."""
        return core().DataFormat.__members__[self.value[0]]  # type: ignore[no-any-return] # of the extension

    @property
    def stored(self) -> numpy.dtype[numpy.generic]:
        """The numpy type of what is stored. Raises TtnnError for formats whose values share an exponent."""
        if not self.value[1]:
            raise TtnnError(
                f"dtype: expected a type whose values are stored one by one, found {self.name.lower()}, in which "
                "several share an exponent: tensors of it are not modeled, circular buffers are"
            )
        return numpy.dtype(self.value[1])


def type_of(values: numpy.ndarray) -> DataType:
    """Returns the type that values have by themselves. Raises TtnnError if there is none."""
    for dtype in (DataType.FLOAT32, DataType.UINT32, DataType.INT32, DataType.UINT16, DataType.UINT8):
        if values.dtype == dtype.stored:
            return dtype
    raise TtnnError(
        f"dtype: expected one for values of {values.dtype}, such as ttnn.float32; only values of float32, uint32, "
        "int32, uint16 and uint8 have one of their own"
    )


def stored(values: numpy.ndarray, dtype: DataType) -> numpy.ndarray:
    """Returns values as they are stored. Raises TtnnError for numbers that an integer type cannot have."""
    if dtype is DataType.BFLOAT16:
        rounded = core().bfloat16_of(numpy.ascontiguousarray(values, dtype="float32").tobytes())
        return numpy.frombuffer(rounded, dtype="uint16").reshape(values.shape)
    with numpy.errstate(invalid="ignore"):
        converted = values.astype(dtype.stored)
    if dtype is not DataType.FLOAT32 and not numpy.array_equal(converted, values):
        wrong = values[converted != values].flat[0]
        raise TtnnError(f"values: expected numbers of {dtype.name.lower()}, found {wrong}")
    return converted


def values_of(stored_values: numpy.ndarray, dtype: DataType) -> numpy.ndarray:
    """Returns stored values as numbers: those of bfloat16, which numpy has not, as float32."""
    if dtype is DataType.BFLOAT16:
        return (stored_values.astype("uint32") << 16).view("float32")
    return stored_values
