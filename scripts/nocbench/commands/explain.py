"""``nocbench explain``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.support.exit_status import ExitStatus
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.one_point.explanation import Explanation
    from nocbench.one_point.use import PointUse
    from nocbench.points.accuracy import Accuracy
    from nocbench.suites.suite import Suite

_BAR_CELLS = 40


@click.command(short_help="Say where the cycles of one point went, or of two.")
@click.argument("test", metavar="TEST|FILE", shell_complete=options.complete_tests)
@options.architectures
@options.board
@options.suite
@options.assignments
@options.settings
@options.accuracy
@click.option(
    "--use", "lists_use", is_flag=True, help="Also list the use of networks by kind of packet, and that of DRAM."
)
@options.as_json
def command(
    test: str,
    architectures: tuple[str, ...],
    board: str,
    suite: Suite | None,  # noqa: ARG001 - the option's callback has put its tests in use
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    lists_use: bool,
    as_json: bool,
) -> int:
    """Say where the cycles of one point went, or of two points side by side.

    Prints the waits of the median core by cause, which add up to its latency, and the chain of events that its last
    cycle waited for; of a network without kernels, those of the packets of the median source. TEST is a name, an id or
    a glob; -a, --arch and --set leave one point, or two to be compared. Of a program of your own kernels, or a
    table of flows, each result row is explained.

    \b
    Example:
      nocbench explain "One to One Packet Sizes" --arch blackhole \\
        -a num_transactions=16 -a call_size=2KiB
      nocbench explain "One to One Packet Sizes" --arch blackhole \\
        -a num_transactions=16 -a call_size=1KiB,2KiB
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import json

    from nocbench.one_point.choice import Choice
    from nocbench.one_point.explanation import pairs_of
    from nocbench.points.axes import parse_choices

    axes, fields = parse_choices(assignments, settings)
    explanations = Choice(test, architectures, board, axes, fields, accuracy, remark).explanations()
    if as_json:
        click.echo(json.dumps([explanation.to_json() for explanation in explanations], indent=2))
    else:
        for number, group in enumerate(pairs_of(explanations)):
            if number:
                click.echo("")
            _print(group)
        if lists_use:
            # The rows of a point have the use of its run in common.
            for point, of_point in {explanation.point: explanation for explanation in explanations}.items():
                _print_use(point, of_point.use)
    return ExitStatus.FINE if all(e.row["data_ok"] for e in explanations) else ExitStatus.NEGATIVE_VERDICT


def _print(explanations: Sequence[Explanation]) -> None:
    for explanation in explanations:
        for line in explanation.sentences():
            click.echo(line)
    click.echo("")
    _print_waits(explanations)
    for explanation in explanations:
        _print_chain(explanation)


def _print_use(point: str, use: PointUse | None) -> None:
    from nocbench.support.tables import print_table
    from nocbench.support.units import format_size

    click.echo("")
    if use is None:
        click.echo(f"neither kinds of packets nor DRAM to list: {point}")
        return
    click.echo(f"use over all {use.elapsed_cycles:,} cycles of {point}")
    print_table(
        ["network", "kind of packet", "flits injected", "ejected", "over links", "busiest link", "busy"],
        [
            [
                *(one.network, one.kind, one.injected_flits, one.ejected_flits, one.link_flits),
                f"({one.busiest_x}, {one.busiest_y}) {one.busiest_direction}" if one.busiest_direction else "",
                f"{one.busiest_utilisation:.1%}",
            ]
            for one in use.packets
        ],
    )
    if use.memories:
        click.echo("")
        print_table(
            ["memory", "subchannel", "read", "written", "busy", "busiest bank"],
            [
                [
                    *(one.memory, one.subchannel, format_size(one.bytes_read), format_size(one.bytes_written)),
                    *(f"{one.busy_share:.1%}", f"{one.busiest_bank_share:.1%}"),
                ]
                for one in use.memories
            ],
        )


def _print_waits(explanations: Sequence[Explanation]) -> None:
    from nocbench.one_point.explanation import causes_of
    from nocbench.support.tables import print_table

    longest = max(max(explanation.waits.values(), default=1) for explanation in explanations)
    rows: list[list[object]] = []
    for cause in [*causes_of(explanations), "all"]:
        row: list[object] = [cause]
        for explanation in explanations:
            total = explanation.latency_cycles
            cycles = total if cause == "all" else explanation.waits.get(cause, 0.0)
            row += [f"{cycles:.10g}", f"{100 * cycles / total:.1f} %"]
            row.append("" if cause == "all" else "#" * round(_BAR_CELLS * cycles / longest / len(explanations)))
        if len(explanations) > 1:
            both = [e.latency_cycles if cause == "all" else e.waits.get(cause, 0.0) for e in explanations]
            row.append(f"{both[-1] - both[0]:+.10g}")
        rows.append(row)
    cores = " and of ".join(dict.fromkeys(explanation.core for explanation in explanations))
    click.echo(f"where the time of {cores} went")
    columns = ["cause", *(heading for _ in explanations for heading in ("cycles", "share", ""))]
    print_table([*columns, *(["difference"] if len(explanations) > 1 else [])], rows)


def _print_chain(explanation: Explanation) -> None:
    from nocbench.support.tables import print_table

    click.echo("")
    if not explanation.chain:
        click.echo(f"too many transactions to follow them back from the end of {explanation.point}")
        return
    if explanation.has_kernels:
        click.echo(f"what the end of {explanation.point} waited for")
    else:
        click.echo(f"what a packet of about this latency waited for: {explanation.point}")
    print_table(
        ["cycle", "cycles", "what happened"],
        [[f"{link.begin:.10g}", f"{link.end - link.begin:.10g}", link.what] for link in explanation.chain],
    )
