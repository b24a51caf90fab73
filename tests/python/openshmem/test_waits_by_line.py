"""Waits of source lines in OpenSHMEM programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from openshmem_programs import ExampleProgram, all_programs

import nocbench
from nocbench import extension
from nocbench.compiling.shmem_program import ShmemProgramRequest
from nocbench.openshmem.execution import run_shmem_program
from nocbench.openshmem.report import describe, to_json
from nocbench.openshmem.request import ShmemRequest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from nocbench.openshmem.result import ShmemResult
    from nocbench.programs.source_lines import SourceLine

PROGRAM = """#include <shmem.h>
#include <string.h>
static volatile int flag;
static float there[16], here[16];
static volatile int busy;
int main(void) {
    shmem_init();
    const int me = shmem_my_pe();
    if (me == 1) {
        for (int i = 0; i < 400; i++) busy += i;  // computes
        shmem_int_p((int *)&flag, 1, 0);
        memcpy(here, shmem_ptr(there, 0), 64);    // copies
    } else {
        while (!flag) {                           // spins
        }
    }
    shmem_barrier_all();                          // meets
    shmem_finalize();
    return 0;
}
"""

AHEAD_OF_OTHERS = (1, 97, 50_000)
"""Cycles that harts run ahead, besides those of ordinary runs."""
CYCLES_MAX = 2_000_000
"""Limit of a program whose harts run ahead by a single cycle, which takes ten times as long."""


@pytest.fixture
def result(tmp_path: Path) -> ShmemResult:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return nocbench.run_shmem(path, num_pes=2)


def line_with(result: ShmemResult, pe: int, comment: str) -> tuple[SourceLine, dict[str, float]]:
    """Returns the line that ends with a comment, and a PE's waits in this line."""
    (line,) = [line for line in result.source_lines(pe) if line.text.endswith(f"// {comment}")]
    assert line.waits is not None
    return line, line.waits


def test_a_line_that_computes_waits_for_nothing(result: ShmemResult) -> None:
    line, waits = line_with(result, 1, "computes")
    assert line.cycles > 400
    assert waits == {}


def test_a_loop_that_sleeps_waits_for_a_semaphore(result: ShmemResult) -> None:
    line, waits = line_with(result, 0, "spins")
    assert list(waits) == ["semaphore"]
    assert 0.9 * line.cycles < waits["semaphore"] <= line.cycles


def test_a_routine_waits_for_the_line_that_calls_it(result: ShmemResult) -> None:
    _, waits = line_with(result, 0, "meets")
    assert waits["semaphore"] > 0


def test_so_does_a_function_of_the_c_library(result: ShmemResult) -> None:
    line, waits = line_with(result, 1, "copies")
    assert waits["round_trip"] > 0.9 * line.cycles
    (rest,) = [line for line in result.source_lines(1) if not line.file]
    assert rest.waits == {}
    assert rest.cycles > 0


def test_causes_are_columns(result: ShmemResult) -> None:
    frame = result.lines()
    assert list(frame.columns)[:6] == ["file", "line", "text", "function", "cycles", "share"]
    assert set(frame.columns[6:]) == {"semaphore", "round_trip"}
    assert frame["round_trip"].sum() == sum(pe.waits.get("round_trip", 0) for pe in result.pes)


def test_the_table_has_them(result: ShmemResult) -> None:
    table = list(describe(result, lines=True))
    (names,) = [line for line in table if line.split()[:1] == ["line"]]
    assert names.split()[:3] == ["line", "cycles", "share"]
    assert set(names.split()[3:]) <= {"semaphore", "round_trip"}
    (slowest,) = [pe for pe in result.pes if f"slowest: PE {pe.pe} " in "".join(table)]
    assert set(names.split()[3:]) == {cause for cause in slowest.waits if cause != "issue"}


def test_json_has_them(result: ShmemResult) -> None:
    lines = to_json(result)["pes"][0]["lines"]
    assert sum(line["waits"].get("semaphore", 0) for line in lines) == result.pes[0].waits["semaphore"]


def times_of(result: dict[str, Any]) -> tuple[Any, ...]:
    pes = [(pe["instructions"], pe["cycles_by_address"], pe["waits"]) for pe in result["pes"]]
    return result["printed"], result["elapsed_cycles"], result["cores"], pes


@pytest.mark.parametrize("program", all_programs(), ids=lambda program: program.name)
def test_how_far_harts_run_ahead_changes_nothing(program: ExampleProgram, monkeypatch: pytest.MonkeyPatch) -> None:
    run: Callable[..., dict[str, Any]] = extension.core().run_shmem_program
    results: list[dict[str, Any]] = []

    def run_in_all_ways(described: dict[str, Any], *arguments: object) -> dict[str, Any]:
        results.append(run(described, *arguments))
        ways = AHEAD_OF_OTHERS[results[0]["elapsed_cycles"] > CYCLES_MAX :]
        results.extend(run({**described, "cycles_ahead": ahead}, *arguments) for ahead in ways)
        return results[0]

    monkeypatch.setattr(extension.core(), "run_shmem_program", run_in_all_ways)
    compiled = ShmemProgramRequest((program.path, *program.further_sources), defines=program.defines)
    result = run_shmem_program(ShmemRequest(compiled, num_pes=program.pes[-1], arguments=program.arguments))
    for other in results[1:]:
        assert times_of(other) == times_of(results[0])
    # Waits of lines add up to the core's waits, and no line waited longer than its duration.
    for pe in result.pes:
        lines = result.source_lines(pe.pe)
        assert all(sum(line.waits.values()) <= line.cycles + 1e-6 for line in lines if line.waits)
        assert sum(line.cycles for line in lines) == pytest.approx(pe.cycles, abs=1)
        for cause, cycles in pe.waits.items():
            if cause != "issue":
                waited = sum((line.waits or {}).get(cause, 0) for line in lines)
                assert waited == pytest.approx(cycles), (pe.pe, cause)
