"""Precompiled headers of the host API: reading the headers takes longer than compiling most host programs."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.compiling.precompiled_header import precompiled_header
from nocbench.compiling.toolchain import installed_toolchain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.compiling.precompiled_header import PrecompiledHeader

_ALL = "nocbench/host/host_programs.h"
_WITH_TESTS = "nocbench/host/fixtures.h"
_NAMES_API = re.compile(rb"tt-metalium|tt_metal|_fixture\.hpp")
"""Parts of the names of headers that include the whole API."""
_NAMES_TESTS = re.compile(rb"gtest|_fixture\.hpp")
_GCC = re.compile(r"\bg\+\+(-[\d.]+)?$")
"""End of the names of compilers that read other headers instead of a precompiled one that does not match."""


def precompiled_for(
    text: bytes, compiler: Sequence[str], flags: Sequence[str], include_directories: Sequence[Path]
) -> PrecompiledHeader | None:
    """Returns the precompiled headers for a source of a host program; None if it is better off without.

    Args:
        text: the source.
        compiler: command of the compiler, with its path.
        flags: flags of all programs, with the folders of nocbench's headers, each in an argument after `-I`.
        include_directories: folders of headers that are searched before those.
    """
    if not _GCC.search(Path(compiler[0]).resolve().name) or not _NAMES_API.search(text):
        return None
    name = _WITH_TESTS if _NAMES_TESTS.search(text) else _ALL
    searched = os.environ.get("CPATH")
    before = [*include_directories, *map(Path, searched.split(os.pathsep) if searched else ())]
    return precompiled_header(installed_toolchain(compiler[0]), [*compiler[1:], *flags], before, name)
