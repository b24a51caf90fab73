"""``nocbench site``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs
from nocbench.support.progress import remark

if TYPE_CHECKING:
    from nocbench.suites.suite import Suite


@click.command(cls=FileCommand, short_help="Make a site of static pages from results.")
@options.results_arguments
@options.suite
@click.option(
    "-o",
    "--output",
    "directory",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("site"),
    show_default=True,
    help="Folder of the site, which has no other files. Files of an earlier site are removed.",
)
@click.option(
    "--base",
    "base_files",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    multiple=True,
    help="Results to compare with, drawn dashed beside RESULTS. May be given several times.",
)
@click.option("--name", default="nocbench", show_default=True, help="Name of the site.")
@click.option(
    "--repository",
    default="",
    metavar="URL",
    help="Address of the repository on the web, for links from the documentation to its files.",
)
@click.option(
    "--no-examples",
    is_flag=True,
    help="Leave out the floor plan and the time line of each test, for which a point of it runs.",
)
@options.reference
@options.jobs
@options.no_cache
@needs("plots")
def command(
    results_files: tuple[Path, ...],
    suite: Suite | None,  # noqa: ARG001 - the option's callback has put its tests in use
    directory: Path,
    base_files: tuple[Path, ...],
    name: str,
    repository: str,
    no_examples: bool,
    reference_files: tuple[Path, ...],
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Make a site of static pages from RESULTS.

    It has a list of all tests with search and filters, and for each test charts that can be zoomed and read point by
    point, the floor plan and time line of a point, and a comparison with any other test. In a checkout, it also has the
    documentation. Any web server can host the folder, and a browser can open its index.html without a server.

    Without RESULTS, all tests run first, except those in which every core talks to every other. The same results give
    the same bytes.

    \b
    Examples:
      nocbench site plots/results/full_tier.parquet -o public
      nocbench site results.csv --base before.csv
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.commands.inputs import read_or_measure, say_faults
    from nocbench.pages.sections import sections_of
    from nocbench.published.reference import read_reference
    from nocbench.results.result_files import rows_of
    from nocbench.results.same_points import read_combined
    from nocbench.site.folder import SiteFolder
    from nocbench.site.writing import SiteContent, SiteWriter

    reference = read_reference(reference_files)
    base = read_combined(base_files) if base_files else None
    folder = SiteFolder(directory)
    results = read_or_measure(results_files, jobs, no_cache=no_cache)
    content = SiteContent(
        name=name,
        sections=sections_of(results, reference),
        results=results,
        reference=reference,
        base=base,
        repository=repository,
        has_examples=not no_examples,
    )
    SiteWriter(content, folder, jobs, remark).write()
    click.echo(str(directory / "index.html"))
    return ExitStatus.NEGATIVE_VERDICT if say_faults(rows_of(results)) else ExitStatus.FINE
