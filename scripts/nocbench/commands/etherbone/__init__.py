"""``nocbench etherbone``: each command of the group is `command` in the module of its name here."""

from __future__ import annotations

import click

from nocbench.support.lazy_group import LazyGroup


@click.group(
    cls=LazyGroup.of(__name__, ("serve", "decode")),
    short_help="Serve a modeled FPGA to real programs; take messages apart.",
)
def command() -> None:
    """Work with Etherbone, by which hosts reach a Wishbone bus."""
