"""Constants of calls with status `derived` equal the cost of the calls' instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from study_scripts import study_script

from nocbench.points.constants import read_constants

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="module")
def study() -> ModuleType:
    return study_script("derive_call_costs")


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_derived_constants_are_what_their_instructions_take(study: ModuleType, arch: str) -> None:
    constants = [one for one in read_constants(arch) if one.path.startswith("risc.")]
    derived = {one.path: float(one.value) for one in constants if one.status == "derived"}
    calls = {call.field: call for call in study.CALLS if call.field in derived}
    assert calls.keys() == derived.keys()
    assert {path: study.derived(call, arch) for path, call in calls.items()} == derived


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_calls_cost_what_they_cost_on_silicon(study: ModuleType, arch: str) -> None:
    """Computed from instructions alone, writes are within 2 % of silicon, and reads within 6 %."""
    place = study.ARCHITECTURES.index(arch)
    for name, tolerance in (("write", 0.02), ("stateful write", 0.02), ("linked multicast", 0.02), ("read", 0.06)):
        call = next(call for call in study.CALLS if call.name == name)
        if call.silicon[place] is not None:
            assert study.derived(call, arch) == pytest.approx(call.silicon[place], rel=tolerance)


def test_arguments_come_from_l1(study: ModuleType) -> None:
    """Blackhole's data cache is off, which costs a call that loads two arguments six cycles; within 10 % of silicon."""
    call = next(call for call in study.CALLS if call.name == "write to coordinates that are loaded from L1")
    assert study.derived(call, "blackhole") == 33 + 6
    assert study.derived(call, "blackhole") == pytest.approx(call.silicon[1], rel=0.1)


def test_what_constants_cannot_know_is_timed(study: ModuleType) -> None:
    """A length unknown to the compiler costs six more cycles on Wormhole and nine on Blackhole."""
    known, unknown = (
        next(call for call in study.CALLS if call.name == name)
        for name in ("write", "write, length not known to the compiler")
    )
    more = [study.derived(unknown, arch) - study.derived(known, arch) for arch in study.ARCHITECTURES]
    assert more == pytest.approx([6, 9], abs=0.2)
