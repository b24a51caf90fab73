"""``nocbench etherbone`` and its subcommands."""

from __future__ import annotations

import click

from nocbench.commands.etherbone import serve


@click.group(short_help="Reach a modeled FPGA by Etherbone, as programs for the hardware do.")
def command() -> None:
    """Reach a modeled FPGA with a Wishbone bus by Etherbone, as programs for the hardware do."""


command.add_command(serve.command, "serve")
