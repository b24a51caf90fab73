"""Compiles host programs for the machine that runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling import cache
from nocbench.compiling.compiler_run import macro_flags, read_dependencies
from nocbench.compiling.lookups import lookups_of
from nocbench.compiling.messages import first_error, words_of_failure
from nocbench.compiling.request import read_source
from nocbench.compiling.toolchain import installed_toolchain
from nocbench.host.precompiled import precompiled_for
from nocbench.support.errors import InputError
from nocbench.support.kept_files import digest
from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Symbols of a program are its own, whatever else the process has loaded.
_FLAGS_OF_PROGRAMS = ("-std=c++20", "-fPIC", "-fno-gnu-unique")
_FLAGS = (
    *_FLAGS_OF_PROGRAMS,
    "-O1",
    "-ftree-vectorize",  # programs compute expected values in long loops
    "-w",  # of programs that are right elsewhere
)
_LINK_FLAGS = ("-shared", "-Wl,-Bsymbolic", "-Wl,-z,now")
_LIBRARY = ".so"
_PRECOMPILED = "nocbench_precompiled.h"
_TIMEOUT_S = 600
_SYMBOLS_OF_GTEST = b"_ZN7testing"
"""Begin of the names of Google Test in an object, whichever header of the program includes it."""


@dataclass(frozen=True, slots=True)
class HostRequest:
    """A host program to compile.

    Attributes:
        sources: its files.
        include_directories: folders of headers, before those of nocbench.
        defines: macros.
    """

    sources: tuple[Path, ...]
    include_directories: tuple[Path, ...] = ()
    defines: Mapping[str, str | None] = field(default_factory=dict)


class HostCompileError(InputError):
    """A host program does not compile.

    Attributes:
        compiler_messages: all messages of the compiler.
    """

    def __init__(self, message: str, compiler_messages: str) -> None:
        """Stores the line to show and all messages of the compiler."""
        super().__init__(message)
        self.compiler_messages = compiler_messages


def headers_directory() -> Path:
    """Returns the folder with the headers of host programs."""
    packaged = PACKAGE / "host_include"
    return packaged if packaged.is_dir() else PACKAGE.parents[1] / "kernels" / "host" / "include"


def _header_directories() -> list[Path]:
    """Returns the folders that include names of host programs begin at, with and without tt_metal/."""
    return [headers_directory(), headers_directory() / "tt_metal"]


def flags() -> list[str]:
    """Returns the flags of the C++ compiler for sources of host programs that others compile."""
    return [*_FLAGS_OF_PROGRAMS, *(f"-I{folder}" for folder in _header_directories())]


def build(request: HostRequest, unusable: list[HostCompileError] | None = None) -> bytes:
    """Returns a program as a shared library; each source is compiled once, until it or a header of it changes.

    A program that is a shared library already is returned as it is.

    Args:
        request: the program.
        unusable: gets the errors of sources that do not compile, which are then left out; None: the first is raised.

    Raises:
        HostCompileError: a source does not compile.
        InputError: no compiler, or a source that cannot be read.
    """
    if [source.suffix for source in request.sources] == [_LIBRARY]:
        return read_source(request.sources[0])
    compiler = _compiler()
    with tempfile.TemporaryDirectory(prefix="nocbench-host-") as folder:
        place = Path(folder)
        texts = [read_source(source) for source in request.sources]

        def compile_one(number: int) -> Path | HostCompileError:
            made = place / f"{number}.o"
            try:
                made.write_bytes(_object_of(request, request.sources[number], texts[number], compiler, made))
            except HostCompileError as error:
                return error
            return made

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            made = list(pool.map(compile_one, range(len(texts))))
        objects = [one for one in made if isinstance(one, Path)]
        errors = [one for one in made if isinstance(one, HostCompileError)]
        if unusable is not None and objects:
            unusable += errors
        elif errors:
            raise errors[0]
        library = place / "program.so"
        uses_gtest = any(_SYMBOLS_OF_GTEST in one.read_bytes() for one in objects)
        libraries = ("-lgtest", "-lgtest_main", "-Wl,-u,main") if uses_gtest else ()
        _run([*compiler, *_LINK_FLAGS, *map(str, objects), *libraries, "-o", str(library)], request.sources[0])
        return library.read_bytes()


def _compiler() -> tuple[str, ...]:
    """Returns the command of the compiler, with its path. Raises InputError if there is none."""
    words = os.environ.get("CXX", "").split() or ["c++"]
    path = shutil.which(words[0])
    if path is None:
        raise InputError(f"{words[0]}: a host program needs a C++ compiler (sudo apt-get install g++), or one in $CXX")
    return (path, *words[1:])


def _object_of(request: HostRequest, source: Path, text: bytes, compiler: Sequence[str], made: Path) -> bytes:
    folders = [*request.include_directories, *_header_directories(), source.parent]
    examples = Path("tt_metal") / "programming_examples"
    theirs = (Path("tests"), examples, examples / "matmul_common", Path())  # as tt-metal's own build has them
    folders += [root / folder for root in checkouts_above(source) for folder in theirs]
    flags = [*_FLAGS, *macro_flags(request.defines), *(f"-I{folder.absolute()}" for folder in folders)]
    identity = installed_toolchain(compiler[0]).identity
    key = digest("\0".join([identity, *compiler[1:], *flags, str(source.absolute()), digest(text)]).encode())
    kept = cache.load(key)
    if kept is not None:
        return kept[1]
    dependencies, place = made.with_suffix(".d"), made.with_suffix(".headers")
    precompiled = precompiled_for(text, compiler, _flags_of_headers(), request.include_directories)
    if precompiled is not None:
        precompiled.put_into(place, _PRECOMPILED)
        (place / _PRECOMPILED).touch()  # read instead if the macros of the program do not match
        flags += [f"-I{place}", "-include", _PRECOMPILED]
    _run([*compiler, *flags, "-MD", "-MF", str(dependencies), "-c", str(source.absolute()), "-o", str(made)], source)
    read = {path for path in read_dependencies(dependencies, Path.cwd()) if not path.is_relative_to(place)}
    read |= set(precompiled.dependencies if precompiled else ())
    installed = [Path("/usr"), *_folders_of_compiler(read)]
    changing = sorted(path for path in read if not any(path.is_relative_to(one) for one in installed))
    lookups = lookups_of({*read, source.absolute()}, [f.absolute() for f in folders], headers_directory(), installed)
    cache.store(key, {}, changing, lookups, made.read_bytes())
    return made.read_bytes()


def precompile() -> None:
    """Compiles the headers of programs without tests, which a first program needs, if possible."""
    precompiled_for(b"tt-metalium", _compiler(), _flags_of_headers(), ())


def _flags_of_headers() -> list[str]:
    return [*_FLAGS, *(flag for folder in _header_directories() for flag in ("-I", str(folder)))]


def checkouts_above(file: Path) -> list[Path]:
    """Returns the checkouts of tt-metal that a file lies in, from whose folders programs and kernels name headers."""
    return [folder for folder in file.absolute().parents if (folder / "tt_metal").is_dir()]


def _folders_of_compiler(read: set[Path]) -> list[Path]:
    """Returns the folders of headers that came with a compiler outside of /usr."""
    return [path.parent for path in read if path.name == "stddef.h"]


def _run(command: Sequence[str], source: Path) -> None:
    try:
        done = subprocess.run(  # noqa: S603 - compiler and arguments come from the user
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_TIMEOUT_S,
            env=os.environ | {"LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired:
        raise HostCompileError(f"{source}: the compiler did not end within {_TIMEOUT_S} s", "") from None
    if done.returncode != 0:
        reason = first_error(done.stderr, str(headers_directory())) or words_of_failure(done.stderr)
        raise HostCompileError(_in_words(reason, source), done.stderr)


_OTHER_LIBRARIES = (
    ("gtest/", "Google Test is not installed (sudo apt-get install libgtest-dev)"),
    ("magic_enum", "magic_enum is not installed: expected -I with the folder of magic_enum.hpp"),
)
_MISSING_HEADER = re.compile(r"^(?P<place>.*?): (?P<header>[^:]+): No such file or directory(?: \(.*\))?$")


def _in_words(reason: str, source: Path) -> str:
    missing = _MISSING_HEADER.match(reason)
    for begin, advice in _OTHER_LIBRARIES:
        if missing is not None and missing["header"].startswith(begin):
            return f"{missing['place']}: {advice}"
    if missing is not None:
        return f"{missing['place']}: nocbench has no header {missing['header']} for host programs"
    return reason if str(source) in reason or ":" in reason else f"{source}: {reason}"
