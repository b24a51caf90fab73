"""The index of all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.architectures.description import describe_architecture
from nocbench.architectures.files import architecture_names
from nocbench.pages.families import MAIN_FILE
from nocbench.pages.openshmem.page import FOLDER as OPENSHMEM
from nocbench.pages.picture_links import picture_link
from nocbench.pages.repository_links import with_repository_links
from nocbench.points.catalogue import in_use
from nocbench.published.accuracy_summary import accuracy_summary
from nocbench.published.accuracy_texts import families_table, groups_table, summary_paragraph
from nocbench.support.markdown import Markdown, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.drawing.pictures import Picture
    from nocbench.published.accuracy_tables import ComparedTable

_HISTORY = "history.md"
"""Page that `nocbench history show` makes."""


def index_of(directory: Path, compared: Sequence[ComparedTable], of_errors: Picture | None) -> str:
    """Returns the index of the pages below a directory.

    Args:
        directory: folder with a folder for each architecture.
        compared: comparison with all published measurements.
        of_errors: picture of the errors; None if nothing was compared.
    """
    # Pages of architectures without new results stay, and stay listed.
    listed = [arch for arch in architecture_names() if (directory / arch / MAIN_FILE).is_file()]
    described = [(arch, describe_architecture(arch).description) for arch in listed]
    if (directory / OPENSHMEM / MAIN_FILE).is_file():
        described.append((OPENSHMEM, "OpenSHMEM 1.3 on Epiphany: the evaluation of a paper, repeated with the model"))
    text = (
        environment()
        .get_template("index.md.j2")
        .render(
            architectures=described,
            suite=in_use().name,
            accuracy=_accuracy_in_words(compared, of_errors),
            has_history=(directory / _HISTORY).is_file(),
        )
    )
    return with_repository_links(text, directory)


def _accuracy_in_words(compared: Sequence[ComparedTable], picture: Picture | None) -> dict[str, Markdown]:
    """Returns the index's texts on accuracy, with the picture of the errors; empty if nothing was compared."""
    if picture is None:
        return {}
    summary = accuracy_summary(compared)
    return {
        "paragraph": Markdown(summary_paragraph(summary)),
        "groups": Markdown(groups_table(summary)),
        "picture": picture_link(picture.title, picture.file_stem),
        "families": Markdown(families_table(summary)),
    }
