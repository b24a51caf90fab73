"""Addresses of a program's buffers, regions and tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.extension import core
from nocbench.programs.expressions import Names
from nocbench.programs.program import WORD_BYTES, Region
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from nocbench._core import TensorLayout
    from nocbench.architectures.memories import Memories
    from nocbench.programs.program import Buffer, CompilerOptions, Core, ProgramDescription, Tensor

L1 = "l1"
DRAM = "dram"


@dataclass(frozen=True, slots=True)
class Range:
    """Range of memory of a core, or of a DRAM bank if `core` is None."""

    core: Core | None
    bank: int
    address: int
    size: int


@dataclass(frozen=True, slots=True)
class Layout:
    """Addresses of a program's data.

    Attributes:
        memories: memory layout of the machine.
        addresses: addresses of regions on every core, and of tensors in every bank, by name.
        buffers: addresses of circular buffers, by id.
    """

    memories: Memories
    addresses: Mapping[str, int]
    buffers: Mapping[int, int]

    def address_in_l1(self, thing: Region | Buffer) -> int:
        """Returns the address of a region or buffer, the same on every core."""
        return self.addresses[thing.name] if isinstance(thing, Region) else self.buffers[thing.id]

    def banks_of(self, tensor: Tensor) -> tuple[Range, ...]:
        """Returns the range of a tensor in each of its banks, in the order of banks."""
        size = _bytes_per_bank(tensor, self.memories)
        address = self.addresses[tensor.name]
        if tensor.memory == DRAM:
            numbers = tensor.on or range(self.memories.dram_banks)
            return tuple(Range(None, int(bank), address, size) for bank in numbers)  # type: ignore[arg-type]
        return tuple(Range(core, 0, address, size) for core in tensor.on or self.memories.l1_banks)  # type: ignore[arg-type]

    def split(self, tensor: Tensor, content: bytes) -> list[bytes]:
        """Returns the content of a tensor by bank, in order; shorter for banks with fewer pages."""
        stride = _page_stride(tensor, self.memories)
        pages: list[dict[int, bytes]] = [{} for _ in range(_num_banks(tensor, self.memories))]
        for page, (bank, row) in enumerate(_pages(tensor, self.memories).places):
            pages[bank][row] = content[page * tensor.page_bytes : (page + 1) * tensor.page_bytes]
        gap = bytes(stride)
        return [
            b"".join(rows.get(row, gap).ljust(stride, b"\0") for row in range(max(rows, default=-1) + 1))
            for rows in pages
        ]

    def join(self, tensor: Tensor, banks: list[bytes]) -> bytes:
        """Joins the contents of a tensor's banks."""
        stride = _page_stride(tensor, self.memories)
        return b"".join(
            banks[bank][row * stride : row * stride + tensor.page_bytes]
            for bank, row in _pages(tensor, self.memories).places
        )

    def place_of_byte(self, tensor: Tensor, offset: int) -> str:
        """Returns the place of a tensor's byte in words: "page 3 (DRAM bank 3, address 0x400)"."""
        page, rest = divmod(offset, tensor.page_bytes)
        bank, row = _pages(tensor, self.memories).places[page]
        found = self.banks_of(tensor)[bank]
        address = found.address + row * _page_stride(tensor, self.memories) + rest
        where = f"DRAM bank {found.bank}" if found.core is None else f"L1 of core {found.core}"
        return f"page {page} ({where}, address {address:#x})"

    def l1_ranges(self, program: ProgramDescription) -> Iterator[tuple[str, int, int]]:
        """Yields the program's ranges in L1 of every core: name, first address, and address after the last."""
        for buffer in program.buffers:
            if not buffer.tensor:
                begin = self.buffers[buffer.id]
                yield f"buffer {buffer.name or buffer.id}", begin, begin + buffer.size
        for region in program.regions:
            begin = self.addresses[region.name]
            yield f"region {region.name}", begin, begin + region.size
        for tensor in program.tensors:
            if tensor.memory == L1:
                begin = self.addresses[tensor.name]
                yield f"tensor {tensor.name}", begin, begin + _bytes_per_bank(tensor, self.memories)

    def semaphore_ranges(self, program: ProgramDescription) -> Iterator[tuple[str, int, int]]:
        """Yields the words of the program's semaphores in the same form."""
        for semaphore in program.semaphores:
            begin = self.memories.semaphores[semaphore.id]
            yield f"semaphore {semaphore.name or semaphore.id}", begin, begin + WORD_BYTES

    def named_l1_ranges(self, program: ProgramDescription) -> Iterator[tuple[str, int, int]]:
        """Yields the semaphores, and then these ranges."""
        yield from self.semaphore_ranges(program)
        yield from self.l1_ranges(program)

    def names(self, program: ProgramDescription) -> Names:
        """Returns the names that arguments may use."""
        return names_of(program, self.memories, self.addresses)


def names_of(program: ProgramDescription, memories: Memories, addresses: Mapping[str, int]) -> Names:
    """Returns the names that arguments may use, with the given addresses."""
    things: tuple[Tensor | Buffer, ...] = (*program.tensors, *program.buffers)
    return Names(
        parameters=program.parameters,
        of_names={
            "address": addresses,
            "pages": {thing.name: thing.pages for thing in things if thing.name},
            "page_bytes": {thing.name: thing.page_bytes for thing in things if thing.name},
            "bytes": {thing.name: thing.size for thing in program.things},
            "semaphore": {semaphore.name: semaphore.id for semaphore in program.semaphores if semaphore.name},
            "buffer": {buffer.name: buffer.id for buffer in program.buffers if buffer.name},
        },
        coordinates=memories.translated,
        layouts={
            tensor.name: layout_words(tensor, memories, page_bytes=has_page_bytes_in_layouts(program.options))
            for tensor in program.tensors
        },
        of_banks={
            "bank_offset": (memories.bank_offsets, memories.bank_offsets),
            **{
                f"{what}_{axis}": [[place[axis == "y"] for place in of_noc] for of_noc in places]
                for what, places in (("bank", memories.bank_tiles), ("next_to_bank", memories.next_to_banks))
                for axis in ("x", "y")
            },
        },
    )


def lay_out(program: ProgramDescription, memories: Memories) -> Layout:
    """Returns addresses for all data, placed one after the other, and equal in all banks.

    Raises:
        InputError: data do not fit; the message has the size of each part.
    """
    # Transfers between DRAM and L1 require addresses with equal last bits.
    alignment = max(memories.l1_alignment, memories.dram_alignment)
    addresses: dict[str, int] = {}
    buffers: dict[int, int] = {}
    in_l1 = _Filler("L1 of a core", memories.l1_begin, memories.l1_bytes, alignment)
    in_dram = _Filler("a bank of DRAM", memories.dram_begin, memories.dram_bank_bytes, alignment)
    for buffer in program.buffers:
        if not buffer.tensor:
            buffers[buffer.id] = in_l1.take(f"buffer {buffer.name or buffer.id}", buffer.size)
    for region in program.regions:
        addresses[region.name] = in_l1.take(f"region {region.name}", region.size)
    for tensor in program.tensors:
        filler = in_dram if tensor.memory == DRAM else in_l1
        addresses[tensor.name] = filler.take(f"tensor {tensor.name}", _bytes_per_bank(tensor, memories))
    of_tensors = {tensor.name: tensor for tensor in program.tensors}
    for buffer in program.buffers:
        if buffer.tensor:
            room = _bytes_per_bank(of_tensors[buffer.tensor], memories)
            if buffer.size > room:
                expected = f"at most {room:,} bytes, the size of {buffer.tensor} on a core"
                raise InputError(f"{buffer.where}: expected {expected}, found {buffer.size:,}")
            buffers[buffer.id] = addresses[buffer.tensor]
    for filler in (in_l1, in_dram):
        filler.require_room()
    return Layout(memories, addresses, buffers)


class _Filler:
    """Allocator that fills a memory from the bottom."""

    def __init__(self, what: str, begin: int, end: int, alignment: int) -> None:
        self._what = what
        self._begin = begin
        self._next = begin
        self._end = end
        self._alignment = alignment
        self._taken: list[tuple[str, int]] = []

    def take(self, name: str, size: int) -> int:
        address = -(-self._next // self._alignment) * self._alignment
        self._next = address + size
        self._taken.append((name, size))
        return address

    def require_room(self) -> None:
        if self._next <= self._end:
            return
        width = max(len(name) for name, _ in self._taken)
        room = f"at most {self._end - self._begin:,} bytes from {self._begin:#x} on"
        lines = [f"{self._what}: expected {room}, found {self._next - self._begin:,}:"]
        lines += [f"    {name:<{width}}  {size:>13,} bytes" for name, size in self._taken]
        raise InputError("\n".join(lines))


def has_page_bytes_in_layouts(options: CompilerOptions) -> bool:
    """Returns True if layouts contain the page size. Raises InputError if the tree with the headers does not exist."""
    if options.page_bytes_in_layouts is not None:
        return options.page_bytes_in_layouts
    if options.tt_metal is None:
        return False
    from nocbench.compiling.tt_metal import find_tt_metal

    return find_tt_metal(options.tt_metal).page_bytes_in_layouts


def layout_words(tensor: Tensor, memories: Memories, *, page_bytes: bool) -> tuple[int, ...]:
    """Returns a tensor's words for `TensorAccessorArgs`."""
    banks = [(bank, 0) if isinstance(bank, int) else memories.translated[bank] for bank in tensor.on]
    first, *others = _pages(tensor, memories).accessor_words(tensor.memory == DRAM, banks)
    return (first, *((_page_stride(tensor, memories),) if page_bytes else ()), *others)


def _pages(tensor: Tensor, memories: Memories) -> TensorLayout:
    shape = list(tensor.shape) if tensor.shard else [tensor.pages]
    layout: TensorLayout = core().TensorLayout(shape, list(tensor.shard), _num_banks(tensor, memories))
    return layout


def _num_banks(tensor: Tensor, memories: Memories) -> int:
    if tensor.shard:
        return len(tensor.on)
    return memories.dram_banks if tensor.memory == DRAM else len(memories.l1_banks)


def _page_stride(tensor: Tensor, memories: Memories) -> int:
    alignment = memories.dram_alignment if tensor.memory == DRAM else memories.l1_alignment
    return -(-tensor.page_bytes // alignment) * alignment


def pages_in_bank(tensor: Tensor, memories: Memories) -> tuple[int, int]:
    """Returns number and size of a tensor's pages in each bank, with their padding."""
    return _pages(tensor, memories).rows_per_bank, _page_stride(tensor, memories)


def _bytes_per_bank(tensor: Tensor, memories: Memories) -> int:
    rows, stride = pages_in_bank(tensor, memories)
    return rows * stride
