"""Shards of a run, for machines that do not communicate. Every point is in exactly one shard."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.point import Point

_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several shards of equal work, numbered from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Returns the shard that a text such as "2/4" names. Raises InputError for an invalid one."""
        match = _SHARD.fullmatch(text.strip())
        if match is None:
            raise InputError(f"'{text}': a shard is NUMBER/COUNT, for example 1/4 for the first of four")
        number, count = int(match[1]), int(match[2])
        if not 1 <= number <= count:
            raise InputError(f"'{text}': shards of {count} are numbered from 1 to {count}")
        return cls(number, count)

    def __str__(self) -> str:
        """Returns the shard as on the command line."""
        return f"{self.number}/{self.count}"

    def positions(self, points: Sequence[Point]) -> list[int]:
        """Returns the positions of this shard's points in the whole run, in order.

        Assigns the points of each test, the most expensive first, to the shard with the least work of the test so far;
        among equals, to the shard with the least work of all tests. All shards thus have about equal work of each test,
        which matters since the relative cost of tests is unknown. The split depends on the points only.

        Raises:
            InputError: fewer points than shards.
        """
        if len(points) < self.count:
            raise InputError(f"shard {self}: expected at most as many shards as points, found {len(points)} points")
        tests: dict[tuple[str, str], list[int]] = {}
        for position, point in enumerate(points):
            tests.setdefault((point.test, point.arch), []).append(position)
        shards = range(self.count)
        total = [0.0] * self.count  # unit: work of a test
        mine = []
        for key in sorted(tests):
            positions = sorted(tests[key], key=lambda position: (-points[position].relative_cost, position))
            mean = math.fsum(points[position].relative_cost for position in positions) / len(positions)
            of_test = [0.0] * self.count
            for position in positions:
                shard = min(shards, key=lambda shard: (of_test[shard], total[shard], shard))
                # Adds the cost of an average point to each, as the base cost of any point.
                weight = points[position].relative_cost + mean if mean else 1.0
                of_test[shard] += weight
                total[shard] += weight / (2 * mean * len(positions)) if mean else weight / len(positions)
                if shard == self.number - 1:
                    mine.append(position)
        return sorted(mine)
