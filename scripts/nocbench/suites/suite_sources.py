"""The files on which the results of a suite depend, and a digest of their contents."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
from typing import TYPE_CHECKING, Any

from nocbench.host.running import places_of_kernels
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from nocbench.points.yaml_files import Node
    from nocbench.programs.program import ProgramDescription

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>|(\w))', re.MULTILINE)
_KERNEL = re.compile(rb'"([^"\n]+\.(?:cpp|cc|c))"')
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inc", ".inl")


def files_of(program: ProgramDescription, file: Path, root: Node) -> set[Path]:
    """Returns the sources of a program: file, data, kernels, and headers that these include.

    Finds headers by `#include` lines, without regard to conditions around them. If the name is a macro, counts all
    headers in the kernel's folder and in the program's folders of headers.
    """
    folders = program.options.include_directories
    reached = {normal(file), *(normal(file.parent / name) for name in _data_files(root))}
    images = [kernel for kernel in program.kernels if kernel.image is not None]
    reached |= {normal(kernel.source) for kernel in images}  # an image includes no headers
    reached |= {normal(kernel.image.firmware) for kernel in images if kernel.image and kernel.image.firmware}
    _add_reached(reached, [normal(kernel.source) for kernel in program.kernels if kernel.image is None], folders)
    return reached


def files_of_host_program(sources: Sequence[Path]) -> set[Path]:
    """Returns the sources of a host program, the kernels that they name as literals, and headers that these include."""
    reached: set[Path] = set()
    _add_reached(reached, [normal(source) for source in sources], ())
    places = places_of_kernels(sources[0])
    named = {name.decode(errors="surrogateescape") for file in reached for name in _KERNEL.findall(_read(file))}
    kernels = (next((place / name for place in places if (place / name).is_file()), None) for name in sorted(named))
    _add_reached(reached, [normal(kernel) for kernel in kernels if kernel is not None], ())
    return reached


def _add_reached(reached: set[Path], left: list[Path], folders: Collection[Path]) -> None:
    while left:
        source = left.pop()
        if source not in reached:
            reached.add(source)
            left += [normal(header) for header in _headers_of(source, folders)]


def digest_of(files: Iterable[Path], directory: Path, more: object = None) -> str:
    """Returns a digest of the contents of files, by path relative to `directory`, and of `more`."""
    digest = hashlib.sha256(json.dumps(more).encode())
    for name, path in sorted((os.path.relpath(path, directory), path) for path in files):
        contents = _read(path)
        digest.update(f"{name} {len(contents)} ".encode() + contents)
    return digest.hexdigest()[:16]


@functools.cache
def tree_digest(tree: Path) -> str:
    """Returns a digest of all headers in a tree of tt-metal. Cached, since there are thousands."""
    headers = (path for path in (tree / "tt_metal").rglob("*") if path.suffix in _HEADERS and path.is_file())
    return digest_of(headers, tree)


def plain(node: Node) -> Any:  # noqa: ANN401 - any JSON value
    """Returns the content of a node, without its place in the file."""
    if node["kind"] == "mapping":
        return [[plain(name), plain(value)] for name, value in node["value"]]
    if node["kind"] == "list":
        return [plain(item) for item in node["value"]]
    return node.get("value")


def _headers_of(source: Path, folders: Iterable[Path]) -> Iterator[Path]:
    folders = list(folders)
    for quoted, in_brackets, macro in _INCLUDE.findall(_read(source)):
        if macro:
            for folder in (source.parent, *folders):
                yield from (path for path in folder.rglob("*") if path.suffix in _HEADERS)
            continue
        name = (quoted or in_brackets).decode(errors="surrogateescape")
        for folder in (*([source.parent] if quoted else ()), *folders):
            if (folder / name).is_file():
                yield folder / name
                break


def _data_files(node: Node) -> Iterator[str]:
    """Yields the values of all `from_file` keys below a node."""
    if node["kind"] == "mapping":
        for name, value in node["value"]:
            if name.get("value") == "from_file" and value["kind"] == "text":
                yield str(value["value"]).strip()
            yield from _data_files(value)
    elif node["kind"] == "list":
        for item in node["value"]:
            yield from _data_files(item)


def normal(path: Path) -> Path:
    """Returns the absolute path without "..", with links unresolved."""
    return type(path)(os.path.normpath(os.path.abspath(path)))  # noqa: PTH100 - links stay unresolved


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
