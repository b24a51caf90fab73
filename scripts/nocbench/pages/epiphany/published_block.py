"""The published tables, model and document side by side."""

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
    """The two tables, what they say about the model, and the footnote of the first; None without transfers."""
    compared = compare_cells(runs.curves, read_cells())
    if all(cell.best is None for cell in compared):
        return None
    block = Block("Published speeds")
    block.parts.append(
        "The document does not say what its figures are averages of. Raw data of its authors give most of them as the "
        f"mean of the speeds over all sizes, {SWEEP_BYTES[0]} to {SWEEP_BYTES[-1]} bytes in steps of "
        f"{SWEEP_BYTES.step}, and some as the speed at {SWEEP_BYTES[-1]} bytes. The tables have both; the one that is "
        "closer to the document is in bold, and the error is that of it. The host has one speed whatever the size. "
        "Errors in italics belong to cells that a constant was fitted to or read from, or from whose raw data it was "
        "read ([which rows count](../../docs/results.md#how-accuracy-was-earned))."
    )
    cells = [cell for cell in compared if not cell.cell.is_footnote]
    for target in TABLES:
        block.parts += [f"**{TABLES[target]}**, MB/s:", _table([cell for cell in cells if cell.cell.target == target])]
    if any(cell.cell.target == CORE and cell.cell.addresses == "descending" and cell.best for cell in cells):
        block.parts.append(
            "The published nonbusy writes of an E-core to another one were made with the loop that goes from the last "
            "dword to the first, one instruction longer than the one of the busy runs (program of the document's "
            "authors), and so are those of the model: that is why a core that is alone writes more slowly than busy "
            "ones."
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
        f"Over {plural(len(errors), 'cell')}, the error without sign is {sum(errors) / len(errors):.1f} % on average, "
        f"{numpy.median(errors):.1f} % in the median, {numpy.percentile(errors, 90):.1f} % at the 90th percentile and "
        f"{max(errors):.1f} % at most ({worst.cell.name}: {number(worst.best)} MB/s, in the document "
        f"{worst.cell.megabytes_per_second:g}).{missing} "
        + medians_in_words([(row.error_percent, row.is_fitted) for row in rows], "cell")
    )


def _order(cells: Sequence[ComparedCell]) -> list[str]:
    """Whether what is faster in the document is faster in the model, pair by pair within a column of a table."""
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
    if reversed_pairs:
        return [
            (
                f"Of {num_pairs} pairs of cells in a column that differ in the document, {len(reversed_pairs)} are "
                f"not in the same order in the model: {enumerate_phrases(reversed_pairs)}."
            )
        ]
    return [
        f"All {num_pairs} pairs of cells in a column that differ in the document are in the same order in the model."
    ]


def _footnote(runs: Runs, footnote: ComparedCell, compared: Sequence[ComparedCell]) -> list[str]:
    """What becomes of the speed "without burst mode"."""
    if footnote.best is None:
        return []
    published = footnote.cell.megabytes_per_second
    slope = cycles_per_dword(runs.curve(footnote.cell.transfer))
    served = f": it is served a write every {slope:.1f} cycles in the long run" if slope else ""
    text = (
        f"**Without burst mode.** The document has a footnote: {published:g} MB/s for a single core that writes to "
        f"external memory without bursts. The model has {number(footnote.mean)} MB/s on the average of all sizes and "
        f"{number(footnote.at_largest)} MB/s at {SWEEP_BYTES[-1]} bytes ({signed_percent(footnote.error_percent)})"
        f"{served}. Raw cycle counts of the document's authors say the same, 32 cycles per dword or 150 MB/s, and the "
        "150 MB/s are also what all cores get together."
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
        f"the busy cell ({product:.1f}), a mean of speeds in which small blocks that fit into buffers and cores that "
        "finish early count as much as the others"
    )
    if busy.mean is not None:
        text += (
            f"; in the model {_NUM_CORES_OF_DOCUMENT} times the busy mean are {_NUM_CORES_OF_DOCUMENT * busy.mean:.0f}"
        )
    tuned = "" if footnote.cell.constants else "Nothing was tuned to it, and it"
    return [f"{text}. {tuned or 'It'} is not among the cells counted above."]
