"""The check for races, run over kernels of the suite: what it finds there has been judged, and is all that it finds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench import Program
from nocbench.checks.findings import findings_of
from nocbench.points.point import Point
from nocbench.points.simulation import findings_of_point
from nocbench.points.swept_tests import list_tests
from nocbench.programs.execution import Machine, Watch, run_program

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
EVERY = 9
"""One in this many tests is run."""

READS_OF_MANY = "a core reads from many into one place, as the published test does"
WRITES_OF_MANY = "many cores write to one place, as the published test does"
JUDGED = {
    "all_from_all/kernels/requestor.cpp": READS_OF_MANY,
    "all_from_all/kernels/device/channels_requestor.cpp": READS_OF_MANY,
    "all_from_all/kernels/device/object_requestor.cpp": READS_OF_MANY,
    "dram_pages/multi_interleaved/kernels/device/object_reader.cpp": READS_OF_MANY,
    "one_from_all/kernels/requestor.cpp": READS_OF_MANY,
    "one_from_all/kernels/device/channels_requestor.cpp": READS_OF_MANY,
    "one_from_all/kernels/device/object_requestor.cpp": READS_OF_MANY,
    "all_to_all/kernels/sender.cpp": WRITES_OF_MANY,
    "all_to_all/kernels/device/channels_sender.cpp": WRITES_OF_MANY,
    "all_to_all/kernels/device/object_sender.cpp": WRITES_OF_MANY,
    "dram_pages/multi_interleaved/kernels/device/object_writer.cpp": WRITES_OF_MANY,
    "one_to_all/kernels/multicast_sender.cpp": WRITES_OF_MANY,
    "one_to_all/kernels/device/object_multicast_sender.cpp": WRITES_OF_MANY,
    "one_to_all/kernels/device/object_unicast_sender.cpp": WRITES_OF_MANY,
}
"""Kernels of the suite with findings: all are pairs of writes of one line, which nothing orders."""
ACCESS = {READS_OF_MANY: "destination_of_read", WRITES_OF_MANY: "destination_of_write"}


def sample(arch: str) -> Iterator[Point]:
    """Yields the smallest quick point of some tests with kernels, others on each architecture."""
    for test in list_tests(arch)[len(arch) % EVERY :: EVERY]:
        if test.primitive == "synthetic":  # packets without kernels
            continue
        yield Point(arch, "", test.test, tuple((name, str(values[0])) for name, values in test.axes["quick"].items()))


def kernel_of(where: str) -> str:
    """Returns the source of a kernel, from the frames of a place in it."""
    frames = (frame.partition(":")[0].removeprefix(f"{ROOT}/") for frame in where.split(", inlined at "))
    return next(frame for frame in frames if not frame.startswith("kernels/"))


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_only_writes_of_many_to_one_place_are_found(arch: str) -> None:
    found = 0
    for point in sample(arch):
        assert findings_of_point(point, ["initcheck"]) == [], point.describe()
        for finding in findings_of_point(point, ["racecheck"]):
            first, second = finding["first"], finding["second"]
            assert first, (point.describe(), finding)
            assert kernel_of(second["where"]) in JUDGED, (point.describe(), finding)
            access = ACCESS[JUDGED[kernel_of(second["where"])]]
            assert (first["access"], second["access"]) == (access, access), (point.describe(), finding)
            assert first["where"] == second["where"], (point.describe(), finding)
            found += 1
    assert found >= 2, "the sample has tests in which many write to one place"


SENDER = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    noc_async_write<8193, true, IS_POSTED>(data, get_noc_addr(x, y, data), 1024);
    FIRST_WAIT;
    noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0)), 1);
    LAST_WAIT;
}
"""
RECEIVER = """
#include "dataflow_api.h"
void kernel_main() {
    noc_semaphore_wait(reinterpret_cast<volatile uint32_t*>(get_semaphore(0)), 1);
}
"""
FLUSHED, BARRIER = "noc_async_writes_flushed()", "noc_async_write_barrier()"
POSTED_FLUSHED = "noc_async_posted_writes_flushed()"
ANSWERED = "noc_async_atomic_barrier()"


@pytest.mark.parametrize(
    ("first_wait", "last_wait", "has_receiver", "expected"),
    [
        (BARRIER, ANSWERED, False, []),
        (FLUSHED, ANSWERED, False, [BARRIER]),
        (BARRIER, "", False, [ANSWERED]),
        (FLUSHED, "", False, [BARRIER, ANSWERED]),
        # The receiver ends when the increment has arrived.
        (BARRIER, "", True, []),
        (POSTED_FLUSHED, ANSWERED, False, []),
        ("", f'for (int i = 0; i < 999; ++i) asm("nop"); {ANSWERED}', False, [POSTED_FLUSHED]),
    ],
)
def test_transactions_open_at_the_end_are_found(
    first_wait: str, last_wait: str, has_receiver: bool, expected: list[str]
) -> None:
    program = Program("wormhole_b0")
    program.region("data", 1024, initial=bytes(1024))
    program.semaphore()
    posted = str(POSTED_FLUSHED in (first_wait, *expected)).lower()
    defines = {"FIRST_WAIT": first_wait, "LAST_WAIT": last_wait, "IS_POSTED": posted}
    program.kernel(SENDER, defines=defines, runtime_args=["address data", "x 1 1", "y 1 1"])
    if has_receiver:
        program.kernel(RECEIVER, cores=(1, 1), riscv=1)
    run = run_program(program.description(), Machine("wormhole_b0"), watch=Watch({"racecheck"}))
    found = findings_of(run.checked)
    assert [finding.kind for finding in found] == [
        f"the program may end before this is over: expected {call} before the end" for call in expected
    ]


LONG = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t data = get_arg_val<uint32_t>(0);
    const uint32_t x = get_arg_val<uint32_t>(1);
    const uint32_t y = get_arg_val<uint32_t>(2);
    noc_async_write(data, get_noc_addr(x, y, data, 0), 64, 0);
    for (uint32_t i = 0; i < 12000; ++i) {
        noc_async_write(data + 64, get_noc_addr(x, y, data + 64, 1), 16, 1);
        noc_async_write_barrier(1);
    }
    *reinterpret_cast<volatile uint32_t*>(data + CHANGED) = 1;
    noc_async_write_barrier(0);
}
"""
"""A kernel with more accesses than the check keeps at first, one of which stays open to the end."""


@pytest.mark.parametrize(("changed", "expected"), [(0, [7]), (64, [])])
def test_an_early_access_is_not_forgotten(changed: int, expected: list[int]) -> None:
    program = Program("wormhole_b0")
    program.region("data", 1024, initial=bytes(1024))
    program.kernel(LONG, defines={"CHANGED": changed}, runtime_args=["address data", "x 1 1", "y 1 1"])
    run = run_program(program.description(), Machine("wormhole_b0"), watch=Watch({"racecheck"}))
    assert [finding.first and finding.first.line for finding in findings_of(run.checked)] == expected
