"""Both RISCs of a tile use one NoC, and therefore the command buffers of one NIU."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest

import nocbench
from nocbench.compiling.request import ARCHITECTURES
from nocbench.programs.preparation import simulator_program

if TYPE_CHECKING:
    import numpy

CALLS = 8
HEAD = """
#include "dataflow_api.h"
// When it was, for who looks at the memory afterwards.
inline void log(uint32_t address) {
    *reinterpret_cast<volatile uint32_t*>(address) = *reinterpret_cast<volatile uint32_t*>(0xFFB121F0);
}
"""
WRITER = f"""{HEAD}
void kernel_main() {{
    const uint32_t own = get_arg_val<uint32_t>(0);
    const uint32_t times = get_arg_val<uint32_t>(1);
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), own);
    for (uint32_t i = 0; i < {CALLS}; ++i) {{
        noc_async_write(own, target, 8192);
        log(times + 4 * i);
    }}
    noc_async_write_barrier();
}}
"""
# The reader waits for the writer's command buffer, and reads through its own.
READER = f"""{HEAD}
void kernel_main() {{
    const uint32_t own = get_arg_val<uint32_t>(0);
    const uint32_t times = get_arg_val<uint32_t>(1);
    const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), own);
    for (uint32_t i = 0; i < {CALLS}; ++i) {{
        while (!noc_cmd_buf_ready(0, write_cmd_buf)) {{
        }}
        log(times + 4 * i);
        noc_async_read(source + 64 * i, own + 64 * i, 64, 0);
    }}
    noc_async_read_barrier(0);
}}
"""


def run(arch: str) -> tuple[nocbench.ProgramResult, list[numpy.ndarray[Any, Any]]]:
    # Both kernels begin at once.
    program = nocbench.Program(arch, settings={"risc.launch_lag_cycles": 0})
    program.region("written", 8192, initial=range(2048))
    program.region("read", 64 * CALLS, initial=range(16 * CALLS))
    program.region("write_times", 64)
    program.region("read_times", 64)
    place = ("x 2 1", "y 2 1")
    program.kernel(
        WRITER, name="writer", riscv=0, noc=0, runtime_args=["address written", "address write_times", *place]
    )
    program.kernel(READER, name="reader", riscv=1, noc=1, runtime_args=["address read", "address read_times", *place])
    program.expect("written", range(2048), core=(2, 1))
    program.expect("read", range(16 * CALLS), core=(0, 0))
    result = program.run()
    return result, [result.memory(name, (0, 0)) for name in ("write_times", "read_times")]


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_sleeping_changes_nothing(arch: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sleeping, times = run(arch)
    monkeypatch.setattr(
        "nocbench.programs.execution.simulator_program",
        lambda *rest, **options: simulator_program(*rest, **options) | {"sleeps": False},
    )
    waking, times_awake = run(arch)
    assert all(sleeping.frame["data_ok"])
    assert [list(some) for some in times] == [list(some) for some in times_awake]
    columns = ["kernel", "latency_cycles", "num_transactions", "bandwidth_bytes_per_cycle"]
    assert sleeping.frame[columns].equals(waking.frame[columns])
    # Reader and writer have waited for the buffer simultaneously.
    write_times, read_times = (list(some[:CALLS]) for some in times)
    assert max(later - earlier for earlier, later in itertools.pairwise(read_times)) > 100
    assert max(later - earlier for earlier, later in itertools.pairwise(write_times)) > 100


@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("first", [(1, 1), (2, 2)], ids=["as on NoC 0", "swapped by the kernel"])
def test_rectangles_of_noc_1_have_corners_in_either_order(arch: str, first: tuple[int, int]) -> None:
    last = (3 - first[0], 3 - first[1])
    program = nocbench.Program(arch)
    program.region("data", 64, initial={(0, 0): range(16)})
    program.kernel(
        """#include "dataflow_api.h"
void kernel_main() {
    const uint32_t own = get_arg_val<uint32_t>(0);
    noc_async_write_multicast(own, get_noc_multicast_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2),
        get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4), own), 64, 4);
    noc_async_write_barrier();
}
""",
        noc=1,
        runtime_args=[
            "address data",
            *(f"{axis} {corner[0]} {corner[1]}" for corner in (first, last) for axis in "xy"),
        ],
    )
    for core in itertools.product((1, 2), (1, 2)):
        program.expect("data", range(16), core=core)
    result = program.run()
    assert result.data_ok, result.fault
