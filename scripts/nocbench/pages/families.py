"""The families of an architecture's tests, with a page per family, and the choice of tests with pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.pages.one_to_all_tests import OneToAllTest
from nocbench.pages.outline import outline
from nocbench.points.swept_tests import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from nocbench.pages.outline import Heading
    from nocbench.pages.sections import Section

MAIN_FILE = "README.md"
"""Name of an architecture's main page, which lists the tests of all families."""

_LARGE_FAMILY = 4
"""Maximum number of sections for which a family has a picture for each, to keep the page readable."""


@dataclass(frozen=True, eq=False)
class Family:
    """Tests of one primitive.

    Attributes:
        primitive: folder of the primitive; empty for tests of a suite, and for tests unknown to this revision.
        file: name of the page's file.
        sections: all sections of the family, in the order of the results.
        headings: headings of the sections with pictures.
        others: sections without pictures.
    """

    primitive: str
    file: str
    sections: list[Section]
    headings: list[Heading]
    others: list[Section]


def families_of(sections: Sequence[Section], with_pictures: Collection[Section]) -> list[Family]:
    """Groups sections into families, in order of first appearance.

    A single family, and sections without primitive, are on the architecture's own page.
    """
    by_primitive: dict[str, list[Section]] = {}
    for section in sections:
        by_primitive.setdefault(section.primitive, []).append(section)
    return [
        Family(
            primitive=primitive,
            file=f"{primitive}.md" if primitive and len(by_primitive) > 1 else MAIN_FILE,
            sections=members,
            headings=outline([section for section in members if section in with_pictures]),
            others=[section for section in members if section not in with_pictures],
        )
        for primitive, members in by_primitive.items()
    ]


def with_own_pictures(sections: Sequence[Section]) -> list[Section]:
    """Returns the sections with a picture and a table of values; all others share a table of their family.

    A family is a topmost heading here. In a large family, only these sections have pictures: those of its first test,
    those with published measurements, and the ways of writing to a grid, which the page compares. Sections with a
    single point per kernel have no picture, except a bar on pages of suites.
    """
    families: dict[str, list[Section]] = {}
    for section in sections:
        families.setdefault(section.headings[0], []).append(section)
    return [
        section
        for section in sections
        if section.picture == PARAMETERS or len(section.results) > len(section.kernels)
        if len(family := families[section.headings[0]]) <= _LARGE_FAMILY
        or section.test == family[0].test
        or not section.reference.empty
        or _is_way_of_writing(section)
    ]


def _is_way_of_writing(section: Section) -> bool:
    """Returns True for a section of unicasts, multicasts or linked multicasts to a grid, without loopback."""
    test = OneToAllTest.of(section)
    return test is not None and not test.loopback and not section.variant
