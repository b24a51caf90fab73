"""Which revision of nocbench made a result."""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import re
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of this package: in a wheel, what it reads besides modules is there, too."""

_COMMITTED = re.compile(r"[0-9a-f]{12,}|\d+(\.\d+)+")


def checkout() -> Path | None:
    """The checkout that this package lives in (an environment inside the checkout counts), or None."""
    for directory in PACKAGE.parents:
        if (directory / "pyproject.toml").is_file() and (directory / "device_model" / "archs").is_dir():
            return directory
    return None


@functools.cache
def revision() -> str:
    """The commit, with "+" if files that it tracks were changed; outside a checkout the version of the package.

    The pictures and pages under plots/ do not count as changes: they are made from results.
    """
    directory = checkout()
    if directory is not None:
        commit = _git(directory, "rev-parse", "--short=12", "HEAD")
        changes = _git(directory, "status", "--porcelain", "--untracked-files=no", "--", ":!plots")
        if commit:
            return commit + ("+" if changes else "")
    return version()


@functools.cache
def identity() -> str:
    """The revision; with uncommitted changes also what they are, as a digest of all that results depend on.

    What has the same identity gives the same results, also on another machine.
    """
    return revision() if _COMMITTED.fullmatch(revision()) else f"{revision()}:{_sources_digest()}"


def _sources_digest() -> str:
    """Digest of the extension module, the architecture files and this package's modules."""
    files = {f"nocbench/{path.relative_to(PACKAGE)}": path for path in PACKAGE.rglob("*.py")}
    extension_module = importlib.util.find_spec("nocbench._core")
    if extension_module is not None and extension_module.origin is not None:
        files["_core"] = Path(extension_module.origin)
    directory = checkout()
    archs = PACKAGE / "archs" if directory is None else directory / "device_model" / "archs"
    files |= {f"archs/{path.name}": path for path in archs.glob("*.yaml")}
    digest = hashlib.sha256()
    for name in sorted(files):
        contents = files[name].read_bytes()
        digest.update(f"{name} {len(contents)} ".encode() + contents)
    return digest.hexdigest()[:16]


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
