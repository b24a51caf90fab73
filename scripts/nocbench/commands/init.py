"""``nocbench init``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.progress import remark


@click.command(cls=FileCommand, short_help="Begin a suite of tests of your own kernels.")
@click.argument("directory", metavar="DIR", type=OutputPath(path_type=Path, file_okay=False))
@click.option("--host", "of_host_programs", is_flag=True, help="Begin with host programs of tt-metal.")
@click.option(
    "--origin",
    "origin_text",
    metavar="OWNER/NAME@REVISION",
    help="Repository on GitHub of the nocbench that the workflows use, and a branch, tag or commit of it. By default "
    "those of this nocbench, if it is a checkout from GitHub or was installed from there.",
)
def command(directory: Path, of_host_programs: bool, origin_text: str | None) -> None:
    """Begin a suite in DIR: an example that works, for you to change.

    It has a reader and a writer with a circular buffer between them, a program that runs them on a modeled chip, tests
    that sweep it, a policy, and two workflows for GitHub, which gate pull requests of the repository that DIR is in and
    post the verdict as a comment. With --host, it has three programs for tt-metal instead, host code and kernels. Files
    that are there are never written over.

    \b
    Example:
      nocbench init demo
      nocbench run --suite demo
      nocbench plot --suite demo
    """  # noqa: D301 - click reads the \b as "do not wrap"
    import shlex

    from nocbench.suites.beginning import NOWHERE, begin_suite
    from nocbench.suites.origin import find_origin, parse_origin
    from nocbench.support.errors import InputError

    try:
        origin = find_origin() if origin_text is None else parse_origin(origin_text)
    except InputError as error:
        raise InputError(f"--origin: {error}") from None
    for file in begin_suite(directory, origin or NOWHERE, of_host_programs=of_host_programs):
        click.echo(str(file))
    folder = shlex.quote(str(directory))
    remark(f"next: nocbench run --suite {folder}; nocbench plot --suite {folder}")
    if origin is None:
        placeholder = f"{NOWHERE.repository}@{NOWHERE.revision}"
        remark(f"in the workflows, replace {placeholder} by your nocbench, or give --origin")
    remark(f"in a git repository, once it is committed: nocbench gate --suite {folder} --base main")
