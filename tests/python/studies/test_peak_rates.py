"""scripts/studies/peak_rates.py: rates of products against those that the maker of the chips specifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return study_script("peak_rates")


def test_fields_are_close_to_the_specification(script: ModuleType) -> None:
    rates = [*script.rates_of_cores(), *script.rates_of_boards()]
    assert {rate.where for rate in rates} >= {
        "n150, 72 cores",
        "n300, 128 cores",
        "p100a, 120 cores",
        "p150, 140 cores",
    }
    assert max(abs(rate.deviation) for rate in rates) <= script.MOST_DEVIATION


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_loops_come_close_to_their_fields_except_at_lofi(script: ModuleType, arch: str) -> None:
    for fidelity, specified in script.SPECIFIED_FLOP_PER_CYCLE.items():
        rate = script.rate_of_loop(arch, fidelity, "Bfp8_b")
        assert rate <= script.rate_of_core(arch, "", fidelity)
        is_close = rate >= (1 - script.MOST_DEVIATION) * specified
        assert is_close == (fidelity != "LoFi"), fidelity  # the unpackers are slower than 16 instructions
