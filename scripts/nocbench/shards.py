"""Parts of a run for machines that know nothing of each other: every point is in exactly one shard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.selection import Point

_SHARD = re.compile(r"(\d{1,9})/(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Shard:
    """One of several parts of equal work, the first being 1."""

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
        """As on the command line."""
        return f"{self.number}/{self.count}"

    def positions(self, points: Sequence[Point]) -> list[int]:
        """Where the points of this shard are among those of the whole run, in their order.

        Like cards: the points of a test are put in order of their cost and dealt out, in turn from the first shard to
        the last one and back. So shards have the same number of points, give or take one, and of each test about the
        same work. It depends on nothing but the points.

        Raises:
            InputError: there are fewer points than shards.
        """
        if len(points) < self.count:
            raise InputError(f"shard {self}: expected at most as many shards as points, found {len(points)} points")

        def by_test_and_cost(position: int) -> tuple[str, str, float, int]:
            point = points[position]
            return point.test, point.arch, -point.relative_cost, position

        mine = (self.number - 1, 2 * self.count - self.number)
        order = sorted(range(len(points)), key=by_test_and_cost)
        return sorted(position for rank, position in enumerate(order) if rank % (2 * self.count) in mine)
