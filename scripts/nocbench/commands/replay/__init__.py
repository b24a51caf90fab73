"""``nocbench replay``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.points.accuracy import Accuracy
    from nocbench.replaying.execution import Replay


@click.command(cls=FileCommand, short_help="Replay NoC event traces of tt-metal's profiler on the model.")
@click.argument("traces", metavar="TRACE.json|FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
@options.single_arch
@options.board
@options.single_settings
@options.accuracy
@click.option(
    "--pace",
    type=click.Choice(["recorded", "dependencies"]),
    default="recorded",
    show_default=True,
    help="Make calls at the recorded times at the earliest, or as soon as their dependencies allow.",
)
@click.option(
    "--recorded-on",
    default="",
    metavar="A",
    help="Architecture of the card; found out by the places of its cores if not given.",
)
@options.cycles_max
@options.checks_of_flows
@click.option(
    "-o", "--output", type=OutputPath(), metavar="FILE", help="Write the result rows to FILE, .csv or .parquet."
)
@options.as_json
def command(
    traces: tuple[Path, ...],
    arch: str,
    board: str,
    settings: tuple[str, ...],
    accuracy: Accuracy,
    pace: str,
    recorded_on: str,
    cycles_max: int | None,
    checks: frozenset[str],
    output: str | None,
    as_json: bool,
) -> int:
    """Replay traces on the model, and compare what it predicts with what was recorded.

    A trace is a file of NoC events that tt-metal's profiler wrote on a card. Of one trace, the cycles, the time in
    barriers and the waits by cause are printed. Of several, or of all traces in a FOLDER, a table has a row for each.
    'nocbench heatmap', 'trace' and 'explain' take a trace, too. docs/replay.md describes all of it.

    \b
    Examples:
      nocbench replay examples/traces/noc_trace_dev0_AllToAll_ID7.json
      nocbench replay examples/traces/ --pace dependencies --arch blackhole
      nocbench replay examples/traces/ --accuracy auto
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.points.axes import parse_choices
    from nocbench.programs.execution import CYCLES_MAX
    from nocbench.replaying.conversion import Pace
    from nocbench.replaying.execution import machine_of, replay
    from nocbench.replaying.trace_file import read_traces, trace_files
    from nocbench.support.progress import long_wait

    results_path = None if output is None else Path(output)
    if results_path is not None:
        from nocbench.results.result_files import require_writable

        require_writable(results_path)
    _, fields = parse_choices((), settings)
    if recorded_on:
        from nocbench.architectures.files import require_architecture

        require_architecture(recorded_on)
    recorded = [trace for path in trace_files(traces) for trace in read_traces(path)]
    replays = []
    for trace in recorded:
        machine = machine_of(trace, arch, board, fields, recorded_on)
        with long_wait(str(trace.path), None):
            replays.append(
                replay(
                    trace,
                    machine,
                    Pace(pace),
                    recorded_on=recorded_on,
                    cycles_max=cycles_max or CYCLES_MAX,
                    accuracy=accuracy,
                    checks=checks,
                )
            )
    if as_json:
        _print_json(replays)
    elif len(replays) == 1:
        _print(replays[0])
    else:
        _print_table(replays)
    findings = [finding for one in replays for finding in one.findings()]
    options.print_findings(findings)
    for one in replays:
        if one.run.fault:
            click.echo(f"wrong data in {one.trace.path}: {one.run.fault}", err=True)
    if results_path is not None:
        options.write_rows([row for one in replays for row in one.run.rows], results_path)
    return ExitStatus.NEGATIVE_VERDICT if findings or any(one.run.fault for one in replays) else ExitStatus.FINE


def _print(one: Replay) -> None:
    from nocbench.replaying.report import COMPARISON_COLUMNS, WAIT_COLUMNS, comparison_cells, heading, wait_cells
    from nocbench.support.tables import print_table

    click.echo(heading(one))
    click.echo("")
    print_table(COMPARISON_COLUMNS, list(comparison_cells(one)))
    click.echo("")
    print_table(WAIT_COLUMNS, list(wait_cells(one)))


def _print_table(replays: Sequence[Replay]) -> None:
    from nocbench.replaying.report import SUMMARY_COLUMNS, summary_cells, summary_line
    from nocbench.support.tables import print_table

    print_table(SUMMARY_COLUMNS, [summary_cells(one) for one in replays])
    click.echo("")
    click.echo(summary_line(replays))


def _print_json(replays: Sequence[Replay]) -> None:
    import json

    from nocbench.replaying.report import to_json

    click.echo(json.dumps([to_json(one) for one in replays], indent=2))
