"""``nocbench etherbone serve``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from nocbench.commands import options
from nocbench.support.exit_status import ExitStatus

_PORT = click.IntRange(min=0, max=65535)


@click.command(short_help="Serve a modeled FPGA to programs that were written for the hardware.")
@options.board
@click.option("--udp", "udp_port", type=_PORT, metavar="PORT", help="Open this UDP port; 0: one that is free.")
@click.option("--tcp", "tcp_port", type=_PORT, metavar="PORT", help="Open this TCP port; 0: one that is free.")
@click.option("--pty", "has_pty", is_flag=True, help="Open a pseudo terminal, in place of a character device.")
@click.option("--pty-link", default="", metavar="PATH", help="Make a symbolic link to it; implies --pty.")
@click.option(
    "--bind",
    "address",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address of the ports. 0.0.0.0: all of this computer; anyone who reaches them can read and write.",
)
@click.option(
    "--time",
    "time_source",
    type=click.Choice(("modeled", "host")),
    default="modeled",
    show_default=True,
    help="Clock of the FPGA: the modeled time of the messages, or the clock of this computer.",
)
@click.option("--pace", "is_paced", is_flag=True, help="Hold answers back until the modeled time has passed, too.")
@click.option(
    "--devices",
    "devices_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE.yaml",
    help="Add these devices to the bus: memories, counters, files.",
)
@options.single_settings
def command(
    board: str,
    udp_port: int | None,
    tcp_port: int | None,
    has_pty: bool,
    pty_link: str,
    address: str,
    time_source: str,
    is_paced: bool,
    devices_file: Path | None,
    settings: tuple[str, ...],
) -> int:
    """Serve a modeled FPGA by Etherbone: by UDP, by TCP, and by a pseudo terminal.

    All doors lead to one FPGA with one bus. Once they are open, there is a line for each on standard output, such as
    "udp 127.0.0.1:60368". The server runs until SIGTERM, SIGHUP or Ctrl-C; then, and after each SIGUSR1, a
    line on standard error says what has been served. The registered port of Etherbone is 60368; LiteX uses 1234.

    \b
    Examples:
      nocbench etherbone serve --board scu3_gige --udp 60368
      nocbench etherbone serve --board scu3_pcie --pty-link /tmp/wbm0
      nocbench etherbone serve --tcp 0 --time host --devices devices.yaml
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.etherbone.serving import ServerRequest, open_server
    from nocbench.points.axes import parse_choices

    has_pty = has_pty or bool(pty_link)
    if udp_port is None and tcp_port is None and not has_pty:
        raise click.UsageError("expected at least one of --udp, --tcp and --pty, found none")
    if is_paced and time_source == "host":
        raise click.UsageError("expected --time modeled with --pace, found --time host")
    _, fields = parse_choices((), settings)
    server = open_server(
        ServerRequest(
            board=board,
            settings=tuple(fields),
            address=address,
            udp_port=udp_port,
            tcp_port=tcp_port,
            has_pty=has_pty,
            pty_link=pty_link,
            is_modeled=time_source == "modeled",
            is_paced=is_paced,
            devices_file=devices_file,
        )
    )
    for door in server.doors:
        click.echo(door)
    sys.stdout.flush()
    return ExitStatus.FINE if server.serve() else ExitStatus.BAD_INPUT
