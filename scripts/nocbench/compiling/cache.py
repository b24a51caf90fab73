"""Cache of compiled kernels, by all of their inputs.

A file's name is a hash of the request, of the source and of the compiler. The file lists the headers that the compiler
read, with their hashes, and all paths that the compiler tried. An entry is valid as long as the headers are unchanged
and the compiler would find the same ones.
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

BYTES_MAX = 2**30
"""Maximum size of all kept kernels, in bytes; the least recently used are removed first.

A kernel takes 90 kB, and the full tier has thousands.
"""

_reports: list[dict[str, str]] = []


def kept_kernels() -> KeptFiles:
    """Returns the files of compiled kernels."""
    return KeptFiles("kernel", 3, BYTES_MAX)


@contextlib.contextmanager
def noted_files() -> Iterator[dict[str, str]]:
    """Collects the files compiled in this process within the block: a digest of the content by path."""
    report: dict[str, str] = {}
    _reports.append(report)
    try:
        yield report
    finally:
        _reports.remove(report)


def note(path: str, content_digest: str) -> None:
    """Records that a kernel was compiled from a file, now or earlier."""
    for report in _reports:
        report[path] = content_digest


def load(key: str) -> tuple[dict[str, Any], bytes] | None:
    """Returns the facts and the image kept under a key; None if there are none, or an input has changed."""
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


def are_unchanged(digests: Any) -> bool:  # noqa: ANN401 - read from a file
    """Returns True if all files of a list of (path, digest) have unchanged content."""
    try:
        return all(digest(Path(name).read_bytes()) == expected for name, expected in digests)
    except (OSError, ValueError, TypeError):
        return False


def store(key: str, facts: dict[str, Any], dependencies: Iterable[Path], lookups: Lookups | None, image: bytes) -> None:
    """Keeps facts and an image under a key.

    Ignores failures: the next run compiles again. Without `lookups`, nothing is kept.
    """
    hashes = []
    for path in dependencies:
        try:
            hashes.append((str(path), digest(path.read_bytes())))
        except OSError:
            note(str(path), "")  # unknown content
            return
        note(*hashes[-1])
    if lookups is None:
        return
    kept_kernels().store(key, facts | {"dependencies": hashes, "lookups": lookups.pack()}, image)
