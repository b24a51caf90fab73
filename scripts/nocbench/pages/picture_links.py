"""Pictures in Markdown, full-size and as thumbnails."""

from __future__ import annotations

import re

from nocbench.drawing.pictures import PAGE_PICTURE_SUFFIX
from nocbench.support.markdown import Markdown, escape

_THUMBNAIL_PIXELS = 200
_PICTURE = re.compile(rf"(?<!\\)\]\((\w+{re.escape(PAGE_PICTURE_SUFFIX)})\)\]\(\1\)")


def picture_link(title: str, file_stem: str) -> Markdown:
    """Returns Markdown for a picture, with a link to its file."""
    file = f"{file_stem}{PAGE_PICTURE_SUFFIX}"
    return Markdown(f"[![{escape(title)}]({file})]({file})")


def thumbnail_link(file_stem: str, target: str) -> Markdown:
    """Returns Markdown for a thumbnail that links to `target`. The cell has the picture's title as text."""
    image = f'<img src="{file_stem}{PAGE_PICTURE_SUFFIX}" width="{_THUMBNAIL_PIXELS}" alt="">'
    return Markdown(f"[{image}]({target})")


def pictures_in(markdown: str) -> list[str]:
    """Returns the names of the full-size picture files on a page."""
    return _PICTURE.findall(markdown)
