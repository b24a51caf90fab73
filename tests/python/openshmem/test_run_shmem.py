"""OpenSHMEM programs from Python: their output and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.compiling.shmem_program import ShmemProgramRequest
from nocbench.openshmem.execution import run_shmem_program
from nocbench.openshmem.request import ShmemRequest
from nocbench.openshmem.result import Printed, printed_lines

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = """#include <shmem.h>
#include <stdio.h>
static int flag;
int main(int argc, char **argv) {
    shmem_init();
    int me = shmem_my_pe();
    if (me > 0) shmem_int_wait(&flag, 0);
    printf("%d", me);
    printf(" of %s\\n", argv[1]);
    if (me + 1 < shmem_n_pes()) shmem_int_p(&flag, 1, me + 1);
    shmem_finalize();
    return LAST == me ? 3 : 0;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def test_output_is_in_the_order_of_modeled_time(program: Path) -> None:
    result = nocbench.run_shmem(program, num_pes=5, arguments=["all"], defines={"LAST": 4})
    assert result.stdout == "0 of all\n1 of all\n2 of all\n3 of all\n4 of all\n"
    assert result.stderr == ""
    assert [each.cycle for each in result.printed] == sorted(each.cycle for each in result.printed)
    assert result.exit_status == 3


def test_says_what_a_run_took(program: Path) -> None:
    result = nocbench.run_shmem(program, num_pes=4, arguments=["x"], defines={"LAST": 9})
    assert result.num_pes == 4
    assert result.microseconds == pytest.approx(result.cycles / 600)
    assert [pe.pe for pe in result.pes] == [0, 1, 2, 3]
    for pe in result.pes:
        assert pe.cycles == pytest.approx(sum(pe.waits.values()))
        assert pe.cycles <= result.cycles
    assert result.pes[3].waits["semaphore"] > result.pes[1].waits["semaphore"]
    assert result.memory["memory_bytes"] == 32768
    assert {"shmem_int_wait", "printf"} <= set(result.routines)
    assert list(result.frame["kernel"]) == ["PE"]


def test_says_where_cycles_went(program: Path) -> None:
    result = nocbench.run_shmem(program, num_pes=4, arguments=["x"], defines={"LAST": 9})
    lines = result.lines(3).set_index("line")
    assert lines["cycles"].idxmax() == 7
    assert lines.loc[7, "text"] == "if (me > 0) shmem_int_wait(&flag, 0);"
    assert lines["share"].sum() == pytest.approx(1)
    assert sum(result.lines()["cycles"]) == sum(sum(result.lines(pe)["cycles"]) for pe in range(4))
    with pytest.raises(nocbench.InputError, match="expected a PE from 0 to 3, found 4"):
        result.lines(4)


def test_the_same_run_gives_the_same_again(program: Path) -> None:
    one, other = (nocbench.run_shmem(program, num_pes=16, arguments=["x"], defines={"LAST": 0}) for _ in range(2))
    assert one.printed == other.printed
    assert one.pes == other.pes


def test_options_of_the_library(program: Path) -> None:
    free = nocbench.run_shmem(program, num_pes=1, arguments=["x"], defines={"LAST": 0}, charges_routines=False)
    assert free.memory["routine_bytes"] == 0
    with pytest.raises(nocbench.InputError, match=r"no option of the library is called 'wand_barier'.*wand_barrier"):
        nocbench.run_shmem(program, wand_barier=True)


def test_records_what_happened_when(program: Path) -> None:
    result = nocbench.run_shmem(program, num_pes=2, arguments=["x"], defines={"LAST": 0}, trace_records=1000)
    assert result.trace is not None
    assert [kernel["kernel"] for kernel in result.trace.kernels] == ["program, PE 0", "program, PE 1"]
    assert result.trace.num_transactions > 0


def test_output_comes_while_the_program_runs(program: Path) -> None:
    come: list[Printed | str] = []
    request = ShmemRequest(ShmemProgramRequest((program,), defines={"LAST": "9"}), num_pes=3, arguments=("x",))
    result = run_shmem_program(request, compiled_with=come.append, print_piece=come.append)
    assert come == [result.compiler_messages, *result.printed]


def test_headers_of_others_have_this_version(tmp_path: Path) -> None:
    path = tmp_path / "version.c"
    path.write_text(
        "#include <shmem.h>\n#if !defined(OSHMEM_SPEC_VERSION) || OSHMEM_SPEC_VERSION < 10200\n#error old\n#endif\n"
        "int main(void) { return OSHMEM_SPEC_VERSION == 10300; }\n"
    )
    assert nocbench.run_shmem(path, num_pes=1).exit_status == 1


def test_a_line_comes_when_it_is_whole() -> None:
    pieces = [
        Printed(1, 0, "stdout", b"a"),
        Printed(2, 1, "stdout", b"b\nc"),
        Printed(3, 0, "stderr", b"e\n"),
        Printed(4, 0, "stdout", b"d\n\n"),
    ]
    assert [(line.cycle, line.pe, line.text) for line in printed_lines(pieces)] == [
        (2, 1, b"b\n"),
        (3, 0, b"e\n"),
        (4, 0, b"ad\n"),
        (4, 0, b"\n"),
        (2, 1, b"c"),
    ]
