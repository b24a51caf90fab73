"""One point, or a file to run, chosen by words: what the commands and functions that look at a point have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.one_point.explanation import MAX_RECORDS, Explanation, explain, explain_trace
from nocbench.one_point.point_files import is_point_file, one_point_of_file, points_of_file
from nocbench.points.accuracy import EXACTLY, Accuracy
from nocbench.points.selection import select_one_point, select_points
from nocbench.running.accuracies import choose
from nocbench.running.details import details_of
from nocbench.running.engines import make_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.points.own_run import OwnRun
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace

_MOST_POINTS = 2


def _say_nothing(_line: str) -> None:
    """Drops a line."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Choice of a point.

    Attributes:
        test: name, id or glob of a test, or path of a program, a table of flows or a trace.
        architectures: chosen architectures; empty: all that the test or file is for.
        board: chosen board, or empty.
        axes: values of axes and parameters, as text.
        settings: fields to change, as text.
        accuracy: value of `--accuracy`.
        say: receives a line before each run.
    """

    test: str
    architectures: Sequence[str] = ()
    board: str = ""
    axes: Mapping[str, str] = field(default_factory=dict)
    settings: Sequence[tuple[str, str]] = ()
    accuracy: Accuracy = EXACTLY
    say: Callable[[str], None] = _say_nothing

    @property
    def arch(self) -> str:
        """The only chosen architecture; empty if there is none, or several."""
        return self.architectures[0] if len(self.architectures) == 1 else ""

    def point(self) -> Point:
        """Returns the only point of the test.

        Raises:
            InputError: as for :func:`nocbench.points.selection.select_one_point`.
        """
        selected = select_one_point(self.test, arch=self.arch, board=self.board, axes=self.axes, settings=self.settings)
        [point] = choose([selected], self.accuracy, make_engine(0, 1))
        return point

    def explanations(self) -> list[Explanation]:
        """Explains the result rows of one or two points of the test, or of the file on each of its machines.

        Raises:
            InputError: an unknown name, more than two points, or mistakes in the file.
        """
        explanations: list[Explanation] = []
        if is_point_file(self.test):
            for arch in self.architectures or [""]:
                for what in points_of_file(Path(self.test), arch, self.board, self.settings, self.axes, self.accuracy):
                    words = what.point.describe()
                    self.say(f"running {words}")
                    explanations += explain_trace(words, what.run(MAX_RECORDS).traced())
            return explanations
        points = select_points(
            [self.test], architectures=self.architectures, board=self.board, axes=self.axes, settings=self.settings
        )
        if len(points) > _MOST_POINTS:
            self.point()  # raises an error that lists the possible choices
        for point in choose(points, self.accuracy, make_engine(0, len(points))):
            self.say(f"running {point.describe()}")
            explanations += explain(point)
        return explanations

    def details(self) -> Mapping[str, Any]:
        """Runs the only point of the test, or the file on its only machine, and returns its cores and links.

        Raises:
            InputError: an unknown name, several points or machines, or mistakes in the file.
        """
        if is_point_file(self.test):
            point, run = self._run_file(0)
            return details_of(point, run.point_result())
        point = self.point()
        self.say(f"running {point.describe()}")
        return details_of(point, point.catalogue.run_point(point))

    def trace(self, max_records: int) -> tuple[PointTrace, Point]:
        """Runs the only point as details() does, and returns at most `max_records` events of each kind."""
        if is_point_file(self.test):
            point, run = self._run_file(max_records)
            return run.traced(), point
        point = self.point()
        self.say(f"running {point.describe()}")
        return point.catalogue.trace_point(point, max_records), point

    def _run_file(self, max_records: int) -> tuple[Point, OwnRun]:
        what = one_point_of_file(Path(self.test), self.arch, self.board, self.settings, self.axes, self.accuracy)
        self.say(f"running {what.point.describe()}")
        run = what.run(max_records)
        if run.fault:
            self.say(f"wrong data: {run.fault}")
        return what.point, run
