"""Page of findings: its content, its bytes, and its look on any screen."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import Page, emulated_screen

if TYPE_CHECKING:
    from conftest import CommandLine
    from selenium.webdriver import Chrome

RACES = Path(__file__).parents[3] / "examples" / "races"


def _page(run_program: CommandLine, directory: Path, name: str, status: int = 1) -> Path:
    file = directory / "findings.html"
    done = run_program("kernel", str(RACES / f"{name}.yaml"), "--check", "all", "--html", str(file))
    assert done.status == status
    return file


def test_both_lines_and_the_time_line(run_program: CommandLine, tmp_path: Path) -> None:
    text = _page(run_program, tmp_path, "source_reused").read_text()
    for line in (
        "noc_async_write(page, neighbour, page_bytes);",
        "marks the page as free",
        "noc_async_write_barrier();",
    ):
        assert text.count(line) >= 2, "once on each chip"
    assert "<script" not in text
    lines = re.findall(r'<svg class="time-line".*?</svg>', text, re.DOTALL)
    assert len(lines) == 2
    for line in lines:
        assert re.findall(r'<text x="0" y="\d+">(.*?)</text>', line) == [
            "core (0, 0), riscv_0",
            "NoC 0: transaction of 1",
        ]
        assert re.findall(r'<rect class="(\w+)"', line) == ["missing", "moves", "returns"]
        assert len(re.findall("<circle", line)) == 2
    assert "noc_async_writes_flushed() would have waited, and is missing" in text


def test_the_parts_of_a_time_line_are_in_order(run_program: CommandLine, tmp_path: Path) -> None:
    text = _page(run_program, tmp_path, "objects/queued_source").read_text()
    for parts in re.findall(r'<ul class="parts">.*?</ul>', text, re.DOTALL):
        spans = re.findall(r"cycles ([\d,]+) to ([\d,]+): ([^<]+)", parts)
        cycles = {what: (int(begin.replace(",", "")), int(end.replace(",", ""))) for begin, end, what in spans}
        waits, moves = cycles["it waits in the NIU"], cycles["its bytes leave and arrive"]
        missing = cycles["noc_async_writes_flushed() would have waited, and is missing"]
        assert waits[0] < waits[1] == moves[0] < moves[1] == missing[1]


def test_the_same_run_gives_the_same_bytes(run_program: CommandLine, tmp_path: Path) -> None:
    first = _page(run_program, tmp_path, "page_popped").read_bytes()
    assert _page(run_program, tmp_path, "page_popped").read_bytes() == first


def test_a_run_that_hangs_has_a_page(run_program: CommandLine, tmp_path: Path) -> None:
    assert "noc_semaphore_set_multicast" in _page(run_program, tmp_path, "flag_reset", status=2).read_text()


@pytest.mark.parametrize(("scheme", "width"), [("dark", 390), ("light", 390), ("dark", 1440), ("light", 1440)])
def test_nobody_is_left_out(browser: Chrome, run_program: CommandLine, tmp_path: Path, scheme: str, width: int) -> None:
    page = Page(browser, _page(run_program, tmp_path, "flag_on_other_noc"))
    with emulated_screen(browser, scheme, width):
        browser.get(page.url)
        page.assert_for_everybody(width)
        assert page.run(
            "return [...document.querySelectorAll('.time-line text')].every((text) => {"
            "const box = text.getBoundingClientRect(); return box.left >= 0 && box.right <= arguments[0]; })",
            width,
        )
