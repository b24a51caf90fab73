"""Sentences and Markdown tables on the accuracy of the model."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from nocbench.published.accuracy_summary import GROUPS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nocbench.published.accuracy_summary import AccuracySummary, FamilyAccuracy
    from nocbench.published.accuracy_tables import TableAccuracy, TotalAccuracy

_WIDTH = 120
_NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four"}


def summary_paragraph(summary: AccuracySummary) -> str:
    """Returns a paragraph on total accuracy.

    Args:
        summary: summary with points.
    """
    total = summary.total
    chips = f"{_NUMBERS.get(summary.num_architectures, summary.num_architectures)} chips"
    sentences = [
        f"There are {total.points:,} published measurements of {chips}.",
        f"The model meets half of these measurements within {total.median_percent:.1f} %,",
        f"and nine of ten within {total.p90_percent:.1f} %.",
        f"{100 * _percent_of(total.within_1_percent):.0f} of 100 measurements are within 1 %.",
    ]
    return textwrap.fill(" ".join(sentences), _WIDTH, break_long_words=False, break_on_hyphens=False)


def groups_table(summary: AccuracySummary) -> str:
    """Returns a table with a row per group of tests, and a row for all of them."""
    names = [f"{group.family}: {GROUPS[group.family]}" for group in summary.groups]
    return _accuracy_table("group", names, summary.groups, summary.total)


def families_table(summary: AccuracySummary, link_of: Callable[[str], str] = lambda _: "") -> str:
    """Returns a table with a row per family, the most accurate first, and a row for all families.

    Args:
        summary: summary with the rows.
        link_of: function that returns the page of a family; empty without a page.
    """

    def name_of(family: str) -> str:
        link = link_of(family)
        return f"[`{family}`]({link})" if link else f"`{family}`"

    names = [name_of(family.family) for family in summary.families]
    return _accuracy_table("family", names, summary.families, summary.total)


def _accuracy_table(of: str, names: Sequence[str], accuracies: Sequence[FamilyAccuracy], total: FamilyAccuracy) -> str:
    return _table(
        [of, "points", "median", "90th percentile", "maximum", "points within 1 %"],
        [
            [
                *(name, f"{accuracy.points:,}", _cell(accuracy.median_percent), _cell(accuracy.p90_percent)),
                _cell(accuracy.max_percent),
                "-" if accuracy.within_1_percent is None else f"{100 * accuracy.within_1_percent:.0f} %",
            ]
            for name, accuracy in zip([*names, "all"], [*accuracies, total], strict=True)
        ],
    )


def architectures_table(totals: Iterable[TotalAccuracy]) -> str:
    """Returns a table with a row per architecture, with medians of fitted and of never seen rows."""
    return _table(
        ["architecture", "rows", "median", "fitted to", "median", "never seen", "median"],
        [
            [
                *(f"`{total.arch}`", f"{total.points:,}", _cell(total.median_percent)),
                *(f"{total.fitted_points:,}", _cell(total.fitted_median_percent)),
                *(f"{total.never_seen_points:,}", _cell(total.never_seen_median_percent)),
            ]
            for total in totals
        ],
    )


def tests_table(tables: Iterable[TableAccuracy]) -> str:
    """Returns a table with a row per published table."""
    return _table(
        [
            *("architecture", "test", "kernel", "points", "median", "90th percentile", "maximum"),
            *("fitted to", "median", "never seen", "median"),
        ],
        [
            [
                *(f"`{table.arch}`", table.test, table.kernel, f"{table.points:,}", _cell(table.median_percent)),
                *(_cell(table.p90_percent), _cell(table.max_percent)),
                *(_count(table.fitted_points), _cell(table.fitted_median_percent)),
                *(_count(table.never_seen_points), _cell(table.never_seen_median_percent)),
            ]
            for table in tables
        ],
        num_texts=3,
    )


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]], num_texts: int = 1) -> str:
    rule = "|".join(["---"] * num_texts + ["--:"] * (len(columns) - num_texts))
    return "\n".join([f"| {' | '.join(columns)} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)])


def _percent_of(value: float | None) -> float:
    return 0.0 if value is None else value


def _cell(percent: float | None) -> str:
    return "-" if percent is None else f"{percent:.2f} %"


def _count(number: int) -> str:
    return f"{number:,}" if number else "-"
