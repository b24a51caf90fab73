"""Blackhole's L1 data cache is off unless a field, a program or a kernel switches it on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from nocbench.architectures.files import name_of
from nocbench.programs.execution import Machine, run_program
from nocbench.programs.program_file import read_program
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.programs.execution import ProgramRun

POLLS = """#include "dataflow_api.h"
void kernel_main() {{
    {switches}
    auto* const flag = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
    while (*flag == 0) {{
        {in_loop}
    }}
}}
"""
SIGNALS = """#include "dataflow_api.h"
void kernel_main() {
    riscv_wait(2000);
    noc_semaphore_inc(get_noc_addr(get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(0)), 1);
    noc_async_atomic_barrier();
}
"""
PROGRAM = """\
kernels:
  - {file: polls.cpp, riscv: 1, cores: [[0, 0]], runtime_args: [address flag]}
  - {file: signals.cpp, riscv: 0, cores: [[1, 1]], runtime_args: [address flag, x 0 0, y 0 0]}
regions:
  flag: {bytes: 16, initial: {words: [0]}}
"""
ON = ("riscv.cache_is_on", "1")
OFF = ("riscv.cache_is_on", "0")
STALE = "polls.cpp:5.*: a loop that never ends: its load at 0x.* polls a line of the L0 data cache"


def run(folder: Path, machine: Machine, *, program: str = "", switches: str = "", in_loop: str = "") -> ProgramRun:
    (folder / "polls.cpp").write_text(POLLS.format(switches=switches, in_loop=in_loop))
    (folder / "signals.cpp").write_text(SIGNALS)
    path = folder / "program.yaml"
    path.write_text(program + PROGRAM)
    return run_program(read_program(path, machine, {}), machine)


def polled_cycles(run: ProgramRun) -> float:
    return float(next(row["latency_cycles"] for row in run.rows if row["kernel"] == "polls"))


def test_no_line_is_stale_while_it_is_off(tmp_path: Path) -> None:
    plain = run(tmp_path, Machine("blackhole"))
    assert plain.data_ok
    for machine, program in (
        (Machine("blackhole"), "l1_data_cache: no\n"),
        (Machine("blackhole", settings=(OFF,)), "l1_data_cache: yes\n"),
        (Machine("wormhole_b0"), "l1_data_cache: yes\n"),
        (Machine("wormhole_b0", settings=(ON,)), ""),
    ):
        assert run(tmp_path, machine, program=program).data_ok
    assert polled_cycles(run(tmp_path, Machine("blackhole"), program="l1_data_cache: no\n")) == polled_cycles(plain)


def test_stale_lines_are_named_while_it_is_on(tmp_path: Path) -> None:
    based = tmp_path / "cached.yaml"
    field = "{value: 1, unit: count, status: estimated, source: as firmware sets it}"
    based.write_text(f"architecture: cached\nbased_on: blackhole\nriscv: {{cache_is_on: {field}}}\n")
    for machine, program, switches in (
        (Machine("blackhole", settings=(ON,)), "", ""),
        (Machine(name_of(based)), "", ""),
        (Machine("blackhole"), "l1_data_cache: yes\n", ""),
        (Machine("blackhole"), "", "set_l1_data_cache<true>();"),
        (Machine("blackhole"), "l1_data_cache: no\n", "set_l1_data_cache();"),
    ):
        with pytest.raises(InputError) as caught:
            run(tmp_path, machine, program=program, switches=switches)
        assert re.search(STALE, str(caught.value)), str(caught.value)


def test_what_ends_a_stale_line(tmp_path: Path) -> None:
    cached = Machine("blackhole", settings=(ON,))
    for switches, in_loop in (("", "invalidate_l1_cache();"), ("set_l1_data_cache<false>();", "")):
        assert run(tmp_path, cached, switches=switches, in_loop=in_loop).data_ok


def test_rows_name_the_state_that_a_program_asks_for(tmp_path: Path) -> None:
    asked = run(tmp_path, Machine("blackhole"), program="l1_data_cache: yes\n", in_loop="invalidate_l1_cache();")
    assert "riscv.cache_is_on=1" in asked.rows[0]["params"].split(";")


def test_a_state_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"program.yaml:1:16: l1_data_cache: expected yes or no, found 'maybe'"):
        run(tmp_path, Machine("blackhole"), program="l1_data_cache: maybe\n")
