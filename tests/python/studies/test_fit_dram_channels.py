from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return study_script("fit_dram_channels")


def test_the_published_table_is_complete(script: ModuleType) -> None:
    cells = script.read_cells()
    assert len(cells) == len(set(cells)) == 32
    kinds = {(cell.operation, cell.virtual_channels, cell.placement) for cell in cells}
    assert kinds == {
        ("read", "static", "careful"),
        ("read", "static", "random"),
        *(("write", channels, where) for channels in ("static", "dynamic") for where in ("careful", "random")),
        *(("write", channels, "one channel") for channels in ("static", "dynamic")),
    }
    assert {(cell.noc, cell.cores) for cell in cells} == {(0, 12), (0, 48), (1, 12), (1, 48)}
    assert all(0 < cell.lowest <= cell.highest < 12 * 24 for cell in cells)  # 24 GB/s per channel


def test_an_error_is_the_distance_to_what_was_published(script: ModuleType) -> None:
    cell = script.Cell("write", "dynamic", "one channel", 1, 12, 6.7, 8.0)
    assert cell.error(7.0) == 0
    assert cell.error(6.03) == pytest.approx(-0.1)
    assert cell.error(8.8) == pytest.approx(0.1)
    assert cell.tolerance > script.Cell("write", "dynamic", "careful", 1, 12, 6.7, 8.0).tolerance


def test_orderings_count_only_where_silicon_clearly_differs(script: ModuleType) -> None:
    def cell(cores: int, bandwidth: float) -> object:
        return script.Cell("read", "static", "random", 0, cores, bandwidth, bandwidth)

    low, similar, high = cell(1, 100.0), cell(2, 109.0), cell(3, 125.0)
    assert script.wrong_orderings({low: 1.0, similar: 2.0, high: 3.0}) == []
    assert script.wrong_orderings({low: 2.0, similar: 1.0, high: 3.0}) == []
    assert script.wrong_orderings({low: 3.0, similar: 1.0, high: 2.0}) == [(low, high)]
    assert set(script.wrong_orderings({low: 3.0, similar: 2.0, high: 2.0})) == {(low, high), (similar, high)}


@pytest.mark.parametrize("placement", ["careful", "one channel"])
def test_the_model_is_close_where_nothing_is_left_to_chance(script: ModuleType, placement: str) -> None:
    for cell in script.read_cells():
        if cell.placement == placement and cell.cores == 12:
            assert abs(cell.error(script.simulate(cell, 1, ()))) < cell.tolerance
