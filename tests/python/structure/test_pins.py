"""Every download is identified by an immutable commit, next to its release name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
_PINNED = re.compile(r"[0-9a-f]{40} # \S+")
_OWN = re.compile(r"\./|OWNER/")  # actions of this repository


def lines_of(pattern: str, *paths: str) -> list[tuple[str, str]]:
    """Returns the tracked files that match a pattern, each with the pattern's group."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *paths], cwd=ROOT, check=True, capture_output=True, text=True
    )
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        text = (ROOT / name).read_text(encoding="utf-8")
        found += [(f"{name}: {match[0].strip()}", match[1]) for match in re.finditer(pattern, text, re.MULTILINE)]
    return found


def unpinned(found: list[tuple[str, str]]) -> list[str]:
    return [where for where, what in found if _PINNED.fullmatch(what) is None]


def test_downloads_of_cmake() -> None:
    found = lines_of(r"^\s*GIT_TAG (.*)$", "*.cmake", "*CMakeLists.txt")
    assert found
    assert unpinned(found) == []
    assert lines_of(r"^\s*(URL) ", "*.cmake", "*CMakeLists.txt") == []  # a URL would need a hash


def test_actions() -> None:
    used = lines_of(r"^\s*(?:- )?uses: (.*)$", ".github", "examples", "docs", "scripts")
    found = [(where, what.partition("@")[2]) for where, what in used if _OWN.match(what) is None]
    assert found
    assert unpinned(found) == []


@pytest.mark.parametrize("text", ["v4", "0.8.0", "11bd719 # v4", "11bd71901bbe5b1630ceea73d27597364c9af683"])
def test_what_is_no_pin(text: str) -> None:
    assert unpinned([("there", text)]) == ["there"]
