"""Kernels of an unpacked `ttnn` wheel, linked as for the card with the wheel's headers, start files, linker scripts and
firmware.

The compiler is the usual one, not the vendor's. It mangles two function names without a qualifier that the vendor's
compiler adds, so these functions are compiled from the wheel's source instead of being taken from its objects.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from nocbench.compiling import compiler
from nocbench.compiling.generated_header import generated_header
from nocbench.compiling.toolchain import (
    architecture_flag,
    binary_tool,
    environment,
    find_toolchain,
    include_flags,
    libraries,
)
from nocbench.compiling.tt_metal import NAMES_HEADER, find_tt_metal, tt_metal_flags, write_generated_headers
from nocbench.programs.card_image import riscv_of_program
from nocbench.programs.layout import lay_out
from nocbench.programs.preparation import placed_arguments
from nocbench.programs.requests import kernel_request
from nocbench.support.device_files import device_directory
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.compiling.request import KernelRequest
    from nocbench.programs.execution import Machine
    from nocbench.programs.program import ProgramDescription

RISCS = ("brisc", "ncrisc")
FOLDERS = {"wormhole_b0": "wormhole", "blackhole": "blackhole"}
_FIRMWARE_SOURCES = "tt_metal/hw/firmware/src/tt-1xx"
_HALF_WORD_BYTES = 2
_NUM_NOCS = 2


def firmware_of(root: Path, request: KernelRequest, place: Path) -> Path:
    """Returns the wheel's firmware for the chip, RISC and board of a kernel; compiles it in `place` if the wheel has
    none.

    Raises:
    InputError: The firmware cannot be compiled.
    """
    name = RISCS[request.riscv]
    wanted = (request.num_dram_banks, request.num_l1_banks)
    for path in sorted((root / "tt_metal" / "pre-compiled").glob(f"*/{name}/{name}_weakened.elf")):
        if _banks(path) == wanted:
            return path
    return _make_firmware(root, request, place)


def _make_firmware(root: Path, request: KernelRequest, place: Path) -> Path:
    """Compiles firmware for its symbols. It is never executed, so undefined references are allowed."""
    risc = RISCS[request.riscv]
    image = place / f"{risc}_firmware.elf"
    header = generated_header(request).replace("#define KERNEL_BUILD", "#define FW_BUILD")
    (place / "program.h").write_text(header, encoding="utf-8")
    write_generated_headers(find_tt_metal(root), request, place)
    script = root / "runtime" / "hw" / "toolchain" / FOLDERS[request.architecture] / f"firmware_{risc}.ld"
    _compile(
        place,
        *_flags(request, root, place),
        # The vendor's compiler needs no extension name for the control registers that the firmware sets.
        f"{_instructions(request)}_zicsr",
        *("-fno-lto", "-T", str(script), "-Wl,--unresolved-symbols=ignore-all", "-Wl,-u,__global_pointer$"),
        *("-x", "c++", str(root / _FIRMWARE_SOURCES / f"{risc}.cc"), "-o", str(image)),
    )
    weakened = image.with_name(f"{risc}_weakened.elf")
    subprocess.run(
        [str(binary_tool(find_toolchain(None), "objcopy")), "--weaken", str(image), str(weakened)], check=True
    )
    return weakened


def _banks(firmware: Path) -> tuple[int, ...]:
    """Returns the numbers of DRAM and L1 banks in a firmware's tables, which differ between the chips."""
    completed = subprocess.run(
        [str(binary_tool(find_toolchain(None), "nm")), "-S", str(firmware)], capture_output=True, text=True, check=True
    )
    sizes = {words[-1]: int(words[1], 16) for words in map(str.split, completed.stdout.splitlines()) if len(words) == 4}
    return tuple(sizes[f"{kind}_bank_to_noc_xy"] // _HALF_WORD_BYTES // _NUM_NOCS for kind in ("dram", "l1"))


def request_of(program: ProgramDescription, name: str, machine: Machine) -> KernelRequest:
    """Returns the inputs to compile a kernel of a program."""
    layout = lay_out(program, machine.memories())
    arguments = placed_arguments(program, layout)
    kernels = zip(program.kernels, arguments, strict=True)
    return next(
        kernel_request(kernel, program, layout, words, machine.arch) for kernel, words in kernels if kernel.name == name
    )


def link_for_card(request: KernelRequest, root: Path, firmware: Path, place: Path) -> Path:
    """Compiles and links a kernel, and returns its image, in `place`.

    Raises:
    InputError: The kernel does not compile or link; with the last lines of the tools' output.
    """
    risc = RISCS[request.riscv]
    folder = FOLDERS[request.architecture]
    (place / "program.h").write_text(generated_header(request), encoding="utf-8")
    write_generated_headers(find_tt_metal(root), request, place)
    includes = f'#include "{NAMES_HEADER}"\n#include "{request.source.absolute()}"\n'
    (place / "kernel_includes.hpp").write_text(includes, encoding="utf-8")
    start = root / "runtime" / "hw" / "lib" / folder / "wh-iram-start.o"
    image = place / f"{risc}.elf"
    _compile(
        place,
        *_flags(request, root, place),
        *("-T", str(root / "runtime" / "hw" / "toolchain" / folder / f"kernel_{risc}.ld")),
        *(f"-Wl,--just-symbols={firmware}", "-Wl,--emit-relocs"),
        *([str(start)] if request.riscv and folder == "wormhole" else []),
        *("-x", "c++", str(root / _FIRMWARE_SOURCES / f"{risc}k.cc")),
        str(root / "tt_metal" / "hw" / "toolchain" / "substitutes.cpp"),
        *("-x", "none", *libraries(find_toolchain(request.compiler)), "-o", str(image)),
    )
    riscv_of_program(image.read_bytes(), str(image))
    return image


def _flags(request: KernelRequest, root: Path, place: Path) -> list[str]:
    """Returns flags as for --tt-metal, except for code addresses and the start file."""
    toolchain = find_toolchain(request.compiler)
    return [
        _instructions(request),
        request.optimisation,
        *compiler.FLAGS,
        f"-I{place}",
        *(f"-I{directory}" for directory in request.include_directories),
        *_without_our_headers(tt_metal_flags(find_tt_metal(root), toolchain, request)),
        *include_flags(toolchain),
        *("-include", "program.h", "-nostdlib", "-nostartfiles", "-static", "-Wl,--build-id=none", "-w"),
    ]


def _instructions(request: KernelRequest) -> str:
    return architecture_flag(find_toolchain(request.compiler), request.architecture)


def _compile(place: Path, *arguments: str) -> None:
    toolchain = find_toolchain(None)
    command = [str(toolchain.compiler), *arguments]
    compiled = subprocess.run(
        command, cwd=place, capture_output=True, text=True, check=False, env=environment(toolchain)
    )
    if compiled.returncode:
        raise InputError("\n".join(compiled.stderr.splitlines()[-3:]))


def _without_our_headers(flags: tuple[str, ...]) -> list[str]:
    """Removes nocbench's own headers, so that kernels write debug output in the card's format."""
    ours = {index for index, flag in enumerate(flags) if flag.startswith(str(device_directory()))}
    ours = {index for index in ours if flags[index - 1] == "-isystem"}
    return [flag for index, flag in enumerate(flags) if index not in ours and index + 1 not in ours]
