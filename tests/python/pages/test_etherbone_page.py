"""Page of Etherbone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.drawing.pictures import fixed_style
from nocbench.pages.etherbone.page import etherbone_page
from nocbench.pages.page_files import pages_of
from nocbench.pages.sections import sections_of
from nocbench.published.latch_unit import compared_cycles, latch_rows
from nocbench.published.reference import read_reference

if TYPE_CHECKING:
    import pandas

ARCH = "etherbone"


@pytest.fixture(scope="module")
def results() -> pandas.DataFrame:
    """Runs all points of the architecture, in half a second."""
    return nocbench.run("*", arch=ARCH)


def test_the_published_numbers_are_met(results: pandas.DataFrame) -> None:
    (page,) = pages_of(sections_of(results, read_reference(())))
    text = page.render()["README.md"]
    numbers = text.partition("## Cycles of the latch unit")[0]
    rows = [line for line in numbers.splitlines() if "| yes |" in line or "| no |" in line]
    assert len(rows) == 23
    # The document contradicts itself there: GigE is as fast for any number of timestamps, and PCIe is not.
    missed = [row for row in rows if "| no |" in row]
    assert [row.split("|")[1].strip() for row in missed] == [
        f"blocking, 8 in a cycle: GigE ({host}) over PCIe (SCU3)" for host in ("SCU3", "Exploder")
    ]
    latch = text.partition("## Cycles of the latch unit")[2].partition("\n## ")[0]
    assert "| SCU3 PCIe | 2018 | 29.0 | 29.0 | +0.0 % | fitted to: `hosts.scu3.driver_ns` |" in latch
    assert "| T5810 USB | 2018 | 80.3 | 80.0 | -0.4 % | fitted to: `bridges.usb.latency_ns` |" in latch
    assert "Constants were fitted to these 9 rows." in latch
    assert "| about 5970 ns | 5970 ns | yes | fitted to: `hosts.scu3.word_read_ns` |" in numbers
    assert "\n| SCU3 GigE, pipelined, 8 in a cycle | 3" in text
    with fixed_style():
        for picture in page.pictures:
            assert picture.draw().axes


def test_rows_of_the_table_are_met_within_two_percent(results: pandas.DataFrame) -> None:
    (table,) = compared_cycles(results)
    assert (len(table.rows), table.missing) == (9, 0)
    assert table.accuracy().max_percent < 2  # type: ignore[operator]
    (few,) = compared_cycles(results[results["test"] == "Latch Unit SCU2 PCIe"])
    assert [row.name for row in few.rows] == ["SCU2 PCIe"]
    assert few.rows[0].modeled == pytest.approx(27.4, rel=0.02)
    assert compared_cycles(results[results["test"] == "Timestamps SCU3 PCIe"]) == []


def test_cycles_with_something_set_are_left_out() -> None:
    assert compared_cycles(nocbench.run("Latch Unit SCU3 PCIe", arch=ARCH, settings={"host.word_read_ns": 1000})) == []


def test_no_constant_is_fixed_by_two_rows() -> None:
    fixed = [constant for row in latch_rows() for constant in row.constants]
    assert len(fixed) == len(set(fixed)) == 9


def test_the_page_has_what_results_hold(results: pandas.DataFrame) -> None:
    few = results[results["test"] == "Timestamps SCU3 PCIe"]
    page = etherbone_page(ARCH, sections_of(few, read_reference(()))[ARCH])
    text = page.render()["README.md"]
    assert "| PCIe, blocking, 1 in a cycle: time for a timestamp | 25 µs | 26 µs | yes | never seen |" in text
    assert "| GigE, spacing within a cycle | 64 ns | - | - | never seen |" in text
    assert [picture.file_stem for picture in page.pictures] == [
        *("figure_1_time", "figure_2_rate", "figure_3_throughput", "figure_4_words")
    ]


def test_results_with_something_set_are_left_out() -> None:
    results = nocbench.run("Timestamps SCU3 PCIe", arch=ARCH, settings={"host.word_read_ns": 1000})
    page = etherbone_page(ARCH, sections_of(results, read_reference(()))[ARCH])
    assert "| PCIe, blocking, 1 in a cycle: rate | about 35 kHz | - | - |" in page.render()["README.md"]
