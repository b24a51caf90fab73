"""The headings of a page, with the sections under them."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING

from nocbench.pages.one_to_all_tests import OneToAllTest
from nocbench.support.markdown import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nocbench.pages.sections import Section

_TOP_LEVEL = 2  # level 1 is the title of the page


@dataclass(eq=False)
class Heading:
    """A heading with its content.

    Attributes:
        text: text of the heading.
        level: level; 2 for topmost headings.
        anchor: target of links to the heading.
        sections: sections directly under the heading.
        children: headings of the next level.
    """

    text: str
    level: int
    anchor: str = ""
    sections: list[Section] = field(default_factory=list)
    children: list[Heading] = field(default_factory=list)

    def walk(self) -> Iterator[Heading]:
        """Yields this heading and all headings below it, in the order of the page."""
        yield self
        for child in self.children:
            yield from child.walk()

    def all_sections(self) -> list[Section]:
        """Returns the sections under this heading and under all headings below it, in the order of the page."""
        return [section for heading in self.walk() for section in heading.sections]

    def label(self, section: Section) -> str:
        """Returns a label that distinguishes a section from others directly under this heading; "" for a single one."""
        if len(self.sections) == 1:
            return ""
        words = zip(*(other.title.split() for other in self.sections), strict=False)
        num_shared = sum(1 for _ in takewhile(lambda of_all: len(set(of_all)) == 1, words))
        label = " ".join(section.title.split()[num_shared:])
        if label.startswith("("):
            return label[1:-1]
        return label or "default board and parameters"


def outline(sections: Sequence[Section]) -> list[Heading]:
    """Groups sections under their headings, in order of first appearance.

    Under a heading, tests without loopback precede tests with loopback, whose text gives only the differences.
    """
    root = Heading("", _TOP_LEVEL - 1)
    for section in sections:
        heading = root
        for text in section.headings:
            child = next((child for child in heading.children if child.text == text), None)
            if child is None:
                child = Heading(text, heading.level + 1)
                heading.children.append(child)
            heading = child
        heading.sections.append(section)
    num_seen: Counter[str] = Counter()
    for heading in root.walk():
        heading.sections.sort(key=_has_loopback)
        if heading is not root:
            heading.anchor = unique_anchor(heading.text, num_seen)
    return root.children


def _has_loopback(section: Section) -> bool:
    test = OneToAllTest.of(section)
    return test is not None and test.loopback


def anchor(text: str) -> str:
    """Returns the anchor that Markdown viewers give the first heading with a text."""
    return re.sub(r"[^\w\- ]", "", on_one_line(text).lower()).replace(" ", "-")


def unique_anchor(text: str, num_seen: Counter[str]) -> str:
    """Returns the anchor that Markdown viewers give a heading: the second heading "2x2" of a page has "2x2-1"."""
    name = anchor(text)
    num_seen[name] += 1
    return name if num_seen[name] == 1 else f"{name}-{num_seen[name] - 1}"
