"""Pictures of tests: duration and bandwidth along an axis, for model and silicon.

:mod:`nocbench.pages.picture_axes` assigns axis, lines and panels. Other kinds of pictures are in
:mod:`nocbench.pages.load_curves` and :mod:`nocbench.pages.row_bars`.
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
    label_logarithmic,
    line_styles,
    make_panels,
    series_styles,
    set_panel_title,
)
from nocbench.drawing.pictures import Picture
from nocbench.pages.load_curves import draw_load_curves
from nocbench.pages.picture_axes import (
    KERNEL,
    SIZES,
    axes_of,
    combinations,
    having,
    value_in_words,
    values_in_words,
)
from nocbench.pages.row_bars import draw_row_bars
from nocbench.points.swept_tests import LATENCY_AGAINST_LOAD, PARAMETERS
from nocbench.support.units import format_size
from nocbench.support.wording import destinations

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from nocbench.pages.picture_axes import PictureAxes
    from nocbench.pages.sections import Section

    Values = tuple[Any, ...]

_MAX_SIZE_LABELS = 8
_LOG_FROM_RATIO = 8
_SMALL_SHARE_OF_LINK = 0.1
"""Share of the theoretical bandwidth; pictures of the suite's tests with less bandwidth do not show the maximum."""


def picture_of(section: Section) -> Picture:
    """Returns the picture of a section."""
    return Picture(section.title, section.arch, section.file_stem, partial(draw, section))


def picture_in_words(section: Section) -> str:
    """Returns the content of a picture in words: "Transaction Size vs Duration and Transaction Size vs Bandwidth"."""
    if section.picture == LATENCY_AGAINST_LOAD:
        return "Injection Rate vs Latency"
    axes = axes_of(section)
    if axes is None:
        return f"Duration and {section.rate.title}"
    return f"{axes.title} vs Duration and {axes.title} vs {section.rate.title}"


def draw(section: Section) -> Figure:
    """Draws the picture of a section."""
    if section.picture == LATENCY_AGAINST_LOAD:
        return draw_load_curves(section)
    axes = axes_of(section)
    return draw_row_bars(section) if axes is None else _draw_along(section, axes)


def _draw_along(section: Section, along: PictureAxes) -> Figure:
    """Draws a row of two panels for each kernel and combination of panel values, and a legend below all rows."""
    of_panels = [
        (kernel, values)
        for kernel in section.kernels
        for values in combinations(along.panels, having(along.results, [KERNEL], [kernel]))
    ]
    figure, panels = make_panels(f"{section.title}, {section.arch}", len(of_panels), 2)
    styles = _styles(section, along)
    has_maximum = _highest_shown(section) >= section.theoretical_bytes_per_cycle
    for (duration, rate), (kernel, values) in zip(panels, of_panels, strict=True):
        names, of_panel = (KERNEL, *along.panels), (kernel, *values)
        results, reference = (having(frame, names, of_panel) for frame in (along.results, along.reference))
        words = [kernel] if len(section.kernels) > 1 else []
        words += [values_in_words(along.panels, values)] if values else []
        prefix = f"{', '.join(words)}: " if words else ""
        set_panel_title(duration, f"{prefix}{along.title} vs Duration")
        _draw_lines(duration, along, results, reference, "latency_cycles", styles)
        _scale_durations(duration, section)
        set_panel_title(rate, f"{prefix}{along.title} vs {section.rate.title}")
        _draw_lines(rate, along, results, reference, "bandwidth_bytes_per_cycle", styles, section.rate.bytes_each)
        rate.set(ylabel=f"{section.rate.title} ({section.rate.unit})")
        if has_maximum:
            rate.axhline(section.theoretical_bytes_per_cycle, **THEORETICAL_STYLE)
        rate.set_ylim(0, 1.06 * _highest_shown(section) / section.rate.bytes_each)
        for axes in (duration, rate):
            _label_along(axes, along, results, reference)
            axes.minorticks_off()  # the style has none, and their layout is slow
    _add_legend(figure, section, along, styles)
    return figure


def _scale_durations(axes: Axes, section: Section) -> None:
    """Sets an axis of durations that begins at zero, or a logarithmic one for a wide range."""
    durations = [*section.results["latency_cycles"], *section.reference["latency_cycles"]]
    axes.set_ylabel("Duration (cycles)")
    axes.yaxis.set_major_formatter(format_cycles)
    if max(durations) < _LOG_FROM_RATIO * min(durations):
        axes.set_ylim(0, 1.06 * max(durations))
        return
    axes.set_yscale("log")
    label_logarithmic(axes.yaxis, *axes.get_ylim())


def _highest_shown(section: Section) -> float:
    """Returns the upper end of the bandwidth axis.

    It is the same in all pictures of an architecture, so that they are comparable, unless only a small share of a link
    is used.
    """
    columns = (frame["bandwidth_bytes_per_cycle"] for frame in (section.results, section.reference))
    highest = max(float(value) for column in columns for value in column)
    small_share = SMALL_SHARE if section.picture == PARAMETERS else _SMALL_SHARE_OF_LINK
    if 0 < highest < small_share * section.theoretical_bytes_per_cycle:
        return highest
    return max(section.theoretical_bytes_per_cycle, highest)


class _Style(NamedTuple):
    """Style of a line.

    Attributes:
        model: style of the line, with its own dashes unless markers identify the line in all panels.
        silicon: style of the markers of published values; None if nothing was published for the line.
    """

    model: dict[str, Any]
    silicon: dict[str, Any] | None


def _styles(section: Section, along: PictureAxes) -> dict[Values, _Style]:
    published = [
        set(combinations(along.lines, having(along.reference, [KERNEL], [kernel])))
        if (along.reference[KERNEL] == kernel).any()
        else set()
        for kernel in section.kernels
    ]
    of_lines = combinations(along.lines, along.results, along.reference)
    dashed = line_styles(of_lines)
    return {
        values: _Style(
            model={"color": style["color"]} if all(values in of for of in published) else dashed[values],
            silicon=_silicon(style) if any(values in of for of in published) else None,
        )
        for values, style in series_styles(of_lines).items()
    }


def _draw_lines(
    axes: Axes,
    along: PictureAxes,
    results: pandas.DataFrame,
    reference: pandas.DataFrame,
    column: str,
    styles: dict[Values, _Style],
    divisor: int = 1,
) -> None:
    for values, style in styles.items():
        modeled = having(results, along.lines, values)
        if not modeled.empty:
            # Draw markers instead of an invisible line of one point, or of a line with several points at one position.
            is_line = len(modeled) > 1 and not modeled[along.along].duplicated().any()
            alone: dict[str, Any] = {} if is_line else {"marker": ".", "markersize": 8, "linestyle": "none"}
            modeled = modeled.sort_values(along.along)
            axes.plot(modeled[along.along], modeled[column] / divisor, **(style.model | alone))
        measured = having(reference, along.lines, values)
        if not measured.empty and style.silicon is not None:
            axes.plot(measured[along.along], measured[column] / divisor, **style.silicon)


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
    """Puts ticks at powers of two, as many as fit."""
    sizes = [*results["transaction_size_bytes"], *reference["transaction_size_bytes"]]
    first = math.floor(math.log2(min(sizes)))
    last = math.ceil(math.log2(max(sizes)))
    step = math.ceil((last - first + 1) / _MAX_SIZE_LABELS)
    labelled = [2**exponent for exponent in range(first, last + 1, step)]
    axes.set_xscale("log", base=2)
    axes.set_xticks(labelled, [format_size(size) for size in labelled])
    axes.set_xlabel(f"Transaction size{_calls_in_words(results)}")


def _calls_in_words(results: pandas.DataFrame) -> str:
    """Returns the calls of a transaction in words: ": 63 calls of 32 B to 64 KiB"; empty for single calls."""
    numbers = {destinations(row) for _, row in results.iterrows()}
    if numbers == {1}:
        return ""
    calls = f"{numbers.pop()} calls" if len(numbers) == 1 else "calls"
    least, greatest = (format_size(int(size)) for size in results["call_size_bytes"].agg(["min", "max"]))
    return f": {calls} of {least} to {greatest}" if least != greatest else f": {calls}"


def _label_along(axes: Axes, along: PictureAxes, results: pandas.DataFrame, reference: pandas.DataFrame) -> None:
    if along.along == SIZES:
        _label_sizes(axes, results, reference)
    else:
        _label_values(axes, along, results)


def _label_values(axes: Axes, along: PictureAxes, results: pandas.DataFrame) -> None:
    """Puts ticks at values in the results, as many as fit."""
    values = sorted({int(value) for value in results[along.along]})
    if len(values) > 1 and values[0] > 0 and values[-1] >= _LOG_FROM_RATIO * values[0]:
        axes.set_xscale("log", base=2)
    step = math.ceil(len(values) / _MAX_SIZE_LABELS)
    shown = values[::step]
    axes.set_xticks(shown, [value_in_words(along.along, value) for value in shown])
    axes.set_xlabel(along.title)


def _add_legend(figure: Figure, section: Section, along: PictureAxes, styles: dict[Values, _Style]) -> None:
    from matplotlib.lines import Line2D

    lines = [
        Line2D(
            *([], []),
            **((style.silicon or {}) | {"linestyle": "-"} | style.model),
            label=values_in_words(along.lines, values),
        )
        for values, style in styles.items()
        if values
    ]
    only = next(iter(styles.values())) if not lines else None
    color = only.model["color"] if only else "0.3"
    kinds = [Line2D([], [], color=color, label="model")]
    if not section.reference.empty:
        looks = (only and only.silicon) or _silicon({"color": color, "marker": "o"})
        kinds.append(Line2D([], [], **looks, label=section.architecture.published_source))
    if _highest_shown(section) >= section.theoretical_bytes_per_cycle:
        theoretical = f"theoretical maximum, {section.theoretical_bytes_per_cycle:g} B/cycle"
        kinds.append(Line2D([], [], **THEORETICAL_STYLE, label=theoretical))
    add_legend(figure, lines, kinds if len(kinds) > 1 or not lines else [])
