"""Estimates of patterns agree with runs of their tests, and say how good they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import nocbench
from nocbench.estimating import budget
from nocbench.estimating.patterns import PATTERNS

if TYPE_CHECKING:
    from conftest import CommandLine


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("name", PATTERNS)
def test_each_pattern_has_an_estimate(name: str, arch: str) -> None:
    pattern = PATTERNS[name]
    cores = {"cores": "3x2" if pattern.cores != "cores" else 4} if pattern.cores else {}
    found = nocbench.estimate(name, arch=arch, calls=2, **cores)  # type: ignore[arg-type]
    assert (found.pattern, found.arch, found.test) == (name, arch, pattern.test)
    assert found.cycles > 0
    assert found.bytes_per_cycle > 0
    assert found.gigabytes_per_second == pytest.approx(found.cycles / found.microseconds * found.bytes_per_cycle / 1000)


def test_an_estimate_is_the_run_of_a_test() -> None:
    found = nocbench.estimate("multicast", arch="blackhole", cores="4x4", bytes="4KiB", calls=8, noc=1)
    (cycles,) = nocbench.run(
        found.test, arch="blackhole", grid="4x4", call_size=4096, num_transactions=8, noc=1, jobs=0
    )["latency_cycles"]
    assert found.cycles == cycles
    assert found.params == {"num_transactions": "8", "call_size": "4096", "grid": "4x4", "noc": "1"}


@pytest.mark.parametrize(
    ("question", "accuracy", "error_percent"),
    [
        ({"pattern": "unicast", "bytes": 4096, "calls": 600}, "extrapolated from 256 calls, fast", 1),
        ({"pattern": "scatter", "cores": "4x4", "calls": 100}, "extrapolated from 16 calls, fast", 1),
        ({"pattern": "signalled_multicast", "cores": "4x4", "calls": 200}, "extrapolated from 8 calls, fast", 2),
        ({"pattern": "dram_bank", "bytes": 32, "calls": 2000}, "extrapolated from 32 calls, exact", 1),
        (
            {"pattern": "all_to_all", "cores": "3x3", "bytes": 65536, "calls": 2},
            "extrapolated from 1 call of 16 KiB, fast",
            2,
        ),
        # The first calls of many cores meet fewer others than those that follow. From two exact calls, writes would be
        # 19 % too fast.
        ({"pattern": "all_to_all", "cores": "3x3", "bytes": 4096, "calls": 32}, "extrapolated from 2 calls, fast", 20),
        (
            {"pattern": "all_from_all", "cores": "3x3", "bytes": 4096, "calls": 32},
            "extrapolated from 2 calls, fast",
            40,
        ),
    ],
)
def test_more_work_than_the_budget_is_extrapolated(
    question: dict[str, object], accuracy: str, error_percent: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budget, "BUDGET_SECONDS", 0.004)
    found = nocbench.estimate(**question)  # type: ignore[arg-type]
    assert found.accuracy == accuracy
    assert found.accuracy in str(found)
    assert found.error is None or "error of exact simulation against silicon" in str(found)
    whole = nocbench.estimate(**question, accuracy="exact")  # type: ignore[arg-type]
    assert whole.accuracy == "exact"
    assert found.cycles == pytest.approx(whole.cycles, rel=error_percent / 100)
    assert found.bytes_per_cycle == pytest.approx(whole.bytes_per_cycle * whole.cycles / found.cycles)


def test_what_is_too_much_for_exact_simulation_is_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "BUDGET_SECONDS", 0.02)
    question = {"pattern": "unicast", "bytes": 65536, "calls": 32}
    found = nocbench.estimate(**question)  # type: ignore[arg-type]
    assert found.accuracy == "fast"
    assert found.cycles == nocbench.estimate(**question, accuracy="fast").cycles  # type: ignore[arg-type]


def test_what_the_simulator_refuses_is_not_extrapolated() -> None:
    with pytest.raises(nocbench.InputError, match=r"num_transactions=32, call_size=1048576.*do not fit"):
        nocbench.estimate("dram_write", cores="8x8", bytes="1MiB", calls=32)


def test_large_points_of_the_full_tier_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    (row,) = nocbench.run(
        "One to One Packet Sizes", arch="blackhole", call_size=65536, num_transactions=256, jobs=0
    ).to_dict("records")
    changed = nocbench.estimate("unicast", arch="blackhole", bytes=65536, calls=256, settings={"router.hop_cycles": 8})
    monkeypatch.setattr(budget, "_run", None)  # nothing is run
    kept = nocbench.estimate("unicast", arch="blackhole", bytes=65536, calls=256)
    assert (kept.cycles, kept.limiter, kept.accuracy) == (row["latency_cycles"], row["limiter"], "exact")
    assert changed.cycles != kept.cycles
    monkeypatch.setattr("nocbench.estimating.kept.digest_of_files", lambda _: "of a changed file")
    with pytest.raises(TypeError):  # it has to be run
        nocbench.estimate("unicast", arch="blackhole", bytes=65536, calls=256)


def test_cores_that_start_one_after_another_meet_fewer_others() -> None:
    assert budget.staggered_cycles(100, 1000, 10, 0) == 1000
    assert budget.staggered_cycles(100, 1000, 10, 200) == 100
    # Each core gets what limits all at one tenth of the rate of one alone: as soon as they meet, they wait.
    assert 100 < budget.staggered_cycles(100, 1000, 10, 90) < 200
    found = nocbench.estimate("all_to_all", arch="blackhole", cores="4x4", bytes=4096, calls=64, start="skewed")
    whole = nocbench.estimate(
        "all_to_all", arch="blackhole", cores="4x4", bytes=4096, calls=64, start="skewed", accuracy="fast"
    )
    assert found.accuracy.startswith("extrapolated")
    assert found.cycles == pytest.approx(whole.cycles, rel=0.15)


def test_settings_change_an_estimate() -> None:
    usual = nocbench.estimate("unicast", calls=1)
    slower = nocbench.estimate("unicast", calls=1, settings={"router.hop_cycles": 20})
    assert slower.cycles > usual.cycles


def test_the_error_is_that_of_the_test_or_of_its_family() -> None:
    of_test = nocbench.estimate("unicast", calls=1).error
    assert of_test is not None
    assert (of_test.of, of_test.points) == ("One to One Packet Sizes", 60)
    assert of_test.median_percent < 1
    of_family = nocbench.estimate("scatter", arch="wormhole_b0", calls=1).error
    assert of_family is not None
    assert of_family.p90_percent >= of_family.median_percent
    nothing = nocbench.estimate("reshard", calls=1)
    assert nothing.error is None
    assert "nothing was published" in str(nothing)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"pattern": "unicst"}, "pattern: expected one of unicast, .*found 'unicst'; did you mean 'unicast'"),
        ({"pattern": "unicast", "nock": 1}, "has no parameter 'nock'; did you mean 'noc'"),
        ({"pattern": "unicast", "cores": 3}, "cores: expected none"),
        ({"pattern": "gather", "cores": "many"}, "cores: expected COLUMNSxROWS, such as 4x4, found 'many'"),
        ({"pattern": "multicast", "cores": "9x9"}, "parameter grid: expected at most 8x8"),
        ({"pattern": "unicast", "accuracy": "good"}, "accuracy: expected one of exact, fast, auto, found 'good'"),
        ({"pattern": "unicast", "arch": "epiphany_iii"}, "not for epiphany_iii"),
        ({"pattern": "unicast", "bytes": "2 pages"}, "2 pages"),
    ],
)
def test_mistakes(arguments: dict[str, object], complaint: str) -> None:
    with pytest.raises(nocbench.InputError, match=complaint):
        nocbench.estimate(**arguments)  # type: ignore[arg-type]


def test_the_command(run_program: CommandLine) -> None:
    listed = run_program("estimate")
    assert [line.split()[0] for line in listed.out.splitlines()] == list(PATTERNS)
    words = run_program("estimate", "read", "--bytes", "64B", "--calls", "1", "-a", "noc=0")
    assert words.out.startswith("read on wormhole_b0 (n150): ")
    assert "limited by the round trip" in words.out
    as_json = run_program("estimate", "read", "--bytes", "64B", "--calls", "1", "-a", "noc=0", "--json")
    values = json.loads(as_json.out)
    assert values["cycles"] == nocbench.estimate("read", bytes=64, calls=1, noc=0).cycles
    assert run_program("estimate", "raed").status == 2
