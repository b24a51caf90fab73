"""``nocbench history show``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import options
from nocbench.commands.history import file
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import require_extra
from nocbench.support.progress import remark

_MOST_TESTS = 20


@click.command(cls=FileCommand, short_help="Show what changed from revision to revision.")
@file
@click.option("--test", "pattern", default="", metavar="TEXT", help="Only tests with this text in ARCH/TEST.")
@click.option(
    "--page",
    type=OutputPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a Markdown page, and its picture beside it.",
)
@options.as_json
def command(path: Path, pattern: str, page: Path | None, as_json: bool) -> int:
    """Show the tests and the errors that changed from revision to revision.

    \b
    Examples:
      nocbench history show
      nocbench history show --test "blackhole/One to One" --page plots/history.md
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json
    from dataclasses import asdict
    from itertools import pairwise

    from nocbench.history.records import changed_accuracy, changed_tests, read_history
    from nocbench.support.errors import InputError

    records = read_history(path)
    if not records:
        raise InputError(f"{path}: expected records as 'nocbench history add' writes them, found none")
    steps = [
        (
            after,
            [change for change in changed_tests(before, after) if pattern in change.what],
            changed_accuracy(before, after),
        )
        for before, after in pairwise(records)
    ]
    if page is not None:
        require_extra("plots", "--page")
        from nocbench.history.page import write_history_page

        write_history_page(records, page)
        remark(f"wrote {page}")
    if as_json:
        document = [
            {
                "revision": after.revision,
                "date": after.date,
                "release": after.release,
                "tests": [asdict(change) | {"percent": change.percent} for change in tests],
                "accuracy": [asdict(change) for change in accuracy],
            }
            for after, tests, accuracy in steps
        ]
        click.echo(json.dumps(document, indent=2))
        return ExitStatus.FINE
    click.echo(f"{records[0].date} {records[0].name}: the first on record, {len(records[0].tests)} tests")
    for after, tests, accuracy in steps:
        click.echo(f"{after.date} {after.name}: {len(tests)} of {len(after.tests)} tests changed")
        for change in accuracy:
            click.echo(f"  median error, {change.what}: {change.before:.2f} -> {change.after:.2f} %")
        for change in tests[:_MOST_TESTS]:
            click.echo(f"  {change.percent:+8.2f} %  {change.what}")
        if len(tests) > _MOST_TESTS:
            click.echo(f"  ... and {len(tests) - _MOST_TESTS} more")
    return ExitStatus.FINE
