"""The pages of an architecture: a table of all tests, and a section for each test, by family."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.architectures.description import PLAIN_MESH
from nocbench.pages.families import MAIN_FILE, families_of, with_own_pictures
from nocbench.pages.load_observations import best_load, observe_loads
from nocbench.pages.observations import observe
from nocbench.pages.origins import errors_of, medians_in_words
from nocbench.pages.outline import anchor
from nocbench.pages.parameter_observations import observe_parameters, point_in_words
from nocbench.pages.picture_links import picture_link, thumbnail_link
from nocbench.pages.plots import picture_in_words
from nocbench.pages.sections import BANDWIDTH
from nocbench.pages.tables.delivery_times import delivery_times
from nocbench.pages.tables.launch_spread import LAUNCH_SKEW, is_skewed_run, launch_spread
from nocbench.pages.tables.value_tables import NOT_PUBLISHED, table_of_values
from nocbench.points.catalogue import in_use
from nocbench.points.primitives import folder_of
from nocbench.points.swept_tests import BARRIER, LATENCY_AGAINST_LOAD, PARAMETERS, SKEWED, TOGETHER
from nocbench.support.markdown import Markdown, code, environment, escape, paragraph
from nocbench.support.units import plural
from nocbench.support.wording import bandwidth, cycles, limiter_in_words, size_in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nocbench.pages.families import Family
    from nocbench.pages.outline import Heading
    from nocbench.pages.sections import Section

_HOW_TO_READ = "How to read the pictures"
_OTHERS = "Other tests"
_COMMON_STARTS = {
    TOGETHER: "All cores start together.",
    BARRIER: "The cores meet at a semaphore before their timed zones.",
}


def render_architecture(sections: Sequence[Section]) -> dict[str, Markdown]:
    """Renders the pages of an architecture, by file name: one with the table of all tests, and one per family."""
    with_pictures = with_own_pictures(sections)
    families = families_of(sections, with_pictures)
    errors = [error for section in sections for error in errors_of(section.results)]
    architecture, arch = sections[0].architecture, sections[0].arch
    shared_board = sections[0].board if len({section.board for section in sections}) == 1 else ""
    pages = {family.file: _describe_family(family, sections, shared_board) for family in families}
    templates = environment()
    main = templates.get_template("architecture.md.j2").render(
        arch=arch,
        suite=in_use().name,
        description=architecture.description,
        is_network=architecture.kind == PLAIN_MESH,
        board=shared_board,
        how_to_read=anchor(_HOW_TO_READ),
        how_to_read_heading=_HOW_TO_READ,
        has_loads=any(section.picture == LATENCY_AGAINST_LOAD for section in sections),
        link_bytes_per_cycle=" or ".join(
            f"{width:g}" for width in sorted({of.link_bytes_per_cycle for of in sections})
        ),
        has_kernels=any(not section.are_flows for section in sections),
        has_flows=any(section.are_flows for section in sections),
        counts_together=any(section.counts_together for section in sections),
        last_column=f"median error against {architecture.published_source}" if errors else "where",
        overview=[row for family in families for row in _overview(family, has_errors=bool(errors))],
        earned=medians_in_words(errors, "published point") if errors else "",
        families=[page for file, page in pages.items() if file == MAIN_FILE],
    )
    template = templates.get_template("family.md.j2")
    return {MAIN_FILE: Markdown(main)} | {
        file: Markdown(template.render(arch=arch, how_to_read=anchor(_HOW_TO_READ), family=page))
        for file, page in pages.items()
        if file != MAIN_FILE
    }


def _describe_family(family: Family, page: Sequence[Section], shared_board: str) -> dict[str, Any]:
    readme = f"{folder_of(family.primitive)}/README.md"
    headings = [heading for top in family.headings for heading in top.walk()]
    return {
        "title": code(family.primitive) if family.primitive else "",
        "readme": Markdown(f"[{readme}](repository:{readme}) describes the tests"),
        "contents": _contents(family.headings),
        "headings": [
            {
                "text": heading.text,
                "marks": Markdown("#" * heading.level),
                "sections": [_describe(heading, section, page, shared_board) for section in heading.sections],
            }
            for heading in headings
        ],
        "delivery_times": delivery_times(family.sections),
        "others_heading": _OTHERS,
        "others": [row for section in family.others if not is_skewed_run(section) for row in _other(section)],
    }


def _contents(headings: Sequence[Heading]) -> Markdown:
    """Returns a line with links to the headings of a page; nothing for a single heading."""
    if len(headings) == 1 and not headings[0].sections:
        return _contents(headings[0].children)
    is_needed = len(headings) > 1 or any(heading.children for heading in headings)
    return Markdown(" · ".join(map(_links, headings)) if is_needed else "")


def _links(heading: Heading) -> str:
    """Returns a link to a heading, followed by links to its subheadings."""
    below = ", ".join(map(_links, heading.children))
    return f"{_link(heading.text, f'#{heading.anchor}')}{f' ({below})' if below else ''}"


def _link(text: str, target: str) -> Markdown:
    return Markdown(f"[{escape(text)}]({target})")


def _overview(family: Family, *, has_errors: bool) -> Iterator[list[str]]:
    """Yields the rows of a family in the table of all tests.

    Tests without picture and published measurements have no row.
    """
    if family.file != MAIN_FILE:
        num_tests = len({section.test for section in family.sections})
        name = Markdown(f"**{_link(family.primitive, family.file)}**, {plural(num_tests, 'test')}")
        yield ["", name, "", ""]
    page = "" if family.file == MAIN_FILE else family.file
    for heading in (heading for top in family.headings for heading in top.walk()):
        for section in heading.sections:
            target = f"{page}#{heading.anchor}"
            yield [thumbnail_link(section.file_stem, target), *_overview_cells(section, target, has_errors=has_errors)]
    for section in family.others:
        if not section.reference.empty:
            yield ["", *_overview_cells(section, f"{page}#{anchor(_OTHERS)}", has_errors=has_errors)]


def _overview_cells(section: Section, target: str, *, has_errors: bool) -> list[Markdown]:
    bests = {kernel: _best(section, kernel) for kernel in section.kernels}
    return [
        _link(section.title, target),
        _by_kernel({kernel: best.in_words() for kernel, best in bests.items()}),
        _by_kernel(
            {kernel: _errors_in_words(section, kernel) if has_errors else best.where for kernel, best in bests.items()}
        ),
    ]


def _by_kernel(words: Mapping[str, str]) -> Markdown:
    """Returns a line of text per kernel, with the kernel's name; a single text if all are equal."""
    if len(words) > 1 and len(set(words.values())) > 1:
        return Markdown("<br>".join(f"{escape(kernel)}: {escape(text)}" for kernel, text in words.items()))
    return escape(next(iter(words.values())))


class _Best(NamedTuple):
    """Highest rate of a kernel, in words, with its share of the maximum, point, duration and limiter."""

    rate: str
    share: str
    where: str
    latency_cycles: str
    limiter: str

    def in_words(self) -> str:
        return ", ".join(part for part in (self.rate, self.share, self.limiter) if part)


def _best(section: Section, kernel: str) -> _Best:
    if section.picture == LATENCY_AGAINST_LOAD:
        load = best_load(section)
        return _Best(f"{load[0]} B/cycle", load[1], load[2], NOT_PUBLISHED, load[3])
    rows = section.results[section.results["kernel"] == kernel]
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    rate = best["bandwidth_bytes_per_cycle"] / section.rate.bytes_each
    is_bandwidth = section.rate == BANDWIDTH
    return _Best(
        rate=f"{f'{rate:.1f}' if is_bandwidth else bandwidth(rate)} {section.rate.unit}",
        share=f"{100 * rate / section.theoretical_of_kernels[kernel]:.0f} %" if is_bandwidth else "",
        where=(point_in_words(section, best) if section.picture == PARAMETERS or section.varied else "")
        or f"{best['num_transactions']} x {size_in_words(best)}",
        latency_cycles=f"{best['latency_cycles']:.10g}",
        limiter=limiter_in_words(str(best.get("limiter", ""))),
    )


def _errors_in_words(section: Section, kernel: str) -> str:
    rows = section.results[section.results["kernel"] == kernel]
    errors_percent = rows["error_percent"].dropna().abs()
    if errors_percent.empty:
        return NOT_PUBLISHED
    if len(errors_percent) == 1:
        return f"{errors_percent.iloc[0]:.2f} %"
    return f"{errors_percent.quantile(0.5):.2f} %, at most {errors_percent.max():.2f} %"


def _other(section: Section) -> Iterator[list[str]]:
    """Yields table rows for a section without picture: test, kernel, points, best point, and error."""
    for kernel in section.kernels:
        num_points = int((section.results["kernel"] == kernel).sum())
        yield [section.title, kernel, str(num_points), *_best(section, kernel), _errors_in_words(section, kernel)]


def _describe(heading: Heading, section: Section, page: Sequence[Section], shared_board: str) -> dict[str, Any]:
    columns, table = table_of_values(section)
    return {
        "lead": _lead(heading.label(section), section, shared_board),
        "picture": picture_link(f"{section.title}: {picture_in_words(section)}", section.file_stem),
        "observations": [(kernel, paragraph(sentences)) for kernel, sentences in _observations(section, page)],
        "launch_spread": launch_spread(section, page),
        "table_columns": columns,
        "table": table,
    }


def _observations(section: Section, page: Sequence[Section]) -> list[tuple[str, list[str]]]:
    if section.picture == LATENCY_AGAINST_LOAD:
        return observe_loads(section)
    return observe_parameters(section) if section.picture == PARAMETERS else observe(section, page)


def _lead(label: str, section: Section, shared_board: str) -> Markdown:
    return paragraph(
        part
        for part in (
            Markdown(f"**{escape(label[0].upper() + label[1:])}.**") if label else "",
            f"{section.description.rstrip('.')}." if section.description else "",
            _start(section),
            _configuration(section, shared_board),
        )
        if part
    )


def _start(section: Section) -> str:
    """Describes the start of the cores, if the test lets the user choose."""
    if section.start != SKEWED:
        return _COMMON_STARTS.get(section.start, "")
    fitted = "" if LAUNCH_SKEW in section.changed else " This interval was fitted for this board."
    return f"The cores start one after another, {cycles(section.launch_skew_cycles)} cycles apart.{fitted}"


def _configuration(section: Section, shared_board: str) -> Markdown:
    words = [f"The board is {code(section.board)}."] if section.board and section.board != shared_board else []
    if section.params:
        words.append(f"The parameters are {code(section.params)}.")
    return Markdown(" ".join(words))
