"""Accuracy of the model against all published measurements of silicon, by family of tests and in total.

All documents, `nocbench accuracy` and the pages use these figures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.architectures.description import PLAIN_MESH, describe_architecture
from nocbench.points.catalogue import in_use
from nocbench.published.accuracy_tables import LATENCY, percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.published.accuracy_tables import ComparedTable


@dataclass(frozen=True, slots=True)
class FamilyAccuracy:
    """Latency errors of a family of tests.

    Attributes:
        family: primitive of the tests.
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
        families: families by median error, the lowest first; families without points last.
        total: accuracy over the points of all families, with an empty name.
        num_architectures: number of architectures in the tables.
    """

    families: tuple[FamilyAccuracy, ...]
    total: FamilyAccuracy
    num_architectures: int


def accuracy_summary(tables: Sequence[ComparedTable]) -> AccuracySummary:
    """Returns the summary of tables from :func:`nocbench.published.accuracy_tables.compared_tables`.

    Counts only latencies of chips: all other tables are speeds and times in documents, or an RTL simulation of a
    router.
    """
    chosen = [table for table in tables if table.quantity == LATENCY and _is_of_silicon(table.arch)]
    families = [
        _accuracy_of(family, [table for table in chosen if table.primitive == family])
        for family in dict.fromkeys(table.primitive for table in chosen)
    ]
    families.sort(key=lambda family: math.inf if family.median_percent is None else family.median_percent)
    return AccuracySummary(tuple(families), _accuracy_of("", chosen), len({table.arch for table in chosen}))


def _is_of_silicon(arch: str) -> bool:
    known = arch in in_use().architecture_names()
    return not known or describe_architecture(arch).kind != PLAIN_MESH


def _accuracy_of(family: str, tables: Sequence[ComparedTable]) -> FamilyAccuracy:
    errors_percent = [row.error_percent for table in tables for row in table.rows]
    missing = sum(table.missing for table in tables)
    if not errors_percent:
        return FamilyAccuracy(family, 0, missing)
    within = sum(error_percent <= 1 for error_percent in errors_percent) / len(errors_percent)
    median, p90, most = percentiles(errors_percent, 50, 90, 100)
    return FamilyAccuracy(family, len(errors_percent), missing, median, p90, most, within)
