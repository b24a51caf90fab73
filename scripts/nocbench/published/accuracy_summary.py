"""Accuracy of the model against all published measurements of silicon, by group and family of tests, and in total.

All documents, `nocbench accuracy` and the pages use these figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.points.catalogue import in_use
from nocbench.published.accuracy_tables import LATENCY, percentiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from nocbench.published.accuracy_tables import ComparedTable


UNCONTENDED, MULTICAST, DRAM, MANY_CORES, API_2026 = (
    *("uncontended", "multicast", "DRAM", "many cores", "API of 2026"),
)
GROUPS = {
    UNCONTENDED: "one core moves data of cores or of the host, by unicasts",
    MULTICAST: "one core multicasts",
    DRAM: "one core moves data of DRAM",
    MANY_CORES: "many cores move data at once",
    API_2026: "uncontended, by the API of objects of 2026",
}
"""Groups of published tables, which are the questions that the accuracy answers, with their contents in words."""


def group_of(table: ComparedTable) -> str:
    """Returns the group of a published table."""
    if "Multicast" in table.test:
        return MULTICAST
    if table.num_cores > 1:
        return MANY_CORES
    if "DRAM" in table.test:
        return DRAM
    return API_2026 if " 2.0" in table.test else UNCONTENDED


@dataclass(frozen=True, slots=True)
class FamilyAccuracy:
    """Latency errors of a family of tests, or of a group.

    Attributes:
        family: primitive of the tests, or one of GROUPS.
        points, missing, median_percent, p90_percent, max_percent: as in
            :class:`nocbench.published.accuracy_tables.TableAccuracy`, over the rows of all tables of the family.
        within_1_percent: share of the points, from 0 to 1, with an error of at most 1 %; None without points.
    """

    family: str
    points: int
    missing: int
    median_percent: float | None = None
    p90_percent: float | None = None
    max_percent: float | None = None
    within_1_percent: float | None = None


@dataclass(frozen=True, slots=True)
class AccuracySummary:
    """Latency errors of results against all published measurements of silicon.

    Attributes:
        groups: groups with tables, in the order of GROUPS.
        families: families by median error, the lowest first; families without points last.
        total: accuracy over the points of all families, with an empty name.
        num_architectures: number of architectures in the tables.
    """

    groups: tuple[FamilyAccuracy, ...]
    families: tuple[FamilyAccuracy, ...]
    total: FamilyAccuracy
    num_architectures: int


def accuracy_summary(tables: Sequence[ComparedTable]) -> AccuracySummary:
    """Returns the summary of tables from :func:`nocbench.published.accuracy_tables.compared_tables`."""
    chosen = of_silicon(tables)
    groups = {group: [table for table in chosen if group_of(table) == group] for group in GROUPS}
    families = [
        _accuracy_of(family, [table for table in chosen if table.primitive == family])
        for family in dict.fromkeys(table.primitive for table in chosen)
    ]
    families.sort(key=lambda family: math.inf if family.median_percent is None else family.median_percent)
    return AccuracySummary(
        tuple(_accuracy_of(group, of_group) for group, of_group in groups.items() if of_group),
        tuple(families),
        _accuracy_of("", chosen),
        len({table.arch for table in chosen}),
    )


def of_silicon(tables: Iterable[ComparedTable]) -> list[ComparedTable]:
    """Returns the tables with latencies of chips.

    All others have speeds and times in documents, or those of an RTL simulation of a router or of an emulator.
    """
    return [table for table in tables if table.quantity == LATENCY and _is_of_silicon(table.arch)]


def _is_of_silicon(arch: str) -> bool:
    known = arch in in_use().architecture_names()
    return not known or describe_architecture(arch).published_source == "silicon"


def _accuracy_of(family: str, tables: Sequence[ComparedTable]) -> FamilyAccuracy:
    errors_percent = [row.error_percent for table in tables for row in table.rows]
    missing = sum(table.missing for table in tables)
    if not errors_percent:
        return FamilyAccuracy(family, 0, missing)
    within = sum(error_percent <= 1 for error_percent in errors_percent) / len(errors_percent)
    median, p90, most = percentiles(errors_percent, 50, 90, 100)
    return FamilyAccuracy(family, len(errors_percent), missing, median, p90, most, within)
