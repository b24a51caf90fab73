"""Compilation of the suite's own kernels for the RISCs of a tile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.request import KernelRequest
from nocbench.support.device_files import device_directory, suite_root
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.compiling.source_map import SourceMap


def compile_suite_kernel(
    arch: str,
    num_dram_banks: int,
    num_l1_banks: int,
    pcie_noc: tuple[int, int] | None,
    file: str,
    function: str,
    riscv: int,
    noc: int,
    compile_time_args: list[int],
) -> tuple[bytes, SourceMap]:
    """Compiles a kernel of the suite.

    Args:
        arch: name of the architecture.
        num_dram_banks: number of DRAM banks of the board.
        num_l1_banks: number of L1 banks of the board.
        pcie_noc: coordinates of the PCIe tile; None: the chip has none.
        file: source of the kernel, relative to the root of the repository.
        function: name of the kernel as a native function; empty: the file defines `kernel_main`.
        riscv: RISC that runs the kernel.
        noc: default NoC of the kernel.
        compile_time_args: words, by index.

    Returns:
        An ELF image and its source map.

    Raises:
        InputError: the kernel does not compile, or the source does not exist.
    """
    device = device_directory()
    root = suite_root()
    if not (root / file).is_file():
        raise InputError(f"kernels of the suite: expected {file} in {root}, found none; run it in a checkout")
    compiled = compile_kernel(
        KernelRequest(
            source=device / "suite" / "kernel_main.cc" if function else root / file,
            architecture=arch,
            riscv=riscv,
            noc=noc,
            num_dram_banks=num_dram_banks,
            num_l1_banks=num_l1_banks,
            pcie_noc=pcie_noc,
            compile_time_args=tuple(compile_time_args),
            defines={"NOCBENCH_SUITE_FILE": f'"{file}"', "NOCBENCH_SUITE_KERNEL": function} if function else {},
            include_directories=(device / "suite", root) if function else (root,),
        )
    )
    return compiled.elf, compiled.source_map
