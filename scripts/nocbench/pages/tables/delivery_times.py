"""Table of the times of different ways to write the same data to the cores of a grid."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from nocbench.pages.one_to_all_tests import OneToAllTest
from nocbench.support.units import format_size
from nocbench.support.wording import cycles, destinations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.pages.sections import Section

_WAYS: tuple[tuple[str, Literal["unicast", "multicast"], bool], ...] = (
    ("unicast", "unicast", False),
    ("unlinked", "multicast", False),
    ("linked", "multicast", True),
)
_NOT_RUN = "-"


@dataclass(frozen=True, slots=True)
class DeliveryTimes:
    """Table of the cycles until all receivers have acknowledged.

    Attributes:
        columns: names of the columns: grid, number of receivers, then each way of writing, for one or two points.
        rows: rows as text, one per grid.
    """

    columns: list[str]
    rows: list[list[str]]


def delivery_times(sections: Sequence[Section]) -> DeliveryTimes | None:
    """Returns the times in the sections of one-to-all tests, with the most transactions.

    Returns:
        The table; None unless there are both unicast and multicast tests, on one board, with the parameters that their
        names imply.
    """
    by_test: dict[OneToAllTest, Section] = {}
    for section in sections:
        test = OneToAllTest.of(section)
        if test is not None and not section.variant and all("." in name for name in section.changed):
            by_test[test] = section
    unicast = sorted((test for test in by_test if test.cast == "unicast"), key=lambda test: test.loopback)
    if not unicast or len(unicast) == len(by_test) or len({(s.board, s.params) for s in by_test.values()}) > 1:
        return None
    latencies_cycles = {test: _latencies_cycles(section) for test, section in by_test.items()}
    points = latencies_cycles[unicast[0]]
    if not points:
        return None
    most = max(count for count, _ in points)
    sizes_bytes = sorted(size_bytes for count, size_bytes in points if count == most)
    ends = [(most, size_bytes) for size_bytes in dict.fromkeys((sizes_bytes[0], sizes_bytes[-1]))]
    columns = [f"{count} x {format_size(size_bytes)}, {name}" for count, size_bytes in ends for name, _, _ in _WAYS]
    rows = []
    for test in unicast:
        grid = f"{test.grid} grid" if test.grid == "whole" else test.grid
        row = [f"{grid} with loopback" if test.loopback else grid]
        row.append(str(destinations(by_test[test].results.iloc[0])))
        for point in ends:
            for _, cast, linked in _WAYS:
                latency_cycles = latencies_cycles.get(replace(test, cast=cast, linked=linked), {}).get(point)
                row.append(cycles(latency_cycles) if latency_cycles is not None else _NOT_RUN)
        rows.append(row)
    return DeliveryTimes(["grid", "receivers", *columns], rows)


def _latencies_cycles(section: Section) -> dict[tuple[int, int], float]:
    """Returns latencies by number of transactions and bytes per call; empty if results lack the bytes per call."""
    rows = section.results
    if "call_size_bytes" not in rows.columns:
        return {}
    points = zip(rows["num_transactions"], rows["call_size_bytes"], strict=True)
    return dict(zip(points, rows["latency_cycles"], strict=True))
