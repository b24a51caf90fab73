"""Pictures of transfers on Epiphany: curves by size, cores on the mesh, loads by distance."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.drawing.panels import add_legend, make_panels, series_styles, set_panel_title
from nocbench.drawing.pictures import color_of, readable_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.image import AxesImage

_PUBLISHED: dict[str, Any] = {"linestyle": ":", "linewidth": 1.2}
_SIZE_TICKS = range(0, 2049, 256)
_MARKS: tuple[dict[str, Any], ...] = tuple(
    {"color": "black", "linewidth": 1.0, "linestyle": dashes} for dashes in ("--", "-.")
)
_NUM_SIZE_STEPS = 8  # number of ticks on an axis of sizes
_NUM_MARKERS = 16  # number of markers on a curve
_MARK_EVERY = 16  # sizes between two markers
_BAR_HALF_WIDTH = 0.06  # in columns of the chip
_BAR_POINTS = 2.5
_BAR_SHARE = 0.06  # share of the range of sizes


@dataclass(frozen=True, eq=False)
class Line:
    """A curve of a picture.

    Attributes:
        label: name in the legend.
        rows: rows by size, as from :func:`nocbench.published.transfers.curve`.
        published: speed in the document, or None.
        in_times: True if the panel of times also shows the curve.
    """

    label: str
    rows: pandas.DataFrame
    published: float | None = None
    in_times: bool = True


@dataclass(frozen=True)
class CloseUp:
    """Enlarged view of the beginning of curves.

    Attributes:
        num_bytes: largest size shown.
        marks: up to two sizes that the document mentions, with texts.
    """

    num_bytes: int
    marks: Sequence[tuple[int, str]]


def draw_sizes(title: str, lines: Sequence[Line], close_up: CloseUp | None = None) -> Figure:
    """Draws speed and time against size side by side, with a close-up below both, and one legend."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1 if close_up is None else 2, 2)
    styles = series_styles([line.label for line in lines])
    _draw_speeds_and_times(panels[0], lines, styles, max(_SIZE_TICKS))
    set_panel_title(panels[0][0], "Size vs Speed")
    set_panel_title(panels[0][1], "Size vs Duration")
    if close_up is not None:
        _draw_speeds_and_times(panels[1], lines, styles, close_up.num_bytes)
        set_panel_title(panels[1][0], f"Size vs Speed, the first {close_up.num_bytes} bytes")
        set_panel_title(panels[1][1], f"Size vs Duration, the first {close_up.num_bytes} bytes")
        for (size, _), style in zip(close_up.marks, _MARKS, strict=False):
            for axes in panels[1]:
                axes.axvline(size, **style)
    handles = [Line2D([], [], **styles[line.label], markersize=4, label=line.label) for line in lines]
    notes = []
    if any(line.published is not None for line in lines):
        notes.append(Line2D([], [], color="0.3", **_PUBLISHED, label="dotted: the document's table"))
    if close_up is not None:
        notes += [Line2D([], [], **style, label=what) for (_, what), style in zip(close_up.marks, _MARKS, strict=False)]
    add_legend(figure, handles, notes)
    return figure


def _draw_speeds_and_times(
    panels: Sequence[Axes], lines: Sequence[Line], styles: dict[Any, dict[str, Any]], num_bytes: int
) -> None:
    """Draws curves up to a size into a panel of speeds and a panel of times, and scales their axes."""
    speed, time = panels
    step = num_bytes // _NUM_SIZE_STEPS
    for line in lines:
        rows = line.rows[line.rows["size_bytes"] <= num_bytes]
        style = styles[line.label] | {"markersize": 4, "markevery": max(1, len(rows) // _NUM_MARKERS)}
        speed.plot(rows["size_bytes"], rows["megabytes_per_second"], **style)
        if line.published is not None:
            _draw_published(speed, line.published, styles[line.label])
        if line.in_times:
            time.plot(rows["size_bytes"], rows["latency_cycles"], **style)
    speed.set(ylabel="Speed (MB/s)")
    time.set(ylabel="Duration (cycles)")
    time.yaxis.set_major_formatter("{x:,.0f}")
    for axes in panels:
        axes.set_ylim(bottom=0)
        axes.set(xlabel="Size (bytes)", xlim=(0, num_bytes))
        axes.set_xticks(range(0, num_bytes + 1, step))


@dataclass(frozen=True, eq=False)
class CoreMap:
    """Speeds of the cores of a mesh.

    Attributes:
        label: activity of the cores.
        rows: one row per core, with `x`, `y` and `megabytes_per_second`.
        measured: speeds in raw data, by column of the chip; empty without raw data.
    """

    label: str
    rows: pandas.DataFrame
    measured: Sequence[float] = ()


def draw_core_maps(title: str, maps: Sequence[CoreMap]) -> Figure:
    """Draws a map of the mesh per transfer, two per row, with the columns of the chip as columns."""
    figure, panels = make_panels(title, (len(maps) + 1) // 2, min(2, len(maps)))
    highest = max(float(of_map.rows["megabytes_per_second"].max()) for of_map in maps)
    for axes, of_map in zip(panels.flat, maps, strict=False):
        set_panel_title(axes, f"{of_map.label}, MB/s")
        speeds = of_map.rows.pivot_table(index="y", columns="x", values="megabytes_per_second")
        _draw_matrix(axes, speeds, (0, highest), "{:.1f}")
        axes.set(xlabel="Column; the off-chip link is beyond the last one", ylabel="Row")
    for axes in panels.flat[len(maps) :]:
        axes.set_axis_off()
    return figure


def draw_loads(title: str, loads: pandas.DataFrame, expected: tuple[float, float]) -> Figure:
    """Draws cycles of loads in two panels: by core and target, and against distance with the line start + slope x hops.

    Args:
        title: title of the picture.
        loads: one row per pair of cores, with `source` and `target` ("x,y"), `hops` and `cycles_per_load`.
        expected: start and slope of the line, in cycles.
    """
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 2)
    matrix, distance = panels[0]
    order = {core: position for position, core in enumerate(dict.fromkeys(loads["source"]))}
    cycles = loads.pivot_table(index="source", columns="target", values="cycles_per_load").reindex(
        index=list(order), columns=[core for core in order if core in set(loads["target"])]
    )
    set_panel_title(matrix, "Cycles per load, by core and target")
    least, greatest = float(loads["cycles_per_load"].min()), float(loads["cycles_per_load"].max())
    image = _draw_matrix(matrix, cycles, (least, greatest))
    figure.colorbar(image, ax=matrix, fraction=0.046, pad=0.04)
    matrix.set(xlabel="Core whose memory is read (x,y)", ylabel="Core that loads (x,y)")
    matrix.tick_params(labelsize=6)
    set_panel_title(distance, "Distance vs cycles per load")
    start, slope = expected
    hops = sorted(set(loads["hops"]))
    distance.plot(hops, [start + slope * number for number in hops], color="black", linestyle="--", linewidth=1.2)
    distance.plot(loads["hops"], loads["cycles_per_load"], "o", color="C0", markersize=6, markerfacecolor="none")
    distance.set(xlabel="Distance (hops)", ylabel="Cycles per load", ylim=(0, None))
    model = Line2D([], [], color="C0", marker="o", markerfacecolor="none", linestyle="none", label="model, each pair")
    rule = Line2D([], [], color="black", linestyle="--", label=f"{start:g} + {slope:g} per hop")
    add_legend(figure, [model, rule])
    return figure


@dataclass(frozen=True, eq=False)
class ActiveLine:
    """Speed of simultaneously active cores; `rows` has `active`, their number, and `megabytes_per_second`."""

    label: str
    rows: pandas.DataFrame


def draw_active(title: str, lines: Sequence[ActiveLine]) -> Figure:
    """Draws mean and total speed of the cores against the number of active cores."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 2)
    each, together = panels[0]
    styles = series_styles([line.label for line in lines])
    for line in lines:
        style = styles[line.label] | {"markersize": 4}
        each.plot(line.rows["active"], line.rows["megabytes_per_second"], **style)
        together.plot(line.rows["active"], line.rows["active"] * line.rows["megabytes_per_second"], **style)
    set_panel_title(each, "Mean of the cores")
    set_panel_title(together, "Mean times number of cores")
    for axes in (each, together):
        axes.set(xlabel="Cores at work", ylabel="Speed (MB/s)", ylim=(0, None))
        axes.set_xticks(sorted({int(number) for line in lines for number in line.rows["active"]})[::2])
    add_legend(figure, [Line2D([], [], **styles[line.label], markersize=4, label=line.label) for line in lines])
    return figure


def draw_columns(title: str, by_core: Sequence[CoreMap], curves: Sequence[Line], expected: Sequence[float]) -> Figure:
    """Draws speeds of busy cores in two panels: the mean against size, and each core at one size.

    Args:
        title: title of the picture.
        by_core: speeds of the cores at one size.
        curves: mean speeds by size.
        expected: speed of a core's writes under fair arbitration, by column of the chip; or empty.
    """
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, 2)
    sizes, columns = panels[0]
    labels = list(dict.fromkeys([line.label for line in curves] + [of_map.label for of_map in by_core]))
    styles = series_styles(labels)
    for line in curves:
        style = styles[line.label] | {"markersize": 4, "markevery": _MARK_EVERY}
        sizes.plot(line.rows["size_bytes"], line.rows["megabytes_per_second"], **style)
        if line.published is not None:
            _draw_published(sizes, line.published, styles[line.label])
    set_panel_title(sizes, "Size vs Speed, mean of the cores")
    sizes.set(xlabel="Size (bytes)", ylabel="Speed (MB/s)", xlim=(0, max(_SIZE_TICKS)))
    sizes.set_xticks(list(_SIZE_TICKS))
    highest = max((of_map.rows["megabytes_per_second"].max() for of_map in by_core), default=1.0)
    sizes.set_ylim(0, 1.6 * highest)
    set_panel_title(columns, "Each core at 2048 bytes, by its column")
    for position, of_map in enumerate(by_core):
        shift = 0.14 * (position - (len(by_core) - 1) / 2)
        columns.plot(
            of_map.rows["x"] + shift,
            of_map.rows["megabytes_per_second"],
            linestyle="none",
            markersize=5,
            markerfacecolor="none",
            **styles[of_map.label],
        )
        for column, speed in enumerate(of_map.measured):
            left, right = column + shift - _BAR_HALF_WIDTH, column + shift + _BAR_HALF_WIDTH
            columns.hlines(speed, left, right, colors=[styles[of_map.label]["color"]], linewidth=_BAR_POINTS)
    for column, speed in enumerate(expected):
        columns.hlines(speed, column - 0.4, column + 0.4, colors="black", linestyles="--", linewidth=1.2)
    columns.set(xlabel="Column of the core; the off-chip link is beyond the last one", ylabel="Speed (MB/s)")
    columns.set_xticks(sorted({int(x) for of_map in by_core for x in of_map.rows["x"]}))
    columns.set_ylim(0, 1.15 * highest)
    handles = [Line2D([], [], **styles[label], markersize=4, label=label) for label in labels]
    notes = [Line2D([], [], color="0.3", **_PUBLISHED, label="dotted: the document's table")]
    if any(len(of_map.measured) > 0 for of_map in by_core):
        notes.append(Line2D([], [], color="0.3", linewidth=_BAR_POINTS, label="bars: raw data, by column"))
    if expected:
        rule = "round robin: 1/4, 1/4, 1/3, 1/2 of a row's share of the link"
        notes.append(Line2D([], [], color="black", linestyle="--", label=rule))
    add_legend(figure, handles, notes)
    return figure


@dataclass(frozen=True, eq=False)
class CoreCurves:
    """Speeds of busy cores by size.

    Attributes:
        label: activity of the cores.
        rows: one row per core and size, with `x`, `y`, `size_bytes` and `megabytes_per_second`.
        published: speed in the document, a mean over all cores, or None.
        measured: speeds in raw data at the largest size, by column of the chip; empty without raw data.
    """

    label: str
    rows: pandas.DataFrame
    published: float | None = None
    measured: Sequence[float] = ()


def draw_core_curves(title: str, curves: Sequence[CoreCurves]) -> Figure:
    """Draws speed against size for every core, a panel per transfer. Cores of a column have the same style."""
    from matplotlib.lines import Line2D

    figure, panels = make_panels(title, 1, len(curves))
    styles = series_styles(sorted({int(x) for of_all in curves for x in of_all.rows["x"]}))
    for axes, of_all in zip(panels[0], curves, strict=True):
        for (x, _), rows in of_all.rows.groupby(["x", "y"], sort=True):
            every = max(1, len(rows) // _NUM_MARKERS)
            style = styles[x] | {"markersize": 3, "markevery": every, "linewidth": 0.9}
            axes.plot(rows["size_bytes"], rows["megabytes_per_second"], **style)
        if of_all.published is not None:
            axes.axhline(of_all.published, color="0.3", **_PUBLISHED)
        largest = int(of_all.rows["size_bytes"].max())
        for column, speed in enumerate(of_all.measured):
            axes.hlines(
                speed,
                largest * (1 - _BAR_SHARE),
                largest,
                colors=[styles[column]["color"]],
                linewidth=_BAR_POINTS,
                zorder=3,
            )
        set_panel_title(axes, of_all.label)
        axes.set(xlabel="Size (bytes)", ylabel="Speed (MB/s)", xlim=(0, largest), ylim=(0, None))
        axes.set_xticks(range(0, largest + 1, largest // _NUM_SIZE_STEPS))
    handles = [
        Line2D([], [], **style, markersize=4, label=f"cores of column {column}") for column, style in styles.items()
    ]
    notes = []
    if any(of_all.published is not None for of_all in curves):
        notes.append(Line2D([], [], color="0.3", **_PUBLISHED, label="dotted: the document's table, a mean"))
    if any(len(of_all.measured) > 0 for of_all in curves):
        bars = "bars at the right: raw data at the largest size, by column"
        notes.append(Line2D([], [], color="0.3", linewidth=_BAR_POINTS, label=bars))
    add_legend(figure, handles, notes)
    return figure


def _draw_published(axes: Axes, speed: float, style: dict[str, Any]) -> None:
    """Draws a speed of the document as a horizontal line, with the marker of its curve at both ends."""
    axes.axhline(speed, **style, **_PUBLISHED, markersize=5, markerfacecolor="none", clip_on=False)


def _draw_matrix(axes: Axes, values: pandas.DataFrame, limits: tuple[float, float], form: str = "") -> AxesImage:
    """Draws a table as coloured squares, with numbers in the format `form`; without numbers if the format is empty."""
    least, greatest = limits
    image = axes.imshow(values.to_numpy(dtype=float), cmap="viridis", aspect="equal", vmin=least, vmax=greatest)
    axes.set_xticks(range(len(values.columns)), [str(name) for name in values.columns])
    axes.set_yticks(range(len(values.index)), [str(name) for name in values.index])
    axes.grid(visible=False)
    if form:
        for row, column in itertools.product(*map(range, values.shape)):
            value = float(values.to_numpy()[row, column])
            color = readable_on(color_of(image, value))
            axes.text(column, row, form.format(value), ha="center", va="center", color=color, fontsize=9)
    return image
