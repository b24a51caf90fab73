"""Latency against load: what a network does with ever more traffic, pattern by pattern."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import add_legend, make_panels, series_styles, set_panel_title
from nocbench.support.units import format_size, plural
from nocbench.support.wording import sentence

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section

SATURATION = "saturation"
"""The injection rate that stands for the highest that the network takes."""

_MAX_PANELS_IN_A_ROW = 2
_RIGHT_OF_LAST = 1.04  # times the highest injection rate of the sweep
_HIGHEST_SHOWN = 4.5  # times the latency without load: saturation is at three times that


def packet_flits(size_bytes: int, flit_bytes: float) -> int:
    """Flits of a packet of that size."""
    return math.ceil(size_bytes / flit_bytes)


def packets_in_words(size_bytes: int, flit_bytes: float) -> str:
    """Packets of a size: "packets of 32 flits (1 KiB)"."""
    return f"packets of {plural(packet_flits(size_bytes, flit_bytes), 'flit')} ({format_size(size_bytes)})"


def with_flits(section: Section) -> pandas.DataFrame:
    """The results of a section with what is counted in flits per node and cycle, by size, pattern and rate.

    Returns:
        The rows in the order of sizes, then of patterns as they come, then of offered flits; with the columns
        `accepted_flits`, and `offered_flits`, which is the injection rate, or, at saturation, as much as is accepted.
    """
    rows = section.results
    bytes_per_flit = [
        size / packet_flits(size, section.link_bytes_per_cycle) for size in rows["transaction_size_bytes"]
    ]
    accepted = rows["bandwidth_bytes_per_cycle"] / bytes_per_flit
    offered = [
        taken if rate == SATURATION else float(rate)
        for rate, taken in zip(rows["injection_rate"], accepted, strict=True)
    ]
    place_of_pattern = {pattern: place for place, pattern in enumerate(dict.fromkeys(rows["pattern"]))}
    return (
        rows.assign(
            accepted_flits=accepted, offered_flits=offered, place_of_pattern=rows["pattern"].map(place_of_pattern)
        )
        .sort_values(["transaction_size_bytes", "place_of_pattern", "offered_flits"], kind="stable", ignore_index=True)
        .drop(columns="place_of_pattern")
    )


def draw_load_curves(section: Section) -> Figure:
    """Draws a panel for every size of packets, with a line for every pattern."""
    from matplotlib.lines import Line2D

    rows = with_flits(section)
    sizes = list(rows["transaction_size_bytes"].drop_duplicates())
    styles = series_styles(list(rows["pattern"].drop_duplicates()))
    num_columns = min(len(sizes), _MAX_PANELS_IN_A_ROW)
    figure, panels = make_panels(f"{section.title}, {section.arch}", math.ceil(len(sizes) / num_columns), num_columns)
    for axes, size in zip(panels.flat, sizes, strict=False):
        set_panel_title(axes, sentence(packets_in_words(size, section.link_bytes_per_cycle)).rstrip("."))
        _draw_panel(axes, rows[rows["transaction_size_bytes"] == size], styles)
    for axes in panels.flat[len(sizes) :]:
        axes.set_axis_off()
    patterns = [Line2D([], [], **style, markersize=4, label=pattern) for pattern, style in styles.items()]
    saturation = Line2D(
        [],
        [],
        color="0.3",
        marker="x",
        markersize=8,
        linestyle="none",
        label="saturation: three times the latency without load",
    )
    add_legend(figure, patterns, [saturation])
    return figure


def _draw_panel(axes: Axes, rows: pandas.DataFrame, styles: dict[str, dict[str, Any]]) -> None:
    least = 0.0
    for pattern, style in styles.items():
        line = rows[rows["pattern"] == pattern]
        if line.empty:
            continue
        least = max(least, float(line["latency_cycles"].iloc[0]))
        axes.plot(line["offered_flits"], line["latency_cycles"], **style, markersize=4)
        saturated = line[line["injection_rate"] == SATURATION]
        axes.plot(
            saturated["offered_flits"],
            saturated["latency_cycles"],
            color=style["color"],
            marker="x",
            markersize=9,
            markeredgewidth=2,
            linestyle="none",
        )
    # Patterns that take far more than the others must not narrow these. Beyond saturation latencies depend on how long
    # one measures: the lines leave the picture there.
    axes.set_ylim(0, _HIGHEST_SHOWN * least)
    swept = rows[rows["injection_rate"] != SATURATION]
    axes.set_xlim(0, _RIGHT_OF_LAST * float((rows if swept.empty else swept)["offered_flits"].max()))
    axes.set(xlabel="Injection rate (flits per node and cycle)", ylabel="Mean latency (cycles)")
