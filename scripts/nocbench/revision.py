"""Which revision of nocbench made a result."""

from __future__ import annotations

import functools
import subprocess
from pathlib import Path


def checkout() -> Path | None:
    """The checkout that this package lives in (an environment inside the checkout counts), or None."""
    for directory in Path(__file__).resolve().parents:
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
