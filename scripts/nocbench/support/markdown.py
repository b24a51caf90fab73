"""Markdown that contains foreign text: names, reasons and messages with any characters."""

from __future__ import annotations

import functools
import html
import re
from typing import TYPE_CHECKING

from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    import jinja2

MAX_CHARACTERS = 300
"""Maximum characters of a text: sentences fit, and logs are cut."""

_SPECIAL = re.compile(r"[\\`*\[\]|~$]")
_UNDERSCORE_AT_EDGE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_MENTION = re.compile(r"@(?=\w)")
_BEGINS_BLOCK = re.compile(r"^(\d{1,9})?(?=#{1,6}\s|[-+]\s|(?<=\d)[.)]\s|-{3,}$)")
"""Beginnings of lines that Markdown reads as a heading, a list item or a rule."""


class Markdown(str):
    """Text that is already Markdown, and is not escaped again."""

    __slots__ = ()


def escape(text: str, max_characters: int | None = MAX_CHARACTERS) -> Markdown:
    """Returns text escaped for Markdown: on one line, valid in a table cell, without links or mentions.

    Args:
        text: any text; :class:`Markdown` is returned unchanged.
        max_characters: maximum number of characters; None: no limit.
    """
    if isinstance(text, Markdown):
        return text
    line = on_one_line(text)
    line = html.escape(line if max_characters is None else cut(line, max_characters), quote=False)
    line = _SPECIAL.sub(r"\\\g<0>", line)
    line = _UNDERSCORE_AT_EDGE.sub(r"\_", line)
    line = _BEGINS_BLOCK.sub(r"\1\\", line)
    return Markdown(_MENTION.sub("@&#8203;", line))  # prevents mentions of users


def code(text: str) -> Markdown:
    """Returns text as inline code; not for table cells."""
    line = on_one_line(text)
    runs = {len(run) for run in re.findall("`+", line)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{fence}{room}{line}{room}{fence}")


def paragraph(sentences: Iterable[str]) -> Markdown:
    """Joins sentences to a paragraph. Escapes sentences that are not :class:`Markdown`."""
    return Markdown(" ".join(escape(sentence, None) for sentence in sentences))


def table_row(cells: Iterable[str]) -> Markdown:
    """Returns a table row. Escapes cells that are not :class:`Markdown`."""
    return Markdown(f"| {' | '.join(map(escape, cells))} |")


def fenced(lines: list[str]) -> Markdown:
    """Returns a block of shell commands, one per line."""
    lines = [on_one_line(line) for line in lines]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown("\n".join([f"{fence}sh", *lines, fence]))


def on_one_line(text: str) -> str:
    """Returns text with spaces instead of line ends and control characters."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def cut(text: str, max_characters: int) -> str:
    """Returns a text, cut and with an ellipsis if it is too long."""
    return text if len(text) <= max_characters else f"{text[: max_characters - 1]}…"


@functools.cache
def environment() -> jinja2.Environment:
    """Returns the Jinja environment for Markdown, which escapes all printed values that are not :class:`Markdown`."""
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PACKAGE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - `finalize` escapes Markdown and HTML
        finalize=lambda value: escape(value if isinstance(value, str) else str(value)),
    )
    templates.filters |= {"code": code, "markdown": Markdown, "table_row": table_row}
    return templates
