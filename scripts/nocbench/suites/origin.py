"""The repository on GitHub that this nocbench comes from."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from nocbench.support.errors import InputError
from nocbench.support.revision import checkout, git_output

_URL = re.compile(r"(?:https://|ssh://git@|git@)github\.com[/:](?P<repository>[\w.-]+/[\w.-]+?)(?:\.git)?/?")
_TEXT = re.compile(r"(?P<repository>[\w.-]+/[\w.-]+)@(?P<revision>[\w./-]+)")


@dataclass(frozen=True)
class Origin:
    """A repository on GitHub, as OWNER/NAME, and a branch, tag or commit of it."""

    repository: str
    revision: str


def parse_origin(text: str) -> Origin:
    """Returns the origin in a text, OWNER/NAME@REVISION. Raises InputError for other texts."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise InputError(f"expected OWNER/NAME@REVISION, found '{text}'")
    return Origin(match["repository"], match["revision"])


def find_origin() -> Origin | None:
    """Returns the origin of this nocbench: of its checkout, or of the repository that pip installed; None: unknown."""
    directory = checkout()
    if directory is not None:
        if git_output(directory, "rev-parse", "--show-prefix"):  # an archive of the sources in another repository
            return None
        return _origin(git_output(directory, "remote", "get-url", "origin"), git_output(directory, "rev-parse", "HEAD"))
    from importlib import metadata

    try:
        text = metadata.distribution("nocbench").read_text("direct_url.json")  # written by pip (PEP 610)
    except metadata.PackageNotFoundError:
        return None
    source = json.loads(text or "{}")
    return _origin(source.get("url", ""), source.get("vcs_info", {}).get("commit_id", ""))


def _origin(url: str, revision: str) -> Origin | None:
    match = _URL.fullmatch(url)
    return Origin(match["repository"], revision) if match is not None and revision else None
