"""Rows of points that were simulated packet by packet, and where they must not stand for exact ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.results.same_points import describe
from nocbench.support.columns import ACCURACY, FAST, changed_values
from nocbench.support.errors import NotComparableError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from nocbench.support.columns import Row


def is_fast(row: Row) -> bool:
    """Whether a row is of a point that was simulated packet by packet."""
    return changed_values(str(row.get("params", ""))).get(ACCURACY) == FAST


def require_exact(path: Path, rows: Iterable[Row]) -> None:
    """Raises NotComparableError, with the first such row, if rows of a file are of such points."""
    fast = next((row for row in rows if is_fast(row)), None)
    if fast is not None:
        raise NotComparableError(
            f"{path}: expected exact results, found those of --accuracy fast, the first of {describe(fast)}; run its "
            "points again without --accuracy; 'nocbench compare' puts fast and exact results side by side"
        )
