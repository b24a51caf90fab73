"""Traces of the worst points, embedded in the HTML report or linked from it."""

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
"""Most bytes of all embedded traces; base64 adds a third. Further ones are linked."""

_MAX_HEAD_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace file, for a report.

    Attributes:
        name: name of the file.
        link: the file relative to the report; empty if it cannot be linked.
        about: its point, as written by `nocbench trace`; empty if the file does not name it.
        content: the file in base64; empty if it is only linked.
    """

    name: str
    link: str
    about: Mapping[str, str] = field(default_factory=dict)
    content: str = ""


def copy_traces(source: Path, target: Path) -> None:
    """Copies traces to another directory; does nothing if it is the same one."""
    if source.resolve() == target.resolve() or not source.is_dir():
        return
    make_directory(target)
    for file in sorted(source.glob("*.json.gz")):
        with atomic_path(target / file.name) as temporary:
            shutil.copyfile(file, temporary)


def read_traces(directory: Path, *, beside: Path) -> list[Trace]:
    """Reads the traces `*.json.gz` of a directory, by name; none if there is no such directory.

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
    """Reads the description of the point from the head of a trace, since traces are large."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        head = file.read(_MAX_HEAD_CHARACTERS)
    _, _, after = head.partition('"otherData": ')
    try:
        document, _ = json.JSONDecoder().raw_decode(after)
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in document.items()} if isinstance(document, dict) else {}
