"""Programs from the command line: kernel files and their options."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.programs.builder import Program
from nocbench.programs.card_kernels import riscv_of
from nocbench.support.errors import InputError, Mistakes
from nocbench.support.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.programs.execution import Machine
    from nocbench.programs.program import CardImage, CompilerOptions, Core, ProgramDescription

_CORE = re.compile(r"\(?\s*(\d+)\s*,\s*(\d+)\s*\)?")
_REGION = re.compile(r"([A-Za-z_]\w*)=([\w ]+)")
_TENSOR = re.compile(r"([A-Za-z_]\w*)=(\d+)x([\w ]+?)(?::(dram|l1))?")
_BUFFER = re.compile(r"(\d+)=(\d+)x([\w ]+?)(?::(\w+))?")
_NUM_RISCS = 2


@dataclass(frozen=True, slots=True)
class Given:
    """Options of kernels on the command line."""

    cores: Sequence[str] = ()
    riscv: int | None = None
    noc: int | None = None
    compile_time_args: Sequence[str] = ()
    runtime_args: Sequence[str] = ()
    common_args: Sequence[str] = ()
    regions: Sequence[str] = ()
    tensors: Sequence[str] = ()
    buffers: Sequence[str] = ()
    num_semaphores: int = 0
    timed: str = ""


def program_of_sources(
    sources: Sequence[Path],
    given: Given,
    machine: Machine,
    options: CompilerOptions,
    images: Sequence[CardImage] = (),
) -> ProgramDescription:
    """Returns a program of one kernel, or of two kernels for the two RISCs of each core.

    Args:
        sources: files of the kernels.
        given: options of the kernels.
        machine: machine to run on.
        options: compiler options.
        images: options of each file, for card kernels, which are not compiled; empty for other kernels.

    Raises:
        InputError: mistakes in the options; the message lists all.
    """
    mistakes = Mistakes()
    if len(sources) > _NUM_RISCS or (given.riscv is not None and len(sources) > 1):
        raise InputError(
            f"expected one kernel, or two without --riscv, found {len(sources)}; programs of more are written in a file"
        )
    program = Program(
        machine.arch,
        board=machine.board,
        settings=dict(machine.settings),
        name=sources[0].stem,
        include_directories=options.include_directories,
        defines=options.defines,
        optimization_level=options.optimization or "-O2",
        compiler=options.compiler,
        tt_metal=options.tt_metal,
    )
    cores: list[Core] = []
    for text in given.cores or ["0,0"]:
        match = _CORE.fullmatch(text)
        if match is None:
            mistakes.note(f"--core: expected X,Y, found '{text}'")
        else:
            cores.append((int(match[1]), int(match[2])))
    for source in sources:
        if not source.is_file():
            what = "an ELF file" if images else "the source of a kernel"
            mistakes.note(f"{source}: expected {what}, found no such file")
    _add_memory(program, given, mistakes)
    mistakes.complain()
    for index, source in enumerate(sources):
        riscv = riscv_of(source, given.riscv, index) if images else index if given.riscv is None else given.riscv
        noc = given.noc if given.noc is None or len(sources) == 1 else (given.noc + index) % _NUM_RISCS
        program.kernel(
            "" if images else source,
            elf=source if images else "",
            firmware=images[index].firmware or "" if images else "",
            cores=cores,
            riscv=riscv,
            noc=noc,
            compile_time_args=given.compile_time_args,
            runtime_args=given.runtime_args,
            common_args=given.common_args,
            timed=given.timed,
        )
    return program.description()


def _add_memory(program: Program, given: Given, mistakes: Mistakes) -> None:
    for text in given.regions:
        with mistakes.noted():
            match = _matched(_REGION, text, "--region", "NAME=BYTES")
            program.region(match[1], parse_size(match[2]))
    for text in given.tensors:
        with mistakes.noted():
            match = _matched(_TENSOR, text, "--tensor", "NAME=PAGESxBYTES or NAME=PAGESxBYTES:l1")
            program.tensor(match[1], pages=int(match[2]), page_bytes=parse_size(match[3]), memory=match[4] or "dram")
    for text in given.buffers:
        with mistakes.noted():
            match = _matched(_BUFFER, text, "--buffer", "ID=PAGESxBYTES or ID=PAGESxBYTES:FORMAT")
            program.buffer(int(match[1]), pages=int(match[2]), page_bytes=parse_size(match[3]), data_format=match[4])
    for _ in range(given.num_semaphores):
        program.semaphore()


def _matched(pattern: re.Pattern[str], text: str, option: str, expected: str) -> re.Match[str]:
    match = pattern.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{option}: expected {expected}, found '{text}'")
    return match
