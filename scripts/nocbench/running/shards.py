"""Shards of a run, for machines that do not communicate: every point is in exactly one."""

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
    """One of several parts of equal work, numbered from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Reads "2/4". Raises InputError if there is no such shard."""
        match = _SHARD.fullmatch(text.strip())
        if match is None:
            raise InputError(f"'{text}': a shard is NUMBER/COUNT, for example 1/4 for the first of four")
        number, count = int(match[1]), int(match[2])
        if not 1 <= number <= count:
            raise InputError(f"'{text}': shards of {count} are numbered from 1 to {count}")
        return cls(number, count)

    def __str__(self) -> str:
        """Returns it as on the command line."""
        return f"{self.number}/{self.count}"

    def positions(self, points: Sequence[Point]) -> list[int]:
        """Returns the positions of this shard's points in the whole run, in order.

        Each point of a test, the most expensive first, goes to the shard with the least of the test so far, and among
        equals, with the least of all tests. So all have about the same work of each test, whose cost relative to other
        tests is unknown beforehand. The split depends on nothing but the points.

        Raises:
            InputError: there are fewer points than shards.
        """
        if len(points) < self.count:
            raise InputError(f"shard {self}: expected at most as many shards as points, found {len(points)} points")
        tests: dict[tuple[str, str], list[int]] = {}
        for position, point in enumerate(points):
            tests.setdefault((point.test, point.arch), []).append(position)
        shards = range(self.count)
        total = [0.0] * self.count  # in units of tests
        mine = []
        for key in sorted(tests):
            positions = sorted(tests[key], key=lambda position: (-points[position].relative_cost, position))
            mean = math.fsum(points[position].relative_cost for position in positions) / len(positions)
            of_test = [0.0] * self.count
            for position in positions:
                shard = min(shards, key=lambda shard: (of_test[shard], total[shard], shard))
                # Every point has a base cost: as if all were larger by an average one.
                weight = points[position].relative_cost + mean if mean else 1.0
                of_test[shard] += weight
                total[shard] += weight / (2 * mean * len(positions)) if mean else weight / len(positions)
                if shard == self.number - 1:
                    mine.append(position)
        return sorted(mine)
