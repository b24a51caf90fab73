"""Compiled kernels, kept by what they were made of.

The name of each is a hash of the request, of the source and of the compiler. In it stand the headers that were read
with a hash of each, and where they were looked for: it counts only while all of them are as they were, and none is
found in place of another.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.compiling.lookups import are_as_before
from nocbench.support.kept_files import KeptFiles, digest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nocbench.compiling.lookups import Lookups

BYTES_MAX = 256 * 2**20
"""The size that all kept kernels have together at most; those that were not used for longest go first."""

_reports: list[dict[str, str]] = []


def kept_kernels() -> KeptFiles:
    """Where compiled kernels are kept."""
    return KeptFiles("kernel", 3, BYTES_MAX)


@contextlib.contextmanager
def noted_files() -> Iterator[dict[str, str]]:
    """Gives the files that are compiled in this process meanwhile, by path with a digest of what was read there."""
    report: dict[str, str] = {}
    _reports.append(report)
    try:
        yield report
    finally:
        _reports.remove(report)


def note(path: str, content_digest: str) -> None:
    """Notes that a file was read for a kernel, whether or not that was just now."""
    for report in _reports:
        report[path] = content_digest


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """What is kept under a key, if all that it was made of is as it was: facts and image. None if there is nothing."""
    kept = kept_kernels().load(key)
    if kept is None:
        return None
    facts, _ = kept
    if not are_unchanged(facts.get("dependencies")) or not are_as_before(facts.get("lookups")):
        return None
    for name, content_digest in facts["dependencies"]:
        note(name, content_digest)
    kept_kernels().mark_used(key)
    return kept


def are_unchanged(digests: Any) -> bool:  # noqa: ANN401 - as a file has it
    """True if all files of a list of paths and digests have the content that they had."""
    try:
        return all(digest(Path(name).read_bytes()) == expected for name, expected in digests)
    except (OSError, ValueError, TypeError):
        return False


def store(key: str, facts: dict[str, Any], dependencies: Iterable[Path], lookups: Lookups | None, image: bytes) -> None:
    """Keeps facts and an image under a key. That nothing can be kept there is no error: it is made again next time.

    Without knowing where files were looked for, it is always made again.
    """
    hashes = []
    for path in dependencies:
        try:
            hashes.append((str(path), digest(path.read_bytes())))
        except OSError:
            note(str(path), "")  # of whatever it was made
            return
        note(*hashes[-1])
    if lookups is None:
        return
    kept_kernels().store(key, facts | {"dependencies": hashes, "lookups": lookups.pack()}, image)
    kept_kernels().shrink()
