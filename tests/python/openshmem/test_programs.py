"""Programs in various styles compile, fit into a core's memory, run, and print the right output."""

from __future__ import annotations

import pytest
from openshmem_programs import ExampleProgram, all_programs

from nocbench.compiling.shmem_program import MEMORY_BYTES, ShmemProgramRequest, compile_shmem_program
from nocbench.openshmem.execution import run_shmem_program
from nocbench.openshmem.machine import shmem_routines
from nocbench.openshmem.request import ShmemRequest

PROGRAMS = all_programs()


def request_of(program: ExampleProgram) -> ShmemProgramRequest:
    return ShmemProgramRequest(sources=(program.path, *program.further_sources), defines=program.defines)


def test_there_are_programs_of_all_styles() -> None:
    assert len(PROGRAMS) >= 60
    assert len({program.path.parent for program in PROGRAMS}) >= 8


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_compiles_without_complaint(program: ExampleProgram) -> None:
    compiled = compile_shmem_program(request_of(program), shmem_routines())
    assert compiled.messages == ""
    assert compiled.end < MEMORY_BYTES


@pytest.mark.parametrize(
    ("program", "num_pes"),
    [(program, num_pes) for program in PROGRAMS for num_pes in program.pes],
    ids=lambda value: value.name if isinstance(value, ExampleProgram) else str(value),
)
def test_a_program_runs_and_is_right(program: ExampleProgram, num_pes: int) -> None:
    result = run_shmem_program(ShmemRequest(request_of(program), num_pes=num_pes, arguments=program.arguments))
    printed = b"".join(piece.text for piece in result.printed).decode()
    assert result.error == ""
    assert result.exit_status == program.exit_status
    assert "FAIL" not in printed
    at = 0
    for text in program.expected:
        at = printed.index(text, at) + len(text)
