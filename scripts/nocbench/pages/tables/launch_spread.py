"""Table of the spread of a test's results over small differences between the starts of its cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.pages.picture_axes import value_in_words
from nocbench.points.swept_tests import SKEWED, START, TOGETHER
from nocbench.support.markdown import paragraph
from nocbench.support.units import format_size, plural
from nocbench.support.wording import bandwidth, enumerate_phrases

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.pages.sections import Section
    from nocbench.support.markdown import Markdown

LAUNCH_SKEW = "board.launch_skew_cycles"
"""Setting that the runs of a spread change."""

_BANDWIDTH = "bandwidth_bytes_per_cycle"
_SILICON = f"reference_{_BANDWIDTH}"


@dataclass(frozen=True, slots=True)
class LaunchSpread:
    """Table of a test's points with their bandwidths over all starts.

    Attributes:
        summary: paragraph before the table.
        columns: names of the columns, with their alignment.
        rows: rows as text.
    """

    summary: Markdown
    columns: dict[str, str]
    rows: list[list[str]]


def is_skewed_run(section: Section) -> bool:
    """Returns True for a section with the runs of a spread, which the page shows as part of another section."""
    return section.changed.get(START) == SKEWED and LAUNCH_SKEW in section.changed


def launch_spread(section: Section, page: Sequence[Section]) -> LaunchSpread | None:
    """Returns the spread of a section with a common start over the skewed runs of the same test on its page.

    Returns:
        The table of the published points of which there are skewed runs; None if there are none.
    """
    if section.start != TOGETHER:
        return None
    skewed = [other for other in page if is_skewed_run(other) and _is_run_of(other, section)]
    if not skewed:
        return None
    import pandas

    names = ["kernel", *section.varied, "num_transactions", "call_size_bytes"]
    runs = pandas.concat([section.results, *(other.results for other in skewed)])
    ranges = runs.groupby(names)[_BANDWIDTH].agg(["min", "max", "size"]).reset_index()
    points = section.results.merge(ranges[ranges["size"] == len(skewed) + 1], on=names).dropna(subset=[_SILICON])
    if points.empty:
        return None
    if section.varied:
        points = pandas.concat([group for _, group in points.groupby(list(section.varied), sort=False)])
    inside = points[_SILICON].between(points["min"], points["max"])
    widths_percent = 100 * (points["max"] / points["min"] - 1)
    skews = [str(skew) for skew in sorted(other.launch_skew_cycles for other in skewed)]
    source = section.architecture.published_source
    summary = [
        "Where many cores contend, small differences between their starts change the result.",
        (
            f"The table shows the spread of the bandwidth over {len(skewed) + 1} runs of the model: one in which all "
            f"cores start together, and {len(skewed)} in which they start {enumerate_phrases(skews)} cycles one after "
            f"another."
        ),
        (
            f"The highest bandwidth of a point exceeds the lowest by {widths_percent.median():.1f} % in the median, "
            f"and by at most {widths_percent.max():.1f} %."
        ),
        f"At {int(inside.sum())} of {plural(len(points), 'point')}, {source} lies within the range.",
        "Elsewhere, differences of this kind do not explain the error of the model.",
    ]
    varied = section.varied
    columns = dict.fromkeys((*varied, "transactions", "size per call"), "--:") | {
        f"{source}, B/cycle": "--:",
        "model, all together": "--:",
        "lowest": "--:",
        "highest": "--:",
        f"{source} within the range": "---",
    }
    rows = [
        [
            *(value_in_words(name, row[name]) for name in varied),
            str(row["num_transactions"]),
            format_size(row["call_size_bytes"]),
            *(bandwidth(row[name]) for name in (_SILICON, _BANDWIDTH, "min", "max")),
            _place(row),
        ]
        for _, row in points.iterrows()
    ]
    return LaunchSpread(paragraph(summary), columns, rows)


def _is_run_of(skewed: Section, section: Section) -> bool:
    """Returns True for runs of the same test and configuration that start otherwise."""
    changed = [
        {name: value for name, value in of.changed.items() if name not in (START, LAUNCH_SKEW)}
        for of in (skewed, section)
    ]
    return (skewed.test, skewed.board) == (section.test, section.board) and changed[0] == changed[1]


def _place(point: pandas.Series[Any]) -> str:
    """Describes the place of the published bandwidth of a point: "yes", or its distance from the range."""
    published = point[_SILICON]
    if published > point["max"]:
        return f"{100 * (published / point['max'] - 1):.1f} % above"
    return "yes" if published >= point["min"] else f"{100 * (1 - published / point['min']):.1f} % below"
