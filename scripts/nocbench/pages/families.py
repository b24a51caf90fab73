"""The families of an architecture's tests, each with a page of its own, and which of the tests have pictures."""

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
"""The page of an architecture, which lists the tests of all families."""

_LARGE_FAMILY = 4
"""Sections of a family, each with its pictures, that are few enough for a page to stay readable."""


@dataclass(frozen=True, eq=False)
class Family:
    """Tests of one primitive: patterns of a kind.

    Attributes:
        primitive: its folder; empty for tests of a suite, and for those that this revision does not know.
        file: the page.
        sections: all of its sections, in the order of the results.
        headings: those of the sections with pictures.
        others: the sections without.
    """

    primitive: str
    file: str
    sections: list[Section]
    headings: list[Heading]
    others: list[Section]


def families_of(sections: Sequence[Section], with_pictures: Collection[Section]) -> list[Family]:
    """Cuts sections into families, in the order in which these come first.

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
    """Sections that have pictures and a table of values; the others share a table of their family.

    A family is what stands under a topmost heading. In a large one, these are the sections of its first test, those
    about which something was published, and the ways of writing to a grid, which are compared with each other. A
    picture of a single point of each kernel would show nothing, except in pages of suites, where it is a bar.
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
    """Whether a section is of unicasts, multicasts or linked multicasts to a grid, without loopback."""
    test = OneToAllTest.of(section)
    return test is not None and not test.loopback and not section.variant
