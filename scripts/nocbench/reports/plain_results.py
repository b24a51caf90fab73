"""Results without a comparison, as points of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gating.verdicts import PointVerdict, Verdict
from nocbench.points.peaks import why_no_result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nocbench.support.columns import Row


def points_of(rows: Iterable[Row]) -> list[PointVerdict]:
    """Returns the points of result rows, in order.

    Rows with faults have the verdict "wrong data", all others "ungated".
    """
    return [
        PointVerdict.of_row(row, Verdict.WRONG_DATA if reason else Verdict.UNGATED, head=row, reason=reason)
        for row, reason in ((row, why_no_result(row)) for row in rows)
    ]
