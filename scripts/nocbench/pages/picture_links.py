"""Pictures in Markdown, whole and as thumbnails."""

from __future__ import annotations

import re

from nocbench.drawing.pictures import PAGE_PICTURE_SUFFIX
from nocbench.support.markdown import Markdown, escape

_THUMBNAIL_PIXELS = 200
_PICTURE = re.compile(rf"(?<!\\)\]\((\w+{re.escape(PAGE_PICTURE_SUFFIX)})\)\]\(\1\)")


def picture_link(title: str, file_stem: str) -> Markdown:
    """A picture; a click shows it alone."""
    file = f"{file_stem}{PAGE_PICTURE_SUFFIX}"
    return Markdown(f"[![{escape(title)}]({file})]({file})")


def thumbnail_link(file_stem: str, target: str) -> Markdown:
    """The same picture reduced, for a cell beside or above its title; a click leads to `target`."""
    image = f'<img src="{file_stem}{PAGE_PICTURE_SUFFIX}" width="{_THUMBNAIL_PIXELS}" alt="">'
    return Markdown(f"[{image}]({target})")


def pictures_in(markdown: str) -> list[str]:
    """The files of the pictures that a page has as a whole."""
    return _PICTURE.findall(markdown)
