"""``nocbench optimise``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.errors import InputError
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.optimising.optimisation import Optimisation

# Aspects of nocbench.optimising.parts, repeated because a help text must not wait for that import.
_ASPECTS = ("placement", "noc", "order", "vc")


@click.command(cls=FileCommand, short_help="Search for a faster table of flows.")
@click.argument("table_file", metavar="FLOWS", type=click.Path(path_type=Path))
@click.option(
    "--vary",
    "aspects",
    multiple=True,
    required=True,
    type=click.Choice(_ASPECTS),
    help="Property that may change: which core has which role, which NoC flows use, the order of the flows of a "
    "core, or the virtual channel of flows. May be given several times.",
)
@click.option(
    "--within",
    type=click.Choice(("table", "all")),
    help="Cores for roles with --vary placement: in the rectangle around all cores of the table (the default), or on "
    "any core of the board.",
)
@click.option(
    "--each",
    type=click.Choice(("name", "flow")),
    help="Unit with a NoC and a virtual channel of its own with --vary noc and vc: each name of flows (the default), "
    "or each flow.",
)
@options.single_arch
@options.board
@options.single_settings
@click.option(
    "--runs",
    type=click.IntRange(min=2),
    default=300,
    show_default=True,
    metavar="N",
    help="Most tables that run on the fast model, with the start.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, metavar="N", help="Seed of the search."
)
@click.option(
    "--finalists",
    "num_finalists",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    metavar="K",
    help="Number of the best tables, which also run on the exact model.",
)
@click.option("-o", "--output", type=OutputPath(path_type=Path), metavar="FILE", help="Write the best table to FILE.")
@options.as_json
@options.jobs
@needs("optimise")
def command(
    table_file: Path,
    aspects: tuple[str, ...],
    within: str | None,
    each: str | None,
    arch: str,
    board: str,
    settings: tuple[str, ...],
    runs: int,
    seed: int,
    num_finalists: int,
    output: Path | None,
    as_json: bool,
    jobs: int | None,
) -> int:
    """Search for a table of flows that moves the same data in fewer cycles.

    FLOWS is what 'nocbench flows' takes. The tables that are tried run on the fast model, the best of them and the
    start on the exact one. The best table is what takes the fewest cycles there. Where that is the start, it stays.
    Prints what was gained, and the waits by cause before and after. docs/optimising.md describes what may vary.

    \b
    Examples:
      nocbench optimise examples/flows/reshard.csv --vary order --arch blackhole
      nocbench optimise examples/flows/matmul_operands.csv --arch wormhole_b0 \\
        --vary noc --vary placement -o best.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.flow_tables.csv_text import require_csv
    from nocbench.flow_tables.table_files import machines_for_flows, read_flow_table
    from nocbench.optimising.optimisation import optimise
    from nocbench.optimising.variations import Variations
    from nocbench.points.axes import parse_choices

    aspects = tuple(aspect for aspect in _ASPECTS if aspect in aspects)
    if within is not None and "placement" not in aspects:
        raise InputError("--within: expected --vary placement beside it, found none")
    if each is not None and not {"noc", "vc"} & set(aspects):
        raise InputError("--each: expected --vary noc or vc beside it, found neither")
    _, fields = parse_choices((), settings)
    machines = machines_for_flows(table_file, arch, board, fields)
    if len(machines) > 1:
        chips = " or ".join(machine.arch for machine in machines)
        raise InputError(f"--arch: expected the chip to optimise for, {chips}, found none")
    table, machine = read_flow_table(table_file, machines[0])
    if output is not None:
        _require_writable(output)
        require_csv(table)
    variations = Variations(
        table, machine.memories().cores, aspects, each_flow=each == "flow", whole_board=within == "all"
    )
    found = optimise(table, machine, variations, num_runs=runs, num_finalists=num_finalists, seed=seed, jobs=jobs)
    if as_json:
        import json

        from nocbench.optimising.report import to_json

        click.echo(json.dumps(to_json(found, aspects), indent=2))
    else:
        _print(found, aspects)
    if output is not None:
        _write(found, aspects, output)
    return ExitStatus.NEGATIVE_VERDICT if found.start.exact.fault else ExitStatus.FINE


def _require_writable(path: Path) -> None:
    from nocbench.support.atomic_files import require_replaceable

    if path.suffix.lower() != ".csv":
        raise InputError(f"{path}: expected a file that ends in .csv, found '{path.suffix}'")
    require_replaceable(path)


def _print(found: Optimisation, aspects: Sequence[str]) -> None:
    from nocbench.optimising import report
    from nocbench.support.tables import print_table

    click.echo(report.summary(found, aspects))
    click.echo("")
    print_table(report.CANDIDATE_COLUMNS, report.candidate_cells(found))
    click.echo("")
    for line in report.conclusion(found):
        click.echo(line)
    if found.best is not found.start:
        click.echo("")
        print_table(report.GROUP_COLUMNS, report.group_cells(found))
        click.echo("")
        print_table(report.WAIT_COLUMNS, report.wait_cells(found), title="where the time of all RISCs went")
    if found.start.exact.fault:
        click.echo(f"wrong data on {found.machine.describe()}: {found.start.exact.fault}", err=True)


def _write(found: Optimisation, aspects: Sequence[str], path: Path) -> None:
    from nocbench.flow_tables.csv_text import csv_text
    from nocbench.optimising.report import origin
    from nocbench.support.atomic_files import write_text

    write_text(path, csv_text(found.best.table, origin(found, aspects)))
    remark(f"wrote {found.best.name} to {path}")
