"""The C and C++ libraries of OpenSHMEM programs, and the compiler flags of libraries and programs."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling import cache
from nocbench.compiling.compiler_run import read_dependencies, run_compiler
from nocbench.compiling.lookups import NO_LOOKUPS
from nocbench.compiling.messages import KernelCompileError
from nocbench.compiling.toolchain import ask, binary_tool, cxx_library_flags, environment, shmem_directory
from nocbench.support.errors import InputError
from nocbench.support.kept_files import digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.compiling.toolchain import Toolchain

MACHINE = ("-march=rv32imafc", "-mabi=ilp32f")
"""Target like Epiphany: hardware for integers and single precision; instructions of 2 and 4 bytes."""

FLAGS = (
    *MACHINE,
    # The core has no division: the compiler's library divides in software, whose instructions are counted.
    "-mno-div",
    "-mno-fdiv",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-math-errno",
    # Define behaviour that many programs rely on although C leaves it undefined.
    "-fno-strict-aliasing",
    "-fwrapv",
    # With DWARF 5, addr2line of binutils 2.40 takes the first file of a unit for another one.
    "-gdwarf-4",
    # Makes images reproducible.
    "-frandom-seed=nocbench",
)
CXX_FLAGS = (
    "-std=gnu++17",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-threadsafe-statics",
)
RUN_TIME_TYPES = "-frtti"
"""Describes types to `typeid`. Takes memory: only sources that need it are compiled with it."""
C_FLAGS = (
    "-std=gnu17",
    # A program has one thread, and a core has no thread pointer.
    "-D_Thread_local=",
    "-D__thread=",
)

_MADE = "weak 3"
"""Version of the build steps of the library other than compiling."""
_LIBRARY_FLAGS = ("-Os", "-fno-builtin", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra")
_LIBRARY_CXX_FLAGS = (RUN_TIME_TYPES,)
_TOOL_TIMEOUT_S = 60


def header_flags(toolchain: Toolchain, is_cxx: bool) -> tuple[str, ...]:
    """Returns the flags for folders of headers other than the source's own."""
    root = shmem_directory()
    ours = [root / "include", root / "library" / "include", root / "library" / "posix"]
    directories = tuple(flag for directory in ours for flag in ("-isystem", str(directory)))
    # C++ headers include those of C by `#include_next`.
    return (*cxx_library_flags(toolchain, root / "cxx"), *directories) if is_cxx else directories


def is_cxx(source: Path) -> bool:
    """Returns True for a source in C++, by its suffix."""
    return source.suffix in (".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP")


def language_flags(toolchain: Toolchain, source: Path) -> tuple[str, ...]:
    """Returns the flags for a source's language."""
    cxx = is_cxx(source)
    return (*(CXX_FLAGS if cxx else C_FLAGS), *header_flags(toolchain, cxx))


def software_arithmetic(toolchain: Toolchain) -> Path:
    """Returns the compiler's library for doubles, long divisions and the like."""
    path = Path(ask(toolchain, *MACHINE, "-print-libgcc-file-name"))
    if not path.is_file():
        raise InputError(f"{toolchain.compiler}: expected a library for {' '.join(MACHINE)}, found none")
    return path


def c_library(toolchain: Toolchain) -> bytes:
    """Returns the C library as an archive. A program's function replaces the library's function of the same name.

    Raises:
        InputError: the library cannot be compiled.
    """
    return _library(toolchain, "*.c")


def cxx_library(toolchain: Toolchain) -> bytes:
    """Returns the C++ library as an archive. A program's function replaces the library's function of the same name."""
    return _library(toolchain, "*.cc")


def _library(toolchain: Toolchain, pattern: str) -> bytes:
    root = shmem_directory() / "library"
    sources = sorted(root.rglob(pattern))
    contents = [text for source in sources for text in (str(source), digest(source.read_bytes()))]
    flags = [_MADE, *FLAGS, *_LIBRARY_FLAGS, *C_FLAGS, *CXX_FLAGS, *_LIBRARY_CXX_FLAGS]
    key = digest("\0".join([*flags, toolchain.identity, str(root), *contents]).encode())
    kept = cache.load(key)
    if kept is not None:
        return kept[1]
    with tempfile.TemporaryDirectory(prefix="nocbench-library-") as place:
        return _build(toolchain, sources, key, Path(place))


def _build(toolchain: Toolchain, sources: Sequence[Path], key: str, place: Path) -> bytes:
    root = shmem_directory() / "library"
    dependencies = set()
    objects = []
    for source in sources:
        name = source.relative_to(root).as_posix().replace("/", "_") + ".o"
        arguments = [
            *FLAGS,
            *_LIBRARY_FLAGS,
            *language_flags(toolchain, source),
            *(_LIBRARY_CXX_FLAGS if is_cxx(source) else ()),
            f"-ffile-prefix-map={root}=library",
            f"-ffile-prefix-map={place}=.",
            *("-MD", "-MF", "dependencies", "-c", str(source), "-o", name),
        ]
        fine, messages = run_compiler(toolchain, arguments, str(source), place, place)
        if not fine:
            raise KernelCompileError(f"{source}: does not compile:\n{messages}", messages)
        dependencies |= read_dependencies(place / "dependencies", place)
        objects.append(name)
    listed = _run_tool(toolchain, "nm", ["--extern-only", "--defined-only", "--format=posix", *objects], place)
    for name, symbols in _by_object(listed).items():
        # Weaken defined names only: linkers do not search archives for undefined weak names.
        (place / "defined").write_text("".join(f"{symbol}\n" for symbol in symbols), encoding="utf-8")
        _run_tool(toolchain, "objcopy", ["--weaken-symbols=defined", name], place)
    archive = place / "library.a"
    # D omits times and users, for a reproducible archive.
    _run_tool(toolchain, "ar", ["crsD", archive.name, *objects], place)
    content = archive.read_bytes()
    cache.store(key, {}, sorted(toolchain.changing(dependencies)), NO_LOOKUPS, content)
    return content


def _by_object(listed: str) -> dict[str, list[str]]:
    """Parses the output of nm: names that each object defines."""
    symbols: dict[str, list[str]] = {}
    name = ""
    for line in listed.splitlines():
        if line.endswith(":"):
            name = line[:-1]
        elif line:
            symbols.setdefault(name, []).append(line.split()[0])
    return symbols


def _run_tool(toolchain: Toolchain, tool: str, arguments: Sequence[str], place: Path) -> str:
    program = binary_tool(toolchain, tool)
    try:
        completed = subprocess.run(  # noqa: S603 - a tool of the compiler, with fixed arguments
            [str(program), *arguments],
            cwd=place,
            capture_output=True,
            check=False,
            env=environment(toolchain),
            stdin=subprocess.DEVNULL,
            timeout=_TOOL_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not end"
        raise InputError(f"{program}: cannot be run: {reason}") from None
    if completed.returncode != 0:
        raise InputError(f"{program}: {completed.stderr.decode(errors='replace').strip() or 'failed'}")
    return completed.stdout.decode(errors="replace")
