"""Pictures of OpenSHMEM calls: time and bandwidth against size, time against the number of PEs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import add_legend, make_panels, series_styles, set_panel_title

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_MARK: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1.0}


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve of a picture.

    Attributes:
        label: name in the legend.
        rows: rows of calls, by size or number of PEs.
        bytes_per_size: bytes moved by a call per byte of its size, for the bandwidth.
    """

    label: str
    rows: pandas.DataFrame
    bytes_per_size: float = 1


@dataclass(frozen=True)
class Mark:
    """Values in the paper: positions of lines, and their label."""

    values: tuple[float, ...]
    what: str

    def draw(self, axes: Axes) -> Line2D:
        """Draws the lines; returns the entry of the legend."""
        from matplotlib.lines import Line2D

        for value in self.values:
            axes.axhline(value, **_MARK)
        return Line2D([], [], **_MARK, label=self.what)


def draw_sizes(
    title: str, curves: Sequence[Curve], bandwidth: str, mark: Mark | None = None, *, counts_calls: bool = False
) -> Figure:
    """Draws time and bandwidth against size side by side, on logarithmic axes.

    Args:
        title: title of the picture.
        curves: curves to draw.
        bandwidth: name of the vertical axis of bandwidths, in GB/s, or of calls, in millions per second.
        mark: bandwidths in the paper, or None.
        counts_calls: True to draw calls per second in the place of bandwidths.
    """
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 2)
    times, bandwidths = panels[0]
    styles = series_styles([curve.label for curve in curves])
    for curve in curves:
        style = styles[curve.label] | {"markersize": 4}
        sizes, nanoseconds = curve.rows["size_bytes"], curve.rows["nanoseconds"]
        times.plot(sizes, nanoseconds / 1000, **style)
        rates = 1000 / nanoseconds if counts_calls else sizes * curve.bytes_per_size / nanoseconds
        bandwidths.plot(sizes, rates, **style)
    _scale(times, "Size, bytes", "Time of a call, µs")
    _scale(bandwidths, "Size, bytes", bandwidth)
    set_panel_title(times, "Size vs Time")
    set_panel_title(bandwidths, "Size vs Calls" if counts_calls else "Size vs Bandwidth")
    handles = [Line2D([], [], **styles[curve.label], markersize=4, label=curve.label) for curve in curves]
    notes = []
    if mark is not None:
        notes.append(mark.draw(bandwidths))
    add_legend(figure, handles, notes)
    return figure


def draw_numbers_of_pes(title: str, curves: Sequence[Curve], mark: Mark | None = None) -> Figure:
    """Draws time against the number of PEs, on linear axes. `mark` is a time in the paper, in µs."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 1)
    axes = panels[0][0]
    styles = series_styles([curve.label for curve in curves])
    for curve in curves:
        rows = curve.rows.assign(number=curve.rows["pes"].astype(int)).sort_values("number")
        axes.plot(rows["number"], rows["nanoseconds"] / 1000, **styles[curve.label], markersize=4)
    axes.set_xlabel("PEs")
    axes.set_ylabel("Time of a call, µs")
    axes.set_xticks(range(1, 17))
    axes.set_ylim(bottom=0)
    handles = [Line2D([], [], **styles[curve.label], markersize=4, label=curve.label) for curve in curves]
    half = (len(handles) + 1) // 2 if len(handles) > 5 else len(handles)
    notes = handles[half:]
    if mark is not None:
        notes.append(mark.draw(axes))
    add_legend(figure, handles[:half], notes)
    return figure


def _scale(axes: Axes, name_x: str, name_y: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel(name_x)
    axes.set_ylabel(name_y)
