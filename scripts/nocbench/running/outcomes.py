"""Outcomes of points: result rows with faults of their data, or a crash."""

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
        rows: its result rows without `revision`.
        data_faults: per row, the first fault of its data; empty where they are right.
        details: details as JSON if they are wanted, else empty.
        cost: its cost.
        key: key of all inputs, except kernels; empty: not all are known. See :mod:`nocbench.running.inputs`.
        kernels: a digest of the sources of kernels; empty: none were compiled.
    """

    rows: list[Row]
    data_faults: list[str]
    details: str
    cost: RunningCost
    key: str = ""
    kernels: str = ""


@dataclass(frozen=True, slots=True)
class Crash:
    """A point without a result."""

    point: Point
    reason: str

    def describe(self) -> str:
        """Describes the configuration, the reason, and how to run it alone."""
        return f"crashed: {self.point.describe()}: {self.reason}\n  reproduce: {self.point.command()}"


def wrong_data_lines(rows: Sequence[Row], data_faults: Sequence[str], most: int = MAX_WRONG_SHOWN) -> list[str]:
    """Returns a line per row with wrong data, with its first fault."""
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
    """Some points crashed.

    Attributes:
        rows: the result rows of all other points, in order.
        crashes: the crashed points, each with its configuration and the reason.
    """

    def __init__(self, rows: Sequence[dict[str, Any]], crashes: Sequence[Crash]) -> None:
        """Describes the crashes in the message."""
        self.rows = list(rows)
        self.crashes = list(crashes)
        super().__init__("\n".join(crash.describe() for crash in crashes))
