"""Tables on standard output, and in HTML for notebooks."""

from __future__ import annotations

import re
import sys
from html import escape
from itertools import chain, groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO

_UNLIMITED_WIDTH = 10_000
_GAP = 2  # spaces between columns
_NUMBER = re.compile(r"([-+]?[\d.,]+( %)?)?")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", file: TextIO | None = None
) -> None:
    """Prints aligned columns: numbers to the right, text to the left.

    On a narrow terminal, cells wrap between words; on a very narrow one, leading cells that rows share are printed
    above these rows. In files and pipes, every row is one line.

    Args:
        columns: headings.
        rows: cells, one for each heading; None is an empty cell.
        title: line above the table.
        file: destination; standard output by default.
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
    lines = [list(columns), *cells]
    if file.isatty():
        width = _terminal_width()
        num_leading = next((at for at, is_numeric in enumerate(are_numeric) if is_numeric), len(columns))
        if sum(_least_widths(lines)) + _GAP * (len(columns) - 1) > width and 0 < num_leading < len(columns):
            _print_grouped(columns, cells, num_leading, width, title, file)
            return
    else:
        width = _UNLIMITED_WIDTH
    _print_rich(columns, cells, are_numeric, width, title, file)


def html_paragraphs(texts: Iterable[str]) -> str:
    """Returns a paragraph in HTML for each plain text."""
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


def html_table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "") -> str:
    """Returns a table of plain texts in HTML, with numbers to the right. The arguments are those of print_table()."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _html_cell(cell: object) -> str:
    text = "" if cell is None else str(cell)
    side = "right" if _NUMBER.fullmatch(text) else "left"
    return f'<td style="text-align: {side}; white-space: pre">{escape(text)}</td>'


def _terminal_width() -> int:
    from rich.console import Console

    return Console().width


def _least_widths(lines: Sequence[Sequence[str]]) -> list[int]:
    return [
        max((len(word) for cell in column for word in cell.split()), default=0) for column in zip(*lines, strict=True)
    ]


def _widths(lines: Sequence[Sequence[str]], width: int) -> list[int]:
    """Returns column widths.

    Narrows the widest column until the table fits, or all columns have the width of their longest word.
    """
    least = _least_widths(lines)
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    while sum(widths) + _GAP * (len(widths) - 1) > width:
        shrinkable = [at for at, of_column in enumerate(widths) if of_column > least[at]]
        if not shrinkable:
            break
        widths[max(shrinkable, key=lambda at: widths[at])] -= 1
    return widths


def _print_rich(
    columns: Sequence[str],
    cells: Sequence[Sequence[str]],
    are_numeric: Sequence[bool],
    width: int,
    title: str,
    file: TextIO,
) -> None:
    """Prints a table whose cells wrap between words."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", title=title or None, title_justify="left")
    widths = _widths([columns, *cells], width)
    for heading, is_numeric, of_column in zip(columns, are_numeric, widths, strict=True):
        table.add_column(heading, justify="right" if is_numeric else "left", overflow="fold", width=of_column)
    for row in cells:
        table.add_row(*map(Text, row))
    console = Console(width=max(width, sum(widths) + _GAP * len(widths)), highlight=False, soft_wrap=False)
    with console.capture() as capture:
        console.print(table)
    file.write("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def _print_grouped(
    columns: Sequence[str], cells: Sequence[Sequence[str]], num_leading: int, width: int, title: str, file: TextIO
) -> None:
    """Prints a table that is too wide even with one word per line, as one table per group of rows.

    Args:
        columns: headings.
        cells: cells of the rows.
        num_leading: number of leading cells that the rows of a group share, which are printed above the group.
        width: width of the terminal.
        title: line above the table.
        file: destination.
    """
    import textwrap

    def write_line(names: Sequence[str]) -> None:
        text = "  ".join(filter(None, names))
        file.write(textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False) + "\n")

    if title:
        file.write(f"{title}\n")
    write_line(columns[:num_leading])
    for names, rows in groupby(cells, key=lambda row: row[:num_leading]):
        write_line(names)
        rest = [["", *row[num_leading:]] for row in rows]
        are_numeric = [all(_NUMBER.fullmatch(row[at]) for row in rest) for at in range(len(columns) - num_leading + 1)]
        _print_rich(["", *columns[num_leading:]], rest, are_numeric, width, "", file)


def _print_plain(lines: Sequence[Sequence[str]], are_numeric: Sequence[bool], file: TextIO) -> None:
    """Prints a table without the library rich, whose import takes as long as running a point."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = [
            text.rjust(width) if is_numeric else text.ljust(width)
            for text, width, is_numeric in zip(line, widths, are_numeric, strict=True)
        ]
        file.write((" " * _GAP).join(padded).rstrip() + "\n")


def fits(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bool:
    """Returns True if every row of a table fits on a line of standard output."""
    if not sys.stdout.isatty():
        return True
    widths = [max(len(str(cell)) for cell in column) for column in zip(columns, *rows, strict=True)]
    return sum(widths) + _GAP * (len(widths) - 1) <= _terminal_width()
