"""Kernels in place of those that a host program names."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine, Completed

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "examples" / "compute" / "add.cpp"
CYCLES_OF_TILE = 1000

STAND_IN = f"""
#include "compute_kernel_api.h"
void kernel_main() {{
    const uint32_t num_tiles = get_arg_val<uint32_t>(0);
    binary_op_init_common(0, 1, 16);
    add_tiles_init(0, 1);
    for (uint32_t tile = 0; tile < num_tiles; ++tile) {{
        tile_regs_acquire();
        cb_wait_front(0, 1);
        cb_wait_front(1, 1);
        add_tiles(0, 1, 0, 0, 0);
        MATH(riscv_wait({CYCLES_OF_TILE}));
        tile_regs_commit();
        cb_pop_front(0, 1);
        cb_pop_front(1, 1);
        tile_regs_wait();
        cb_reserve_back(16, 1);
        pack_tile(0, 16);
        cb_push_back(16, 1);
        tile_regs_release();
    }}
}}
"""


@pytest.fixture
def replaced(run_program: CommandLine, tmp_path: Path) -> CommandLine:
    """Runs the sum with a replacement; its rows are in rows.csv."""
    (tmp_path / "stand_in.cpp").write_text(STAND_IN)

    def run(replacement: str, *arguments: str) -> Completed:
        chosen = ("--arch", "blackhole", "-o", tmp_path / "rows.csv", "--replace", replacement)
        return run_program("host", PROGRAM, *chosen, "--", *arguments)

    return run


def test_a_stand_in_computes_in_its_own_time_under_its_own_name(replaced: CommandLine, tmp_path: Path) -> None:
    done = replaced(f"kernels/add_tiles.cpp={tmp_path / 'stand_in.cpp'}", "64", "64")
    assert done.status == 0
    with (tmp_path / "rows.csv").open() as file:
        cycles = {row["kernel"]: float(row["latency_cycles"]) for row in csv.DictReader(file)}
    assert not any("add_tiles" in name for name in cycles)
    math = cycles["stand_in (math)"]
    assert CYCLES_OF_TILE < math < 2 * CYCLES_OF_TILE, "each core has one of the four tiles"


def test_a_replacement_of_no_kernel_is_refused(replaced: CommandLine, tmp_path: Path) -> None:
    done = replaced(f"tiles.cpp={tmp_path / 'stand_in.cpp'}", "64", "64")
    assert done.status == 2
    assert (
        "error: --replace tiles.cpp: expected a kernel of the program, found add_tiles.cpp, read_tiles.cpp" in done.err
    )
    assert not (tmp_path / "rows.csv").exists()


@pytest.mark.parametrize(
    ("replacement", "message"),
    [
        ("add_tiles.cpp", "--replace: expected KERNEL.cpp=FILE.cpp, found 'add_tiles.cpp'"),
        ("add_tiles.cpp=none.cpp", "--replace: none.cpp: no such file"),
    ],
)
def test_wrong_replacements_are_refused(replaced: CommandLine, replacement: str, message: str) -> None:
    done = replaced(replacement)
    assert done.status == 2
    assert message in done.err


@pytest.mark.parametrize("call", ["MATH((llk_math_unknown(0)));", "MATH((TTI_STALLWAIT(0, 0)));"])
def test_a_call_below_the_compute_api_is_named_with_its_way_out(
    replaced: CommandLine, tmp_path: Path, call: str
) -> None:
    file = tmp_path / "stand_in.cpp"
    file.write_text(f'#include "compute_kernel_api.h"\nvoid kernel_main() {{\n    {call}\n}}\n')
    done = replaced(f"add_tiles.cpp={file}", "64", "64")
    assert done.status == 2
    assert "stand_in.cpp:3: " in done.err
    assert "below the compute API, only a stand-in can run (docs/compute.md)" in done.err
