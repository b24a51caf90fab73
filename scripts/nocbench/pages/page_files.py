"""The Markdown pages: one per architecture with a section per test, and an index of them."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.drawing.pictures import Page
from nocbench.pages.delivery_times import delivery_times
from nocbench.pages.epiphany.page import transfers_page
from nocbench.pages.etherbone.page import etherbone_page
from nocbench.pages.load_observations import best_load, observe_loads
from nocbench.pages.observations import observe
from nocbench.pages.openshmem.page import FOLDER as OPENSHMEM
from nocbench.pages.openshmem.page import openshmem_page
from nocbench.pages.origins import errors_of, medians_in_words
from nocbench.pages.outline import outline
from nocbench.pages.parameter_observations import observe_parameters, point_in_words
from nocbench.pages.plots import picture_in_words, picture_of, write_pictures
from nocbench.pages.sections import with_own_pictures
from nocbench.pages.value_tables import NOT_PUBLISHED, table_of_values
from nocbench.points import simulator
from nocbench.points.catalogue import in_use
from nocbench.points.simulator import LATENCY_AGAINST_LOAD, PARAMETERS
from nocbench.published.accuracy_tables import medians_of
from nocbench.running.engines.engine import Crashed, Rejected
from nocbench.running.engines.in_process import InProcess
from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError, PictureError
from nocbench.support.package import PACKAGE
from nocbench.support.wording import cycles, limiter_in_words, size_in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import jinja2

    from nocbench.drawing.pictures import Picture
    from nocbench.pages.outline import Heading
    from nocbench.pages.sections import Section
    from nocbench.running.engines.engine import Engine


def pages_of(sections_by_arch: Mapping[str, Sequence[Section]]) -> list[Page]:
    """A page for each architecture, and one for its library if there are results of that.

    Args:
        sections_by_arch: from :func:`nocbench.pages.sections.sections_of`.
    """
    pages = []
    for arch, sections in sections_by_arch.items():
        kind = simulator.kind_of(arch)
        if kind == simulator.WISHBONE_BRIDGE:
            pages.append(etherbone_page(arch, sections))
            continue
        if kind != simulator.EPIPHANY_MESH:
            pictures = [picture_of(section) for section in with_own_pictures(sections)]
            pages.append(Page(arch, pictures, partial(render_architecture, arch=arch, sections=sections)))
            continue
        # What was published of a mesh are speeds of transfers, and a paper, rather than tables of tests.
        of_library = openshmem_page(sections)
        pages += [transfers_page(arch, sections), *([of_library] if of_library is not None else [])]
    return pages


def write_pages(
    pages: Sequence[Page],
    directory: Path,
    *,
    engine: Engine | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Writes for each architecture its page and pictures, to `directory`/ARCH, and the index of all pages there.

    The links to the primitives' READMEs fit a `directory` at the top of a checkout.

    Args:
        pages: what to write.
        directory: is made if it is missing.
        engine: where to draw; in this process by default. It has no influence on the files.
        on_progress: is called with the number of pictures done.

    Returns:
        The files of the pages.

    Raises:
        InputError: the directory cannot be written.
        PictureError: a picture could not be drawn.
    """
    for page in pages:
        make_directory(directory / page.arch)
    tasks = [_PictureTask(picture, directory / page.arch) for page in pages for picture in page.pictures]
    _draw_all(tasks, engine or InProcess(), on_progress)
    environment = _environment()
    files = []
    for page in pages:
        file = directory / page.arch / "README.md"
        write_text(file, page.render(environment))
        files.append(file)
    index = directory / "README.md"
    # Pages of architectures that these results do not hold stay, and stay listed.
    listed = [arch for arch in simulator.architecture_names() if (directory / arch / "README.md").is_file()]
    described = [(arch, simulator.describe_architecture(arch)["description"]) for arch in listed]
    if (directory / OPENSHMEM / "README.md").is_file():
        described.append((OPENSHMEM, "OpenSHMEM 1.3 on Epiphany: the evaluation of a paper, repeated with the model"))
    write_text(index, environment.get_template("index.md.j2").render(architectures=described, suite=in_use().name))
    return [*files, index]


class _PictureTask(NamedTuple):
    picture: Picture
    directory: Path


def draw_picture(task: _PictureTask) -> None:
    """Draws one picture, in whatever process."""
    write_pictures(task.picture, task.directory)


def _draw_all(tasks: Sequence[_PictureTask], engine: Engine, on_progress: Callable[[int], None]) -> None:
    with contextlib.closing(engine.run(draw_picture, tasks)) as outcomes:
        for num_done, outcome in enumerate(outcomes, start=1):
            picture = tasks[outcome.index].picture
            if isinstance(outcome, Rejected):
                raise InputError(outcome.message)
            if isinstance(outcome, Crashed):
                raise PictureError(
                    f"the picture of '{picture.title}' on {picture.arch} was not drawn: {outcome.reason}"
                )
            on_progress(num_done)


def render_architecture(environment: jinja2.Environment, arch: str, sections: Sequence[Section]) -> str:
    """The page of one architecture, as Markdown."""
    with_pictures = with_own_pictures(sections)
    headings = outline(with_pictures)
    of_families = outline(sections)
    errors = [error for section in sections for error in errors_of(section.results)]
    described = simulator.describe_architecture(arch)
    shared_board = sections[0].board if len({section.board for section in sections}) == 1 else ""
    return environment.get_template("architecture.md.j2").render(
        arch=arch,
        suite=in_use().name,
        description=described["description"],
        is_network=described["kind"] == simulator.PLAIN_MESH,
        board=shared_board,
        has_loads=any(section.picture == LATENCY_AGAINST_LOAD for section in sections),
        link_bytes_per_cycle=sorted({section.link_bytes_per_cycle for section in sections}),
        has_kernels=any(not section.are_flows for section in sections),
        has_flows=any(section.are_flows for section in sections),
        counts_together=any(section.counts_together for section in sections),
        overview=[row for heading in headings for row in _overview(heading, 0)],
        earned=medians_in_words(errors, "published point") if errors else "",
        headings=[
            {
                "text": below.text,
                "marks": "#" * below.level,
                "primitive": _primitive(heading) if below is heading else "",
                "delivery_times": delivery_times(family.all_sections()) if below is heading else None,
                "others": _others(family, with_pictures) if below is heading else [],
                "sections": [_describe(below, section, sections, shared_board) for section in below.sections],
            }
            for heading, family in zip(headings, of_families, strict=True)
            for below in heading.walk()
        ],
    )


def _others(family: Heading, with_pictures: Sequence[Section]) -> list[list[str]]:
    """Rows of the table of those sections of a family that have no pictures: test, kernel, points, and the best."""
    return [
        [
            section.title,
            kernel,
            str(int((section.results["kernel"] == kernel).sum())),
            *_overview_cells(section, kernel)[:4],
        ]
        for section in family.all_sections()
        if section not in with_pictures
        for kernel in section.kernels
    ]


def _environment() -> jinja2.Environment:
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(PACKAGE / "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - Markdown, from our own results
    )


def _primitive(heading: Heading) -> str:
    """The folder that all sections under a heading come from, or empty."""
    primitives = {section.primitive for section in heading.all_sections()}
    return primitives.pop() if len(primitives) == 1 else ""


def _describe(heading: Heading, section: Section, page: Sequence[Section], shared_board: str) -> dict[str, Any]:
    columns, table = table_of_values(section)
    return {
        "title": section.title,
        "lead": _lead(
            heading.label(section), section.description, _start(section), _configuration(section, shared_board)
        ),
        "file_stem": section.file_stem,
        "picture": picture_in_words(section),
        "observations": _observations(section, page),
        "table_columns": columns,
        "table": table,
    }


def _observations(section: Section, page: Sequence[Section]) -> list[tuple[str, list[str]]]:
    if section.picture == LATENCY_AGAINST_LOAD:
        return observe_loads(section)
    return observe_parameters(section) if section.picture == PARAMETERS else observe(section, page)


def _lead(label: str, description: str, start: str, configuration: str) -> str:
    """What is said before the picture."""
    parts = [
        f"**{label[0].upper()}{label[1:]}.**" if label else "",
        f"{description.rstrip('.')}." if description else "",
        start,
        configuration,
    ]
    return " ".join(part for part in parts if part)


def _start(section: Section) -> str:
    """How the cores start, if the test lets one choose."""
    if section.launch_skew_cycles is None:
        return ""
    if section.launch_skew_cycles == 0:
        return "All cores start together."
    fitted = "" if "board.launch_skew_cycles" in section.changed else " This interval was fitted for this board."
    return f"The cores start one after another, {cycles(section.launch_skew_cycles)} cycles apart.{fitted}"


def _configuration(section: Section, shared_board: str) -> str:
    words = [f"The board is `{section.board}`."] if section.board and section.board != shared_board else []
    if section.params:
        words.append(f"The parameters are `{section.params}`.")
    return " ".join(words)


def _overview(heading: Heading, depth: int) -> list[dict[str, Any]]:
    """Rows of the overview: one for each kernel of each section, under rows for headings that have more below."""
    indent = "&emsp;" * depth
    link = f"{indent}[{heading.text}](#{heading.anchor})"
    rows: list[dict[str, Any]] = [] if heading.sections else [{"name": link, "cells": None}]
    for section in heading.sections:
        for kernel in section.kernels:
            parts = [heading.label(section), kernel if len(section.kernels) > 1 else ""]
            name = ", ".join([link, *(part for part in parts if part)])
            rows.append({"name": name, "cells": _overview_cells(section, kernel)})
    return rows + [row for child in heading.children for row in _overview(child, depth + 1)]


def _overview_cells(section: Section, kernel: str) -> list[str]:
    if section.picture == LATENCY_AGAINST_LOAD:
        return [*best_load(section), *[NOT_PUBLISHED] * 8]
    rows = section.results[section.results["kernel"] == kernel]
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    bandwidth = best["bandwidth_bytes_per_cycle"]
    errors_percent = rows["error_percent"].dropna().abs()
    medians = medians_of(errors_of(rows))
    return [
        f"{bandwidth:.1f}",
        f"{100 * bandwidth / section.theoretical_of_kernels[kernel]:.0f} %",
        (point_in_words(section, best) if section.picture == PARAMETERS or section.varied else "")
        or f"{best['num_transactions']} x {size_in_words(best)}",
        limiter_in_words(str(best.get("limiter", ""))),
        str(len(errors_percent) or NOT_PUBLISHED),
        *(_percent(float(value)) for value in (errors_percent.quantile([0.5, 0.9]))),
        _percent(float(errors_percent.max())),
        str(medians.fitted_points or NOT_PUBLISHED),
        _percent(medians.fitted_median_percent),
        str(medians.never_seen_points or NOT_PUBLISHED),
        _percent(medians.never_seen_median_percent),
    ]


def _percent(value: float | None) -> str:
    return f"{value:.2f} %" if value is not None and value == value else NOT_PUBLISHED  # NaN differs from itself
