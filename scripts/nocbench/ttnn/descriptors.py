"""Descriptions of programs as values, as :func:`nocbench.ttnn.generic_op` takes them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from nocbench._core import (
    NOC,
    NOC_MODE,
    CoreCoord,
    CoreRangeSet,
    CoreType,
    DataMovementProcessor,
    MathFidelity,
)
from nocbench._core import SourceType as KernelSourceType
from nocbench.ttnn.data_types import DataType
from nocbench.ttnn.errors import TtnnError
from nocbench.ttnn.tensors import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from nocbench._core import DataFormat, HostBuffer, KernelBuildOptLevel, UnpackToDestMode

    Core = CoreCoord | tuple[int, int]


class RuntimeArgs:
    """Run-time arguments of a kernel by core: ``args[x][y] = [1, 2]``."""

    def __init__(self, pairs: Iterable[tuple[Core, Sequence[int]]] = ()) -> None:
        """Stores pairs of a core and its arguments."""
        self._of_cores: dict[CoreCoord, list[int]] = {}
        for core, values in pairs:
            self.append(core, values)

    @classmethod
    def of(cls, given: object) -> RuntimeArgs:
        """Returns arguments that are given as such, as pairs of a core and its arguments, or by column and row.

        Raises:
            TtnnError: what is given is nothing of this.
        """
        if isinstance(given, RuntimeArgs):
            return given
        if not isinstance(given, (list, tuple)):
            raise TtnnError(f"runtime_args: expected RuntimeArgs, or a list of (core, [numbers]), found {given!r}")
        made = cls()
        for column, item in enumerate(given):
            if isinstance(item, tuple):
                made.append(*item)
                continue
            for row, values in enumerate(item):
                made.append((column, row), values)
        return made

    def append(self, core: Core, values: Sequence[int]) -> None:
        """Gives a core its arguments."""
        self._of_cores[core if isinstance(core, CoreCoord) else CoreCoord(*core)] = list(values)

    def clear(self) -> None:
        """Takes all arguments away."""
        self._of_cores.clear()

    def to_list(self) -> list[tuple[CoreCoord, list[int]]]:
        """Returns the cores and their arguments."""
        return list(self._of_cores.items())

    def get(self, index: int) -> tuple[CoreCoord, list[int]]:
        """Returns a core and its arguments, by number."""
        return self.to_list()[index]

    @property
    def pairs(self) -> list[tuple[CoreCoord, list[int]]]:
        """The cores and their arguments."""
        return self.to_list()

    def __getitem__(self, x: int) -> _ColumnOfArgs:
        """Returns the arguments of a column of cores."""
        return _ColumnOfArgs(self._of_cores, x)

    def __iter__(self) -> Iterator[tuple[CoreCoord, list[int]]]:
        """Walks through the cores and their arguments."""
        return iter(self._of_cores.items())

    def __len__(self) -> int:
        """Returns the number of cores with arguments."""
        return len(self._of_cores)


class _ColumnOfArgs:
    def __init__(self, of_cores: dict[CoreCoord, list[int]], x: int) -> None:
        self._of_cores = of_cores
        self._x = x

    def __getitem__(self, y: int) -> list[int]:
        core = CoreCoord(self._x, y)
        if core not in self._of_cores:
            raise IndexError(f"runtime_args: core ({self._x}, {y}) has none")
        return self._of_cores[core]

    def __setitem__(self, y: int, values: Sequence[int]) -> None:
        self._of_cores[CoreCoord(self._x, y)] = list(values)

    def append(self, y: int, value: int) -> None:
        self[y].append(value)

    def extend(self, y: int, values: Sequence[int]) -> None:
        self[y].extend(values)


class _Converting:
    """Base of descriptors that take some of their fields in several forms."""

    _CONVERSIONS: ClassVar[Mapping[str, Callable[[Any], object]]] = {}

    def __setattr__(self, name: str, value: object) -> None:
        convert = self._CONVERSIONS.get(name)
        super().__setattr__(name, value if convert is None else convert(value))


@dataclass
class ReaderConfigDescriptor:
    """A reader: RISCV_1 with NoC 0."""


@dataclass
class WriterConfigDescriptor:
    """A writer: RISCV_0 with NoC 1."""


@dataclass
class DataMovementConfigDescriptor:
    """A kernel of one of the two RISCs for data movement."""

    processor: DataMovementProcessor = DataMovementProcessor.RISCV_0
    noc: NOC = NOC.RISCV_0_default
    noc_mode: NOC_MODE = NOC_MODE.DM_DEDICATED_NOC


@dataclass
class ComputeConfigDescriptor:
    """A compute kernel."""

    math_fidelity: MathFidelity = MathFidelity.HiFi4
    math_approx_mode: bool = False
    fp32_dest_acc_en: bool = False
    dst_full_sync_en: bool = False
    bfp8_pack_precise: bool = False
    unpack_to_dest_mode: list[UnpackToDestMode] = field(default_factory=list)


@dataclass
class KernelDescriptor(_Converting):
    """A kernel: its source, the cores it runs on, and its arguments. `config` says on which RISC."""

    SourceType: ClassVar[type[KernelSourceType]] = KernelSourceType
    _CONVERSIONS: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "kernel_source": str,
        "runtime_args": RuntimeArgs.of,
    }

    kernel_source: str = ""
    source_type: KernelSourceType = KernelSourceType.FILE_PATH
    core_ranges: CoreRangeSet = field(default_factory=CoreRangeSet)
    compile_time_args: list[int] = field(default_factory=list)
    named_compile_time_args: list[tuple[str, int]] = field(default_factory=list)
    defines: list[tuple[str, str]] = field(default_factory=list)
    runtime_args: RuntimeArgs = field(default_factory=RuntimeArgs)
    common_runtime_args: list[int] = field(default_factory=list)
    opt_level: KernelBuildOptLevel | None = None
    config: object = None
    compiler_include_paths: list[str] = field(default_factory=list)


@dataclass
class CBFormatDescriptor(_Converting):
    """Page and format of a circular buffer under one index."""

    _CONVERSIONS: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "data_format": lambda given: given.format if isinstance(given, DataType) else given
    }

    buffer_index: int = 0
    data_format: DataFormat | DataType = DataType.FLOAT32
    page_size: int = 0
    tile: object = None


@dataclass
class CBDescriptor(_Converting):
    """A circular buffer of cores. `buffer` places it on a tensor in L1."""

    _CONVERSIONS: ClassVar[Mapping[str, Callable[[Any], object]]] = {
        "buffer": lambda given: given.buffer() if isinstance(given, Tensor) else given
    }

    total_size: int = 0
    core_ranges: CoreRangeSet = field(default_factory=CoreRangeSet)
    format_descriptors: list[CBFormatDescriptor] = field(default_factory=list)
    remote_format_descriptors: list[CBFormatDescriptor] = field(default_factory=list)
    buffer: HostBuffer | Tensor | None = None

    def has_buffer(self) -> bool:
        """Returns True if it is placed on a tensor."""
        return self.buffer is not None


@dataclass
class SemaphoreDescriptor:
    """A semaphore of cores, by id."""

    id: int = 0
    core_type: CoreType = CoreType.WORKER
    core_ranges: CoreRangeSet = field(default_factory=CoreRangeSet)
    initial_value: int = 0


@dataclass
class ProgramDescriptor:
    """A program: kernels, semaphores and circular buffers."""

    kernels: list[KernelDescriptor] = field(default_factory=list)
    semaphores: list[SemaphoreDescriptor] = field(default_factory=list)
    cbs: list[CBDescriptor] = field(default_factory=list)
    custom_program_hash: int | None = None


def merge_program_descriptors(descriptors: Sequence[ProgramDescriptor]) -> ProgramDescriptor:
    """Returns the program with the kernels, semaphores and circular buffers of all these."""
    return ProgramDescriptor(
        [kernel for one in descriptors for kernel in one.kernels],
        [semaphore for one in descriptors for semaphore in one.semaphores],
        [buffer for one in descriptors for buffer in one.cbs],
    )


def cb_descriptor_from_sharded_tensor(
    cb_index: int,
    tensor: Tensor,
    address_offset: int = 0,
    total_size: int = 0,
    core_ranges: CoreRangeSet | None = None,
) -> CBDescriptor:
    """Returns a circular buffer on the shards of a tensor in L1, by default on all of each.

    Raises:
        TtnnError: the tensor has no shards, or an offset, which is not modeled.
    """
    shards = tensor.memory_config().shard_spec
    if shards is None:
        raise TtnnError("cb_descriptor_from_sharded_tensor: expected a sharded tensor, found an interleaved one")
    if address_offset:
        raise TtnnError(f"address_offset: expected 0, others are not modeled, found {address_offset}")
    return CBDescriptor(
        total_size=total_size or tensor.buffer().aligned_size_per_bank,
        core_ranges=core_ranges or shards.grid,
        format_descriptors=[CBFormatDescriptor(cb_index, tensor.dtype.format, tensor.buffer_aligned_page_size())],
        buffer=tensor.buffer(),
    )
