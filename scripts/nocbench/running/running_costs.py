"""Cost of running points: processor time, work and memory, and a table of costs."""

from __future__ import annotations

import contextlib
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from nocbench.points.point import Point

TABLE_COLUMNS = ("arch", "test", "points", "shortened", "CPU s", "share", "flit-hops", "M flit-hops/s", "peak MiB")
_ALL = "all"
_RESET_PEAK = "5"  # see proc(5), clear_refs: resets the peak of resident memory


@dataclass(slots=True)
class RunningCost:
    """Cost of one point, or of several.

    Attributes:
        points: number of points.
        shortened: number of points that were run with fewer transactions.
        cpu_seconds: CPU time of the process that ran the points, and of compilers that it started.
        flit_hops: number of flits times routers that they passed.
        peak_bytes: peak memory of the process, including the interpreter.
    """

    points: int = 0
    shortened: int = 0
    cpu_seconds: float = 0.0
    flit_hops: int = 0
    peak_bytes: int = 0

    def add(self, other: RunningCost) -> None:
        """Adds another cost."""
        self.points += other.points
        self.shortened += other.shortened
        self.cpu_seconds += other.cpu_seconds
        self.flit_hops += other.flit_hops
        self.peak_bytes = max(self.peak_bytes, other.peak_bytes)


class PointCost(NamedTuple):
    """A point with its cost."""

    point: Point
    cost: RunningCost


def processor_seconds() -> float:
    """Returns the processor time of this process and of its finished children, in seconds."""
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + of_children.ru_utime + of_children.ru_stime


@contextlib.contextmanager
def measured() -> Iterator[RunningCost]:
    """Measures the cost of one point in the block. The caller fills in the flit-hops."""
    # If this file cannot be written, the peak is that of all points so far.
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text(_RESET_PEAK)
    cost = RunningCost(points=1)
    begin_seconds = processor_seconds()
    yield cost
    cost.cpu_seconds = processor_seconds() - begin_seconds
    cost.peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def cost_table(costs: Iterable[PointCost]) -> list[list[str]]:
    """Returns rows for :data:`TABLE_COLUMNS`, the longest test first, and a last row for all tests."""
    by_test: dict[tuple[str, str], RunningCost] = {}
    total = RunningCost()
    for point, cost in costs:
        by_test.setdefault((point.arch, point.test), RunningCost()).add(cost)
        total.add(cost)
    longest_first = sorted(by_test.items(), key=lambda item: -item[1].cpu_seconds)
    rows = [_table_row(*name, cost, total) for name, cost in longest_first]
    return [*rows, _table_row(_ALL, _ALL, total, total)]


def _table_row(arch: str, test: str, cost: RunningCost, total: RunningCost) -> list[str]:
    return [
        arch,
        test,
        str(cost.points),
        str(cost.shortened),
        f"{cost.cpu_seconds:.1f}",
        f"{100 * cost.cpu_seconds / total.cpu_seconds if total.cpu_seconds else 0:.1f} %",
        f"{cost.flit_hops:.3g}",
        f"{cost.flit_hops / 1e6 / cost.cpu_seconds if cost.cpu_seconds else 0:.1f}",
        f"{cost.peak_bytes / 2**20:.0f}",
    ]
