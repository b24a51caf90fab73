"""The layout of a picture of a test: panels in rows and columns, a title above and a legend below them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import numpy
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Everything has its place in inches: a layout that is searched for takes longer than all the drawing.
_PANEL_INCHES = (4.8, 3.1)
_LEFT_INCHES = 1.05  # of each panel: numbers and name of the vertical axis
_BELOW_INCHES = 0.55  # of each panel: numbers and name of the horizontal axis
_ABOVE_INCHES = 0.35  # of each panel: its title
_RIGHT_INCHES = 0.3
_TITLE_INCHES = 0.3
_LEGEND_INCHES = 0.65
_LEGEND_LINES_INCHES = (0.32, 0.06)
_MARKERS = "os^DvPX*<>"
_LINE_STYLES: tuple[Any, ...] = (  # solid, and then dashes in points: drawn, left out, ...
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
"""Of the line at the highest bandwidth that there can be."""

SMALL_SHARE = 0.5
"""The part of the highest bandwidth below which pictures of programs and flows end without showing it."""


def make_panels(title: str, num_rows: int, num_columns: int) -> tuple[Figure, numpy.ndarray[Any, Any]]:
    """A figure and its panels, by row and column."""
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
    figure.suptitle(title, fontsize="large", y=1 - 0.12 / height_inches, va="top")
    return figure, figure.subplots(num_rows, num_columns, squeeze=False)


def set_panel_title(axes: Axes, title: str) -> None:
    """Gives a panel its title."""
    axes.set_title(title, y=1.0)  # given a place, it is not moved out of the way of labels, which takes long


def format_cycles(value: float, _: int) -> str:
    """A label of an axis of durations: "300", "10 k", "1 M"."""
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= factor:
            return f"{value / factor:g} {unit}"
    return f"{value:g}"


def series_styles(series: Sequence[Hashable]) -> dict[Any, dict[str, Any]]:
    """Colour and marker for each series of points: both differ, for those who see few colours."""
    import seaborn

    palette = "colorblind" if len(series) <= 6 else "viridis"
    colors = seaborn.color_palette(palette, len(series))
    return {
        name: {"color": color, "marker": _MARKERS[position % len(_MARKERS)]}
        for position, (name, color) in enumerate(zip(series, colors, strict=True))
    }


def line_styles(series: Sequence[Hashable]) -> dict[Any, dict[str, Any]]:
    """Colour and dashes for each series that is drawn without markers, in the order of :func:`series_styles`."""
    return {
        name: {"color": style["color"], "linestyle": _LINE_STYLES[position % len(_LINE_STYLES)]}
        for position, (name, style) in enumerate(series_styles(series).items())
    }


def add_legend(figure: Figure, *lines: Sequence[Artist]) -> None:
    """Puts up to two lines of legend below the panels."""
    for handles, bottom_inches in zip(lines, _LEGEND_LINES_INCHES, strict=False):
        figure.legend(
            handles=list(handles),
            loc="lower center",
            bbox_to_anchor=(0.5, bottom_inches / figure.get_figheight()),
            borderaxespad=0,
            ncols=len(handles),
            columnspacing=1.5 if len(handles) <= 6 else 0.8,
            frameon=False,
        )
