"""Published cycles of the latch unit by Etherbone, with those of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.points.swept_tests import list_tests
from nocbench.published.accuracy_tables import ComparedRow, ComparedTable, with_variants
from nocbench.published.cycle_times import LATCH_UNIT, CycleTimes
from nocbench.published.fitted_rows import constants_of_rows, read_table

if TYPE_CHECKING:
    import pandas

ARCHITECTURE = "etherbone"
DOCUMENT = "Etherbone Performance Measurements"
_TABLE = "etherbone/latch_unit_2018_02.csv"


@dataclass(frozen=True, slots=True)
class LatchRow:
    """A published time of a cycle of three reads and a write.

    Attributes:
        test: corresponding test.
        year: year of the measurement.
        microseconds: duration of a cycle.
        constants: constants fitted to the row.
    """

    test: str
    year: int
    microseconds: float
    constants: tuple[str, ...]

    @property
    def name(self) -> str:
        """Host and bridge: "SCU3 PCIe"."""
        return self.test.removeprefix(LATCH_UNIT).strip()

    def modeled(self, times: CycleTimes) -> float | None:
        """Returns the model's microseconds per cycle, in the longest run; None without results."""
        by_cycles = times.per_cycle(self.test)
        return by_cycles[max(by_cycles)] if by_cycles else None


def latch_rows() -> list[LatchRow]:
    """Returns the published rows, in the order of their table."""
    return [
        LatchRow(row["test"], int(row["year"]), float(row["microseconds"]), constants)
        for row, constants in zip(read_table(_TABLE), constants_of_rows(ARCHITECTURE, _TABLE), strict=True)
    ]


def published_tests() -> set[tuple[str, str]]:
    """Returns the (arch, test) of the published rows."""
    return {(ARCHITECTURE, row["test"]) for row in read_table(_TABLE)}


def compared_latch_rows(times: CycleTimes) -> list[ComparedRow]:
    """Returns the published rows that have modeled times, in order."""
    return [
        ComparedRow(modeled, row.microseconds, bool(row.constants), row.name, "µs")
        for row in latch_rows()
        if (modeled := row.modeled(times)) is not None
    ]


def compared_cycles(results: pandas.DataFrame) -> list[ComparedTable]:
    """Compares results with published cycles, on the default boards of the tests and without settings.

    Returns:
        A single entry; empty if the results contain none of the tests. Rows of absent tests do not count as missing.
    """
    rows = results[(results["arch"] == ARCHITECTURE) & results["test"].isin([test for _, test in published_tests()])]
    if rows.empty or "clock_hz" not in rows.columns:
        return []
    rows = with_variants(rows)
    boards = {test.test: test.board for test in list_tests(ARCHITECTURE)}
    is_published = [
        params == "" and board in (boards[test], "")
        for test, board, params in zip(rows["test"], rows["board"], rows["params"], strict=True)
    ]
    of_tests = {str(test): of_test for test, of_test in rows[is_published].groupby("test", sort=False)}
    compared = tuple(compared_latch_rows(CycleTimes(ARCHITECTURE, of_tests)))
    if not compared:
        return []
    return [ComparedTable(ARCHITECTURE, DOCUMENT, "Cycles of the latch unit", "", "", compared, 0, "time of a cycle")]
