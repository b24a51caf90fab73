"""One point, or a file to run, chosen by words: what the commands and functions that look at a point have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.one_point.explanation import MAX_RECORDS, Explanation, explain, explain_trace
from nocbench.one_point.point_files import is_point_file, one_point_of_file, points_of_file
from nocbench.points.selection import select_one_point, select_points
from nocbench.running.accuracies import choose
from nocbench.running.details import details_of
from nocbench.running.engines import make_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.points.accuracy import Accuracy
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace

_MOST_POINTS = 2


def chosen_point(
    test: str, arch: str, board: str, axes: Mapping[str, str], settings: Sequence[tuple[str, str]], accuracy: Accuracy
) -> Point:
    """Returns the only point of a selection.

    Raises:
        InputError: as for :func:`nocbench.points.selection.select_one_point`.
    """
    selected = select_one_point(test, arch=arch, board=board, axes=axes, settings=settings)
    [point] = choose([selected], accuracy, make_engine(0, 1))
    return point


def explanations_of(
    test: str,
    architectures: Sequence[str],
    board: str,
    axes: Mapping[str, str],
    settings: Sequence[tuple[str, str]],
    accuracy: Accuracy,
    say: Callable[[str], None],
) -> list[Explanation]:
    """Explains the result rows of one or two points of a test, or of a file on each of its machines.

    Args:
        test: name, id or glob of a test, or path of a program, a table of flows or a trace.
        architectures: chosen architectures; empty: all that the test or file is for.
        board: chosen board, or empty.
        axes: values of axes and parameters, as text.
        settings: fields to change.
        accuracy: value of `--accuracy`.
        say: receives a line before each run.

    Raises:
        InputError: an unknown name, more than two points, or mistakes in the file.
    """
    explanations: list[Explanation] = []
    if is_point_file(test):
        for arch in architectures or [""]:
            for what in points_of_file(Path(test), arch, board, settings, axes, accuracy):
                words = what.point.describe()
                say(f"running {words}")
                explanations += explain_trace(words, what.run(MAX_RECORDS).traced())
        return explanations
    points = select_points([test], architectures=architectures, board=board, axes=axes, settings=settings)
    if len(points) > _MOST_POINTS:  # raises an error that lists the possible choices
        arch = architectures[0] if len(architectures) == 1 else ""
        select_one_point(test, arch=arch, board=board, axes=axes, settings=settings)
    for point in choose(points, accuracy, make_engine(0, len(points))):
        say(f"running {point.describe()}")
        explanations += explain(point)
    return explanations


def traced_choice(
    test: str,
    arch: str,
    board: str,
    axes: Mapping[str, str],
    settings: Sequence[tuple[str, str]],
    accuracy: Accuracy,
    max_records: int,
    say: Callable[[str], None],
) -> tuple[PointTrace, Point]:
    """Runs one point of a test, or a file on its only machine, and returns at most `max_records` events of each kind.

    The other arguments and errors are those of :func:`explanations_of`, with one architecture or none.
    """
    if is_point_file(test):
        what = one_point_of_file(Path(test), arch, board, settings, axes, accuracy)
        say(f"running {what.point.describe()}")
        run = what.run(max_records)
        if run.fault:
            say(f"wrong data: {run.fault}")
        return run.traced(), what.point
    point = chosen_point(test, arch, board, axes, settings, accuracy)
    say(f"running {point.describe()}")
    return point.catalogue.trace_point(point, max_records), point


def details_of_choice(
    test: str,
    arch: str,
    board: str,
    axes: Mapping[str, str],
    settings: Sequence[tuple[str, str]],
    accuracy: Accuracy,
    say: Callable[[str], None],
) -> Mapping[str, Any]:
    """Runs one point of a test, or a file on its only machine, and returns its cores and links.

    The arguments and errors are those of :func:`explanations_of`, with one architecture or none.
    """
    if is_point_file(test):
        what = one_point_of_file(Path(test), arch, board, settings, axes, accuracy)
        say(f"running {what.point.describe()}")
        run = what.run(0)
        if run.fault:
            say(f"wrong data: {run.fault}")
        return details_of(what.point, run.point_result())
    point = chosen_point(test, arch, board, axes, settings, accuracy)
    say(f"running {point.describe()}")
    return details_of(point, point.catalogue.run_point(point))
