"""``nocbench heatmap``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from nocbench.one_point.heat_map import HeatMap
    from nocbench.points.accuracy import Accuracy
    from nocbench.suites.suite import Suite

_NUM_LINKS_SHOWN = 8


@click.command(cls=FileCommand, short_help="Draw one point on the floor plan: tiles and links.")
@click.argument("test", required=False, metavar="[TEST|FILE]", shell_complete=options.complete_tests)
@options.single_arch
@options.board
@options.suite
@options.single_assignments
@options.single_settings
@options.accuracy
@click.option(
    "-o",
    "--output",
    type=OutputPath(path_type=Path, dir_okay=False),
    default=Path("heatmap.png"),
    show_default=True,
    metavar="FILE",
    help="Write the picture to FILE, .png or .svg.",
)
@click.option(
    "--detail",
    "details",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Draw from what 'nocbench run --detail' wrote instead of running the point: from this file, or from the "
    "point's file in this directory.",
)
@options.as_json
def command(
    test: str | None,
    arch: str,
    board: str,
    suite: Suite | None,  # noqa: ARG001 - the option's callback has put its tests in use
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    output: Path,
    details: Path | None,
    as_json: bool,
) -> int:
    """Draw one point on the physical floor plan.

    Above: the bandwidth of each core's kernel, and the data delivered to each tile. Below: how busy each link of each
    network was: of NoC 0 and NoC 1, of the three planes of an Epiphany mesh, or of the plain network that synthetic
    traffic runs on. TEST is a name, an id or a glob that only one test matches; -a gives each of its axes one value.
    Or it is the file of a program of your own kernels, whose parameters -a sets, or of a table of flows.
    The busiest links are listed on standard output.

    \b
    Examples:
      nocbench heatmap "One to One Packet Sizes" --arch blackhole \\
        -a num_transactions=16 -a call_size=16KiB -o hot.svg
      nocbench heatmap "One to One Packet Sizes" --arch blackhole \\
        -a num_transactions=1 -a call_size=64 --detail details
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.commands.inputs import verdict_on_point
    from nocbench.drawing.pictures import require_picture_name
    from nocbench.one_point.heat_map import heat_map_of
    from nocbench.one_point.heat_map_drawing import write_heat_map

    require_picture_name(output)
    document = _details(test, arch, board, assignments, settings, accuracy, details)
    heat_map = heat_map_of(document)
    write_heat_map(heat_map, output)
    remark(f"wrote {output}")
    if as_json:
        _print_json(heat_map, output)
    else:
        _print_summary(heat_map)
    return verdict_on_point(document["rows"], document["data_faults"])


def _details(
    test: str | None,
    arch: str,
    board: str,
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    details: Path | None,
) -> Mapping[str, Any]:

    from nocbench.one_point.choice import Choice
    from nocbench.one_point.heat_map import read_details
    from nocbench.one_point.point_files import is_point_file
    from nocbench.points.axes import parse_choices
    from nocbench.running.details import detail_path

    if details is not None and not details.is_dir():
        if test is not None or arch or board or assignments or settings:
            raise click.UsageError(
                f"--detail {details} names the point; TEST, --arch, --board, -a and --set choose one in a directory"
            )
        return read_details(details)
    if test is None:
        raise click.UsageError("expected a TEST, or the detail file of a point after --detail")
    axes, fields = parse_choices(assignments, settings)
    choice = Choice(test, [arch] if arch else [], board, axes, fields, accuracy, remark)
    if details is None:
        return choice.details()
    if is_point_file(test):
        raise click.UsageError("--detail is for tests; a program or table is run")
    return read_details(details / detail_path(choice.point()))


def _print_summary(heat_map: HeatMap) -> None:
    from nocbench.one_point.heat_map import TWO_NOCS
    from nocbench.one_point.heat_map_drawing import describe_link
    from nocbench.support.tables import print_table

    for line in heat_map.summaries:
        click.echo(line)
    links = heat_map.busiest_links()[:_NUM_LINKS_SHOWN]
    if not links:
        click.echo("nothing was on any network")
        return
    is_two_nocs = heat_map.networks == TWO_NOCS
    print_table(
        ["busiest links", "NoC" if is_two_nocs else "network", "utilisation"],
        [
            [
                describe_link(link, heat_map),
                link.noc if is_two_nocs else heat_map.networks[link.noc].name,
                f"{link.utilisation:.1%}",
            ]
            for link in links
        ],
    )


def _print_json(heat_map: HeatMap, output: Path) -> None:
    import json

    click.echo(json.dumps({"picture": str(output), **heat_map.to_json()}, indent=2))
