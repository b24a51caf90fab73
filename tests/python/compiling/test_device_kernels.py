"""Kernels in all styles of the API compile for both chips, without a warning, into images that a loader can take."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import device_programs
import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.images import IMAGE_BYTES, IMAGE_ORIGINS
from nocbench.compiling.request import ARCHITECTURES
from nocbench.compiling.toolchain import binary_tool, find_toolchain

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM_KEYS = {"about", "kernels", "buffers", "semaphores", "tensors", "regions", "expect"}
KERNEL_KEYS = {
    "file",
    "riscv",
    "noc",
    "cores",
    "compile_time_args",
    "named_compile_time_args",
    "runtime_args",
    "runtime_arg_names",
    "common_args",
    "common_arg_names",
    "tensors",
    "defines",
    "each_core",
}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("path", device_programs.program_files(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_program_compiles(path: Path, architecture: str, tmp_path: Path) -> None:
    for request in device_programs.kernel_requests(path, architecture):
        kernel = compile_kernel(request)
        assert kernel.messages == ""
        # Every instruction is in its RISC's region and has a known source line, nearly always in the kernel's own file.
        addresses = [address for address, _ in kernel.source_map]
        assert addresses == list(range(addresses[0], addresses[-1] + 4, 4))
        assert addresses[0] == IMAGE_ORIGINS[request.riscv]
        assert addresses[-1] < IMAGE_ORIGINS[request.riscv] + IMAGE_BYTES[request.riscv]
        own = [frames for _, frames in kernel.source_map if any(frame.file == str(request.source) for frame in frames)]
        assert own
        assert symbols(kernel.elf, tmp_path) >= {"_start", "__global_pointer$"}


def symbols(elf: bytes, place: Path) -> set[str]:
    image = place / "kernel.elf"
    image.write_bytes(elf)
    command = [str(binary_tool(find_toolchain(None), "nm")), str(image)]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return {line.split()[-1] for line in listed.splitlines()}


def test_programs_say_what_they_are() -> None:
    for path in device_programs.program_files():
        program = device_programs.read_program(path)
        assert set(program) <= PROGRAM_KEYS, path
        assert program["about"], path
        assert program["expect"], path
        for kernel in program["kernels"]:
            assert set(kernel) <= KERNEL_KEYS, path
            assert kernel["cores"], path
            assert len(kernel.get("each_core", kernel["cores"])) == len(kernel["cores"]), path
        places = {**program.get("tensors", {}), **program.get("regions", {})}
        for expected in program["expect"]:
            place = places[expected.get("tensor", expected.get("region"))]
            size = place["bytes"] if "bytes" in place else place["pages"] * place["page_bytes"]
            end = expected.get("offset_bytes", 0) + expected.get("bytes", 0)
            assert end <= size, path
            words = expected["equals"].get("words", ()) if isinstance(expected["equals"], dict) else ()
            assert 4 * len(words) <= size, path


def test_every_kernel_is_part_of_a_program() -> None:
    used = {
        path.parent / kernel["file"]
        for path in device_programs.program_files()
        for kernel in device_programs.read_program(path)["kernels"]
    }
    # Kernels of run_public_kernels.py and test_card_kernels.py.
    others = {path for folder in ("public", "for_card") for path in (device_programs.DIRECTORY / folder).glob("*.cpp")}
    assert used == set(device_programs.DIRECTORY.glob("*/*.cpp")) - others
    assert len(used) >= 60
