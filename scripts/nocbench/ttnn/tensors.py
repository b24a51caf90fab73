"""Tensors on the host and on a device."""

from __future__ import annotations

import math
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy

from nocbench.ttnn.data_types import DataType, stored, type_of, values_of
from nocbench.ttnn.errors import TtnnError
from nocbench.ttnn.specs import DRAM_MEMORY_CONFIG, Layout, MemoryConfig, Shape, TensorSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench._core import HostBuffer
    from nocbench.ttnn.devices import Device


class Tensor:
    """Values on the host, or a buffer on a device."""

    def __init__(self, spec: TensorSpec, held: numpy.ndarray | HostBuffer, device: Device | None = None) -> None:
        """Stores the values as they are stored, or the buffer and its device."""
        self.spec = spec
        self._held = held
        self._device = device

    @property
    def shape(self) -> Shape:
        """The sizes of its dimensions."""
        return Shape(self.spec.shape)

    @property
    def padded_shape(self) -> Shape:
        """The shape in memory, which has whole tiles."""
        return self.spec.padded_shape

    @property
    def dtype(self) -> DataType:
        """The type of its values."""
        return self.spec.dtype

    @property
    def layout(self) -> Layout:
        """The order of its values in memory."""
        return self.spec.layout

    def get_dtype(self) -> DataType:
        """Returns the type of its values."""
        return self.dtype

    def get_layout(self) -> Layout:
        """Returns the order of its values in memory."""
        return self.layout

    def memory_config(self) -> MemoryConfig:
        """Returns its memory."""
        return self.spec.memory_config

    def is_sharded(self) -> bool:
        """Returns True if it is divided into shards."""
        return self.memory_config().is_sharded()

    def device(self) -> Device | None:
        """Returns its device; None for a tensor on the host."""
        return self._device

    def is_allocated(self) -> bool:
        """Returns True if it has its memory."""
        return isinstance(self._held, numpy.ndarray) or self._held.is_allocated

    def element_size(self) -> int:
        """Returns the bytes of a value."""
        return self.dtype.stored.itemsize

    def volume(self) -> int:
        """Returns the number of its values."""
        return math.prod(self.shape)

    logical_volume = volume

    def physical_volume(self) -> int:
        """Returns the number of its values in memory."""
        return math.prod(self.padded_shape)

    def buffer(self) -> HostBuffer:
        """Returns its buffer. Raises TtnnError for a tensor on the host."""
        if isinstance(self._held, numpy.ndarray):
            raise TtnnError("expected a tensor on a device, found one on the host")
        return self._held

    def buffer_address(self) -> int:
        """Returns the address in each bank."""
        return self.buffer().address

    def buffer_num_pages(self) -> int:
        """Returns the number of its pages."""
        return self.buffer().num_pages

    def buffer_page_size(self) -> int:
        """Returns the bytes of a page."""
        return self.buffer().page_size

    def buffer_aligned_page_size(self) -> int:
        """Returns the bytes from one page of a bank to its next."""
        return self.buffer().aligned_page_size

    def deallocate(self, force: bool = True) -> None:  # noqa: ARG002 - as in ttnn
        """Gives the memory on the device back."""
        self.buffer().deallocate()

    def stored(self) -> numpy.ndarray:
        """Returns its values as they are stored."""
        held = self._held
        return held if isinstance(held, numpy.ndarray) else self.spec.from_bytes(held.read())

    def cpu(self) -> Tensor:
        """Returns the tensor on the host."""
        return Tensor(self.spec, self.stored())

    def to(self, target: Device | Layout, memory_config: MemoryConfig | None = None) -> Tensor:
        """Returns the tensor on a device, or one on the host in another layout."""
        return to_layout(self, target) if isinstance(target, Layout) else to_device(self, target, memory_config)

    def to_numpy(self) -> numpy.ndarray:
        """Returns its values; those of bfloat16 as float32."""
        return values_of(self.stored(), self.dtype)

    def to_torch(self) -> Any:  # noqa: ANN401 - torch may be missing
        """Returns its values as a tensor of torch. Raises TtnnError without torch."""
        if find_spec("torch") is None:
            raise TtnnError("to_torch: expected torch, found none: install it, or use to_numpy")
        torch = import_module("torch")
        if self.dtype is DataType.BFLOAT16:
            return torch.from_numpy(self.stored().view("int16").copy()).view(torch.bfloat16)
        return torch.from_numpy(self.stored().copy())

    def __repr__(self) -> str:
        """Returns the values and the type."""
        return f"ttnn.Tensor({self.to_numpy()}, shape={self.shape}, dtype={self.dtype}, layout={self.layout})"


def from_numpy(
    values: Any,  # noqa: ANN401 - an array or a tensor
    dtype: DataType | None = None,
    *,
    layout: Layout | None = None,
    device: Device | None = None,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    """Returns a tensor with these values, on a device or, without one, on the host.

    Args:
        values: an array of numpy, or a tensor of torch.
        dtype: type of the tensor's values; by default, that of `values`.
        layout: order in memory; row by row by default.
        device: the device.
        memory_config: memory on the device; interleaved over DRAM by default.

    Raises:
        TtnnError: values or a type that the tensor cannot have, or no room for it.
    """
    if hasattr(values, "detach"):  # of torch
        values = values.detach().cpu()
        if str(values.dtype) == "torch.bfloat16":
            values, dtype = values.float(), dtype or DataType.BFLOAT16
        values = values.numpy()
    values = numpy.asarray(values)
    dtype = dtype or type_of(values)
    dtype.stored  # noqa: B018 - raises TtnnError for types that tensors cannot have
    spec = TensorSpec(Shape(values.shape), dtype, layout or Layout.ROW_MAJOR, memory_config or DRAM_MEMORY_CONFIG)
    tensor = Tensor(spec, stored(values, dtype))
    return tensor if device is None else to_device(tensor, device)


from_torch = from_numpy
as_tensor = from_numpy


def to_numpy(tensor: Tensor) -> numpy.ndarray:
    """Returns the values of a tensor; those of bfloat16 as float32."""
    return tensor.to_numpy()


def to_torch(
    tensor: Tensor,
    dtype: Any = None,  # noqa: ANN401 - torch may be missing
    *,
    device: Device | None = None,  # noqa: ARG001 - as in ttnn
    mesh_composer: object = None,  # noqa: ARG001
) -> Any:  # noqa: ANN401
    """Returns the values of a tensor as one of torch. Raises TtnnError without torch."""
    values = tensor.to_torch()
    return values if dtype is None else values.to(dtype)


def allocate_tensor_on_device(spec: TensorSpec | Sequence[int], *rest: Any, **named: Any) -> Tensor:  # noqa: ANN401
    """Returns a tensor on a device, whose memory has what was there before.

    It is called with (spec, device), or with (shape, dtype, layout, device, memory_config=DRAM_MEMORY_CONFIG).

    Raises:
        TtnnError: no room for it.
    """
    return _allocate(spec, *rest, **named) if isinstance(spec, TensorSpec) else _allocate_shape(spec, *rest, **named)


def _allocate_shape(
    shape: Sequence[int],
    dtype: DataType,
    layout: Layout,
    device: Device,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    return _allocate(TensorSpec(Shape(shape), dtype, layout, memory_config or DRAM_MEMORY_CONFIG), device)


def _allocate(spec: TensorSpec, device: Device) -> Tensor:
    dtype = spec.dtype
    dtype.stored  # noqa: B018 - raises TtnnError for types that tensors cannot have
    memory = spec.memory_config
    if memory.is_sharded() and memory.shard_spec is None:
        raise TtnnError(f"memory_config: expected a shard_spec for {memory.memory_layout.name}, found none")
    return Tensor(spec, device.allocate(spec), device)


def to_device(tensor: Tensor, device: Device, memory_config: MemoryConfig | None = None) -> Tensor:
    """Returns a copy of a tensor on a device. Raises TtnnError if there is no room for it."""
    spec = replace(tensor.spec, memory_config=memory_config or tensor.memory_config())
    placed = _allocate(spec, device)
    placed.buffer().write(spec.to_bytes(tensor.stored()))
    return placed


def from_device(tensor: Tensor) -> Tensor:
    """Returns a copy of a tensor on the host."""
    return tensor.cpu()


def to_layout(tensor: Tensor, layout: Layout) -> Tensor:
    """Returns a tensor on the host in another layout. Raises TtnnError for a tensor on a device."""
    if tensor.device() is not None:
        raise TtnnError("to_layout: expected a tensor on the host: operations on the device are not modeled")
    return Tensor(replace(tensor.spec, layout=layout), tensor.stored())


def deallocate(tensor: Tensor, force: bool = True) -> None:
    """Gives the memory of a tensor on a device back."""
    tensor.deallocate(force)


def full(
    shape: Sequence[int],
    fill_value: float,
    dtype: DataType | None = None,
    layout: Layout | None = None,
    device: Device | None = None,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    """Returns a tensor with one value everywhere, of bfloat16 by default."""
    values = numpy.full(tuple(shape), fill_value)
    return from_numpy(values, dtype or DataType.BFLOAT16, layout=layout, device=device, memory_config=memory_config)


def zeros(shape: Sequence[int], *rest: Any, **named: Any) -> Tensor:  # noqa: ANN401 - as of full()
    """Returns a tensor with 0 everywhere; the other arguments are those of :func:`full`."""
    return full(shape, 0, *rest, **named)


def ones(shape: Sequence[int], *rest: Any, **named: Any) -> Tensor:  # noqa: ANN401 - as of full()
    """Returns a tensor with 1 everywhere; the other arguments are those of :func:`full`."""
    return full(shape, 1, *rest, **named)


def empty(
    shape: Sequence[int],
    dtype: DataType = DataType.BFLOAT16,
    layout: Layout = Layout.ROW_MAJOR,
    *,
    device: Device,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    """Returns a tensor on a device, whose memory has what was there before."""
    return _allocate_shape(shape, dtype, layout, device, memory_config)


def rand(
    shape: Sequence[int],
    device: Device | None = None,
    *,
    dtype: DataType = DataType.BFLOAT16,
    layout: Layout = Layout.TILE,
    memory_config: MemoryConfig | None = None,
    low: float = 0.0,
    high: float = 1.0,
    seed: int = 0,
) -> Tensor:
    """Returns a tensor with numbers of a generator: the same at every call with the same seed."""
    values = numpy.random.default_rng(seed).uniform(low, high, tuple(shape)).astype("float32")
    return from_numpy(values, dtype, layout=layout, device=device, memory_config=memory_config)


class TensorAccessorArgs:
    """Compile-time arguments that tell a kernel's TensorAccessor where a tensor is."""

    def __init__(self, tensor: Tensor) -> None:
        """Stores the arguments of a tensor on a device."""
        self._words = tensor.buffer().accessor_args()

    def get_compile_time_args(self) -> list[int]:
        """Returns the arguments."""
        return list(self._words)

    def get_common_runtime_args(self) -> list[int]:
        """Returns none: all arguments are compile-time arguments."""
        return []
