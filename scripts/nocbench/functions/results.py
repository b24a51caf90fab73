"""Result rows: comparison of two sets, and pages."""

from __future__ import annotations

from contextlib import ExitStack
from io import StringIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from nocbench.drawing.pictures import require_picture_name
from nocbench.functions.choices import names_of
from nocbench.gating.judgement import judge
from nocbench.gating.policy import default_policy
from nocbench.gating.run import TRACES, gate_revisions, run_arguments
from nocbench.gating.sides import read_sides
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.rooflines.drawing import rooflines_as_png, write_rooflines
from nocbench.pages.rooflines.programs import program_rooflines_of, split_programs
from nocbench.pages.rooflines.roofs import rooflines_of
from nocbench.pages.sections import sections_of
from nocbench.points.catalogue import BUILT_IN, using
from nocbench.published.accuracy_tables import compared_tables
from nocbench.published.reference import read_reference
from nocbench.reports import write_reports
from nocbench.results.result_files import rows_of, write_results
from nocbench.results.same_points import read_combined
from nocbench.results.selected_rows import selected_tests
from nocbench.running.engines import make_engine
from nocbench.suites.gating import subject_of
from nocbench.suites.suite import Suite
from nocbench.support.errors import NotComparableError, NothingMatchedError
from nocbench.support.extras import needs
from nocbench.support.tables import html_paragraphs, html_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.gating.verdicts import GateReport
    from nocbench.pages.rooflines.programs import ProgramRoofline
    from nocbench.pages.rooflines.roofs import Roofline

_MOST_ROWS = 20


class Comparison:
    """Comparison of two sets of results, which a notebook displays as a table."""

    def __init__(self, report: GateReport) -> None:
        """Stores a report."""
        self._report = report

    @property
    def outcome(self) -> str:
        """PASS, FAIL or INCOMPLETE, by the policy; REFUSED if the sides are not comparable."""
        return self._report.outcome

    @property
    @needs("pandas")
    def frame(self) -> pandas.DataFrame:
        """Points of both sides: arch, test, kernel, ..., verdict, and the change in percent, positive for the worse."""
        import pandas

        return pandas.DataFrame(
            [
                {
                    "arch": point.arch,
                    "test": point.test,
                    "kernel": point.kernel,
                    "num_transactions": point.num_transactions,
                    "transaction_size_bytes": point.transaction_size_bytes,
                    "params": point.params,
                    "verdict": str(point.verdict),
                    "worse_percent": point.worst_percent,
                    "reason": point.reason,
                }
                for point in self._report.verdicts
            ]
        )

    def __str__(self) -> str:
        """Returns the numbers of points by verdict."""
        return self._report.headline

    def _repr_html_(self) -> str:
        changed = self._report.changed
        rows = [(point.describe(), str(point.verdict), f"{point.worst_percent:+.1f} %") for point in changed]
        more = f" (the first {_MOST_ROWS} of {len(rows)})" if len(rows) > _MOST_ROWS else ""
        return html_paragraphs([self._report.headline]) + html_table(
            ["point", "verdict", "worse by"], rows[:_MOST_ROWS], title=f"points that changed{more}"
        )


def compare(before: str | Path | pandas.DataFrame, after: str | Path | pandas.DataFrame) -> Comparison:
    """Compares two sets of results: which points are slower or faster, new, or gone.

    >>> import nocbench
    >>> nocbench.compare("before.csv", nocbench.run("Loopback Packet Sizes", arch="blackhole")).frame

    Points are the same if their machine and its settings are.

    Args:
        before: result rows, or a file of results or published measurements.
        after: likewise.

    Raises:
        InputError: a file that cannot be read.
        NotComparableError: no point is on both sides.
    """
    with ExitStack() as stack:
        paths = [_path_of(results, stack) for results in (before, after)]
        sides = read_sides(*paths, may_be_fast=True)
    report = judge(*sides, default_policy())
    if report.refusals:
        raise NotComparableError("; ".join(report.refusals))
    return Comparison(report)


def gate(
    base: str,
    *tests: str,
    arch: str | Path | Sequence[str | Path] = (),
    policy: str | Path | None = None,
    suite: str | Path | None = None,
    tier: str = "quick",
    exclude: Sequence[str] = (),
    directory: str | Path | None = None,
    jobs: int | None = None,
) -> Comparison:
    """Judges the checkout in this directory, or a suite, by the revision that it comes from.

    Args:
        base: branch, tag or commit that the changes are meant for.
        *tests: names, ids or globs; by default, all tests.
        arch: one or several architectures; by default, all.
        policy: file with the rules; by default, that of the checkout or of the suite.
        suite: folder of a suite to judge.
        tier: "quick" or "full".
        exclude: tests to leave out.
        directory: folder for the reports that `nocbench gate -o` writes; None: no reports.
        jobs: number of worker processes; the number of processors by default.

    Raises:
        InputError: no such revision, a revision that does not build, or a mistake in a policy.
    """
    own = None if suite is None else Suite(str(suite))
    with using(own or BUILT_IN):
        subject = subject_of(own, None if policy is None else Path(policy))
        arguments = run_arguments(tests, tier=tier, architectures=names_of(arch), exclude=exclude, jobs=jobs)
        report = gate_revisions(subject, base, arguments)
        if directory is not None:
            write_reports(report, Path(directory), traces=subject.work / TRACES, annotations=StringIO())
    return Comparison(report)


@needs("plots")
def plot(
    results: str | Path | pandas.DataFrame | Sequence[str | Path],
    directory: str | Path | None = None,
    *,
    suite: str | Path | None = None,
    reference: str | Path | Sequence[str | Path] = (),
    jobs: int | None = None,
) -> list[Path]:
    """Makes the Markdown pages and pictures from results. Returns the paths of the pages.

    Args:
        results: result rows, or one or several files of results.
        directory: folder of the pages; by default "plots", or the folder of plots of the suite. Pages that an earlier
            run made there, and this one does not, are removed.
        suite: folder of the suite that the results are of.
        reference: files of published measurements; by default, the files that come with nocbench.
        jobs: number of worker processes; the number of processors by default.

    Raises:
        InputError: a file that cannot be read or written, or files with different values for the same point.
        NotComparableError: a file with rows of points that were simulated packet by packet.
    """
    frame = _frame_of(results)
    published = read_reference([reference] if isinstance(reference, (str, Path)) else reference)
    own = None if suite is None else Suite(str(suite))
    directory = directory or ("plots" if own is None else own.description.plots)
    with using(own or BUILT_IN):
        pages = pages_of(sections_of(frame, published))
        engine = make_engine(jobs, sum(len(page.pictures) for page in pages))
        compared = compared_tables(frame, published)
        return list(write_pages(pages, Path(directory), compared=compared, engine=engine))


class ShownRooflines:
    """Rooflines of sweeps or programs, which a notebook displays as a picture.

    Attributes:
        sweeps: a roofline for each sweep.
        programs: a roofline for each board that programs ran on.
    """

    def __init__(self, sweeps: Sequence[Roofline], programs: Sequence[ProgramRoofline]) -> None:
        """Stores the content."""
        self.sweeps = sweeps
        self.programs = programs

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row per point, with its roofs."""
        of_sweeps = [row for one in self.sweeps for row in one.table()]
        return of_sweeps + [row for one in self.programs for row in one.table()]

    @property
    @needs("pandas")
    def points(self) -> pandas.DataFrame:
        """Points with their roofs, and their share of the lowest roof."""
        import pandas

        return pandas.DataFrame(self.table)

    def save(self, path: str | Path) -> None:
        """Writes the picture to a file, .png or .svg. Raises InputError for another name, or too many sweeps."""
        require_picture_name(Path(path))
        write_rooflines([*self.sweeps, *self.programs], Path(path))

    def _repr_png_(self) -> bytes:
        return rooflines_as_png([*self.sweeps, *self.programs])


@needs("plots")
def roofline(
    results: str | Path | pandas.DataFrame | Sequence[str | Path],
    *tests: str,
    arch: str | Sequence[str] = (),
) -> ShownRooflines:
    """Draws points below roofs.

    The bandwidth of sweeps of transaction sizes is below the roofs of latency and link width. The operations of
    programs that compute are below the roofs of DRAM, NoC and units.

    >>> nocbench.roofline("results.csv", "One to One Packet Sizes", arch="blackhole").save("roofline.svg")

    Args:
        results: result rows, or one or several files of results.
        *tests: names or globs; by default, all tests of the results.
        arch: one or several architectures; by default, all of the results.

    Raises:
        InputError: a file that cannot be read, or files with different values for the same point.
        NotComparableError: a file with rows of points that were simulated packet by packet.
        NothingMatchedError: no such test, or neither a program that computes nor a sweep of sizes that includes single
            transactions.
    """
    frame = _frame_of(results)
    chosen = selected_tests(zip(frame["arch"], frame["test"], strict=True), names_of(arch), tests)
    frame = frame[[key in chosen for key in zip(frame["arch"], frame["test"], strict=True)]]
    of_programs, others = split_programs(frame)
    programs = program_rooflines_of(of_programs)
    sections = sections_of(others, read_reference([])[:0]) if len(others) else {}
    try:
        sweeps = rooflines_of(chain.from_iterable(sections.values()))
    except NothingMatchedError:
        if not programs:
            raise
        sweeps = []
    return ShownRooflines(sweeps, programs)


def _frame_of(results: str | Path | pandas.DataFrame | Sequence[str | Path]) -> pandas.DataFrame:
    import pandas

    if isinstance(results, pandas.DataFrame):
        return results
    files = [results] if isinstance(results, (str, Path)) else results
    return read_combined([Path(file) for file in files])


def _path_of(results: str | Path | pandas.DataFrame, stack: ExitStack) -> Path:
    if isinstance(results, (str, Path)):
        return Path(results)
    path = Path(stack.enter_context(TemporaryDirectory())) / "results.csv"
    write_results(rows_of(results), path)
    return path
