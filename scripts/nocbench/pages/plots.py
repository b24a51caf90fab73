"""Pictures of tests: Transaction Size vs Duration and vs Bandwidth, model and silicon on the same axes.

Those of another kind are in modules of their own: :mod:`nocbench.pages.load_curves`, :mod:`nocbench.pages.row_bars`.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.drawing.panels import (
    SMALL_SHARE,
    THEORETICAL_STYLE,
    add_legend,
    format_cycles,
    line_styles,
    make_panels,
    series_styles,
    set_panel_title,
)
from nocbench.drawing.pictures import PICTURE_SUFFIXES, Picture, fixed_style, write_picture
from nocbench.pages.load_curves import draw_load_curves
from nocbench.pages.parameter_observations import value_in_words
from nocbench.pages.row_bars import draw_row_bars
from nocbench.points.simulator import LATENCY_AGAINST_LOAD, PARAMETERS, published_source
from nocbench.support.units import format_size, plural
from nocbench.support.wording import destinations

if TYPE_CHECKING:
    from pathlib import Path

    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.sections import Section

_PNG_DOTS_PER_INCH = 110
_PNG_COLORS = 128
_MAX_SIZE_LABELS = 8
_LOG_FROM_RATIO = 8


def picture_of(section: Section) -> Picture:
    """The picture of a section."""
    return Picture(section.title, section.arch, section.file_stem, partial(draw, section))


def write_pictures(picture: Picture, directory: Path) -> None:
    """Writes a picture of a page, as PNG and SVG, to `directory`."""
    with fixed_style():
        figure = picture.draw()
        for suffix in PICTURE_SUFFIXES:
            path = directory / f"{picture.file_stem}{suffix}"
            write_picture(figure, path, dots_per_inch=_PNG_DOTS_PER_INCH, colors=_PNG_COLORS)


def draw(section: Section) -> Figure:
    """Draws what is to be shown of a section."""
    if section.picture == LATENCY_AGAINST_LOAD:
        return draw_load_curves(section)
    if section.picture == PARAMETERS and not section.plotted:
        return draw_row_bars(section)
    return _draw_transaction_sizes(section)


def _draw_transaction_sizes(section: Section) -> Figure:
    """Draws a row of two panels for every kernel, and one legend below them all."""
    num_kernels = len(section.kernels)
    axis = _axis_of(section)
    figure, panels = make_panels(f"{section.title}, {section.arch}", num_kernels, 2)
    styles = _styles(section)
    for (duration, bandwidth), kernel in zip(panels, section.kernels, strict=True):
        results = section.results[section.results["kernel"] == kernel]
        reference = section.reference[section.reference["kernel"] == kernel]
        prefix = f"{kernel}: " if num_kernels > 1 else ""
        set_panel_title(duration, f"{prefix}{axis.title} vs Duration")
        _draw_lines(duration, section, results, reference, "latency_cycles", styles)
        if section.picture == PARAMETERS and _ends_ratio(section.results["latency_cycles"]) < _LOG_FROM_RATIO:
            duration.set_ylim(0, 1.06 * float(section.results["latency_cycles"].max()))
        else:
            duration.set_yscale("log")
        duration.set_ylabel("Duration (cycles)")
        duration.yaxis.set_major_formatter(format_cycles)
        set_panel_title(bandwidth, f"{prefix}{axis.title} vs Bandwidth")
        _draw_lines(bandwidth, section, results, reference, "bandwidth_bytes_per_cycle", styles)
        bandwidth.set(ylabel="Bandwidth (B/cycle)")
        highest = _highest_shown(section)
        if highest >= section.theoretical_bytes_per_cycle:
            bandwidth.axhline(section.theoretical_bytes_per_cycle, **THEORETICAL_STYLE)
        bandwidth.set_ylim(0, 1.06 * highest)
        for axes in (duration, bandwidth):
            if section.picture == PARAMETERS:
                _label_parameter(axes, results, axis)
            else:
                _label_sizes(axes, results, reference)
            axes.minorticks_off()  # the style shows none, and laying them out takes longer than all lines
    _add_legend(figure, section, styles)
    return figure


def _ends_ratio(values: pandas.Series[Any]) -> float:
    return float(values.max() / values.min())


def _highest_shown(section: Section) -> float:
    """The end of the bandwidth's axis.

    It is the same in all pictures of an architecture, so that they can be compared at a glance, but for programs that
    use a small part of a link.
    """
    columns = (frame["bandwidth_bytes_per_cycle"] for frame in (section.results, section.reference))
    highest = max(float(value) for column in columns for value in column)
    if section.picture == PARAMETERS and 0 < highest < SMALL_SHARE * section.theoretical_bytes_per_cycle:
        return highest
    return max(section.theoretical_bytes_per_cycle, highest)


class _AlongAxis(NamedTuple):
    """What is along the horizontal axis: a column of results and its title."""

    column: str
    title: str


def _axis_of(section: Section) -> _AlongAxis:
    if section.picture == PARAMETERS:
        return _AlongAxis(section.plotted[0], section.plotted[0])
    return _AlongAxis("transaction_size_bytes", "Transaction Size")


def _lines_of(section: Section, frame: pandas.DataFrame) -> pandas.Series[Any]:
    """What of each row says which line it is on."""
    if section.picture != PARAMETERS:
        return frame["num_transactions"]
    if len(section.plotted) > 1:
        return frame[section.plotted[1]]
    return frame["num_transactions"] * 0  # there is one line only


def _label_of_line(section: Section, value: int) -> str:
    if section.picture != PARAMETERS:
        return plural(value, "transaction")
    if len(section.plotted) > 1:
        return f"{section.plotted[1]} {value_in_words(section.plotted[1], value)}"
    return "model"


class _Style(NamedTuple):
    """How a number of transactions is drawn.

    Attributes:
        model: of the line. It has dashes of its own unless markers of the same number tell in all panels which it is.
        silicon: of the markers; none where nothing was published of that number.
    """

    model: dict[str, Any]
    silicon: dict[str, Any] | None


def _styles(section: Section) -> dict[int, _Style]:
    """The styles of all lines of a section, by number of transactions or by value of a parameter."""
    published = {
        kernel: set(_lines_of(section, section.reference[section.reference["kernel"] == kernel]))
        for kernel in section.kernels
    }
    counts = sorted(set(_lines_of(section, section.results)).union(*published.values()))
    dashed = line_styles(counts)
    return {
        count: _Style(
            model={"color": style["color"]} if all(count in of for of in published.values()) else dashed[count],
            silicon=_silicon(style) if any(count in of for of in published.values()) else None,
        )
        for count, style in series_styles(counts).items()
    }


def _draw_lines(
    axes: Axes,
    section: Section,
    results: pandas.DataFrame,
    reference: pandas.DataFrame,
    column: str,
    styles: dict[int, _Style],
) -> None:
    along = _axis_of(section).column
    for count, style in styles.items():
        modeled = results[_lines_of(section, results) == count]
        if not modeled.empty:
            # A line of one point is not seen, and one through several points of one size says nothing.
            is_line = len(modeled) > 1 and not modeled[along].duplicated().any()
            alone: dict[str, Any] = {} if is_line else {"marker": ".", "markersize": 8, "linestyle": "none"}
            axes.plot(modeled[along], modeled[column], **(style.model | alone))
        measured = reference[_lines_of(section, reference) == count]
        if not measured.empty and style.silicon is not None:
            axes.plot(measured[along], measured[column], **style.silicon)


def _silicon(style: dict[str, Any]) -> dict[str, Any]:
    return {
        **style,
        "linestyle": "none",
        "markerfacecolor": "none",
        "markersize": 5,
        "markeredgewidth": 1.1,
        "clip_on": False,
    }


def _label_sizes(axes: Axes, results: pandas.DataFrame, reference: pandas.DataFrame) -> None:
    """Puts ticks at as many powers of two as there is room for."""
    sizes = [*results["transaction_size_bytes"], *reference["transaction_size_bytes"]]
    first = math.floor(math.log2(min(sizes)))
    last = math.ceil(math.log2(max(sizes)))
    step = math.ceil((last - first + 1) / _MAX_SIZE_LABELS)
    labelled = [2**exponent for exponent in range(first, last + 1, step)]
    axes.set_xscale("log", base=2)
    axes.set_xticks(labelled, [format_size(size) for size in labelled])
    num_calls = destinations(results.iloc[0])
    calls = ""
    if num_calls > 1:
        least, greatest = (format_size(int(size)) for size in results["call_size_bytes"].agg(["min", "max"]))
        calls = f": {num_calls} calls of {least} to {greatest}" if least != greatest else f": {num_calls} calls"
    axes.set_xlabel(f"Transaction size{calls}")


def _label_parameter(axes: Axes, results: pandas.DataFrame, axis: _AlongAxis) -> None:
    """Puts ticks at values that there are, as many as there is room for."""
    values = sorted({int(value) for value in results[axis.column]})
    if len(values) > 1 and values[0] > 0 and values[-1] >= _LOG_FROM_RATIO * values[0]:
        axes.set_xscale("log", base=2)
    step = math.ceil(len(values) / _MAX_SIZE_LABELS)
    shown = values[::step]
    axes.set_xticks(shown, [value_in_words(axis.column, value) for value in shown])
    axes.set_xlabel(axis.title)


def _add_legend(figure: Figure, section: Section, styles: dict[int, _Style]) -> None:
    """Two lines: the numbers of transactions, and what is drawn of each."""
    from matplotlib.lines import Line2D

    counts = [
        Line2D(
            *([], []),
            **((style.silicon or {}) | {"linestyle": "-"} | style.model),
            label=_label_of_line(section, count),
        )
        for count, style in styles.items()
    ]
    kinds = [Line2D([], [], color="0.3", label="model")]
    if not section.reference.empty:
        kinds.append(Line2D([], [], **_silicon({"color": "0.3", "marker": "o"}), label=published_source(section.arch)))
    if _highest_shown(section) < section.theoretical_bytes_per_cycle:
        add_legend(figure, counts, kinds if len(styles) > 1 else [])
        return
    theoretical = f"theoretical maximum, {section.theoretical_bytes_per_cycle:g} B/cycle"
    kinds.append(Line2D([], [], **THEORETICAL_STYLE, label=theoretical))
    add_legend(figure, counts, kinds)
