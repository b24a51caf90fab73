"""The published tables, with the model's values beside the document's."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, number, signed_percent
from nocbench.pages.epiphany.curve_features import cycles_per_dword
from nocbench.pages.origins import medians_in_words
from nocbench.published.published_cells import (
    EXECUTORS,
    STATES,
    TABLES,
    ComparedCell,
    compare_cells,
    compared_rows,
    read_cells,
)
from nocbench.published.transfers import BUSY, CORE, EXTERNAL, SWEEP_BYTES
from nocbench.support.units import plural
from nocbench.support.wording import enumerate_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.pages.epiphany.runs import Runs

_ROWS = (("core", "busy"), ("core", "alone"), ("dma", "busy"), ("dma", "alone"), ("host", ""))
_NUM_CORES_OF_DOCUMENT = 16


def published_block(runs: Runs) -> Block | None:
    """Returns the block on the two published tables with their errors and a footnote; None without transfers."""
    compared = compare_cells(runs.curves, read_cells())
    if all(cell.best is None for cell in compared):
        return None
    block = Block("Published speeds")
    block.parts.append(
        "The document does not say how its speeds were averaged. According to raw data of its authors, most speeds are "
        f"means over all sizes ({SWEEP_BYTES[0]} to {SWEEP_BYTES[-1]} bytes in steps of {SWEEP_BYTES.step}). The other "
        f"speeds are for {SWEEP_BYTES[-1]} bytes. The tables have both values of the model. The value that is closer "
        "to the document is in bold, and the error belongs to this value. The host has the same speed for all sizes. "
        "An error is in italics if a constant was fitted to the cell, or was read from the cell or its raw data "
        "([docs/results.md](repository:docs/results.md#how-accuracy-was-earned))."
    )
    cells = [cell for cell in compared if not cell.cell.is_footnote]
    for target in TABLES:
        block.parts += [
            f"**{TABLES[target]}**, in MB/s:",
            _table([cell for cell in cells if cell.cell.target == target]),
        ]
    if any(cell.cell.target == CORE and cell.cell.addresses == "descending" and cell.best for cell in cells):
        block.parts.append(
            "The program of the document's authors has two loops for writes of an E-core to another E-core. The loop "
            "of the nonbusy writes goes from the last dword to the first dword. It is one instruction longer than the "
            "loop of the busy writes. The model uses the same loops. A core that works alone therefore writes more "
            "slowly than busy cores."
        )
    block.parts += [_errors(cells), *_order(cells)]
    block.parts += [text for cell in compared if cell.cell.is_footnote for text in _footnote(runs, cell, compared)]
    return block


def _table(cells: Sequence[ComparedCell]) -> Table:
    columns = {"executing entity": LEFT, "network": LEFT}
    for direction in ("read", "write"):
        columns |= {
            f"{direction}, mean": RIGHT,
            f"{direction}, {SWEEP_BYTES[-1]} B": RIGHT,
            f"{direction}, document": RIGHT,
            f"{direction}, error": RIGHT,
        }
    rows = []
    for executor, state in _ROWS:
        row = [EXECUTORS[executor], STATES[state]]
        for direction in ("read", "write"):
            of_cell = [
                cell
                for cell in cells
                if (cell.cell.executor, cell.cell.state, cell.cell.direction) == (executor, state, direction)
            ]
            row += _figures(of_cell[0]) if of_cell else [NOTHING] * 4
        rows.append(row)
    return Table(columns, rows)


def _figures(cell: ComparedCell) -> list[str]:
    def figure(value: float | None) -> str:
        return f"**{number(value)}**" if value is not None and value == cell.best else number(value)

    published = f"{cell.cell.megabytes_per_second:,g}"
    error = signed_percent(cell.error_percent)
    is_fitted = cell.cell.constants and cell.error_percent is not None
    return [figure(cell.mean), figure(cell.at_largest), published, f"*{error}*" if is_fitted else error]


def _errors(cells: Sequence[ComparedCell]) -> str:
    import numpy

    rows = compared_rows(cells)
    errors = [row.error_percent for row in rows]
    known = [cell for cell in cells if cell.error_percent is not None]
    worst = max(known, key=lambda cell: abs(cell.error_percent or 0))
    missing = (
        f" {plural(len(cells) - len(known), 'cell')} of the document have no results."
        if len(known) < len(cells)
        else ""
    )
    return (
        f"The model differs from {plural(len(errors), 'cell')} of the document by {sum(errors) / len(errors):.1f} % "
        f"in the mean, by {numpy.median(errors):.1f} % in the median, by {numpy.percentile(errors, 90):.1f} % at the "
        f"90th percentile, and by at most {max(errors):.1f} % ({worst.cell.name}: model {number(worst.best)} MB/s, "
        f"document {worst.cell.megabytes_per_second:g} MB/s).{missing} "
        + medians_in_words([(row.error_percent, row.is_fitted) for row in rows], "cell")
    )


def _order(cells: Sequence[ComparedCell]) -> list[str]:
    """Compares the order of speeds in document and model, for pairs of cells within a column of a table."""
    num_pairs = 0
    reversed_pairs = []
    for first, second in combinations([cell for cell in cells if cell.best is not None], 2):
        of_first, of_second = first.cell, second.cell
        same_column = (of_first.target, of_first.direction) == (of_second.target, of_second.direction)
        difference = of_first.megabytes_per_second - of_second.megabytes_per_second
        if not same_column or difference == 0:
            continue
        num_pairs += 1
        if ((first.best or 0) - (second.best or 0)) * difference <= 0:
            reversed_pairs.append(f"{of_first.name} and {of_second.name}")
    if not num_pairs:
        return []
    order = (
        f"{len(reversed_pairs)} of these pairs have another order in the model: {enumerate_phrases(reversed_pairs)}."
        if reversed_pairs
        else "All these pairs have the same order in the model."
    )
    return [f"In the columns of the document, {num_pairs} pairs of cells have different speeds. {order}"]


def _footnote(runs: Runs, footnote: ComparedCell, compared: Sequence[ComparedCell]) -> list[str]:
    """Describes the model's counterpart of the document's speed "without burst mode"."""
    if footnote.best is None:
        return []
    published = footnote.cell.megabytes_per_second
    slope = cycles_per_dword(runs.curve(footnote.cell.transfer))
    served = f" In long transfers, the link serves a write of this core every {slope:.1f} cycles." if slope else ""
    error_percent = footnote.error_percent or 0.0
    difference = f"{abs(error_percent):.1f} % {'lower' if error_percent < 0 else 'higher'}"
    text = (
        f"**Without burst mode.** A footnote of the document gives {published:g} MB/s for a single core that writes to "
        f"external memory without bursts. The model has {number(footnote.mean)} MB/s in the mean over all sizes, and "
        f"{number(footnote.at_largest)} MB/s at {SWEEP_BYTES[-1]} bytes. The closer of these two speeds is "
        f"{difference} than the footnote.{served} Raw cycle counts of the document's authors also have 32 cycles per "
        "dword, which is 150 MB/s. All cores together get the same 150 MB/s."
    )
    busy = next(
        cell
        for cell in compared
        if (cell.cell.target, cell.cell.direction, cell.cell.executor, cell.cell.state)
        == (EXTERNAL, "write", CORE, BUSY)
    )
    product = _NUM_CORES_OF_DOCUMENT * busy.cell.megabytes_per_second
    text += (
        f" The {published:g} MB/s are {_NUM_CORES_OF_DOCUMENT} times the {busy.cell.megabytes_per_second:g} MB/s of "
        f"the busy cell ({product:.1f} MB/s). The speed of this cell is a mean. Small blocks, which fit into buffers, "
        "and cores that finish early increase this mean."
    )
    if busy.mean is not None:
        text += (
            f" In the model, {_NUM_CORES_OF_DOCUMENT} times the busy mean is {_NUM_CORES_OF_DOCUMENT * busy.mean:.0f} "
            "MB/s."
        )
    tuned = "" if footnote.cell.constants else " No constant was fitted to the footnote."
    return [f"{text}{tuned} The statistics above do not include the footnote."]
