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
"""Name of the file, in the package of a wheel, with the revision of the checkout that the wheel was built in.

Written by bindings/CMakeLists.txt.
"""
_UNTRACKED = "?? "


def checkout() -> Path | None:
    """Returns the checkout that contains this package or its environment, or None."""
    return next((directory for directory in PACKAGE.parents if is_checkout(directory)), None)


def is_checkout(directory: Path) -> bool:
    """Returns True if a directory is the top of a checkout of nocbench."""
    return (directory / "pyproject.toml").is_file() and (directory / "device_model" / "archs").is_dir()


@functools.cache
def revision() -> str:
    """Returns the commit; without one, the version of the package."""
    return commit() or version()


def commit() -> str:
    """Returns the commit of the checkout or of the wheel, with "+" if changed; empty without a commit.

    Changes are changed tracked files, and untracked files on which results may depend. Pictures and pages under plots/
    do not count: they are made from results.
    """
    directory = checkout()
    if directory is None:
        try:
            return (PACKAGE / REVISION_FILE).read_text(encoding="utf-8").strip()
        except OSError:
            return ""
    found = git_output(directory, "rev-parse", "--short=12", "HEAD")
    changes = git_output(directory, "status", "--porcelain", "-z", "--untracked-files=all", "--", ":!plots").split("\0")
    return found + ("+" if found and any(map(_counts, changes)) else "")


def describe() -> str:
    """Returns this nocbench in words: version, and the commit or a digest of the sources."""
    origin = f"revision {found}" if (found := commit()) else f"sources {_extension_digest()[:12] or 'unknown'}"
    return f"nocbench {version()} ({origin})"


def _counts(change: str) -> bool:
    """Returns True if a line of `git status` reports a change on which results may depend."""
    return bool(change) and (not change.startswith(_UNTRACKED) or takes_part(change.removeprefix(_UNTRACKED)))


@functools.cache
def identity() -> str:
    """Returns the revision and a digest of all files on which results depend, as files may differ from the commit.

    Equal identities mean equal results on every machine, for equal compilers of kernels. Takes milliseconds, and loads
    the simulator.
    """
    return f"{revision()}:{_sources_digest()}"


def files_read() -> dict[str, Path]:
    """Returns the files on which results depend besides the extension module: constants, modules, kernels with headers.

    Keys are names that are equal in a checkout and in a wheel.
    """
    files = {
        f"nocbench/{path.relative_to(PACKAGE)}": path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)
    }
    directory = checkout()
    archs = PACKAGE / "archs" if directory is None else directory / "device_model" / "archs"
    return files | {f"archs/{path.name}": path for path in archs.glob("*.yaml")} | device_files()


def _sources_digest() -> str:
    """Returns a digest of the extension module's sources and of all files that are read to run points."""
    files = files_read()
    digest = hashlib.sha256(_extension_digest().encode())
    for name in sorted(files):
        contents = files[name].read_bytes()
        digest.update(f"{name} {len(contents)} ".encode() + contents)
    return digest.hexdigest()[:16]


def _extension_digest() -> str:
    """Returns the fingerprint of the extension module's sources; empty without the module."""
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


def git_output(directory: Path, *arguments: str) -> str:
    """Returns the output of git; empty without git, commit or repository."""
    try:
        completed = subprocess.run(  # noqa: S603 - fixed program, no shell
            ["git", "--no-optional-locks", "-C", str(directory), *arguments],  # noqa: S607 - git from PATH
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return completed.stdout.strip() if completed.returncode == 0 else ""
