"""Bandwidth against transaction size below two roofs: points with the roofs that hold for them.

The roofs of a sweep of sizes are:

- latency: with `n` transactions in flight, a transaction of `size` bytes ends at most every `round trip / n` cycles, so
  that the bandwidth is at most `size * n / round trip`. At most all transactions of a point are in flight. The round
  trip is the shortest time of a single transaction in the sweep.
- link width: the bytes per cycle that the links of the test can carry.

Sweeps whose rows add up more links than nocbench knows of have no roof of link width, and are left out.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nocbench.pages.picture_axes import COUNTS, KERNEL, SIZES, axes_of, combinations, having, values_in_words
from nocbench.points.peaks import ROUNDING_SHARE
from nocbench.results.result_files import rows_of
from nocbench.support.errors import NothingMatchedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas

    from nocbench.pages.sections import Section

_BANDWIDTH = "bandwidth_bytes_per_cycle"


@dataclass(frozen=True, slots=True)
class RooflinePoint:
    """A point below its roofs.

    Attributes:
        num_transactions: transactions of the point, of which at most all are in flight.
        transaction_size_bytes: bytes of a transaction.
        bandwidth_bytes_per_cycle: bandwidth of the point.
        limiter: column of the result row.
        latency_roof_bytes_per_cycle: size * transactions / round trip.
        link_roof_bytes_per_cycle: width of the links.
    """

    num_transactions: int
    transaction_size_bytes: int
    bandwidth_bytes_per_cycle: float
    limiter: str
    latency_roof_bytes_per_cycle: float
    link_roof_bytes_per_cycle: float

    @property
    def roof(self) -> str:
        """The lower roof: "latency" or "link"."""
        return "latency" if self.latency_roof_bytes_per_cycle < self.link_roof_bytes_per_cycle else "link"

    @property
    def share_of_roof(self) -> float:
        """Bandwidth as a share of the lower roof."""
        return self.bandwidth_bytes_per_cycle / min(self.latency_roof_bytes_per_cycle, self.link_roof_bytes_per_cycle)


@dataclass(frozen=True, slots=True)
class Roofline:
    """A sweep of sizes below its roofs.

    Attributes:
        arch, test, board, kernel: columns of the result rows.
        params: parameters and settings of the sweep that are not on an axis, in words; empty without any.
        round_trip_cycles: shortest time of a single transaction.
        link_bytes_per_cycle: the roof of link width.
        points: points, by number of transactions and size.
    """

    arch: str
    test: str
    board: str
    kernel: str
    params: str
    round_trip_cycles: float
    link_bytes_per_cycle: float
    points: tuple[RooflinePoint, ...]

    @property
    def title(self) -> str:
        """Sweep in words."""
        return ", ".join(part for part in (self.test, self.arch, self.kernel, self.params) if part)

    @property
    def counts(self) -> list[int]:
        """Numbers of transactions, ascending."""
        return sorted({point.num_transactions for point in self.points})

    def knee_bytes(self, num_transactions: int) -> float:
        """Returns the transaction size at which both roofs meet: link width * round trip / transactions."""
        return self.link_bytes_per_cycle * self.round_trip_cycles / num_transactions

    def table(self) -> list[dict[str, Any]]:
        """Returns a row per point, with the columns of all rooflines."""
        sweep = asdict(self)
        del sweep["points"]
        return [
            sweep | asdict(point) | {"roof": point.roof, "share_of_roof": point.share_of_roof} for point in self.points
        ]


def rooflines_of(sections: Iterable[Section]) -> list[Roofline]:
    """Returns a roofline for each sweep of sizes that includes single transactions, in order.

    Raises:
        NothingMatchedError: there is no such sweep.
    """
    found = [roofline for section in sections for roofline in _of_section(section)]
    if not found:
        raise NothingMatchedError(
            "expected a sweep of transaction sizes that includes num_transactions=1 for the round trip, over "
            " links whose width is known; found none in the chosen results"
        )
    return found


def _of_section(section: Section) -> list[Roofline]:
    along = axes_of(section)
    if along is None or along.along != SIZES:
        return []
    names = (KERNEL, *(name for name in (*along.lines, *along.panels) if name != COUNTS))
    sweeps = [(values, having(along.results, names, values)) for values in combinations(names, along.results)]
    return [
        _roofline(section, values[0], values_in_words(names[1:], values[1:]), rows.sort_values([COUNTS, SIZES]))
        for values, rows in sweeps
        if rows[COUNTS].min() == 1
        and rows[SIZES].nunique() > 1
        and rows[_BANDWIDTH].max() <= section.theoretical_of_kernels[values[0]] * (1 + ROUNDING_SHARE)
    ]


def _roofline(section: Section, kernel: str, varied: str, rows: pandas.DataFrame) -> Roofline:
    single = rows[rows[COUNTS] == 1]
    # Not the column of latencies: in some tests, it is the time of a part of the work.
    round_trip_cycles = float((single[SIZES] / single[_BANDWIDTH]).min())
    link_bytes_per_cycle = section.theoretical_of_kernels[kernel]
    return Roofline(
        arch=section.arch,
        test=section.test,
        board=section.board,
        kernel=kernel,
        params=", ".join(filter(None, (*section.params.split(";"), varied))),
        round_trip_cycles=round_trip_cycles,
        link_bytes_per_cycle=link_bytes_per_cycle,
        points=tuple(
            RooflinePoint(
                num_transactions=row[COUNTS],
                transaction_size_bytes=row[SIZES],
                bandwidth_bytes_per_cycle=row[_BANDWIDTH],
                limiter=row["limiter"],
                latency_roof_bytes_per_cycle=row[SIZES] * row[COUNTS] / round_trip_cycles,
                link_roof_bytes_per_cycle=link_bytes_per_cycle,
            )
            for row in rows_of(rows)
        ),
    )
