"""Kernels that may use both NoCs: counters in L1 that both RISCs of a core add to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench import InputError, Program

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

CHIPS = ("wormhole_b0", "blackhole")
# Each RISC copies words of another core back to it, by both NoCs in turn, and counts in a semaphore there. Its calls
# are of several kinds: with and without state, of one packet, posted.
COPIES = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0), to = get_arg_val<uint32_t>(1), next = get_arg_val<uint32_t>(2);
    const uint32_t x = get_arg_val<uint32_t>(3), y = get_arg_val<uint32_t>(4);
    for (uint32_t round = 0; round < 8; ++round) {
        const uint8_t noc = round & 1;
        const uint32_t offset = 64 * round;
        switch (round >> 1) {
            case 0:
                noc_async_read(get_noc_addr(x, y, from + offset, noc), to + offset, 64, noc);
                break;
            case 1:
                noc_async_read_set_state(get_noc_addr(x, y, from, noc), noc);
                noc_async_read_with_state(from + offset, to + offset, 64, noc);
                break;
            default:
                noc_async_read_one_packet(get_noc_addr(x, y, from + offset, noc), to + offset, 64, noc);
        }
        noc_semaphore_inc(get_noc_addr(x, y, get_semaphore(0), noc), 1, noc);
        noc_async_read_barrier(noc);
        switch (round >> 1) {
            case 0:
                noc_async_write_set_state(get_noc_addr(x, y, next, noc), noc);
                noc_async_write_with_state(to + offset, next + offset, 64, noc);
                break;
            case 1:
                noc_async_write_one_packet<true, true>(to + offset, get_noc_addr(x, y, next + offset, noc), 64, noc);
                noc_async_posted_writes_flushed(noc);
                break;
            default:
                noc_async_write(to + offset, get_noc_addr(x, y, next + offset, noc), 64, noc);
        }
        noc_async_writes_flushed(noc);
        noc_async_write_barrier(noc);
        noc_async_atomic_barrier(noc);
    }
    noc_async_full_barrier(0);
    noc_async_full_barrier(1);
}
"""
READS = """
#include "dataflow_api.h"
void kernel_main() {
    const uint32_t room = get_arg_val<uint32_t>(0);
    const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), room);
    for (uint32_t i = 0; i < 32; ++i) {
        noc_async_read(source, room, 64);
    }
    noc_async_read_barrier();
}
"""


WAITS = """
#include "dataflow_api.h"
void kernel_main() {
    noc_semaphore_wait((volatile tt_l1_ptr uint32_t*)get_semaphore(0), get_arg_val<uint32_t>(0));
}
"""
WORDS_OF_A_RISC = 8 * 16


def copies(chip: str, riscs: tuple[int, ...], noc: int | None) -> Program:
    """Runs these kernels on a core, by default each with the NoC of its RISC, and a wait for them on another one."""
    program = Program(chip)
    words = list(range(1, WORDS_OF_A_RISC * len(riscs) + 1))
    program.region("source", 4 * len(words), initial={(2, 1): words})
    program.region("room", 4 * len(words))
    program.region("target", 4 * len(words))
    program.semaphore()
    for risc in riscs:
        first = 4 * WORDS_OF_A_RISC * risc if len(riscs) > 1 else 0
        places = [f"address {name} + {first}" for name in ("source", "room", "target")]
        program.kernel(
            COPIES,
            name=f"copies_{risc}",
            riscv=risc,
            noc=noc,
            noc_mode="dynamic",
            runtime_args=[*places, "x 2 1", "y 2 1"],
        )
    program.kernel(WAITS, name="waits", cores=(2, 1), runtime_args=[8 * len(riscs)])
    program.expect("target", words, core=(2, 1))
    return program


@pytest.mark.parametrize("noc", [None, 0, 1])
@pytest.mark.parametrize("riscs", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("chip", CHIPS)
def test_riscs_share_both_nocs(chip: str, riscs: tuple[int, ...], noc: int | None) -> None:
    result = copies(chip, riscs, noc).run()
    assert result.data_ok, result.fault
    assert result.warnings == []


@pytest.mark.parametrize("chip", CHIPS)
def test_counters_in_l1_cost_cycles(chip: str) -> None:
    cycles = []
    for mode in ("dedicated", "dynamic"):
        program = Program(chip)
        program.region("room", 64)
        program.kernel(READS, noc_mode=mode, runtime_args=["address room", "x 2 1", "y 2 1"])
        cycles.append(program.run().cycles)
    # a call loads a word of L1 and stores it, and sets the control register
    assert 32 * 5 < cycles[1] - cycles[0] < 32 * 30


def test_kernels_of_a_core_have_one_mode() -> None:
    program = Program("wormhole_b0")
    program.region("room", 64)
    program.kernel(READS, name="first", noc_mode="dynamic", runtime_args=["address room", "x 2 1", "y 2 1"])
    program.kernel(READS, name="second", riscv=1, runtime_args=["address room", "x 2 1", "y 2 1"])
    with pytest.raises(
        InputError, match=r"'second': expected the NoC mode of kernel 'first' on core \(0, 0\), dynamic"
    ):
        program.run()


def test_a_file_says_the_mode(run_program: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "reads.cpp").write_text(READS)
    lines = """
regions: {room: {bytes: 128}}
kernels:
  - {file: reads.cpp, name: first, riscv: 0, noc: 1, MODE, cores: [[0, 0]], runtime_args: [address room, x 2 1, y 2 1]}
  - file: reads.cpp
    name: second
    riscv: 1
    noc: 1
    MODE
    cores: [[0, 0]]
    runtime_args: [address room + 64, x 2 1, y 2 1]
"""
    program = tmp_path / "program.yaml"
    on_wormhole = ("--arch", "wormhole_b0")
    program.write_text(lines.replace("MODE", "noc_mode: dynamic"))
    assert run_program("kernel", program, *on_wormhole, "--check", "racecheck,memcheck,synccheck").status == 0
    program.write_text(lines.replace("MODE", "noc_mode: dedicated"))
    assert "riscv_0 of core (0, 0) already uses NoC 1" in run_program("kernel", program, *on_wormhole).err
    program.write_text(lines.replace("MODE", "noc_mode: shared"))
    done = run_program("kernel", program, *on_wormhole)
    assert (done.status, "kernels.noc_mode: expected dedicated or dynamic, found 'shared'" in done.err) == (2, True)
