"""The layout of a test's picture: panels in rows and columns, with a title above and a legend below them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

# Sizes are fixed, in inches: computing a layout takes longer than drawing.
_PANEL_INCHES = (4.8, 3.1)
_LEFT_INCHES = 1.05  # left of each panel: tick labels and name of the vertical axis
_BELOW_INCHES = 0.55  # below each panel: tick labels and name of the horizontal axis
_ABOVE_INCHES = 0.35  # for the title above each panel
_RIGHT_INCHES = 0.3
_TITLE_INCHES = 0.3
_TITLE_BELOW_TOP_INCHES = 0.12
_LEGEND_INCHES = 0.65
_LEGEND_BOTTOM_INCHES = 0.06
_LEGEND_LINE_INCHES = 0.26  # below the panels there is room for two lines
_LEGEND_MARGIN_INCHES = 0.1
_MIN_TICKS = 3
_MAX_TICKS = 8
_MARKERS = "os^DvPX*<>"
_LINE_STYLES: tuple[Any, ...] = (  # solid; then dashes and gaps in points
    "-",
    (0, (6, 2)),
    (0, (1.2, 1.5)),
    (0, (7, 2, 1.2, 2)),
    (0, (3, 1.2)),
    (0, (7, 2, 1.2, 2, 1.2, 2)),
    (0, (11, 3)),
    (0, (3, 1.2, 1.2, 1.2)),
    (0, (11, 3, 3, 3)),
    (0, (1.2, 4)),
)

THEORETICAL_STYLE: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1.2}
"""Style of the line at the theoretical maximum of bandwidth."""

SMALL_SHARE = 0.5
"""Share of the theoretical bandwidth; pictures of programs and flows with less bandwidth do not show the maximum."""


def make_panels(title: str, num_rows: int, num_columns: int) -> tuple[Figure, numpy.ndarray[Any, Any]]:
    """Returns a figure and its panels, by row and column."""
    from matplotlib.figure import Figure

    width_inches = num_columns * (_LEFT_INCHES + _PANEL_INCHES[0]) + _RIGHT_INCHES
    row_inches = _ABOVE_INCHES + _PANEL_INCHES[1] + _BELOW_INCHES
    height_inches = _TITLE_INCHES + num_rows * row_inches + _LEGEND_INCHES
    figure = Figure(figsize=(width_inches, height_inches))
    figure.subplots_adjust(
        left=_LEFT_INCHES / width_inches,
        right=1 - _RIGHT_INCHES / width_inches,
        bottom=(_LEGEND_INCHES + _BELOW_INCHES) / height_inches,
        top=1 - (_TITLE_INCHES + _ABOVE_INCHES) / height_inches,
        wspace=_LEFT_INCHES / _PANEL_INCHES[0],
        hspace=(_ABOVE_INCHES + _BELOW_INCHES) / _PANEL_INCHES[1],
    )
    _put_title(figure, title)
    return figure, figure.subplots(num_rows, num_columns, squeeze=False)


def _put_title(figure: Figure, title: str) -> None:
    y = 1 - _TITLE_BELOW_TOP_INCHES / figure.get_figheight()
    # Names may contain dollar signs, which would begin a formula.
    figure.suptitle(title, fontsize="large", y=y, va="top", parse_math=False)


def set_panel_title(axes: Axes, title: str) -> None:
    """Gives a panel its title."""
    # With a fixed position, matplotlib skips its slow search for one.
    axes.set_title(title, y=1.0, parse_math=False)


def format_cycles(value: float, _: float) -> str:
    """Returns a label for an axis of durations: "300", "10 k", "1 M"."""
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:g} {unit}"
    return f"{value:g}"


def series_styles(series: Sequence[Hashable]) -> dict[Any, dict[str, Any]]:
    """Returns colour and marker of each series. Both differ between series, for readers who see few colours."""
    import seaborn

    palette = "colorblind" if len(series) <= 6 else "viridis"
    colors = seaborn.color_palette(palette, len(series))
    return {
        name: {"color": color, "marker": _MARKERS[position % len(_MARKERS)]}
        for position, (name, color) in enumerate(zip(series, colors, strict=True))
    }


def line_styles(series: Sequence[Hashable]) -> dict[Any, dict[str, Any]]:
    """Returns colour and dashes of each series that is drawn without markers, in the order of :func:`series_styles`."""
    return {
        name: {"color": style["color"], "linestyle": _LINE_STYLES[position % len(_LINE_STYLES)]}
        for position, (name, style) in enumerate(series_styles(series).items())
    }


def label_logarithmic(axis: Axis, least: float, most: float) -> None:
    """Puts labelled ticks on a logarithmic axis of durations, from `least` to `most`.

    Uses powers of ten if enough of them are in the range, else finer steps; there are at least two ticks.
    """
    from matplotlib.ticker import FixedLocator

    first, last = math.floor(math.log10(least)), math.ceil(math.log10(most))
    for steps in ((1,), (1, 3), (1, 2, 5), tuple(range(1, 10)), tuple(step / 10 for step in range(10, 100))):
        ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps]
        shown = [tick for tick in ticks if least <= tick <= most]
        if len(shown) >= _MIN_TICKS:
            break
    if len(shown) < _MIN_TICKS:  # a range of few percent
        shown = [least, most]
    step = math.ceil(len(shown) / _MAX_TICKS)
    axis.set_major_locator(FixedLocator(shown[::step]))
    axis.set_major_formatter(format_cycles)


def add_legend(figure: Figure, *groups: Sequence[Artist]) -> None:
    """Puts a legend below the panels.

    Each group of handles begins a line, and long groups wrap. The figure grows if the legend has more than two lines.
    """
    shown = [handles for handles in groups if handles]
    num_columns = [_columns_that_fit(figure, handles) for handles in shown]
    num_lines = [math.ceil(len(handles) / columns) for handles, columns in zip(shown, num_columns, strict=True)]
    _make_higher(figure, max(sum(num_lines) - 2, 0) * _LEGEND_LINE_INCHES)
    bottom_inches = _LEGEND_BOTTOM_INCHES + max(2, sum(num_lines)) * _LEGEND_LINE_INCHES
    for handles, columns, lines in zip(shown, num_columns, num_lines, strict=True):
        bottom_inches -= lines * _LEGEND_LINE_INCHES
        _put_legend(figure, handles, columns, bottom_inches)


def _put_legend(figure: Figure, handles: Sequence[Artist], num_columns: int, bottom_inches: float) -> Legend:
    return figure.legend(
        handles=_by_rows(handles, num_columns),
        loc="lower center",
        bbox_to_anchor=(0.5, bottom_inches / figure.get_figheight()),
        borderaxespad=0,
        ncols=num_columns,
        columnspacing=1.5 if len(handles) <= 6 else 0.8,
        frameon=False,
    )


def _by_rows(handles: Sequence[Artist], num_columns: int) -> list[Artist]:
    """Returns handles in an order that fills the legend by rows: matplotlib fills it by columns."""
    return [handle for column in range(num_columns) for handle in handles[column::num_columns]]


def _columns_that_fit(figure: Figure, handles: Sequence[Artist]) -> int:
    """Returns the maximum number of columns of a legend that fits the width of the figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()  # type: ignore[no-untyped-call]
    room = figure.bbox.width - 2 * _LEGEND_MARGIN_INCHES * figure.dpi
    for num_lines in range(1, len(handles) + 1):
        num_columns = math.ceil(len(handles) / num_lines)
        legend = _put_legend(figure, handles, num_columns, 0)
        width = legend.get_window_extent(renderer).width
        legend.remove()
        if width <= room:
            return num_columns
    return 1


def _make_higher(figure: Figure, by_inches: float) -> None:
    """Adds room at the bottom of a figure, without changing the size of panels."""
    if not by_inches:
        return
    before, shape = figure.get_figheight(), figure.subplotpars
    bottom_inches, above_inches = shape.bottom * before + by_inches, (1 - shape.top) * before
    figure.set_figheight(before + by_inches)
    figure.subplots_adjust(bottom=bottom_inches / (before + by_inches), top=1 - above_inches / (before + by_inches))
    _put_title(figure, figure.get_suptitle())
