"""Kernels that were compiled for the card: checks that they can run in a program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nocbench.extension import input_errors
from nocbench.programs.card_image import riscv_of_image
from nocbench.programs.layout import L1
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from nocbench.architectures.memories import Memories
    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.programs.layout import Layout
    from nocbench.programs.program import Kernel, ProgramDescription

OF_SOURCES = ("compile_time_args", "named_compile_time_args", "defines", "noc_mode")
"""Arguments of kernels that are compiled from a source."""


@dataclass(frozen=True, slots=True)
class CardKernel:
    """Facts about a kernel that was compiled for the card.

    Attributes:
        l1_ranges: ranges of L1 that it occupies: first address, address behind the last.
        l1_banks: banks in L1 that it was compiled for; 0 if unknown.
        go_byte: address in L1 that its start polls until it may go on; None: it does not wait.
        noc: NoC whose counters its start reads; None: it reads none.
    """

    l1_ranges: Sequence[tuple[int, int]]
    l1_banks: int
    go_byte: int | None
    noc: int | None


def riscv_of(image: Path, asked: int | None, otherwise: int | None = None) -> int:
    """Returns the RISC that runs a kernel for the card.

    Args:
        image: file of the kernel, named in messages.
        asked: choice of the user, or None.
        otherwise: choice if neither user nor file chooses; None: no default.

    Raises:
        InputError: choice and file disagree, there is no choice, or the file is no program.
    """
    linked_for = riscv_of_image(image)
    if asked is not None and linked_for is not None and asked != linked_for:
        raise InputError(f"expected {linked_for}, which {image} was linked for, found {asked}")
    for riscv in (asked, linked_for, otherwise):
        if riscv is not None:
            return riscv
    raise InputError(f"expected 0 or 1, since {image} does not say which RISC it was linked for, found none")


def require_no_compiling(program: ProgramDescription) -> None:
    """Raises InputError if a program has compiler options, but no kernel to compile."""
    if any(kernel.image is None for kernel in program.kernels):
        return
    options = program.options
    for name, value in (
        ("tt_metal", options.tt_metal),
        ("defines", options.defines),
        ("include_directories", options.include_directories),
    ):
        if value:
            raise InputError(
                f"program '{program.name}': {name}: expected none, since its kernels were compiled before, found some"
            )


def placed(
    program: ProgramDescription,
    layout: Layout,
    compiled: Mapping[str, CompiledKernel],
    machine: tuple[str, str, Sequence[tuple[str, str]]],
) -> ProgramDescription:
    """Returns the program with each card kernel on the NoC that it was compiled for.

    Raises:
        InputError: kernels that cannot run on their NoC or machine, or that overlap buffers, regions or tensors; the
            message lists all.
    """
    mistakes = Mistakes()
    kernels = []
    for kernel in program.kernels:
        firmware = compiled[kernel.name].firmware
        if kernel.image is None or firmware is None:
            kernels.append(kernel)
            continue
        with input_errors() as core:  # not run there, or symbols of its firmware are missing
            facts = CardKernel(
                **core.describe_card_kernel(compiled[kernel.name].elf, str(kernel.source), firmware, *machine)
            )
        noc = kernel.noc if kernel.image.noc_is_given or facts.noc is None else facts.noc
        kernels.append(replace(kernel, noc=noc))
        with mistakes.noted():
            _require_noc(kernel, facts)
        with mistakes.noted():
            _require_apart(kernel, facts, program, layout)
        with mistakes.noted():
            _require_banks(kernel, facts, program, layout.memories)
    mistakes.complain()
    return replace(program, kernels=tuple(kernels))


def _require_noc(kernel: Kernel, facts: CardKernel) -> None:
    if kernel.image is not None and kernel.image.noc_is_given and facts.noc not in (None, kernel.noc):
        raise InputError(f"{kernel.where}: noc: expected {facts.noc}, which it was compiled for, found {kernel.noc}")


def _require_apart(kernel: Kernel, facts: CardKernel, program: ProgramDescription, layout: Layout) -> None:
    for begin, end in facts.l1_ranges:
        for name, other_begin, other_end in layout.l1_ranges(program):
            if begin < other_end and other_begin < end:
                raise InputError(
                    f"{kernel.where}: expected an image beside what the program has in L1, found it at {begin:#x} to "
                    f"{end:#x}, where {name} is, {other_begin:#x} to {other_end:#x}"
                )


def _require_banks(kernel: Kernel, facts: CardKernel, program: ProgramDescription, memories: Memories) -> None:
    interleaved = [tensor.name for tensor in program.tensors if tensor.memory == L1 and not tensor.shard]
    if interleaved and facts.l1_banks not in (0, len(memories.l1_banks)):
        raise InputError(
            f"{kernel.where}: expected a kernel for {len(memories.l1_banks)} banks in L1, round which tensor "
            f"{interleaved[0]} goes on {memories.board}, found one for {facts.l1_banks}"
        )
