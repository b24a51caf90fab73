"""The compiler for the processor of a tile, with its libraries and tools."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling import pinned_toolchain
from nocbench.compiling.choice import chosen_compiler
from nocbench.support.device_files import device_directory, target_directory
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SYSTEM = Path("system")
"""Name of the system's default compiler, as opposed to the pinned one."""
SYSTEM_COMPILER = "riscv64-unknown-elf-gcc"
_PACKAGES = "gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"
# Relative to the root of the system, or of the pinned toolchain.
_CXX_LIBRARIES = "usr/include/c++"
_CXX_CONFIGURATIONS = "usr/include"
_C_LIBRARIES = ("usr/lib/picolibc/riscv64-unknown-elf", "usr/local/lib/picolibc/riscv64-unknown-elf")
_SHARED_LIBRARIES = ("usr/lib/*-linux-gnu", "lib/*-linux-gnu")
_PROBE_TIMEOUT_S = 20
# Version macros for the preprocessor to expand.
_VERSIONS = """
#if __has_include(<bits/c++config.h>)
#include <bits/c++config.h>
#endif
__clang_major__ __clang_minor__ __clang_patchlevel__ __GNUC__ __GNUC_MINOR__ __GNUC_PATCHLEVEL__ _GLIBCXX_RELEASE
"""
_MULTILIB = ("-march=rv32im", "-mabi=ilp32")
# Environment variables that change a compilation although the request does not contain them.
_LEAKING_VARIABLES = (
    "COMPILER_PATH",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
    "C_INCLUDE_PATH",
    "DEPENDENCIES_OUTPUT",
    "GCC_EXEC_PREFIX",
    "LIBRARY_PATH",
    "SUNPRO_DEPENDENCIES",
)


@dataclass(frozen=True)
class Toolchain:
    """A compiler with its headers and libraries.

    Attributes:
        compiler: path of the program that compiles and links.
        identity: text that identifies the compiler: the version of the pinned one; path, size and time of any other.
        root: root of the paths of further headers and libraries; for the pinned compiler, its folder.
    """

    compiler: Path
    identity: str
    root: Path = Path("/")

    @property
    def is_pinned(self) -> bool:
        """True for the pinned compiler, which is the same on every machine."""
        return self.root != Path("/")

    def changing(self, files: Iterable[Path]) -> set[Path]:
        """Returns the files that can change under the same compiler: all but those of the pinned toolchain."""
        return {file for file in files if not (self.is_pinned and file.is_relative_to(self.root))}

    @property
    def label(self) -> str:
        """Name and version, such as `gcc-12.2.0`, and the version of the C++ library if different.

        Raises:
            InputError: the compiler cannot be run.
        """
        return _label(self)


def shmem_directory() -> Path:
    """Returns the folder of headers, C library and linker script for OpenSHMEM programs."""
    return target_directory("shmem")


@functools.cache
def _shared_libraries(root: Path) -> tuple[str, ...]:
    """Returns the folders of shared libraries that the pinned programs need."""
    return tuple(str(folder) for pattern in _SHARED_LIBRARIES for folder in sorted(root.glob(pattern)))


def environment(toolchain: Toolchain) -> dict[str, str]:
    """Returns the environment of a compiler: English messages, and no variables that change its input."""
    kept = {name: value for name, value in os.environ.items() if name not in _LEAKING_VARIABLES}
    if toolchain.is_pinned:
        kept["LD_LIBRARY_PATH"] = ":".join(_shared_libraries(toolchain.root))
    return kept | {"LC_ALL": "C", "SOURCE_DATE_EPOCH": "0"}


def compiler_path(name: str | None) -> Path | None:
    """Converts a user's name of a compiler: `system`, a program in PATH, or a path, which becomes absolute."""
    if name is None:
        return None
    return Path(name).absolute() if os.sep in name else Path(name)


def find_toolchain(compiler: Path | None) -> Toolchain:
    """Returns the given compiler, else the one chosen for all kernels, else the pinned one.

    Before the pinned compiler was fetched, returns the system's default compiler.

    Args:
        compiler: a program, `SYSTEM`, or None.

    Raises:
        InputError: no compiler was found.
    """
    compiler = compiler or chosen_compiler()
    if compiler is None and (folder := pinned_toolchain.pinned_folder()) is not None:
        return Toolchain(folder / pinned_toolchain.COMPILER, pinned_toolchain.identity(), folder)
    is_usual = compiler is None or compiler == SYSTEM
    found = shutil.which(SYSTEM_COMPILER if is_usual else str(compiler))
    if found is None and not is_usual:
        raise InputError(f"--cc: {compiler}: expected a compiler for 32-bit RISC-V, found no such program")
    if found is None:
        pinned = "" if compiler == SYSTEM else f"    {pinned_toolchain.FETCH}\nor\n"
        raise InputError(
            f"no compiler for device kernels: {SYSTEM_COMPILER} was not found. Please run:\n"
            f"{pinned}    sudo apt-get install {_PACKAGES}\nor name another one with --cc"
        )
    return installed_toolchain(found)


def installed_toolchain(found: str) -> Toolchain:
    """Returns a compiler that is not pinned, by its path."""
    path = Path(os.path.realpath(found))
    status = path.stat()
    # The name is part of the identity: a program may behave differently under another name.
    return Toolchain(Path(found).absolute(), f"{found} {path} {status.st_size} {status.st_mtime_ns}")


def ask(toolchain: Toolchain, *arguments: str, text: str = "") -> str:
    """Returns the compiler's output for an input text. Raises InputError if the compiler cannot be run or fails."""
    try:
        completed = subprocess.run(  # noqa: S603 - a compiler that the user named, with fixed arguments
            [str(toolchain.compiler), *arguments],
            capture_output=True,
            check=False,
            env=environment(toolchain),
            input=text.encode(),
            timeout=_PROBE_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not answer"
        raise InputError(f"{toolchain.compiler}: cannot be run: {reason}") from None
    if completed.returncode != 0:
        raise InputError(f"{toolchain.compiler}: expected a compiler for 32-bit RISC-V: {' '.join(arguments)} failed")
    return completed.stdout.decode(errors="replace").strip()


@functools.cache
def _label(toolchain: Toolchain) -> str:
    text = ask(toolchain, *_MULTILIB, *include_flags(toolchain), "-E", "-P", "-x", "c++", "-", text=_VERSIONS)
    words = text.splitlines()[-1].split()
    # Clang also defines the macros of GNU C, with a meaningless version.
    name, numbers = ("gcc", words[3:6]) if words[0] == "__clang_major__" else ("clang", words[:3])
    label = f"{name}-{'.'.join(numbers)}"
    library = words[6]
    return label if library in (numbers[0], "_GLIBCXX_RELEASE") else f"{label}+libstdc++-{library}"


@functools.cache
def architecture_flag(toolchain: Toolchain, architecture: str) -> str:
    """Returns the flag that selects an architecture's instructions."""
    if architecture == "wormhole_b0":
        return "-march=rv32im"
    # Older assemblers lack the zaamo extension, which kernels use in assembly only.
    for flag in ("-march=rv32im_zicsr_zaamo_zba_zbb", "-march=rv32im_zicsr_zba_zbb"):
        with contextlib.suppress(InputError):
            ask(toolchain, flag, "-mabi=ilp32", "-c", "-x", "c", "-o", os.devnull, os.devnull)
            return flag
    raise InputError(f"{toolchain.compiler}: expected a compiler for 32-bit RISC-V with zba and zbb, found another one")


@functools.cache
def include_flags(toolchain: Toolchain) -> tuple[str, ...]:
    """Returns the flags for the headers of C and C++; none if the compiler has its own.

    Kernels can use the host's C++ library, since they need headers only.
    """
    search = _search_directories(toolchain)
    if any((directory / "cstdint").is_file() for directory in search):
        return ()
    flags = [*cxx_library_flags(toolchain)]
    # C++ comes first: its headers include those of C by `#include_next`.
    has_c_library = any((directory / "stdlib.h").is_file() for directory in search)
    if not has_c_library and (c_library := _c_library(toolchain)) is not None:
        flags += ["-isystem", str(c_library / "include")]
    return tuple(flags)


@functools.cache
def cxx_library_flags(toolchain: Toolchain, *before: Path) -> tuple[str, ...]:
    """Returns the flags for the headers of a host's C++ library, preceded by the headers that adapt it to a core."""
    directories = [*before, device_directory() / "cxx", *(_cxx_library(toolchain) or ())]
    return ("-nostdinc++", *(flag for directory in directories for flag in ("-isystem", str(directory))))


@functools.cache
def libraries(toolchain: Toolchain) -> tuple[str, ...]:
    """Returns the libraries for operations that the processor lacks: memory copies, 64-bit divisions, floating point.

    The libraries are built for Wormhole's instructions, which Blackhole also has: compilers select libraries by exact
    instruction set, and have none for Blackhole's.
    """
    found = [Path(ask(toolchain, *_MULTILIB, "-print-file-name=libc.a"))]
    if not found[0].is_absolute() and (c_library := _c_library(toolchain)) is not None:
        found[0] = c_library / "lib" / "rv32im" / "ilp32" / "libc.a"
    found.append(Path(ask(toolchain, *_MULTILIB, "-print-libgcc-file-name")))
    return tuple(str(path) for path in found if path.is_file())


def installed_folders(toolchain: Toolchain) -> tuple[Path, ...]:
    """Returns the folders of headers that came with a compiler, or with libraries for it."""
    if toolchain.is_pinned:
        return (toolchain.root,)
    folders = (Path(flag) for flag in include_flags(toolchain) if flag.startswith("/"))
    return tuple(folder for folder in folders if device_directory() not in folder.parents)


def installed_files(toolchain: Toolchain) -> tuple[str, tuple[str, ...]]:
    """Returns the state of all files of a compiler, and their folders.

    Packages install hundreds of files: sizes and times identify them, as they identify the compiler. The pinned
    compiler is identified by its version.
    """
    if toolchain.is_pinned:
        return toolchain.identity, (f"{os.path.realpath(toolchain.root)}/",)
    folders = [*installed_folders(toolchain), *_search_directories(toolchain)]
    files = [Path(library) for library in libraries(toolchain)]
    for program in ("as", "ld", "cc1plus"):
        name = ask(toolchain, f"-print-prog-name={program}")
        files.append(Path(shutil.which(name) or name))
    files += sorted(files[-1].parent.glob("*"))  # other programs of the compiler are in the folder of cc1plus
    places = sorted({Path(os.path.realpath(folder)) for folder in folders})
    files += [path for place in places for path in sorted(place.rglob("*")) if path.is_file()]
    lines = [toolchain.identity, ask(toolchain, "--version"), *map(str, folders)]
    for file in files:
        with contextlib.suppress(OSError):
            status = file.stat()
            lines.append(f"{file} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(lines), tuple(f"{place}/" for place in places)


def line_finder(toolchain: Toolchain) -> Path:
    """Returns the path of addr2line.

    Raises:
        InputError: addr2line was not found.
    """
    return binary_tool(toolchain, "addr2line")


def binary_tool(toolchain: Toolchain, tool: str) -> Path:
    """Returns a program of the compiler's binutils, else of the default binutils.

    Raises:
        InputError: the program was not found.
    """
    name = re.sub(r"(g\+\+|gcc|c\+\+|cc)(-[\d.]+)?$", "", toolchain.compiler.name) + tool
    usual = f"riscv64-unknown-elf-{tool}"
    others = (str(root / "usr" / "bin" / usual) for root in _roots(toolchain))
    for candidate in (str(toolchain.compiler.with_name(name)), name, usual, *others):
        if (found := shutil.which(candidate)) is not None:
            return Path(found)
    raise InputError(
        f"{name} was not found, which belongs to {toolchain.compiler}. Please run:\n"
        f"    sudo apt-get install binutils-riscv64-unknown-elf"
    )


def _search_directories(toolchain: Toolchain) -> list[Path]:
    """Returns the folders that a compiler searches for headers without flags."""
    try:
        completed = subprocess.run(  # noqa: S603 - a compiler that the user named, with fixed arguments
            [str(toolchain.compiler), *_MULTILIB, "-E", "-v", "-x", "c++", "-"],
            capture_output=True,
            check=False,
            env=environment(toolchain),
            stdin=subprocess.DEVNULL,
            timeout=_PROBE_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        reason = getattr(error, "strerror", None) or "it does not answer"
        raise InputError(f"{toolchain.compiler}: cannot be run: {reason}") from None
    if completed.returncode != 0:
        raise InputError(
            f"{toolchain.compiler}: expected a compiler for 32-bit RISC-V, found one that refuses {' '.join(_MULTILIB)}"
        )
    words = completed.stderr.decode(errors="replace")
    listed = words.partition("#include <...> search starts here:")[2].partition("End of search list.")[0]
    return [Path(line.strip()) for line in listed.splitlines() if line.strip()]


def _roots(toolchain: Toolchain) -> Iterator[Path]:
    """Yields the roots of libraries: the compiler's, then the pinned toolchain's."""
    yield toolchain.root
    if not toolchain.is_pinned and (pinned := pinned_toolchain.pinned_folder()) is not None:
        yield pinned


@functools.cache
def _cxx_library(toolchain: Toolchain) -> tuple[Path, ...] | None:
    """Returns the folders of a C++ library: general headers, and headers for the target processor.

    Prefers libraries that are not newer than the compiler, which may not know the keywords of newer ones; then the
    compiler's own root; then the newest version.
    """
    found = [library for root in _roots(toolchain) for library in _cxx_libraries(root)]
    compiler_major = _major_version(ask(toolchain, "-dumpversion")) if found else 0
    not_newer = [library for library in found if _major_version(library[0].name) <= compiler_major]
    return next(iter(not_newer or found), None)


def _cxx_libraries(root: Path) -> Iterator[tuple[Path, ...]]:
    """Yields the folders of complete C++ libraries, the newest first."""
    versions = [path for path in (root / _CXX_LIBRARIES).glob("*") if re.fullmatch(r"[\d.]+", path.name)]
    newest_first = sorted(versions, key=lambda path: [int(part) for part in path.name.split(".") if part], reverse=True)
    for library in newest_first:
        configurations = [
            *(root / _CXX_CONFIGURATIONS).glob(f"*/c++/{library.name}/bits/c++config.h"),
            *library.glob("*/bits/c++config.h"),
        ]
        if configurations and (library / "array").is_file():
            yield library, sorted(configurations)[0].parents[1]


def _major_version(version: str) -> int:
    return int(re.match(r"\d*", version)[0] or 0)  # type: ignore[index]


def _c_library(toolchain: Toolchain) -> Path | None:
    libraries = (root / name for root in _roots(toolchain) for name in _C_LIBRARIES)
    return next((library for library in libraries if (library / "include" / "stdlib.h").is_file()), None)
