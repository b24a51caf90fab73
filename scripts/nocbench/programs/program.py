"""What a program is: kernels on cores, what they are given, what is in memory before and must be there after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Core = tuple[int, int]
"""A logical coordinate: x, y."""

WORD_BYTES = 4


@dataclass(frozen=True, slots=True)
class Word:
    """What an argument is, as its user wrote it: "4", "address source", "$pages * 2".

    Attributes:
        text: see :mod:`nocbench.programs.expressions`.
        where: how complaints about it begin.
    """

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Contents:
    """What a tensor, a region or a part of one holds.

    Attributes:
        data: the first bytes; what follows is zero, unless `counts`.
        first: the first of 32-bit words that count up, if `counts`.
        counts: whether they do.
        same_as: the tensor or region that holds the same after the program has run; see :class:`Place`.
        where: how complaints about it begin.
    """

    data: bytes = b""
    first: int = 0
    counts: bool = False
    same_as: Place | None = None
    where: str = ""

    @property
    def are_zero(self) -> bool:
        """Whether all bytes are, however many there are."""
        return not self.counts and not any(self.data)

    def make(self, size: int) -> bytes:
        """The bytes.

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
        name: of the tensor or region.
        core: of a region.
        offset_bytes: where it begins.
        size: in bytes; None: to the end.
        where: how complaints about it begin.
    """

    name: str
    core: Core | None = None
    offset_bytes: int = 0
    size: int | None = None
    where: str = ""


@dataclass(frozen=True, slots=True)
class CardImage:
    """What is said of a kernel that was compiled for the card.

    Attributes:
        firmware: a file with the symbols of the firmware that it was linked against; None: its own are enough.
        noc_is_given: whether its NoC was; otherwise it is the one that it was compiled for.
    """

    firmware: Path | None = None
    noc_is_given: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel on cores.

    Attributes:
        name: of its result row; the file's name without its ending, unless it is given.
        source: the file with `kernel_main`; of a kernel for the card, its ELF file.
        riscv, noc: which of the tile's two RISCs runs it, and which NoC it has to itself.
        cores: where it runs.
        compile_time_args, named_compile_time_args, runtime_args, common_args: its arguments.
        each_core: run-time arguments that follow those, a list for each of `cores`; or none.
        runtime_arg_names, common_arg_names: names of arguments from the first one on.
        tensors: which tensors it knows by name.
        scratchpads: which regions it knows by name, as memory of its own.
        defines: macros; None defines one without a value.
        zone: which of its zones is timed; empty: all of the kernel.
        image: what is said of a kernel for the card; None of one that is compiled here.
        where: how complaints about it begin.
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
        """In bytes."""
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
        """All of them."""
        number = 1
        for extent in self.shape:
            number *= extent
        return number

    @property
    def size(self) -> int:
        """In bytes, without what alignment adds."""
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
    """What must be in a place when the program has run."""

    place: Place
    equals: Contents


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """How all kernels of a program are compiled.

    Attributes:
        include_directories: folders to look for headers in.
        defines: macros of all kernels.
        optimization: "-O2" as for the device, or another one.
        compiler: None: the usual one.
        tt_metal: a checkout of tt-metal or an unpacked `ttnn` wheel: its headers instead of those of nocbench.
        page_bytes_in_layouts: whether the layout of a tensor has the size of its pages after the first word; None: as
            the headers have it.
    """

    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)
    optimization: str = "-O2"
    compiler: Path | None = None
    tt_metal: Path | None = None
    page_bytes_in_layouts: bool | None = None


@dataclass(frozen=True, slots=True)
class ProgramDescription:
    """All of a program. Its arguments are not evaluated yet: they depend on where things are.

    Attributes:
        parameters: what arguments may name, those of the machine included.
        own_parameters: names of those that `-a` may set.
        changed: those whose values are not the defaults.
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
        """What has a name and an address."""
        return (*self.tensors, *self.regions)

    def thing(self, name: str) -> Tensor | Region | None:
        """The tensor or region of a name."""
        return next((thing for thing in self.things if thing.name == name), None)
