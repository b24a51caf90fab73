"""``nocbench accept``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nocbench.commands import gating, options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from nocbench.suites.suite import Suite


@click.command(cls=FileCommand, short_help="Take results over as the new baseline.")
@gating.results
@options.suite
@click.option(
    "--baseline",
    "baseline_file",
    type=OutputPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Baseline to change, .csv or .parquet; a new one is made if there is none. A suite has its own.",
)
@click.option("--reason", required=True, metavar="TEXT", help="Reason, which is kept beside the baseline.")
@click.option("--drop-missing", is_flag=True, help="Drop rows of the baseline that RESULTS does not have.")
@options.only_tests
@options.only_architectures
@options.as_json
def command(
    results_file: Path,
    suite: Suite | None,
    baseline_file: Path | None,
    reason: str,
    drop_missing: bool,
    patterns: tuple[str, ...],
    architectures: tuple[str, ...],
    as_json: bool,
) -> int:
    """Take RESULTS over as the new baseline, and list every value that changes.

    Rows of the baseline that RESULTS does not have stay, unless --drop-missing says that they go; that the baseline
    shrinks is then said. With --test or --arch, only those points change, or go; all others stay as they are. The
    reason is added to the file FILE.reasons.md beside the baseline.

    \b
    Examples:
      nocbench accept results.csv --baseline tests/gate/quick.csv \\
        --reason "a hop takes 9 cycles on Blackhole"
      nocbench accept results.csv --suite demo --reason "the first ones"
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json
    from dataclasses import asdict

    from nocbench.gating.baselines import accept_results, describe_acceptance, first_baseline, write_baseline
    from nocbench.gating.judgement import judge
    from nocbench.gating.policy import default_policy
    from nocbench.gating.sides import read_sides
    from nocbench.points.catalogue import in_use
    from nocbench.results.result_files import require_writable
    from nocbench.support.errors import InputError, NotComparableError

    if not reason.strip():
        raise InputError("--reason: expected a text that says why, found nothing")
    baseline_file = gating.baseline_of(suite, baseline_file)
    require_writable(baseline_file)
    if baseline_file.exists():
        base, head = read_sides(baseline_file, results_file, patterns=patterns, architectures=architectures)
        report = judge(base, head, default_policy())
        if report.refusals:
            raise NotComparableError(f"{results_file} cannot replace {baseline_file}: {'; '.join(report.refusals)}")
        acceptance = accept_results(report, baseline_file, drop_missing=drop_missing)
    else:
        acceptance = first_baseline(results_file, patterns, architectures)
    if not as_json:
        for line in describe_acceptance(acceptance):
            click.echo(line)
    reasons = write_baseline(baseline_file, acceptance, reason.strip(), in_use().revision())
    remark(f"wrote {len(acceptance.rows)} rows to {baseline_file}, and the reason to {reasons}")
    if as_json:
        facts: dict[str, Any] = {"baseline": str(baseline_file), "reasons": str(reasons)}
        facts |= {"num_rows": len(acceptance.rows), "num_rows_before": acceptance.num_before}
        facts |= {"num_kept": acceptance.num_kept, "changed": [asdict(point) for point in acceptance.points]}
        click.echo(json.dumps(facts, indent=2))
    return ExitStatus.FINE
