"""Curves of latency against load, by traffic pattern."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import add_legend, line_styles, make_panels, series_styles, set_panel_title
from nocbench.support.units import format_size, plural
from nocbench.support.wording import sentence

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section

SATURATION = "saturation"
"""Value of the injection rate that stands for the highest rate that the network accepts."""

_MAX_PANELS_IN_A_ROW = 2
_RIGHT_OF_LAST = 1.04  # right end of the axis, in highest shown injection rates
_NOT_FAR_BEYOND = 1.25  # highest shown saturation, in highest swept injection rates
_HIGHEST_SHOWN = 4.5  # upper end of the axis, in latencies without load; saturation is at three times that latency
_CROSS: dict[str, Any] = {"marker": "x", "markersize": 8, "markeredgewidth": 1.8, "linestyle": "none"}
_PUBLISHED: dict[str, Any] = {"marker": "o", "markersize": 9, "markerfacecolor": "none", "linestyle": "none"}
_AROUND_CROSS: dict[str, Any] = {"markersize": 11, "markerfacecolor": "none", "markeredgewidth": 1, "linestyle": "none"}


def packet_flits(size_bytes: int, flit_bytes: float) -> int:
    """Returns the number of flits in a packet."""
    return math.ceil(size_bytes / flit_bytes)


def packets_in_words(size_bytes: int, flit_bytes: float) -> str:
    """Returns packets of a size in words: "packets of 32 flits (1 KiB)"."""
    return f"packets of {plural(packet_flits(size_bytes, flit_bytes), 'flit')} ({format_size(size_bytes)})"


def with_flits(section: Section) -> pandas.DataFrame:
    """Returns a section's results with loads in flits per node and cycle, sorted by size, pattern, length and rate.

    Returns:
        The rows with two more columns: `accepted_flits`, and `offered_flits`, the injection rate or, at saturation, the
        accepted load. They are sorted by size, pattern (in order of appearance), packets per node, and offered flits.
    """
    rows = section.results
    flits = [packet_flits(size, section.link_bytes_per_cycle) for size in rows["transaction_size_bytes"]]
    bytes_per_flit = [size / of_packet for size, of_packet in zip(rows["transaction_size_bytes"], flits, strict=True)]
    accepted = rows["bandwidth_bytes_per_cycle"] / bytes_per_flit
    offered = [
        taken if rate == SATURATION else float(rate)
        for rate, taken in zip(rows["injection_rate"], accepted, strict=True)
    ]
    place_of_pattern = {pattern: place for place, pattern in enumerate(dict.fromkeys(rows["pattern"]))}
    return (
        rows.assign(
            accepted_flits=accepted,
            offered_flits=offered,
            place_of_pattern=rows["pattern"].map(place_of_pattern),
        )
        .sort_values(
            ["transaction_size_bytes", "place_of_pattern", "num_transactions", "offered_flits"],
            kind="stable",
            ignore_index=True,
        )
        .drop(columns="place_of_pattern")
    )


def longest(rows: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the rows with the most packets per node, which have the least random variation.

    All rows are of one size.
    """
    most = rows["num_transactions"].max()
    of_longest: pandas.DataFrame = rows[rows["num_transactions"] == most]
    return of_longest


def draw_load_curves(section: Section) -> Figure:
    """Draws a panel for every size of packets, with a line for every pattern.

    A line connects loads that were measured with the same number of packets per node, since latencies near saturation
    grow with the length of the run. Each number of packets has its own line and dashes. The saturation point of the
    same number is on the line, although its measurement is longer for short packets.
    """
    from matplotlib.lines import Line2D

    rows = with_flits(section)
    sizes = list(rows["transaction_size_bytes"].drop_duplicates())
    styles = series_styles(list(rows["pattern"].drop_duplicates()))
    lengths = sorted({int(length) for length in rows["num_transactions"]}, reverse=True)
    dashes = {length: style["linestyle"] for length, style in line_styles(lengths).items()}
    num_columns = min(len(sizes), _MAX_PANELS_IN_A_ROW)
    figure, panels = make_panels(f"{section.title}, {section.arch}", math.ceil(len(sizes) / num_columns), num_columns)
    for axes, size in zip(panels.flat, sizes, strict=False):
        set_panel_title(axes, sentence(packets_in_words(size, section.link_bytes_per_cycle)).rstrip("."))
        _draw_panel(axes, rows[rows["transaction_size_bytes"] == size], styles, dashes)
    for axes in panels.flat[len(sizes) :]:
        axes.set_axis_off()
    patterns = [Line2D([], [], **style, markersize=4, label=pattern) for pattern, style in styles.items()]
    notes = [
        Line2D([], [], color="0.3", linestyle=dash, label=f"{plural(length, 'packet')} per node")
        for length, dash in dashes.items()
        if len(dashes) > 1
    ]
    if (rows["injection_rate"] == SATURATION).any():
        notes.append(Line2D([], [], **_CROSS, color="0.3", label="saturation: three times the latency without load"))
    if rows["reference_latency_cycles"].notna().any():
        notes.append(Line2D([], [], **_PUBLISHED, color="0.3", label=section.architecture.published_source))
    add_legend(figure, patterns, notes)
    return figure


def _draw_panel(
    axes: Axes, rows: pandas.DataFrame, styles: dict[str, dict[str, Any]], dashes: dict[int, str | tuple[Any, ...]]
) -> None:
    is_swept = rows["injection_rate"] != SATURATION
    least = 0.0
    for pattern, style in styles.items():
        of_pattern = rows[rows["pattern"] == pattern]
        if of_pattern.empty:
            continue
        least = max(least, float(of_pattern["latency_cycles"].iloc[0]))
        for length, dash in dashes.items():
            line = of_pattern[of_pattern["num_transactions"] == length]
            if not line.empty:
                axes.plot(line["offered_flits"], line["latency_cycles"], **style, markersize=4, linestyle=dash)
        published = of_pattern.dropna(subset="reference_latency_cycles")
        if not published.empty:
            axes.plot(published["offered_flits"], published["reference_latency_cycles"], **(style | _PUBLISHED))
        saturated = of_pattern[of_pattern["injection_rate"] == SATURATION]
        for looks in (_AROUND_CROSS | style, _CROSS | {"color": style["color"]}):
            axes.plot(saturated["offered_flits"], saturated["latency_cycles"], **looks)
    # Limit the axes: patterns with far higher loads must not compress all others, and latencies beyond saturation
    # depend on the length of the measurement.
    axes.set_ylim(0, _HIGHEST_SHOWN * least)
    swept_to = float((rows[is_swept] if is_swept.any() else rows)["offered_flits"].max())
    shown = rows["offered_flits"][rows["offered_flits"] <= _NOT_FAR_BEYOND * swept_to]
    axes.set_xlim(0, _RIGHT_OF_LAST * float(shown.max()))
    axes.set(xlabel="Injection rate (flits per node and cycle)", ylabel="Mean latency (cycles)")
