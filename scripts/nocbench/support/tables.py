"""Tables on standard output."""

from __future__ import annotations

import re
import sys
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

_UNLIMITED_WIDTH = 10_000
_GAP = 2  # between columns
_NUMBER = re.compile(r"([-+]?[\d.,]+( %)?)?")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", file: TextIO | None = None
) -> None:
    """Prints aligned columns: numbers to the right, text to the left.

    On a terminal, cells wrap where it is narrow; in files and pipes every row is one line.

    Args:
        columns: headings.
        rows: cells, one for each heading; None is an empty cell.
        title: a line above.
        file: where to; standard output by default.
    """
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    are_numeric = [all(_NUMBER.fullmatch(row[position]) for row in cells) for position in range(len(columns))]
    file = file or sys.stdout
    if (
        not title
        and not file.isatty()
        and all(text.isascii() and text.isprintable() for text in (*columns, *chain(*cells)))
    ):
        _print_plain([columns, *cells], are_numeric, file)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", title=title or None, title_justify="left")
    for heading, is_numeric in zip(columns, are_numeric, strict=True):
        table.add_column(heading, justify="right" if is_numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    width = None if file.isatty() else _UNLIMITED_WIDTH
    console = Console(width=width, highlight=False, soft_wrap=False)
    with console.capture() as capture:
        console.print(table)
    file.write("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def _print_plain(lines: Sequence[Sequence[str]], are_numeric: Sequence[bool], file: TextIO) -> None:
    """The same without the library, whose import takes as long as running a point."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = [
            text.rjust(width) if is_numeric else text.ljust(width)
            for text, width, is_numeric in zip(line, widths, are_numeric, strict=True)
        ]
        file.write((" " * _GAP).join(padded).rstrip() + "\n")


def fits(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bool:
    """Whether a table on standard output has every row on one line: not so on a terminal that is too narrow."""
    if not sys.stdout.isatty():
        return True
    from rich.console import Console

    widths = [max(len(str(cell)) for cell in column) for column in zip(columns, *rows, strict=True)]
    return sum(widths) + _GAP * (len(widths) - 1) <= Console().width
