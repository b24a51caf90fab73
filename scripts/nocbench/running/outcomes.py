"""What running a point gives: result rows, or a crash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.support.errors import NocbenchError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.point import Point
    from nocbench.running.running_costs import RunningCost
    from nocbench.support.columns import Row


class Measured(NamedTuple):
    """What running a point gave: its rows without `revision`, its details as JSON if they are wanted, what it took."""

    rows: list[Row]
    details: str
    cost: RunningCost


@dataclass(frozen=True, slots=True)
class Crash:
    """A point that gave no result."""

    point: Point
    reason: str

    def describe(self) -> str:
        """The configuration, the reason, and how to run it alone."""
        return f"crashed: {self.point.describe()}: {self.reason}\n  reproduce: {self.point.command()}"


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
