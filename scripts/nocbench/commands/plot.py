"""``nocbench plot``."""

from __future__ import annotations

from pathlib import Path

import click

from nocbench.commands import options
from nocbench.exit_status import ExitStatus


@click.command(short_help="Make the Markdown pages and pictures from results.")
@options.results_argument
@click.option(
    "-o",
    "--output",
    "directory",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("plots"),
    show_default=True,
    metavar="DIR",
    help="Where to write the pages.",
)
@options.reference
@options.jobs
def command(results_file: Path | None, directory: Path, reference_files: tuple[Path, ...], jobs: int | None) -> int:
    """Make the Markdown pages and pictures, one page for each architecture, from RESULTS.

    Without RESULTS, all tests run first. The same results give the same bytes.

    \b
    Example:
      nocbench plot results.csv -o plots
    """  # noqa: D301 - click reads the \b as "do not wrap"
    from nocbench.commands.inputs import count_wrong_data, read_or_measure
    from nocbench.pages import write_pages
    from nocbench.progress import ProgressReport
    from nocbench.reference import read_reference
    from nocbench.sections import sections_of
    from nocbench.units import plural

    reference = read_reference(reference_files)
    results = read_or_measure(results_file, jobs)
    sections = sections_of(results, reference)
    num_pictures = sum(len(of_arch) for of_arch in sections.values())
    with ProgressReport(
        f"drawing {plural(num_pictures, 'picture')} to {directory}", "pictures", num_pictures
    ) as progress:
        pages = write_pages(sections, directory, progress.update)
    for page in pages:
        click.echo(str(page))
    return ExitStatus.NEGATIVE_VERDICT if count_wrong_data(results) else ExitStatus.FINE
