"""OpenPiton's router against the published rows of a simulation of its Verilog."""

from __future__ import annotations

import nocbench
from nocbench.published.accuracy_tables import compared_tables
from nocbench.published.reference import read_reference

ARCH = "openpiton"


def test_all_published_rows_are_matched_to_the_last_digit() -> None:
    results = nocbench.run(["Lone Packets", "Open Loop"], arch=ARCH)
    reference = read_reference(())
    tables = [table.accuracy() for table in compared_tables(results, reference) if table.arch == ARCH]
    assert {table.test: (table.points, table.missing) for table in tables} == {
        "Lone Packets": (80, 0),
        "Open Loop": (45, 0),
    }
    # Published means have three decimals, and the smallest is 7.6 cycles.
    assert all(table.max_percent is not None and table.max_percent < 0.01 for table in tables)
    assert results["data_ok"].all()


def test_accepted_flits_are_those_published() -> None:
    results = nocbench.run("Open Loop", arch=ARCH)
    reference = read_reference(())
    keys = ["params", "transaction_size_bytes"]
    accepted = results.merge(reference[reference["arch"] == ARCH], on=keys, suffixes=("", "_published"))
    assert len(accepted) == 45
    ratio = accepted["bandwidth_bytes_per_cycle"] / accepted["bandwidth_bytes_per_cycle_published"]
    assert ((ratio - 1).abs() < 0.01).all()


def test_another_router_takes_other_times() -> None:
    results = nocbench.run("Open Loop", arch=ARCH, settings={"router.release_cycles": 1}, injection_rate=["0.3"])
    as_built = nocbench.run("Open Loop", arch=ARCH, injection_rate=["0.3"])
    assert (results["latency_cycles"].to_numpy() > as_built["latency_cycles"].to_numpy()).any()
    assert results["params"].str.contains("router.release_cycles=1").all()
