#!/usr/bin/env python3
"""Compares the rates of products with what the maker of the chips specifies, as tables in Markdown.

The rate of a core follows from the fields of the architecture. Loops that multiply the same tiles over and over show
how much of it a kernel can have: calls of `matmul_block` for 8 tiles, with operands of three formats.

Exit status: 0 all rates from fields are within 15 % of those specified; 1 one is not; 2 bad usage.

Example: .venv/bin/python scripts/studies/peak_rates.py
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

from nocbench import ComputeOptions, Program
from nocbench.architectures.description import describe_architecture, floor_plan
from nocbench.compiling.request import FIDELITIES, TILE_BYTES

SPECIFIED_FLOP_PER_CYCLE = {"LoFi": 4096, "HiFi2": 2048, "HiFi3": 4096 / 3, "HiFi4": 1024}
"""Rates of a core of both chips. Source: tt-metal, tech_reports/matrix_engine/matrix_engine.md."""

SPECIFIED_TFLOPS = (
    ("wormhole_b0", "n150", 1, "LoFi", 262.0),
    ("wormhole_b0", "n150", 1, "HiFi2", 148.0),
    ("wormhole_b0", "n150", 1, "HiFi4", 74.0),
    ("wormhole_b0", "n300", 2, "LoFi", 466.0),
    ("wormhole_b0", "n300", 2, "HiFi2", 262.0),
    ("wormhole_b0", "n300", 2, "HiFi4", 131.0),
)
"""Architecture, board, chips, fidelity, and TFLOP/s for FP8, BLOCKFP8 and FP16 in the data sheet of Wormhole cards:
https://docs.tenstorrent.com/aibs/wormhole/specifications.html. The data sheet of Blackhole cards has cores and clock
alone: https://docs.tenstorrent.com/aibs/blackhole/specifications.html.
"""

SPECIFIED_CORES = (("blackhole", "p100a", 120, 1.35), ("blackhole", "p150", 140, 1.35))
"""Architecture, board, cores and GHz in that data sheet."""

MOST_DEVIATION = 0.15
_FORMATS = ("Float16_b", "Bfp8_b", "Bfp4_b")
_COLUMNS = 8
_CALLS = (20, 120)

_LOOP = f"""
#include "compute_kernel_api.h"
#include "compute_kernel_api/matmul.h"
void kernel_main() {{
    mm_block_init(0, 1, 16, 0, {_COLUMNS}, 1, 1);
    tile_regs_acquire();
    for (uint32_t call = 0; call < get_arg_val<uint32_t>(0); ++call) {{
        matmul_block(0, 1, 0, 0, 0, 0, {_COLUMNS}, 1, 1);
    }}
    tile_regs_commit();
    tile_regs_wait();
    tile_regs_release();
}}
"""


@dataclass(frozen=True)
class Rate:
    """A rate and what it should be.

    Attributes:
        where: board or core, in words.
        fidelity: name of the fidelity.
        specified, from_fields: rates in the same unit.
    """

    where: str
    fidelity: str
    specified: float
    from_fields: float

    @property
    def deviation(self) -> float:
        """Deviation from the specification, as a share of it."""
        return self.from_fields / self.specified - 1


def rate_of_core(arch: str, board: str, fidelity: str) -> float:
    """Returns FLOP/cycle of the matrix unit of a core."""
    return describe_architecture(arch, board).product_operations_per_cycle[FIDELITIES[fidelity] - 1]


def cores_of(arch: str, board: str) -> int:
    """Returns the Tensix tiles of a chip that are not harvested; a few of them are not for programs."""
    return sum(tile["kind"] == "Tensix" for tile in floor_plan(arch, board)["tiles"])


def rates_of_cores() -> list[Rate]:
    """Returns the rates of a core of each chip, in FLOP/cycle."""
    return [
        Rate(arch, fidelity, specified, rate_of_core(arch, "", fidelity))
        for arch in ("wormhole_b0", "blackhole")
        for fidelity, specified in SPECIFIED_FLOP_PER_CYCLE.items()
    ]


def rates_of_boards() -> list[Rate]:
    """Returns the rates of boards, in TFLOP/s."""
    whole = list(SPECIFIED_TFLOPS)
    for arch, board, cores, ghz in SPECIFIED_CORES:
        whole += [(arch, board, 1, of, cores * ghz * rate / 1e3) for of, rate in SPECIFIED_FLOP_PER_CYCLE.items()]
    return [
        Rate(
            f"{board}, {chips * cores_of(arch, board)} cores",
            fidelity,
            specified,
            chips
            * cores_of(arch, board)
            * describe_architecture(arch, board).clock_hz
            * rate_of_core(arch, board, fidelity)
            / 1e12,
        )
        for arch, board, chips, fidelity, specified in whole
    ]


def rate_of_loop(arch: str, fidelity: str, data_format: str) -> float:
    """Returns FLOP/cycle of a loop that multiplies the same tiles on one core, between two numbers of calls."""
    runs = [_run(arch, fidelity, data_format, calls) for calls in _CALLS]
    (operations, cycles), (more_operations, more_cycles) = runs
    return (more_operations - operations) / (more_cycles - cycles)


def _run(arch: str, fidelity: str, data_format: str, calls: int) -> tuple[int, float]:
    program = Program(arch)
    for buffer in (0, 1, 16):
        program.buffer(buffer, pages=_COLUMNS, page_bytes=TILE_BYTES[data_format], data_format=data_format)
    options = ComputeOptions(fidelity_phases=FIDELITIES[fidelity])
    program.kernel(_LOOP, name="loop", riscv="compute", compute=options, runtime_args=[calls])
    row = program.run().frame.set_index("kernel").loc["loop (math)"]
    return int(row["program_operations"]), float(row["latency_cycles"])


def main() -> int:
    """Prints the tables."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    print("| core | fidelity | specified, FLOP/cycle | from fields | loop, Float16_b | loop, Bfp8_b | loop, Bfp4_b |")
    print("|---|---|--:|--:|--:|--:|--:|")
    of_cores = rates_of_cores()
    for rate in of_cores:
        loops = [rate_of_loop(rate.where, rate.fidelity, data_format) for data_format in _FORMATS]
        cells = [f"{loop:,.0f} ({loop / rate.specified - 1:+.0%})" for loop in loops]
        print(f"| {_cells(rate)} | {' | '.join(cells)} |")
    print()
    print("| board | fidelity | specified, TFLOP/s | from fields |")
    print("|---|---|--:|--:|")
    of_boards = rates_of_boards()
    for rate in of_boards:
        print(f"| {_cells(rate)} |")
    return int(any(abs(rate.deviation) > MOST_DEVIATION for rate in (*of_cores, *of_boards)))


def _cells(rate: Rate) -> str:
    return f"{rate.where} | {rate.fidelity} | {rate.specified:,.0f} | {rate.from_fields:,.0f} ({rate.deviation:+.0%})"


if __name__ == "__main__":
    sys.exit(main())
