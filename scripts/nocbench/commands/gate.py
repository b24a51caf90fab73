"""``nocbench gate``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from nocbench.commands import gating, options
from nocbench.commands.options import FileCommand
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.suites.suite import Suite


@click.command(cls=FileCommand, short_help="Judge this checkout by the revision that it comes from.")
@click.argument("tests", nargs=-1, metavar="[TEST]...", shell_complete=options.complete_tests)
@click.option("--base", required=True, metavar="REV", help="Branch, tag or commit that the changes are meant for.")
@gating.policy
@options.only_architectures
@click.option("--exclude", multiple=True, metavar="TEST", help="Leave out a test; may be given several times.")
@options.suite
@click.option(
    "--tier",
    type=click.Choice(["full", "quick"]),
    default="quick",
    show_default=True,
    help="Points to run: a few, or all.",
)
@gating.output
@gating.only
@options.jobs
@options.no_cache
@options.as_json
def command(
    tests: tuple[str, ...],
    base: str,
    policy_file: Path | None,
    architectures: tuple[str, ...],
    exclude: tuple[str, ...],
    suite: Suite | None,
    tier: str,
    output_directory: Path | None,
    verdicts: str | None,
    jobs: int | None,
    no_cache: bool,
    as_json: bool,
) -> int:
    """Judge this checkout by the revision that it comes from.

    Builds and runs both the merge base of REV and HEAD (with changes that are not committed, if there are any), and
    compares them point by point. The policy is that of HEAD, and may not gate fewer points than that of the merge base
    did. Of the worst point whose traces differ, the first differing event is shown. Simulators are kept in build/gate,
    and only built where the C++ sources differ, comments apart.

    With --suite, it is the suite in DIR that is judged, in whatever repository it is, by what the merge base has there.
    Both run on the installed simulator; nothing is built but kernels.

    Exit status: 0 nothing is worse than the policy lets through; 1 something is, a bound is missed, or data is wrong;
    2 bad input; 3 points are missing or crashed, or fewer are gated than must be; 4 not comparable.

    \b
    Examples:
      nocbench gate --base origin/main -o gate
      nocbench gate --suite demo --base origin/main
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.gating.run import TRACES, gate_revisions, run_arguments
    from nocbench.running.kept_points import NO_CACHE
    from nocbench.suites.gating import subject_of

    subject = subject_of(suite, policy_file)
    arguments = run_arguments(tests, tier=tier, architectures=architectures, exclude=exclude, jobs=jobs)
    if no_cache:  # an environment variable: an older revision has no option --no-cache
        os.environ[NO_CACHE] = "1"
    report = gate_revisions(subject, base, arguments, remark)
    return gating.finish(
        report,
        output_directory=output_directory,
        verdicts=verdicts,
        as_json=as_json,
        traces=subject.work / TRACES,
    )
