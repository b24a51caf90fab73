"""Links in the repository's Markdown files have existing targets."""

from __future__ import annotations

import subprocess
from pathlib import Path

from markdown_pages import broken_links

ROOT = Path(__file__).parents[3]


def test_links_of_all_markdown_files() -> None:
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=ROOT, check=True, capture_output=True, text=True)
    files = [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]
    assert len(files) > 50
    assert [f"{file.relative_to(ROOT)}: {link}" for file in files for link in broken_links(file)] == []
