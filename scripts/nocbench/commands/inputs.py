"""Inputs of commands: result rows, and the faults in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nocbench.running.outcomes import IncompleteResultsError, wrong_data_lines
from nocbench.support.errors import NothingMatchedError
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    import pandas

    from nocbench.support.columns import Row


# Traffic between all pairs of cores, which takes nearly all of the full tier's time.
LONG_PRIMITIVES = ("all_to_all", "all_from_all")


def read_or_measure(
    results_files: Sequence[Path],
    jobs: int | None,
    *,
    no_cache: bool = False,
    published: Collection[tuple[str, str]] | None = None,
) -> pandas.DataFrame:
    """Returns the rows of results files; without files, runs all tests except those of `LONG_PRIMITIVES`.

    Returns a point only once if several files hold it.

    Args:
        results_files: may be empty.
        jobs: number of worker processes.
        no_cache: True to compute all points, even those with kept results.
        published: (arch, test) with published measurements; only these tests run. None: all tests.

    Raises:
        InputError: a file that cannot be read, or files with different values for the same point.
        NotComparableError: a file with rows of points that were simulated packet by packet.
        NothingMatchedError: no test matches.
        IncompleteResultsError: a point crashed.
    """
    if results_files:
        from nocbench.results.same_points import read_combined

        return read_combined(results_files)

    from nocbench.points.catalogue import in_use
    from nocbench.points.selection import select_points
    from nocbench.results.result_files import to_frame
    from nocbench.running.engines import make_engine
    from nocbench.running.execution import run_points
    from nocbench.running.kept_points import kept_points
    from nocbench.support.progress import ProgressReport

    primitives = {test.primitive for arch in in_use().architecture_names() for test in in_use().list_tests(arch)}
    points = select_points([], exclude=[primitive for primitive in LONG_PRIMITIVES if primitive in primitives])
    if published is not None:
        points = [point for point in points if (point.arch, point.test) in published]
        if not points:
            raise NothingMatchedError("no results given, and nothing was published about any test that would run")
    kept = kept_points(points, no_cache=no_cache)
    num_left = len(points) - (0 if kept is None else len(kept.taken))
    engine = make_engine(jobs, num_left)
    left = f"{num_left} of " if num_left < len(points) else ""
    announcement = f"no results given: running {left}{len(points)} points in {engine.description}"
    with ProgressReport(announcement, "points", num_left) as progress:
        measurements = run_points(points, engine, on_progress=progress.update, kept=kept)
    for line in wrong_data_lines(measurements.rows, measurements.data_faults):
        click.echo(line, err=True)
    if measurements.crashes:
        raise IncompleteResultsError(measurements.rows, measurements.crashes)
    return to_frame(measurements.rows)


def say_faults(rows: Sequence[Row]) -> int:
    """Reports faulty rows on standard error; returns their number.

    Rows do not hold the wrong byte: the message names a command that runs the point again and shows it.
    """
    from nocbench.gating.verdicts import PointVerdict, Verdict
    from nocbench.points.peaks import WRONG_DATA, fault_of

    faults = [(row, fault) for row in rows if (fault := fault_of(row))]
    wrong = [row for row, fault in faults if fault == WRONG_DATA]
    if wrong:
        first = PointVerdict.of_row(wrong[0], Verdict.WRONG_DATA, head=wrong[0])
        click.echo(f"wrong data arrived in {len(wrong)} of {len(rows)} results", err=True)
        click.echo(f"  what was wrong in the first of them tells: {first.command()}", err=True)
    impossible = [(row, fault) for row, fault in faults if fault != WRONG_DATA]
    if impossible:
        row, fault = impossible[0]
        click.echo(
            f"{len(impossible)} of {len(rows)} results are above the theoretical maximum, such as {row['test']}, "
            f"{row['kernel']}, {row['num_transactions']} x {row['transaction_size_bytes']} B on {row['arch']}: {fault}",
            err=True,
        )
    return len(faults)


def verdict_on_point(rows: Sequence[Row], data_faults: Sequence[str]) -> ExitStatus:
    """Reports faults in rows of a single point on standard error; returns the exit status.

    Args:
        rows: rows of the point.
        data_faults: per row, the first fault of its data.
    """
    from nocbench.points.peaks import fault_in_words

    faults = [words for row, fault in zip(rows, data_faults, strict=True) if (words := fault_in_words(row, fault))]
    for fault in dict.fromkeys(faults):
        click.echo(fault, err=True)
    return ExitStatus.NEGATIVE_VERDICT if faults else ExitStatus.FINE
