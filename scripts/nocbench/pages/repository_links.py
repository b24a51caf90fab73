"""Links from pages to other files of the repository, such as documentation.

Templates and sentences contain links such as `[docs/results.md](repository:docs/results.md#shortened-points)`. Pages
outside of a checkout have the text without the link.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from nocbench.support.revision import is_checkout

if TYPE_CHECKING:
    from pathlib import Path

_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\(repository:([^()\s#]+)(#[^()\s]*)?\)")


def with_repository_links(markdown: str, directory: Path) -> str:
    """Returns Markdown whose repository links are relative to a page in `directory`."""
    place = directory.resolve()
    root = next((parent for parent in place.parents if is_checkout(parent)), None)

    def link(match: re.Match[str]) -> str:
        text, file, anchor = match.groups(default="")
        if root is None or not (root / file).exists():
            return text
        return f"[{text}]({os.path.relpath(root / file, place)}{anchor})"

    return _LINK.sub(link, markdown)
