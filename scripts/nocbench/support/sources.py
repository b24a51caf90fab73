"""The files of a checkout on which results depend, tracked or not, and their content without comments.

As a program, ``python sources.py CHECKOUT HEADER`` writes the header with the fingerprint of the extension module's
sources. This module imports no other module of the package.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROOMS_WITHOUT_PART = {"bin", "build", "benchmarks", "docs", "plots", "scripts", "tests"}
_SOURCE = re.compile(r"(.*/)?((?!test_)[^/]+\.(cpp|h|inl|cmake)|CMakeLists\.txt)")
_CONSTANTS = re.compile(r"device_model/archs/[^/]+\.yaml")
_DEVICE_HEADERS = re.compile(r"kernels/device/.+")
_SUITE_KERNEL = re.compile(r"([^/]+(/[^/]+)?/kernels|kernels/frame)/device/.+")
_MODULE = re.compile(r"scripts/nocbench/(.*/)?[^/]+\.(py|json)")
_WITH_COMMENTS_OF_C = (".c", ".cc", ".cpp", ".h", ".hpp", ".inl")

_COMMENT = rb"//(?:\\\r?\n|[^\n])*|/\*.*?\*/"
_PIECE = re.compile(
    rb'(?P<kept>\b(?:u8|[uUL])?R"(?P<end>[^()\\\s]{0,16})\(.*?\)(?P=end)"'  # raw strings
    rb'|"(?:\\.|[^"\\\n])*"|\b\d(?:\'?\w|\.)*|\'(?:\\.|[^\'\\\n])*\''  # strings, numbers, characters
    rb"|\#[ \t]*include[ \t]*<[^>\n]*>|\\\r?\n)"  # includes, whose // begins no comment, and continued lines
    rb"|(?P<blank>(?:\s|" + _COMMENT + rb")+)",
    re.DOTALL,
)
_COMMENT_ALONE = re.compile(_COMMENT, re.DOTALL)


def is_source(name: str) -> bool:
    """Returns True if the extension module is compiled from a file, given by its path in the repository."""
    room, slash, _ = name.partition("/")
    if not slash:
        return name == "CMakeLists.txt"
    return room not in _ROOMS_WITHOUT_PART and not room.startswith(".") and _SOURCE.fullmatch(name) is not None


def takes_part(name: str) -> bool:
    """Returns True if results may depend on a file: a source, constants, a device kernel or header, or a module.

    A JSON file beside the modules pins the default compiler.
    """
    others = (_CONSTANTS, _DEVICE_HEADERS, _SUITE_KERNEL, _MODULE)
    return is_source(name) or any(kind.fullmatch(name) is not None for kind in others)


def is_suite_kernel(name: str) -> bool:
    """Returns True for files of the suite's own device kernels, by path in the repository."""
    return _SUITE_KERNEL.fullmatch(name) is not None


def without_comments(name: str, content: bytes) -> bytes:
    """Returns C and C++ without comments, empty lines and indentation, and other files unchanged.

    Line numbers are lost; nocbench's sources use them only in messages and for names of variables.
    """
    if not name.endswith(_WITH_COMMENTS_OF_C):
        return content
    return _PIECE.sub(_shortened, content).strip()


def _shortened(piece: re.Match[bytes]) -> bytes:
    if piece["kept"] is not None:
        return piece["kept"]
    return b"\n" if b"\n" in _COMMENT_ALONE.sub(b" ", piece["blank"]) else b" "


def fingerprint(contents: Mapping[str, bytes]) -> str:
    """Returns a hash of sources without comments, given by path in the repository."""
    hashes = {name: hashlib.sha256(without_comments(name, content)).hexdigest() for name, content in contents.items()}
    return hashlib.sha256("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)).encode()).hexdigest()


def _sources_in(checkout: Path) -> dict[str, bytes]:
    found = {}
    for directory, folders, files in os.walk(checkout):
        place = os.path.relpath(directory, checkout)
        if place == ".":  # skip folders without sources
            folders[:] = [room for room in folders if room not in _ROOMS_WITHOUT_PART and not room.startswith(".")]
        for file in files:
            name = os.path.normpath(f"{place}/{file}")
            if is_source(name):
                found[name] = (checkout / name).read_bytes()
    return found


def _write_header(checkout: Path, header: Path) -> None:
    """Writes the header with the fingerprint. An unchanged header keeps its time, so that nothing is compiled again."""
    text = f'#pragma once\n#define NOCBENCH_SOURCE_FINGERPRINT "{fingerprint(_sources_in(checkout))}"\n'
    if not header.is_file() or header.read_text(encoding="utf-8") != text:
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    _write_header(Path(sys.argv[1]), Path(sys.argv[2]))
