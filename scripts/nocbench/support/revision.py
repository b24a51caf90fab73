"""Which revision of nocbench made a result."""

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
"""In the package of a wheel: the revision of the checkout that it was built in. bindings/CMakeLists.txt writes it."""
_UNTRACKED = "?? "


def checkout() -> Path | None:
    """The checkout that this package lives in (an environment inside the checkout counts), or None."""
    return next((directory for directory in PACKAGE.parents if is_checkout(directory)), None)


def is_checkout(directory: Path) -> bool:
    """Whether a directory is the top of a checkout of nocbench."""
    return (directory / "pyproject.toml").is_file() and (directory / "device_model" / "archs").is_dir()


@functools.cache
def revision() -> str:
    """The commit; where none is known, the version of the package."""
    return commit() or version()


def commit() -> str:
    """The commit, with "+" if something in the checkout is not in it; of a wheel, that of the checkout it was built in.

    That is a change of a file that git tracks, or a file that it does not know yet and that results may depend on. The
    pictures and pages under plots/ do not count: they are made from results. Empty if there is no commit.
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
    """Which nocbench this is: the version, with the commit or, where none is known, what the sources are."""
    origin = f"revision {found}" if (found := commit()) else f"sources {_extension_digest()[:12] or 'unknown'}"
    return f"nocbench {version()} ({origin})"


def _counts(change: str) -> bool:
    """Whether a line of `git status` is about something that is not in the commit, but should be."""
    return bool(change) and (not change.startswith(_UNTRACKED) or takes_part(change.removeprefix(_UNTRACKED)))


@functools.cache
def identity() -> str:
    """The revision, and a digest of all that results depend on: what is installed may not be what the commit has.

    What has the same identity gives the same results, also on another machine, as long as the same compiler compiles
    the kernels. Reading it all takes milliseconds, and loads the simulator.
    """
    return f"{revision()}:{_sources_digest()}"


def files_read() -> dict[str, Path]:
    """What results depend on besides the extension module, as files: constants, modules, and kernels with headers.

    By names that are the same in a checkout and in a wheel.
    """
    files = {
        f"nocbench/{path.relative_to(PACKAGE)}": path for kind in ("*.py", "*.json") for path in PACKAGE.rglob(kind)
    }
    directory = checkout()
    archs = PACKAGE / "archs" if directory is None else directory / "device_model" / "archs"
    return files | {f"archs/{path.name}": path for path in archs.glob("*.yaml")} | device_files()


def _sources_digest() -> str:
    """Digest of the sources of the extension module, and of all that is read when points run."""
    files = files_read()
    digest = hashlib.sha256(_extension_digest().encode())
    for name in sorted(files):
        contents = files[name].read_bytes()
        digest.update(f"{name} {len(contents)} ".encode() + contents)
    return digest.hexdigest()[:16]


def _extension_digest() -> str:
    """What says of which sources the extension module is made, whoever compiled it; nothing if there is none."""
    try:
        from nocbench import _core
    except ImportError:
        return ""
    return str(_core.source_fingerprint)


def version() -> str:
    """The version of the package."""
    from importlib import metadata

    try:
        return metadata.version("nocbench")
    except metadata.PackageNotFoundError:
        return "unknown"


def _git(directory: Path, *arguments: str) -> str:
    """What git prints, or nothing if there is no git, no commit or no repository."""
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
