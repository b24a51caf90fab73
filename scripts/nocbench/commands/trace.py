"""``nocbench trace``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.one_point.trace_events import DEFAULT_MAX_EVENTS
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from nocbench.points.accuracy import Accuracy
    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace
    from nocbench.suites.suite import Suite

_WORD_BYTES = 4
"""Size of an address or datum of modeled programs, in bytes."""


@click.command(cls=FileCommand, short_help="Write one point as a timeline for Perfetto.")
@click.argument("test", metavar="TEST|FILE", shell_complete=options.complete_tests)
@options.single_arch
@options.board
@options.suite
@options.single_assignments
@options.single_settings
@options.accuracy
@click.option(
    "-o",
    "--output",
    type=OutputPath(),
    default="trace.json",
    show_default=True,
    metavar="FILE",
    help="Write the trace to FILE, .json or .json.gz; - is standard output.",
)
@click.option(
    "--max-events",
    type=click.IntRange(min=1),
    default=DEFAULT_MAX_EVENTS,
    show_default=True,
    metavar="N",
    help="Leave out what begins after the first N events.",
)
@click.option(
    "--pcap",
    default="",
    metavar="FILE",
    help="Write the messages between a host and its FPGA to FILE, too, at modeled times, for Wireshark.",
)
def command(
    test: str,
    arch: str,
    board: str,
    suite: Suite | None,  # noqa: ARG001 - the option's callback has put its tests in use
    assignments: tuple[str, ...],
    settings: tuple[str, ...],
    accuracy: Accuracy,
    output: str,
    max_events: int,
    pcap: str,
) -> int:
    """Write what happened at one point, and when, as a timeline that ui.perfetto.dev opens.

    Each core is a process with the zones of its kernels, where their time went, and its transactions with all their
    steps; of a network without kernels, each source with its packets. One microsecond on the screen is one cycle. TEST
    is a name, an id or a glob that only one test matches; -a gives each of its axes one value. Or it is the file of a
    program of your own kernels, whose parameters -a sets, or of a table of flows.

    \b
    Example:
      nocbench trace "One to One Packet Sizes" --arch blackhole \\
        -a num_transactions=16 -a call_size=4KiB -o trace.json
      nocbench trace "Timestamps SCU3 GigE" -a method=pipelined \\
        -a num_transactions=90 -a call_size=64 --pcap messages.pcap
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.commands.inputs import verdict_on_point
    from nocbench.one_point.choice import Choice
    from nocbench.one_point.trace_events import max_records_for, require_trace_name
    from nocbench.points.axes import parse_choices
    from nocbench.support.errors import InputError

    if output != "-":
        require_trace_name(Path(output))
    if pcap and Path(pcap).resolve() == Path(output).resolve():
        raise InputError(f"--pcap: expected another file than that of the trace, found {pcap} for both")
    axes, fields = parse_choices(assignments, settings)
    choice = Choice(test, [arch] if arch else [], board, axes, fields, accuracy, remark)
    trace, what = choice.trace(max_records_for(max_events))
    if pcap:
        _write_pcap(trace, what, Path(pcap))
    write_events(trace, what, trace.rows[0]["board"], output, max_events)
    return verdict_on_point(trace.rows, trace.data_faults)


def _write_pcap(trace: PointTrace, what: Point, path: Path) -> None:
    """Writes the messages between a host and its FPGA as a network capture."""
    from nocbench.etherbone.captures import write_pcap
    from nocbench.support.errors import InputError
    from nocbench.support.units import plural

    if not trace.frames:
        raise InputError(f"--pcap: expected a host that sends messages to an FPGA, found {what.test} on {what.arch}")
    num_packets = write_pcap(path, trace.frames, None if trace.frames_are_datagrams else (_WORD_BYTES, _WORD_BYTES))
    left_out = trace.num_frames - len(trace.frames)
    rest = f"; {plural(left_out, 'message')} after them left out" if left_out else ""
    remark(f"wrote {plural(num_packets, 'packet')} to {path}{rest}")


def write_events(trace: PointTrace, what: Point, board: str, output: str, max_events: int = DEFAULT_MAX_EVENTS) -> None:
    """Writes a trace to a file, or to standard output ("-"), and reports its length on standard error."""
    from nocbench.one_point.trace_events import json_chunks, trace_events, trace_facts, write_trace

    events = trace_events(trace, max_events)
    about = trace_facts(what, board)
    if output == "-":
        for chunk in json_chunks(events, about):
            click.echo(chunk, nl=False)
    else:
        write_trace(events, about, Path(output))
    where = "standard output" if output == "-" else output
    remark(
        f"wrote {len(events.events)} events to {where}, with {events.num_transactions} of "
        f"{events.num_transactions_in_all} transactions; 1 microsecond is 1 cycle"
    )
    if events.left_out_from is not None:
        click.echo(
            f"left out what begins after cycle {events.left_out_from:.0f}: more than {max_events} events; "
            "--max-events allows more",
            err=True,
        )
