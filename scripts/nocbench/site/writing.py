"""Files of the site."""

from __future__ import annotations

import contextlib
import json
import statistics
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.pages.families import families_of, with_own_pictures
from nocbench.pages.index.error_picture import error_picture
from nocbench.pages.origins import errors_of, medians_in_words
from nocbench.pages.page_files import draw_pictures, kept_tables, pages_of
from nocbench.points.catalogue import in_use
from nocbench.reports.web_parts import html_environment, script, style
from nocbench.results.result_files import rows_of
from nocbench.running.engines import make_engine
from nocbench.running.engines.engine import Crashed, Rejected
from nocbench.site.charts import chart_data
from nocbench.site.documents import HISTORY, Library, search_entries, url_of
from nocbench.site.examples import example_data, point_of_example
from nocbench.support.columns import point_key
from nocbench.support.errors import InputError
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas

    from nocbench.pages.sections import Section
    from nocbench.site.folder import SiteFolder
    from nocbench.support.columns import Row

_TEMPLATES = "site"
_FIRST_DOCUMENTS = ("docs/README.md", "README.md", HISTORY)
_LINKED_DOCUMENTS = (
    ("History", HISTORY),
    ("Documentation", "docs/README.md"),
    ("Glossary", "docs/glossary.md"),
)
"""Documents with a link on every page, with the names of these links."""

_OUTLINE_LEVELS = (2, 3)
_LEAST_OUTLINE = 3


@dataclass(frozen=True)
class SiteContent:
    """Content of a site.

    Attributes:
        name: name of the site.
        sections: tests by architecture, from :func:`nocbench.pages.sections.sections_of`.
        results: results of all tests.
        reference: published measurements.
        base: results to compare with; None without a comparison.
        repository: address of the repository on the web; empty without links to its files.
        has_examples: True to run a point of each test for its floor plan and time line.
    """

    name: str
    sections: Mapping[str, Sequence[Section]]
    results: pandas.DataFrame
    reference: pandas.DataFrame
    base: pandas.DataFrame | None = None
    repository: str = ""
    has_examples: bool = True


@dataclass(frozen=True)
class _Test:
    """A test with its place in the site."""

    section: Section
    data: Mapping[str, Any]
    family_url: str

    @property
    def name(self) -> str:
        return f"{self.section.arch}/{self.section.file_stem}"

    @property
    def url(self) -> str:
        return f"machines/{self.name}.html"

    @property
    def family(self) -> str:
        return self.section.primitive or self.section.headings[0]


class SiteWriter:
    """Writer of a site."""

    def __init__(self, content: SiteContent, folder: SiteFolder, jobs: int | None, say: Callable[[str], None]) -> None:
        """Prepares to write a site.

        Args:
            content: content of the site.
            folder: folder of the site.
            jobs: number of worker processes; None: the number of processors.
            say: told what is done, in words.
        """
        self._content = content
        self._folder = folder
        self._jobs = jobs
        self._say = say
        self._links = [("Tests", "index.html"), ("Compare", "compare.html")]
        revisions = sorted({str(revision) for revision in content.results.get("revision", ())})
        self._revision = ", ".join(revisions[:2]) + (", …" if len(revisions) > 2 else "")

    def write(self) -> None:
        """Writes all files.

        Raises:
            InputError: the folder cannot be written, or an example does not run.
            PictureError: a picture could not be drawn.
        """
        self._write_parts()
        pages = pages_of(self._content.sections)
        of_errors = error_picture(kept_tables(self._content.results, self._content.reference))
        engine = make_engine(self._jobs, sum(len(page.pictures) for page in pages))
        self._say(f"drawing the pictures of {len(pages)} machines in {engine.description}")
        pictures = draw_pictures(pages, self._folder.path / "plots", of_errors, engine)
        generated = {
            f"plots/{page.arch}/{name}": str(markdown) for page in pages for name, markdown in page.render().items()
        }
        relative = {self._folder.add(path) for path in pictures}
        root = checkout() if not in_use().folder else None
        documents = Library(generated, relative, root, self._content.repository).documents(_FIRST_DOCUMENTS)
        paths = {document.path for document in documents}
        self._links += [(name, url_of(path)) for name, path in _LINKED_DOCUMENTS if path in paths]
        tests = self._tests(generated)
        self._say(f"writing {len(tests)} tests and {len(documents)} documents")
        examples = self._examples(tests)
        others = _by_pattern(tests)
        for test in tests:
            self._write_test(test, others[_pattern(test)], has_example=test.name in examples)
        self._write_index(tests, "plots/" + f"{of_errors.file_stem}.svg" if of_errors is not None else "")
        self._write_data("tests", [{"name": test.name, "title": _in_full(test)} for test in tests])
        self._write_page("compare.html", "compare.html.j2", title="Compare", page="compare")
        self._write_page("search.html", "search.html.j2", title="Search", page="search")
        for document in documents:
            outline = [passage for passage in document.passages if passage.level in _OUTLINE_LEVELS]
            self._write_page(
                document.url,
                "document.html.j2",
                title=document.title,
                page="document",
                content=_markup(document.content),
                outline=outline if len(outline) >= _LEAST_OUTLINE else [],
            )
            for picture in set(document.pictures) - relative:
                assert root is not None
                self._folder.copy(root / picture, picture)
        of_tests = (
            {"url": test.url, "title": _in_full(test), "heading": "", "text": test.section.description}
            for test in tests
        )
        self._write_data("search", [*of_tests, *search_entries(documents)])
        self._folder.finish()

    def _write_parts(self) -> None:
        self._folder.write("assets/site.css", style(_TEMPLATES))
        self._folder.write("assets/site.js", script(_TEMPLATES))

    def _tests(self, generated: Mapping[str, str]) -> list[_Test]:
        base: dict[tuple[Any, ...], Row] = {}
        if self._content.base is not None:
            base = {point_key(row): row for row in rows_of(self._content.base)}
        tests = []
        for arch, sections in self._content.sections.items():
            file_of = {
                id(section): family.file
                for family in families_of(sections, with_own_pictures(sections))
                for section in family.sections
            }
            for section in sections:
                paths = [f"plots/{arch}/{name}" for name in (file_of[id(section)], "README.md")]
                path = next((path for path in paths if path in generated), "")
                tests.append(
                    _Test(
                        section, chart_data(section, lambda row: base.get(point_key(row))), url_of(path) if path else ""
                    )
                )
        return tests

    def _examples(self, tests: Sequence[_Test]) -> set[str]:
        """Runs the examples, and writes them. Returns the names of the tests that have one."""
        if not self._content.has_examples:
            return set()
        chosen = {test.name: point for test in tests if (point := point_of_example(test.section)) is not None}
        engine = make_engine(self._jobs, len(chosen))
        self._say(f"running {len(chosen)} examples in {engine.description}")
        names, points = list(chosen), list(chosen.values())
        with contextlib.closing(engine.run(example_data, points)) as outcomes:
            for outcome in outcomes:
                point = points[outcome.index]
                if isinstance(outcome, (Rejected, Crashed)):
                    reason = outcome.message if isinstance(outcome, Rejected) else outcome.reason
                    raise InputError(f"the example of {point.describe()} does not run: {reason}")
                self._write_data(f"examples/{names[outcome.index]}", outcome.value)
        return set(names)

    def _write_test(self, test: _Test, alike: Sequence[_Test], *, has_example: bool) -> None:
        section = test.section
        others = [other for other in alike if other is not test]
        example = {"example": f"examples/{test.name}"} if has_example else {}
        self._write_data(test.name, {**test.data, **example})
        self._write_page(
            test.url,
            "test.html.j2",
            title=section.title,
            page="test",
            test=test.name,
            arch=section.arch,
            board=section.board,
            family=test.family,
            description=section.description,
            family_url=test.family_url,
            machine_url=f"plots/{section.arch}/index.html",
            others=[(f"{other.section.arch} ({other.section.board})", other.url) for other in others],
            compare=f"compare.html#a={test.name}&b={others[0].name}" if others else "",
        )

    def _write_index(self, tests: Sequence[_Test], picture: str) -> None:
        has_base = self._content.base is not None
        columns = [("test", False), ("machine", False), ("family", False), ("points", True), ("highest", True)]
        columns += [("of maximum", True), ("median error", True), *([("changed", True)] if has_base else [])]
        self._write_page(
            "index.html",
            "index.html.j2",
            title=self._content.name,
            page="index",
            summary=(
                "How fast data move on tiled chips: results of a model that counts cycles, beside what was measured "
                "on hardware. Choose a test, or search."
            ),
            machines=[_machine(arch, sections) for arch, sections in self._content.sections.items()],
            families=sorted({test.family for test in tests}),
            tests=[_summary(test) for test in tests],
            columns=columns,
            has_base=has_base,
            picture=picture,
        )

    def _write_data(self, name: str, data: object) -> None:
        text = json.dumps(data, separators=(",", ":"), allow_nan=False)
        self._folder.write(f"data/{name}.js", f"receive({json.dumps(name)},{text});\n")

    def _write_page(self, url: str, template: str, **context: Any) -> None:  # noqa: ANN401 - values of the template
        page = html_environment(_TEMPLATES).get_template(template)
        text = page.render(
            root="../" * url.count("/"),
            site_name=self._content.name,
            links=self._links,
            here=url,
            revision=self._revision,
            is_live=False,
            has_search=True,
            **({"test": ""} | context),
        )
        self._folder.write(url, text)


def _markup(html: str) -> Any:  # noqa: ANN401 - a type of the templates' library
    from markupsafe import Markup

    return Markup(html)  # noqa: S704 - made from Markdown by a library


def _pattern(test: _Test) -> tuple[str, str]:
    return test.section.test, test.section.params


def _by_pattern(tests: Sequence[_Test]) -> dict[tuple[str, str], list[_Test]]:
    alike: dict[tuple[str, str], list[_Test]] = defaultdict(list)
    for test in tests:
        alike[_pattern(test)].append(test)
    return alike


def _in_full(test: _Test) -> str:
    return f"{test.section.title}, {test.section.arch} ({test.section.board})"


def _machine(arch: str, sections: Sequence[Section]) -> dict[str, Any]:
    errors = [error for section in sections for error in errors_of(section.results)]
    return {
        "name": arch,
        "url": f"plots/{arch}/index.html",
        "num_tests": len(sections),
        "num_points": sum(len(section.results) for section in sections),
        "errors": medians_in_words(errors, "published point") if errors else "",
    }


def _summary(test: _Test) -> dict[str, Any]:
    """Returns a row of the list of all tests."""
    section, points = test.section, test.data["points"]
    errors = [abs(error) for error in points.get("error", ()) if error is not None]
    highest = max(points["rate"])
    before = points.get("baseCycles")
    return {
        "title": section.title,
        "url": test.url,
        "arch": section.arch,
        "board": section.board,
        "family": test.family,
        "num_points": len(points["cycles"]),
        "highest": f"{highest:.4g}",
        "unit": section.rate.unit,
        "of_maximum": f"{100 * highest / test.data['maximum']:.1f}",
        "error": f"{statistics.median(errors):.2f}" if errors else None,
        "changed": sum(a != b for a, b in zip(points["cycles"], before, strict=True) if b is not None)
        if before
        else None,
    }
