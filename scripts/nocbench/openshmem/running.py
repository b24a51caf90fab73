"""Compiles a program for OpenSHMEM, runs it, and says what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nocbench.compiling.shmem_program import MEMORY_BYTES, PROGRAM_ORIGIN, ShmemProgramRequest, compile_shmem_program
from nocbench.points import simulator
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from nocbench.compiling.shmem_program import ShmemProgram

ARCHITECTURE = "epiphany_iii"
CYCLES_MAX = 2_000_000_000
"""After so many, a program is given up: more than 3 s of the chip's time."""
MEMORY_FIELD = "core.memory_bytes"


@dataclass(frozen=True)
class LibraryOptions:
    """How the library works, where there is a choice.

    Attributes:
        algorithms: "paper", or "later" for those of the authors' last public version.
        wand_barrier: whether barrier_all uses the wired AND of all cores.
        get_by_interrupt: whether a get interrupts the owner, who then puts.
        get_by_interrupt_above_bytes: the smallest size that is worth it.
        bump_heap: whether the heap is a pointer that goes up, as the paper has it.
        heap_start: address of the heap; 0: behind the program.
        charges_routines: whether the code of routines takes of the core's memory what it would on the chip.
    """

    algorithms: str = "paper"
    wand_barrier: bool = False
    get_by_interrupt: bool = False
    get_by_interrupt_above_bytes: int = 64
    bump_heap: bool = False
    heap_start: int = 0
    charges_routines: bool = True


@dataclass(frozen=True)
class ShmemRequest:
    """A program to run.

    Attributes:
        sources: C or C++.
        num_pes: on how many cores.
        arguments: of main, behind the program's name.
        include_directories: where headers are looked for, too.
        defines: macros; None stands for one without a value.
        optimization: as the compiler names it.
        origin: where the program begins in memory.
        compiler: None: the usual one.
        board: of Epiphany; empty: the usual one.
        settings: fields of the board that are changed.
        library: how the library works.
        cycles_max: when to give up.
    """

    sources: tuple[Path, ...]
    num_pes: int = 16
    arguments: tuple[str, ...] = ()
    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))
    optimization: str = "-O2"
    origin: int = PROGRAM_ORIGIN
    compiler: Path | None = None
    board: str = ""
    settings: tuple[tuple[str, str], ...] = ()
    library: LibraryOptions = LibraryOptions()
    cycles_max: int = CYCLES_MAX


@dataclass(frozen=True)
class Printed:
    """A piece of what a PE printed.

    Attributes:
        cycle: when.
        pe: who.
        stream: "stdout" or "stderr".
        text: what.
    """

    cycle: float
    pe: int
    stream: str
    text: str


@dataclass(frozen=True)
class LineCycles:
    """A source line, and the cycles that all PEs spent there, in calls and waits from there, too."""

    place: str
    cycles: float
    share: float


@dataclass(frozen=True)
class ShmemResult:
    """What a program did.

    Attributes:
        exit_status: the highest of all PEs, or that of shmem_global_exit; None if it did not end.
        error: why it did not end; empty if it did.
        warnings: what its writer should know.
        printed: in the order of time.
        cycles: until the last PE ended.
        microseconds: the same.
        instructions: of all PEs.
        memory: bytes of a core's memory, by what takes them.
        waits: cycles of all PEs by cause.
        lines: source lines, those with the most cycles first.
        section_bytes: sizes of the program's parts.
        routines: that the program uses.
        messages: of the compiler.
        point: everything else, as of a point of a test.
    """

    exit_status: int | None
    error: str
    warnings: tuple[str, ...]
    printed: tuple[Printed, ...]
    cycles: float
    microseconds: float
    instructions: int
    memory: Mapping[str, int]
    waits: Mapping[str, float]
    lines: tuple[LineCycles, ...]
    section_bytes: Mapping[str, int]
    routines: tuple[str, ...]
    messages: str
    point: Mapping[str, Any]

    @property
    def output(self) -> str:
        """What all PEs printed to standard output, in the order of time."""
        return "".join(piece.text for piece in self.printed if piece.stream == "stdout")


def compile_request(request: ShmemRequest) -> ShmemProgram:
    """Compiles a program for :func:`run`.

    Raises:
        InputError: it does not compile, or the request makes no sense.
    """
    return compile_shmem_program(
        ShmemProgramRequest(
            sources=request.sources,
            include_directories=request.include_directories,
            defines=request.defines,
            optimization=request.optimization,
            origin=request.origin,
            memory_bytes=_memory_bytes(request),
            compiler=request.compiler,
        ),
        simulator.shmem_routines(),
    )


def run(request: ShmemRequest) -> ShmemResult:
    """Compiles and runs a program. That it ends with an error is part of the result.

    Raises:
        InputError: it does not compile, or the request makes no sense.
    """
    if request.num_pes < 1:
        raise InputError(f"expected at least one PE, found {request.num_pes}")
    program = compile_request(request)
    options = request.library
    result = simulator.run_shmem_program(
        {
            "name": request.sources[0].name,
            "elf": program.elf,
            "source_map": program.source_map,
            "num_pes": request.num_pes,
            "arguments": [str(request.sources[0].with_suffix("")), *request.arguments],
            "charges_routines": options.charges_routines,
            "cycles_max": request.cycles_max,
            "options": {
                "algorithms": options.algorithms,
                "wand_barrier": options.wand_barrier,
                "ipi_get": options.get_by_interrupt,
                "ipi_get_turnover_bytes": options.get_by_interrupt_above_bytes,
                "bump_heap": options.bump_heap,
                "heap_start": options.heap_start,
            },
        },
        ARCHITECTURE,
        request.board,
        request.settings,
    )
    return _result_of(program, result)


def _memory_bytes(request: ShmemRequest) -> int:
    for name, value in request.settings:
        if name == MEMORY_FIELD:
            try:
                return int(value, 0)
            except ValueError:
                raise InputError(f"{MEMORY_FIELD}: expected a number of bytes, found '{value}'") from None
    return MEMORY_BYTES


def _result_of(program: ShmemProgram, result: dict[str, Any]) -> ShmemResult:
    pes = result.pop("pes")
    waits: dict[str, float] = {}
    for core in result["cores"]:
        for cause, cycles in core["waits"].items():
            waits[cause] = waits.get(cause, 0.0) + cycles
    cycles = float(result["elapsed_cycles"])
    return ShmemResult(
        exit_status=result.pop("exit_status"),
        error=result.pop("error"),
        warnings=tuple(result.pop("warnings")),
        printed=tuple(
            Printed(cycle, pe, stream, text.decode(errors="replace"))
            for cycle, pe, stream, text in result.pop("printed")
        ),
        cycles=cycles,
        microseconds=cycles * 1e6 / result["clock_hz"],
        instructions=sum(pe["instructions"] for pe in pes),
        memory=result.pop("memory"),
        waits=dict(sorted(waits.items(), key=lambda item: -item[1])),
        lines=_lines(program, pes),
        section_bytes=program.section_bytes,
        routines=program.routines,
        messages=program.messages,
        point=result,
    )


def _lines(program: ShmemProgram, pes: Sequence[Mapping[str, Any]]) -> tuple[LineCycles, ...]:
    """By the line of the program, with what is inlined there; of the library, by the function."""
    places = {}
    for address, chain in program.source_map:
        frame = chain[-1] if chain else None
        if frame is None or not frame.file:
            places[address] = frame.function if frame is not None and frame.function else "start of the program"
        elif "/libgcc/" in frame.file:
            places[address] = f"{frame.function} of the compiler's library"
        elif frame.file.startswith("library/"):
            places[address] = f"{frame.function} of the C library"
        else:
            places[address] = f"{frame.file}:{frame.line}"
    sums: dict[str, float] = {}
    for pe in pes:
        for address, cycles in pe["cycles_by_address"]:
            place = places.get(address, "elsewhere")
            sums[place] = sums.get(place, 0.0) + cycles
    total = sum(sums.values()) or 1.0
    ordered = sorted(sums.items(), key=lambda item: (-item[1], item[0]))
    return tuple(LineCycles(place, cycles, cycles / total) for place, cycles in ordered)
