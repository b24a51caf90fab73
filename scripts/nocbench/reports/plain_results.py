"""Results that are compared with nothing, as points of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gate.verdicts import PointVerdict, Verdict
from nocbench.points.peaks import WRONG_DATA, fault_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench.support.columns import Row


def points_of(rows: Iterable[Row]) -> list[PointVerdict]:
    """The points of result rows, in their order: wrong ones are, all others have no verdict to speak of."""
    return [
        PointVerdict.of_row(
            row,
            Verdict.WRONG_DATA if (fault := fault_of(row)) else Verdict.UNGATED,
            head=row,
            reason=fault if fault != WRONG_DATA else "",
        )
        for row in rows
    ]
