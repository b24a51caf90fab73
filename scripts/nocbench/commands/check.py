"""``nocbench check``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import gating, options
from nocbench.commands.options import FileCommand

if TYPE_CHECKING:
    from nocbench.suites.suite import Suite


@click.command(cls=FileCommand, short_help="Judge results by a baseline and a policy.")
@gating.results
@options.suite
@click.option(
    "--baseline",
    "baseline_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Results to compare with: .csv, .parquet, or published tables in Markdown. A suite has its own.",
)
@gating.policy
@options.only_tests
@options.only_architectures
@gating.output
@gating.only
@options.as_json
def command(
    results_file: Path,
    suite: Suite | None,
    baseline_file: Path | None,
    policy_file: Path | None,
    patterns: tuple[str, ...],
    architectures: tuple[str, ...],
    output_directory: Path | None,
    verdicts: str | None,
    as_json: bool,
) -> int:
    """Judge RESULTS, point by point, by a baseline and a policy.

    Both files may be results of nocbench, or measurements of hardware with the seven common columns (CSV, or published
    tables in Markdown); the policy's noise is added to its limits for the latter only.

    Exit status: 0 nothing is worse than the policy lets through; 1 something is, a bound is missed, or data is wrong;
    2 bad input; 3 points or the baseline are missing, or fewer points are gated than must be; 4 not comparable.

    \b
    Examples:
      nocbench check results.csv --baseline tests/gate/quick.csv \\
        --policy tests/gate/policy.yaml -o gate
      nocbench check results.csv --suite demo
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import shlex

    from nocbench.gating.changed_rules import shrunken_baseline
    from nocbench.gating.judgement import judge
    from nocbench.gating.sides import read_sides
    from nocbench.gating.verdicts import Verdict
    from nocbench.support.units import plural

    policy = gating.policy_of(suite, policy_file)
    own_baseline = baseline_file is None
    baseline_file = gating.baseline_of(suite, baseline_file)
    base, head = read_sides(baseline_file, results_file, patterns=patterns, architectures=architectures)
    report = judge(base, head, policy)
    report.changed_rules += shrunken_baseline(baseline_file)
    num_new = report.count(Verdict.NEW)
    if num_new:
        report.notices.append(f"{plural(num_new, 'point')} not in the baseline: nothing judges them before it has them")
    words = ["nocbench", "accept", str(results_file)]
    words += ["--suite", suite.folder] if suite is not None else []
    words += [] if own_baseline else ["--baseline", str(baseline_file)]
    words += ["--reason", "..."]
    words += [word for pattern in patterns for word in ("--test", pattern)]
    words += [word for arch in architectures for word in ("--arch", arch)]
    report.accept_command = shlex.join(words)
    return gating.finish(report, output_directory=output_directory, verdicts=verdicts, as_json=as_json)
