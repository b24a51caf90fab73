"""Estimates of the remaining work of a run, from the cost of finished points.

Points and tests differ in cost by orders of magnitude, and the cost of a test is unknown before it runs. A run
therefore begins with a sample of its points, spread evenly over tests and sizes. Until the sample has finished,
remaining points are assumed to cost as much as the mean of the finished ones. Later points run longest first, and each
remaining point is estimated from the points of its test that are nearest in size.
"""

from __future__ import annotations

import bisect
import math
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from nocbench.points.point import Point

_SAMPLED_ONE_OF = 8
_FEWEST_TO_SAMPLE = 4 * _SAMPLED_ONE_OF
"""Minimum number of tasks for a sample: in a short run, a sample would delay long points too much."""
_SPREAD = (math.sqrt(5) - 1) / 2
"""Golden ratio: the fractional parts of any number of its multiples are spread evenly."""

_LEAST_SECONDS = 1e-4

_Task = TypeVar("_Task", bound="Sequence[int]")


def sampled_first(points: Sequence[Point], tasks: Sequence[_Task]) -> tuple[list[_Task], set[int]]:
    """Moves an evenly spread sample of tasks to the front; all other tasks stay in order.

    Args:
        points: points of the run.
        tasks: positions of points that run together, the longest task first.

    Returns:
        The tasks, and the positions of the points in the sample.
    """
    if len(tasks) < _FEWEST_TO_SAMPLE:
        return list(tasks), set()
    by_size = sorted(range(len(tasks)), key=lambda index: (*_group_and_size(points[tasks[index][0]]), index))
    sample = by_size[_SAMPLED_ONE_OF // 2 :: _SAMPLED_ONE_OF]
    places = sorted(range(len(sample)), key=lambda place: place * _SPREAD % 1)
    chosen = set(sample)
    in_front = [tasks[sample[place]] for place in places]
    behind = [task for index, task in enumerate(tasks) if index not in chosen]
    return in_front + behind, {position for task in in_front for position in task}


def _group_and_size(point: Point) -> tuple[tuple[str, str], float]:
    return (point.arch, point.test), math.log(max(point.relative_cost, 1))


class RemainingWork:
    """Cost of the finished points of a run, and estimated cost of the remaining points."""

    def __init__(self, points: Sequence[Point], left: Collection[int], sample: Collection[int] = ()) -> None:
        """Stores the points, the positions of those to run, and the positions in the sample."""
        self._points = points
        self._left = set(left)
        self._sample_left = set(sample)
        self._sizes: dict[Hashable, list[float]] = {}
        self._log_seconds: dict[Hashable, list[float]] = {}
        self._num_done = 0
        self._seconds_done = 0.0

    def note(self, position: int, seconds: float | None) -> None:
        """Records a finished point and its processor time; None if unknown."""
        self._left.discard(position)
        self._sample_left.discard(position)
        if seconds is None:
            return
        group, size = _group_and_size(self._points[position])
        sizes = self._sizes.setdefault(group, [])
        place = bisect.bisect(sizes, size)
        sizes.insert(place, size)
        self._log_seconds.setdefault(group, []).insert(place, math.log(max(seconds, _LEAST_SECONDS)))
        self._num_done += 1
        self._seconds_done += seconds

    def ratio(self) -> float:
        """Returns the ratio of remaining to finished work; infinite before the first point has finished."""
        if self._seconds_done == 0:
            return math.inf if self._left else 0.0
        if self._sample_left:
            return len(self._left) / self._num_done
        return math.fsum(map(self._expected_seconds, self._left)) / self._seconds_done

    def _expected_seconds(self, position: int) -> float:
        group, size = _group_and_size(self._points[position])
        sizes = self._sizes.get(group)
        if sizes is None:
            return self._seconds_done / self._num_done
        return math.exp(_continued(sizes, self._log_seconds[group], size))


def _continued(sizes: Sequence[float], values: Sequence[float], size: float) -> float:
    """Returns the value at a size, interpolated.

    Above the largest size, extrapolates, at most in proportion to the size.
    """
    place = bisect.bisect(sizes, size)
    if place == 0:
        return values[0]
    last = min(place, len(sizes) - 1)
    before = bisect.bisect_left(sizes, sizes[last]) - 1  # nearest smaller size
    if before < 0:
        return values[last]
    slope = (values[last] - values[before]) / (sizes[last] - sizes[before])
    if place < len(sizes):
        return values[before] + slope * (size - sizes[before])
    return values[last] + min(max(slope, 0.0), 1.0) * (size - sizes[last])
