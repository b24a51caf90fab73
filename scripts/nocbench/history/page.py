"""The page of the history: errors from revision to revision, and the results that changed."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from nocbench.drawing.panels import add_legend, make_panels, series_styles, set_panel_title
from nocbench.drawing.pictures import PAGE_PICTURE_SUFFIX, Picture, fixed_style, write_picture
from nocbench.history.records import changed_accuracy, changed_tests
from nocbench.support.atomic_files import write_text
from nocbench.support.markdown import Markdown, escape, table_row
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.figure import Figure

    from nocbench.history.records import Record

_TITLE = "Median errors from revision to revision"
_MOST_TESTS = 3
_MOST_LABELS = 8
_ALL = "all"


def write_history_page(records: Sequence[Record], path: Path) -> None:
    """Writes the page, and its picture beside it. Raises InputError on failure."""
    picture = Picture(_TITLE, "", path.stem, partial(_draw, records))
    with fixed_style():
        write_picture(picture.draw(), path.with_name(f"{path.stem}{PAGE_PICTURE_SUFFIX}"))
    write_text(path, "\n".join(_lines(records, path.stem)) + "\n")


def _lines(records: Sequence[Record], stem: str) -> Iterator[str]:
    yield "# History"
    yield ""
    yield (
        "`nocbench history show --page` makes this page from records of revisions. A change is that of the geometric "
        "mean of the latencies of a test, over equal numbers of rows. A positive change is slower."
    )
    yield ""
    yield f"![{_TITLE}]({stem}{PAGE_PICTURE_SUFFIX})"
    yield ""
    yield table_row(["revision", "date", "median error", "tests", "changed", "largest changes"])
    yield "|---|---|--:|--:|--:|---|"
    for before, after in reversed([*zip([None, *records[:-1]], records, strict=True)]):
        changes = [] if before is None else changed_tests(before, after)
        largest = "; ".join(f"{change.what} {change.percent:+.2f} %" for change in changes[:_MOST_TESTS])
        if before is not None and (of_all := [one for one in changed_accuracy(before, after) if one.what == _ALL]):
            error = f"{of_all[0].before:.2f} → {of_all[0].after:.2f} %"
        else:
            error = f"{after.accuracy[_ALL]:.2f} %" if _ALL in after.accuracy else ""
        cells = [after.name, after.date, error, len(after.tests), len(changes) if before else "", largest]
        yield table_row([Markdown(escape(str(cell), None)) for cell in cells])
    yield ""
    yield f"{plural(len(records), 'revision')} {'is' if len(records) == 1 else 'are'} on record."


def _draw(records: Sequence[Record]) -> Figure:
    """Draws a line for each group of published tables, with a place for each revision."""
    from matplotlib.lines import Line2D

    groups = list(dict.fromkeys(group for record in records for group in record.accuracy))
    styles = series_styles(groups)
    figure, panels = make_panels(_TITLE, 1, 1)
    axes = panels[0][0]
    set_panel_title(axes, "Median error of each group of published tables")
    for group in groups:
        places = [place for place, record in enumerate(records) if group in record.accuracy]
        values = [records[place].accuracy[group] for place in places]
        axes.plot(places, values, **styles[group], markersize=4)
    labelled = range(0, len(records), math.ceil(len(records) / _MOST_LABELS))
    axes.set_xticks(labelled, [records[place].release or records[place].date[5:] for place in labelled])
    axes.set_xlabel("Revision, by its month and day")
    axes.set_ylim(0)
    axes.set_ylabel("Median error (%)")
    axes.minorticks_off()
    add_legend(figure, [Line2D([], [], **styles[group], markersize=4, label=group) for group in groups])
    return figure
