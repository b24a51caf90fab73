"""Work of programs with compute kernels: operations, bytes, limiter of the whole, and roofs that they stay below."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from compute_programs import operation, random_matrix

import nocbench
from nocbench import ComputeOptions, Program
from nocbench.support.columns import PROGRAM_COLUMNS

if TYPE_CHECKING:
    import pandas

A, B = random_matrix(32, 32, 1), random_matrix(32, 32, 2)
TILE_BYTES = 2048
BODY = """
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    for (uint32_t i = 0; i < {times}; ++i) {{
        tile_regs_acquire();
        {call}
        tile_regs_commit();
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }}
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
"""


def frame_of(call: str, *, times: int = 1, phases: int = 4, arch: str = "blackhole", wait: int = 0) -> pandas.DataFrame:
    options = ComputeOptions(fidelity_phases=phases)
    body = BODY.format(times=times, call=call)
    settings = {"options": options, "arch": arch, "depth": 2, "wait_cycles": wait}
    # Initialisations, which these calls leave out, are no work.
    _, result = operation(body, [A, B], (32 * times, 32), is_right=False, **settings)  # type: ignore[arg-type] # by name
    return result.frame


@pytest.mark.parametrize(
    ("call", "operations", "instructions"),
    [
        ("matmul_tiles(0, 1, 0, 0, 0);", 65536, 64),
        ("matmul_tiles(0, 1, 0, 0, 0); matmul_tiles(0, 1, 0, 0, 0);", 2 * 65536, 2 * 64),
        ("matmul_block(0, 1, 0, 0, 0, 0, 1, 1, 1);", 65536, 64),
        ("add_tiles(0, 1, 0, 0, 0);", 1024, 8),
        ("add_tiles_init(0, 1, true); add_tiles(0, 1, 0, 0, 0);", 2048, 8),
        ("mul_tiles(0, 1, 0, 0, 0);", 1024, 4 * 8),
        ("reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0);", 1024, 4 * 8),
        ("copy_tile(0, 0, 0);", 0, 8),
    ],
)
def test_counts_operations_and_the_time_of_units(call: str, operations: int, instructions: int) -> None:
    frame = frame_of(call)
    assert set(frame.program_operations) == {operations}
    assert frame.program_math_cycles.iloc[0] == pytest.approx(instructions * 1.07, rel=1e-3)
    assert set(frame.program_dram_bytes) == set(frame.program_noc_bytes) == {3 * TILE_BYTES}
    assert frame.program_cycles.iloc[0] >= frame.latency_cycles.max()


def test_functions_have_one_operation_for_each_value() -> None:
    frame = frame_of("copy_tile(0, 0, 0); copy_tile(1, 0, 1); square_tile(0); add_binary_tile(0, 1, 0);")
    assert frame.program_operations.iloc[0] == 2 * 1024
    assert frame.program_math_cycles.iloc[0] == pytest.approx(2 * 8 * 1.07 + 2 * 32 * 4, rel=1e-3)


@pytest.mark.parametrize(
    ("call", "wait", "limiter"),
    [
        ("matmul_tiles(0, 1, 0, 0, 0);" * 32, 0, "compute"),
        ("copy_tile(0, 0, 0); recip_tile(0); recip_tile(0);", 0, "compute"),
        ("copy_tile(0, 0, 0);", 3000, "issue"),  # the writer counts down
    ],
)
def test_the_busiest_kernel_limits_a_program(call: str, wait: int, limiter: str) -> None:
    assert set(frame_of(call, times=16, wait=wait).program_limiter) == {limiter}


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("phases", [1, 4])
@pytest.mark.parametrize("call", ["matmul_block(0, 1, 0, 0, 0, 0, 1, 1, 1);" * 64, "add_tiles(0, 1, 0, 0, 0);"])
def test_no_program_is_above_a_roof(arch: str, phases: int, call: str) -> None:
    [roofline] = nocbench.roofline(frame_of(call, times=8, phases=phases, arch=arch)).programs
    [point] = roofline.points
    assert 0 < point.share_of_roof < 1
    assert (point.program, point.num_cores) == ("program", 1)
    if "matmul" in call:
        assert point.roof == "compute"
        assert point.operations / point.compute_cycles == pytest.approx(
            roofline.operations_per_cycle["LoFi" if phases == 1 else "HiFi4"]
        )


def test_programs_without_compute_kernels_have_no_such_columns() -> None:
    program = Program("blackhole")
    program.kernel("void kernel_main() {\n}\n", name="nothing", riscv=0)
    assert not {column.name for column in PROGRAM_COLUMNS} & set(program.run().frame.columns)
