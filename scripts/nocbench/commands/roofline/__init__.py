"""``nocbench roofline``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.pages.rooflines.programs import ProgramRoofline
    from nocbench.pages.rooflines.roofs import Roofline


@click.command(cls=FileCommand, short_help="Draw points below their roofs: sweeps of sizes, programs that compute.")
@click.argument(
    "results_files", metavar="RESULTS...", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False)
)
@options.only_tests
@options.only_architectures
@click.option(
    "-o",
    "--output",
    type=OutputPath(path_type=Path, dir_okay=False),
    default=Path("roofline.png"),
    show_default=True,
    metavar="FILE",
    help="Write the picture to FILE, .png or .svg.",
)
@click.option(
    "--csv",
    "table",
    type=OutputPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Also write the points and their roofs to FILE.",
)
@options.as_json
@needs("plots")
def command(
    results_files: tuple[Path, ...],
    patterns: tuple[str, ...],
    architectures: tuple[str, ...],
    output: Path,
    table: Path | None,
    as_json: bool,
) -> int:
    """Draw sweeps of transaction sizes, and programs that compute, below their roofs. Markers show the limiters.

    The bandwidth of a sweep has two roofs. The roof of latency is size * n / round trip, with n transactions in flight;
    the round trip is the shortest time of a single transaction. The other roof is the width of the links.
    Standard output lists, for each number of transactions, the size at which both roofs meet, and how close the points
    come to the lower roof.

    The arithmetic operations of a program are drawn over operations per byte of DRAM, and of NoC. Roofs are both
    bandwidths, and the units that compute at each fidelity. Standard output lists each program with its lowest roof.

    \b
    Examples:
      nocbench roofline results.csv --test "One to One*" -o roofline.svg
      nocbench roofline rows.csv --csv points.csv
      nocbench roofline plots/results/full_tier.parquet --arch blackhole \\
        --test "DRAM Packet Sizes 2.0" --csv points.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json

    from nocbench.drawing.pictures import require_picture_name
    from nocbench.functions.results import roofline
    from nocbench.support.atomic_files import write_text

    require_picture_name(output)
    found = roofline(results_files, *patterns, arch=architectures)
    found.save(output)
    remark(f"wrote {output}")
    if table is not None:
        write_text(table, found.points.to_csv(index=False))
        remark(f"wrote {len(found.points)} points to {table}")
    if as_json:
        click.echo(json.dumps({"picture": str(output), "points": found.table}, indent=2))
        return ExitStatus.FINE
    if found.sweeps:
        _print_sweeps(found.sweeps)
    if found.programs:
        _print_programs(found.programs)
    return ExitStatus.FINE


def _print_sweeps(rooflines: Sequence[Roofline]) -> None:
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    lines = []
    for one in rooflines:
        for count in one.counts:
            shares = [point.share_of_roof for point in one.points if point.num_transactions == count]
            knee = format_size(round(one.knee_bytes(count)))
            lines.append(
                [one.title, f"{one.round_trip_cycles:.4g}", count, knee, f"{min(shares):.0%}", f"{max(shares):.0%}"]
            )
    print_table(["sweep", "round trip", "transactions", "roofs meet at", "least of roof", "most of roof"], lines)


def _print_programs(rooflines: Sequence[ProgramRoofline]) -> None:
    from nocbench.pages.rooflines.programs import DRAM, NOC
    from nocbench.support.tables import print_table

    heading = [*("program", "arguments", "arch", "cores", "cycles", "FLOP/cycle", "FLOP/B of DRAM", "FLOP/B of NoC")]
    lines = [
        [
            *(point.program, point.arguments, one.arch, point.num_cores, f"{point.cycles:,}"),
            *(f"{point.operations_per_cycle:,.0f}", f"{point.operations_per_byte(DRAM):.3g}"),
            *(f"{point.operations_per_byte(NOC):.3g}", point.limiter, point.roof, f"{point.share_of_roof:.0%}"),
        ]
        for one in rooflines
        for point in one.points
    ]
    print_table([*heading, "limited by", "lowest roof", "share of roof"], lines)
