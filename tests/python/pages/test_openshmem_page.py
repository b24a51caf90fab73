"""Page of OpenSHMEM."""

from __future__ import annotations

import pandas
import pytest

import nocbench
from nocbench.drawing.pictures import fixed_style
from nocbench.pages.openshmem.page import openshmem_page
from nocbench.pages.page_files import pages_of
from nocbench.pages.sections import sections_of
from nocbench.published import shmem_calls as tests
from nocbench.published.reference import read_reference
from nocbench.published.shmem_calls import straight_line
from nocbench.published.shmem_numbers import compared_numbers


def test_a_straight_line_has_the_errors_of_least_squares() -> None:
    # Computed by hand: the sum of squared residuals is 0.7, with two degrees of freedom; the sum of squared deviations
    # of the sizes is 5.
    rows = pandas.DataFrame({"size_bytes": [1, 2, 3, 4], "nanoseconds": [13.0, 17.0, 19.0, 22.0]})
    fit = straight_line(rows)
    assert fit is not None
    assert fit.alpha_ns == pytest.approx((10.5, (0.35 * (1 / 4 + 2.5**2 / 5)) ** 0.5))
    assert fit.gigabytes_per_second[0] == pytest.approx(1 / 2.9)
    assert fit.gigabytes_per_second[1] == pytest.approx((0.35 / 5) ** 0.5 / 2.9**2)
    assert straight_line(rows.iloc[:2]) is None


@pytest.fixture(scope="module")
def results() -> pandas.DataFrame:
    frames = [
        nocbench.run(name, arch="epiphany_iii", num_transactions=[2], call_size=sizes)
        for name, sizes in (
            (tests.PUT, [64, 512, 8192]),
            (tests.GET, [64, 512, 8192]),
            (tests.BROADCAST, [64, 512, 4096]),
            (tests.BARRIER, [4]),
            (tests.BARRIER_OF_ALL, [4]),
            (tests.ATOMICS, [4]),
        )
    ]
    return pandas.concat(frames, ignore_index=True)


def test_the_page_has_what_results_hold(results: pandas.DataFrame) -> None:
    page = openshmem_page(sections_of(results, read_reference(()))["epiphany_iii"])
    assert page is not None
    text = page.render()["README.md"]
    assert "| put, 8 KiB | 2.4 GB/s | 2.3" in text
    assert "| vendor's barrier, 16 cores | 2 µs | " in text
    assert "% | fitted to: `core.barrier_step_cycles` |" in text
    assert "Constants were fitted to 3 of these 9 numbers. The median error of the fitted numbers is" in text
    assert "## Figure 5" in text
    assert "## Figure 9" not in text
    assert [picture.file_stem for picture in page.pictures] == [
        *("figure_3_put_get", "figure_5_atomics", "figure_6_barriers", "figure_6_broadcast")
    ]
    with fixed_style():
        for picture in page.pictures:
            assert picture.draw().axes


def test_numbers_are_compared_as_a_table(results: pandas.DataFrame) -> None:
    (table,) = compared_numbers(results)
    accuracy = table.accuracy()
    assert (accuracy.points, accuracy.missing, accuracy.quantity) == (9, 0, "number")
    assert (accuracy.fitted_points, accuracy.never_seen_points) == (3, 6)
    assert "non-blocking put, 8 KiB" not in {row.name for row in table.rows}  # published only as a bound
    (few,) = compared_numbers(results[results["test"] == tests.PUT])
    assert [row.name for row in few.rows] == ["put, 8 KiB"]
    small = results[(results["test"] == tests.PUT) & (results["transaction_size_bytes"] < 8192)]
    assert [len(table.rows) + 10 * table.missing for table in compared_numbers(small)] == [10]
    assert compared_numbers(results[results["test"] == tests.ATOMICS]) == []


def test_there_is_a_page_only_if_there_are_calls(results: pandas.DataFrame) -> None:
    with_calls = pages_of(sections_of(results, read_reference(())))
    assert [page.arch for page in with_calls] == ["epiphany_iii", "openshmem_epiphany"]
