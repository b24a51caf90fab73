"""What was computed, kept in files of the user's own, so that it is not computed twice.

Each is a file whose name is a hash of all that it was made of. Whatever is not whole, or cannot be read, is not there.
Several processes may read, write and remove at the same time: files appear whole or not at all.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import struct
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError

_SHRINK_TO = 0.8
_BLOCK_BYTES = 512  # of stat(2), whatever the file system has
_LENGTH = struct.Struct("<I")
_ABANDONED_SECONDS = 3600.0


def digest(content: bytes) -> str:
    """A short text that only this content has."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def digest_of_parts(*parts: str) -> str:
    """A short text that only these parts have, in this order."""
    return digest(json.dumps(parts).encode())


def cache_directory() -> Path:
    """$NOCBENCH_CACHE, or the user's folder for such things. Raises RuntimeError if nobody's home is known."""
    if named := os.environ.get("NOCBENCH_CACHE"):
        return Path(named)
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "nocbench"


@dataclass(frozen=True)
class KeptFiles:
    """Files of one kind.

    Attributes:
        kind: names their folder and their ending.
        version: of what is in them.
        bytes_max: the size that all have together on disk at most, once :meth:`shrink` has seen them.
    """

    kind: str
    version: int
    bytes_max: int

    @functools.cached_property
    def directory(self) -> Path:
        """Where they are."""
        return cache_directory() / f"{self.kind}s"

    def load(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is kept under a key, facts and content, or None. Whoever takes it says so with :meth:`mark_used`."""
        try:
            kept = self.path(key).read_bytes()
            magic = self._magic()
            if not kept.startswith(magic):
                return None
            checksum, _, body = kept[len(magic) :].partition(b"\n")
            if checksum != digest(body).encode():
                return None
            (length,) = _LENGTH.unpack_from(body)
            facts = json.loads(body[_LENGTH.size : _LENGTH.size + length])
        except (OSError, RuntimeError, ValueError, struct.error):  # RuntimeError: nobody's home is known
            return None
        return facts, body[_LENGTH.size + length :]

    def mark_used(self, key: str) -> None:
        """Notes that what is kept under a key was of use just now."""
        with contextlib.suppress(OSError, RuntimeError):
            os.utime(self.path(key))

    def store(self, key: str, facts: dict[str, Any], content: bytes = b"") -> None:
        """Keeps facts and content. That nothing can be kept there is no error: it is made again next time."""
        text = json.dumps(facts, separators=(",", ":")).encode()
        body = _LENGTH.pack(len(text)) + text + content
        with contextlib.suppress(OSError, RuntimeError, InputError):
            self.directory.mkdir(parents=True, exist_ok=True)
            with atomic_path(self.path(key), synchronize=False) as temporary:
                temporary.write_bytes(self._magic() + digest(body).encode() + b"\n" + body)

    def shrink(self) -> None:
        """Removes what was not used for longest, if all together is too much. Others may do so at the same time."""
        files = []
        with contextlib.suppress(OSError, RuntimeError):
            for entry in os.scandir(self.directory):
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    size = max(status.st_size, status.st_blocks * _BLOCK_BYTES)
                    if entry.name.endswith(f".{self.kind}"):
                        files.append((status.st_mtime_ns, size, entry.path))
                    elif status.st_mtime < time.time() - _ABANDONED_SECONDS:  # by a process that was killed
                        Path(entry.path).unlink()
        total = sum(size for _, size, _ in files)
        if total <= self.bytes_max:
            return
        for _, size, name in sorted(files):
            with contextlib.suppress(OSError):
                Path(name).unlink()
            total -= size
            if total <= self.bytes_max * _SHRINK_TO:
                return

    def path(self, key: str) -> Path:
        """The file of what is kept under a key."""
        return self.directory / f"{key}.{self.kind}"

    def _magic(self) -> bytes:
        return f"nocbench {self.kind} {self.version}\n".encode()
