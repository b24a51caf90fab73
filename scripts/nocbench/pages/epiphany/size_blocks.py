"""Speed against size with one active core, with the curves' features beside those in the document."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, number, signed_percent
from nocbench.pages.epiphany.curve_features import (
    bytes_moved_in,
    crossover_bytes,
    cycles_per_dword,
    jumps,
    knee_bytes,
)
from nocbench.pages.epiphany.drawings import CloseUp, Line, draw_sizes
from nocbench.published.published_cells import read_cells
from nocbench.published.transfers import ALONE, BUSY, CORE, DESCENDING, DMA, EXTERNAL, SWEEP_BYTES, Transfer
from nocbench.support.wording import enumerate_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.pages.epiphany.runs import Runs

KNEE_BYTES = 70
START_BYTES = 150
"""Numbers of the document on writes to external memory.

They are the size at which the slope changes, and the bytes that a core writes while its DMA engine starts.
"""

_FIRST_BYTES = 256

_FEATURE_COLUMNS = {"": LEFT, "document": RIGHT, "model": RIGHT, "difference": RIGHT}


class _Feature(NamedTuple):
    """A row of a table of features: the document's statement, in words and as a number, and the model's value."""

    name: str
    document: str
    published: float | None
    modeled: float | None
    unit: str

    def row(self) -> list[str]:
        difference = None
        if self.published is not None and self.modeled is not None:
            difference = 100 * (self.modeled - self.published) / self.published
        modeled = NOTHING if self.modeled is None else f"{number(self.modeled)} {self.unit}"
        return [self.name, self.document or NOTHING, modeled, signed_percent(difference)]


def size_blocks(runs: Runs) -> list[Block]:
    """Returns the blocks on external memory and on transfers between cores, as far as there are results."""
    return [block for block in (_external(runs), _between_cores(runs)) if block is not None]


def _external(runs: Runs) -> Block | None:
    find = partial(_curve, runs, EXTERNAL)
    lines = _lines(
        [
            ("E-core write, burst", find("write", "core"), True),
            ("E-core write, single", find("write", DESCENDING), True),
            ("DMA write", find("write", DMA), True),
            ("E-core read", find("read", "core"), False),
            ("DMA read", find("read", DMA), False),
        ],
        EXTERNAL,
    )
    if not lines:
        return None
    burst, single, dma = find("write", "core"), find("write", DESCENDING), find("write", DMA)
    start = _least(dma)
    found, of_dma = jumps(burst), jumps(dma)
    features = [
        _Feature(
            "start of the DMA engine: time of an 8-byte write", "slightly less than 500 cycles", 500, start, "cycles"
        ),
        _Feature(
            "bytes that single writes of the core move in this time",
            f"about {START_BYTES} bytes",
            START_BYTES,
            None if start is None else bytes_moved_in(single, start),
            "bytes",
        ),
        _Feature(
            "bytes that a burst of the core moves in this time",
            "",
            None,
            None if start is None else bytes_moved_in(burst, start),
            "bytes",
        ),
        _Feature(
            "size from which DMA writes take less time than single writes",
            "",
            None,
            crossover_bytes(single, dma),
            "bytes",
        ),
        _Feature(
            "size from which DMA writes take less time than a burst", "", None, crossover_bytes(burst, dma), "bytes"
        ),
        _Feature(
            "size at which the slope of single writes changes",
            f"around {KNEE_BYTES} bytes",
            KNEE_BYTES,
            knee_bytes(single),
            "bytes",
        ),
        _Feature(
            "size at which single writes are fastest", f"{KNEE_BYTES} bytes", KNEE_BYTES, _fastest(single), "bytes"
        ),
        _Feature("cycles per dword of long single writes", "", None, cycles_per_dword(single), "cycles"),
        _Feature(
            "time of a read of 2048 bytes by a core, nonbusy",
            "150 000 cycles",
            150_000,
            _most(find("read", "core")),
            "cycles",
        ),
        _Feature(
            "time of a read of 2048 bytes by a core, busy",
            "",
            None,
            _most(runs.curve(Transfer(EXTERNAL, "read", "core", BUSY))),
            "cycles",
        ),
    ]
    block = Block("External memory, nonbusy")
    block.parts += [
        (
            f"One core at a time transfers {SWEEP_BYTES[0]} to {SWEEP_BYTES[-1]} bytes to or from external memory. "
            "Writes with ascending addresses form bursts. Writes with descending addresses are single writes, as in "
            "the program of the document's authors. Like the document, the panel of durations does not show reads. The "
            f"lower panels show the first {_FIRST_BYTES} bytes of the upper panels, with the two sizes that the "
            "document mentions."
        ),
        _picture(
            runs,
            "External memory, nonbusy",
            "external_memory_alone",
            lines,
            CloseUp(
                _FIRST_BYTES,
                [
                    (KNEE_BYTES, f"document: the slope changes at {KNEE_BYTES} bytes"),
                    (START_BYTES, f"document: {START_BYTES} bytes while the DMA engine starts"),
                ],
            ),
        ),
        _features(features),
    ]
    if found:
        places = [
            f"{jump.first_bytes} to {jump.last_bytes} bytes (+{jump.cycles:.0f} cycles)"
            if jump.last_bytes > jump.first_bytes
            else f"{jump.first_bytes} bytes (+{jump.cycles:.0f} cycles)"
            for jump in found
        ]
        block.parts.append(
            f"**Jumps.** The curve of bursts jumps at {enumerate_phrases(places)}. The core fills the buffer in front "
            "of the link faster than the link empties it. When the buffer is full, the burst stops until the buffer is "
            'empty. The document shows jumps "at specific positions", but gives no numbers. In raw cycle counts of its '
            "authors, the jumps are at 776 to 808 bytes and at 1490 to 1536 bytes, and take 160 to 230 cycles."
            + (f" In the model, the DMA engine writes faster, and stops {len(of_dma)} times." if of_dma else "")
        )
    block.parts.append(
        "**Core or DMA.** In the document, a core writes 150 bytes while its DMA engine starts. At the end of this "
        "time, the engine has written nothing. The curves therefore cross at a larger size."
    )
    return block


def _between_cores(runs: Runs) -> Block | None:
    find = partial(_curve, runs, CORE)
    lines = _lines(
        [
            ("E-core write, ascending", find("write", "core"), True),
            ("E-core write, descending", find("write", DESCENDING), True),
            ("DMA write", find("write", DMA), True),
            ("E-core read", find("read", "core"), True),
            ("DMA read", find("read", DMA), True),
        ],
        CORE,
    )
    if not lines:
        return None
    ascending, descending, dma = find("write", "core"), find("write", DESCENDING), find("write", DMA)
    read, dma_read = find("read", "core"), find("read", DMA)
    features = [
        _Feature("start of the DMA engine: time of an 8-byte write", "500 cycles", 500, _least(dma), "cycles"),
        _Feature(
            "size from which DMA writes take less time than the published loop (descending)",
            "roughly 300 bytes",
            300,
            crossover_bytes(descending, dma),
            "bytes",
        ),
        _Feature(
            "size from which DMA writes take less time than the loop of the busy runs (ascending)",
            "",
            None,
            crossover_bytes(ascending, dma),
            "bytes",
        ),
        _Feature(
            "size from which DMA reads take less time than reads of the core",
            "",
            None,
            crossover_bytes(read, dma_read),
            "bytes",
        ),
        _Feature("cycles per dword, ascending writes", "", None, cycles_per_dword(ascending), "cycles"),
        _Feature("cycles per dword, descending writes", "", None, cycles_per_dword(descending), "cycles"),
        _Feature("cycles per dword, reads", "", None, cycles_per_dword(read), "cycles"),
    ]
    block = Block("Core to core, nonbusy")
    block.parts += [
        (
            "One core at a time transfers to or from the next core. The last core transfers to or from the first core. "
            "The paths have one, four or six hops."
        ),
        _picture(runs, "Core to core, nonbusy", "core_to_core_alone", lines),
        _features(features),
    ]
    return block


def _curve(runs: Runs, target: str, direction: str, executor: str) -> pandas.DataFrame:
    return runs.curve(Transfer(target, direction, executor, ALONE))


def _lines(candidates: Sequence[tuple[str, pandas.DataFrame, bool]], target: str) -> list[Line]:
    """Returns lines for all candidates with at least two sizes, with the document's speeds."""
    published = {cell.transfer: cell.megabytes_per_second for cell in read_cells() if not cell.is_footnote}
    return [
        Line(
            label,
            rows,
            published.get(Transfer(target, rows["direction"].iloc[0], rows["executor"].iloc[0], ALONE)),
            in_times,
        )
        for label, rows, in_times in candidates
        if len(rows) > 1
    ]


def _picture(runs: Runs, title: str, file_stem: str, lines: Sequence[Line], close_up: CloseUp | None = None) -> Picture:
    full_title = f"{title}, {runs.arch}"
    return Picture(full_title, runs.arch, file_stem, partial(draw_sizes, full_title, lines, close_up))


def _features(features: Sequence[_Feature]) -> Table:
    return Table(_FEATURE_COLUMNS, [feature.row() for feature in features if feature.modeled is not None])


def _least(rows: pandas.DataFrame) -> float | None:
    """Returns the cycles for 8 bytes; None without a result."""
    first = rows[rows["size_bytes"] == SWEEP_BYTES[0]]["latency_cycles"]
    return None if first.empty else float(first.iloc[0])


def _most(rows: pandas.DataFrame) -> float | None:
    """Returns the cycles for 2048 bytes; None without a result."""
    last = rows[rows["size_bytes"] == SWEEP_BYTES[-1]]["latency_cycles"]
    return None if last.empty else float(last.iloc[0])


def _fastest(rows: pandas.DataFrame) -> float | None:
    if len(rows) < 2:
        return None
    return float(rows["size_bytes"].iloc[int(rows["megabytes_per_second"].argmax())])
