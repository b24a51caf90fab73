"""HTML report: its bytes, and its behaviour in a browser."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from browser import BrowserUnavailableError, Page, points_of_chart
from sample import make_row
from sample_gate import NASTY, make_point, make_report, sample_report

from nocbench.gating.verdicts import GateReport, PointVerdict, Verdict
from nocbench.reports.html_page import render_gate_page, render_results_page
from nocbench.reports.plain_results import points_of
from nocbench.reports.traces import Trace

if TYPE_CHECKING:
    from pathlib import Path

    from selenium.webdriver import Chrome

pytestmark = pytest.mark.usefixtures("fake_simulator")

SIZES = (64, 256, 1024, 4096)
COUNTS = (1, 4, 16, 64)


def sweep(factor: float, verdict: Verdict, **changes: Any) -> list[PointVerdict]:  # noqa: ANN401
    """Returns a test's points; a factor changes those of up to 1 KiB."""
    points = []
    for count in COUNTS:
        for size in SIZES:
            latency_cycles = 300.0 + count * max(22, size // 32)
            is_changed = size <= 1024
            points.append(
                make_point(
                    verdict if is_changed else Verdict.SAME,
                    factor if is_changed else 1.0,
                    num_transactions=count,
                    transaction_size_bytes=size,
                    call_size_bytes=size,
                    latency_cycles=latency_cycles,
                    bandwidth_bytes_per_cycle=count * size / latency_cycles,
                    **changes,
                )
            )
    return points


def report_of_sweeps() -> GateReport:
    """Returns a report of three tests: one slower, one faster, one unchanged."""
    return make_report(
        [
            *sweep(1.07, Verdict.SLOWER, arch="blackhole", board="p100"),
            *sweep(0.98, Verdict.FASTER, test="Loopback Packet Sizes", primitive="loopback", test_id=16),
            *sweep(1.0, Verdict.SAME),
        ]
    )


class _Elements(HTMLParser):
    """Collects every tag with its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_nothing_is_loaded() -> None:
    page = render_gate_page(sample_report())
    parser = _Elements()
    parser.feed(page)
    for tag, attributes in parser.found:
        assert tag not in ("img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        assert (attributes.get("href") or "#").startswith(("#", "data:"))
    policy = next(values["content"] for _, values in parser.found if values.get("http-equiv"))
    assert policy
    assert policy.startswith("default-src 'none'; img-src data:; style-src 'sha256-")
    assert "unsafe" not in policy


def test_the_same_report_gives_the_same_bytes() -> None:
    assert render_gate_page(sample_report()) == render_gate_page(GateReport.from_json(sample_report().to_json()))


def test_text_of_others_stays_text() -> None:
    points = [make_point(Verdict.SLOWER, 1.1, test=NASTY, kernel=NASTY, params=f"x={NASTY}", reason=NASTY)]
    page = render_gate_page(make_report(points, notices=[NASTY], unaffected=[NASTY], accept_command=NASTY))
    assert page.count("</script>") == 2
    assert page.count("<script") == 2
    assert "<b>" not in page
    (data,) = re.findall(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert NASTY in json.loads(data)["texts"]


def test_sizes() -> None:
    """A report of ten thousand different points is still small enough to send and open."""
    points = points_of(
        make_row(
            num_transactions=1 + number % 100, params=f"destination={number // 100},1", latency_cycles=300.0 + number
        )
        for number in range(10_000)
    )
    assert len(render_results_page("results.csv", points)) < 8_000_000
    assert len(render_results_page("results.csv", points[:480])) < 500_000


def test_rows_of_a_point_are_not_points() -> None:
    rows = [
        make_row(kernel=kernel, num_transactions=count, call_size_bytes=size, transaction_size_bytes=size)
        for kernel in ("Reader", "Writer")
        for count in (1, 4)
        for size in (64, 128)
    ]
    assert "<h1>4 points (8 rows)</h1>" in render_results_page("results.csv", points_of(rows))
    assert "<h1>4 points</h1>" in render_results_page("results.csv", points_of(rows[:4]))
    program = [
        row | {"primitive": "kernel", "call_size_bytes": size} for row, size in zip(rows[:2], (1, 2), strict=True)
    ]
    assert "<h1>1 point (2 rows)</h1>" in render_results_page("results.csv", points_of(program))
    wrong = [row | {"data_ok": False} for row in rows]
    assert "<h1>4 points (8 rows), wrong data arrived in 4</h1>" in render_results_page("r.csv", points_of(wrong))


def test_a_browser_starts(started_browser: Chrome | BrowserUnavailableError) -> None:
    """Fails without a browser, since skipping would hide faults. Other tests need not report this again."""
    if isinstance(started_browser, BrowserUnavailableError):
        pytest.fail(str(started_browser), pytrace=False)


@pytest.fixture
def gate_page(browser: Chrome, tmp_path: Path) -> Page:
    path = tmp_path / "report.html"
    path.write_text(render_gate_page(report_of_sweeps()), encoding="utf-8")
    return Page(browser, path)


def test_sorting_and_filtering(gate_page: Page) -> None:
    gate_page.open()
    assert gate_page.texts("h1") == ["FAIL 12 slower, 12 faster, 24 same; 48 of 48 points gated"]
    assert gate_page.column("verdict") == ["slower"] * 12 + ["faster"] * 12 + ["same"] * 24, "the worst first"
    gate_page.click('[data-sort="cycles"]')
    cycles = [float(text.split(" → ")[-1].replace(",", "")) for text in gate_page.column("cycles")]
    assert cycles == sorted(cycles, reverse=True)
    assert gate_page.run("return document.querySelector('th[aria-sort=descending]').textContent") == "cycles ▼"
    gate_page.click('[data-sort="cycles"]')
    assert gate_page.column("cycles")[0] == "322 → 315.56"
    gate_page.type("[name=q]", "BLACKHOLE 4kib")
    assert gate_page.column("size") == ["4 KiB"] * 4
    assert gate_page.texts("#count") == ["4 of 48 points"]
    assert gate_page.run("return location.hash") == "#q=BLACKHOLE+4kib&sort=cycles"
    gate_page.click("[type=reset]")
    gate_page.run("return new Promise((done) => setTimeout(done, 50))")
    assert len(gate_page.column("size")) == 48
    gate_page.type("[name=verdict]", "faster")
    assert set(gate_page.column("primitive")) == {"loopback"}
    assert set(gate_page.column("change")) == {"-2.00 %"}
    gate_page.type("[name=arch]", "blackhole")
    assert gate_page.texts("#table tbody td") == ["No point matches."]
    gate_page.assert_quiet()


def test_the_hash_keeps_what_is_shown(gate_page: Page) -> None:
    gate_page.open("#verdict=slower&arch=blackhole&sort=-size&point=0")
    assert set(gate_page.column("verdict")) == {"slower"}
    assert gate_page.column("size")[0] == "1 KiB"
    assert len(gate_page.texts("tr.detail")) == 1
    gate_page.run("location.hash = '#arch=wormhole_b0&primitive=one_to_one'")
    gate_page.run("return new Promise((done) => setTimeout(done, 50))")
    assert set(gate_page.column("verdict")) == {"same"}
    assert gate_page.texts("tr.detail") == []
    gate_page.open("#arch=nothing&point=x&page=-3&sort=nonsense&__proto__=1")
    assert len(gate_page.column("size")) == 48
    gate_page.assert_quiet()


def test_a_row_opens_its_plots(gate_page: Page) -> None:
    gate_page.open()
    gate_page.click("#table tr.point td:nth-child(4)")
    titles = gate_page.texts("tr.detail figcaption")
    assert [title.split(",")[0] for title in titles] == ["Latency", "Bandwidth"]
    cycles, bandwidths = (points_of_chart(gate_page, f"tr.detail figure:nth-of-type({place})") for place in (1, 2))
    assert len(cycles) == len(bandwidths) == 2 * len(COUNTS) * len(SIZES)
    assert "1 transaction, 64 B: 322 cycles (base)" in cycles
    assert "1 transaction, 64 B: 344.54 cycles (head)" in cycles
    assert "64 transactions, 4 KiB: 30.87 B/cycle (head)" in bandwidths
    assert gate_page.texts("tr.detail .legend button") == [
        "1 transaction",
        "4 transactions",
        "16 transactions",
        "64 transactions",
    ]
    assert gate_page.texts("tr.detail .legend span") == ["head", "base", "theoretical maximum"]
    commands = gate_page.texts("tr.detail code")
    assert commands[0].startswith("nocbench run 'One to One Packet Sizes' --arch blackhole --board p100 -a")
    assert commands[1].startswith("nocbench trace ")
    gate_page.click("tr.detail .command button")
    gate_page.click("#table tr.point .open")
    assert gate_page.texts("tr.detail") == []
    gate_page.assert_quiet()


def test_the_keyboard_is_enough(gate_page: Page) -> None:
    from selenium.webdriver import Keys

    gate_page.open()
    gate_page.type("#table .open", Keys.ARROW_DOWN)
    assert gate_page.run("return document.activeElement.closest('tr').dataset.point") == "1"
    gate_page.type('tr[data-point="1"] .open', Keys.ENTER)
    assert gate_page.texts("tr.detail h3") != []
    assert gate_page.run("return document.activeElement.getAttribute('aria-expanded')") == "true"
    gate_page.type("[data-sort=size]", Keys.ENTER)
    assert gate_page.run("return document.activeElement.dataset.sort") == "size", "focus stays where it was"
    gate_page.assert_quiet()


def test_the_heat_map_of_a_test(gate_page: Page) -> None:
    gate_page.open()
    assert gate_page.texts("#test-choice option")[0].endswith("Sender; 12 of 16 changed")
    assert gate_page.texts(".heat caption") == [
        "Head against base, latency, in percent",
        "Head against base, bandwidth, in percent",
    ]
    cells = gate_page.texts(".heat:nth-of-type(2) tbody td")
    assert cells == ["+7.00 %", "+7.00 %", "+7.00 %", "0 %"] * len(COUNTS)
    shades = gate_page.run("return [...document.querySelectorAll('.heat tbody td')].map((one) => one.style.background)")
    assert set(shades[:3]) == set(shades[16:19]), "slower and less bandwidth are the same colour: worse"
    assert shades[3] == ""
    gate_page.click(".heat tbody td button")
    assert gate_page.run("return document.activeElement.closest('tr').dataset.point") is not None
    assert len(gate_page.texts("tr.detail")) == 1
    gate_page.click("#next-test")
    assert "-2.00 %" in gate_page.texts(".heat tbody td")
    gate_page.assert_quiet()


def index_of(page: Page) -> dict[str, list[str]]:
    """Returns the lines of open sections in the index, by section."""
    return dict(
        page.run(
            "return [...document.querySelectorAll('#index-list details')].map((one) => [one.dataset.family,"
            " one.open ? [...one.querySelectorAll('li')].map((line) => line.textContent) : []])"
        )
    )


def test_the_index_has_all_tests_by_family(gate_page: Page) -> None:
    gate_page.open()
    assert index_of(gate_page) == {
        "loopback": ["Loopback Packet Sizes (16) wormhole_b0 (n150) 16 rows, 12 changed"],
        "one_to_one": ["One to One Packet Sizes (4) blackhole (p100) 16 rows, 12 changed wormhole_b0 (n150) 16 rows"],
    }
    assert gate_page.texts("#index-count") == ["2 tests"]
    gate_page.click('#index-list [data-family="loopback"] button')
    assert "Loopback Packet Sizes" in gate_page.texts("#test-choice option:checked")[0]
    assert "-2.00 %" in gate_page.texts(".heat tbody td")
    gate_page.assert_quiet()


def test_the_index_has_what_the_filters_leave(gate_page: Page) -> None:
    gate_page.open("#q=1kib&arch=blackhole")
    assert index_of(gate_page) == {
        "one_to_one": ["One to One Packet Sizes (4) blackhole (p100) 4 of 16 rows, 4 changed"]
    }
    assert gate_page.texts("#index-count") == ["1 test"]
    gate_page.click("[type=reset]")
    gate_page.run("return new Promise((done) => setTimeout(done, 50))")
    gate_page.type("[name=primitive]", "loopback")
    assert list(index_of(gate_page)) == ["loopback"]
    gate_page.type("[name=q]", "multicast")
    assert index_of(gate_page) == {}
    assert gate_page.texts("#index-count") == ["No test matches."]
    gate_page.assert_quiet()


def test_a_long_index_begins_closed(browser: Chrome, tmp_path: Path) -> None:
    rows = [
        make_row(test=f"{primitive} {variant}", test_id=variant, primitive=primitive, kernel=kernel)
        for primitive in ("one_to_one", "dram_unary")
        for variant in range(30, 0, -1)
        for kernel in ("Sender", "Receiver")
    ]
    path = tmp_path / "report.html"
    path.write_text(render_results_page("results.csv", points_of(rows)), encoding="utf-8")
    page = Page(browser, path)
    page.open()
    assert index_of(page) == {"dram_unary": [], "one_to_one": []}
    assert page.texts("summary") == ["dram_unary 30 tests", "one_to_one 30 tests"]
    page.click('[data-family="one_to_one"] summary')
    lines = index_of(page)["one_to_one"]
    assert lines[:2] == ["one_to_one 1 (1) wormhole_b0 (n150) 2 rows", "one_to_one 2 (2) wormhole_b0 (n150) 2 rows"]
    page.click("[data-sort=cycles]")
    assert index_of(page)["one_to_one"] == lines, "another order of the points leaves the index alone"
    page.type("[name=q]", '"one_to_one 3"')
    assert len(index_of(page)["one_to_one"]) == 2, "3 and 30, in the section that was opened"
    page.assert_quiet()


def test_text_of_others_stays_text_in_the_browser(browser: Chrome, tmp_path: Path) -> None:
    names = {"test": "<img src=x onerror=alert(1)></script><script>alert(2)</script>", "params": f"x={NASTY}"}
    points = sweep(1.1, Verdict.SLOWER, **names, kernel="<b>k</b>", arch="<i>a</i>", primitive="__proto__")
    path = tmp_path / "report.html"
    page = render_gate_page(make_report(points, notices=[NASTY]))
    path.write_bytes(page.encode("utf-8", "backslashreplace"))
    opened = Page(browser, path)
    opened.open("#point=0")
    assert opened.texts("#table td img, #table td b, #table td i, #table script, #index-list :is(img, b, i)") == []
    assert "<b>k</b>" in opened.column("kernel")
    opened.assert_quiet()


def test_traces_are_carried_and_linked_to(browser: Chrome, tmp_path: Path) -> None:
    content = base64.b64encode(gzip.compress(b'{"traceEvents": []}', mtime=0)).decode()
    about = {"arch": "blackhole", "test": "One to One Packet Sizes", "num_transactions": "1", "call_size": "64"}
    traces = [
        Trace("1_head.json.gz", "worst/1_head.json.gz", about, content),
        Trace("2_head.json.gz", "worst/2_head.json.gz"),
    ]
    path = tmp_path / "report.html"
    path.write_text(render_gate_page(report_of_sweeps(), traces), encoding="utf-8")
    page = Page(browser, path)
    page.open("#q=%221+x+64%22&arch=blackhole&verdict=slower")
    assert page.texts("#trace-list button") == [
        "Download 1_head.json.gz: One to One Packet Sizes on blackhole, num_transactions=1, call_size=64"
    ]
    assert page.run("return document.querySelector('#trace-list a').getAttribute('href')") == "worst/2_head.json.gz"
    page.click("#table .open")
    assert len(page.texts("tr.detail [data-trace]")) == 1
    page.run(
        "window.made = null; URL.createObjectURL = (blob) => { blob.arrayBuffer().then((bytes) => {"
        "window.made = btoa(String.fromCharCode(...new Uint8Array(bytes))); }); return 'data:,'; };"
        "document.querySelector('#trace-list button').click();"
    )
    page.run("return new Promise((done) => setTimeout(done, 100))")
    assert page.run("return window.made") == content
    page.assert_quiet()


def test_results_alone(browser: Chrome, tmp_path: Path) -> None:
    rows = [point.head for point in report_of_sweeps().verdicts if point.head is not None]
    path = tmp_path / "report.html"
    path.write_text(render_results_page("results.csv", points_of(rows)), encoding="utf-8")
    page = Page(browser, path)
    page.open("#point=3")
    assert page.texts("h1") == ["48 points"]
    assert "verdict" not in page.texts("#table thead button")
    assert page.texts(".heat") == []
    assert len(points_of_chart(page, "tr.detail figure")) == len(COUNTS) * len(SIZES)
    assert page.texts("tr.detail .legend span") == ["theoretical maximum"]
    page.assert_quiet()


def test_rows_of_a_point_are_counted_as_rows(browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    rows = [make_row(kernel=kernel, num_transactions=count) for kernel in ("Reader", "Writer") for count in (1, 4)]
    path.write_text(render_results_page("results.csv", points_of(rows)), encoding="utf-8")
    page = Page(browser, path)
    page.open()
    assert page.texts("#count") == ["4 rows, of 2 points"]
    page.type("[name=q]", "reader")
    assert page.texts("#count") == ["2 of 4 rows, of 2 points"]
    page.assert_quiet()


def test_a_narrow_axis_has_labels(browser: Chrome, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render_results_page("results.csv", points_of([make_row()])), encoding="utf-8")
    page = Page(browser, path)
    page.open()
    ticks = "return logTicks(...arguments[0], false)"
    assert page.run(ticks, [1024, 2048]) == [1200, 1400, 1600, 1800, 2000]
    assert page.run(ticks, [512, 1024]) == [600, 700, 800, 900, 1000]
    assert page.run(ticks, [256, 65536]) == [500, 1000, 2000, 5000, 10_000, 20_000, 50_000]
    for octave in range(1, 30):
        for octaves in range(1, 24):
            found = page.run(ticks, [2**octave, 2 ** (octave + octaves)])
            assert 3 <= len(found) <= 9, (octave, octaves, found)
    page.assert_quiet()


def test_ten_thousand_points_without_jank(browser: Chrome, tmp_path: Path) -> None:
    points = points_of(
        make_row(
            num_transactions=1 + number % 100, params=f"destination={number // 100},1", latency_cycles=300.0 + number
        )
        for number in range(10_000)
    )
    path = tmp_path / "report.html"
    path.write_text(render_results_page("results.csv", points), encoding="utf-8")
    page = Page(browser, path)
    page.open()
    assert len(page.texts("#table tr.point")) == 50, "a page of rows at a time"
    page.click("#pager button:last-child")
    assert page.texts("#pager") == ["Previous pagepage 2 of 200Next page"]
    milliseconds = page.run(
        "const begin = performance.now(); document.querySelector('[data-sort=cycles]').click();"
        "const field = document.querySelector('[name=q]'); field.value = 'destination=7,1';"
        "field.dispatchEvent(new Event('input', {bubbles: true})); return performance.now() - begin"
    )
    assert page.texts("#count") == ["100 of 10000 points"]
    assert milliseconds < 5000, "a bound that a busy machine keeps, too; it takes a fiftieth of that"
    page.assert_quiet()
