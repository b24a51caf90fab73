"""Reading of tables of flows from CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.flow_tables.cells import COLUMN_NAMES, COLUMNS, REQUIRED, Complaint, Rows, parse_cell
from nocbench.flow_tables.flow_table import FlowTable
from nocbench.support.errors import InputError, Mistakes, did_you_mean
from nocbench.support.input_files import csv_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.architectures.memories import Memories
    from nocbench.flow_tables.cells import Column

_COMMENT = "#"


def read_csv_table(path: Path, memories: Memories) -> FlowTable:
    """Returns the table of flows in a file, for a machine. Lines that begin with # are comments.

    Raises:
        InputError: no such file, or mistakes in it; the message gives line and column of each.
    """
    header, rows, lines = _read(path)
    _require_columns(path, header, lines)
    mistakes = Mistakes()
    for row, line in zip(rows, lines[1:], strict=True):
        if len(row) != len(header):
            mistakes.note(f"{path}:{line}: expected {len(header)} cells, as in the header, found {len(row)}")
    mistakes.complain()
    if not rows:
        raise InputError(f"{path}: expected a row for each flow below the header, found none")
    by_column = dict(zip(header, zip(*rows, strict=True), strict=True))
    complaints: list[Complaint] = []
    columns = [_values(column, by_column.get(column.name), len(rows), memories, complaints) for column in COLUMNS]
    flows = Rows(memories)
    if not complaints:
        for values in zip(*columns, strict=True):
            flows.add(values)
        flows.finish()
        complaints = flows.complaints
    for complaint in sorted(complaints):
        mistakes.note(f"{path}:{lines[1 + complaint.row]}: {complaint.column}: {complaint.text}")
    mistakes.complain()
    return FlowTable(path, flows.groups, flows.flows, lines[1:])


def _read(path: Path) -> tuple[list[str], list[list[str]], list[int]]:
    """Returns the header, the rows below it, and the line numbers of both."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for line, row in csv_rows(path, "a table of flows as CSV"):
        if not row[0].startswith(_COMMENT):
            rows.append(row)
            lines.append(line)
    if not rows:
        raise InputError(f"{path}: expected a header with the columns {', '.join(REQUIRED)}, found an empty file")
    return [name.strip() for name in rows[0]], rows[1:], lines


def _require_columns(path: Path, header: Sequence[str], lines: Sequence[int]) -> None:
    mistakes = Mistakes()
    for name in header:
        if name not in COLUMN_NAMES:
            hint = did_you_mean(name, COLUMN_NAMES) or f"; there are: {', '.join(COLUMN_NAMES)}"
            mistakes.note(f"{path}:{lines[0]}: expected the name of a column, found '{name}'{hint}")
        elif header.count(name) > 1:
            mistakes.note(f"{path}:{lines[0]}: expected each column once, found '{name}' again")
    for name in REQUIRED:
        if name not in header:
            mistakes.note(f"{path}:{lines[0]}: expected a column '{name}', found none")
    mistakes.complain()


def _values(
    column: Column, texts: Sequence[str] | None, num_rows: int, memories: Memories, complaints: list[Complaint]
) -> list[Any]:
    """Returns the values of a column. Parses each distinct text once, since most cells of a column are equal."""
    if texts is None:
        return [column.default] * num_rows
    known: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for text in set(texts):
        try:
            known[text] = parse_cell(column, text.strip(), memories)
        except InputError as error:
            wrong[text] = str(error)
    if wrong:
        complaints += [Complaint(row, column.name, wrong[text]) for row, text in enumerate(texts) if text in wrong]
        return []
    return [known[text] for text in texts]
