"""Reader of Markdown pages, as seen by viewers: headings, tables and links."""

from __future__ import annotations

import html
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_CODE_BLOCK = re.compile(r"^( *)(```+|~~~+).*?^ *\2`*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"(?<!\\)\]\(([^()\s]+)\)|<(?:img|a)[^>]* (?:src|href)=\"([^\"]+)\"")


def headings_of(markdown: str) -> list[str]:
    """Returns all headings, including their marks."""
    return re.findall(r"^#+ .*$", _CODE_BLOCK.sub("", markdown), re.MULTILINE)


def anchors_of(markdown: str) -> set[str]:
    """Returns the anchors available to links to a page."""
    seen: Counter[str] = Counter()
    anchors = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", markdown))
    for heading in headings_of(markdown):
        text = re.sub(r"(?<!\\)\[([^\]\\]*)\]\([^)]*\)", r"\1", heading.lstrip("# "))
        text = html.unescape(re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text))
        name = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        anchors.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return anchors


def links_of(markdown: str) -> list[str]:
    """Returns the targets of all links and pictures."""
    text = _CODE.sub("", _CODE_BLOCK.sub("", markdown))
    return [target or source for target, source in _LINK.findall(text)]


def tables_of(markdown: str) -> list[list[list[str]]]:
    """Returns the cells of all tables, by row."""
    tables = re.findall(r"(?:^\|.*\|$\n?)+", _CODE_BLOCK.sub("", markdown), re.MULTILINE)
    return [[re.split(r"(?<!\\)\|", row)[1:-1] for row in table.splitlines()] for table in tables]


def broken_links(page: Path) -> Iterator[str]:
    """Yields a page's broken links, to other files and to headings of any page."""
    text = page.read_text()
    for target in links_of(text):
        if re.match(r"[a-z]+://|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        is_page = file.suffix == ".md" and file.is_file()
        if not file.exists() or (anchor and is_page and anchor not in anchors_of(file.read_text())):
            yield target
