"""Common options and output of the gate's commands."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nocbench.commands.options import OutputPath
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.gating.policy import Policy
    from nocbench.gating.verdicts import GateReport, PointVerdict
    from nocbench.suites.suite import Suite

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

_MAX_POINTS_SHOWN = 40


class ResultsFile(click.Path):
    """Type of a parameter that names a file of result rows."""

    _file = "a file of result rows, as 'nocbench run -o results.csv' writes (with --suite DIR for a suite)"

    def __init__(self) -> None:
        """Prepares conversion to paths."""
        super().__init__(path_type=Path)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Returns the complaint about a missing file."""
        return f"Expected {self._file}."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ANN401
        """Returns the path of the file."""
        super().convert(value, param, ctx)
        path = Path(value)
        is_name = not path.exists() and not path.suffix  # of a test, rather than a file
        if path.is_dir() or is_name:
            found = "no such file" if is_name else "a folder"
            self.fail(f"expected {self._file}, found {found}: {path}", param, ctx)
        return path


results: Decorator = click.argument("results_file", metavar="RESULTS", type=ResultsFile())
policy: Decorator = click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Policy: what may change. By default that of the suite, or tests/gate/policy.yaml of this directory, if "
    "it is there.",
)
output: Decorator = click.option(
    "-o",
    "--output",
    "output_directory",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the reports to DIR: gate.json, summary.md, comment.md, junit.xml, report.html, points.csv.",
)
only: Decorator = click.option(
    "--only",
    "verdicts",
    metavar="VERDICTS",
    help="Show only points with these verdicts, separated by commas, such as slower,crashed.",
)


def policy_of(suite: Suite | None, chosen: Path | None) -> Policy:
    """Returns the chosen policy; by default, that of the suite, or of this directory.

    Raises InputError for mistakes.
    """
    from nocbench.gating.policy import find_policy

    return suite.description.policy if suite is not None and chosen is None else find_policy(Path(), chosen)


def baseline_of(suite: Suite | None, chosen: Path | None) -> Path:
    """Returns the chosen baseline; by default, that of the suite. Raises click.UsageError without both."""
    if chosen is not None:
        return chosen
    if suite is None:
        raise click.UsageError("expected --baseline FILE, or --suite DIR, which has one of its own")
    return suite.description.baseline


def finish(
    report: GateReport,
    *,
    output_directory: Path | None,
    verdicts: str | None,
    as_json: bool,
    traces: Path | None = None,
) -> int:
    """Prints and writes the report; returns the exit status.

    Args:
        report: the gate's findings.
        output_directory: directory for reports, if any.
        verdicts: verdicts of the points to show, separated by commas; None: show changed points.
        as_json: True to print JSON.
        traces: directory with traces of the worst points, for the reports; None: no traces.

    Raises:
        InputError: an unknown verdict.
    """
    choose(report, verdicts)  # raises InputError for unknown verdicts before any file is written
    if output_directory is not None:
        from nocbench.reports import write_reports

        # With --json, programs parse standard output as one JSON document. GitHub reads annotations from both streams.
        write_reports(report, output_directory, traces=traces, annotations=sys.stderr if as_json else sys.stdout)
        remark(f"wrote the reports to {output_directory}")
    show(report, verdicts=verdicts, as_json=as_json)
    return int(report.exit_status)


def show(report: GateReport, *, verdicts: str | None, as_json: bool) -> None:
    """Prints the report; the arguments are those of :func:`finish`."""
    import json

    shown = choose(report, verdicts)
    if as_json:
        click.echo(json.dumps(report.to_json(), indent=2))
    else:
        _print(report, shown)


def choose(report: GateReport, verdicts: str | None) -> list[PointVerdict]:
    """Returns the points with the chosen verdicts; by default, those that changed.

    Raises:
        InputError: an unknown verdict.
    """
    from nocbench.gating.verdicts import Verdict
    from nocbench.support.errors import InputError, did_you_mean

    if verdicts is None:
        return report.changed
    wanted = [word.strip() for word in verdicts.split(",")]
    known = [str(verdict) for verdict in Verdict]
    for word in wanted:
        if word not in known:
            hint = did_you_mean(word, known) or f"; there are: {', '.join(known)}"
            raise InputError(f"--only {verdicts}: no verdict is called '{word}'{hint}")
    return [point for point in report.verdicts if point.verdict in wanted]


def _print(report: GateReport, shown: Sequence[PointVerdict]) -> None:
    from nocbench.gating.verdicts import Verdict
    from nocbench.reports.sides import side_in_words
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    click.echo(report.headline)
    for side in (report.base, report.head):
        measured = ", measured on hardware" if side.is_measured else ""
        click.echo(f"{side.label}: {side_in_words(side)}{measured}")
    if report.refusals:
        return
    click.echo(f"policy: {report.policy or 'none: latency may not change'}")
    for changed in report.changed_rules:
        click.echo(f"beware: {changed}")
    listed = shown[:_MAX_POINTS_SHOWN]
    if listed:
        with_params = any(point.params for point in listed)
        click.echo("")
        print_table(
            [
                *("verdict", "arch", "test", "kernel"),
                *(["params"] if with_params else []),
                *("transactions", "size", "base cycles", "head cycles", "change", "limiter", "rule or reason"),
            ],
            [
                [
                    *(point.verdict.value, point.arch, point.test, point.kernel),
                    *([point.params] if with_params else []),
                    *(point.num_transactions, format_size(point.transaction_size_bytes)),
                    *(_cycles(point, side) for side in ("base", "head")),
                    f"{point.changes[0].percent:+.2f} %" if point.changes else "",
                    _limiter(point),
                    _why(point),
                ]
                for point in listed
            ],
        )
        if len(shown) > len(listed):
            click.echo(f"... and {len(shown) - len(listed)} more")
    for group in report.groups:
        percent = f", worse by {group.least_percent:.2f} to {group.most_percent:.2f} %" if group.most_percent else ""
        click.echo(
            f"{group.verdict}: {group.num_points} of {group.num_compared} points of {group.description}{percent}"
        )
    if report.unaffected:
        click.echo(f"not affected: {', '.join(report.unaffected)}")
    difference = report.first_difference
    if difference is not None:
        click.echo(f"first differing event: cycle {difference.cycle:g}, {difference.where}, of {difference.point}")
        click.echo(f"  base: {difference.base}")
        click.echo(f"  head: {difference.head}")
        click.echo(f"  trace: {difference.command}")
    failing = report.failing
    if failing:
        click.echo(f"reproduce: {failing[0].command()}")
    if report.coverage.shortfall:
        click.echo(f"coverage: {report.coverage.shortfall}{_in_brackets(report.coverage.excuse)}")
    for notice in report.notices:
        click.echo(f"note: {notice}")
    if report.accept_command and report.changed and not report.count(Verdict.WRONG_DATA):
        click.echo(f"accept: {report.accept_command}")


def _cycles(point: PointVerdict, side: str) -> str:
    row = point.base if side == "base" else point.head
    return "" if row is None else f"{row['latency_cycles']:.10g}"


def _limiter(point: PointVerdict) -> str:
    limiters = [str(row["limiter"]) for row in (point.base, point.head) if row is not None and "limiter" in row]
    return " -> ".join(dict.fromkeys(limiters))


def _why(point: PointVerdict) -> str:
    rule = next((change.rule for change in point.changes if change.verdict == point.verdict), "")
    return "; ".join(part for part in (*point.missed_bounds, point.reason or rule, point.excuse) if part)


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""
