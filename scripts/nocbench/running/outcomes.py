"""Outcomes of points: result rows with faults of data, or a crash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.support.errors import NocbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.point import Point
    from nocbench.running.running_costs import RunningCost
    from nocbench.support.columns import Row


MAX_WRONG_SHOWN = 20


class Measured(NamedTuple):
    """Result of a point.

    Attributes:
        rows: result rows without `revision`.
        data_faults: first fault of the data, by row; empty if all data are right.
        details: details as JSON if requested, else empty.
        cost: cost of the run.
        key: key of all inputs except kernels; empty if some are unknown. See :mod:`nocbench.running.inputs`.
        kernels: digest of the sources of kernels; empty if no kernel was compiled.
    """

    rows: list[Row]
    data_faults: list[str]
    details: str
    cost: RunningCost
    key: str = ""
    kernels: str = ""


@dataclass(frozen=True, slots=True)
class Crash:
    """A point without a result, and the reason."""

    point: Point
    reason: str

    def describe(self) -> str:
        """Returns configuration, reason, and a command that runs the point alone."""
        return f"crashed: {self.point.describe()}: {self.reason}\n  reproduce: {self.point.command()}"


def wrong_data_lines(rows: Sequence[Row], data_faults: Sequence[str], most: int = MAX_WRONG_SHOWN) -> list[str]:
    """Returns a line per row with wrong data, each with its first fault."""
    wrong = [(row, fault) for row, fault in zip(rows, data_faults, strict=True) if not row["data_ok"]]
    lines = [
        f"wrong data: {row['test']}, {row['kernel']}, on {row['arch']} ({row['board']}), "
        f"num_transactions={row['num_transactions']}, call_size={row['call_size_bytes']}"
        + (f", {row['params']}" if row["params"] else "")
        + (f": {fault}" if fault else "")
        for row, fault in wrong[:most]
    ]
    if len(wrong) > most:
        lines.append(f"wrong data: ... and {len(wrong) - most} more rows whose data_ok is False")
    return lines


class IncompleteResultsError(NocbenchError):
    """Error about crashed points.

    Attributes:
        rows: result rows of all other points, in order.
        crashes: crashed points, each with configuration and reason.
    """

    def __init__(self, rows: Sequence[dict[str, Any]], crashes: Sequence[Crash]) -> None:
        """Stores rows and crashes. The message describes the crashes."""
        self.rows = list(rows)
        self.crashes = list(crashes)
        super().__init__("\n".join(crash.describe() for crash in crashes))
