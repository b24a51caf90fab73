"""Basis of the model's figures: calibrated constants with their effects, predictions, runs with other values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, link_to, number
from nocbench.pages.epiphany.curve_features import cycles_per_dword
from nocbench.pages.epiphany.mesh_blocks import LOAD_HOP_CYCLES, LOAD_START_CYCLES
from nocbench.points.constants import calibrated_constants
from nocbench.published.published_cells import EXECUTORS, STATES, Cell, read_cells
from nocbench.published.transfers import (
    ALONE,
    BUSY,
    CORE,
    DESCENDING,
    DMA,
    EXTERNAL,
    SWEEP_BYTES,
    Transfer,
    speeds_by_size,
)
from nocbench.support.columns import changed_values
from nocbench.support.units import format_size
from nocbench.support.wording import enumerate_phrases

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from nocbench.architectures.description import Architecture
    from nocbench.pages.epiphany.runs import Runs
    from nocbench.published.transfers import Curves

_LEAST_CHANGE_PERCENT = 2
"""Minimum change of a cell's speed, in percent, for which the cell counts as dependent on a constant."""


def constants_block(runs: Runs, headings: Collection[str]) -> Block:
    """Returns the block on fitted and measured constants, with the cells that depend on them, and on predictions.

    Args:
        runs: results of the page.
        headings: headings on the page that links can refer to.
    """
    steps = {
        constant.path: runs.variants.get((runs.board, f"{constant.path}={constant.step_up}"))
        for constant in calibrated_constants(runs.arch)
    }
    has_steps = any(rows is not None for rows in steps.values())
    block = Block("What the figures rest on")
    text = (
        f"The table has the constants of [{runs.arch}.yaml](repository:device_model/archs/{runs.arch}.yaml) that were "
        "measured or fitted to measurements. All other constants are documented, or estimated if no measurement shows "
        "them."
    )
    if has_steps:
        sizes = {
            size
            for variant in steps.values()
            for transfer in variant or {}
            for size in speeds_by_size(variant or {}, transfer)
        }
        text += (
            " The column *larger* has the value increased by 10 %. The increased value of a whole number is rounded "
            "up. With this larger value, the model was run again for blocks of "
            f"{enumerate_phrases([format_size(size) for size in sorted(sizes)])}. The last column lists the cells "
            f"whose speed changes by at least {_LEAST_CHANGE_PERCENT} % at one of these sizes."
        )
    columns = {"constant": LEFT, "value": RIGHT, "unit": LEFT, "status": LEFT, "basis": LEFT}
    if has_steps:
        columns |= {"larger": RIGHT, "cells that depend on it": LEFT}
    rows = []
    for constant in calibrated_constants(runs.arch):
        row = [f"`{constant.path}`", constant.value, constant.unit, constant.status]
        row.append((constant.fitted_to or constant.source).replace("|", "\\|"))
        if has_steps:
            variant = steps[constant.path]
            row += [constant.step_up, NOTHING if variant is None else _cells_in_words(_resting(runs, variant))]
        rows.append(row)
    block.parts += [text, Table(columns, rows)]
    predictions = _predictions(runs, headings)
    if predictions:
        block.parts += [
            (
                "The next table has predictions. No constant was chosen for these results. They follow from the "
                "mechanisms of the model, with constants that are documented or come from other measurements."
            ),
            Table({"predicted": LEFT, "expected": LEFT, "model": LEFT}, predictions),
        ]
    return block


def _resting(runs: Runs, variant: Curves) -> list[Cell]:
    """Returns the cells whose speed changes in a variant."""
    cells = []
    for cell in read_cells():
        usual = speeds_by_size(runs.curves, cell.transfer)
        others = speeds_by_size(variant, cell.transfer)
        changes_percent = [100 * abs(speed / usual[size] - 1) for size, speed in others.items() if size in usual]
        if max(changes_percent, default=0.0) >= _LEAST_CHANGE_PERCENT:
            cells.append(cell)
    return cells


def _cells_in_words(cells: list[Cell]) -> str:
    if not cells:
        return "none"
    groups: dict[str, list[str]] = {}
    for cell in cells:
        where = "external" if cell.target == EXTERNAL else "other E-core"
        state = "single" if cell.is_footnote else STATES[cell.state] if cell.state else ""
        groups.setdefault(f"{where} {cell.direction}", []).append(
            " ".join(part for part in (EXECUTORS[cell.executor], state) if part)
        )
    return "; ".join(f"{group}: {', '.join(names)}" for group, names in groups.items())


def _predictions(runs: Runs, headings: Collection[str]) -> list[list[str]]:
    def slope(*fields: str) -> float | None:
        return cycles_per_dword(runs.curve(Transfer(*fields)))

    def speed(*fields: str) -> float | None:
        return speeds_by_size(runs.curves, Transfer(*fields)).get(SWEEP_BYTES[-1])

    rows = []
    if "External memory, busy" in headings:
        rows.append(
            [
                "shares and finish times of the columns in busy writes",
                "1/2 : 1/3 : 1/4 : 1/4 of the speed of a row",
                link_to("External memory, busy", "above", headings),
            ]
        )
    busy, alone = speed(CORE, "write", "core", BUSY), speed(CORE, "write", DESCENDING, ALONE)
    if busy is not None and alone is not None:
        rows.append(
            [
                "busy and nonbusy writes to other cores, which differ in the loop and the cold start",
                "509 and 441 MB/s",
                f"{number(busy)} and {number(alone)} MB/s at {SWEEP_BYTES[-1]} bytes",
            ]
        )
    if "Loads from other cores" in headings:
        rows.append(
            [
                "time per hop of a load from another core",
                f"{LOAD_HOP_CYCLES} cycles (the {LOAD_START_CYCLES} cycles without hops are measured)",
                link_to("Loads from other cores", "above", headings),
            ]
        )
    dma_write = slope(CORE, "write", DMA, ALONE)
    if dma_write is not None:
        rows.append(
            [
                "DMA writes between cores, at the rate of the erratum",
                "1000 MB/s, and less than half of 8 bytes per cycle",
                (
                    f"{number(speed(CORE, 'write', DMA, ALONE))} MB/s at {SWEEP_BYTES[-1]} bytes, "
                    f"{dma_write:.1f} cycles per dword"
                ),
            ]
        )
    dma_read = slope(CORE, "read", DMA, ALONE)
    if dma_read is not None:
        rows.append(
            [
                "DMA reads between cores, nonbusy: a request every 8 cycles, and polls of the engine's status",
                "12 cycles per dword, which agree with the document's 300 MB/s",
                f"{dma_read:.1f} cycles per dword",
            ]
        )
    return rows


def contradictions_block(runs: Runs, headings: Collection[str]) -> Block:
    """Returns the block on the document's contradictions, to itself, to the machine or to the manual.

    Args:
        runs: results of the page.
        headings: headings on the page that links can refer to.
    """
    switched = runs.variants.get((runs.board, "mesh.reads_follow_writes=0"))
    ordering = ""
    if switched is not None:
        changes = [change for change in _changes(runs, switched).values() if change is not None]
        most = max((abs(change) for change in changes), default=0.0)
        ordering = (
            f" With the other rule, the speeds of the cells at {SWEEP_BYTES[-1]} bytes change by at most {most:.1f} %."
        )
    block = Block("Where the document contradicts itself")
    block.parts.append(
        '- **"2048 KB".** The document gives this size for the transfers in the tables. It must mean 2048 bytes, '
        "because a core has only 32 KB of memory, and the program of the document's authors has no larger transfers.\n"
        "- **226 MB/s.** The document gives this speed for a single core that writes without bursts. No core reaches "
        f"this speed, as explained for {link_to('Published speeds', 'the footnote', headings)}.\n"
        '- **"The bottom-right core gets a third".** This statement is a simplification. Packets leave '
        "the mesh at the east edge of their row, so that "
        f"{link_to('External memory, busy', 'the columns have different speeds and the rows do not', headings)}.\n"
        "- **Busy writes.** Busy writes to other cores are faster than nonbusy writes, because the two kinds of runs "
        "used different loops.\n"
        "- **Order of a read after a write.** The document says that a read cannot overtake an earlier write. The "
        "Epiphany Architecture Reference says that it can, if both go to another core. The model follows the "
        f"document, and `--set mesh.reads_follow_writes=0` selects the other rule.{ordering}"
    )
    return block


def what_if_block(runs: Runs) -> Block | None:
    """Returns the block on speeds at the largest size with other boards and settings; None without results."""
    steps = {f"{constant.path}={constant.step_up}" for constant in calibrated_constants(runs.arch)}
    variants = {key: rows for key, rows in runs.variants.items() if key != (runs.board, "") and key[1] not in steps}
    variants = {
        key: variants[key]
        for key in sorted(variants, key=lambda key: _place_of_variant(key, runs.board))
        if any(_at_largest(variants[key], cell) is not None for cell in read_cells())
    }
    if not variants:
        return None
    picked = [cell for cell in read_cells() if cell.executor != "host"]
    table_rows = []
    for direction, target in (("write", EXTERNAL), ("read", EXTERNAL), ("write", CORE), ("read", CORE)):
        for cell in [cell for cell in picked if (cell.direction, cell.target) == (direction, target)]:
            usual = _at_largest(runs.curves, cell)
            if usual is None:
                continue
            row = [_short_name(cell), number(usual)]
            row += [number(_at_largest(rows, cell)) for rows in variants.values()]
            table_rows.append(row)
    names = [_name_of_variant(key, runs.architecture) for key in variants]
    letters = [chr(ord("A") + position) for position in range(len(names))]
    block = Block("What if")
    legend = "\n".join(f"- **{letter}**: {name}" for letter, name in zip(letters, names, strict=True))
    block.parts += [
        (
            f"The table has the speeds of transfers of {SWEEP_BYTES[-1]} bytes with other constants and on "
            "another board, in MB/s. These speeds are predictions, and nobody has measured them. `nocbench run --set "
            "FIELD=VALUE` or `nocbench run --board BOARD` makes such a run. "
            "`scripts/studies/run_beside_full_tier.py` makes all runs of this table, and the runs above with larger "
            "constants."
        ),
        legend,
        Table({"transfer": LEFT, "as it is": RIGHT, **dict.fromkeys(letters, RIGHT)}, table_rows),
    ]
    return block


def _place_of_variant(key: tuple[str, str], board: str) -> tuple[object, ...]:
    """Returns the sort key of a variant: other boards first; then by number of settings, fields and values."""
    name, settings = key
    values = changed_values(settings)
    return name == board, name, len(values), list(values), [float(value) for value in values.values()]


def _at_largest(curves: Curves, cell: Cell) -> float | None:
    return speeds_by_size(curves, cell.transfer).get(SWEEP_BYTES[-1])


def _changes(runs: Runs, variant: Curves) -> Mapping[str, float | None]:
    """Returns the change of each cell's speed at the largest size, in percent."""
    changes: dict[str, float | None] = {}
    for cell in read_cells():
        usual, other = _at_largest(runs.curves, cell), _at_largest(variant, cell)
        if usual is not None and other is not None:
            changes[cell.name] = 100 * (other / usual - 1)
    return changes


def _short_name(cell: Cell) -> str:
    where = "external" if cell.target == EXTERNAL else "core"
    how = {"ascending": ", burst", "descending": ", single" if cell.is_footnote else ""}.get(cell.addresses, "")
    return f"{where} {cell.direction}, {EXECUTORS[cell.executor]}, {STATES[cell.state]}{how}"


def _name_of_variant(key: tuple[str, str], architecture: Architecture) -> str:
    name, settings = key
    words = ""
    if described := architecture.boards.get(name):
        words = f" ({described['description'].rstrip('.')}, {described['clock_hz'] / 1e6:g} MHz)"
    parts: Iterable[str] = [
        *([f"board `{name}`{words}"] if name != architecture.default_board else []),
        *(f"`{field}={value}`" for field, value in changed_values(settings).items()),
    ]
    return ", ".join(parts)
