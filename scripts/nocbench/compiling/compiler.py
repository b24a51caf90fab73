"""Compiles a kernel for the processor of a tile."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.compiling import cache
from nocbench.compiling.generated_header import generated_header
from nocbench.compiling.images import IMAGE_ORIGINS, instruction_addresses, read_sections, require_room
from nocbench.compiling.messages import KernelCompileError, compile_error
from nocbench.compiling.request import read_source
from nocbench.compiling.source_map import Frame, SourceMap, source_map
from nocbench.compiling.toolchain import (
    architecture_flag,
    device_directory,
    environment,
    find_toolchain,
    include_flags,
    libraries,
    line_finder,
)
from nocbench.compiling.tt_metal import find_tt_metal, tt_metal_flags, write_generated_headers
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nocbench.compiling.request import KernelRequest
    from nocbench.compiling.toolchain import Toolchain

_TIMEOUT_S = 120
_HEADER = "nocbench_program.h"
# As for the device, but for C++20, whose designated initializers kernels of 2026 use.
FLAGS = (
    "-mabi=ilp32",
    "-std=c++20",
    "-flto",
    "-ffast-math",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-use-cxa-atexit",
    "-fno-threadsafe-statics",
    "-fno-tree-loop-distribute-patterns",
    "-Wall",
    "-Wno-volatile",  # kernels count in volatile words
    "-Wno-unknown-pragmas",
    # Of version 5, addr2line of binutils 2.40 takes the first file of a unit for another one.
    "-gdwarf-4",
    # The same image, whenever and wherever it is made.
    "-frandom-seed=nocbench",
)
_LINK_FLAGS = ("-nostdlib", "-nostartfiles", "-static", "-Wl,--gc-sections", "-Wl,--build-id=none")


@dataclass(frozen=True)
class CompiledKernel:
    """A kernel as the loader of the device model takes it.

    Attributes:
        elf: the image, with addresses and symbols.
        source_map: where each instruction comes from.
        section_bytes: sizes of the parts that are in memory while it runs.
        messages: what the compiler said: warnings.
        was_cached: whether it had been compiled before.
        firmware: of a kernel for the card, the file with the symbols that it was linked against: name and bytes, both
            empty if its own symbols are enough. None of kernels that are compiled here.
    """

    elf: bytes
    source_map: SourceMap
    section_bytes: Mapping[str, int]
    messages: str
    was_cached: bool
    firmware: tuple[str, bytes] | None = None


def compile_kernel(request: KernelRequest) -> CompiledKernel:
    """Compiles a kernel, or takes it from those that are kept.

    Raises:
        KernelCompileError: the source does not compile, or what it makes does not fit the memory of a core.
        InputError: the request makes no sense, or there is no compiler.
    """
    request.require_sense()
    source = read_source(request.source)
    toolchain = find_toolchain(request.compiler)
    header = generated_header(request)
    key = _key(request, source, toolchain, header)
    kept = cache.load(key)
    if kept is not None:
        facts, elf = kept
        return CompiledKernel(elf, _unpack(facts), facts["section_bytes"], facts["messages"], was_cached=True)
    with tempfile.TemporaryDirectory(prefix="nocbench-kernel-") as place:
        return _compile(request, source, toolchain, header, key, Path(place))


def _key(request: KernelRequest, source: bytes, toolchain: Toolchain, header: str) -> str:
    parts = [
        *FLAGS,
        *_LINK_FLAGS,
        toolchain.identity,
        str(device_directory()),
        header,
        request.optimisation,
        *(f"-D{name}={value}" for name, value in request.defines.items()),
        *(str(directory.absolute()) for directory in request.include_directories),
        str(request.tt_metal.absolute()) if request.tt_metal is not None else "",
        cache.digest(source),
    ]
    return cache.digest("\0".join(parts).encode())


def _compile(
    request: KernelRequest, source: bytes, toolchain: Toolchain, header: str, key: str, place: Path
) -> CompiledKernel:
    (place / _HEADER).write_text(header, encoding="utf-8")
    device = device_directory()
    image = place / "kernel.elf"
    macros = [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in request.defines.items()]
    arguments = [
        architecture_flag(toolchain, request.architecture),
        request.optimisation,
        *FLAGS,
        f"-ffile-prefix-map={place}=.",
        *macros,
        *(f"-I{directory.absolute()}" for directory in request.include_directories),
        *_headers(request, toolchain, place),
        *include_flags(toolchain),
        *("-include", _HEADER, "-MD", "-MF", "dependencies"),
        f"-Wa,--defsym,NUM_DRAM_BANKS={request.num_dram_banks},--defsym,NUM_L1_BANKS={request.num_l1_banks}",
        *_LINK_FLAGS,
        *("-T", str(device / "link" / "kernel.ld")),
        f"-Wl,--defsym=IMAGE_ORIGIN={IMAGE_ORIGINS[request.riscv]:#x}",
        *("-x", "c++", str(_start_file(request))),
        *("-x", "assembler", str(device / "link" / "firmware.s")),
        *("-x", "none", *libraries(toolchain)),
        *("-o", image.name),
    ]
    messages = _run(request, source, toolchain, arguments, place)
    elf = image.read_bytes()
    sections = read_sections(elf)
    require_room(sections, request.architecture, request.riscv)
    lines = source_map(line_finder(toolchain), image, instruction_addresses(sections))
    section_bytes = {section.name: section.size for section in sections}
    facts = {"messages": messages, "section_bytes": section_bytes, **_pack(lines)}
    fixed = (device / "link" / name for name in ("firmware.s", "kernel.ld"))
    dependencies = {*_read_dependencies(place), _start_file(request), *fixed} - {request.source.absolute()}
    cache.store(key, facts, sorted(dependencies), elf)
    return CompiledKernel(elf, lines, section_bytes, messages, was_cached=False)


def _headers(request: KernelRequest, toolchain: Toolchain, place: Path) -> tuple[str, ...]:
    """Where the headers of the device are: ours, or those of a tree of tt-metal."""
    device = device_directory()
    if request.tt_metal is None:
        return ("-isystem", str(device / "include"), "-isystem", str(device / "watching"))
    tree = find_tt_metal(request.tt_metal)
    write_generated_headers(tree, request, place)
    # What is generated is found like their own headers are.
    return (f"-I{place}", *tt_metal_flags(tree, toolchain, request))


def _start_file(request: KernelRequest) -> Path:
    device = device_directory()
    return device / "tt_metal" / "start.cc" if request.tt_metal is not None else device / "link" / "start.cc"


def _run(request: KernelRequest, source: bytes, toolchain: Toolchain, arguments: list[str], place: Path) -> str:
    """Runs the compiler. Gives what it says, or raises KernelCompileError."""
    try:
        completed = subprocess.run(  # noqa: S603 - a compiler that the user named; the user's words are its arguments
            [str(toolchain.compiler), *arguments],
            cwd=place,
            capture_output=True,
            check=False,
            env=environment() | {"TMPDIR": str(place)},
            stdin=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise KernelCompileError(f"{request.source}: the compiler did not end within {_TIMEOUT_S} s", "") from None
    except OSError as error:
        raise InputError(f"{toolchain.compiler}: cannot be run: {error.strerror}") from None
    messages = completed.stderr.decode(errors="replace")
    if completed.returncode != 0:
        raise compile_error(str(request.source), source, messages, str(device_directory()))
    return messages


def _read_dependencies(place: Path) -> set[Path]:
    """The files that the compiler read, but for those that were made for it."""
    text = (place / "dependencies").read_text(encoding="utf-8", errors="surrogateescape")
    names = re.split(r"(?<!\\)\s+", text.partition(":")[2].replace("\\\n", " ").strip())
    paths = (Path(os.path.normpath(place / re.sub(r"\\(.)", r"\1", name).replace("$$", "$"))) for name in names)
    return {path for path in paths if path.parent != place}


def _pack(lines: SourceMap) -> dict[str, Any]:
    """A source map as JSON holds it: each place and each chain of places once."""
    frames: dict[Frame, int] = {}
    chains: dict[tuple[Frame, ...], int] = {}
    for _, chain in lines:
        chains.setdefault(chain, len(chains))
        for frame in chain:
            frames.setdefault(frame, len(frames))
    return {
        "frames": list(frames),
        "chains": [[frames[frame] for frame in chain] for chain in chains],
        "lines": [(address, chains[chain]) for address, chain in lines],
    }


def _unpack(facts: dict[str, Any]) -> SourceMap:
    frames = [Frame(*frame) for frame in facts["frames"]]
    chains = [tuple(frames[index] for index in chain) for chain in facts["chains"]]
    return tuple((address, chains[index]) for address, index in facts["lines"])
