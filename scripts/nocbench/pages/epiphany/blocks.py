"""Pages made of blocks: headings with texts, tables and pictures below them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from nocbench.drawing.pictures import Page, Picture
from nocbench.pages.families import MAIN_FILE
from nocbench.pages.outline import anchor
from nocbench.pages.picture_links import picture_link, thumbnail_link
from nocbench.support.markdown import Markdown, environment

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

RIGHT = "--:"
LEFT = "---"
_GALLERY_COLUMNS = 4
NOTHING = "-"
"""Content of an empty cell."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: columns with their alignment, and rows. Names and cells are Markdown."""

    columns: Mapping[str, str]
    rows: Sequence[Sequence[str]]

    def describe(self) -> dict[str, object]:
        """Returns the values for the template."""
        return {
            "columns": list(map(Markdown, self.columns)),
            "alignment": list(self.columns.values()),
            "rows": [list(map(Markdown, row)) for row in self.rows],
        }


@dataclass(slots=True)
class Block:
    """A heading of a page with its content. Texts are Markdown."""

    heading: str
    parts: list[str | Table | Picture] = field(default_factory=list)

    def describe(self) -> dict[str, object]:
        """Returns the values for the template."""
        return {
            "heading": self.heading,
            "parts": [
                {"text": Markdown(part)}
                if isinstance(part, str)
                else part.describe()
                if isinstance(part, Table)
                else {"picture": picture_link(part.title, part.file_stem)}
                for part in self.parts
            ],
        }


def blocks_page(folder: str, template: str, blocks: Sequence[Block], **values: str) -> Page:
    """Returns a page of blocks, which begins with thumbnails of its pictures.

    Args:
        folder: folder of the page.
        template: template of the page, which includes the template of blocks.
        blocks: blocks in the order of the page.
        values: values for the template.
    """
    pictures = [picture for _, picture in _pictures(blocks)]
    return Page(folder, pictures, partial(_render, template, tuple(blocks), values))


def _pictures(blocks: Sequence[Block]) -> list[tuple[Block, Picture]]:
    return [(block, part) for block in blocks for part in block.parts if isinstance(part, Picture)]


def _render(template: str, blocks: Sequence[Block], values: Mapping[str, str]) -> Mapping[str, Markdown]:
    text = environment().get_template(template)
    described = [block.describe() for block in blocks]
    return {MAIN_FILE: Markdown(text.render(**values, gallery=_gallery(_pictures(blocks)), blocks=described))}


def _gallery(pictures: Sequence[tuple[Block, Picture]]) -> list[list[Markdown]]:
    """Returns rows of thumbnails, each linked to the heading of its picture."""
    cells = []
    for block, picture in pictures:
        target = f"#{anchor(block.heading)}"
        thumbnail = thumbnail_link(picture.file_stem, target)
        cells.append(Markdown(f"{thumbnail}<br>[{block.heading}]({target})"))
    cells += [Markdown("")] * (-len(cells) % _GALLERY_COLUMNS)
    return [cells[first : first + _GALLERY_COLUMNS] for first in range(0, len(cells), _GALLERY_COLUMNS)]


def link_to(heading: str, text: str, headings: Collection[str]) -> str:
    """Returns a link to a heading if the page has it, else the text without link."""
    return f"[{text}](#{anchor(heading)})" if heading in headings else text


def number(value: float | None) -> str:
    """Returns a figure with two or three digits, or as a whole number: "9.0", "81.3", "1,477"; a dash for None."""
    if value is None:
        return NOTHING
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 0.95 else 3
    return f"{value:,.{digits}f}"


def signed_percent(value: float | None) -> str:
    """Returns a difference with its sign: "-3.1 %"; a dash for None."""
    if value is None:
        return NOTHING
    return f"{0.0 if abs(value) < 0.05 else value:+.1f} %"
