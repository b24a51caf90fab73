"""Request to compile a kernel: source, arguments, buffers and tensors."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from nocbench.support.errors import InputError, Mistakes, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ARCHITECTURES = ("wormhole_b0", "blackhole")
"""Architectures whose tiles have a processor for compiled kernels."""

COMPUTE_RISCS = (2, 3, 4)
"""RISCs that run unpack, math and pack of a compute kernel."""

COMPUTE_THREADS = ("unpack", "math", "pack")
"""Names of the threads on these RISCs."""

FIDELITIES = {"LoFi": 1, "HiFi2": 2, "HiFi3": 3, "HiFi4": 4}
"""Phases of a multiplication, by the name of a fidelity in tt-metal."""

NOC_MODES = ("dedicated", "dynamic")
"""Who uses a NoC of a tile: one of its RISCs, or both. The order is that of tt-metal's numbers."""

NUM_BUFFERS = 32
NUM_SEMAPHORES = 16
MAX_ARGUMENTS = 341
"""Maximum number of run-time arguments of a kernel on a core, including common ones.

The limit is that of tt-metal since 2026; for earlier releases, see TtMetal.max_arguments.
"""

DATA_FORMATS = {
    "Float32": 0,
    "Float16": 1,
    "Bfp8": 2,
    "Bfp4": 3,
    "Tf32": 4,
    "Float16_b": 5,
    "Bfp8_b": 6,
    "Bfp4_b": 7,
    "Int32": 8,
    "UInt16": 9,
    "Lf8": 10,
    "Bfp2": 11,
    "Int8": 14,
    "Bfp2_b": 15,
    "UInt32": 24,
    "Fp8_e4m3": 26,
    "UInt8": 30,
}
"""Numbers of the data formats of buffers, as in tt-metal."""

_TILE_BYTES_BY_SIZE = {
    4096: ("Float32", "Tf32", "Int32", "UInt32"),
    2048: ("Float16", "Float16_b", "UInt16"),
    1088: ("Bfp8", "Bfp8_b"),
    1024: ("Lf8", "Int8", "Fp8_e4m3", "UInt8"),
    576: ("Bfp4", "Bfp4_b"),
    320: ("Bfp2", "Bfp2_b"),
}
TILE_BYTES = {name: tile_bytes for tile_bytes, names in _TILE_BYTES_BY_SIZE.items() for name in names}
"""Bytes of a tile of 32 x 32 values, by format. Block formats have an exponent byte per 16 values."""
TILE_ROWS = (1, 2, 4, 8, 16, 32)
"""Rows that tiles can have. Exponents take a fraction of their bytes, but not less than a minimum."""
_EXPONENT_BYTES = 64
_EXPONENT_BYTES_MIN = 16

_OPTIMISATIONS = ("-O0", "-O1", "-O2", "-O3", "-Os")
_MACRO = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MACRO_WITH_PARAMETERS = re.compile(_MACRO.pattern + r"(\([A-Za-z0-9_, .]*\))?")
# Keywords of C++, and macros of the headers.
_TAKEN_WORDS = """
    ASSERT DPRINT alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if
    inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch
    template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
    wchar_t while xor xor_eq
"""
_NOT_NAMES = frozenset(_TAKEN_WORDS.split())
_MAX_BANKS = 256
_WORD_MIN = -(2**31)
_WORD_END = 2**32

Key = TypeVar("Key")
Value = TypeVar("Value")


def _nothing() -> Mapping[Key, Value]:
    return MappingProxyType({})


@dataclass(frozen=True)
class BufferFormat:
    """Format of a circular buffer's pages.

    Attributes:
        page_bytes: size of a page.
        data_format: one of DATA_FORMATS; None: a tile is a page.
        tile_rows: rows of a tile, one of TILE_ROWS.
    """

    page_bytes: int
    data_format: str | None = None
    tile_rows: int = TILE_ROWS[-1]

    @property
    def tile_bytes(self) -> int:
        """Size of a tile in bytes, as returned by `get_tile_size`."""
        if self.data_format is None:
            return self.page_bytes
        exponents = _EXPONENT_BYTES if self.data_format.startswith("Bfp") else 0
        share = TILE_ROWS[-1] // self.tile_rows
        values = (TILE_BYTES[self.data_format] - exponents) // share
        return values + max(exponents // share, min(exponents, _EXPONENT_BYTES_MIN))


@dataclass(frozen=True)
class TensorLayout:
    """Layout of a tensor that kernels access by name.

    Attributes:
        words: words that `TensorAccessorArgs` reads; (2,) for interleaved in DRAM, (0,) for interleaved in L1.
        page_bytes: size of a page.
    """

    words: tuple[int, ...]
    page_bytes: int


@dataclass(frozen=True)
class ComputeOptions:
    """Options of a compute kernel.

    Attributes:
        fidelity_phases: phases of a multiplication, 1 (LoFi) to 4 (HiFi4).
        has_wide_dst: True if values in Dst have 32 bits instead of 16.
        has_whole_dst: True if math and pack take turns with all of Dst, instead of halves.
        approximates: True if functions of the vector unit may approximate; the model has them in full precision.
        exact_buffers: bits by id of buffers that are unpacked to Dst in full precision.
    """

    fidelity_phases: int = 4
    has_wide_dst: bool = False
    has_whole_dst: bool = False
    approximates: bool = False
    exact_buffers: int = 0


@dataclass(frozen=True)
class KernelRequest:
    """A kernel to compile.

    Attributes:
        source: the file with `kernel_main`.
        architecture: "wormhole_b0" or "blackhole".
        riscv: RISC of the tile that runs the kernel: 0 or 1, or 2 to 4 for unpack, math and pack of a compute kernel.
        noc: default NoC of the kernel.
        noc_mode: one of NOC_MODES.
        num_dram_banks, num_l1_banks: numbers of banks of interleaved buffers.
        compile_time_args: words, by index. The layouts of `tensors` follow them.
        named_compile_time_args: words, by name.
        runtime_arg_names, common_arg_names: names of the first arguments, for `get_arg(args::…)`. After the named
            common arguments come the addresses of `tensors`, then those of `scratchpads`.
        buffers: circular buffers by id.
        buffer_names, semaphore_names: ids by name, for `dfb::…` and `sem::…`.
        tensors: layouts by name, for `tensor::…`.
        scratchpads: sizes in bytes of the kernel's own memory regions by name, for `scratch::…`.
        defines: macros of the program; None defines one without a value.
        include_directories: folders of headers, in this order, before the headers of the device.
        optimisation: "-O2" as for the device, or "-O0", "-O1", "-O3", "-Os".
        compiler: a compiler for 32-bit RISC-V instead of the pinned one.
        pcie_noc: coordinates of the PCIe tile; None: the chip has none.
        page_bytes_in_layouts: True if layouts of tensors contain the page size after the first word, as in tt-metal
            since the middle of 2026.
        compute: options of a compute kernel; None for a kernel that moves data.
        tt_metal: a checkout of tt-metal or an unpacked `ttnn` wheel: its headers instead of those of nocbench.
    """

    source: Path
    architecture: str
    riscv: int
    noc: int
    num_dram_banks: int
    num_l1_banks: int
    compile_time_args: tuple[int, ...] = ()
    named_compile_time_args: Mapping[str, int] = field(default_factory=_nothing)
    runtime_arg_names: tuple[str, ...] = ()
    common_arg_names: tuple[str, ...] = ()
    buffers: Mapping[int, BufferFormat] = field(default_factory=_nothing)
    buffer_names: Mapping[str, int] = field(default_factory=_nothing)
    semaphore_names: Mapping[str, int] = field(default_factory=_nothing)
    tensors: Mapping[str, TensorLayout] = field(default_factory=_nothing)
    scratchpads: Mapping[str, int] = field(default_factory=_nothing)
    defines: Mapping[str, str | None] = field(default_factory=_nothing)
    include_directories: tuple[Path, ...] = ()
    optimisation: str = "-O2"
    compiler: Path | None = None
    pcie_noc: tuple[int, int] | None = None
    page_bytes_in_layouts: bool = False
    compute: ComputeOptions | None = None
    tt_metal: Path | None = None
    noc_mode: str = NOC_MODES[0]

    def tensor_address_argument(self, name: str) -> int:
        """Returns the index of the common argument with the address of a tensor."""
        return len(self.common_arg_names) + list(self.tensors).index(name)

    def scratchpad_argument(self, name: str) -> int:
        """Returns the index of the common argument with the address of a scratchpad."""
        return len(self.common_arg_names) + len(self.tensors) + list(self.scratchpads).index(name)

    @property
    def num_named_common_args(self) -> int:
        """Number of named common arguments, including addresses of tensors and scratchpads."""
        return len(self.common_arg_names) + len(self.tensors) + len(self.scratchpads)

    def tensor_layout_argument(self, name: str) -> int:
        """Returns the index of the first compile-time argument of a tensor's layout."""
        index = len(self.compile_time_args)
        for other, layout in self.tensors.items():
            if other == name:
                break
            index += len(layout.words)
        return index

    @property
    def all_compile_time_args(self) -> tuple[int, ...]:
        """Compile-time arguments, followed by the layouts of tensors."""
        return (*self.compile_time_args, *(word for layout in self.tensors.values() for word in layout.words))

    def require_sense(self) -> None:
        """Raises InputError, with all mistakes, for a request that no source can satisfy."""
        mistakes = Mistakes()
        for check in (_check_target, _check_words, _check_names, _check_buffers, _check_paths):
            check(self, mistakes)
        mistakes.complain()


def _check_target(request: KernelRequest, mistakes: Mistakes) -> None:
    if request.architecture not in ARCHITECTURES:
        mistakes.note(
            f"architecture: expected {' or '.join(ARCHITECTURES)}, found '{request.architecture}'"
            f"{did_you_mean(request.architecture, ARCHITECTURES)}"
        )
    if request.riscv not in ((0, 1) if request.compute is None else COMPUTE_RISCS):
        expected = "0 or 1" if request.compute is None else "2 to 4 for a compute kernel"
        mistakes.note(f"riscv: expected {expected}, found {request.riscv}")
    if request.noc not in (0, 1):
        mistakes.note(f"noc: expected 0 or 1, found {request.noc}")
    if request.compute is not None and request.tt_metal is not None:
        mistakes.note("tt_metal: expected a kernel that moves data, found a compute kernel")
    if request.noc_mode not in NOC_MODES:
        mistakes.note(f"noc_mode: expected {' or '.join(NOC_MODES)}, found '{request.noc_mode}'")
    elif request.noc_mode != NOC_MODES[0] and request.tt_metal is not None:
        mistakes.note(f"noc_mode: expected {NOC_MODES[0]} with headers of tt-metal, found {request.noc_mode}")
    for name, value in (("num_dram_banks", request.num_dram_banks), ("num_l1_banks", request.num_l1_banks)):
        if not 1 <= value <= _MAX_BANKS:
            mistakes.note(f"{name}: expected 1 to {_MAX_BANKS}, found {value}")
    if request.optimisation not in _OPTIMISATIONS:
        mistakes.note(f"optimisation: expected one of {', '.join(_OPTIMISATIONS)}, found '{request.optimisation}'")
    for name, text in request.defines.items():
        if not _MACRO_WITH_PARAMETERS.fullmatch(name):
            mistakes.note(f"defines: expected the name of a macro, found '{name}'")
        if text is not None and "\n" in text:
            mistakes.note(f"defines: {name}: expected one line, found several")


def _check_words(request: KernelRequest, mistakes: Mistakes) -> None:
    words = [(f"compile_time_args[{index}]", value) for index, value in enumerate(request.compile_time_args)]
    words += [(f"named_compile_time_args: {name}", value) for name, value in request.named_compile_time_args.items()]
    words += [
        (f"tensors: {name}: words[{index}]", value)
        for name, layout in request.tensors.items()
        for index, value in enumerate(layout.words)
    ]
    for name, value in words:
        if not _WORD_MIN <= value < _WORD_END:
            mistakes.note(f"{name}: expected a 32-bit number, found {value}")
    for name in request.named_compile_time_args:
        if '"' in name or "\\" in name or "\n" in name:
            mistakes.note(f"named_compile_time_args: expected a name without quotes, found {name!r}")
    for name, layout in request.tensors.items():
        if not layout.words:
            mistakes.note(f"tensors: {name}: expected at least one word of layout, found none")
        if layout.page_bytes <= 0:
            mistakes.note(f"tensors: {name}: expected pages of at least one byte, found {layout.page_bytes}")
    for name, size in request.scratchpads.items():
        if size <= 0:
            mistakes.note(f"scratchpads: {name}: expected at least one byte, found {size}")


def _check_names(request: KernelRequest, mistakes: Mistakes) -> None:
    arguments = (
        *request.runtime_arg_names,
        *request.common_arg_names,
        *(name for name in request.named_compile_time_args if _MACRO.fullmatch(name)),
    )
    spaces = {
        "args": arguments,
        "dfb": tuple(request.buffer_names),
        "sem": tuple(request.semaphore_names),
        "tensor": tuple(request.tensors),
        "scratch": tuple(request.scratchpads),
    }
    for space, names in spaces.items():
        for name in names:
            if not _MACRO.fullmatch(name) or name in _NOT_NAMES or name.startswith("__"):
                mistakes.note(f"{space}: expected a name as in C++, found '{name}'")
        for name in sorted({name for name in names if names.count(name) > 1}):
            mistakes.note(f"{space}: '{name}' is the name of two things")
    for name, id_ in request.semaphore_names.items():
        if not 0 <= id_ < NUM_SEMAPHORES:
            mistakes.note(f"semaphore_names: {name}: expected 0 to {NUM_SEMAPHORES - 1}, found {id_}")
    count = len(request.runtime_arg_names) + request.num_named_common_args
    if count > MAX_ARGUMENTS:
        mistakes.note(
            f"runtime_arg_names, common_arg_names, tensors and scratchpads: expected at most {MAX_ARGUMENTS} in all,"
            f" found {count}"
        )


def _check_buffers(request: KernelRequest, mistakes: Mistakes) -> None:
    for id_, buffer in request.buffers.items():
        if not 0 <= id_ < NUM_BUFFERS:
            mistakes.note(f"buffers: expected an id from 0 to {NUM_BUFFERS - 1}, found {id_}")
        if buffer.page_bytes <= 0:
            mistakes.note(f"buffers[{id_}]: expected pages of at least one byte, found {buffer.page_bytes}")
        if buffer.data_format is not None and buffer.data_format not in DATA_FORMATS:
            mistakes.note(
                f"buffers[{id_}]: expected a data format as {', '.join(list(DATA_FORMATS)[:6])}, found"
                f" '{buffer.data_format}'{did_you_mean(buffer.data_format, DATA_FORMATS)}"
            )
        if buffer.tile_rows not in TILE_ROWS:
            mistakes.note(f"buffers[{id_}]: expected tiles with one of {TILE_ROWS} rows, found {buffer.tile_rows}")
    for name, id_ in request.buffer_names.items():
        if id_ not in request.buffers:
            mistakes.note(f"buffer_names: {name}: expected the id of one of the buffers, found {id_}")


def _check_paths(request: KernelRequest, mistakes: Mistakes) -> None:
    if request.source.is_dir():
        mistakes.note(f"{request.source}: expected the source of a kernel, found a directory")
    elif not request.source.is_file():
        mistakes.note(f"{request.source}: no such file")
    if any(character in str(request.source) for character in '"\\\n'):
        mistakes.note(f"{request.source}: a path with quotes, backslashes or line ends cannot be compiled")
    for directory in request.include_directories:
        if not directory.is_dir():
            mistakes.note(f"{directory}: expected a directory with headers, found none")


def read_source(path: Path) -> bytes:
    """Returns the content of a source. Raises InputError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
