"""Compiled kernels, kept by what they were made of.

Each is a file whose name is a hash of the request, of the source and of the compiler. In it stand the headers that were
read with a hash of each: it counts only while all of them are as they were.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

BYTES_MAX = 256 * 2**20
"""The size that all kept kernels have together at most; those that were not used for longest go first."""
_SHRINK_TO = 0.8
_MAGIC = b"nocbench kernel 1\n"
_LENGTH = struct.Struct("<I")
_SUFFIX = ".kernel"


def cache_directory() -> Path:
    """Where compiled kernels are kept: in $NOCBENCH_CACHE, or in the user's folder for such things."""
    if named := os.environ.get("NOCBENCH_CACHE"):
        return Path(named) / "kernels"
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "nocbench" / "kernels"


def digest(content: bytes) -> str:
    """A short text that only this content has."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """What is kept under a key, if all that it was made of is as it was: facts and image. None if there is nothing."""
    path = cache_directory() / f"{key}{_SUFFIX}"
    try:
        content = path.read_bytes()
        if not content.startswith(_MAGIC):
            return None
        begin = len(_MAGIC) + _LENGTH.size
        (length,) = _LENGTH.unpack_from(content, len(_MAGIC))
        facts = json.loads(content[begin : begin + length])
        if digest(content[begin + length :]) != facts["image"]:
            return None
        for name, expected in facts["dependencies"]:
            if digest(Path(name).read_bytes()) != expected:
                return None
    except (OSError, ValueError, KeyError, TypeError, struct.error):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used just now
    return facts, content[begin + length :]


def store(key: str, facts: dict[str, Any], dependencies: Iterable[Path], image: bytes) -> None:
    """Keeps facts and an image under a key. That nothing can be kept there is no error: it is made again next time."""
    try:
        hashes = [(str(path), digest(path.read_bytes())) for path in dependencies]
        text = json.dumps(facts | {"dependencies": hashes, "image": digest(image)}, separators=(",", ":")).encode()
        directory = cache_directory()
        directory.mkdir(parents=True, exist_ok=True)
        with atomic_path(directory / f"{key}{_SUFFIX}", synchronize=False) as temporary:
            temporary.write_bytes(_MAGIC + _LENGTH.pack(len(text)) + text + image)
        _shrink(directory, BYTES_MAX)
    except (OSError, InputError):
        return


def _shrink(directory: Path, bytes_max: int) -> None:
    """Removes what was not used for longest, if all together is too much. Others may do the same at the same time."""
    files = []
    for entry in os.scandir(directory):
        if entry.name.endswith(_SUFFIX):
            with contextlib.suppress(OSError):
                status = entry.stat()
                files.append((status.st_mtime_ns, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    if total <= bytes_max:
        return
    for _, size, name in sorted(files):
        with contextlib.suppress(OSError):
            Path(name).unlink()
        total -= size
        if total <= bytes_max * _SHRINK_TO:
            return
