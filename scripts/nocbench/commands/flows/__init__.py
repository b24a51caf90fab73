"""``nocbench flows``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.flow_tables.execution import FlowTableRun
    from nocbench.points.accuracy import Accuracy


@click.command(cls=FileCommand, short_help="Run a table of flows: who moves data to whom, how much, and when.")
@click.argument("table", metavar="TABLE", type=click.Path(path_type=Path))
@options.single_arch
@options.board
@options.single_settings
@options.accuracy
@options.cycles_max
@options.checks_of_flows
@click.option(
    "-o", "--output", type=OutputPath(), metavar="FILE", help="Write the result rows to FILE, .csv or .parquet."
)
@options.as_json
def command(
    table: Path,
    arch: str,
    board: str,
    settings: tuple[str, ...],
    accuracy: Accuracy,
    cycles_max: int | None,
    checks: frozenset[str],
    output: str | None,
    as_json: bool,
) -> int:
    """Run a table of flows, and say how long each takes and what limits it.

    A row of the table is a flow: writes, reads or multicasts of one core, their size, number and start. TABLE may also
    be a workload of tt-npe (.json, .yaml). docs/flows.md describes both. Every packet is compared with what was sent.
    Without --arch, a table runs on each chip, and a workload on its device.

    \b
    Examples:
      nocbench flows examples/flows/reshard.csv --arch blackhole
      nocbench flows examples/flows/reshard.csv --board n150 \\
        --set router.hop_cycles=12 -o rows.csv
      nocbench flows examples/flows/reshard.csv --arch wormhole_b0 --accuracy fast
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.flow_tables.execution import run_flow_table
    from nocbench.flow_tables.table_files import machines_for_flows, read_flow_table
    from nocbench.flow_tables.work import require_time, seconds_of, work_of
    from nocbench.points.axes import parse_choices
    from nocbench.programs.execution import CYCLES_MAX
    from nocbench.support.progress import long_wait

    results_path = None if output is None else Path(output)
    if results_path is not None:
        from nocbench.results.result_files import require_writable

        require_writable(results_path)
    _, fields = parse_choices((), settings)
    machines = machines_for_flows(table, arch, board, fields)
    tables = [read_flow_table(table, machine) for machine in machines]  # report all mistakes before the first run
    tables = [(its, on.at_accuracy(accuracy, partial(work_of, its, on))) for its, on in tables]
    for its_table, machine in tables:
        require_time(its_table, machine, cycles_max or CYCLES_MAX)
    runs = []
    findings = []
    for its_table, machine in tables:
        with long_wait(f"{its_table.name} on {machine.describe()}", seconds_of(its_table, machine)):
            run = run_flow_table(its_table, machine, cycles_max=cycles_max or CYCLES_MAX, checks=checks)
        runs.append(run)
        findings += run.findings()
        if not as_json:
            _print(run)
    options.print_findings(findings)
    if as_json:
        _print_json(runs)
    if results_path is not None:
        options.write_rows([row for run in runs for row in run.rows], results_path)
    return ExitStatus.NEGATIVE_VERDICT if findings or any(run.fault for run in runs) else ExitStatus.FINE


def _print(run: FlowTableRun) -> None:
    from nocbench.flow_tables.report import FLOW_COLUMNS, GROUP_COLUMNS, group_cells, last_flow_cells, summary
    from nocbench.support.tables import print_table

    for line in summary(run):
        click.echo(line)
    click.echo("")
    print_table(GROUP_COLUMNS, group_cells(run))
    click.echo("")
    print_table(FLOW_COLUMNS, last_flow_cells(run), title="the flows that end last")
    click.echo("")
    if run.fault:
        click.echo(f"wrong data on {run.machine.describe()}: {run.fault}", err=True)


def _print_json(runs: Sequence[FlowTableRun]) -> None:
    import json

    from nocbench.flow_tables.report import to_json

    click.echo(json.dumps([to_json(run) for run in runs], indent=2))
