"""Group of commands that are imported on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

import click

from nocbench.support.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence


class LazyGroup(click.Group):
    """Group of commands. Each is the attribute `command` of the module or package with the command's name."""

    package = ""
    names: Sequence[str] = ()
    """Names of the commands, the most useful for new users first."""

    @classmethod
    def of(cls, package: str, names: Sequence[str]) -> type[LazyGroup]:
        """Returns a subclass with the given commands."""
        return type(cls.__name__, (cls,), {"package": package, "names": tuple(names)})

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's interface
        """Returns the names of the commands."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's interface
        """Imports and returns a command; returns None for an unknown name."""
        if cmd_name not in self.names:
            return None
        module = importlib.import_module(f"{self.package}.{cmd_name}")
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command that the arguments begin with."""
        name = args[0]
        if name not in self.names and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"no command is called '{name}'{did_you_mean(name, self.names)}")
        return super().resolve_command(ctx, args)
