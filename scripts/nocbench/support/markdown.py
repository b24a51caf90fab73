"""Markdown that holds text of others: names, reasons and messages that may have any character in them."""

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
"""Longer texts are cut: a sentence stays one, a log does not push the rest out."""

_SPECIAL = re.compile(r"[\\`*\[\]|~$]")
_UNDERSCORE_AT_EDGE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_MENTION = re.compile(r"@(?=\w)")
_BEGINS_BLOCK = re.compile(r"^(\d{1,9})?(?=#{1,6}\s|[-+]\s|(?<=\d)[.)]\s|-{3,}$)")
"""What makes a heading, an item of a list or a line across the page of a text that begins a line."""


class Markdown(str):
    """Text that is Markdown already, and is not escaped again."""

    __slots__ = ()


def escape(text: str, max_characters: int | None = MAX_CHARACTERS) -> Markdown:
    """Text of others as Markdown that shows it: on one line, fit for a cell of a table, without links or mentions.

    Args:
        text: any; what is :class:`Markdown` already stays as it is.
        max_characters: of what is shown; None: all of it.
    """
    if isinstance(text, Markdown):
        return text
    line = on_one_line(text)
    line = html.escape(line if max_characters is None else cut(line, max_characters), quote=False)
    line = _SPECIAL.sub(r"\\\g<0>", line)
    line = _UNDERSCORE_AT_EDGE.sub(r"\_", line)
    line = _BEGINS_BLOCK.sub(r"\1\\", line)
    return Markdown(_MENTION.sub("@&#8203;", line))  # nobody is called because a test has their name


def code(text: str) -> Markdown:
    """Text of others as code within a line, but not in a cell of a table."""
    line = on_one_line(text)
    runs = {len(run) for run in re.findall("`+", line)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    room = " " if line.startswith("`") or line.endswith("`") else ""
    return Markdown(f"{fence}{room}{line}{room}{fence}")


def paragraph(sentences: Iterable[str]) -> Markdown:
    """Sentences after each other; those that are not :class:`Markdown` are escaped."""
    return Markdown(" ".join(escape(sentence, None) for sentence in sentences))


def table_row(cells: Iterable[str]) -> Markdown:
    """A row of a table; cells that are not :class:`Markdown` are escaped."""
    return Markdown(f"| {' | '.join(map(escape, cells))} |")


def fenced(lines: list[str]) -> Markdown:
    """A block of shell commands, a line each."""
    lines = [on_one_line(line) for line in lines]
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markdown("\n".join([f"{fence}sh", *lines, fence]))


def on_one_line(text: str) -> str:
    """Text without line ends and control characters."""
    return " ".join("".join(character if character.isprintable() else " " for character in text).split())


def cut(text: str, max_characters: int) -> str:
    """The beginning of a text that is too long, with a sign that it goes on."""
    return text if len(text) <= max_characters else f"{text[: max_characters - 1]}…"


@functools.cache
def environment() -> jinja2.Environment:
    """Where Markdown templates are rendered: whatever they print is escaped unless it is :class:`Markdown`."""
    import jinja2

    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(PACKAGE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - HTML is not all that must be escaped: `finalize` does it
        finalize=lambda value: escape(value if isinstance(value, str) else str(value)),
    )
    templates.filters |= {"code": code, "markdown": Markdown, "table_row": table_row}
    return templates
