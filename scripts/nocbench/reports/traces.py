"""Traces of the worst points, which the HTML report carries or links to."""

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
"""Of all traces together in one report; base64 makes a third more of them. Those that come after are linked to."""

_MAX_HEAD_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace file, for a report.

    Attributes:
        name: of the file.
        link: the file as seen from the report; empty if it cannot be linked to.
        about: which point it is of, as `nocbench trace` wrote it; empty if the file does not say.
        content: the file itself in base64, or empty where it is only linked to.
    """

    name: str
    link: str
    about: Mapping[str, str] = field(default_factory=dict)
    content: str = ""


def copy_traces(source: Path, target: Path) -> None:
    """Copies traces to another directory, if that is another one."""
    if source.resolve() == target.resolve() or not source.is_dir():
        return
    make_directory(target)
    for file in sorted(source.glob("*.json.gz")):
        with atomic_path(target / file.name) as temporary:
            shutil.copyfile(file, temporary)


def read_traces(directory: Path, *, beside: Path) -> list[Trace]:
    """Reads the traces `*.json.gz` of a directory, by name; none if there is no such directory.

    Args:
        directory: with the traces.
        beside: where the report will be, for links.

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
    """What the head of a trace says of its point: traces are large, and the rest of it is not read."""
    with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
        head = file.read(_MAX_HEAD_CHARACTERS)
    _, _, after = head.partition('"otherData": ')
    try:
        document, _ = json.JSONDecoder().raw_decode(after)
    except ValueError:
        return {}
    return {str(key): str(value) for key, value in document.items()} if isinstance(document, dict) else {}
