"""Messages about wrong programs: the PE, the routine, the line, and the correction."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from openshmem_programs import DIRECTORY

from nocbench import InputError, ShmemResult, run_shmem

FOLDERS = ("wrong", "endless", "refused")


class Fault(NamedTuple):
    """Fault that ends a running program.

    Attributes:
    place: LINE in FUNCTION of the program.
    words: pattern of the message.
    pe: PE named in the message.
    """

    place: str
    words: str
    pe: int = 0


FAULTS = {
    "before_init": Fault("7 in main", "shmem_int_p: expected a call of shmem_init before"),
    "deep_recursion": Fault("4 in depth", r"stack overflow: .* below the end of the heap"),
    "failed_assertion": Fault("12 in main", r"the assertion 'me != 2 .*' does not hold", 2),
    "freed_in_part": Fault("7 in main", r"shmem_free: .* which is within the block of 100 bytes at 0x\w+"),
    "freed_twice": Fault("9 in main", r"shmem_free: .* which has been freed before"),
    "heap_exhausted": Fault("10 in main", r"store of 4 bytes at 0x0: a null pointer\?"),
    "mismatched_sync": Fault(
        "9 in main", r"shmem_broadcast32: expected the same pSync on all PEs, found .* on PE 0", 3
    ),
    "misaligned_load": Fault("10 in main", r"load of 4 bytes at 0x\w+: expected a multiple of 4"),
    "misaligned_put": Fault("10 in main", r"shmem_int_p: expected dest at a multiple of 4, found 0x\w+"),
    "never_allocated": Fault("8 in main", r"shmem_free: expected the address of a block, found .* never allocated"),
    "no_such_pe": Fault("8 in main", "shmem_int_p: expected a PE from 0 to 3, found 4"),
    "not_in_the_set": Fault("9 in main", r"shmem_int_sum_to_all: expected the active set to have this PE, 1,", 1),
    "null_known": Fault("7 in main", r"store of 4 bytes at 0x0: a null pointer\?", 1),
    "null_store": Fault("7 in fill", r"store of 4 bytes at 0x4: a null pointer\?", 3),
    "outside_memory": Fault("8 in main", r"load: expected 4 bytes within the core's memory, .* found them at 0x9000"),
    "overlapping_reduction": Fault(
        "9 in main", r"shmem_int_sum_to_all: expected dest and source to be one array or apart, found 32 bytes at 0x\w+"
    ),
    "overrun": Fault("10 in main", r"shmem_int_put: expected dest within the block of 100 bytes at 0x\w+"),
    "short_sync": Fault(
        "8 in main",
        r"shmem_int_sum_to_all: expected pSync within 'sync_' of 16 bytes at 0x\w+, found 24 bytes at 0x\w+",
    ),
    "short_work": Fault(
        "8 in main", r"shmem_int_sum_to_all: expected pWrk within 'work' of 4 bytes at 0x\w+, found 64"
    ),
    "stack_target": Fault("7 in main", r"shmem_int_p: expected dest to be symmetric, .* on the stack", 3),
    "static_overrun": Fault(
        "9 in main", r"shmem_int_put: expected dest within 'table' of 32 bytes at 0x\w+, found 36 bytes at 0x\w+"
    ),
    "sync_value": Fault(
        "8 in main", r"shmem_barrier: expected SHMEM_SYNC_VALUE, 0, in pSync at 0x\w+, found 1 in its element 2"
    ),
    "two_collectives": Fault("11 in main", r"shmem_broadcast32: .* found PE 0 in shmem_int_sum_to_all", 1),
}
WAITS = {
    "empty_loop": {1: "in a loop that looks at nothing that others could change, for ever, at {file}:7 in main"},
    "ended_before_barrier": {
        0: "in shmem_barrier_all .* at {file}:7 in main",
        1: "in shmem_barrier_all .* at {file}:7 in main",
        3: "in shmem_barrier_all .* for PE 2, at {file}:7 in main",
    },
    "endless_spin": dict.fromkeys(range(4), "in a loop .* for another core to write there, at {file}:8 in main"),
    "endless_wait": {
        0: "in shmem_barrier_all .* at {file}:10 in main",
        1: "in shmem_long_wait_until .* for another PE to write there, at {file}:9 in main",
    },
    "runs_away": dict.fromkeys(range(4), "has not finished, at {file}:7 in main"),
}
"""Messages about the PEs of a program that does not end, by PE."""

REFUSED = {
    "contexts": r"contexts.c:6: .*'shmem_ctx_t': it is of OpenSHMEM 1.4, and this is 1.3",
    "files": r"files.c:7: 'fopen' is used, .* out of scope: files",
    "no_main": r"no_main.c: expected `int main\(...\)`, found none",
    "no_stack_left": r"it does not fit the 32768 bytes of a core's memory: .* at least 256 of stack",
    "syntax": r"syntax.c:5: expected ';' before 'return'",
    "threads": r"threads.c:2: pthread.h: .* out of scope: threads",
    "too_large": r"ends at \d+ of the 32768 B of a core, \d+ B too far:\n(.*\n)* +next_grid +17600 B\n +grid +16000 B",
    "undefined": r"undefined.c:8: 'answer_of' is used, but defined nowhere$",
}
"""Messages about programs that do not compile, link or fit."""

CYCLES_MAX = 1_000_000


def run(name: str) -> ShmemResult:
    path = next(path for folder in FOLDERS if (path := DIRECTORY / folder / f"{name}.c").exists())
    return run_shmem(path, num_pes=4, cycles_max=CYCLES_MAX)


def test_each_program_has_its_words() -> None:
    for folder, known in zip(FOLDERS, (set(FAULTS), set(WAITS), set(REFUSED)), strict=True):
        assert known == {path.stem for path in (DIRECTORY / folder).iterdir()}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_with_pe_and_line(name: str) -> None:
    fault = FAULTS[name]
    result = run(name)
    assert result.exit_status is None
    assert f"'{name}, PE {fault.pe}'" in result.error
    assert f"{name}.c:{fault.place}" in result.error
    assert re.search(fault.words, result.error)


@pytest.mark.parametrize("name", WAITS)
def test_of_a_program_that_does_not_end_each_pe_is_told(name: str) -> None:
    result = run(name)
    assert result.exit_status is None
    lines = result.error.splitlines()
    for pe, words in WAITS[name].items():
        line = next(line for line in lines if f"PE {pe}'" in line)
        assert re.search(words.format(file=rf"\S*{name}\.c"), line)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(InputError) as raised:
        run(name)
    assert re.search(REFUSED[name], str(raised.value))


@pytest.mark.parametrize(("name", "object_"), [("static_overrun", "'table'"), ("overrun", "the block")])
def test_overruns_can_be_warnings(name: str, object_: str) -> None:
    path = DIRECTORY / "wrong" / f"{name}.c"
    result = run_shmem(path, num_pes=4, cycles_max=CYCLES_MAX, warns_of_overruns=True)
    assert result.exit_status == 0
    warning, *_ = sorted(result.warnings)
    assert re.search(rf"PE 0: \S*{name}.c:\d+ in main: shmem_int_put: expected dest within {object_}", warning)


def test_what_was_printed_before_a_fault_is_there() -> None:
    assert run("failed_assertion").stdout == "so far so good\n"


def test_what_pes_did_before_a_fault_is_there() -> None:
    result = run("endless_wait")
    assert all(pe.instructions > 0 for pe in result.pes)
    assert {line.line for line in result.source_lines(1)} >= {9}
