"""Precompiled headers, which all kernels or host programs include.

Compiling the headers takes ten times as long as compiling a kernel. Precompiled headers are kept beside compiled
kernels. They save time only: if one does not match a source's macros, the compiler reads the headers instead.
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling import cache
from nocbench.compiling.compiler_run import read_dependencies, run_compiler
from nocbench.compiling.lookups import Lookups, names_below
from nocbench.compiling.messages import KernelCompileError
from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError
from nocbench.support.kept_files import KeptFiles, digest, digest_of_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.compiling.toolchain import Toolchain

LIBRARY = "nocbench/library.h"
"""Name in `#include` of the headers of the C++ library that all kernels include."""
BYTES_MAX = 2**30
"""Maximum size of all precompiled headers, in bytes."""

_lock = threading.Lock()


@dataclass(frozen=True)
class PrecompiledHeader:
    """A precompiled header.

    Attributes:
        file: path for the compiler.
        dependencies: all headers that it contains.
    """

    file: Path
    dependencies: tuple[Path, ...]

    def put_into(self, place: Path, name: str) -> None:
        """Links the precompiled header into a folder, where a compiler that searches it includes it by the name."""
        link = place / f"{name}.gch"
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(self.file)


def precompiled_header(
    toolchain: Toolchain, flags: Sequence[str], include_directories: Iterable[Path], name: str = LIBRARY
) -> PrecompiledHeader | None:
    """Returns the precompiled header; None if compiling fails, or a source would include other headers.

    Args:
        toolchain: toolchain that writes and reads the precompiled header.
        flags: flags of all sources, without a source's macros and folders of headers.
        include_directories: folders of headers of a source, searched first.
        name: name of the header in `#include`.
    """
    with _lock:  # one thread compiles the header, and other threads wait
        header = _kept(toolchain, flags, name) or _made(toolchain, flags, name)
    if header is None or _are_shadowed(header.dependencies, flags, include_directories):
        return None
    return header


def _headers() -> KeptFiles:
    """Returns the cache of precompiled headers."""
    return KeptFiles("gch", 1, BYTES_MAX)


def _facts() -> KeptFiles:
    """Returns the cache of the facts about precompiled headers: their sizes and inputs."""
    return KeptFiles("header", 1, 2**20)


def _key(toolchain: Toolchain, flags: Sequence[str], name: str) -> str:
    return digest_of_parts("precompiled header 2", toolchain.identity, name, *flags)


def _kept(toolchain: Toolchain, flags: Sequence[str], name: str) -> PrecompiledHeader | None:
    key = _key(toolchain, flags, name)
    kept = _facts().load(key)
    if kept is None:
        return None
    facts, _ = kept
    file = _headers().path(key)
    try:
        if file.stat().st_size != facts["size"] or not cache.are_unchanged(facts["dependencies"]):
            return None
        header = PrecompiledHeader(file, tuple(map(Path, facts["headers"])))
    except (OSError, KeyError, TypeError, ValueError):
        return None
    for files in (_headers(), _facts()):
        files.mark_used(key)
    return header


def _made(toolchain: Toolchain, flags: Sequence[str], name: str) -> PrecompiledHeader | None:
    key = _key(toolchain, flags, name)
    try:
        file = _headers().path(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(prefix="nocbench-header-") as temporary,
            atomic_path(file, synchronize=False) as made,
        ):
            place = Path(temporary)
            # Compile an empty file that includes the header: the compiler warns of `#pragma once` in a main file.
            arguments = [*flags, "-include", name, "-MD", "-MF", "dependencies"]
            arguments += ["-x", "c++-header", os.devnull, "-o", str(made)]
            fine, messages = run_compiler(toolchain, arguments, name, place, place)
            if not fine:
                raise KernelCompileError(f"{name}: does not compile", messages)  # nothing is kept
            headers = sorted(read_dependencies(place / "dependencies", place) - {Path(os.devnull)})
            digests = [(str(path), digest(path.read_bytes())) for path in toolchain.changing(headers)]
            size = made.stat().st_size
    except (OSError, RuntimeError, InputError):  # RuntimeError: no home directory
        return None
    facts = {"size": size, "headers": list(map(str, headers)), "dependencies": digests}
    _facts().store(key, facts)
    for files in (_headers(), _facts()):
        files.shrink()
    return PrecompiledHeader(file, tuple(headers))


def _are_shadowed(dependencies: Sequence[Path], flags: Sequence[str], include_directories: Iterable[Path]) -> bool:
    """Returns True if a source would find other headers with these names in its own folders."""
    names = {path.name for path in dependencies}  # names by which the compiler's own headers are included
    names |= names_below((Path(flag) for flag in flags if flag.startswith("/")), dependencies)
    return bool(Lookups(tuple(map(str, include_directories)), tuple(names)).found())
