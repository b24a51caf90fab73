"""Pictures of a test: Transaction Size vs Duration and vs Bandwidth, model and silicon on the same axes.

The same data gives the same bytes: no time stamps or program versions in the files, no font but the one that comes with
matplotlib, no setting of the user's.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nocbench.atomic_files import atomic_path
from nocbench.units import format_size, plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.sections import Section

# Everything has its place in inches: a layout that is searched for takes longer than all the drawing.
_PANEL_INCHES = (4.8, 3.1)
_LEFT_INCHES = 1.05  # of each panel: numbers and name of the vertical axis
_BELOW_INCHES = 0.55  # of each panel: numbers and name of the horizontal axis
_ABOVE_INCHES = 0.35  # of each panel: its title
_RIGHT_INCHES = 0.3
_TITLE_INCHES = 0.3
_LEGEND_INCHES = 0.65
_PNG_DOTS_PER_INCH = 110
_PNG_COLORS = 128
_MAX_SIZE_LABELS = 8
_MARKERS = "os^DvPX*<>"
_THEORETICAL_STYLE: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1.2}


def write_pictures(section: Section, directory: Path) -> None:
    """Writes the picture of a section, as PNG and SVG, to `directory`."""
    with _fixed_style():
        figure = draw(section)
        with atomic_path(directory / f"{section.file_stem}.png") as path:
            _write_png(figure, path)
        with atomic_path(directory / f"{section.file_stem}.svg") as path:
            figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def draw(section: Section) -> Figure:
    """Draws a row of two panels for every kernel, and one legend below them all."""
    from matplotlib.figure import Figure

    num_kernels = len(section.kernels)
    width_inches = 2 * (_LEFT_INCHES + _PANEL_INCHES[0]) + _RIGHT_INCHES
    row_inches = _ABOVE_INCHES + _PANEL_INCHES[1] + _BELOW_INCHES
    height_inches = _TITLE_INCHES + num_kernels * row_inches + _LEGEND_INCHES
    figure = Figure(figsize=(width_inches, height_inches))
    figure.subplots_adjust(
        left=_LEFT_INCHES / width_inches,
        right=1 - _RIGHT_INCHES / width_inches,
        bottom=(_LEGEND_INCHES + _BELOW_INCHES) / height_inches,
        top=1 - (_TITLE_INCHES + _ABOVE_INCHES) / height_inches,
        wspace=_LEFT_INCHES / _PANEL_INCHES[0],
        hspace=(_ABOVE_INCHES + _BELOW_INCHES) / _PANEL_INCHES[1],
    )
    figure.suptitle(f"{section.title}, {section.arch}", fontsize="large", y=1 - 0.12 / height_inches, va="top")
    counts = sorted(set(section.results["num_transactions"]) | set(section.reference["num_transactions"]))
    styles = _styles(counts)
    panels = figure.subplots(num_kernels, 2, squeeze=False)
    for (duration, bandwidth), kernel in zip(panels, section.kernels, strict=True):
        results = section.results[section.results["kernel"] == kernel]
        reference = section.reference[section.reference["kernel"] == kernel]
        prefix = f"{kernel}: " if num_kernels > 1 else ""
        duration.set_title(f"{prefix}Transaction Size vs Duration")
        _draw_lines(duration, results, reference, "latency_cycles", styles)
        duration.set(yscale="log", ylabel="Duration (cycles)")
        duration.yaxis.set_major_formatter("{x:,.0f}")
        bandwidth.set_title(f"{prefix}Transaction Size vs Bandwidth")
        _draw_lines(bandwidth, results, reference, "bandwidth_bytes_per_cycle", styles)
        bandwidth.axhline(section.theoretical_bytes_per_cycle, **_THEORETICAL_STYLE)
        bandwidth.set(ylabel="Bandwidth (B/cycle)")
        # The same scale in all pictures of an architecture, so that they can be compared at a glance.
        columns = (frame["bandwidth_bytes_per_cycle"] for frame in (results, reference))
        highest = max(section.theoretical_bytes_per_cycle, *(value for column in columns for value in column))
        bandwidth.set_ylim(0, 1.06 * highest)
        for axes in (duration, bandwidth):
            _label_sizes(axes, [*results["transaction_size_bytes"], *reference["transaction_size_bytes"]])
    _add_legend(figure, section, styles)
    return figure


def _write_png(figure: Figure, path: Path) -> None:
    """Writes a PNG with a palette: lines on white need no 32 bits per pixel, and repositories keep every version."""
    import numpy
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    figure.set_dpi(_PNG_DOTS_PER_INCH)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    image = Image.fromarray(numpy.asarray(canvas.buffer_rgba()))  # type: ignore[no-untyped-call]
    image = image.convert("RGB")
    image.quantize(_PNG_COLORS, dither=Image.Dither.NONE).save(path, format="png", optimize=True)


@contextmanager
def _fixed_style() -> Iterator[None]:
    import matplotlib
    import seaborn

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        seaborn.set_theme(context="paper", style="whitegrid")
        matplotlib.rcParams.update(
            {
                "font.family": "DejaVu Sans",
                "svg.hashsalt": "nocbench",
                "svg.fonttype": "path",
                "axes.edgecolor": "0.6",
                "grid.color": "0.9",
                "lines.linewidth": 1.6,
            }
        )
        yield


def _styles(counts: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Colour and marker for each number of transactions: both differ, for those who see few colours."""
    import seaborn

    palette = "colorblind" if len(counts) <= 6 else "viridis"
    colors = seaborn.color_palette(palette, len(counts))
    return {
        count: {"color": color, "marker": _MARKERS[position % len(_MARKERS)]}
        for position, (count, color) in enumerate(zip(counts, colors, strict=True))
    }


def _draw_lines(
    axes: Axes, results: pandas.DataFrame, reference: pandas.DataFrame, column: str, styles: dict[int, dict[str, Any]]
) -> None:
    import seaborn

    seaborn.lineplot(
        results,
        x="transaction_size_bytes",
        y=column,
        hue="num_transactions",
        palette={count: style["color"] for count, style in styles.items()},
        estimator=None,
        legend=False,
        ax=axes,
    )
    for count, style in styles.items():
        measured = reference[reference["num_transactions"] == count]
        if not measured.empty:
            axes.plot(measured["transaction_size_bytes"], measured[column], **_silicon(style))


def _silicon(style: dict[str, Any]) -> dict[str, Any]:
    return {
        **style,
        "linestyle": "none",
        "markerfacecolor": "none",
        "markersize": 5,
        "markeredgewidth": 1.1,
        "clip_on": False,
    }


def _label_sizes(axes: Axes, sizes: Sequence[int]) -> None:
    """Puts ticks at powers of two, and labels as many as there is room for."""
    first = math.floor(math.log2(min(sizes)))
    last = math.ceil(math.log2(max(sizes)))
    step = math.ceil((last - first + 1) / _MAX_SIZE_LABELS)
    labelled = [2**exponent for exponent in range(first, last + 1, step)]
    axes.set_xscale("log", base=2)
    axes.set_xticks(labelled, [format_size(size) for size in labelled])
    axes.set_xticks([2**exponent for exponent in range(first, last + 1)], labels=[], minor=True)
    axes.set_xlabel("Transaction size")


def _add_legend(figure: Figure, section: Section, styles: dict[int, dict[str, Any]]) -> None:
    """Two lines: the numbers of transactions, and what is drawn of each."""
    from matplotlib.lines import Line2D

    counts = [
        Line2D([], [], **_silicon(style) | {"linestyle": "-"}, label=plural(count, "transaction"))
        for count, style in styles.items()
    ]
    kinds = [Line2D([], [], color="0.3", label="model")]
    if not section.reference.empty:
        kinds.append(Line2D([], [], **_silicon({"color": "0.3", "marker": "o"}), label="silicon"))
    theoretical = f"theoretical maximum, {section.theoretical_bytes_per_cycle:g} B/cycle"
    kinds.append(Line2D([], [], **_THEORETICAL_STYLE, label=theoretical))
    for handles, bottom_inches in ((counts, 0.32), (kinds, 0.06)):
        figure.legend(
            handles=handles,
            loc="lower center",
            bbox_to_anchor=(0.5, bottom_inches / figure.get_figheight()),
            borderaxespad=0,
            ncols=len(handles),
            columnspacing=1.5 if len(handles) <= 6 else 0.8,
            frameon=False,
        )
