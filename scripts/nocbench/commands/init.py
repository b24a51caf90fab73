"""``nocbench init``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands.options import FileCommand, OutputPath


@click.command(cls=FileCommand, short_help="Begin a suite of tests of your own kernels.")
@click.argument("directory", metavar="DIR", type=OutputPath(path_type=Path, file_okay=False))
def command(directory: Path) -> None:
    """Begin a suite in DIR: an example that works, for you to change.

    It has a reader and a writer with a circular buffer between them, a program that runs them on a modeled chip, tests
    that sweep it, a policy, and a workflow for GitHub that gates pull requests of the repository that DIR is in. Files
    that are there are never written over.

    \b
    Example:
      nocbench init demo
      nocbench run --suite demo
      nocbench plot --suite demo
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import shlex

    from nocbench.suites.beginning import begin_suite

    for file in begin_suite(directory):
        click.echo(str(file))
    folder = shlex.quote(str(directory))
    click.echo(f"next: nocbench run --suite {folder}; nocbench plot --suite {folder}", err=True)
    click.echo(f"in a git repository, once it is committed: nocbench gate --suite {folder} --base main", err=True)
