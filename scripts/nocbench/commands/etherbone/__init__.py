"""``nocbench etherbone``: each command of the group is `command` in the module of its name here."""

from __future__ import annotations

import importlib
from typing import cast

import click

from nocbench.support.errors import did_you_mean

_COMMANDS = ("serve", "decode")


class _Group(click.Group):
    """Imports a command when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """In the order in which they are listed."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's interface
        """The command of a name, or None."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"nocbench.commands.etherbone.{cmd_name}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command that the arguments begin with."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"no command is called '{name}'{did_you_mean(name, _COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=_Group, short_help="Serve a modeled FPGA to real programs; take messages apart.")
def command() -> None:
    """Work with Etherbone, by which hosts reach a Wishbone bus."""
