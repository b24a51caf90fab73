"""The site: its files, and its behaviour in a browser."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from browser import Page, emulated_screen, points_of_chart

from nocbench.pages.sections import sections_of
from nocbench.published.reference import read_reference
from nocbench.results.same_points import read_combined
from nocbench.site.documents import Library, search_entries
from nocbench.site.folder import SiteFolder
from nocbench.site.writing import SiteContent, SiteWriter

if TYPE_CHECKING:
    from conftest import CommandLine
    from selenium.webdriver import Chrome

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "plots" / "results" / "full_tier.parquet"
TESTS = (
    *("One to One Packet Sizes", "One from One Packet Sizes", "DRAM Channels", "Reshard Small", "Synthetic Traffic"),
    *("Core to Core Write Sizes", "Timestamps SCU3 PCIe"),
)
ONE_TO_ONE = "blackhole/one_to_one_packet_sizes"
SLOWER = 1.25


def write_site(directory: Path, **changes: object) -> None:
    results = read_combined([KEPT])
    results = results[results["test"].isin(TESTS)]
    base = results[results["arch"] == "blackhole"].copy()
    base["latency_cycles"] *= SLOWER
    reference = read_reference(())
    content = {"name": "some chips", "sections": sections_of(results, reference), "results": results} | changes
    SiteWriter(SiteContent(reference=reference, base=base, **content), SiteFolder(directory), 0, lambda _: None).write()  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    write_site(directory, repository="https://example.org/some/chips")
    return directory


def wait(page: Page, milliseconds: int = 400) -> None:
    page.run("return new Promise((done) => setTimeout(done, arguments[0]))", milliseconds)


def state_of(page: Page) -> str:
    """Returns the part of the address with the state, which is written a moment after a change."""
    wait(page)
    return str(page.run("return location.hash"))


class Targets(HTMLParser):
    """Collects the ids of a page, and the targets of its links, pictures and scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.targets: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        values = dict(attrs)
        self.ids.add(values.get("id") or "")
        self.targets |= {value for name in ("href", "src") if (value := values.get(name))}


def targets_of(path: Path) -> Targets:
    found = Targets()
    found.feed(path.read_text(encoding="utf-8"))
    return found


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: targets_of(path) for path in site.rglob("*.html")}
    assert len(pages) > 80
    for path, page in pages.items():
        for target in page.targets:
            if target.startswith(("https:", "http:", "data:")):
                continue
            where, anchor = urldefrag(urljoin(path.as_uri(), target))
            file = Path(unquote(where.removeprefix("file://")))
            assert file.is_file(), f"{path}: {target}"
            if anchor and file.name not in ("compare.html", "index.html"):
                assert anchor in pages[file].ids, f"{path}: {target}"


def test_the_same_results_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_site(tmp_path / name, has_examples=False)
    files = {path.relative_to(tmp_path / "one"): path.read_bytes() for path in (tmp_path / "one").rglob("*.*")}
    assert files == {path.relative_to(tmp_path / "two"): path.read_bytes() for path in (tmp_path / "two").rglob("*.*")}


def data_of(site: Path, name: str) -> dict[str, list[object]]:
    text = (site / "data" / f"{name}.js").read_text(encoding="utf-8")
    match = re.fullmatch(r"receive\(\"[^\"]+\",(.*)\);\n", text)
    assert match
    data: dict[str, list[object]] = json.loads(match[1])
    return data


def test_commands_select_their_points(site: Path, run_in_process: CommandLine) -> None:
    """Parameters that a test sweeps are named, though they are columns of their own in a section."""
    import shlex

    for name in ("blackhole/dram_channels", "blackhole/synthetic_traffic", "etherbone/timestamps_scu3_pcie"):
        test = data_of(site, name)
        points: dict[str, list[int]] = test["points"]  # type: ignore[assignment]
        words = shlex.split(f"{test['command']} {test['texts'][points['arguments'][-1]]}")
        ran = run_in_process(*words[1:], "--json")
        assert ran.status == 0, ran.err
        rows = json.loads(ran.out)["rows"] if ran.out.startswith("{") else json.loads(ran.out)
        assert points["cycles"][-1] in [pytest.approx(row["latency_cycles"], rel=1e-6) for row in rows]


def test_a_list_of_all_tests(browser: Chrome, site: Path) -> None:
    page = Page(browser, site / "index.html")
    page.open()
    assert page.texts("#count") == ["16 tests"]
    page.type("#filters [name=q]", '"packet one"')
    assert page.texts("#count") == ["0 of 16 tests"]
    page.click("#filters [type=reset]")
    wait(page)
    page.type("#filters [name=q]", "one packet")
    page.type("#filters [name=arch]", "wormhole_b0")
    assert page.texts("#count") == ["2 of 16 tests"]
    assert state_of(page) == "#q=one+packet&arch=wormhole_b0"
    page.open("#family=one_to_one&sort=-machine&published=1")
    shown = (
        "return [...document.querySelectorAll('#tests tbody tr:not([hidden])')].map((row) => row.cells[1].textContent)"
    )
    assert page.run(shown) == ["wormhole_b0 n150", "blackhole p100"]
    assert page.texts("#tests tr:not([hidden]) td:nth-child(8)")[-1] == "55", "all points of the base are slower"
    page.assert_quiet(site.as_uri())


def test_points_are_read_by_keys_and_have_an_address(browser: Chrome, site: Path) -> None:
    page = Page(browser, site / "machines" / f"{ONE_TO_ONE}.html")
    page.open()
    wait(page)
    cycles = points_of_chart(page, "#charts figure")
    words = next(point for point in cycles if point.startswith("16 transactions, 1 KiB"))
    assert re.fullmatch(
        r"16 transactions, 1 KiB: [\d,.]+ cycles; [\d.]+ B/cycle; silicon [\d,.]+ cycles; error [+-][\d.]+ %; "
        r"base [\d,.]+ cycles \(-20.00 %\); limited by the [A-Za-z ]+",
        words,
    )
    assert state_of(page).startswith("#point=")
    assert page.texts("#point-words") == [page.texts("#charts output")[0]]
    assert page.texts("#point-command code")[0].startswith(
        "nocbench run 'One to One Packet Sizes' --arch blackhole --board p100 -a num_transactions="
    )
    page.type("#charts .canvas", "+")
    zoomed = state_of(page)
    assert "zoom-cycles=" in zoomed
    page.click("#charts .legend button")
    assert "hide=1+transaction" in state_of(page)
    page.open(zoomed)
    wait(page)
    assert state_of(page) == zoomed
    assert not page.run("return document.querySelector('#point').hidden")
    page.open("#zoom-cycles=1,NaN,x&panel=99&point=99999&hide=|&xlog=maybe&__proto__=1")
    page.assert_quiet(site.as_uri())


def test_panels_the_table_and_the_example(browser: Chrome, site: Path) -> None:
    page = Page(browser, site / "machines" / "blackhole" / "synthetic_traffic.html")
    page.open("#panel=1")
    assert page.run("return document.querySelector('#controls select').selectedOptions[0].textContent").startswith(
        "packets of "
    )
    rows = len(page.texts("#table tbody tr"))
    assert rows > 10
    page.click("details summary")
    page.click("#table tbody tr:nth-child(3) button")
    assert "pattern=" in page.texts("#point-command code")[0]
    wait(page)
    assert not page.run("return document.querySelector('#example').hidden")
    assert page.texts("#floor-plan figcaption") == ["NoC 0"]
    assert len(page.texts("#floor-plan line.link title")) > 100
    page = Page(browser, site / "machines" / f"{ONE_TO_ONE}.html")
    page.open()
    wait(page)
    assert "sender (riscv_0) at (1, 2)" in page.texts("#time-line text")
    assert any(text.startswith("data arrive: cycles ") for text in page.texts("#time-line title"))
    page.assert_quiet(site.as_uri())


def test_two_tests_in_one_chart(browser: Chrome, site: Path) -> None:
    page = Page(browser, site / "compare.html")
    page.open(f"#a={ONE_TO_ONE}&b=wormhole_b0/one_to_one_packet_sizes")
    wait(page)
    assert page.texts("#charts .legend button")[:6:5] == ["A, 1 transaction", "B, 1 transaction"]
    page.click("#swap")
    wait(page)
    assert state_of(page) == "#a=wormhole_b0%2Fone_to_one_packet_sizes&b=blackhole%2Fone_to_one_packet_sizes"
    page.open("#a=blackhole/synthetic_traffic&b=blackhole/one_to_one_packet_sizes")
    wait(page)
    assert page.texts("#fault")[0].startswith("These tests are drawn along different axes: injection rate")
    assert page.texts("#charts figure") == []
    page.open("#a=no/such/test")
    page.assert_quiet(site.as_uri())


def test_search(browser: Chrome, site: Path) -> None:
    page = Page(browser, site / "search.html")
    page.open("#q=limiter")
    wait(page)
    assert "Glossary: limiter" in page.texts("#found a")
    page.open("#q=" + "%22one+from+one+packet%22")
    wait(page)
    assert "One from One Packet Sizes, blackhole (p100)" in page.texts("#found a")
    page.open("#q=nothing+has+xyzzy")
    wait(page)
    assert page.texts("#count") == ["0 places"]
    page = Page(browser, site / "docs" / "index.html")
    page.open()
    page.type("header [name=q]", "credit\n")
    wait(page)
    assert page.run("return location.pathname").endswith("/search.html")
    assert len(page.texts("#found a")) > 10


PAGES = (
    *("index.html", "compare.html#a=blackhole/one_to_one_packet_sizes&b=wormhole_b0/one_to_one_packet_sizes"),
    *("search.html#q=credit", f"machines/{ONE_TO_ONE}.html#point=3", "machines/blackhole/synthetic_traffic.html"),
    *("docs/index.html", "docs/glossary.html", "readme.html", "plots/blackhole/index.html"),
)


@pytest.mark.parametrize(("scheme", "width"), [("dark", 390), ("light", 1440)])
def test_nobody_is_left_out(browser: Chrome, site: Path, scheme: str, width: int) -> None:
    """No page has a fault that axe-core finds, or is wider than the screen."""
    with emulated_screen(browser, scheme, width):
        for url in PAGES:
            file, _, fragment = url.partition("#")
            page = Page(browser, site / file)
            page.open(f"#{fragment}" if fragment else "")
            page.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
            wait(page)
            page.assert_quiet(site.as_uri())
            page.assert_for_everybody(width)


def test_links_outside_of_a_repository_are_left_out() -> None:
    generated = {
        "plots/a/README.md": "# A\n\n[b](b.md), [c](repository:docs/c.md) and ![d](d.svg)\n",
        "plots/a/b.md": "# B\n",
    }
    documents = Library(generated, {"plots/a/d.svg"}, None, "").documents([])
    assert [document.url for document in documents] == ["plots/a/index.html", "plots/a/b.html"]
    assert '<a href="b.html">b</a>, <span>c</span> and <img src="d.svg"' in documents[0].content
    assert [entry["title"] for entry in search_entries(documents)] == ["A", "B"]


def test_bad_input(run_in_process: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    refused = run_in_process("site", KEPT, "-o", tmp_path / "file")
    assert (refused.status, "is a file" in refused.err) == (2, True)
    missing = run_in_process("site", KEPT, "--base", tmp_path / "none.csv", "-o", tmp_path / "site")
    assert (missing.status, "none.csv" in missing.err) == (2, True)
    assert not (tmp_path / "site").exists()
    foreign = run_in_process("site", KEPT, "-o", tmp_path)
    assert foreign.status == 2
    assert f"{tmp_path}: expected an empty folder, or one with a site; it has other files" in foreign.err


def test_a_folder_is_written_again(tmp_path: Path) -> None:
    folder = SiteFolder(tmp_path / "site")
    folder.write("machines/a/one.html", "1")
    folder.write("machines/a/two.html", "2")
    folder.finish()
    (tmp_path / "other").write_text("of another")
    (tmp_path / "site" / "assets" / "files.txt").write_text("machines/a/one.html\n../other\n")
    again = SiteFolder(tmp_path / "site")
    again.write("machines/a/two.html", "2")
    again.finish()
    assert sorted(path.name for path in tmp_path.rglob("*.*")) == ["files.txt", "two.html"]
    assert (tmp_path / "other").exists()
    assert (tmp_path / "site" / "assets" / "files.txt").read_text() == "machines/a/two.html\n"
