"""Compiles a kernel for the processor of a tile."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling import cache
from nocbench.compiling.compiler_run import (
    assembler_dependencies,
    macro_flags,
    read_assembler_dependencies,
    read_dependencies,
    refuses_unrolling,
    run_compiler,
    run_without_unrolling,
)
from nocbench.compiling.generated_header import generated_header
from nocbench.compiling.images import IMAGE_ORIGINS, instruction_addresses, read_sections, require_room
from nocbench.compiling.lookups import lookups_of
from nocbench.compiling.messages import compile_error
from nocbench.compiling.precompiled_header import LIBRARY, precompiled_header
from nocbench.compiling.request import NOC_MODES, KernelRequest, read_source
from nocbench.compiling.source_map import SourceMap, pack_source_map, source_map, unpack_source_map
from nocbench.compiling.toolchain import (
    architecture_flag,
    find_toolchain,
    include_flags,
    installed_folders,
    libraries,
)
from nocbench.compiling.tt_metal import find_tt_metal, tt_metal_flags, write_generated_headers
from nocbench.support.device_files import device_directory
from nocbench.support.kept_files import digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nocbench.compiling.lookups import Lookups
    from nocbench.compiling.toolchain import Toolchain

_HEADER = "nocbench_program.h"
_COMPILE_TIME_ARGUMENTS = re.compile(r"compile_?time|ct_arg|AccessorArgs", re.IGNORECASE)
"""Part of all names by which a kernel reads its compile-time arguments."""
# Folders in which kernels look for headers: those of tt-metal, in which most headers have several names.
_HEADER_FOLDERS = (
    "tt_metal/hw/inc",
    ".",
    "tt_metal",
    "tt_metal/hw/inc/debug",
    "tt_metal/api",
    "tt_metal/api/tt-metalium",
    "tt_metal/hostdevcommon/api",
)
# Flags as for the device, but C++20, because kernels of 2026 use designated initializers.
FLAGS = (
    "-mabi=ilp32",
    "-std=c++20",
    "-flto",
    "-flto-partition=none",
    "-ffast-math",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-use-cxa-atexit",
    "-fno-threadsafe-statics",
    "-fno-tree-loop-distribute-patterns",
    "-Wall",
    "-Wno-volatile",  # kernels increment volatile words
    "-Wno-unknown-pragmas",
    # With DWARF 5, addr2line of binutils 2.40 takes the first file of a unit for another one.
    "-gdwarf-4",
    # Makes images reproducible.
    "-frandom-seed=nocbench",
)
_LINK_FLAGS = ("-nostdlib", "-nostartfiles", "-static", "-Wl,--gc-sections", "-Wl,--build-id=none")


@dataclass(frozen=True)
class CompiledKernel:
    """A compiled kernel for the loader of the device model.

    Attributes:
        elf: the image, with addresses and symbols.
        source_map: source line of each instruction.
        section_bytes: sizes of the sections that are in memory while the kernel runs.
        messages: warnings of the compiler.
        was_cached: True if the kernel came from the cache.
        firmware: for a kernel that was compiled for the card, name and content of the file with the firmware's symbols;
            both empty if the kernel's own symbols suffice. None for kernels that are compiled here.
    """

    elf: bytes
    source_map: SourceMap
    section_bytes: Mapping[str, int]
    messages: str
    was_cached: bool
    firmware: tuple[str, bytes] | None = None


def compile_kernel(request: KernelRequest) -> CompiledKernel:
    """Returns a compiled kernel, from the cache if possible.

    Raises:
        KernelCompileError: the source does not compile, or the result does not fit the memory of a core.
        InputError: an invalid request, or no compiler was found.
    """
    request.require_sense()
    source = read_source(request.source)
    toolchain = find_toolchain(request.compiler)
    cache.note(str(request.source.absolute()), digest(source))
    cache.note(str(toolchain.compiler), toolchain.identity)
    header = generated_header(request)
    key = _key(request, source, toolchain, header)
    kept = cache.load(key) or cache.load(_key_of_all_arguments(request, source, toolchain))
    if kept is not None:
        facts, elf = kept
        return CompiledKernel(elf, unpack_source_map(facts), facts["section_bytes"], facts["messages"], was_cached=True)
    with tempfile.TemporaryDirectory(prefix="nocbench-kernel-") as place:
        return _compile(request, source, toolchain, header, key, Path(place))


def precompile(architecture: str, compiler: Path | None) -> None:
    """Compiles the headers that a first kernel will need, so that other work may be done meanwhile."""
    toolchain = find_toolchain(compiler)
    language = _language(toolchain, architecture, KernelRequest.optimisation)
    precompiled_header(toolchain, (*language, *_own_headers(), *include_flags(toolchain)), ())


def _language(toolchain: Toolchain, architecture: str, optimisation: str) -> tuple[str, ...]:
    return (architecture_flag(toolchain, architecture), optimisation, *FLAGS)


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
        digest(source),
    ]
    return digest("\0".join(parts).encode())


def _key_of_all_arguments(request: KernelRequest, source: bytes, toolchain: Toolchain) -> str:
    """Returns the key of a kernel that is the same whatever its compile-time arguments are."""
    without = replace(request, compile_time_args=())
    return digest(f"any arguments\0{_key(without, source, toolchain, generated_header(without))}".encode())


def _names_compile_time_arguments(request: KernelRequest, files: Iterable[Path]) -> bool:
    """Returns True if a kernel may use compile-time arguments: if it names them, or functions that read them."""
    texts = [*(value or "" for value in request.defines.values()), *map(_text_of, files)]
    return any(_COMPILE_TIME_ARGUMENTS.search(text) for text in texts)


def _text_of(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace")


def _compile(
    request: KernelRequest, source: bytes, toolchain: Toolchain, header: str, key: str, place: Path
) -> CompiledKernel:
    (place / _HEADER).write_text(header, encoding="utf-8")
    device = device_directory()
    image = place / "kernel.elf"
    language = _language(toolchain, request.architecture, request.optimisation)
    headers = (*_headers(request, toolchain, place), *include_flags(toolchain))
    arguments = [
        *language,
        f"-ffile-prefix-map={place}=.",
        *macro_flags(request.defines),
        *(f"-I{directory.absolute()}" for directory in request.include_directories),
        *headers,
        *(() if request.compute is None else ("-isystem", str(_compute_headers(place)))),
        *(("-include", LIBRARY) if request.tt_metal is None else ()),
        *("-include", _HEADER, "-MD", "-MF", "dependencies", *assembler_dependencies(place)),
        f"-Wa,--defsym,NUM_DRAM_BANKS={request.num_dram_banks},--defsym,NUM_L1_BANKS={request.num_l1_banks}",
        *_LINK_FLAGS,
        *("-T", str(device / "link" / "kernel.ld")),
        f"-Wl,--defsym=IMAGE_ORIGIN={IMAGE_ORIGINS[request.riscv]:#x}",
        f"-Wl,--defsym=nocbench_noc_mode={NOC_MODES.index(request.noc_mode)}",
        *("-x", "c++", str(_start_file(request))),
        *("-x", "assembler", str(device / "link" / "firmware.s")),
        *("-x", "none", *libraries(toolchain)),
        *("-o", image.name),
    ]
    precompiled = None
    if request.tt_metal is None:
        precompiled = precompiled_header(toolchain, (*language, *headers), request.include_directories)
        if precompiled is not None:
            precompiled.put_into(place, LIBRARY)
    messages = _run(request, source, toolchain, arguments, place)
    elf = image.read_bytes()
    sections = read_sections(elf)
    require_room(sections, request.architecture, request.riscv)
    lines = source_map(toolchain, image, instruction_addresses(sections))
    section_bytes = {section.name: section.size for section in sections}
    facts = {"messages": messages, "section_bytes": section_bytes, **pack_source_map(lines)}
    fixed = (device / "link" / name for name in ("firmware.s", "kernel.ld"))
    read = {*read_dependencies(place / "dependencies", place), *(precompiled.dependencies if precompiled else ())}
    read |= read_assembler_dependencies(place, place)
    read = {path for path in read if not path.is_relative_to(place)}
    dependencies = {*read, _start_file(request), *fixed} - {request.source.absolute()}
    lookups = _lookups(request, toolchain, read, [Path(flag) for flag in headers if flag.startswith("/")])
    changing = sorted(toolchain.changing(dependencies))
    others = (device, *installed_folders(toolchain))
    own = [request.source, *(file for file in changing if not any(map(file.is_relative_to, others)))]
    if not _names_compile_time_arguments(request, own):
        key = _key_of_all_arguments(request, source, toolchain)
    cache.store(key, facts, changing, lookups, elf)
    return CompiledKernel(elf, lines, section_bytes, messages, was_cached=False)


def _lookups(request: KernelRequest, toolchain: Toolchain, read: set[Path], folders: list[Path]) -> Lookups | None:
    """Returns the paths that the compiler tried outside its own folders."""
    own = [*(directory.absolute() for directory in request.include_directories), *folders]
    return lookups_of({*read, request.source.absolute()}, own, device_directory(), installed_folders(toolchain))


def _headers(request: KernelRequest, toolchain: Toolchain, place: Path) -> tuple[str, ...]:
    """Returns the flags for the device's headers, of nocbench or of a tree of tt-metal."""
    if request.tt_metal is None:
        return _own_headers()
    tree = find_tt_metal(request.tt_metal)
    write_generated_headers(tree, request, place)
    # Like tt-metal's own headers, generated ones are found by -I.
    return (f"-I{place}", *tt_metal_flags(tree, toolchain, request))


def _compute_headers(place: Path) -> Path:
    """Writes the headers of the compute API under the names that kernels include; returns their folder."""
    folder = place / "compute"
    api = folder / "compute_kernel_api"
    names = (device_directory() / "compute_headers.txt").read_text(encoding="utf-8").splitlines()
    for file in [folder / "compute_kernel_api.h", *(api / name for name in names if not name.startswith("#"))]:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text('#include "nocbench/compute/api.h"\n', encoding="utf-8")
    (folder / "api").mkdir()
    (folder / "api" / "compute").symlink_to(api)
    return folder


def _own_headers() -> tuple[str, ...]:
    device = device_directory()
    folders = [*(device / "include" / folder for folder in _HEADER_FOLDERS), device / "watching"]
    return tuple(flag for folder in folders for flag in ("-isystem", str(folder)))


def _start_file(request: KernelRequest) -> Path:
    device = device_directory()
    return device / "tt_metal" / "start.cc" if request.tt_metal is not None else device / "link" / "start.cc"


def _run(request: KernelRequest, source: bytes, toolchain: Toolchain, arguments: list[str], place: Path) -> str:
    """Runs the compiler and returns its messages. Raises KernelCompileError if it fails."""
    what = str(request.source)
    fine, messages = run_compiler(toolchain, arguments, what, place, place)
    if not fine and refuses_unrolling(messages):
        fine, messages = run_without_unrolling(toolchain, arguments, what, place)
    if not fine:
        raise compile_error(what, source, messages, str(device_directory()))
    return messages
