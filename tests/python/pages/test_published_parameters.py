"""Pictures of tests whose published rows name parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
import pandas
import pytest
from sample import make_row

from nocbench.pages.page_files import pages_of, write_pages
from nocbench.pages.plots import draw
from nocbench.pages.sections import sections_of
from nocbench.points.swept_tests import PARAMETERS, TRANSACTION_SIZES, list_tests
from nocbench.published.reference import with_origin
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

    from nocbench.points.swept_tests import SweptTest

TEST = "One from One Virtual Channels"
AXES = {"noc": ["0", "1"], "vcs": ["1", "2", "3", "4"]}


@pytest.fixture(autouse=True)
def channels_test(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the fake simulator a test of virtual channels."""
    monkeypatch.setattr(fake_simulator, "TESTS", {**fake_simulator.TESTS, TEST: (152, "one_from_one", ["Receiver"])})
    monkeypatch.setattr(fake_simulator, "SWEPT", {TEST: {"full": AXES, "quick": AXES}})


def show(monkeypatch: pytest.MonkeyPatch, picture: str, plotted: tuple[str, ...]) -> None:
    """Sets the kind of the test's picture."""

    def changed(arch: str) -> list[SweptTest]:
        return [
            replace(test, picture=picture, plotted=plotted) if test.test == TEST else test for test in list_tests(arch)
        ]

    monkeypatch.setattr("nocbench.points.swept_tests.list_tests", changed)


def make_channels(sizes: tuple[int, ...]) -> pandas.DataFrame:
    return to_frame(
        [
            make_row(
                test=TEST, test_id=152, primitive="one_from_one", kernel="Receiver", noc=int(noc), riscv=1,
                num_transactions=256, transaction_size_bytes=size, call_size_bytes=size,
                latency_cycles=300.0 + size * int(vcs), bandwidth_bytes_per_cycle=30.0 / int(vcs),
                params=f"noc={noc};vcs={vcs}",
            )
            for noc in AXES["noc"]
            for vcs in AXES["vcs"]
            for size in sizes
        ]
    )  # fmt: skip


def make_published(results: pandas.DataFrame) -> pandas.DataFrame:
    """Returns published rows: 1 % higher, in another order, and with a number of channels that was not run."""
    rows = results.iloc[::-1].assign(latency_cycles=results["latency_cycles"] * 1.01)
    rows = pandas.concat([rows, rows.iloc[:1].assign(params="noc=0;vcs=5")], ignore_index=True)
    columns = ["arch", "test", "kernel", "num_transactions", "transaction_size_bytes", "latency_cycles"]
    return with_origin(rows[[*columns, "bandwidth_bytes_per_cycle", "riscv", "params"]])


def test_along_a_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, PARAMETERS, ("vcs", "noc"))
    results = make_channels((2048,))
    (section,) = sections_of(results, make_published(results))["wormhole_b0"]
    assert section.results["error_percent"].round(2).tolist() == [-0.99] * 8
    assert section.reference.groupby("noc")["vcs"].apply(sorted).tolist() == [[1, 2, 3, 4]] * 2
    duration, _ = draw(section).axes[:2]
    lines = [
        [numpy.asarray(values, dtype=float).tolist() for values in line.get_data()] for line in duration.get_lines()
    ]
    assert len(lines) == 4  # model and silicon for each NoC
    for along, cycles in lines:
        factor = 1.01 if sorted(along) != along else 1
        assert cycles == pytest.approx([factor * (300 + 2048 * vcs) for vcs in along])


def test_along_sizes_where_only_one_value_was_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    show(monkeypatch, TRANSACTION_SIZES, ())
    results = make_channels((32, 1024))
    published = make_published(results)
    one = results[results["params"] == "noc=1;vcs=2"]
    (section,) = sections_of(one, published)["wormhole_b0"]
    assert len(section.reference) == 2
    assert section.reference["latency_cycles"].tolist() == pytest.approx([1.01 * 364, 1.01 * 2348])
    page, _ = write_pages(pages_of(sections_of(results, published)), tmp_path)
    assert "| Receiver | 1 | 1 | 256 | 1 KiB | 1324 | 1337.24 | -0.99 % |" in page.read_text()


def test_a_kernel_that_the_suite_calls_otherwise() -> None:
    results = make_channels((32,)).assign(riscv=0)
    published = make_published(results).assign(kernel="Sender")
    (section,) = sections_of(results, published)["wormhole_b0"]
    assert set(section.reference["kernel"]) == {"Receiver"}
