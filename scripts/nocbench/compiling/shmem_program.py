"""Compiles OpenSHMEM programs for the cores of an Epiphany machine."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from nocbench.compiling import cache
from nocbench.compiling.compiler_run import (
    assembler_dependencies,
    macro_flags,
    read_assembler_dependencies,
    read_dependencies,
    run_compiler,
)
from nocbench.compiling.images import Symbol, instruction_addresses, read_sections, read_symbols
from nocbench.compiling.lookups import lookups_of
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.shmem_library import (
    C_FLAGS,
    CXX_FLAGS,
    FLAGS,
    MACHINE,
    RUN_TIME_TYPES,
    c_library,
    cxx_library,
    is_cxx,
    language_flags,
    software_arithmetic,
)
from nocbench.compiling.shmem_messages import program_error
from nocbench.compiling.source_map import SourceMap, pack_source_map, source_map, unpack_source_map
from nocbench.compiling.toolchain import find_toolchain, installed_folders, shmem_directory
from nocbench.support.errors import InputError
from nocbench.support.kept_files import digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.compiling.lookups import Lookups
    from nocbench.compiling.toolchain import Toolchain

PROGRAM_ORIGIN = 0x400
"""First address of a program under COPRTHR-2; programs without an operating system begin at 0x100."""
MEMORY_BYTES = 0x8000
ROUTINE_BASE = -0x8000
"""Address of the first routine. Small negative addresses are within one jump of all programs."""
ROUTINE_BYTES = 4

_OPTIMIZATIONS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Ofast")
_SUFFIXES = (".c", ".s", ".S", ".sx")
_WARNINGS = (
    "-Wall",
    "-Wno-unknown-pragmas",
    # Guesses that depend on the optimization.
    "-Wno-maybe-uninitialized",
    "-Wno-format-truncation",
    "-Wno-stringop-truncation",
)
_LINK_FLAGS = ("-nostdlib", "-nostartfiles", "-static", "-Wl,--gc-sections", "-Wl,--build-id=none")
_ORIGINS = (0x100, 0x4000)
_LARGEST_SHOWN = 12


@dataclass(frozen=True)
class ShmemProgramRequest:
    """A program to compile.

    Attributes:
        sources: source files in C, C++ or assembly; the suffix tells the language.
        include_directories: folders of headers, besides the folders of the sources.
        defines: macros; None defines one without a value.
        optimization: a flag of the compiler.
        origin: first address of the program.
        memory_bytes: size of a core's memory.
        compiler: compiler to use; None: the default one.
    """

    sources: tuple[Path, ...]
    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=lambda: MappingProxyType({}))
    optimization: str = "-O2"
    origin: int = PROGRAM_ORIGIN
    memory_bytes: int = MEMORY_BYTES
    compiler: Path | None = None

    def require_sense(self) -> None:
        """Raises InputError for an impossible request."""
        if not self.sources:
            raise InputError("expected sources of a program, found none")
        for source in self.sources:
            if not is_cxx(source) and source.suffix not in _SUFFIXES:
                raise InputError(f"{source}: expected a source in C or C++, as NAME.c or NAME.cpp")
            if not source.is_file():
                raise InputError(f"{source}: expected the source of a program, found no such file")
        for directory in self.include_directories:
            if not directory.is_dir():
                raise InputError(f"-I {directory}: expected a folder, found none")
        if self.optimization not in _OPTIMIZATIONS:
            raise InputError(f"optimization: expected one of {' '.join(_OPTIMIZATIONS)}, found '{self.optimization}'")
        if not _ORIGINS[0] <= self.origin <= _ORIGINS[1] or self.origin % 4:
            raise InputError(
                f"origin: expected a multiple of 4 from {_ORIGINS[0]:#x} to {_ORIGINS[1]:#x}, "
                f"found {self.origin:#x} ({self.origin})"
            )


@dataclass(frozen=True)
class ShmemProgram:
    """A compiled program for the loader of a core.

    Attributes:
        elf: the image, with addresses and symbols.
        source_map: source line of each instruction.
        section_bytes: sizes of the sections that are in memory while the program runs.
        end: first address after code and data.
        routines: names of the simulator's routines that the program uses, in the order of their addresses.
        messages: warnings of the compiler.
        was_cached: True if the program came from the cache.
    """

    elf: bytes
    source_map: SourceMap
    section_bytes: Mapping[str, int]
    end: int
    routines: tuple[str, ...]
    messages: str
    was_cached: bool


def compile_shmem_program(request: ShmemProgramRequest, routines: Sequence[str]) -> ShmemProgram:
    """Returns a compiled and linked program, from the cache if possible.

    Args:
        request: the program and its options.
        routines: names of all routines of the simulator, in the order of their addresses.

    Raises:
        KernelCompileError: the program does not compile or link, or does not fit the memory of a core.
        InputError: an invalid request, or no compiler was found.
    """
    request.require_sense()
    toolchain = find_toolchain(request.compiler)
    libraries = [c_library(toolchain)]
    if any(map(is_cxx, request.sources)):
        libraries.append(cxx_library(toolchain))
    key = _key(request, routines, toolchain, libraries)
    kept = cache.load(key)
    if kept is not None:
        facts, elf = kept
        lines, messages = unpack_source_map(facts), str(facts["messages"])
    else:
        with tempfile.TemporaryDirectory(prefix="nocbench-shmem-") as place:
            elf, lines, messages = _compile(request, routines, toolchain, libraries, key, Path(place))
    sections = read_sections(elf)
    symbols = read_symbols(elf)
    end = next(symbol.value for symbol in symbols if symbol.name == "_end")
    if end > request.memory_bytes:
        raise KernelCompileError(_too_large(request, end, symbols), messages)
    used = {symbol.name for symbol in symbols if symbol.is_absolute}
    return ShmemProgram(
        elf,
        lines,
        {section.name: section.size for section in sections},
        end,
        tuple(name for name in routines if name in used),
        messages,
        was_cached=kept is not None,
    )


def _key(
    request: ShmemProgramRequest, routines: Sequence[str], toolchain: Toolchain, libraries: Sequence[bytes]
) -> str:
    parts = [
        *FLAGS,
        *_WARNINGS,
        *C_FLAGS,
        *CXX_FLAGS,
        *_LINK_FLAGS,
        toolchain.identity,
        str(shmem_directory()),
        str(Path.cwd()),  # messages and source lines name files relative to this folder
        request.optimization,
        f"{request.origin:#x}",
        *macro_flags(request.defines),
        *(f"-I{directory}" for directory in request.include_directories),
        *map(str, request.sources),
        *routines,
        *map(digest, libraries),
    ]
    return digest("\0".join(parts).encode())


def _compile(
    request: ShmemProgramRequest,
    routines: Sequence[str],
    toolchain: Toolchain,
    libraries: Sequence[bytes],
    key: str,
    place: Path,
) -> tuple[bytes, SourceMap, str]:
    here = Path.cwd()
    dependencies: set[Path] = set()
    messages = ""
    objects = []
    for number, source in enumerate(request.sources):
        objects.append(str(place / f"{number}_{source.stem}.o"))
        arguments = [
            *FLAGS,
            *_WARNINGS,
            request.optimization,
            *language_flags(toolchain, source),
            f"-fdebug-prefix-map={here}=.",
            *macro_flags(request.defines),
            *(f"-I{directory}" for directory in request.include_directories),
            *("-MD", "-MF", str(place / "dependencies"), *assembler_dependencies(place)),
            *("-c", str(source), "-o", objects[-1]),
        ]
        messages += _compile_source(toolchain, arguments, str(source), place)
        if (place / "dependencies").exists():  # assembly without preprocessing has no dependencies
            dependencies |= read_dependencies(place / "dependencies", here)
        dependencies |= {source.absolute(), *read_assembler_dependencies(place, here)}
    dependencies = {path for path in dependencies if not path.is_relative_to(place)}
    link = shmem_directory() / "link"
    archives = []
    for number, library in enumerate(libraries):
        archives.append(str(place / f"library{number}.a"))
        Path(archives[-1]).write_bytes(library)
    (place / "routines.ld").write_text(_routine_addresses(routines), encoding="utf-8")
    image = place / "program.elf"
    # Without this step, the compiler would put a different temporary name into the image each time.
    start = str(place / "start.o")
    messages += _run(toolchain, [*MACHINE, "-c", str(link / "start.s"), "-o", start], str(link / "start.s"), place)
    arguments = [
        *MACHINE,
        *_LINK_FLAGS,
        f"-Wl,--defsym=PROGRAM_ORIGIN={request.origin:#x}",
        start,
        *objects,
        *("-Wl,--start-group", *archives, str(software_arithmetic(toolchain)), "-Wl,--end-group"),
        *("-T", str(link / "program.ld"), "-T", str(place / "routines.ld")),
        *("-o", str(image)),
    ]
    messages += _run(toolchain, arguments, str(request.sources[0]), place)
    elf = image.read_bytes()
    lines = source_map(toolchain, image, instruction_addresses(read_sections(elf)))
    lookups = _lookups(request, toolchain, dependencies)
    dependencies |= {link / "start.s", link / "program.ld"}
    cache.store(
        key, {"messages": messages, **pack_source_map(lines)}, sorted(toolchain.changing(dependencies)), lookups, elf
    )
    return elf, lines, messages


def _lookups(request: ShmemProgramRequest, toolchain: Toolchain, read: set[Path]) -> Lookups | None:
    """Returns the paths that compiler and assembler tried outside the compiler's own folders.

    The assembler also searches the working directory.
    """
    flags = (flag for source in request.sources for flag in language_flags(toolchain, source))
    headers = [Path(flag) for flag in dict.fromkeys(flags) if flag.startswith("/")]
    folders = [*(directory.absolute() for directory in request.include_directories), Path.cwd(), *headers]
    return lookups_of(read, folders, shmem_directory(), installed_folders(toolchain))


def _compile_source(toolchain: Toolchain, arguments: Sequence[str], what: str, place: Path) -> str:
    """Compiles a source, again with descriptions of types if it uses `typeid`. Returns the compiler's messages."""
    fine, messages = run_compiler(toolchain, arguments, what, Path.cwd(), place)
    if not fine and re.search(r"typeid.*-fno-rtti", messages):
        return _run(toolchain, [*arguments, RUN_TIME_TYPES], what, place)
    return _checked(messages, fine, what, place)


def _run(toolchain: Toolchain, arguments: Sequence[str], what: str, place: Path) -> str:
    fine, messages = run_compiler(toolchain, arguments, what, Path.cwd(), place)
    return _checked(messages, fine, what, place)


def _checked(messages: str, fine: bool, what: str, place: Path) -> str:
    """Returns the compiler's messages without names of temporary files. Raises KernelCompileError if it has failed."""
    messages = re.sub(rf"{re.escape(str(place))}/\d+_", "", messages)
    if not fine:
        raise program_error(what, messages, str(shmem_directory()))
    return messages


def _routine_addresses(routines: Sequence[str]) -> str:
    """Returns linker definitions that give each routine its address, unless the program defines the name."""
    return "".join(
        f"PROVIDE({name} = {ROUTINE_BASE + ROUTINE_BYTES * index});\n" for index, name in enumerate(routines)
    )


def _too_large(request: ShmemProgramRequest, end: int, symbols: Sequence[Symbol]) -> str:
    """Returns a message with the excess in bytes and the largest symbols."""
    room = request.memory_bytes
    largest: list[Symbol] = []
    for symbol in sorted((symbol for symbol in symbols if symbol.size), key=lambda symbol: -symbol.size):
        # Some ranges have several names or entry points: count each range once.
        if all(symbol.value >= other.value + other.size or other.value >= symbol.value + symbol.size
               for other in largest):  # fmt: skip
            largest.append(symbol)
    lines = [
        f"{request.sources[0]}: the program ends at {end} of the {room} B of a core, {end - room} B too far:",
        f"    {'in front of the program':<40}{request.origin:>8} B",
    ]
    shown = largest[:_LARGEST_SHOWN]
    lines += [f"    {symbol.name:<40}{symbol.size:>8} B" for symbol in shown]
    rest = end - request.origin - sum(symbol.size for symbol in shown)
    lines.append(f"    {'everything else':<40}{rest:>8} B")
    return "\n".join(lines)
