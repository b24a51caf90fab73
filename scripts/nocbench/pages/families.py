"""The families of an architecture's tests, each with a page of its own, and the choice of tests with pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.pages.one_to_all_tests import OneToAllTest
from nocbench.pages.outline import outline
from nocbench.points.simulator import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from nocbench.pages.outline import Heading
    from nocbench.pages.sections import Section

MAIN_FILE = "README.md"
"""Name of an architecture's main page, which lists the tests of all families."""

_LARGE_FAMILY = 4
"""Most sections of a family that all get pictures, to keep the page readable."""


@dataclass(frozen=True, eq=False)
class Family:
    """Tests of one primitive.

    Attributes:
        primitive: its folder; empty for tests of a suite, and for tests unknown to this revision.
        file: the page.
        sections: all of its sections, in the order of the results.
        headings: headings of the sections with pictures.
        others: the sections without.
    """

    primitive: str
    file: str
    sections: list[Section]
    headings: list[Heading]
    others: list[Section]


def families_of(sections: Sequence[Section], with_pictures: Collection[Section]) -> list[Family]:
    """Groups sections into families, in order of first appearance.

    A single family, and sections of no family, are on the architecture's own page.
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
    """Returns the sections with pictures and a table of values; the others share a table of their family.

    A family here is a topmost heading. In a large one, these are the sections of its first test, those with published
    measurements, and the ways of writing to a grid, which are compared with each other. Sections with a single point
    per kernel get no picture, except a bar on pages of suites.
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
    """True for a section of unicasts, multicasts or linked multicasts to a grid, without loopback."""
    test = OneToAllTest.of(section)
    return test is not None and not test.loopback and not section.variant
