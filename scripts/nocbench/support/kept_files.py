"""A cache of computed results, in files of the user.

A file's name is a hash of all inputs of its content. Damaged and unreadable files count as missing. Several processes
may read, write and remove files simultaneously, since files appear only when complete.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import logging
import os
import struct
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError

_SHRINK_TO = 0.8
SHRINK_EVERY = 1000
"""Average number of stores between looks at all files, which take longer than many stores."""
_BLOCK_BYTES = 512  # unit of st_blocks in stat(2), on all file systems
_LENGTH = struct.Struct("<I")
_ABANDONED_SECONDS = 3600.0


def digest(content: bytes) -> str:
    """Returns a hash of bytes."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def digest_of_parts(*parts: str) -> str:
    """Returns a hash of texts, which depends on their order."""
    return digest(json.dumps(parts).encode())


def cache_directory() -> Path:
    """Returns $NOCBENCH_CACHE, else the user's folder for caches. Raises RuntimeError without a home directory."""
    if named := os.environ.get("NOCBENCH_CACHE"):
        return Path(named)
    users = os.environ.get("XDG_CACHE_HOME")
    return (Path(users) if users else Path.home() / ".cache") / "nocbench"


@dataclass(frozen=True)
class KeptFiles:
    """Cached files of one kind.

    Attributes:
        kind: name of the folder and of the file ending.
        version: version of the format.
        bytes_max: size of all files on disk that :meth:`shrink` enforces.
    """

    kind: str
    version: int
    bytes_max: int

    @functools.cached_property
    def directory(self) -> Path:
        """Folder of the files."""
        return cache_directory() / f"{self.kind}s"

    def load(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """Returns facts and content kept under a key, or None. Callers that use them also call :meth:`mark_used`."""
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
            logging.getLogger(__name__).info("taken: %s", self.path(key))
        except (OSError, RuntimeError, ValueError, struct.error):  # RuntimeError: no home directory
            return None
        return facts, body[_LENGTH.size + length :]

    def take(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """Returns facts and content kept under a key, and marks them as used; None if there are none."""
        found = self.load(key)
        if found is not None:
            self.mark_used(key)
        return found

    def mark_used(self, key: str) -> None:
        """Marks the file of a key as used just now."""
        with contextlib.suppress(OSError, RuntimeError):
            os.utime(self.path(key))

    def store(self, key: str, facts: dict[str, Any], content: bytes = b"") -> None:
        """Keeps facts and content under a key. Ignores failures: the next run computes them again.

        Now and then removes files; see :meth:`shrink`.
        """
        text = json.dumps(facts, separators=(",", ":")).encode()
        body = _LENGTH.pack(len(text)) + text + content
        with contextlib.suppress(OSError, RuntimeError, InputError):
            self.directory.mkdir(parents=True, exist_ok=True)
            with atomic_path(self.path(key), synchronize=False) as temporary:
                temporary.write_bytes(self._magic() + digest(body).encode() + b"\n" + body)
        if zlib.crc32(key.encode()) % SHRINK_EVERY == 0:
            self.shrink()

    def shrink(self) -> None:
        """Removes the least recently used files if all together are too large.

        Several processes may do this simultaneously.
        """
        files = []
        with contextlib.suppress(OSError, RuntimeError):
            for entry in os.scandir(self.directory):
                with contextlib.suppress(OSError):
                    status = entry.stat()
                    size = max(status.st_size, status.st_blocks * _BLOCK_BYTES)
                    if entry.name.endswith(f".{self.kind}"):
                        files.append((status.st_mtime_ns, size, entry.path))
                    elif status.st_mtime < time.time() - _ABANDONED_SECONDS:  # left by a killed process
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
        """Returns the path of the file of a key."""
        return self.directory / f"{key}.{self.kind}"

    def _magic(self) -> bytes:
        return f"nocbench {self.kind} {self.version}\n".encode()
