"""Descriptions of programs: kernels on cores, their arguments, and memory before and after the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Core = tuple[int, int]
"""Logical coordinate: x, y."""

WORD_BYTES = 4


@dataclass(frozen=True, slots=True)
class Word:
    """An argument as its user wrote it: "4", "address source", "$pages * 2".

    Attributes:
        text: see :mod:`nocbench.programs.expressions`.
        where: beginning of complaints about it.
    """

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Contents:
    """Content of a tensor, a region or a part of one.

    Attributes:
        data: the first bytes; the rest is zero, unless `counts`.
        first: first of the 32-bit words that count up, if `counts`.
        counts: True for such words.
        same_as: the tensor or region with the same content after the run; see :class:`Place`.
        where: beginning of complaints about it.
    """

    data: bytes = b""
    first: int = 0
    counts: bool = False
    same_as: Place | None = None
    where: str = ""

    @property
    def are_zero(self) -> bool:
        """True if all bytes are zero, for any size."""
        return not self.counts and not any(self.data)

    def make(self, size: int) -> bytes:
        """Returns `size` bytes.

        Raises:
            InputError: there are more than `size`.
        """
        if self.counts:
            from array import array

            words = -(-size // WORD_BYTES)
            return array("I", [(self.first + index) & 0xFFFF_FFFF for index in range(words)]).tobytes()[:size]
        if len(self.data) > size:
            raise InputError(f"{self.where}: expected at most {size:,} bytes, found {len(self.data):,}")
        return self.data.ljust(size, b"\0")


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor, or a region on a core, or a part of either.

    Attributes:
        name: name of the tensor or region.
        core: core of a region.
        offset_bytes: its beginning.
        size: number of bytes; None: to the end.
        where: beginning of complaints about it.
    """

    name: str
    core: Core | None = None
    offset_bytes: int = 0
    size: int | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class CardImage:
    """Options of a kernel that was compiled for the card.

    Attributes:
        firmware: a file with the symbols of the firmware that it was linked against; None: its own suffice.
        noc_is_given: True if the user chose its NoC; else it is the one that it was compiled for.
    """

    firmware: Path | None = None
    noc_is_given: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel on cores.

    Attributes:
        name: name of its result row; by default the file's name without its ending.
        source: the file with `kernel_main`; for the card, the ELF file.
        riscv, noc: the tile's RISC that runs it, and the NoC that it has to itself.
        cores: cores that run it.
        compile_time_args, named_compile_time_args, runtime_args, common_args: its arguments.
        each_core: run-time arguments that follow those, a list for each of `cores`; or none.
        runtime_arg_names, common_arg_names: names of arguments from the first one on.
        tensors: tensors that it knows by name.
        scratchpads: regions that it knows by name, as memory of its own.
        defines: macros; None defines one without a value.
        zone: the zone to time; empty: the whole kernel.
        image: options of a kernel for the card; None for one that is compiled here.
        where: beginning of complaints about it.
    """

    name: str
    source: Path
    riscv: int
    noc: int
    cores: tuple[Core, ...]
    compile_time_args: tuple[Word, ...] = ()
    named_compile_time_args: Mapping[str, Word] = field(default_factory=dict)
    runtime_args: tuple[Word, ...] = ()
    each_core: tuple[tuple[Word, ...], ...] = ()
    common_args: tuple[Word, ...] = ()
    runtime_arg_names: tuple[str, ...] = ()
    common_arg_names: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    scratchpads: tuple[str, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)
    zone: str = ""
    image: CardImage | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A circular buffer, at the same address on every core."""

    id: int
    pages: int
    page_bytes: int
    format: str | None = None
    name: str = ""
    where: str = ""

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.pages * self.page_bytes


@dataclass(frozen=True, slots=True)
class Semaphore:
    """A semaphore of every core."""

    id: int
    initial: int = 0
    name: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class Tensor:
    """Pages in DRAM or L1.

    Attributes:
        shape: pages along each dimension; one number for a plain list of them.
        shard: pages of a shard along each dimension; empty: pages are interleaved over all banks.
        on: cores of the shards, or numbers of DRAM banks.
    """

    name: str
    memory: str
    shape: tuple[int, ...]
    page_bytes: int
    initial: Contents
    shard: tuple[int, ...] = ()
    on: tuple[Core | int, ...] = ()
    where: str = ""

    @property
    def pages(self) -> int:
        """Number of all pages."""
        number = 1
        for extent in self.shape:
            number *= extent
        return number

    @property
    def size(self) -> int:
        """Size in bytes, without padding."""
        return self.pages * self.page_bytes


@dataclass(frozen=True, slots=True)
class Region:
    """A part of L1 that has the same address on every core."""

    name: str
    size: int
    initial: Contents
    where: str = ""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Content expected in a place after the run."""

    place: Place
    equals: Contents


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """Compiler options for all kernels of a program.

    Attributes:
        include_directories: folders of headers.
        defines: macros of all kernels.
        optimization: "-O2" as for the device, or another one.
        compiler: None: the usual one.
        tt_metal: a checkout of tt-metal or an unpacked `ttnn` wheel: its headers instead of those of nocbench.
        page_bytes_in_layouts: True if layouts of tensors contain the page size after the first word; None: as the
            headers have it.
    """

    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)
    optimization: str = "-O2"
    compiler: Path | None = None
    tt_metal: Path | None = None
    page_bytes_in_layouts: bool | None = None


@dataclass(frozen=True, slots=True)
class ProgramDescription:
    """A whole program. Its arguments are not evaluated yet, since they depend on addresses.

    Attributes:
        parameters: names for arguments, with those of the machine.
        own_parameters: names of those that `-a` may set.
        changed: parameters that differ from the defaults.
    """

    name: str
    kernels: tuple[Kernel, ...]
    buffers: tuple[Buffer, ...] = ()
    semaphores: tuple[Semaphore, ...] = ()
    tensors: tuple[Tensor, ...] = ()
    regions: tuple[Region, ...] = ()
    expect: tuple[Expectation, ...] = ()
    parameters: Mapping[str, int] = field(default_factory=dict)
    own_parameters: tuple[str, ...] = ()
    changed: Mapping[str, int] = field(default_factory=dict)
    options: CompilerOptions = field(default_factory=CompilerOptions)
    about: str = ""

    @property
    def things(self) -> tuple[Tensor | Region, ...]:
        """All tensors and regions: the things with a name and an address."""
        return (*self.tensors, *self.regions)

    def thing(self, name: str) -> Tensor | Region | None:
        """Returns the tensor or region of a name, or None."""
        return next((thing for thing in self.things if thing.name == name), None)
