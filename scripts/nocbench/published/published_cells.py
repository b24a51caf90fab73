"""Published speeds of the Parallella, cell by cell, with those of the model.

The document does not define its averages. According to raw data of its authors, most figures are the mean speed over
all sizes, and some are the speed at the largest size. Both are computed, and the closer one is compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from nocbench.published.accuracy_tables import ComparedRow, ComparedTable
from nocbench.published.fitted_rows import constants_of_rows, read_table
from nocbench.published.transfers import (
    CORE,
    DESCENDING,
    EXTERNAL,
    HOST,
    HOST_TESTS,
    SIZE_TESTS,
    SWEEP_BYTES,
    Transfer,
    curves_of,
    speeds_by_size,
    transfers_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from nocbench.published.transfers import Curves

ARCHITECTURE = "epiphany_iii"
BOARD = "parallella"
"""Board of the measurements."""

DOCUMENT = "Parallella transfer speeds"
_TABLE = "transfer_speeds/parallella_2016_03.csv"
TABLES = {EXTERNAL: "Transfers to external memory", CORE: "Transfers to other cores"}
EXECUTORS = {"core": "E-core", "dma": "E-core DMA", "host": "host"}
STATES = {"busy": "busy", "alone": "nonbusy", "": "n.a."}
"""Terms of the document for executors and states."""

_DIRECTIONS = {
    (EXTERNAL, "read"): "external read",
    (EXTERNAL, "write"): "external write",
    (CORE, "read"): "other E-core read",
    (CORE, "write"): "other E-core write",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """A published speed.

    Attributes:
        target, direction, executor, state: as in :class:`Transfer`, except that `executor` is "core" for a core's loop
            in either order.
        addresses: order of a core's writes if it matters, "ascending" or "descending"; else empty.
        megabytes_per_second: published speed.
        constants: constants fitted to the cell.
    """

    target: str
    direction: str
    executor: str
    state: str
    addresses: str
    megabytes_per_second: float
    constants: tuple[str, ...] = ()

    @property
    def is_footnote(self) -> bool:
        """True for the footnote below the table: a core that writes to external memory without bursts."""
        return self.target == EXTERNAL and self.addresses == "descending"

    @property
    def transfer(self) -> Transfer:
        """The corresponding transfer."""
        executor = DESCENDING if self.addresses == "descending" else self.executor
        return Transfer(self.target, self.direction, executor, self.state)

    @property
    def name(self) -> str:
        """The cell in words: "other E-core read, E-core DMA, busy"."""
        parts = [_DIRECTIONS[self.target, self.direction], EXECUTORS[self.executor]]
        return ", ".join([*parts, STATES[self.state]] if self.state else parts)


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A cell with the model's speeds in MB/s; None without results.

    Attributes:
        mean: mean speed over the published sizes; None for the host.
        at_largest: speed at the largest size.
    """

    cell: Cell
    mean: float | None
    at_largest: float | None

    @property
    def best(self) -> float | None:
        """Speed that is closer to the published one."""
        published = self.cell.megabytes_per_second
        speeds = [speed for speed in (self.mean, self.at_largest) if speed is not None]
        return min(speeds, key=lambda speed: abs(speed - published)) if speeds else None

    @property
    def error_percent(self) -> float | None:
        """Relative error in percent: (model - published) / published."""
        if self.best is None:
            return None
        return 100 * (self.best - self.cell.megabytes_per_second) / self.cell.megabytes_per_second


@cache
def read_cells() -> tuple[Cell, ...]:
    """Returns the published cells, including the footnote, in the order of the document.

    Raises:
        InputError: the file does not exist.
    """
    return tuple(
        Cell(
            target=row["target"],
            direction=row["direction"],
            executor=row["executor"],
            state=row["state"],
            addresses=row["addresses"],
            megabytes_per_second=float(row["megabytes_per_second"]),
            constants=constants,
        )
        for row, constants in zip(read_table(_TABLE), constants_of_rows(ARCHITECTURE, _TABLE), strict=True)
    )


def compare_cells(curves: Curves, cells: Sequence[Cell]) -> list[ComparedCell]:
    """Compares published cells with the transfers of one board and one set of constants."""
    return [_compare(speeds_by_size(curves, cell.transfer), cell) for cell in cells]


def _compare(speeds: Mapping[int, float], cell: Cell) -> ComparedCell:
    if cell.executor == HOST:
        return ComparedCell(cell, None, speeds[max(speeds)] if speeds else None)
    complete = all(size in speeds for size in SWEEP_BYTES)
    mean = sum(speeds[size] for size in SWEEP_BYTES) / len(SWEEP_BYTES) if complete else None
    return ComparedCell(cell, mean, speeds.get(SWEEP_BYTES[-1]))


def compared_rows(compared: Sequence[ComparedCell]) -> list[ComparedRow]:
    """Returns the cells that have results, without the footnote."""
    return [
        ComparedRow(
            cell.best, cell.cell.megabytes_per_second, bool(cell.cell.constants), cell.cell.name, "MB/s"
        )
        for cell in compared
        if cell.best is not None and not cell.cell.is_footnote
    ]  # fmt: skip


def published_tests() -> set[tuple[str, str]]:
    """Returns the (arch, test) of the cells."""
    return {(ARCHITECTURE, test) for test in (*SIZE_TESTS, *HOST_TESTS)}


def compared_transfer_speeds(results: pandas.DataFrame) -> list[ComparedTable]:
    """Compares results of the published board, without settings, with the two published tables of speeds.

    Returns:
        An entry per table with a test in the results. Cells of absent tests do not count as missing.
    """
    transfers = transfers_of(results[results["arch"] == ARCHITECTURE])
    transfers = transfers[(transfers["settings"] == "") & transfers["board"].isin([BOARD, ""])]
    curves = curves_of(transfers)
    held = {(transfer.target, transfer.direction, transfer.executor == HOST) for transfer in curves}
    tables = []
    for target, table in TABLES.items():
        cells = [
            cell
            for cell in read_cells()
            if cell.target == target
            and not cell.is_footnote
            and (cell.target, cell.direction, cell.executor == HOST) in held
        ]
        if cells:
            rows = tuple(compared_rows(compare_cells(curves, cells)))
            missing = len(cells) - len(rows)
            tables.append(ComparedTable(ARCHITECTURE, DOCUMENT, table, BOARD, "", rows, missing, "speed"))
    return tables
