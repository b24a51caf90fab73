"""``nocbench compare``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import gating, options
from nocbench.support.exit_status import ExitStatus


@click.command(short_help="Put two results files side by side.")
@click.argument("base_file", metavar="A", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("head_file", metavar="B", type=click.Path(path_type=Path, dir_okay=False))
@options.only_tests
@options.only_architectures
@gating.only
@options.as_json
def command(
    base_file: Path,
    head_file: Path,
    patterns: tuple[str, ...],
    architectures: tuple[str, ...],
    verdicts: str | None,
    as_json: bool,
) -> int:
    """Put results A and B side by side: which points of B are slower or faster than in A, new, or gone.

    Nothing is judged, that is for 'nocbench check': the exit status is 0 whatever differs, and 4 if the files have no
    point in common.

    \b
    Examples:
      nocbench compare before.csv after.csv --only slower
      nocbench compare exact.csv fast.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.gating.judgement import judge
    from nocbench.gating.policy import default_policy
    from nocbench.gating.sides import read_sides

    base, head = read_sides(base_file, head_file, patterns=patterns, architectures=architectures, may_be_fast=True)
    report = judge(base, head, default_policy())
    gating.show(report, verdicts=verdicts, as_json=as_json)
    return ExitStatus.NOT_COMPARABLE if report.refusals else ExitStatus.FINE
