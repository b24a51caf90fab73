"""Traces of the worst points, which the HTML report embeds or links."""

from __future__ import annotations

import base64
import gzip
import json
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.support.atomic_files import atomic_path, make_directory
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_bytes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAX_CARRIED_BYTES = 3_000_000
"""Maximum size of all embedded traces in bytes, before base64 adds a third. Further traces are linked."""

_MAX_HEAD_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace file, for a report.

    Attributes:
        name: name of the file.
        link: path of the file relative to the report; empty if it cannot be linked.
        about: point of the trace, as written by `nocbench trace`; empty if the file does not name it.
        content: content of the file in base64; empty if the report only links the file.
    """

    name: str
    link: str
    about: Mapping[str, str] = field(default_factory=dict)
    content: str = ""


def copy_traces(source: Path, target: Path) -> None:
    """Copies traces to another directory, unless both are equal."""
    if source.resolve() == target.resolve() or not source.is_dir():
        return
    make_directory(target)
    for file in sorted(source.glob("*.json.gz")):
        with atomic_path(target / file.name) as temporary:
            shutil.copyfile(file, temporary)


def read_traces(directory: Path, *, beside: Path) -> list[Trace]:
    """Returns the traces `*.json.gz` in a directory, sorted by name; none if the directory does not exist.

    Args:
        directory: folder with the traces.
        beside: folder of the report, for links.

    Raises:
        InputError: a trace cannot be read.
    """
    traces: list[Trace] = []
    room_bytes = MAX_CARRIED_BYTES
    for path in sorted(directory.glob("*.json.gz")):
        link = path.relative_to(beside).as_posix() if path.is_relative_to(beside) else ""
        try:
            content = read_bytes(path)
            about = _about(path)
        except (OSError, EOFError) as error:
            raise InputError(f"{path}: is not a compressed trace: {error}") from None
        is_carried = len(content) <= room_bytes
        room_bytes -= len(content) if is_carried else 0
        traces.append(Trace(path.name, link, about, base64.b64encode(content).decode() if is_carried else ""))
    return traces


def _about(path: Path) -> dict[str, str]:
    """Returns the description of the point in a trace. Reads only the beginning, since traces are large."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        head = file.read(_MAX_HEAD_CHARACTERS)
    _, _, after = head.partition('"otherData": ')
    try:
        document, _ = json.JSONDecoder().raw_decode(after)
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in document.items()} if isinstance(document, dict) else {}
