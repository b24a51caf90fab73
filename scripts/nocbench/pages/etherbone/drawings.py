"""Pictures of Etherbone cycles: lines against a number such as timestamps, with documented values as bands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import make_panels, series_styles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.figure import Figure

_BAND: dict[str, Any] = {"color": "black", "alpha": 0.25}


HOURGLASS = ((-1, 1), (1, 1), (-1, -1), (1, -1), (-1, 1))
"""Corners of a marker."""

# Shares of a picture's width: the panel, and the legend beside it.
_PANEL_LEFT, _PANEL_WIDTH, _LEGEND_LEFT = 0.09, 0.55, 0.66


@dataclass(frozen=True)
class Line:
    """A line of a picture: name, values by horizontal coordinate, and style; by default, styles tell lines apart."""

    label: str
    values: Mapping[int, float]
    style: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Band:
    """Range of values that the document gives for a line, from `first` to `last` on the horizontal axis."""

    first: float
    last: float
    low: float
    high: float


@dataclass(frozen=True)
class Axes:
    """Names of the axes of a picture. `base` is that of a logarithmic horizontal axis; 0 for a linear axis."""

    x: str
    y: str
    base: int = 0
    from_zero: bool = False


def draw_lines(
    title: str, lines: Sequence[Line], axes: Axes, bands: Sequence[Band] = (), what_bands_are: str = ""
) -> Figure:
    """Draws lines and bands. The vertical axis is logarithmic unless it begins at zero."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 2)
    panel, beside = panels[0]
    place = panel.get_position()
    panel.set_position((_PANEL_LEFT, place.y0, _PANEL_WIDTH, place.height))
    beside.set_position((_LEGEND_LEFT, place.y0, 1 - _LEGEND_LEFT, place.height))
    styles = series_styles([line.label for line in lines])
    styles = {line.label: {**styles[line.label], **line.style} for line in lines}
    for line in lines:
        panel.plot(list(line.values), list(line.values.values()), **styles[line.label], markersize=6)
    for band in bands:
        middle = (band.first + band.last) / 2
        half = max((band.last - band.first) / 2, 0.15)
        panel.fill_between([middle - half, middle + half], band.low, band.high, **_BAND, linewidth=0)
    if axes.base:
        panel.set_xscale("log", base=axes.base)
    if axes.from_zero:
        panel.set_ylim(bottom=0)
    else:
        panel.set_yscale("log")
    panel.set_xlabel(axes.x)
    panel.set_ylabel(axes.y)
    handles = [Line2D([], [], **styles[line.label], markersize=6, label=line.label) for line in lines]
    if bands:
        handles.append(Line2D([], [], **_BAND, linewidth=4, label=what_bands_are))
    beside.axis("off")
    beside.legend(handles=handles, loc="center left", bbox_to_anchor=(0, 0.5), frameon=False)
    return figure
