"""``nocbench plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from nocbench.commands import options
from nocbench.commands.options import FileCommand, OutputPath
from nocbench.support.exit_status import ExitStatus
from nocbench.support.extras import needs

if TYPE_CHECKING:
    from nocbench.suites.suite import Suite


@click.command(cls=FileCommand, short_help="Make the Markdown pages and pictures from results.")
@options.results_arguments
@options.suite
@click.option(
    "-o",
    "--output",
    "directory",
    type=OutputPath(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the pages; by default plots, or the folder of plots of the suite.",
)
@options.reference
@options.jobs
@options.no_cache
@needs("plots")
def command(
    results_files: tuple[Path, ...],
    suite: Suite | None,
    directory: Path | None,
    reference_files: tuple[Path, ...],
    jobs: int | None,
    no_cache: bool,
) -> int:
    """Make the Markdown pages and pictures from RESULTS.

    Each architecture has a folder with a table of all tests, and with a page for each family of tests. Pages and
    pictures in this folder that an earlier run made, and this one does not, are removed. Links to files of the
    repository are only made inside of a checkout.

    Without RESULTS, all tests run first, except those in which every core talks to every other. The same results give
    the same bytes. The pages of a suite are written to its own folder.

    \b
    Examples:
      nocbench plot results.csv -o plots
      nocbench plot --suite demo
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.commands.inputs import read_or_measure, say_faults
    from nocbench.pages.index.error_picture import error_picture
    from nocbench.pages.kept_parts import kept_value
    from nocbench.pages.page_files import kept_tables, pages_of, write_pages
    from nocbench.pages.sections import sections_of
    from nocbench.published.reference import read_reference
    from nocbench.published.reference_files import default_reference_files
    from nocbench.results.result_files import rows_of
    from nocbench.running.engines import make_engine
    from nocbench.support.progress import ProgressReport
    from nocbench.support.units import plural

    directory = directory or (Path("plots") if suite is None else suite.description.plots)
    published = list(reference_files) or default_reference_files()
    reference = kept_value(read_reference, published, files=published)
    results = read_or_measure(results_files, jobs, no_cache=no_cache)
    pages = pages_of(sections_of(results, reference))
    compared = kept_tables(results, reference)
    num_pictures = sum(len(page.pictures) for page in pages) + (error_picture(compared) is not None)
    engine = make_engine(jobs, num_pictures)
    announcement = f"drawing {plural(num_pictures, 'picture')} to {directory} in {engine.description}"
    with ProgressReport(announcement, "pictures", num_pictures) as progress:
        files = write_pages(pages, directory, compared=compared, engine=engine, on_progress=progress.update)
    for file in files:
        click.echo(str(file))
    return ExitStatus.NEGATIVE_VERDICT if say_faults(rows_of(results)) else ExitStatus.FINE
