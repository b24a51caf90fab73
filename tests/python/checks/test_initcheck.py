"""Memory, semaphores and arguments that a kernel reads and nobody has written or given."""

from __future__ import annotations

import pytest

from nocbench import InputError, Program
from nocbench.checks.findings import findings_of
from nocbench.compiling.request import ARCHITECTURES
from nocbench.programs.execution import Machine, Watch, run_program

HEAD = """#include "dataflow_api.h"
void kernel_main() {
    const uint32_t words = get_arg_val<uint32_t>(0);
    const uint32_t scratch = get_arg_val<uint32_t>(1);
    const uint64_t page = get_noc_addr_from_bank_id<true>(0, get_arg_val<uint32_t>(2));
    const uint64_t far = get_noc_addr(get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), words);
    auto* const l1 = reinterpret_cast<volatile uint32_t*>(words);
    auto* const ready = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(0));
"""
# A line that reads what is not there unless the program gives it.
READS = {
    "L1 by a load": "l1[8] = l1[0];",
    "L1 as the source of a write": "noc_async_write(words, get_noc_addr(scratch), 32); noc_async_write_barrier();",
    "L1 of another core": "noc_async_read(far, scratch, 32); noc_async_read_barrier();",
    "DRAM": "noc_async_read(page, scratch, 32); noc_async_read_barrier();",
    "a semaphore that it waits for": "noc_semaphore_wait(ready, 0);",
    "a semaphore that it loads": "l1[8] = *ready;",
    "a semaphore that it adds to": "noc_semaphore_inc(get_noc_addr(get_semaphore(0)), 1); noc_async_atomic_barrier();",
}


def program_that(line: str, arch: str, *, gives: bool) -> Program:
    program = Program(arch)
    zeros = bytes(64) if gives else None
    program.region("words", 64, initial=zeros)
    program.region("scratch", 64)
    program.tensor("page", memory="dram", pages=1, page_bytes=64, initial=zeros)
    if gives:
        program.semaphore()
    arguments = ["address words", "address scratch", "address page", "x 1 1", "y 1 1"]
    program.kernel(f"{HEAD}    {line}\n}}\n", name="reader", runtime_args=arguments)
    return program


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("what", READS)
def test_what_nobody_has_written_is_found_in_its_line(what: str, arch: str) -> None:
    machine = Machine(arch)
    run = run_program(program_that(READS[what], arch, gives=False).description(), machine, watch=Watch(["initcheck"]))
    (finding,) = findings_of(run.checked)
    assert (finding.check, finding.kind) == ("initcheck", "bytes are read that nobody has written")
    assert finding.second.line == len(HEAD.splitlines()) + 1
    assert finding.memory.startswith("4 bytes" if "semaphore" in what or "load" in what else "32 bytes")


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("what", READS)
def test_nothing_is_found_of_what_the_program_gives(what: str, arch: str) -> None:
    machine = Machine(arch)
    run = run_program(program_that(READS[what], arch, gives=True).description(), machine, watch=Watch(["initcheck"]))
    assert findings_of(run.checked) == []


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_an_argument_that_the_program_does_not_give_is_an_error_that_names_it(arch: str) -> None:
    program = program_that("get_arg_val<uint32_t>(7);", arch, gives=True)
    with pytest.raises(InputError, match=r"load of run-time argument 7: the program gives 5$"):
        run_program(program.description(), Machine(arch), watch=Watch(["initcheck"]))
