"""Kernels of an unpacked `ttnn` wheel, linked as for the card: its headers, start files, linker scripts and firmware.

The compiler is the usual one and not the vendor's. Its names of two functions lack a qualifier of theirs, so these are
compiled from the wheel's source instead of being taken from its objects.
"""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from nocbench.compiling import compiler
from nocbench.compiling.generated_header import generated_header
from nocbench.compiling.toolchain import architecture_flag, device_directory, find_toolchain, include_flags, libraries
from nocbench.compiling.tt_metal import NAMES_HEADER, find_tt_metal, tt_metal_flags, write_generated_headers
from nocbench.points import simulator
from nocbench.programs.layout import lay_out
from nocbench.programs.preparation import placed_arguments
from nocbench.programs.requests import kernel_request
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.compiling.request import KernelRequest
    from nocbench.programs.execution import Machine
    from nocbench.programs.program import ProgramDescription

RISCS = ("brisc", "ncrisc")
FOLDERS = {"wormhole_b0": "wormhole", "blackhole": "blackhole"}
_HALF_WORD_BYTES = 2
_NUM_NOCS = 2


def firmware_of(root: Path, request: KernelRequest) -> Path | None:
    """The firmware of a wheel for the chip, RISC and board of a kernel; None if it has none."""
    name = RISCS[request.riscv]
    wanted = (request.num_dram_banks, request.num_l1_banks)
    for path in sorted((root / "tt_metal" / "pre-compiled").glob(f"*/{name}/{name}_weakened.elf")):
        if _banks(path) == wanted:
            return path
    return None


def _banks(firmware: Path) -> tuple[int, ...]:
    """Numbers of banks in DRAM and L1 that a firmware has tables for. They differ between the chips."""
    completed = subprocess.run(
        ["riscv64-unknown-elf-nm", "-S", str(firmware)], capture_output=True, text=True, check=True
    )
    sizes = {words[-1]: int(words[1], 16) for words in map(str.split, completed.stdout.splitlines()) if len(words) == 4}
    return tuple(sizes[f"{kind}_bank_to_noc_xy"] // _HALF_WORD_BYTES // _NUM_NOCS for kind in ("dram", "l1"))


def request_of(program: ProgramDescription, name: str, machine: Machine) -> KernelRequest:
    """What a kernel of a program is compiled from."""
    layout = lay_out(program, machine.memories())
    arguments = placed_arguments(program, layout)
    kernels = zip(program.kernels, arguments, strict=True)
    return next(
        kernel_request(kernel, program, layout, words, machine.arch) for kernel, words in kernels if kernel.name == name
    )


def link_for_card(request: KernelRequest, root: Path, firmware: Path, place: Path) -> Path:
    """Compiles and links a kernel. Returns its image, in `place`, which must be empty.

    Raises:
        InputError: it does not compile or link; with the last lines of what was said.
    """
    toolchain = find_toolchain(request.compiler)
    tree = find_tt_metal(root)
    risc = RISCS[request.riscv]
    folder = FOLDERS[request.architecture]
    (place / "program.h").write_text(generated_header(request), encoding="utf-8")
    write_generated_headers(tree, request, place)
    includes = f'#include "{NAMES_HEADER}"\n#include "{request.source.absolute()}"\n'
    (place / "kernel_includes.hpp").write_text(includes, encoding="utf-8")
    flags = _without_our_headers(tt_metal_flags(tree, toolchain, request))
    firmware_sources = root / "tt_metal" / "hw" / "firmware" / "src" / "tt-1xx"
    toolchain_folder = root / "runtime" / "hw" / "toolchain" / folder
    start = root / "runtime" / "hw" / "lib" / folder / "wh-iram-start.o"
    image = place / f"{risc}.elf"
    arguments = [
        str(toolchain.compiler),
        architecture_flag(toolchain, request.architecture),
        request.optimisation,
        *compiler.FLAGS,  # the same code as with --tt-metal, but for where it is and how it starts
        f"-I{place}",
        *(f"-I{directory}" for directory in request.include_directories),
        *flags,
        *include_flags(toolchain),
        *("-include", "program.h"),
        *("-nostdlib", "-nostartfiles", "-static", "-Wl,--emit-relocs", "-Wl,--build-id=none", "-w"),
        *("-T", str(toolchain_folder / f"kernel_{risc}.ld"), f"-Wl,--just-symbols={firmware}"),
        *([str(start)] if request.riscv and folder == "wormhole" else []),
        *("-x", "c++", str(firmware_sources / f"{risc}k.cc")),
        str(root / "tt_metal" / "hw" / "toolchain" / "substitutes.cpp"),
        *("-x", "none", *libraries(toolchain), "-o", str(image)),
    ]
    completed = subprocess.run(arguments, cwd=place, capture_output=True, text=True, check=False)
    if completed.returncode:
        raise InputError("\n".join(completed.stderr.splitlines()[-3:]))
    simulator.riscv_of_image(image.read_bytes(), str(image))
    return image


def _without_our_headers(flags: tuple[str, ...]) -> list[str]:
    """What a kernel says of itself goes where the card has it, and not to us."""
    ours = {index for index, flag in enumerate(flags) if flag.startswith(str(device_directory()))}
    ours = {index for index in ours if flags[index - 1] == "-isystem"}
    return [flag for index, flag in enumerate(flags) if index not in ours and index + 1 not in ours]
