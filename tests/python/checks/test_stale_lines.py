"""A load from a line of Blackhole's cache whose bytes were changed in L1 is found, with the call that is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench import Program
from nocbench.checks.choice import NAMES
from nocbench.checks.findings import findings_of
from nocbench.points.point import Point
from nocbench.points.simulation import findings_of_point
from nocbench.points.swept_tests import list_tests
from nocbench.programs.execution import NO_WATCH, Machine, Watch, run_program

if TYPE_CHECKING:
    from nocbench.checks.findings import Finding
    from nocbench.programs.execution import ProgramRun

CACHE = "riscv.cache_is_on"
ON = Machine("blackhole", settings=((CACHE, "1"),))
OFF = Machine("blackhole", settings=((CACHE, "0"),))
INVALIDATE = "invalidate_l1_cache();"

HEAD = """#include "dataflow_api.h"
void kernel_main() {
    volatile uint32_t* const word = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(0));
    volatile uint32_t* const count = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
"""
READS_AGAIN = """
    word[4] = word[0];
    noc_async_read(get_noc_addr(x, y, reinterpret_cast<uint32_t>(word)), reinterpret_cast<uint32_t>(word), 16);
    while (!ncrisc_noc_reads_flushed(noc_index)) {
    }
    INVALIDATES
    word[5] = word[0];
}
"""
POLLS = """
    for (uint32_t tries = 0; tries < 200 && word[0] == 1; ++tries) {
        INVALIDATES
    }
}
"""
STORES = """
    riscv_wait(500);
    word[0] = 2;
}
"""
ADDS = """
    uint32_t before = *count;
    riscv_wait(2000);
    INVALIDATES
    before = *count;
    *count = before + 1;
}
"""
INCREMENTS = """
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
    noc_async_atomic_barrier();
}
"""
NEIGHBOURS = """
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 20; ++round) {
        sum += word[0];
    }
    word[4] = sum;
}
"""
STORES_BESIDE = """
    word[1] = 2;
}
"""
# Kernels on riscv_1 of a core and on riscv_0 of the same or of another one, and a text in the line of the change.
STALE = {
    "a read of the core's own": (READS_AGAIN, "", (0, 0), "noc_async_read(", "word[5] = word[0]"),
    "a store by the other RISC": (POLLS, STORES, (0, 0), "word[0] = 2", "word[0] == 1"),
    "an increment by another core": (ADDS, INCREMENTS, (1, 1), "noc_semaphore_inc(", "before = *count;"),
}


def run(kernel: str, other: str, core: tuple[int, int], machine: Machine, watch: Watch, *, mended: bool) -> ProgramRun:
    program = Program("blackhole")
    program.region("words", 32, initial={(0, 0): [1], (1, 1): [3]})
    program.semaphore()
    arguments = ["address words"]
    defines = {"INVALIDATES": INVALIDATE if mended else ""}
    program.kernel(HEAD + kernel, name="kernel", riscv=1, runtime_args=[*arguments, "x 1 1", "y 1 1"], defines=defines)
    if other:
        program.kernel(HEAD + other, name="other", cores=core, runtime_args=[*arguments, "x 0 0", "y 0 0"])
    return run_program(program.description(), machine, watch=watch)


def stale_lines(checked: ProgramRun) -> list[Finding]:
    return [finding for finding in findings_of(checked.checked) if finding.second.kind == "cached_load"]


@pytest.mark.parametrize("what", STALE)
def test_a_stale_line_is_found_at_both_lines(what: str) -> None:
    kernel, other, core, change, load = STALE[what]
    checked = run(kernel, other, core, ON, Watch(["racecheck"]), mended=False)
    (finding,) = stale_lines(checked)
    assert finding.happened
    assert finding.first is not None
    assert change in finding.first.text
    assert load in finding.second.text
    assert (finding.first.core, finding.second.core) == (core, (0, 0))
    assert finding.advice == f"invalidate_l1_cache() before {finding.second.place}"


@pytest.mark.parametrize("what", STALE)
def test_nothing_is_stale_behind_an_invalidation_or_with_the_cache_off(what: str) -> None:
    kernel, other, core, *_ = STALE[what]
    assert stale_lines(run(kernel, other, core, ON, Watch(["racecheck"]), mended=True)) == []
    assert stale_lines(run(kernel, other, core, OFF, Watch(["racecheck"]), mended=False)) == []


def test_the_rest_of_a_line_is_not_loaded() -> None:
    checked = run(NEIGHBOURS, STORES_BESIDE, (0, 0), ON, Watch(NAMES), mended=False)
    assert findings_of(checked.checked) == []


@pytest.mark.parametrize("mended", [False, True])
@pytest.mark.parametrize("what", STALE)
def test_the_check_changes_no_cycle(what: str, mended: bool) -> None:
    kernel, other, core, *_ = STALE[what]
    usual = run(kernel, other, core, ON, NO_WATCH, mended=mended)
    checked = run(kernel, other, core, ON, Watch(NAMES), mended=mended)
    assert checked.rows == usual.rows
    assert checked.kernels == usual.kernels


@pytest.mark.parametrize("name", ["One to One Packet Sizes", "Loopback Packet Sizes", "DRAM Interleaved Packet Sizes"])
def test_kernels_of_the_suite_use_no_stale_line(name: str) -> None:
    axes = next(test.axes["quick"] for test in list_tests("blackhole") if test.test == name)
    parameters = tuple((axis, str(values[-1])) for axis, values in axes.items() if axis != "call_size")
    point = Point("blackhole", "", name, (*parameters, ("call_size", "64")), ON.settings)
    assert findings_of_point(point, ["racecheck"]) == []
