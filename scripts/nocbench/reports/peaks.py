"""The theoretical maximum of a result row's bandwidth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.points import simulator
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.support.columns import Row


def peak_bytes_per_cycle(row: Row) -> float | None:
    """The highest bandwidth that a row can have; None if this revision does not model its architecture.

    Reports can be made of results of any revision, and where the simulator was not built: then they go without.
    """
    try:
        return simulator.theoretical_bytes_per_cycle(
            str(row["arch"]), str(row["test"]), str(row.get("board", "")), str(row.get("params", ""))
        )
    except (InputError, ImportError):
        return None
