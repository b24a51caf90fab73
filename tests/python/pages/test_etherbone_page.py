"""The page of Etherbone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.drawing.pictures import fixed_style
from nocbench.pages.etherbone import cycles as tests
from nocbench.pages.etherbone.cycles import CycleTimes
from nocbench.pages.etherbone.page import LATCH_ROWS, etherbone_page
from nocbench.pages.page_files import _environment, pages_of
from nocbench.pages.sections import sections_of
from nocbench.published.reference import read_reference

if TYPE_CHECKING:
    import pandas

ARCH = "etherbone"


@pytest.fixture(scope="module")
def results() -> pandas.DataFrame:
    """All points of the architecture: they take half a second."""
    return nocbench.run("*", arch=ARCH)


def test_the_published_numbers_are_met(results: pandas.DataFrame) -> None:
    (page,) = pages_of(sections_of(results, read_reference(())))
    text = page.render(_environment())
    numbers = text.partition("## Cycles of the latch unit")[0]
    rows = [line for line in numbers.splitlines() if "| yes |" in line or "| no |" in line]
    assert len(rows) == 17
    assert not [row for row in rows if "| no |" in row]
    latch = text.partition("## Cycles of the latch unit")[2].partition("\n## ")[0]
    assert "| SCU3 PCIe | 2018 | 29.0 | 29.0 | +0.0 % | fixes `hosts.scu3.driver_ns` |" in latch
    assert "| T5810 USB | 2018 | 80.3 | 80.0 | -0.4 % | checks two documented interrupt intervals of 40 µs |" in latch
    assert "\n| SCU3 GigE, pipelined, 8 in a cycle | 3" in text
    with fixed_style():
        for picture in page.pictures:
            assert picture.draw().axes


def test_rows_of_the_table_are_met_within_two_percent(results: pandas.DataFrame) -> None:
    times = CycleTimes(sections_of(results, read_reference(()))[ARCH])
    for row in LATCH_ROWS:
        by_cycles = times.per_cycle(f"{tests.LATCH_UNIT} {row.board}")
        assert by_cycles[10_000] == pytest.approx(row.microseconds, rel=0.02), row.board


def test_no_constant_is_fixed_by_two_rows() -> None:
    fixed = [row.fixes for row in LATCH_ROWS if row.fixes]
    assert len(fixed) == len(set(fixed))


def test_the_page_has_what_results_hold(results: pandas.DataFrame) -> None:
    few = results[results["test"] == "Timestamps SCU3 PCIe"]
    page = etherbone_page(ARCH, sections_of(few, read_reference(()))[ARCH])
    text = page.render(_environment())
    assert "| PCIe, blocking, 1 in a cycle: time for a timestamp | 25 µs | 26 µs | yes | prediction |" in text
    assert "| GigE, spacing within a cycle | 64 ns | - | - |" in text
    assert [picture.file_stem for picture in page.pictures] == [
        *("figure_1_time", "figure_2_rate", "figure_3_throughput", "figure_4_words")
    ]


def test_results_with_something_set_are_left_out() -> None:
    results = nocbench.run("Timestamps SCU3 PCIe", arch=ARCH, settings={"host.word_read_ns": 1000})
    times = CycleTimes(sections_of(results, read_reference(()))[ARCH])
    assert times.of("Timestamps SCU3 PCIe").empty
