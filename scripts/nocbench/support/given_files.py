"""The files that a command is given to read: it does not write over them."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.support.atomic_files import never_replacing, require_replaceable

if TYPE_CHECKING:
    from collections.abc import Iterator


class OutputPath(click.Path):
    """The type of a parameter that names what a command writes."""


class FileCommand(click.Command):
    """A command that refuses to write over a file that it is given, before it does anything.

    Parameters of the type :class:`OutputPath` name what it writes. Whatever the others name is read if it is a file.
    """

    def invoke(self, ctx: click.Context) -> object:
        """Runs the command."""
        written = {param.name for param in self.params if isinstance(param.type, OutputPath)}
        given = [path for name, value in ctx.params.items() if name not in written for path in _paths_in(value)]
        with never_replacing(path for path in given if _is_regular(path)):
            for name in written:
                for path in _paths_in(ctx.params.get(name or "")):
                    if _is_regular(path):
                        require_replaceable(path)
            return super().invoke(ctx)


def _paths_in(value: object) -> Iterator[Path]:
    if isinstance(value, (str, Path)):
        yield Path(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _paths_in(item)


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode)  # noqa: PTH116 - of a value that may be no path at all
    except (OSError, ValueError):
        return False
