"""``nocbench report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.gating import policy_of
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from nocbench.gating.policy import Policy
    from nocbench.gating.verdicts import GateReport
    from nocbench.reports.traces import Trace
    from nocbench.suites.suite import Suite
    from nocbench.support.columns import Row

_FORMATS = ("google-benchmark", "bencher", "github-action-bigger", "github-action-smaller")


@click.command(cls=FileCommand, short_help="Make an HTML report, or files for other tools, from results.")
@click.argument("results_file", metavar="[RESULTS]", required=False, type=click.Path(path_type=Path, dir_okay=False))
@options.suite
@click.option(
    "--baseline",
    "baseline_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Results to compare with, by the policy.",
)
@click.option(
    "--policy",
    "policy_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Policy: what may change from the baseline. By default that of the suite, or "
    "tests/gate/policy.yaml of this directory, if it is there.",
)
@click.option(
    "--gate",
    "gate_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Take, instead of RESULTS, the gate.json that 'nocbench gate' or 'nocbench check' wrote.",
)
@click.option(
    "--traces",
    "trace_directory",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Traces (*.json.gz) for the report to carry; by default those in the directory 'worst' beside gate.json.",
)
@click.option("--export", "export_format", type=click.Choice(_FORMATS), help="Write RESULTS in this format instead.")
@click.option(
    "-o",
    "--output",
    type=OutputPath(path_type=Path, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="File to write; report.html by default, standard output for --export.",
)
def command(
    results_file: Path | None,
    suite: Suite | None,
    baseline_file: Path | None,
    policy_file: Path | None,
    gate_file: Path | None,
    trace_directory: Path | None,
    export_format: str | None,
    output: Path | None,
) -> int:
    """Make an HTML report from RESULTS: one file, which a browser opens without network or server.

    It has a table of all points, which can be sorted and filtered, and the plots of each test. With a baseline, or made
    of what a gate found, it has their verdicts, and by how much every point changed. --export writes the results for
    another tool instead: for tools/compare.py of Google Benchmark, for Bencher, or for github-action-benchmark.

    \b
    Examples:
      nocbench report results.csv --baseline tests/gate/quick.csv -o report.html
      nocbench report --gate gate/gate.json -o report.html
      nocbench report results.csv --suite demo
      nocbench report results.csv --export bencher -o bencher.json
    """  # noqa: D301 - click reads the \b as "do not wrap"
    _require_what_fits_together(results_file, baseline_file, policy_file, gate_file, export_format)
    if export_format is not None:
        assert results_file is not None
        return _export(results_file, export_format, output)
    output = output or Path("report.html")
    if results_file is None:
        assert gate_file is not None
        return _report_gate(_read_gate(gate_file), output, trace_directory or gate_file.parent / "worst")
    if baseline_file is None:
        return _report_results(results_file, output, trace_directory)
    return _report_gate(_judge(results_file, baseline_file, policy_of(suite, policy_file)), output, trace_directory)


def _require_what_fits_together(
    results_file: Path | None,
    baseline_file: Path | None,
    policy_file: Path | None,
    gate_file: Path | None,
    export_format: str | None,
) -> None:
    if (results_file is None) == (gate_file is None):
        raise click.UsageError("expected either RESULTS or --gate, which has results of its own")
    if gate_file is not None and (baseline_file or policy_file or export_format):
        raise click.UsageError("--gate has been judged already: --baseline, --policy and --export go with RESULTS")
    if export_format is not None and (baseline_file or policy_file):
        raise click.UsageError("--export writes RESULTS alone, without --baseline and --policy")
    if policy_file is not None and baseline_file is None:
        raise click.UsageError("--policy says what may change from a --baseline")


def _export(results_file: Path, export_format: str, output: Path | None) -> int:
    import json

    from nocbench.reports.exports import EXPORTS
    from nocbench.results.result_files import read_points
    from nocbench.support.atomic_files import write_text

    rows = read_points(results_file)
    text = json.dumps(EXPORTS[export_format](rows), indent=2) + "\n"
    if output is None or str(output) == "-":
        click.echo(text, nl=False)
    else:
        write_text(output, text)
        remark(f"wrote {output}")
    return _status(rows)


def _report_results(results_file: Path, output: Path, trace_directory: Path | None) -> int:
    from nocbench.reports.html_page import render_results_page
    from nocbench.reports.plain_results import points_of
    from nocbench.results.result_files import read_points

    rows = read_points(results_file)
    page = render_results_page(str(results_file), points_of(rows), _traces(trace_directory, output))
    _write_page(page, output)
    return _status(rows)


def _report_gate(report: GateReport, output: Path, trace_directory: Path | None) -> int:
    from nocbench.reports.html_page import render_gate_page

    _write_page(render_gate_page(report, _traces(trace_directory, output)), output)
    click.echo(report.headline)
    return int(report.exit_status)


def _judge(results_file: Path, baseline_file: Path, policy: Policy) -> GateReport:
    from nocbench.gating.changed_rules import shrunken_baseline
    from nocbench.gating.judgement import judge
    from nocbench.gating.sides import read_sides

    report = judge(*read_sides(baseline_file, results_file, may_be_fast=True), policy)
    report.changed_rules += shrunken_baseline(baseline_file)
    return report


def _read_gate(path: Path) -> GateReport:
    from nocbench.gating.verdicts import GateReport
    from nocbench.support.errors import InputError
    from nocbench.support.input_files import read_json

    document = read_json(path, "what a gate found")
    try:
        return GateReport.from_json(document)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: is not what this version writes as gate.json: {error}") from None


def _traces(directory: Path | None, output: Path) -> list[Trace]:
    from nocbench.reports.traces import read_traces
    from nocbench.support.errors import InputError

    if directory is None:
        return []
    if directory.name != "worst" and not directory.is_dir():
        raise InputError(f"{directory}: there is no such directory")
    return read_traces(directory, beside=output.parent)


def _write_page(page: str, output: Path) -> None:
    from nocbench.support.atomic_files import write_text

    write_text(output, page.encode("utf-8", "backslashreplace").decode())
    remark(f"wrote {output}")


def _status(rows: list[Row]) -> int:
    from nocbench.commands.inputs import say_faults

    return ExitStatus.NEGATIVE_VERDICT if say_faults(rows) else ExitStatus.FINE
