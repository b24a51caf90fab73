"""The revision of nocbench that made a result."""

from __future__ import annotations

import functools
import hashlib
import subprocess
from typing import TYPE_CHECKING

from nocbench.support.device_files import device_files
from nocbench.support.package import PACKAGE
from nocbench.support.sources import takes_part

if TYPE_CHECKING:
    from pathlib import Path

REVISION_FILE = "revision.txt"
"""Revision of the checkout that a wheel was built in, in its package. Written by bindings/CMakeLists.txt."""
_UNTRACKED = "?? "


def checkout() -> Path | None:
    """Returns the checkout around this package (its environment may be inside the checkout), or None."""
    return next((directory for directory in PACKAGE.parents if is_checkout(directory)), None)


def is_checkout(directory: Path) -> bool:
    """True if a directory is the top of a checkout of nocbench."""
    return (directory / "pyproject.toml").is_file() and (directory / "device_model" / "archs").is_dir()


@functools.cache
def revision() -> str:
    """Returns the commit; the version of the package if there is none."""
    return commit() or version()


def commit() -> str:
    """Returns the commit, with "+" if the checkout has changes; for a wheel, that of the checkout it was built in.

    Changes are those of tracked files, and untracked files that results may depend on. Pictures and pages under plots/
    do not count: they are made from results. Empty if there is no commit.
    """
    directory = checkout()
    if directory is None:
        try:
            return (PACKAGE / REVISION_FILE).read_text(encoding="utf-8").strip()
        except OSError:
            return ""
    found = _git(directory, "rev-parse", "--short=12", "HEAD")
    changes = _git(directory, "status", "--porcelain", "-z", "--untracked-files=all", "--", ":!plots").split("\0")
    return found + ("+" if found and any(map(_counts, changes)) else "")


def describe() -> str:
    """Describes this nocbench: version, and the commit or a digest of the sources."""
    origin = f"revision {found}" if (found := commit()) else f"sources {_extension_digest()[:12] or 'unknown'}"
    return f"nocbench {version()} ({origin})"


def _counts(change: str) -> bool:
    """True if a line of `git status` tells of a change that results may depend on."""
    return bool(change) and (not change.startswith(_UNTRACKED) or takes_part(change.removeprefix(_UNTRACKED)))


@functools.cache
def identity() -> str:
    """Returns the revision, and a digest of all that results depend on: the installed files may differ from the commit.

    Equal identities give equal results on every machine, given the same compiler of kernels. Takes milliseconds, and
    loads the simulator.
    """
    return f"{revision()}:{_sources_digest()}"


def files_read() -> dict[str, Path]:
    """Returns the files that results depend on besides the extension module: constants, modules, kernels with headers.

    Keys are names that are the same in a checkout and in a wheel.
    """
    files = {
        f"nocbench/{path.relative_to(PACKAGE)}": path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)
    }
    directory = checkout()
    archs = PACKAGE / "archs" if directory is None else directory / "device_model" / "archs"
    return files | {f"archs/{path.name}": path for path in archs.glob("*.yaml")} | device_files()


def _sources_digest() -> str:
    """Returns a digest of the extension module's sources and of all files read when points run."""
    files = files_read()
    digest = hashlib.sha256(_extension_digest().encode())
    for name in sorted(files):
        contents = files[name].read_bytes()
        digest.update(f"{name} {len(contents)} ".encode() + contents)
    return digest.hexdigest()[:16]


def _extension_digest() -> str:
    """Returns the fingerprint of the extension module's sources; empty if there is no such module."""
    try:
        from nocbench import _core
    except ImportError:
        return ""
    return str(_core.source_fingerprint)


def version() -> str:
    """Returns the version of the package."""
    from importlib import metadata

    try:
        return metadata.version("nocbench")
    except metadata.PackageNotFoundError:
        return "unknown"


def _git(directory: Path, *arguments: str) -> str:
    """Returns the output of git; empty if there is no git, no commit or no repository."""
    try:
        completed = subprocess.run(  # noqa: S603 - arguments of our own
            ["git", "--no-optional-locks", "-C", str(directory), *arguments],  # noqa: S607 - the git of the PATH
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return completed.stdout.strip() if completed.returncode == 0 else ""
