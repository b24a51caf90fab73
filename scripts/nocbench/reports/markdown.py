"""Markdown that holds text of others: names, reasons and messages that may have any character in them."""

from __future__ import annotations

import functools
import html
import re
from typing import TYPE_CHECKING

from nocbench.support.package import PACKAGE

if TYPE_CHECKING:
    import jinja2

MAX_CHARACTERS = 300
"""Longer texts are cut: a sentence stays one, a log does not push the rest out."""

_SPECIAL = re.compile(r"[\\`*\[\]|~$]")
_UNDERSCORE_AT_EDGE = re.compile(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_MENTION = re.compile(r"@(?=\w)")


class Markdown(str):
    """Text that is Markdown already, and is not escaped again."""

    __slots__ = ()


def escape(text: str, max_characters: int = MAX_CHARACTERS) -> str:
    """Text of others as Markdown that shows it: on one line, fit for a cell of a table, without links or mentions."""
    line = cut(on_one_line(text), max_characters)
    line = html.escape(line, quote=False)
    line = _SPECIAL.sub(r"\\\g<0>", line)
    line = _UNDERSCORE_AT_EDGE.sub(r"\_", line)
    return _MENTION.sub("@&#8203;", line)  # nobody is called because a test has their name


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

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(PACKAGE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - HTML is not all that must be escaped: `finalize` does it
        finalize=lambda value: value if isinstance(value, Markdown) else escape(str(value)),
    )
