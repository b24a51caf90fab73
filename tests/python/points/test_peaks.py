"""Rows with more bandwidth than their links."""

from __future__ import annotations

import pytest
from sample import make_row

from nocbench.points.peaks import WRONG_DATA, fault_of

pytestmark = pytest.mark.usefixtures("fake_simulator")

PEAK = 32.0
"""Bandwidth of a Wormhole link, in bytes per cycle."""


@pytest.mark.parametrize("bandwidth", [1.0, PEAK, PEAK * (1 + 1e-12)])
def test_what_links_carry_is_right(bandwidth: float) -> None:
    assert fault_of(make_row(bandwidth_bytes_per_cycle=bandwidth)) == ""


@pytest.mark.parametrize("bandwidth", [PEAK * (1 + 1e-6), PEAK * 1.5, PEAK * 100])
def test_more_is_no_result(bandwidth: float) -> None:
    row = make_row(bandwidth_bytes_per_cycle=bandwidth)
    assert fault_of(row) == f"{bandwidth:.10g} B/cycle, above the theoretical maximum of 32"


def test_wrong_data_is_wrong_at_any_rate() -> None:
    assert fault_of(make_row(data_ok=False)) == WRONG_DATA


def test_what_was_measured_is_left_alone() -> None:
    row = make_row(bandwidth_bytes_per_cycle=2 * PEAK)
    del row["data_ok"]
    assert fault_of(row) == ""
