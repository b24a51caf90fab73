"""Descriptions of programs: kernels on cores, their arguments, and memory before and after the run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nocbench.compiling.request import COMPUTE_RISCS, COMPUTE_THREADS, NOC_MODES, TILE_BYTES, TILE_ROWS
from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from nocbench.compiling.request import ComputeOptions

Core = tuple[int, int]
"""Logical coordinate: x, y."""

WORD_BYTES = 4


@dataclass(frozen=True, slots=True)
class Word:
    """An argument as written by the user: "4", "address source", "$pages * 2".

    Attributes:
        text: expression; see :mod:`nocbench.programs.expressions`.
        where: beginning of complaints about the argument.
    """

    text: str
    where: str


@dataclass(frozen=True, slots=True)
class Contents:
    """Content of a tensor, a region or a part of one.

    Attributes:
        data: first bytes; all others are zero.
        words: the first words, in the place of `data`.
        first: first of words that count up, in the place of `data`; None: there are no such words.
        same_as: place that has equal content after the run, or None.
        where: beginning of complaints about the content.
    """

    data: bytes = b""
    words: tuple[Word, ...] = ()
    first: Word | None = None
    same_as: Place | None = None
    where: str = ""

    @property
    def are_zero(self) -> bool:
        """True if all bytes are zero, at any size."""
        return not self.words and self.first is None and not any(self.data)

    @property
    def expressions(self) -> tuple[Word, ...]:
        """All expressions, which depend on addresses."""
        return self.words if self.first is None else (self.first,)

    def require_room(self, size: int, num_words: int | None = None) -> None:
        """Raises InputError if there are more than `size` bytes; `num_words`: words once they are evaluated."""
        found = len(self.data) + (len(self.words) if num_words is None else num_words) * WORD_BYTES
        if found > size:
            raise InputError(f"{self.where}: expected at most {size:,} bytes, found {found:,}")


@dataclass(frozen=True, slots=True)
class CoreContents:
    """Content of a region or buffer on some cores: on all if `cores` is None."""

    contents: Contents
    cores: tuple[Core, ...] | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor, or a region or buffer on a core, or a part of these.

    Attributes:
        name: name of the tensor or region, or key of the buffer.
        core: core of a region or buffer.
        offset_bytes: beginning of the part.
        size: number of bytes; None: all bytes to the end.
        where: beginning of complaints about the place.
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
        firmware: file with the symbols of the firmware; None if the kernel's own symbols suffice.
        noc_is_given: True if the user chose the NoC; False: the NoC is that in the kernel's file.
    """

    firmware: Path | None = None
    noc_is_given: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel on cores.

    Attributes:
        name: name of the result row; by default, the name of the file without suffix.
        source: file with `kernel_main`; for a card kernel, its ELF file.
        riscv, noc: RISC of the tile that runs the kernel, and the kernel's NoC.
        noc_mode: "dedicated" if no other kernel of its cores uses the NoC, "dynamic" if it may use both.
        cores: cores that run the kernel.
        compile_time_args, named_compile_time_args, runtime_args, common_args: arguments of the kernel.
        each_core: further run-time arguments, after `runtime_args`, for each of `cores`; may be empty.
        runtime_arg_names, common_arg_names: names of the first arguments.
        tensors: tensors that the kernel accesses by name.
        scratchpads: regions that the kernel accesses by name, as its own memory.
        defines: macros; None defines a macro without a value.
        zone: timed zone; empty: the whole kernel.
        image: options of a card kernel; None for a kernel that is compiled here.
        compute: options of a compute kernel, or of one of its threads; None for a kernel that moves data.
        where: beginning of complaints about the kernel.
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
    compute: ComputeOptions | None = None
    where: str = ""
    noc_mode: str = NOC_MODES[0]

    @property
    def threads(self) -> list[Kernel]:
        """The kernels of a compute kernel's threads: one for each of the RISCs that it runs on; else the kernel."""
        if self.compute is None:
            return [self]
        return [
            replace(self, name=f"{self.name} ({thread})", riscv=riscv)
            for riscv, thread in zip(COMPUTE_RISCS, COMPUTE_THREADS, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A circular buffer, at the same address on every core.

    Attributes:
        tile_rows: rows of a tile.
        initial: contents before the run, each on other cores; zeros on all others.
        tensor: tensor in L1 whose shards the buffer lies on; empty: the buffer has memory of its own.
    """

    id: int
    pages: int
    page_bytes: int
    format: str | None = None
    name: str = ""
    initial: tuple[CoreContents, ...] = ()
    tensor: str = ""
    where: str = ""
    tile_rows: int = TILE_ROWS[-1]

    @property
    def key(self) -> str:
        """Name among tensors and regions, whose names have no blanks."""
        return f"buffer {self.id}"

    @property
    def size(self) -> int:
        """Size in bytes."""
        return self.pages * self.page_bytes


def buffers_by_name(buffers: Sequence[Buffer]) -> dict[str, Buffer]:
    """Returns buffers by name and by id. An id comes before an equal name, and the first of equal names counts."""
    names = {buffer.name: buffer for buffer in reversed(buffers) if buffer.name}
    return names | {str(buffer.id): buffer for buffer in buffers}


def rectangle(first: Core, last: Core) -> tuple[Core, ...]:
    """Returns the cores from one corner to the other, row by row; none if the corners are the wrong way round."""
    return tuple((x, y) for y in range(first[1], last[1] + 1) for x in range(first[0], last[0] + 1))


@dataclass(frozen=True, slots=True)
class Semaphore:
    """A semaphore of every core.

    Attributes:
        id: number of the semaphore.
        initial: value before the run.
        initial_on: values on cores where they differ from `initial`.
        name: name, or empty.
        where: place in the file.
    """

    id: int
    initial: int = 0
    name: str = ""
    where: str = ""
    initial_on: tuple[tuple[Core, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor of pages in DRAM or L1.

    Attributes:
        shape: pages along each dimension; a single number for a plain list of pages.
        shard: pages of a shard along each dimension; empty if pages are interleaved over all banks.
        on: cores of the shards, or numbers of their DRAM banks.
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
        """Number of pages."""
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
    """A range of L1, at one address on all cores.

    Attributes:
        initial: contents before the run, each on other cores; zeros on all others.
    """

    name: str
    size: int
    initial: tuple[CoreContents, ...] = ()
    where: str = ""


@dataclass(frozen=True, slots=True)
class Resemblance:
    """Least likeness of tiles to those expected.

    Attributes:
        correlation: least coefficient of Pearson (PCC) of their values, above 0 and up to 1.
        data_format: format of the tiles.
    """

    correlation: float
    data_format: str


@dataclass(frozen=True, slots=True)
class Expectation:
    """Content expected at a place after the run.

    Attributes:
        resemblance: what is enough; None: the content has exactly these bytes.
    """

    place: Place
    equals: Contents
    resemblance: Resemblance | None = None


def least_correlation(value: object) -> float:
    """Returns a least coefficient. Raises InputError, "expected ..., found ...", if it is none."""
    with suppress(ValueError, TypeError):
        number = float(value)  # type: ignore[arg-type] # a TypeError is a mistake, too
        if 0 < number <= 1:
            return number
    raise InputError(f"expected a number above 0 and up to 1, found {value}")


def format_of_tiles(name: str | None, size: int) -> str:
    """Returns the format of tiles that take `size` bytes.

    Raises:
        InputError: "expected ..., found ...": they do not, or there is no such format.
    """
    if name is None:
        raise InputError("expected the format of the tiles, found none")
    if name not in TILE_BYTES:
        raise InputError(f"expected one of {', '.join(TILE_BYTES)}, found '{name}'{did_you_mean(name, TILE_BYTES)}")
    if size % TILE_BYTES[name] != 0:
        raise InputError(f"expected whole tiles of {TILE_BYTES[name]:,} bytes, found {size:,} bytes")
    return name


@dataclass(frozen=True, slots=True)
class CompilerOptions:
    """Compiler options for all kernels of a program.

    Attributes:
        include_directories: folders of headers.
        defines: macros of all kernels.
        optimization: "-O2" as for the device, or another level.
        compiler: compiler to use; None: the default one.
        tt_metal: a checkout of tt-metal or an unpacked `ttnn` wheel: its headers instead of those of nocbench.
        page_bytes_in_layouts: True if layouts of tensors contain the page size after the first word; None: as in the
            headers.
    """

    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)
    optimization: str = "-O2"
    compiler: Path | None = None
    tt_metal: Path | None = None
    page_bytes_in_layouts: bool | None = None


@dataclass(frozen=True, slots=True)
class ProgramDescription:
    """Description of a program. Arguments are texts, since their values depend on addresses.

    Attributes:
        parameters: values of parameters by name, including those of the machine.
        own_parameters: names of the parameters that `-a` may set.
        changed: parameters that differ from the defaults.
        l1_data_cache: state of Blackhole's L1 data cache; None: as the board's firmware leaves it.
        launched_again: True if the program is launched again with its semaphores as they are at its end.
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
    l1_data_cache: bool | None = None
    launched_again: bool = False
    about: str = ""

    @property
    def things(self) -> tuple[Tensor | Region, ...]:
        """All tensors and regions."""
        return (*self.tensors, *self.regions)

    @property
    def in_l1(self) -> tuple[Buffer | Region, ...]:
        """All parts of the L1 of every core."""
        return (*self.buffers, *self.regions)

    def thing(self, name: str) -> Tensor | Region | Buffer | None:
        """Returns the tensor or region with a name, or the buffer with a key, or None."""
        named: dict[str, Tensor | Region | Buffer] = {thing.name: thing for thing in self.things}
        return named.get(name) or next((buffer for buffer in self.buffers if buffer.key == name), None)
