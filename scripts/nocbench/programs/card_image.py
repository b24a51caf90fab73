"""Kernels that were compiled for the card, as in tt-metal's build cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.compiler import CompiledKernel
from nocbench.compiling.images import instruction_addresses, read_sections
from nocbench.compiling.source_map import source_map
from nocbench.compiling.toolchain import SYSTEM, find_toolchain, line_finder
from nocbench.extension import input_errors
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.compiling.source_map import SourceMap


def read_card_image(image: Path, firmware: Path | None, compiler: Path | None) -> CompiledKernel:
    """Returns a kernel, ready to run; with source lines if it was compiled with `-g` and addr2line is available.

    Args:
        image: ELF file of the kernel.
        firmware: ELF file with the symbols of the firmware; None if the kernel's own symbols suffice.
        compiler: compiler whose addr2line to use; None: the default compiler.

    Raises:
        InputError: a file cannot be read, or the kernel is no program for 32-bit RISC-V.
    """
    elf = read_image(image)
    riscv_of_program(elf, str(image))  # complains if it is no program
    sections = read_sections(elf)
    return CompiledKernel(
        elf,
        _lines(image, instruction_addresses(sections), compiler),
        {section.name: section.size for section in sections},
        messages="",
        was_cached=False,
        firmware=("", b"") if firmware is None else (str(firmware), read_image(firmware)),
    )


def riscv_of_image(image: Path) -> int | None:
    """Returns the RISC that a kernel was linked for; None if its file does not tell.

    Raises:
        InputError: the file cannot be read, or is no program for 32-bit RISC-V.
    """
    return riscv_of_program(read_image(image), str(image))


def riscv_of_program(elf: bytes, name: str) -> int | None:
    """Returns the RISC that an image was linked for, likewise; messages begin with `name`."""
    with input_errors() as core:
        riscv: int | None = core.riscv_of_image(elf, name)
    return riscv


def read_image(path: Path) -> bytes:
    """Returns the content of an ELF file. Raises InputError if the file cannot be read."""
    if not path.exists():
        raise InputError(f"{path}: expected an ELF file, found no such file")
    return read_bytes(path)


def _lines(image: Path, addresses: list[int], compiler: Path | None) -> SourceMap:
    """Returns the source lines of a kernel; empty without addr2line, which is not needed to run the kernel."""
    try:
        toolchain = find_toolchain(compiler)
        line_finder(toolchain)
    except InputError:
        if compiler not in (None, SYSTEM):
            raise
        return ()
    return source_map(toolchain, image, addresses)
