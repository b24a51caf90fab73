"""``nocbench history``: each command of the group is `command` in the module of its name here."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands.options import OutputPath
from nocbench.support.lazy_group import LazyGroup

file = click.option(
    "--file",
    "path",
    type=OutputPath(path_type=Path, dir_okay=False),
    default=Path("plots/history.jsonl"),
    show_default=True,
    metavar="FILE",
    help="File of the history, a line for each revision.",
)


@click.group(cls=LazyGroup.of(__name__, ("add", "show")), short_help="Record results of revisions; show what changed.")
def command() -> None:
    """Keep a history of accuracy and results."""
