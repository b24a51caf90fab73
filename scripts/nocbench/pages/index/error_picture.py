"""Picture of the errors of all published latencies of silicon, over the latency."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import add_legend, label_logarithmic, make_panels, series_styles, set_panel_title
from nocbench.drawing.pictures import Picture
from nocbench.published.accuracy_summary import GROUPS, group_of, of_silicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch

    from nocbench.drawing.pictures import Color
    from nocbench.published.accuracy_tables import ComparedTable

    Points = list[tuple[float, float]]
    """Published latency in cycles and signed error in percent, by point."""

FILE_STEM = "accuracy"
_TITLE = "Model against silicon: errors of all published latencies"
_MARGIN = 1.3
_STEP_PERCENT = 20
_DOT_POINTS = 2.6
_DOT_LENGTH = 1.02  # of a line with round ends, which files hold in a quarter of the bytes of a marker


def error_picture(tables: Sequence[ComparedTable]) -> Picture | None:
    """Returns the picture of the tables of silicon; None without points."""
    points: dict[str, dict[str, Points]] = {}
    for table in of_silicon(tables):
        of_group = points.setdefault(table.arch, {}).setdefault(group_of(table), [])
        of_group += [(row.published, 100 * (row.modeled / row.published - 1)) for row in table.rows]
    points = {arch: groups for arch, groups in points.items() if any(groups.values())}
    return Picture(_TITLE, "", FILE_STEM, partial(_draw, points)) if points else None


def _draw(points: dict[str, dict[str, Points]]) -> Figure:
    """Draws a panel for each architecture, all with the same axes."""
    from matplotlib.lines import Line2D

    groups = [group for group in GROUPS if any(group in of_arch for of_arch in points.values())]
    colors = {group: style["color"] for group, style in series_styles(groups).items()}
    everything = [point for of_arch in points.values() for of_group in of_arch.values() for point in of_group]
    latencies_cycles = [latency_cycles for latency_cycles, _ in everything]
    farthest_percent = max(abs(error_percent) for _, error_percent in everything)
    limit_percent = _STEP_PERCENT * (int(farthest_percent / _STEP_PERCENT) + 1)
    figure, panels = make_panels(_TITLE, 1, len(points))
    for axes, (arch, of_arch) in zip(panels[0], points.items(), strict=True):
        set_panel_title(axes, arch)
        _scale(axes, min(latencies_cycles) / _MARGIN, max(latencies_cycles) * _MARGIN, limit_percent)
        for group in sorted(of_arch, key=lambda group: -len(of_arch[group])):
            axes.add_patch(_dots(of_arch[group], colors[group]))
    dots: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 5}
    add_legend(figure, [Line2D([], [], color=colors[group], label=group, **dots) for group in groups])
    return figure


def _scale(axes: Axes, least_cycles: float, most_cycles: float, limit_percent: int) -> None:
    axes.set_xscale("log")
    axes.set_xlim(least_cycles, most_cycles)
    label_logarithmic(axes.xaxis, least_cycles, most_cycles)
    axes.minorticks_off()
    axes.set_ylim(-limit_percent, limit_percent)
    axes.set_yticks(range(-limit_percent, limit_percent + 1, _STEP_PERCENT))
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="Latency on silicon (cycles)", ylabel="(model - silicon) / silicon (%)")


def _dots(points: Points, color: Color) -> PathPatch:
    """Returns a dot for each point, all of them as one shape."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    ends = [(x * factor, y) for x, y in sorted(points) for factor in (1, _DOT_LENGTH)]
    path = Path(ends, [Path.MOVETO, Path.LINETO] * len(points))
    path.should_simplify = False
    dots = PathPatch(path, facecolor="none", edgecolor=color, linewidth=_DOT_POINTS, capstyle="round", zorder=3)
    dots.set_snap(False)  # which would make most lines vanish
    return dots
