"""The Markdown pages: one per architecture with a section per test, and an index of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench import simulator
from nocbench.atomic_files import make_directory, write_text
from nocbench.observations import observe
from nocbench.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import jinja2
    import pandas

    from nocbench.sections import Section

NOT_PUBLISHED = "-"


def write_pages(
    sections_by_arch: Mapping[str, Sequence[Section]],
    directory: Path,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Writes for each architecture its page and pictures, to `directory`/ARCH, and the index of all pages there.

    The links to the primitives' READMEs fit a `directory` at the top of a checkout.

    Args:
        sections_by_arch: from :func:`nocbench.sections.sections_of`.
        directory: is made if it is missing.
        on_progress: is called with the number of sections done.

    Returns:
        The pages.

    Raises:
        InputError: the directory cannot be written.
    """
    from nocbench.plots import write_pictures

    environment = _environment()
    num_done = 0
    pages = []
    for arch, sections in sections_by_arch.items():
        make_directory(directory / arch)
        for section in sections:
            write_pictures(section, directory / arch)
            num_done += 1
            on_progress(num_done)
        page = directory / arch / "README.md"
        write_text(page, render_architecture(environment, arch, sections))
        pages.append(page)
    index = directory / "README.md"
    # Pages of architectures that these results do not hold stay, and stay listed.
    listed = [arch for arch in simulator.architecture_names() if (directory / arch / "README.md").is_file()]
    described = [(arch, simulator.describe_architecture(arch)["description"]) for arch in listed]
    write_text(index, environment.get_template("index.md.j2").render(architectures=described))
    return [*pages, index]


def render_architecture(environment: jinja2.Environment, arch: str, sections: Sequence[Section]) -> str:
    """The page of one architecture, as Markdown."""
    return environment.get_template("architecture.md.j2").render(
        arch=arch,
        description=simulator.describe_architecture(arch)["description"],
        theoretical_bytes_per_cycle=sections[0].theoretical_bytes_per_cycle,
        overview=[row for section in sections for row in _overview(section)],
        sections=[
            {
                "title": section.title,
                "description": section.description,
                "configuration": _configuration(section),
                "file_stem": section.file_stem,
                "observations": observe(section),
                "primitive": section.primitive,
                "table": [_table_row(row) for _, row in section.results.iterrows()],
            }
            for section in sections
        ],
    )


def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Markdown, from our own results
    )


def _configuration(section: Section) -> str:
    words = [f"Board `{section.board}`"] if section.board else []
    words += [f"parameters `{section.params}`"] if section.params else []
    return ", ".join(words) + "." if words else ""


def _overview(section: Section) -> list[dict[str, Any]]:
    overview = []
    for kernel in section.kernels:
        rows = section.results[section.results["kernel"] == kernel]
        errors_percent = rows["error_percent"].dropna().abs()
        best = rows["bandwidth_bytes_per_cycle"].max()
        overview.append(
            {
                "title": section.title,
                "anchor": _anchor(section.title),
                "kernel": kernel,
                "points": len(rows),
                "best": f"{best:.1f}",
                "compared": len(errors_percent),
                "median": _percent(float(errors_percent.quantile(0.5))),
                "p90": _percent(float(errors_percent.quantile(0.9))),
                "maximum": _percent(float(errors_percent.max())),
            }
        )
    return overview


def _anchor(heading: str) -> str:
    """The anchor that Markdown viewers give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _percent(value: float) -> str:
    return f"{value:.2f} %" if value == value else NOT_PUBLISHED  # NaN differs from itself


def _table_row(row: pandas.Series[Any]) -> list[str]:
    published = row["reference_latency_cycles"] == row["reference_latency_cycles"]
    return [
        row["kernel"],
        str(row["num_transactions"]),
        format_size(row["transaction_size_bytes"]),
        f"{row['latency_cycles']:.10g}",
        f"{row['reference_latency_cycles']:.10g}" if published else NOT_PUBLISHED,
        f"{row['error_percent']:+.2f} %" if published else NOT_PUBLISHED,
        f"{row['bandwidth_bytes_per_cycle']:.2f}",
        f"{row['reference_bandwidth_bytes_per_cycle']:.2f}" if published else NOT_PUBLISHED,
        row.get("limiter", ""),
    ]
