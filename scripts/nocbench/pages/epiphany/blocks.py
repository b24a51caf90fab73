"""Parts of a page: headings with texts, tables and pictures below them, in this order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.pages.outline import anchor

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from nocbench.drawing.pictures import Picture

RIGHT = "--:"
LEFT = "---"
NOTHING = "-"
"""In a cell about which there is nothing to say."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns and how they are aligned, and its rows."""

    columns: Mapping[str, str]
    rows: Sequence[Sequence[str]]


@dataclass(slots=True)
class Block:
    """A heading of a page and what stands under it; texts are Markdown."""

    heading: str
    parts: list[str | Table | Picture] = field(default_factory=list)

    def describe(self) -> dict[str, object]:
        """What the template shows."""
        return {
            "heading": self.heading,
            "parts": [
                {"text": part}
                if isinstance(part, str)
                else {"columns": list(part.columns), "alignment": list(part.columns.values()), "rows": part.rows}
                if isinstance(part, Table)
                else {"title": part.title, "file_stem": part.file_stem}
                for part in self.parts
            ],
        }


def link_to(heading: str, text: str, headings: Collection[str]) -> str:
    """A link to a heading of the page if it is among `headings`, else its text alone."""
    return f"[{text}](#{anchor(heading)})" if heading in headings else text


def number(value: float | None) -> str:
    """A figure to three digits or to the whole number: "9.0", "81.3", "1,477"; nothing for None."""
    if value is None:
        return NOTHING
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 0.95 else 3
    return f"{value:,.{digits}f}"


def signed_percent(value: float | None) -> str:
    """A difference: "-3.1 %"."""
    if value is None:
        return NOTHING
    return f"{0.0 if abs(value) < 0.05 else value:+.1f} %"
