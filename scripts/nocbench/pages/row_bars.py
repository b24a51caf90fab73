"""Bars of a test without a sweep: how long each of its kernels or flows takes, and its bandwidth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.drawing.panels import (
    SMALL_SHARE,
    THEORETICAL_STYLE,
    add_legend,
    format_cycles,
    make_panels,
    set_panel_title,
)
from nocbench.results.result_files import rows_of
from nocbench.support.wording import bandwidth, cycles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section
    from nocbench.support.columns import Row

_MAX_BARS = 12  # of a panel
_MIN_PLACES = 4  # of a panel, so that a single bar does not fill it
_BAR_HEIGHT = 0.7  # of its place
_BAR_COLOR = "#9ecae1"  # light enough for the text on it
_RIGHT_OF_LAST = 1.06
_TEXT_INDENT_POINTS = 6


class _Metric(NamedTuple):
    """What a column of panels shows: a column of results, its title, its unit, and how its values are written."""

    column: str
    title: str
    unit: str
    in_words: Callable[[float], str]


_METRICS = (
    _Metric("latency_cycles", "Duration", "cycles", cycles),
    _Metric("bandwidth_bytes_per_cycle", "Bandwidth", "B/cycle", bandwidth),
)


def draw_row_bars(section: Section) -> Figure:
    """Draws two panels with a bar for each row, or more panels below them if there are many rows."""
    rows = rows_of(section.results)
    parts = [rows[first : first + _MAX_BARS] for first in range(0, len(rows), _MAX_BARS)]
    maxima: Mapping[str, float] = section.theoretical_of_kernels
    if all(row["bandwidth_bytes_per_cycle"] < SMALL_SHARE * maxima[row["kernel"]] for row in rows):
        maxima = {}
    figure, panels = make_panels(f"{section.title}, {section.arch}", len(parts), len(_METRICS))
    for of_part, part in zip(panels, parts, strict=True):
        for axes, metric in zip(of_part, _METRICS, strict=True):
            marked = maxima.values() if metric.column == "bandwidth_bytes_per_cycle" else ()
            _draw_bars(axes, metric, part)
            axes.set_xlim(0, _RIGHT_OF_LAST * max([*(row[metric.column] for row in rows), *marked]) or 1)
        of_part[0].xaxis.set_major_formatter(format_cycles)
        if maxima:
            _mark_maxima(of_part[1], [maxima[row["kernel"]] for row in part])
    if maxima:
        add_legend(figure, [_legend_of_maximum()])
    return figure


def _draw_bars(axes: Axes, metric: _Metric, rows: Sequence[Row]) -> None:
    """The first row is at the top. Names are on the bars, because there is no room for long ones beside the panel."""
    set_panel_title(axes, metric.title)
    values = [float(row[metric.column]) for row in rows]
    axes.barh(range(len(rows)), values, height=_BAR_HEIGHT, color=_BAR_COLOR)
    for place, (row, value) in enumerate(zip(rows, values, strict=True)):
        axes.annotate(
            f"{row['kernel']}: {metric.in_words(value)} {metric.unit}",
            (0, place),
            xytext=(_TEXT_INDENT_POINTS, 0),
            textcoords="offset points",
            va="center",
            parse_math=False,  # names may have any letters
        )
    around = max(_MIN_PLACES - len(rows), 0) / 2
    axes.set_ylim(len(rows) - 0.5 + around, -0.5 - around)
    axes.set_yticks([])
    axes.set_xlabel(f"{metric.title} ({metric.unit})")


def _mark_maxima(axes: Axes, maxima: Sequence[float]) -> None:
    style = {f"{name}s": value for name, value in THEORETICAL_STYLE.items()}  # as Axes.vlines calls them
    for place, maximum in enumerate(maxima):
        axes.vlines(maximum, place - 0.5, place + 0.5, **style)


def _legend_of_maximum() -> Any:  # noqa: ANN401 - of matplotlib
    from matplotlib.lines import Line2D

    return Line2D([], [], **THEORETICAL_STYLE, label="theoretical maximum")
