"""``nocbench roofline``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs
from nocbench.support.progress import remark


@click.command(cls=FileCommand, short_help="Draw bandwidth against transaction size below its roofs.")
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
    """Draw the bandwidth of sweeps of transaction sizes below two roofs.

    The roof of latency is size * n / round trip, with n transactions in flight; the round trip is the shortest time of
    a single transaction. The other roof is the width of the links. Markers show what limits each point.
    Standard output lists, for each number of transactions, the size at which both roofs meet, and how close the points
    come to the lower roof.

    \b
    Examples:
      nocbench roofline results.csv --test "One to One*" -o roofline.svg
      nocbench roofline plots/results/full_tier.parquet --arch blackhole \\
        --test "DRAM Packet Sizes 2.0" --csv points.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json

    from nocbench.drawing.pictures import require_picture_name
    from nocbench.functions.results import roofline
    from nocbench.support.atomic_files import write_text
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    require_picture_name(output)
    found = roofline(results_files, *patterns, arch=architectures)
    found.save(output)
    remark(f"wrote {output}")
    if table is not None:
        write_text(table, found.points.to_csv(index=False))
        remark(f"wrote {len(found.points)} points to {table}")
    if as_json:
        rows = [row for one in found.content for row in one.table()]
        click.echo(json.dumps({"picture": str(output), "points": rows}, indent=2))
        return ExitStatus.FINE
    lines = []
    for one in found.content:
        for count in one.counts:
            shares = [point.share_of_roof for point in one.points if point.num_transactions == count]
            knee = format_size(round(one.knee_bytes(count)))
            lines.append(
                [one.title, f"{one.round_trip_cycles:.4g}", count, knee, f"{min(shares):.0%}", f"{max(shares):.0%}"]
            )
    print_table(["sweep", "round trip", "transactions", "roofs meet at", "least of roof", "most of roof"], lines)
    return ExitStatus.FINE
