from __future__ import annotations

from typing import TYPE_CHECKING

import pandas
import pytest
from sample import make_frame, make_reference

from nocbench.pages.architecture_page import render_architecture
from nocbench.pages.families import MAIN_FILE
from nocbench.pages.sections import Section, sections_of
from nocbench.pages.tables.launch_spread import launch_spread

if TYPE_CHECKING:
    from types import ModuleType

TEST = {"test": "All to All Packet Sizes", "primitive": "all_to_all", "counts": (1,), "sizes": (2048, 8192)}


@pytest.fixture(autouse=True)
def common_start(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the fake simulator a test whose cores start together by default."""
    tests = {TEST["test"]: (60, "all_to_all", ["Sender"])}
    monkeypatch.setattr(fake_simulator, "TESTS", {**fake_simulator.TESTS, **tests})
    monkeypatch.setitem(fake_simulator.START, "default", "together")


def run(bandwidths: tuple[float, float], params: str = "") -> pandas.DataFrame:
    """Returns two points, of 2 and of 8 KiB."""
    return make_frame(**TEST, params=params).assign(bandwidth_bytes_per_cycle=bandwidths)


def skewed(skew_cycles: int) -> str:
    return f"start=skewed;board.launch_skew_cycles={skew_cycles}"


def page_of(published: tuple[float, float], *runs: pandas.DataFrame) -> list[Section]:
    reference = make_reference(runs[0]).assign(bandwidth_bytes_per_cycle=published)
    return sections_of(pandas.concat(runs, ignore_index=True), reference)["wormhole_b0"]


def test_published_points_within_and_outside_of_the_range() -> None:
    runs = run((10.0, 20.0)), run((12.0, 19.0), skewed(1)), run((11.0, 24.0), skewed(13))
    page = page_of((11.5, 30.0), *runs)
    spread = launch_spread(page[0], page)
    assert spread is not None
    assert list(spread.columns)[2:] == [
        "silicon, B/cycle",
        "model, all together",
        "lowest",
        "highest",
        "silicon within the range",
    ]
    assert spread.rows == [
        ["1", "2 KiB", "11.5", "10.0", "10.0", "12.0", "yes"],
        ["1", "8 KiB", "30.0", "20.0", "19.0", "24.0", "25.0 % above"],
    ]
    assert "over 3 runs of the model: one in which all cores start together, and 2 in which they start 1 and 13 " in (
        spread.summary
    )
    assert "exceeds the lowest by 23.2 % in the median, and by at most 26.3 %. At 1 of 2 points, silicon " in (
        spread.summary
    )
    text = render_architecture(page)[MAIN_FILE]
    assert text.count("| 1 | 2 KiB | 11.5 | 10.0 | 10.0 | 12.0 | yes |\n") == 1
    (below,) = (row for row in _rows((5.0, 20.0), *runs) if row[-1] != "yes")
    assert below[-1] == "50.0 % below"


def _rows(published: tuple[float, float], *runs: pandas.DataFrame) -> list[list[str]]:
    page = page_of(published, *runs)
    spread = launch_spread(page[0], page)
    return spread.rows if spread else []


@pytest.mark.parametrize("params", ["", "start=barrier", "start=skewed", f"noc=1;{skewed(1)}"])
def test_other_runs_are_of_no_spread(params: str) -> None:
    assert _rows((10.0, 20.0), run((10.0, 20.0)), *([run((12.0, 19.0), params)] if params else [])) == []


def test_a_point_that_not_all_skewed_runs_have() -> None:
    runs = run((10.0, 20.0)), run((12.0, 19.0), skewed(1)).iloc[:1]
    assert [row[:2] for row in _rows((11.5, 30.0), *runs)] == [["1", "2 KiB"]]


def test_runs_that_nothing_was_published_about() -> None:
    runs = pandas.concat([run((10.0, 20.0)), run((12.0, 19.0), skewed(1))], ignore_index=True)
    page = sections_of(runs, make_reference(runs).iloc[:0])["wormhole_b0"]
    assert launch_spread(page[0], page) is None
