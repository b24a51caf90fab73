"""Bars for a test without a column along an axis: duration and bandwidth of each kernel or flow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.drawing.panels import (
    SMALL_SHARE,
    THEORETICAL_STYLE,
    add_legend,
    format_cycles,
    make_panels,
    set_panel_title,
)
from nocbench.pages.picture_axes import KERNEL, values_in_words
from nocbench.results.result_files import rows_of
from nocbench.support.wording import bandwidth, cycles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section
    from nocbench.support.columns import Row

_MAX_BARS = 12  # maximum in a panel
_MIN_PLACES = 4  # minimum height of a panel in bars, so that a single bar does not fill it
_BAR_HEIGHT = 0.7  # share of the distance between bars
_BAR_COLOR = "#9ecae1"  # light enough for text on the bar
_RIGHT_OF_LAST = 1.06
_TEXT_INDENT_POINTS = 6


class _Metric(NamedTuple):
    """Content of a column of panels: column of results, title, unit, and format of values."""

    column: str
    title: str
    unit: str
    in_words: Callable[[float], str]
    divisor: int = 1

    def of(self, row: Row) -> float:
        """Returns the value of a row in the metric's unit."""
        return float(row[self.column]) / self.divisor


_DURATION = _Metric("latency_cycles", "Duration", "cycles", cycles)


def draw_row_bars(section: Section) -> Figure:
    """Draws two panels with a bar per row. Many rows are spread over further panels below."""
    rows = rows_of(section.results)
    rate = _Metric("bandwidth_bytes_per_cycle", *section.rate[:2], bandwidth, section.rate.bytes_each)
    metrics = (_DURATION, rate)
    num_bars = math.ceil(len(rows) / math.ceil(len(rows) / _MAX_BARS))
    parts = [rows[first : first + num_bars] for first in range(0, len(rows), num_bars)]
    maxima: Mapping[str, float] = section.theoretical_of_kernels
    if all(row["bandwidth_bytes_per_cycle"] < SMALL_SHARE * maxima[row["kernel"]] for row in rows):
        maxima = {}
    figure, panels = make_panels(f"{section.title}, {section.arch}", len(parts), len(metrics))
    for of_part, part in zip(panels, parts, strict=True):
        for axes, metric in zip(of_part, metrics, strict=True):
            marked = maxima.values() if metric is rate else ()
            _draw_bars(axes, metric, part, section.varied)
            axes.set_xlim(0, _RIGHT_OF_LAST * max([*(metric.of(row) for row in rows), *marked]) or 1)
        of_part[0].xaxis.set_major_formatter(format_cycles)
        if maxima:
            _mark_maxima(of_part[1], [maxima[row["kernel"]] for row in part])
    if maxima:
        add_legend(figure, [_legend_of_maximum()])
    return figure


def _draw_bars(axes: Axes, metric: _Metric, rows: Sequence[Row], names: Sequence[str]) -> None:
    """Draws a bar per row, the first at the top, labelled with the kernel and the values of `names`.

    Labels are on the bars, because long labels do not fit beside the panel.
    """
    set_panel_title(axes, metric.title)
    values = [metric.of(row) for row in rows]
    axes.barh(range(len(rows)), values, height=_BAR_HEIGHT, color=_BAR_COLOR)
    for place, (row, value) in enumerate(zip(rows, values, strict=True)):
        of_row = values_in_words(names, [row[name] for name in names])
        axes.annotate(
            f"{', '.join(part for part in (row[KERNEL], of_row) if part)}: {metric.in_words(value)} {metric.unit}",
            (0, place),
            xytext=(_TEXT_INDENT_POINTS, 0),
            textcoords="offset points",
            va="center",
            parse_math=False,  # names may contain any characters
        )
    around = max(_MIN_PLACES - len(rows), 0) / 2
    axes.set_ylim(len(rows) - 0.5 + around, -0.5 - around)
    axes.set_yticks([])
    axes.set_xlabel(f"{metric.title} ({metric.unit})")


def _mark_maxima(axes: Axes, maxima: Sequence[float]) -> None:
    style = {f"{name}s": value for name, value in THEORETICAL_STYLE.items()}  # names of arguments in Axes.vlines
    for place, maximum in enumerate(maxima):
        axes.vlines(maximum, place - 0.5, place + 0.5, **style)


def _legend_of_maximum() -> Any:  # noqa: ANN401 - a type of matplotlib
    from matplotlib.lines import Line2D

    return Line2D([], [], **THEORETICAL_STYLE, label="theoretical maximum")
