"""Names and texts of users appear unchanged on pages, whatever they contain."""

from __future__ import annotations

import dataclasses
import html
import re
from typing import TYPE_CHECKING, Any

import pandas
import pytest
from markdown_pages import broken_links, headings_of, links_of, tables_of
from sample import make_frame, make_reference

from nocbench.pages import page_files
from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.plots import draw
from nocbench.pages.sections import Section, sections_of
from nocbench.points.catalogue import BUILT_IN, using
from nocbench.support.markdown import code, escape

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![a picture](http://example.com/x.png)",
    "[a link](other.md)",
    "a\n\n# heading\n\nb",
    "a\r| b | c |",
    "`code` *bold* _it_ ~~no~~ $x$",
    "# a",
    "- a",
    "1. a",
    "---",
    "</details>",
    "&lt;b&gt; &amp;",
    "[x](repository:docs/results.md)",
    "\\",
    "a\\",
    "a|b\\|c",
    "`a``b`",
]
_OWN_TAGS = re.compile(
    r"<(?:br|/?details|/?summary|img src=\"\w+\.svg\" width=\"200\" alt=\"\")>|<!-- nocbench [^>]*-->"
)


class _OtherCatalogue:
    """Tests of nocbench, as a suite with another name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a catalogue has
        return getattr(BUILT_IN, name)


@pytest.mark.usefixtures("fake_simulator")
def test_each_test_has_a_picture_of_its_own() -> None:
    names = ["A test", "a-test", "a test 2", "---", "\u30c6\u30b9\u30c8"]
    results = pandas.concat([make_frame(test=name) for name in names], ignore_index=True)
    stems = [section.file_stem for section in sections_of(results, make_reference(make_frame()))["wormhole_b0"]]
    assert stems == ["a_test", "a_test_2", "a_test_2_2", "unnamed", "unnamed_2"]


@pytest.mark.usefixtures("fake_simulator")
@pytest.mark.parametrize("text", ["$x^$", "$", r"\frac$\no$"])
def test_titles_of_pictures_are_no_formulas(text: str) -> None:
    (section,) = sections_of(make_frame(test=text), make_reference(make_frame()))["wormhole_b0"]
    figure = draw(section)
    figure.draw_without_rendering()
    assert figure.get_suptitle() == f"{text}, wormhole_b0"


def sections_with(text: str) -> dict[str, list[Section]]:
    """Returns sections in which all names chosen by a user are `text`."""
    frame = make_frame(test=text, kernel=text, limiter=text, params=f"noc={text}".replace(";", ""))
    both = make_frame(test=text, kernel=f"{text} 2", limiter=text, params=f"noc={text}".replace(";", ""))
    results = pandas.concat([frame, both], ignore_index=True)
    (section,) = sections_of(results, make_reference(make_frame()))["wormhole_b0"]
    return {"wormhole_b0": [dataclasses.replace(section, description=text, headings=("Top", text))]}


@pytest.mark.usefixtures("fake_simulator")
@pytest.mark.parametrize("text", HOSTILE)
def test_names_are_no_markup(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_files, "draw_pictures", lambda *_: [])
    with using(_OtherCatalogue(text)):
        pages = pages_of(sections_with(text))
        files = write_pages(pages, tmp_path)
    for picture in pages[0].pictures:
        (tmp_path / "wormhole_b0" / f"{picture.file_stem}.svg").touch()
    for file in files:
        page = file.read_text()
        without_code = re.sub(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", "", page)
        assert "<" not in _OWN_TAGS.sub("", without_code)
        assert list(broken_links(file)) == []
        own = [r"#.*", r"wormhole_b0/README\.md", r"\w+\.svg"]
        assert [link for link in links_of(page) if not any(re.fullmatch(form, link) for form in own)] == []
        assert all(len({len(row) for row in table}) == 1 for table in tables_of(page))
        assert not re.search(r"(?m)^(?:- |\d+\. |---$|[ \t]+\S)", page)
    page = files[0].read_text()
    assert len(headings_of(page)) == 4  # the title, two headings of the section, and the guide to the pictures
    assert page.count("\n<details>\n") == page.count("\n</details>\n") == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_shown_is_the_text(text: str) -> None:
    shown = html.unescape(re.sub(r"\\([^A-Za-z0-9\s])", r"\1", escape(text)))
    assert shown == " ".join(text.split())


@pytest.mark.parametrize(("text", "expected"), [("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("``", "` `` `")])
def test_code(text: str, expected: str) -> None:
    assert code(text) == expected
