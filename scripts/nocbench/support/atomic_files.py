"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Gives a path in the same directory to write to; renames it to `path` at the end, or deletes it after an error.

    Devices and pipes are written directly.

    Raises:
        InputError: the file cannot be written: no such directory, no permission, disk full.
    """
    target = Path(os.path.realpath(path))  # a symbolic link stays one
    if target.exists() and not target.is_file() and not target.is_dir():
        yield target
        return
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        try:
            temporary.write_bytes(b"")
            yield temporary
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_text(path: Path, text: str) -> None:
    """Writes a text file, UTF-8 with Unix line ends."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.encode())


def make_directory(path: Path) -> None:
    """Makes a directory and those above it, where missing. Raises InputError if that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{path}: cannot be made: {error.strerror}") from None
