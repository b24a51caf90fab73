"""Data of the chart of a test: its points, by panel and line."""

from __future__ import annotations

import math
import shlex
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.gating.verdicts import PointVerdict, Verdict
from nocbench.pages.load_curves import packets_in_words, with_flits
from nocbench.pages.picture_axes import COUNTS, KERNEL, SIZES, axes_of, combinations, values_in_words
from nocbench.pages.sections import ALL_PARAMS
from nocbench.points.peaks import fault_of
from nocbench.points.swept_tests import LATENCY_AGAINST_LOAD
from nocbench.reports.texts import Texts
from nocbench.results.result_files import rows_of
from nocbench.support.wording import is_size, limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas

    from nocbench.pages.sections import Section
    from nocbench.support.columns import Row

_LOG_FROM_RATIO = 8
_DIGITS = 7


class _Placement(NamedTuple):
    """Columns of a test's rows, by part of its chart.

    Attributes:
        rows: results, with all of these columns.
        along: column along the horizontal axis; empty for an axis with a place for each row.
        label: label of this axis.
        lines, panels: columns whose combined values distinguish lines, and panels.
        words_of_panel: returns the name of a panel, from the values of its columns.
        places: names of the places on such an axis.
    """

    rows: pandas.DataFrame
    along: str
    label: str
    lines: Sequence[str]
    panels: Sequence[str]
    words_of_panel: Callable[[Sequence[Any]], str]
    places: Sequence[str] = ()


def chart_data(section: Section, base_of: Callable[[Row], Row | None]) -> dict[str, Any]:
    """Returns the points of a test as JSON values, by column.

    Args:
        section: the test.
        base_of: returns the row to compare a row with, or None.
    """
    placement = _placement(section)
    rows = [row | {"params": row[ALL_PARAMS]} for row in rows_of(placement.rows)]
    panels, lines = (combinations(names, placement.rows) for names in (placement.panels, placement.lines))
    texts = Texts()
    arguments = [PointVerdict.of_row(row, Verdict.UNGATED, head=row).arguments() for row in rows]
    shared = arguments[0][: arguments[0].index("-a")] if "-a" in arguments[0] else arguments[0]
    points = [
        {
            "panel": panels.index(tuple(row[name] for name in placement.panels)),
            "line": lines.index(tuple(row[name] for name in placement.lines)),
            "x": row[placement.along] if placement.along else number,
            "cycles": row["latency_cycles"],
            "rate": _rate(section, row["bandwidth_bytes_per_cycle"]),
            "limiter": texts.place(limiter_in_words(str(row["limiter"]))),
            "publishedCycles": row["reference_latency_cycles"],
            "publishedRate": _rate(section, row["reference_bandwidth_bytes_per_cycle"]),
            "error": row["error_percent"],
            "fault": texts.place(fault) if (fault := fault_of(row)) else None,
            "baseCycles": (before := base_of(row) or {}).get("latency_cycles"),
            "baseRate": _rate(section, before.get("bandwidth_bytes_per_cycle")),
            "arguments": texts.place(shlex.join(words[len(shared) :])),
        }
        for number, (row, words) in enumerate(zip(rows, arguments, strict=True))
    ]
    columns = {name: [_number(point[name]) for point in points] for name in points[0]}
    return {
        "command": shlex.join(["nocbench", "run", *shared]),
        "x": _axis(placement),
        "rate": {"title": section.rate.title, "unit": section.rate.unit},
        "maximum": _number(_rate(section, section.theoretical_bytes_per_cycle)),
        "published": section.architecture.published_source,
        "panels": [placement.words_of_panel(values) for values in panels],
        "lines": [values_in_words(placement.lines, values) or "model" for values in lines],
        "texts": texts.all(),
        "points": {name: values for name, values in columns.items() if any(value is not None for value in values)},
    }


def _placement(section: Section) -> _Placement:
    kernels = [KERNEL] if len(section.kernels) > 1 else []

    def in_words(names: Sequence[str], values: Sequence[Any]) -> str:
        """Returns values in words; a kernel by its label alone."""
        of_kernel = [str(value) for name, value in zip(names, values, strict=True) if name == KERNEL]
        others = [(name, value) for name, value in zip(names, values, strict=True) if name != KERNEL]
        return ", ".join([*of_kernel, *filter(None, [values_in_words(*zip(*others, strict=True))] if others else [])])

    if section.picture == LATENCY_AGAINST_LOAD:
        sizes = partial(packets_in_words, flit_bytes=section.link_bytes_per_cycle)
        label = "injection rate, flits per node and cycle"
        lines = ["pattern", COUNTS]
        return _Placement(with_flits(section), "offered_flits", label, lines, [SIZES], lambda values: sizes(*values))
    axes = axes_of(section)
    if axes is None:
        names = [*kernels, *section.varied] or [COUNTS]
        places = [in_words(names, values) for values in zip(*(section.results[name] for name in names), strict=True)]
        return _Placement(section.results, "", "", [], [], lambda _: "", places)
    label = "transaction size" if axes.along == SIZES else axes.title.lower()
    panels = [*kernels, *axes.panels]
    return _Placement(axes.results, axes.along, label, axes.lines, panels, partial(in_words, panels))


def _axis(placement: _Placement) -> dict[str, Any]:
    values = list(placement.rows[placement.along]) if placement.along else []
    return {
        "label": placement.label,
        "isSize": is_size(placement.along),
        "isLog": bool(values) and min(values) > 0 and max(values) >= _LOG_FROM_RATIO * min(values),
        "names": list(placement.places),
    }


def _rate(section: Section, bytes_per_cycle: float | None) -> float | None:
    return None if bytes_per_cycle is None else bytes_per_cycle / section.rate.bytes_each


def _number(value: Any) -> float | int | None:  # noqa: ANN401 - a cell of a frame
    """Returns a number for JSON; None for a missing value."""
    if value is None or not math.isfinite(number := float(value)):
        return None
    rounded = float(f"{number:.{_DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded
