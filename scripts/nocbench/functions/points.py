"""One point: explanation, heat map and time line."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.drawing.pictures import require_picture_name
from nocbench.functions.choices import catalogue_of, names_of
from nocbench.one_point import heat_map_drawing
from nocbench.one_point.choice import Choice
from nocbench.one_point.explanation import Explanation
from nocbench.one_point.heat_map import HeatMap, heat_map_of
from nocbench.one_point.trace_events import (
    DEFAULT_MAX_EVENTS,
    max_records_for,
    require_trace_name,
    trace_events,
    trace_facts,
    write_trace,
)
from nocbench.points.accuracy import accuracy_named
from nocbench.points.axes import axes_to_text
from nocbench.points.catalogue import using
from nocbench.points.settings import settings_to_text
from nocbench.support.extras import needs
from nocbench.support.tables import html_paragraphs, html_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas


class Explanations(list[Explanation]):
    """Explanations of result rows, which a notebook displays as tables."""

    def _repr_html_(self) -> str:
        return "".join(_in_html(one) for one in self)


class ShownHeatMap:
    """Heat map of a point, which a notebook displays as a picture."""

    def __init__(self, content: HeatMap) -> None:
        """Stores the content."""
        self.content = content

    @property
    @needs("pandas")
    def links(self) -> pandas.DataFrame:
        """Links that carried flits, the busiest first, with the attributes of nocbench.one_point.heat_map.Link."""
        import pandas

        return pandas.DataFrame([asdict(link) for link in self.content.busiest_links()])

    @property
    @needs("pandas")
    def tiles(self) -> pandas.DataFrame:
        """Tiles row by row, with the bytes per cycle that entered their memory, and the time that kernels waited."""
        import pandas

        return pandas.DataFrame([asdict(tile) for tile in self.content.tiles])

    def save(self, path: str | Path) -> None:
        """Writes the picture to a file, .png or .svg. Raises InputError for another name."""
        require_picture_name(Path(path))
        heat_map_drawing.write_heat_map(self.content, Path(path))

    def _repr_png_(self) -> bytes:
        return heat_map_drawing.heat_map_as_png(self.content)


def explain(
    test: str | Path,
    *,
    arch: str | Path | Sequence[str | Path] = (),
    board: str = "",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    suite: str | Path | None = None,
    **axes: object,
) -> Explanations:
    """Says where the cycles of a point went, or of two points.

    >>> import nocbench
    >>> nocbench.explain("One to One Packet Sizes", arch="blackhole", num_transactions=16, call_size=2048)

    Args:
        test: name, id or glob of a test, or path of a program, a table of flows or a trace.
        arch: architectures, or paths of their files; may be left out if there is one.
        board: board of the architecture; empty: the default board.
        settings: fields of the board or architecture to change, by path.
        accuracy: "exact", "fast" or "auto".
        suite: folder of a suite whose tests are meant.
        **axes: values of axes and parameters that leave one point, or two to be compared.

    Raises:
        InputError: an unknown name, more than two points, or mistakes in the file.
    """
    with using(catalogue_of(suite)):
        return Explanations(_choice(test, names_of(arch), board, settings, accuracy, axes).explanations())


@needs("plots")
def heatmap(
    test: str | Path,
    *,
    arch: str | Path | Sequence[str | Path] = (),
    board: str = "",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    suite: str | Path | None = None,
    **axes: object,
) -> ShownHeatMap:
    """Draws one point on the floor plan: tiles and links. The arguments and errors are those of :func:`explain`.

    >>> found = nocbench.heatmap("One to One Packet Sizes", arch="blackhole", num_transactions=16, call_size=2048)
    >>> found.save("hot.svg")
    """
    with using(catalogue_of(suite)):
        return ShownHeatMap(heat_map_of(_choice(test, names_of(arch), board, settings, accuracy, axes).details()))


def trace(
    test: str | Path,
    path: str | Path,
    *,
    arch: str | Path | Sequence[str | Path] = (),
    board: str = "",
    settings: Mapping[str, object] | None = None,
    accuracy: str = "exact",
    suite: str | Path | None = None,
    max_events: int = DEFAULT_MAX_EVENTS,
    **axes: object,
) -> None:
    """Writes one point as a time line for ui.perfetto.dev to `path`, .json or .json.gz.

    The other arguments and errors are those of :func:`explain`. Events beyond `max_events` are left out.
    """
    require_trace_name(Path(path))
    with using(catalogue_of(suite)):
        choice = _choice(test, names_of(arch), board, settings, accuracy, axes)
        traced, what = choice.trace(max_records_for(max_events))
    write_trace(trace_events(traced, max_events), trace_facts(what, traced.rows[0]["board"]), Path(path))


def _choice(
    test: str | Path,
    architectures: Sequence[str],
    board: str,
    settings: Mapping[str, object] | None,
    accuracy: str,
    axes: Mapping[str, object],
) -> Choice:
    return Choice(
        str(test), architectures, board, axes_to_text(axes), settings_to_text(settings), accuracy_named(accuracy)
    )


def _in_html(one: Explanation) -> str:
    waits = sorted(one.waits.items(), key=lambda item: -item[1])
    return (
        html_paragraphs(one.sentences())
        + html_table(
            ["cause", "cycles", "share"],
            [[cause, f"{cycles:.10g}", f"{100 * cycles / one.latency_cycles:.1f} %"] for cause, cycles in waits],
            title=f"where the time of {one.core} went",
        )
        + html_table(
            ["cycle", "cycles", "what happened"],
            [[f"{link.begin:.10g}", f"{link.end - link.begin:.10g}", link.what] for link in one.chain],
            title="what the end waited for",
        )
    )
