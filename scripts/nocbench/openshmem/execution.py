"""Compilation and run of OpenSHMEM programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.shmem_program import compile_shmem_program
from nocbench.compiling.toolchain import find_toolchain
from nocbench.extension import input_errors
from nocbench.openshmem.machine import shmem_machine, shmem_routines
from nocbench.openshmem.result import Printed, ShmemResult
from nocbench.points.kernel_compilers import name_compiler
from nocbench.points.point_results import PointTrace
from nocbench.support.names import require_name

if TYPE_CHECKING:
    from collections.abc import Callable

    from nocbench.openshmem.request import ShmemRequest


def run_shmem_program(
    request: ShmemRequest,
    *,
    trace_records: int = 0,
    compiled_with: Callable[[str], object] | None = None,
    print_piece: Callable[[Printed], object] | None = None,
) -> ShmemResult:
    """Compiles a program and runs it on a new machine.

    A fault at run time is in the result, with the output before the fault. So is an interruption by Ctrl-C.

    Args:
        request: the program and its options.
        trace_records: maximum number of recorded events of each kind; 0: no recording.
        compiled_with: called with the compiler's messages before the program runs.
        print_piece: called with each piece of output while the program runs.

    Raises:
        KernelCompileError: the program does not compile or link, or does not fit the memory of a core.
        InputError: the request makes no sense.
    """
    machine = request.machine
    where = (machine.arch, machine.board, machine.settings)
    described = shmem_machine(*where)
    grid, memory_bytes = described.boards[described.board], described.core_memory_bytes
    num_cores = grid["compute_columns"] * grid["compute_rows"]
    request.require_sense(num_cores, memory_bytes)
    compiled = compile_shmem_program(replace(request.program, memory_bytes=memory_bytes), shmem_routines())
    if compiled_with is not None:
        compiled_with(compiled.messages)
    library = request.library
    name = request.program.sources[0].stem
    require_name(name, f"{request.program.sources[0]}: name of the file")
    program = {
        "name": name,
        "elf": compiled.elf,
        "source_map": compiled.source_map,
        "num_pes": request.num_pes or num_cores,
        "arguments": [name, *request.arguments],
        "charges_routines": library.charges_routines,
        "cycles_max": request.cycles_max,
        "options": {
            "algorithms": library.algorithms,
            "wand_barrier": library.wand_barrier,
            "ipi_get": library.get_by_interrupt,
            "ipi_get_turnover_bytes": library.get_by_interrupt_above_bytes,
            "bump_heap": library.bump_heap,
            "warns_of_overruns": library.warns_of_overruns,
            "heap_start": library.heap_start,
        },
    }
    if print_piece is not None:
        program["print"] = lambda *piece: print_piece(Printed(*piece))
    with input_errors() as core:
        if trace_records:
            result = core.trace_shmem_program(program, *where, trace_records)
        else:
            result = core.run_shmem_program(program, *where)
    name_compiler(result["rows"], find_toolchain(request.program.compiler).label)
    trace = PointTrace.of(result, trace_records) if trace_records else None
    return ShmemResult(request, name, compiled, result, Path.cwd(), described, trace)
