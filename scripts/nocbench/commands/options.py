"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

jobs: Decorator = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    metavar="N",
    help="Worker processes; as many as processors by default. 0: run in this process, for debuggers.",
)
as_json: Decorator = click.option("--json", "as_json", is_flag=True, help="Write JSON to standard output.")
reference: Decorator = click.option(
    "--reference",
    "reference_files",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="Published measurements to compare with; may be given several times. By default all that come with nocbench.",
)
results_argument: Decorator = click.argument(
    "results_file", metavar="[RESULTS]", required=False, type=click.Path(path_type=Path, dir_okay=False)
)
