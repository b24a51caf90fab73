#!/usr/bin/env python3
"""Keeps the results of a full tier in the repository, and says whether they are still those of the model.

    keep       puts results of the full tier into plots/results/, with their revision; or those of other points that the
               pages show (run_beside_full_tier.py)
    sample     runs a point of each test again and compares it with the kept results
    compare    compares other results with the kept ones, point by point, where both have it

The pages in plots/ are drawn from the kept results and from what scripts/run.sh runs again, so that points that take
long are on them, too, and so that it draws them within minutes. Values must be equal, to the last digit: the model
gives the same on every machine.

Exit status: 0 all is well; 1 kept and other results differ, or the kept ones are not all of the full tier; 2 bad usage
or bad input; 4 kernels of the kept and of the other results were made by two compilers.

Examples:
    .venv/bin/nocbench run -o build/full.csv && .venv/bin/python scripts/studies/kept_results.py keep build/full.csv
    .venv/bin/python scripts/studies/kept_results.py keep --with-kept build/of_new_tests.csv
    .venv/bin/python scripts/studies/kept_results.py keep --beside build/results_beside.csv
    .venv/bin/python scripts/studies/kept_results.py sample --seed 0123456789ab
    .venv/bin/python scripts/studies/kept_results.py compare build/results.csv
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from run_beside_full_tier import points_beside

from nocbench.points.selection import select_points
from nocbench.published.accuracy_tables import compare_tables
from nocbench.published.reference import read_reference
from nocbench.results.comparable_rows import require_exact, require_one_compiler
from nocbench.results.kept_results import (
    BESIDE_FILE,
    KEPT_FILE,
    digest,
    in_order,
    incomplete,
    kept_results_file,
    key_of_point,
    key_of_row,
    sample,
)
from nocbench.results.result_files import read_rows, to_frame, write_results
from nocbench.results.same_points import combine, different_values, shortened
from nocbench.running.engines import make_engine
from nocbench.running.execution import run_points
from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.columns import COMPILER, point_key, with_value
from nocbench.support.errors import InputError, NocbenchError
from nocbench.support.progress import ProgressReport
from nocbench.support.revision import revision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.point import Point
    from nocbench.support.columns import Row

README = """\
# Kept results

`full_tier.parquet` has the results of the full tier, so that the pages also show points that take long.
`beside_full_tier.parquet` has those of the other points that the pages show.
`scripts/studies/kept_results.py keep` writes these files. The section
[kept results](../../docs/results.md#kept-results) describes how to renew them.

| | |
|---|--:|
| revision of the rows that were run last | `{revision}` |
| points | {points:,} |
| rows | {rows:,} |
| digest of the rows | `{digest}` |
"""
RENEW = f"""\
the results kept in {KEPT_FILE} are not those of this model. Renew them with
    nocbench run -o build/full.csv && python scripts/studies/kept_results.py keep build/full.csv
    python scripts/studies/run_beside_full_tier.py --output build/beside.csv
    python scripts/studies/kept_results.py keep --beside build/beside.csv
or draw pages of other results alone: nocbench plot RESULTS"""


def say(text: str) -> None:
    """Prints to standard error."""
    sys.stderr.write(f"{text}\n")


def stale(reasons: Sequence[str]) -> int:
    """Prints the faults of the kept results. Returns the exit status."""
    say(shortened(reasons))
    say(f"error: {RENEW}")
    return 1


def read_exact(files: Sequence[Path]) -> list[tuple[Path, list[Row]]]:
    """Returns the rows of results files. Raises NotComparableError for points that were simulated packet by packet."""
    sources = [(file, read_rows(file)) for file in files]
    for file, rows in sources:
        require_exact(file, rows)
    return sources


def keep(files: Sequence[Path], *, with_kept: bool = False) -> int:
    """Writes rows of results files as the kept results.

    `with_kept` adds earlier kept rows for points that the files lack.
    """
    rows = combine(read_exact(files))
    revisions = sorted({row["revision"] for row in rows})
    if with_kept:
        new = {key_of_row(row) for row in rows}  # on any board, since the default board may have changed
        kept_before = [row for row in read_rows(kept_results_file()) if key_of_row(row) not in new]
        require_one_compiler([("RESULTS", rows), (kept_results_file(), kept_before)])
        rows += kept_before
    points = select_points([])
    rows = in_order(points, rows)
    require_one_compiler([("RESULTS", rows), (f"revision {revision()}", compilers_named(points))])
    wrong = incomplete(points, rows) + unfit(rows, revisions)
    wrong += [
        f"{table.missing} published points of {table.test}, {table.kernel}, on {table.arch} have no result"
        for table in compare_tables(to_frame(rows), read_reference())
        if table.missing
    ]
    if wrong:
        raise InputError(f"expected the results of a full tier, found others; nothing is kept\n{shortened(wrong)}")
    target = kept_results_file()
    make_directory(target.parent)
    write_results(rows, target)
    of_rows = digest(rows)
    text = README.format(revision=revisions[0], points=len(points), rows=len(rows), digest=of_rows)
    write_text(target.parent / "README.md", text)
    size_kb = target.stat().st_size / 1000
    say(f"kept {len(points)} points in {target}: {size_kb:.0f} kB, revision {revisions[0]}, digest {of_rows}")
    return 0


def compilers_named(points: Sequence[Point]) -> list[Row]:
    """Returns rows that contain the current compilers of the points' kernels."""
    catalogues = {(point.arch, point.test): point.catalogue for point in points}
    labels = {(arch, test): catalogue.compiler_of(test) for (arch, test), catalogue in catalogues.items()}
    return [
        {"arch": arch, "test": test, "params": with_value("", COMPILER, label), "revision": revision()}
        for (arch, test), label in labels.items()
    ]


def unfit(rows: Sequence[Row], revisions: Sequence[str]) -> list[str]:
    """Returns reasons against keeping rows of these revisions, other than missing points."""
    wrong = [f"wrong data: {row['test']} on {row['arch']}" for row in rows if not row["data_ok"]]
    if len(revisions) > 1:
        wrong.append(f"expected results of one revision, found {', '.join(revisions)}")
    return wrong + [f"{name}: expected a committed revision" for name in revisions if name.endswith("+")]


def keep_beside(files: Sequence[Path]) -> int:
    """Writes rows of results files as the kept results of points beside the full tier, which the pages show."""
    points = points_beside()
    of_points = {key_of_point(point) for point in points}
    rows = [row for row in in_order(points, combine(read_exact(files))) if key_of_row(row) in of_points]
    found = {key_of_row(row) for row in rows}
    wrong = [f"no result of {point.describe()}" for point in points if key_of_point(point) not in found]
    wrong += unfit(rows, sorted({row["revision"] for row in rows}))
    if wrong:
        raise InputError(f"expected the results of run_beside_full_tier.py; nothing is kept\n{shortened(wrong)}")
    target = kept_results_file(BESIDE_FILE)
    write_results(rows, target)
    say(f"kept {len(rows)} rows in {target}")
    return 0


def compare(sources: Sequence[tuple[Path | str, Sequence[Row]]]) -> int:
    """Compares rows, each list with its source, with the kept results. Returns the exit status."""
    kept = [(file, read_rows(file)) for file in (kept_results_file(), kept_results_file(BESIDE_FILE))]
    known = {point_key(row) for _, rows in kept for row in rows}
    others = [(where, [row for row in rows if point_key(row) in known]) for where, rows in sources]
    differences = different_values([*kept, *others], but=("revision",))
    if differences:
        return stale(differences)
    num_rows = sum(len(rows) for _, rows in others)
    if num_rows == 0:
        raise InputError(f"expected results of points that {kept[0][0]} or {kept[1][0]} has, found none")
    say(f"{num_rows} rows, run again, are equal to those of the {len(known)} that are kept")
    return 0


def run_sample(seed: str, jobs: int | None) -> int:
    """Runs a sample of the kept results again. Returns the exit status."""
    kept = kept_results_file()
    of_kept = read_rows(kept)
    points = select_points([])
    wrong = incomplete(points, of_kept)
    if digest(of_kept) not in (kept.parent / "README.md").read_text():
        wrong.append(f"{kept.parent / 'README.md'}: expected the digest of {kept.name}, {digest(of_kept)}")
    if wrong:
        return stale(wrong)
    beside = sample(points_beside(), read_rows(kept_results_file(BESIDE_FILE)), seed)
    chosen = sample(points, of_kept, seed) + beside
    require_one_compiler([(kept, of_kept), (f"revision {revision()}", compilers_named(chosen))])
    engine = make_engine(jobs, len(chosen))
    num_kept = len(points) + len(points_beside())
    announcement = f"running {len(chosen)} of {num_kept} kept points, seed {seed}, in {engine.description}"
    with ProgressReport(announcement, "points", len(chosen)) as progress:
        measurements = run_points(chosen, engine, on_progress=progress.update)
    if measurements.crashes:
        return stale([crash.describe() for crash in measurements.crashes])
    return compare([(f"revision {revision()}", measurements.rows)])


def main() -> int:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    of_keep = commands.add_parser("keep", help="keep the results of a full tier")
    of_compare = commands.add_parser("compare", help="compare results with the kept ones")
    for subcommand in (of_keep, of_compare):
        subcommand.add_argument("results", type=Path, nargs="+", metavar="RESULTS", help="results files")
    of_keep.add_argument("--beside", action="store_true", help="RESULTS are those of the points beside the full tier")
    of_keep.add_argument(
        "--with-kept", action="store_true", help="take points that RESULTS lack from those that are kept already"
    )
    of_sample = commands.add_parser("sample", help="run a sample of the kept results again")
    of_sample.add_argument(
        "--seed", default=revision(), help="text that the choice depends on; the revision that runs by default"
    )
    of_sample.add_argument("-j", "--jobs", type=int, metavar="N", help="worker processes; as many as processors")
    arguments = parser.parse_args()
    try:
        if arguments.command == "sample":
            return run_sample(arguments.seed, arguments.jobs)
        if arguments.command == "keep":
            if arguments.beside:
                return keep_beside(arguments.results)
            return keep(arguments.results, with_kept=arguments.with_kept)
        return compare(read_exact(arguments.results))
    except NocbenchError as error:
        say(f"error: {error}")
        return int(error.exit_status)


if __name__ == "__main__":
    sys.exit(main())
