"""The suite's own kernels, compiled for the RISCs of a tile instead of for the simulator's host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.request import KernelRequest
from nocbench.compiling.toolchain import device_directory
from nocbench.points import simulator
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.points.point import Point
    from nocbench.points.simulator import PointResult, SourceLines


def run_compiled(point: Point) -> PointResult:
    """Simulates a point of a test with its kernels compiled for the RISCs.

    Raises:
        InputError: the point cannot be run, or the sources of the kernels are not there, as in a wheel.
    """
    device = device_directory()
    root = device.parents[1]
    if not (root / "one_to_one" / "kernels").is_dir():
        raise InputError(f"kernels of the suite: expected their sources in {root}, found none; run it in a checkout")
    described = simulator.describe_architecture(point.arch)
    board = next(board for board in described["boards"] if board["name"] == (point.board or described["board"]))
    num_l1_banks = board["compute_columns"] * board["compute_rows"]

    def compile_one(file: str, function: str, riscv: int, noc: int, args: list[int]) -> tuple[bytes, SourceLines]:
        compiled = compile_kernel(
            KernelRequest(
                source=device / "suite" / "kernel_main.cc",
                architecture=point.arch,
                riscv=riscv,
                noc=noc,
                num_dram_banks=described["num_dram_banks"],
                num_l1_banks=num_l1_banks,
                compile_time_args=tuple(args),
                defines={"NOCBENCH_SUITE_FILE": f'"{file}"', "NOCBENCH_SUITE_KERNEL": function},
                include_directories=(device / "suite", root),
            )
        )
        return compiled.elf, compiled.source_map

    return simulator.run_point_compiled(point, compile_one)
