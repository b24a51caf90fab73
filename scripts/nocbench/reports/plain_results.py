"""Results that are compared with nothing, as points of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gate.verdicts import PointVerdict, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench.support.columns import Row


def points_of(rows: Iterable[Row]) -> list[PointVerdict]:
    """The points of result rows, in their order: wrong ones are, all others have no verdict to speak of."""
    return [
        PointVerdict.of_row(row, Verdict.UNGATED if row.get("data_ok", True) else Verdict.WRONG_DATA, head=row)
        for row in rows
    ]
