"""Import of published tables in Markdown. Headings give architecture, test and kernel; rows are points."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nocbench.architectures.files import architecture_names
from nocbench.results.headings import (
    PARAMETER_HEADINGS,
    architecture_in,
    column_called,
    kernel_in,
    kernel_of_riscv,
    riscv_in,
)
from nocbench.support.columns import COMMON_COLUMNS
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIXES = (".md", ".markdown")

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_RULE = re.compile(r":?-+:?")


def read_markdown(path: Path) -> tuple[list[str], list[tuple[int, list[str]]], str]:
    """Reads all tables with the columns of measurements in a Markdown file.

    The headings above a table give values without a column: an architecture, a kernel ("Sender", "Reader"), and the
    lowest other heading as the name of the test.

    Returns:
        Names of the seven common columns and of parameters, each row with its line, and the place of the header.

    Raises:
        InputError: no such table, or a table without one of the seven common columns.
    """
    lines = read_text(path, "tables in Markdown").splitlines()
    names = [column.name for column in COMMON_COLUMNS]
    found: list[tuple[int, dict[str, str]]] = []
    for columns, context, rows in _tables(lines):
        for line, cells in rows:
            values = context | {
                name: cell for name, cell in zip(columns, cells, strict=False) if name is not None and cell
            }
            if "riscv" in values:
                values.setdefault("kernel", values["riscv"])
            missing = [name for name in names if name not in values]
            if missing:
                raise InputError(
                    f"{path}:{line}: expected a column or a heading that says {', '.join(missing)}, found none"
                )
            values["arch"] = _arch_in(values["arch"]) or values["arch"]
            values["kernel"] = _kernel_in(values["kernel"]) or values["kernel"]
            found.append((line, {name: _plain(cell) for name, cell in values.items()}))
    if not found:
        raise InputError(
            f"{path}: expected a table with columns for transactions, size, latency and bandwidth, found none"
        )
    names += [name for name in PARAMETER_HEADINGS if any(name in values for _, values in found)]
    return names, [(line, [values.get(name, "") for name in names]) for line, values in found], str(path)


def _tables(lines: list[str]) -> Iterator[tuple[list[str | None], dict[str, str], list[tuple[int, list[str]]]]]:
    headings: dict[int, str] = {}
    number = 0
    while number < len(lines):
        heading = _HEADING.fullmatch(lines[number].strip())
        if heading is not None:
            level = len(heading[1])
            headings = {other: text for other, text in headings.items() if other < level} | {level: heading[2]}
        if _is_row(lines[number]) and number + 1 < len(lines) and _is_rule(lines[number + 1]):
            columns = [column_called(cell) for cell in _cells(lines[number])]
            number += 2
            rows = []
            while number < len(lines) and _is_row(lines[number]):
                rows.append((number + 1, _cells(lines[number])))
                number += 1
            if {"num_transactions", "transaction_size_bytes", "latency_cycles"} <= set(columns):
                yield columns, _context(headings), rows
            continue
        number += 1


def _context(headings: dict[int, str]) -> dict[str, str]:
    context: dict[str, str] = {}
    for _, text in sorted(headings.items()):
        if _arch_in(text):
            context["arch"] = text
        elif _kernel_in(text):
            context["kernel"] = text
        else:
            context["test"] = text
    return context


def _is_row(line: str) -> bool:
    return line.strip().startswith("|")


def _is_rule(line: str) -> bool:
    return _is_row(line) and all(_RULE.fullmatch(cell) for cell in _cells(line))


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _arch_in(text: str) -> str | None:
    return next((arch for arch in architecture_names() if architecture_in(text) == arch), None)


def _kernel_in(text: str) -> str | None:
    riscv = riscv_in(text)
    return kernel_in(text) if riscv is None else kernel_of_riscv(riscv)


def _plain(cell: str) -> str:
    """Returns a cell without emphasis, and numbers without thousands separators."""
    text = cell.strip("*`_ ")
    return text.replace(",", "") if re.fullmatch(r"[\d,]+(\.\d+)?", text) else text
