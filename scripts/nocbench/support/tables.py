"""Tables on standard output."""

from __future__ import annotations

import re
import sys
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
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    cells = [["" if cell is None else cell for cell in row] for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold", title=title or None, title_justify="left")
    for position, heading in enumerate(columns):
        numeric = all(_NUMBER.fullmatch(str(row[position])) for row in cells)
        table.add_column(heading, justify="right" if numeric else "left", overflow="fold")
    for row in cells:
        table.add_row(*(Text(str(cell)) for cell in row))
    file = file or sys.stdout
    width = None if file.isatty() else _UNLIMITED_WIDTH
    console = Console(width=width, highlight=False, soft_wrap=False)
    with console.capture() as capture:
        console.print(table)
    file.write("\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n")


def fits(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bool:
    """Whether a table on standard output has every row on one line: not so on a terminal that is too narrow."""
    if not sys.stdout.isatty():
        return True
    from rich.console import Console

    widths = [max(len(str(cell)) for cell in column) for column in zip(columns, *rows, strict=True)]
    return sum(widths) + _GAP * (len(widths) - 1) <= Console().width
