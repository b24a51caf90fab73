"""``nocbench history add``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.history import file
from nocbench.commands.options import FileCommand
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from datetime import datetime


@click.command(cls=FileCommand, short_help="Add a line for the results of a revision.")
@click.argument("results_files", nargs=-1, required=True, metavar="RESULTS...", type=click.Path(path_type=Path))
@file
@click.option(
    "--revision", default="", metavar="REV", help="Revision of the results; by default, that of this checkout."
)
@click.option("--date", type=click.DateTime(["%Y-%m-%d"]), help="Day of the revision; by default, that of its commit.")
@click.option("--release", default="", metavar="NAME", help="Name of the release that the revision is.")
@options.reference
@needs("pandas")
def command(
    results_files: tuple[Path, ...],
    path: Path,
    revision: str,
    date: datetime | None,
    release: str,
    reference_files: tuple[Path, ...],
) -> int:
    """Add a line for the results of a revision: errors by group, and a mean latency by test.

    The line takes the place of an earlier one of the same revision.

    \b
    Examples:
      nocbench history add tests/gate/quick.csv
      nocbench history add results.csv --release v1.1.0 --file history.jsonl
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.gating.git import commit_date
    from nocbench.history.records import changed_tests, read_history, record_of, with_record, write_history
    from nocbench.published.reference import read_reference
    from nocbench.results.same_points import read_combined
    from nocbench.support import revision as revisions
    from nocbench.support.errors import InputError
    from nocbench.support.units import plural

    records = read_history(path)
    results = read_combined(results_files)
    found = revision or revisions.commit().rstrip("+")
    if not found:
        raise InputError("--revision: expected the revision of the results, since this is no checkout; found none")
    day = date.date().isoformat() if date is not None else commit_date(Path(), found)
    record = record_of(results, read_reference(reference_files), revision=found, date=day, release=release)
    changes = changed_tests(records[-1], record) if records else []
    write_history(path, with_record(records, record))
    remark(f"{path}: {record.name}, {plural(len(record.tests), 'test')}, {len(changes)} changed")
    return ExitStatus.FINE
