"""Sections and symbols of a compiled kernel, and checks that it fits into memory."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from nocbench.compiling.messages import KernelCompileError

_COMPUTE_ORIGIN = 0x1000000
IMAGE_ORIGINS = (0x1000, 0x7000, _COMPUTE_ORIGIN, _COMPUTE_ORIGIN, _COMPUTE_ORIGIN)
"""Address of the image, by RISC: in L1, but outside of it for compute kernels, each with memory of its own."""
IMAGE_BYTES = (0x6000, 0x6000, 0x10000, 0x10000, 0x10000)
"""Size of the memory for an image in bytes, by RISC."""
PRIVATE_BYTES = {"wormhole_b0": 4096, "blackhole": 8192}
"""Size of a RISC's private memory in bytes, by architecture."""
STACK_BYTES_MIN = 512
"""Minimum size of the stack in private memory, in bytes."""

_PRIVATE_ORIGIN = 0xFFB00000
_HEADER = struct.Struct("<16sHHIIIIIHHHHHH")
_SECTION = struct.Struct("<IIIIIIIIII")
_RISC_V = 243
_ALLOCATED = 0x2
_EXECUTABLE = 0x4
_NO_BITS = 8
_SYMBOL = struct.Struct("<IIIBBH")
_SYMBOL_TABLE = 2
_NAMES_OF_THINGS = (0, 1, 2)
"""Types of symbols that name code or data: untyped, data, function. Other types name sections and files."""
_ABSOLUTE = 0xFFF1
_LONG_INSTRUCTION = 0x3


@dataclass(frozen=True)
class Section:
    """A section of an image that is in memory while the kernel runs."""

    name: str
    address: int
    size: int
    content: bytes
    is_code: bool


def read_sections(elf: bytes) -> list[Section]:
    """Returns the sections of an image that have an address in memory.

    Raises:
        KernelCompileError: the file is no image for 32-bit RISC-V.
    """
    try:
        header = _HEADER.unpack_from(elf)
        magic, machine, table, count, names_index = header[0], header[2], header[6], header[12], header[13]
        if magic[:6] != b"\x7fELF\x01\x01" or machine != _RISC_V:
            raise KernelCompileError("the compiler made no image for 32-bit RISC-V", "")
        entries = [_SECTION.unpack_from(elf, table + index * _SECTION.size) for index in range(count)]
    except struct.error:
        raise KernelCompileError("the compiler made no image for 32-bit RISC-V", "") from None
    names = elf[entries[names_index][4] :][: entries[names_index][5]]
    sections = []
    for name_at, kind, flags, address, offset, size, *_ in entries:
        if flags & _ALLOCATED and size > 0:
            name = names[name_at : names.index(b"\0", name_at)].decode(errors="replace")
            content = b"" if kind == _NO_BITS else elf[offset : offset + size]
            sections.append(Section(name, address, size, content, bool(flags & _EXECUTABLE)))
    return sections


@dataclass(frozen=True)
class Symbol:
    """A symbol of an image.

    Attributes:
        name: name of a function, a datum or a label.
        value: address.
        size: size of the function or datum; 0 for a label.
        is_absolute: True for a symbol outside all sections, such as an address given to the linker.
    """

    name: str
    value: int
    size: int
    is_absolute: bool


def read_symbols(elf: bytes) -> list[Symbol]:
    """Returns the symbols of functions and data in an image that :func:`read_sections` can read."""
    header = _HEADER.unpack_from(elf)
    table, count = header[6], header[12]
    entries = [_SECTION.unpack_from(elf, table + index * _SECTION.size) for index in range(count)]
    symbols = []
    for _, kind, _, _, offset, size, link, *_ in entries:
        if kind != _SYMBOL_TABLE:
            continue
        names = entries[link][4]
        for name_at, value, bytes_of, information, _, section in _SYMBOL.iter_unpack(elf[offset : offset + size]):
            if information & 0xF in _NAMES_OF_THINGS and name_at:
                begin = names + name_at
                name = elf[begin : elf.index(b"\0", begin)].decode(errors="replace")
                symbols.append(Symbol(name, value, bytes_of, section == _ABSOLUTE))
    return symbols


def require_room(sections: list[Section], architecture: str, riscv: int) -> None:
    """Raises KernelCompileError, with the excess in bytes, if an image does not fit its memory."""
    private = [section for section in sections if section.address >= _PRIVATE_ORIGIN]
    shared = [section for section in sections if section.address < _PRIVATE_ORIGIN]
    memory = "" if IMAGE_ORIGINS[riscv] == _COMPUTE_ORIGIN else " in L1"
    end = max((section.address + section.size for section in shared), default=0)
    _require(end - IMAGE_ORIGINS[riscv], IMAGE_BYTES[riscv], f"the image of riscv_{riscv}{memory}", shared)
    end = max((section.address + section.size for section in private), default=_PRIVATE_ORIGIN)
    room = PRIVATE_BYTES[architecture] - STACK_BYTES_MIN
    _require(
        end - _PRIVATE_ORIGIN,
        room,
        f"data in private memory, of which {STACK_BYTES_MIN} B are left for the stack",
        private,
    )


def instruction_addresses(sections: list[Section]) -> list[int]:
    """Returns the addresses of all instructions, in order.

    The lowest two bits of an instruction tell its size, 2 or 4 bytes.
    """
    addresses = []
    for section in sections:
        if section.is_code:
            at = 0
            while at < len(section.content):
                addresses.append(section.address + at)
                at += 4 if section.content[at] & _LONG_INSTRUCTION == _LONG_INSTRUCTION else 2
    return addresses


def _require(used: int, room: int, what: str, sections: list[Section]) -> None:
    if used <= room:
        return
    table = "\n".join(f"    {section.name:<14}{section.size:>8} B" for section in sections)
    raise KernelCompileError(f"{what}: {used} B do not fit {room} B, {used - room} B too many\n{table}", "")
