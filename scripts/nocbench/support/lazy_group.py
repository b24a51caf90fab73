"""Group of commands that are imported on first use."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, cast

import click

from nocbench.support.errors import did_you_mean
from nocbench.support.progress import quietly

if TYPE_CHECKING:
    from collections.abc import Sequence


def _be_quiet(context: click.Context, _option: click.Parameter, is_quiet: bool) -> None:
    if is_quiet and not context.resilient_parsing:
        context.with_resource(quietly())


def _be_verbose(context: click.Context, _option: click.Parameter, is_verbose: bool) -> None:
    if is_verbose and not context.resilient_parsing:
        import logging

        logging.basicConfig(format="%(relativeCreated)6.0f ms %(message)s", level=logging.INFO, force=True)


def _with_common_options(command: click.Command) -> click.Command:
    """Returns a command with the options that all commands have."""
    known = {name for option in command.params for name in option.opts}
    for names, callback, text in (
        (["-q", "--quiet"], _be_quiet, "Print no progress and notes on standard error, but warnings and errors."),
        (["-v", "--verbose"], _be_verbose, "Print on standard error what is compiled, run and kept."),
    ):
        if known.isdisjoint(names):
            option = click.Option(names, is_flag=True, is_eager=True, expose_value=False, callback=callback, help=text)
            command.params.append(option)
    return command


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
        command = cast("click.Command", module.command)
        return command if isinstance(command, click.Group) else _with_common_options(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Returns the command that the arguments begin with."""
        name = args[0]
        if name not in self.names and not name.startswith("-") and not ctx.resilient_parsing:
            ctx.fail(f"no command is called '{name}'{did_you_mean(name, self.names)}")
        return super().resolve_command(ctx, args)
