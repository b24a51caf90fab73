"""scripts/studies/fast_engine.py: the packet-level engine against the exact one on random lists of transfers."""

from __future__ import annotations

import pytest
from study_scripts import study_script

TOTAL_MAX_PERCENT, MEAN_MAX_PERCENT = 20, 10


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("kind", ["both", "dram"])
def test_a_list_is_nearly_as_fast_in_both_engines(arch: str, kind: str) -> None:
    script = study_script("fast_engine")
    table = script.random_list(arch, kind, 0)
    assert table["call_size"].between(1024, 16384).all()
    error, own = script.compare(arch, kind, 0)
    assert 0 < error.total < TOTAL_MAX_PERCENT
    assert 0 < error.mean < MEAN_MAX_PERCENT
    assert own.cores > 0
    assert script.describe([(error, own)]).count(" | ") == 3
