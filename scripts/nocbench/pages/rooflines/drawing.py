"""Drawing of rooflines: a panel per sweep, whose markers show the limiter of each point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import THEORETICAL_STYLE, add_legend, make_panels, series_styles, set_panel_title
from nocbench.drawing.pictures import as_png, fixed_style, write_picture
from nocbench.support.errors import InputError
from nocbench.support.units import format_size, plural
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.rooflines.roofs import Roofline

MOST_PANELS = 24
_MAX_SIZE_LABELS = 8
_ROOM = 1.6  # beyond the smallest and largest values, as factor
_LABEL_POINTS = 7.5
_DOTS_PER_INCH = 110
_NOTEBOOK_DOTS_PER_INCH = 80
_ROOF_STYLE: dict[str, Any] = {"linewidth": 1.1, "zorder": 1}


def write_rooflines(rooflines: Sequence[Roofline], path: Path) -> None:
    """Writes a picture as PNG or SVG, by the suffix of `path`. Raises InputError for more than MOST_PANELS sweeps."""
    if len(rooflines) > MOST_PANELS:
        raise InputError(f"{path}: expected at most {MOST_PANELS} sweeps to draw, found {len(rooflines)}; choose tests")
    with fixed_style():
        write_picture(draw(rooflines), path, dots_per_inch=_DOTS_PER_INCH)


def rooflines_as_png(rooflines: Sequence[Roofline]) -> bytes:
    """Returns the picture as PNG, for a cell of a notebook."""
    with fixed_style():
        return as_png(draw(rooflines[:MOST_PANELS]), _NOTEBOOK_DOTS_PER_INCH)


def draw(rooflines: Sequence[Roofline]) -> Figure:
    """Draws a panel for each sweep, and a legend of transactions and limiters below them."""
    from matplotlib.lines import Line2D

    num_columns = min(2, len(rooflines))
    figure, panels = make_panels("Bandwidth below its roofs", math.ceil(len(rooflines) / num_columns), num_columns)
    counts = sorted({count for roofline in rooflines for count in roofline.counts})
    colors = {count: style["color"] for count, style in series_styles(counts).items()}
    limiters = sorted({point.limiter for roofline in rooflines for point in roofline.points})
    markers = {limiter: style["marker"] for limiter, style in series_styles(limiters).items()}
    for axes, roofline in zip(panels.flat, rooflines, strict=False):
        set_panel_title(axes, roofline.title)
        _draw_panel(axes, roofline, colors, markers)
    for axes in panels.flat[len(rooflines) :]:
        axes.set_axis_off()
    add_legend(
        figure,
        [
            Line2D([], [], color=color, label=f"n: {plural(count, 'transaction')} in flight")
            for count, color in colors.items()
        ],
        [
            Line2D(
                [], [], color="0.3", linestyle="none", marker=marker, label=f"limited by {limiter_in_words(limiter)}"
            )
            for limiter, marker in markers.items()
        ],
    )
    return figure


def _draw_panel(axes: Axes, roofline: Roofline, colors: dict[int, Any], markers: dict[str, str]) -> None:
    sizes = sorted({point.transaction_size_bytes for point in roofline.points})
    left, right = sizes[0] / _ROOM, sizes[-1] * _ROOM
    least = min(point.bandwidth_bytes_per_cycle for point in roofline.points)
    width = roofline.link_bytes_per_cycle
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(least / _ROOM, width * _ROOM)
    axes.axhline(width, **(THEORETICAL_STYLE | _ROOF_STYLE))
    _label(axes, right, width, f"link width: {width:g} B/cycle", ha="right")
    for count, color in colors.items():
        points = [point for point in roofline.points if point.num_transactions == count]
        knee = roofline.knee_bytes(count)
        if points and knee > left:
            axes.plot([left, knee], [width * left / knee, width], color=color, linestyle="--", **_ROOF_STYLE)
        for point in points:
            axes.plot(
                *([point.transaction_size_bytes], [point.bandwidth_bytes_per_cycle]),
                color=color,
                marker=markers[point.limiter],
                markersize=4.5,
                linestyle="none",
            )
    formula = f"latency: size * n / {roofline.round_trip_cycles:,.4g} cycles of a round trip"
    axes.text(0.98, 0.03, formula, transform=axes.transAxes, ha="right", va="bottom", fontsize=_LABEL_POINTS)
    labelled = sizes[:: math.ceil(len(sizes) / _MAX_SIZE_LABELS)]
    axes.set_xticks(labelled, [format_size(size) for size in labelled])
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.minorticks_off()
    axes.set(xlabel="Transaction size", ylabel="Bandwidth (B/cycle)")


def _label(axes: Axes, x: float, y: float, text: str, ha: str) -> None:
    axes.annotate(text, (x, y), (-3, 2), textcoords="offset points", ha=ha, va="bottom", fontsize=_LABEL_POINTS)
