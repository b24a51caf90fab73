"""The files of the pages: one folder per architecture, with pictures, and an index of all pages."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.description import EPIPHANY_MESH, WISHBONE_BRIDGE
from nocbench.drawing.pictures import PAGE_PICTURE_SUFFIX, Page, as_svg, fixed_style, write_drawn
from nocbench.pages.architecture_page import render_architecture
from nocbench.pages.epiphany.page import transfers_page
from nocbench.pages.etherbone.page import etherbone_page
from nocbench.pages.families import MAIN_FILE, with_own_pictures
from nocbench.pages.index.error_picture import error_picture
from nocbench.pages.index.page import index_of
from nocbench.pages.kept_parts import keep_picture, keeps_parts, kept_picture, kept_value, picture_key
from nocbench.pages.openshmem.page import openshmem_page
from nocbench.pages.picture_links import pictures_in
from nocbench.pages.plots import picture_of
from nocbench.pages.repository_links import with_repository_links
from nocbench.published.accuracy_tables import compared_tables
from nocbench.running.engines.engine import Crashed, Rejected
from nocbench.running.engines.in_process import InProcess
from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError, PictureError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import pandas

    from nocbench.drawing.pictures import Picture
    from nocbench.pages.sections import Section
    from nocbench.published.accuracy_tables import ComparedTable
    from nocbench.running.engines.engine import Engine

_SIGNATURE = "<!-- nocbench plot made this page, and removes it and its pictures when it makes others. -->\n"
"""Last line of each page in an architecture's folder, which marks the page as generated."""


def pages_of(sections_by_arch: Mapping[str, Sequence[Section]]) -> list[Page]:
    """Returns the pages of each architecture, and the page of OpenSHMEM if there are results for it.

    Args:
        sections_by_arch: sections from :func:`nocbench.pages.sections.sections_of`, by architecture.
    """
    pages = []
    for arch, sections in sections_by_arch.items():
        kind = sections[0].architecture.kind
        if kind == WISHBONE_BRIDGE:
            pages.append(kept_value(etherbone_page, arch, sections))
            continue
        if kind != EPIPHANY_MESH:
            pictures = [picture_of(section) for section in with_own_pictures(sections)]
            pages.append(Page(arch, pictures, partial(kept_value, render_architecture, sections)))
            continue
        # The published figures of a mesh are speeds of transfers, and a paper on OpenSHMEM, instead of tables of tests.
        of_library = kept_value(openshmem_page, sections)
        pages += [kept_value(transfers_page, arch, sections), *([of_library] if of_library is not None else [])]
    return pages


def kept_tables(results: pandas.DataFrame, reference: pandas.DataFrame) -> list[ComparedTable]:
    """Returns the tables of all published measurements, each architecture's from an earlier run if possible.

    See :func:`nocbench.published.accuracy_tables.compared_tables`.
    """
    tables: list[ComparedTable] = []
    for arch, published in reference.groupby("arch", sort=False):
        rows = results[(results["arch"] == arch) & results["test"].isin(published["test"])]
        tables += kept_value(compared_tables, rows.reset_index(drop=True), published)
    return tables


def write_pages(
    pages: Sequence[Page],
    directory: Path,
    *,
    compared: Sequence[ComparedTable] = (),
    engine: Engine | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Writes pages and pictures of each architecture to `directory`/ARCH, and an index of all pages.

    Removes files that an earlier run wrote to these folders and this run does not write.

    Args:
        pages: pages to write.
        directory: folder; created if missing.
        compared: comparison with all published measurements, for the index and its picture.
        engine: engine that draws the pictures, without influence on the files; by default, this process.
        on_progress: called with the number of finished pictures.

    Returns:
        Paths of the written pages.

    Raises:
        InputError: the directory cannot be written.
        PictureError: a picture could not be drawn.
    """
    of_errors = error_picture(compared)
    draw_pictures(pages, directory, of_errors, engine or InProcess(), on_progress)
    files = []
    for page in pages:
        folder = directory / page.arch
        make_directory(folder)
        rendered = {
            folder / name: with_repository_links(markdown, folder) + f"\n{_SIGNATURE}"
            for name, markdown in page.render().items()
        }
        stale = _with_pictures(_signed_pages(folder)) - _with_pictures(rendered)
        for file, text in rendered.items():
            write_text(file, text)
            files.append(file)
        _remove(stale)
    index = directory / MAIN_FILE
    write_text(index, index_of(directory, compared, of_errors))
    return [*files, index]


def _signed_pages(folder: Path) -> dict[Path, str]:
    """Returns the pages that earlier runs wrote to a folder, with their contents."""
    found = {file: file.read_text(encoding="utf-8", errors="replace") for file in sorted(folder.glob("*.md"))}
    return {file: text for file, text in found.items() if text.endswith(_SIGNATURE)}


def _with_pictures(pages: Mapping[Path, str]) -> set[Path]:
    """Returns pages and the pictures on them."""
    return set(pages) | {file.parent / name for file, text in pages.items() for name in pictures_in(text)}


def _remove(files: Iterable[Path]) -> None:
    for file in sorted(files):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{file}: cannot be removed: {error.strerror}") from error


class _PictureTask(NamedTuple):
    """A picture to draw.

    Attributes:
        picture: the picture.
        path: its file.
        key: key under which to keep it; empty not to.
    """

    picture: Picture
    path: Path
    key: str


def draw_picture(task: _PictureTask) -> None:
    """Draws a picture, in any process."""
    with fixed_style():
        svg = as_svg(task.picture.draw())
    write_drawn(svg, task.path)
    if task.key:
        keep_picture(task.key, svg)


def draw_pictures(
    pages: Sequence[Page],
    directory: Path,
    of_errors: Picture | None,
    engine: Engine,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Path]:
    """Draws the pictures of each page to `directory`/ARCH, and the picture of all errors to `directory`.

    Pictures that are kept from earlier runs, with the same data, code and libraries, are not drawn again.

    Returns the paths of the pictures. Raises InputError and PictureError as :func:`write_pages` does.
    """
    pictures = [(picture, directory / page.arch) for page in pages for picture in page.pictures]
    pictures += [(of_errors, directory)] if of_errors is not None else []
    for folder in dict.fromkeys(folder for _, folder in pictures):
        make_directory(folder)
    paths, tasks = [], []
    for picture, folder in pictures:
        paths.append(folder / f"{picture.file_stem}{PAGE_PICTURE_SUFFIX}")
        key = picture_key(picture) if keeps_parts() else ""
        if key and (svg := kept_picture(key)) is not None:
            write_drawn(svg, paths[-1])
        else:
            tasks.append(_PictureTask(picture, paths[-1], key))
    num_kept = len(pictures) - len(tasks)
    if num_kept:
        on_progress(num_kept)
    with contextlib.closing(engine.run(draw_picture, tasks)) as outcomes:
        for num_done, outcome in enumerate(outcomes, start=num_kept + 1):
            picture = tasks[outcome.index].picture
            if isinstance(outcome, Rejected):
                raise InputError(outcome.message)
            if isinstance(outcome, Crashed):
                raise PictureError(
                    f"the picture of '{picture.title}' on {picture.arch} was not drawn: {outcome.reason}"
                )
            on_progress(num_done)
    return paths
