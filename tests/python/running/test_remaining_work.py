"""Estimate of a run's remaining time, compared with runs whose points take known times."""

from __future__ import annotations

import heapq
import math
import random
from typing import TYPE_CHECKING

import pytest

from nocbench.points.point import Point
from nocbench.running.remaining_work import RemainingWork, sampled_first

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NUM_WORKERS = 2


def make_points(num_tests: int, sizes: Sequence[int], counts: Sequence[int]) -> list[Point]:
    return [
        Point(
            "wormhole_b0",
            "",
            f"Test {test}",
            (("num_transactions", str(count)), ("call_size", str(size))),
            relative_cost=size * count,
        )
        for test in range(num_tests)
        for size in sizes
        for count in counts
    ]


def long_first(points: Sequence[Point]) -> list[list[int]]:
    return [[at] for at in sorted(range(len(points)), key=lambda at: (-points[at].relative_cost, at))]


def errors_of_estimate(points: Sequence[Point], seconds: Sequence[float], shares: Sequence[float]) -> list[float]:
    """Returns the ratio of estimated to true remaining time, at the given shares of a run's duration."""
    free = [0.0] * NUM_WORKERS
    ends = []
    tasks, sample = sampled_first(points, long_first(points))
    for (at,) in tasks:
        end = heapq.heappop(free) + seconds[at]
        heapq.heappush(free, end)
        ends.append((end, at))
    whole_seconds = max(free)
    errors = []
    for share in shares:
        work = RemainingWork(points, range(len(points)), sample)
        now_seconds = share * whole_seconds
        for end, at in ends:
            if end <= now_seconds:
                work.note(at, seconds[at])
        errors.append(now_seconds * work.ratio() / (whole_seconds - now_seconds))
    return errors


def uneven(point: Point) -> float:
    """Models one slow test among tests that take a hundredth of its time; time grows with size."""
    return (1e-2 if point.test == "Test 3" else 1e-4) * math.sqrt(point.relative_cost)


def saturating(point: Point) -> float:
    """Models shortened points, whose time stops growing at some size; each compiles its kernel."""
    return 0.1 + min(1e-5 * point.relative_cost, 1.0)


def compiled_or_not(point: Point) -> float:
    """Models tests that run quickly, but of which every other one first compiles its kernel for half a second."""
    return (0.5 if int(point.test.split()[1]) % 2 else 0.01) + 1e-7 * point.relative_cost


def nearly_all_short(point: Point) -> float:
    """Models points whose time grows up to some size."""
    return min(1e-5 * point.relative_cost, 0.02)


@pytest.mark.parametrize("cost", [uneven, saturating, compiled_or_not, nearly_all_short])
def test_is_true_within_a_factor_of_two_from_a_tenth_of_the_time_on(cost: Callable[[Point], float]) -> None:
    points = make_points(10, [64 << n for n in range(8)], [1, 4, 16, 64, 256])
    seconds = [cost(point) for point in points]
    assert all(0.5 < error < 2 for error in errors_of_estimate(points, seconds, [0.05, 0.1, 0.25, 0.5, 0.75]))


def test_of_equal_points_it_is_exact() -> None:
    points = make_points(5, [64], range(1, 101))
    assert errors_of_estimate(points, [1.0] * len(points), [0.1, 0.5]) == pytest.approx([1, 1])


def test_a_sample_has_points_of_every_test_and_size() -> None:
    points = make_points(4, [64 << n for n in range(8)], [1, 16])
    tasks = long_first(points)
    sampled, positions = sampled_first(points, tasks)
    assert sorted(sampled) == sorted(tasks)
    assert {at for (at,) in sampled[: len(positions)]} == positions
    assert {points[at].test for at in positions} == {point.test for point in points}
    assert len({points[at].relative_cost for at in positions}) > 1


def test_short_runs_begin_with_their_longest_points() -> None:
    points = make_points(1, [64, 128, 256], [1, 4])
    assert sampled_first(points, long_first(points)) == (long_first(points), set())


def test_points_without_a_time_are_not_left_either() -> None:
    points = make_points(1, [64], [1, 2, 3])
    work = RemainingWork(points, range(3))
    assert work.ratio() == math.inf
    work.note(0, 2.0)
    work.note(1, None)
    assert work.ratio() == 1
    work.note(2, 5.0)
    assert work.ratio() == 0


def test_points_that_were_taken_from_earlier_runs_do_not_count() -> None:
    points = make_points(2, [64], range(1, 11))
    left = random.Random(1).sample(range(20), 5)
    work = RemainingWork(points, left)
    work.note(left[0], 1.0)
    assert work.ratio() == pytest.approx(4)
