"""Compute kernels: time of the units, and how threads wait for each other."""

from __future__ import annotations

import numpy
import pytest
from compute_programs import operation, random_matrix

from nocbench import ComputeOptions, InputError

MATRIX = random_matrix(32, 32)


def products(count: int, phases: int, arch: str = "blackhole") -> float:
    """Returns the cycles of math for `count` products of the same two tiles."""
    body = f"""
    mm_init_short(0, 1);
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    tile_regs_acquire();
    for (uint32_t i = 0; i < {count}; ++i) {{
        matmul_tiles(0, 1, 0, 0, 0);
    }}
    tile_regs_commit();
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
"""
    options = ComputeOptions(fidelity_phases=phases)
    _, result = operation(body, [MATRIX, MATRIX], (32, 32), options=options, arch=arch)
    frame = result.frame
    return float(frame[frame.kernel == "compute (math)"].latency_cycles.iloc[0])


# Published: cycles per call of matmul_tiles in a loop on Blackhole, by phases of fidelity.
@pytest.mark.parametrize(("phases", "cycles"), [(1, 34.9), (2, 52.5), (4, 86.1)])
def test_a_loop_of_products_takes_the_time_of_silicon(phases: int, cycles: float) -> None:
    per_call = (products(120, phases) - products(20, phases)) / 100
    assert per_call == pytest.approx(cycles, rel=0.1)


def test_unpackers_of_wormhole_limit_products_at_low_fidelity() -> None:
    per_call = (products(120, 1, "wormhole_b0") - products(20, 1, "wormhole_b0")) / 100
    assert 64 <= per_call <= 70  # two tiles of 2 KiB at 64 B per cycle


COPIES = """
    copy_tile_init(0);
    square_tile_init();
    recip_tile_init();
    exp_tile_init();
    for (uint32_t tile = 0; tile < 32; ++tile) {
        cb_wait_front(0, 1);
        tile_regs_acquire();
        copy_tile(0, 0, 0);
        CALL
        tile_regs_commit();
        cb_pop_front(0, 1);
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }
"""


def waits_of_copies(call: str, wait_cycles: int, depth: int) -> dict[str, dict[str, float]]:
    matrix = random_matrix(1024, 32)
    _, result = operation(COPIES.replace("CALL", call), [matrix], (1024, 32), depth=depth, wait_cycles=wait_cycles)
    names = ("reader", "compute (unpack)", "compute (math)", "compute (pack)", "writer")
    return {name: result.waits(name) for name in names}


def test_a_slow_writer_stalls_the_threads_one_after_the_other() -> None:
    waits = waits_of_copies("", 2000, 2)
    pack, math, unpack = (waits[f"compute ({name})"] for name in ("pack", "math", "unpack"))
    assert pack["circular_buffer"] > 0.9 * sum(pack.values())
    for thread in (math, unpack):  # nobody's unit works: pack waits for pages
        assert thread["circular_buffer"] > 0.8 * sum(thread.values())


def test_a_slow_function_stalls_unpack_and_pack() -> None:
    waits = waits_of_copies("recip_tile(0); recip_tile(0);", 0, 16)
    for name in ("unpack", "math", "pack"):
        thread = waits[f"compute ({name})"]
        assert max(thread, key=lambda cause: thread[cause]) == "compute"


def test_units_overlap() -> None:
    matrix = random_matrix(1024, 32)
    call = "square_tile(0);" * 6
    # A copy of 8 instructions and functions of 32 times 4, each with a call's overhead.
    of_tile = 8 * 1.07 + 6 * 128 + 7 * 17.8
    _, result = operation(COPIES.replace("CALL", call), [matrix], (1024, 32), depth=4)
    frame = result.frame.set_index("kernel")
    math = frame.loc["compute (math)"].latency_cycles
    assert math >= 32 * of_tile
    assert frame.loc["writer"].latency_cycles <= 1.1 * 32 * of_tile


def test_options_belong_to_compute_kernels() -> None:
    from nocbench import Program

    program = Program("blackhole")
    with pytest.raises(InputError, match="expected it beside riscv='compute'"):
        program.kernel("void kernel_main() {}", riscv=0, compute=ComputeOptions())


def test_results_do_not_depend_on_the_run() -> None:
    first, run = operation(COPIES.replace("CALL", "exp_tile(0);"), [random_matrix(1024, 32)], (1024, 32))
    second, again = operation(COPIES.replace("CALL", "exp_tile(0);"), [random_matrix(1024, 32)], (1024, 32))
    assert numpy.array_equal(first, second)
    assert run.frame.latency_cycles.tolist() == again.frame.latency_cycles.tolist()
