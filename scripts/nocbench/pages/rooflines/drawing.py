"""Drawing of rooflines: a panel per sweep, two per board of programs. Markers show the limiter of each point."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import (
    THEORETICAL_STYLE,
    add_legend,
    format_cycles,
    make_panels,
    series_styles,
    set_panel_title,
)
from nocbench.drawing.pictures import as_png, fixed_style, write_picture
from nocbench.pages.rooflines.programs import DRAM, NOC, ProgramRoofline
from nocbench.support.errors import InputError
from nocbench.support.units import format_size, plural
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.rooflines.roofs import Roofline

    AnyRoofline = Roofline | ProgramRoofline
    DrawPanel = Callable[[Axes, dict[Any, Any], dict[str, str]], None]

MOST_PANELS = 24
_MAX_SIZE_LABELS = 8
_ROOM = 1.6  # beyond the smallest and largest values, as factor
_LABEL_POINTS = 7.5
_DOTS_PER_INCH = 110
_NOTEBOOK_DOTS_PER_INCH = 80
_ROOF_STYLE: dict[str, Any] = {"linewidth": 1.1, "zorder": 1}


def write_rooflines(rooflines: Sequence[AnyRoofline], path: Path) -> None:
    """Writes a picture as PNG or SVG, by the suffix of `path`. Raises InputError for more than MOST_PANELS panels."""
    panels = _panels_of(rooflines)
    if len(panels) > MOST_PANELS:
        raise InputError(f"{path}: expected at most {MOST_PANELS} sweeps to draw, found {len(panels)}; choose tests")
    with fixed_style():
        write_picture(_draw(rooflines, panels), path, dots_per_inch=_DOTS_PER_INCH)


def rooflines_as_png(rooflines: Sequence[AnyRoofline]) -> bytes:
    """Returns the picture as PNG, for a cell of a notebook."""
    with fixed_style():
        return as_png(_draw(rooflines, _panels_of(rooflines)[:MOST_PANELS]), _NOTEBOOK_DOTS_PER_INCH)


def _panels_of(rooflines: Sequence[AnyRoofline]) -> list[tuple[str, DrawPanel]]:
    """Returns the title of each panel, and the function that draws it."""
    panels: list[tuple[str, DrawPanel]] = []
    for roofline in rooflines:
        if isinstance(roofline, ProgramRoofline):
            panels += [(roofline.title, partial(_draw_programs, roofline, roof)) for roof in (DRAM, NOC)]
        else:
            panels.append((roofline.title, partial(_draw_sweep, roofline)))
    return panels


def _draw(rooflines: Sequence[AnyRoofline], panels: Sequence[tuple[str, DrawPanel]]) -> Figure:
    """Draws panels, and a legend of transactions or programs and of limiters below them."""
    from matplotlib.lines import Line2D

    num_columns = min(2, len(panels))
    of_programs = [roofline for roofline in rooflines if isinstance(roofline, ProgramRoofline)]
    counts = sorted({count for of in rooflines if not isinstance(of, ProgramRoofline) for count in of.counts})
    programs = sorted({point.program for roofline in of_programs for point in roofline.points if point.operations})
    title = "Operations below the roofs of the chip" if of_programs else "Bandwidth below its roofs"
    figure, all_axes = make_panels(title, math.ceil(len(panels) / num_columns), num_columns)
    colors = {name: style["color"] for names in (counts, programs) for name, style in series_styles(names).items()}
    limiters = sorted({point.limiter for roofline in rooflines for point in roofline.points})
    markers = {limiter: style["marker"] for limiter, style in series_styles(limiters).items()}
    for axes, (panel_title, draw_panel) in zip(all_axes.flat, panels, strict=False):
        set_panel_title(axes, panel_title)
        draw_panel(axes, colors, markers)
    for axes in all_axes.flat[len(panels) :]:
        axes.set_axis_off()
    labels = {count: f"n: {plural(count, 'transaction')} in flight" for count in counts} | dict.fromkeys(programs)
    add_legend(
        figure,
        [Line2D([], [], color=color, label=labels[name] or name) for name, color in colors.items()],
        [
            Line2D(
                [], [], color="0.3", linestyle="none", marker=marker, label=f"limited by {limiter_in_words(limiter)}"
            )
            for limiter, marker in markers.items()
        ],
    )
    return figure


def _draw_sweep(roofline: Roofline, axes: Axes, colors: dict[Any, Any], markers: dict[str, str]) -> None:
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
    for count in roofline.counts:
        color = colors[count]
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


def _draw_programs(
    roofline: ProgramRoofline, roof: str, axes: Axes, colors: dict[Any, Any], markers: dict[str, str]
) -> None:
    bandwidth = roofline.bytes_per_cycle[roof]
    rates = roofline.operations_per_cycle
    knees = [rate / bandwidth for rate in rates.values()]
    shown = [point for point in roofline.points if point.operations_per_byte(roof) > 0]
    intensities = [*knees, *(point.operations_per_byte(roof) for point in shown)]
    left, right = min(intensities) / _ROOM**2, max(intensities) * _ROOM**4
    least = min([left * bandwidth, *(point.operations_per_cycle for point in shown)])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(least / _ROOM, max(rates.values()) * _ROOM**2)
    axes.plot([left, max(knees)], [left * bandwidth, max(rates.values())], **(THEORETICAL_STYLE | _ROOF_STYLE))
    ghz = roofline.clock_hz / 1e9
    texts = [f"{roof}: {bandwidth:,.0f} B/cycle, {bandwidth * ghz:,.0f} GB/s at {ghz:g} GHz"]
    for position, (name, rate) in enumerate(rates.items()):
        axes.plot([rate / bandwidth, right], [rate, rate], **(THEORETICAL_STYLE | _ROOF_STYLE))
        texts.append(f"{name}: {rate * ghz / 1e3:,.3g} TFLOP/s")
        # In two columns, as some lines are closer than their labels are high.
        place = right / (1.1 + position % 2 * _ROOM)
        axes.text(
            *(place, rate, name),
            ha="right",
            va="center",
            fontsize=_LABEL_POINTS,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )
    axes.text(
        *(0.02, 0.97, "\n".join(texts)),
        transform=axes.transAxes,
        ha="left",
        va="top",
        fontsize=_LABEL_POINTS,
    )
    for point in shown:
        axes.plot(
            *([point.operations_per_byte(roof)], [point.operations_per_cycle]),
            color=colors[point.program],
            marker=markers[point.limiter],
            markersize=4.5,
            linestyle="none",
        )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_major_formatter(format_cycles)
    axes.minorticks_off()
    axes.set(xlabel=f"Intensity (FLOP/B of {roof})", ylabel="Operations (FLOP/cycle)")


def _label(axes: Axes, x: float, y: float, text: str, ha: str) -> None:
    axes.annotate(text, (x, y), (-3, 2), textcoords="offset points", ha=ha, va="bottom", fontsize=_LABEL_POINTS)
