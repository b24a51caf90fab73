"""Markdown pages of the repository as pages of the site."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from nocbench.pages.outline import unique_anchor

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MAIN_FILE = "README.md"
HISTORY = "plots/history.md"
_INDEX = ("plots/README.md", "plots")
"""Pages that the index of the site stands for."""

_OF_REPOSITORY = "repository:"
_ELSEWHERE = re.compile(rf"(?!{_OF_REPOSITORY})[a-z][a-z0-9+.-]*:|//|#")
_LEVEL_OF_ROWS = 7
"""Level of the rows of a page that is one table, below those of headings."""

_WORD = re.compile(r"[A-Za-z]{3}")
"""Text that is worth finding: not the numbers in tables."""

_NO_WORDS = ' alt=""'
_EMPTY_HEADING = re.compile(r"<th( [^>]*)?></th>")
_ALIGNMENT = re.compile(r"text-align:(\w+)")


@dataclass
class Passage:
    """A heading of a page, with the text up to the next heading."""

    heading: str
    anchor: str
    level: int
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Document:
    """A page.

    Attributes:
        path: path of the Markdown file, relative to the repository.
        title: its first heading.
        content: its HTML.
        passages: its text by heading.
        links: paths of the pages that it leads to.
        pictures: paths of the pictures that it shows or leads to.
    """

    path: str
    title: str
    content: str
    passages: Sequence[Passage]
    links: Sequence[str]
    pictures: Sequence[str]

    @property
    def url(self) -> str:
        """Address in the site."""
        return url_of(self.path)


def url_of(path: str) -> str:
    """Returns the address of a Markdown file: "docs/results.html", "plots/blackhole/index.html", "readme.html"."""
    if path in _INDEX:
        return "index.html"
    place = PurePosixPath(path)
    if place.name != _MAIN_FILE:
        return str(place.with_suffix(".html"))
    return str(place.with_name("index.html")) if len(place.parts) > 1 else "readme.html"


class Library:
    """The pages of a site: some that were generated, and those of the repository that they or the index lead to."""

    def __init__(
        self, generated: Mapping[str, str], pictures: Collection[str], root: Path | None, repository: str
    ) -> None:
        """Starts with generated pages.

        Args:
            generated: Markdown of generated pages, by path relative to the repository.
            pictures: paths of generated pictures, likewise.
            root: the repository; None outside of one.
            repository: address of the repository on the web, for links to its other files; empty to leave them out.
        """
        self._generated = generated
        self._pictures = pictures
        self._root = root
        self._repository = repository.rstrip("/")

    def documents(self, first: Sequence[str]) -> list[Document]:
        """Returns the generated pages, and all pages of the repository that they or the `first` ones lead to."""
        found: dict[str, Document] = {}
        waiting = [*self._generated, *(path for path in first if self._is_page(path))]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found[path] = self._document(path)
                waiting += found[path].links
        return [found[path] for path in sorted(found)]

    def _is_page(self, path: str) -> bool:
        if path in self._generated:
            return True
        # Pages of results that are not of this site are left out.
        return path.endswith(".md") and (path == HISTORY or not path.startswith("plots/")) and self._exists(path)

    def _exists(self, path: str) -> bool:
        return self._root is not None and not path.startswith("..") and (self._root / path).exists()

    def _document(self, path: str) -> Document:
        parser = _parser()
        markdown = self._generated.get(path)
        if markdown is None:
            assert self._root is not None
            markdown = (self._root / path).read_text(encoding="utf-8")
        tokens = parser.parse(markdown)
        links: list[str] = []
        pictures: list[str] = []
        for token in tokens:
            if token.type in ("th_open", "td_open"):
                _align_by_class(token)
            tags: list[str] = []
            children = token.children or []
            for inner, following in zip(children, [*children[1:], None], strict=False):
                if inner.type == "link_close":
                    inner.tag = tags.pop()
                    continue
                self._retarget(inner, path, links, pictures)
                if inner.type == "link_open":
                    tags.append(inner.tag)
                    if following is not None and _NO_WORDS in following.content:  # a link in words is beside it
                        inner.attrs |= {"tabindex": "-1", "aria-hidden": "true"}
        passages = _passages(tokens)
        content = parser.renderer.render(tokens, parser.options, {})
        content = _EMPTY_HEADING.sub(r"<td\1></td>", content).replace("<pre>", '<pre tabindex="0">')
        content = content.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace(
            "</table>", "</table></div>"
        )
        title = next((passage.heading for passage in passages if passage.level == 1), PurePosixPath(path).stem)
        return Document(path, title, content, passages, links, pictures)

    def _retarget(self, token: Token, path: str, links: list[str], pictures: list[str]) -> None:
        """Makes a link or picture lead to the file of the site."""
        name = {"link_open": "href", "image": "src"}.get(token.type)
        target = str(token.attrGet(name)) if name else ""
        if name is None or not target or _ELSEWHERE.match(target):
            return
        file, _, anchor = target.partition("#")
        of_repository = file.removeprefix(_OF_REPOSITORY)
        folder = posixpath.dirname(path) if of_repository == file else ""
        place = posixpath.normpath(posixpath.join(folder, of_repository))
        if self._is_page(f"{place}/{_MAIN_FILE}"):
            place = f"{place}/{_MAIN_FILE}"
        here = posixpath.dirname(path) or "."
        if self._is_page(place) or place in _INDEX:
            links += [] if place in _INDEX else [place]
            token.attrSet(name, posixpath.relpath(url_of(place), here) + (f"#{anchor}" if anchor else ""))
        elif place in self._pictures or (place.endswith((".svg", ".png")) and self._exists(place)):
            pictures.append(place)
        elif self._repository and self._exists(place):
            token.attrSet(name, f"{self._repository}/blob/HEAD/{place}" + (f"#{anchor}" if anchor else ""))
        else:
            token.tag = "span"
            token.attrs = {}


def _passages(tokens: Sequence[Token]) -> list[Passage]:
    """Returns the passages of a page, and gives the headings their anchors."""
    passages = [Passage("", "", 0)]
    num_seen: Counter[str] = Counter()
    is_heading = False
    is_dictionary = all(token.tag == "h1" for token in tokens if token.type == "heading_open")
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            text = _text(following)
            anchor = unique_anchor(text, num_seen)
            token.attrSet("id", anchor)
            passages.append(Passage(text, anchor, int(token.tag[1:])))
            is_heading = True
        elif token.type == "inline":
            passages[-1].texts += [] if is_heading else [_text(token)]
            is_heading = False
        elif token.type == "tr_open" and is_dictionary:  # its rows are found one by one
            term = _text(tokens[tokens.index(token) + 2])
            token.attrSet("id", unique_anchor(term, num_seen))
            passages.append(Passage(term, str(token.attrGet("id")), _LEVEL_OF_ROWS))
    return passages


def search_entries(documents: Sequence[Document]) -> Iterator[dict[str, str]]:
    """Yields the passages of pages for the search."""
    for document in documents:
        for passage in document.passages:
            text = " ".join(text for text in dict.fromkeys(passage.texts) if _WORD.search(text))
            if not text and not passage.heading:
                continue
            heading = passage.heading if passage.level > 1 else ""
            anchor = f"#{passage.anchor}" if heading else ""
            yield {"url": document.url + anchor, "title": document.title, "heading": heading, "text": text}


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


def _text(token: Token) -> str:
    """Returns the text of an inline token, without marks and targets of links."""
    parts = [child.content if child.type in ("text", "code_inline") else " " for child in token.children or ()]
    return " ".join("".join(parts).split()) if parts else token.content


def _align_by_class(token: Token) -> None:
    """Replaces inline style, which the pages' content security policy forbids."""
    match = _ALIGNMENT.match(str(token.attrs.pop("style", "")))
    if match:
        token.attrSet("class", match[1])
