"""Alignment of published rows with results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas
import pytest
from sample import make_row

from nocbench.architectures.description import describe_architecture
from nocbench.published.accuracy_tables import compare_tables, compared_tables, match, not_here_yet
from nocbench.published.alignment import align, as_results, known_tests, variants
from nocbench.published.reference import read_reference
from nocbench.results.result_files import to_frame
from nocbench.support.columns import COMMON_COLUMNS

if TYPE_CHECKING:
    from types import ModuleType

    from nocbench.points.swept_tests import SweptTest
    from nocbench.support.columns import Row

CHANNELS = "One from One Virtual Channels"
GRIDS = "All to All Grid Sweep Packet Sizes 2.0"
SEMAPHORES = "Atomic Semaphore Adjacent Bandwidth Sweep"
BANKS = "DRAM Sharded Read Bank Numbers 2.0"
TO_GRIDS = "Noc Estimator - L1 One to All"
TO_ROWS = "Noc Estimator - L1 One to Row"
MECHANISMS = ["unicast", "multicast", "multicast_linked"]
SWEPT = {
    CHANNELS: {"noc": ["0", "1"], "vcs": ["1", "2", "3", "4"]},
    GRIDS: {"master_grid": ["2x2", "all"], "subordinate_grid": ["2x2", "all"]},
    SEMAPHORES: {"noc": ["0", "1"], "increment": ["1", "2", "3", "4"]},
    BANKS: {"banks": ["1", "2", "12"]},
    TO_GRIDS: {"grid": ["2x2", "all"], "mechanism": MECHANISMS, "loopback": ["0", "1"]},
    TO_ROWS: {"mechanism": MECHANISMS, "loopback": ["0", "1"]},
}


@pytest.fixture(autouse=True)
def later_tests(fake_simulator: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the fake simulator tests that sweep parameters."""
    tests = {name: (900 + number, "one_to_one", ["Sender", "Receiver"]) for number, name in enumerate(SWEPT, start=1)}
    monkeypatch.setattr(fake_simulator, "TESTS", {**fake_simulator.TESTS, **tests})
    monkeypatch.setattr(fake_simulator, "SWEPT", {name: {"full": axes, "quick": axes} for name, axes in SWEPT.items()})


def swept_test(name: str) -> SweptTest:
    return known_tests("wormhole_b0")[name]


def published(*rows: Row, **changes: object) -> pandas.DataFrame:
    """Returns published rows with parameters, by default of writes by RISC 0."""
    names = [*(column.name for column in COMMON_COLUMNS), "riscv", "params"]
    result = make_row(latency_cycles=600.0, bandwidth_bytes_per_cycle=1.7)
    row: Row = {name: result[name] for name in names}
    return pandas.DataFrame([row | changes | of_row for of_row in rows or ({},)])


def results(*rows: Row, **changes: object) -> pandas.DataFrame:
    return to_frame([make_row(**changes | of_row) for of_row in rows or ({},)])


def test_rows_have_the_values_that_they_name() -> None:
    modeled = results(
        *({"params": f"noc={noc};vcs={vcs}", "noc": noc} for noc in (0, 1) for vcs in (1, 2)), test=CHANNELS
    )
    rows = published({"params": "noc=1;vcs=2"}, {"params": "noc=0;vcs=1"}, {"params": "noc=0;vcs=3"}, test=CHANNELS)
    alignment = align(rows, modeled, swept_test(CHANNELS))
    assert alignment.positions == ((3,), (0,), ())
    assert alignment.is_about == (True, True, False)
    assert alignment.rows["params"].tolist() == ["noc=1;vcs=2", "noc=0;vcs=1", "noc=0;vcs=3"]
    assert alignment.differences == ()
    (table,) = compare_tables(modeled, rows)
    assert (table.params, table.points, table.missing) == ("", 2, 1)
    assert table.worst_params == "noc=0;vcs=1"


def test_a_value_that_is_not_named_is_the_default() -> None:
    modeled = results({}, {"params": "destination=3,3"}, {"params": "noc=1", "noc": 1})
    rows = published({"params": "noc=0;destination=(1,1)"}, {"params": "noc=1;destination=(1,1)"})
    alignment = align(rows, modeled, swept_test("One to One Packet Sizes"))
    assert alignment.positions == ((0,), (2,))


def test_what_describes_a_table_is_no_condition() -> None:
    (table,) = compare_tables(results(), published({"params": "mechanism=unicast;pattern=one_to_one;memory=l1"}))
    assert (table.points, table.missing, table.params) == (1, 0, "")
    # One of the two values does not occur in the results.
    rows = published({"params": "memory=l1"}, {"params": "memory=dram"})
    (table,) = compare_tables(results(), rows)
    assert (table.points, table.missing) == (0, 2)


def test_published_rows_without_parameters_are_compared_with_each_variant() -> None:
    modeled = results({}, {"params": "destination=3,3"})
    tables = compare_tables(modeled, published())
    assert [(table.params, table.points) for table in tables] == [("", 1), ("destination=3,3", 1)]


def test_the_kernel_on_a_risc() -> None:
    reader = results(kernel="Receiver", riscv=0, params="banks=1", test=BANKS)
    alignment = align(published(test=BANKS), reader, swept_test(BANKS))
    assert alignment.positions == ((0,),)
    assert alignment.rows["kernel"].tolist() == ["Receiver"]
    # The upstream suite always names the kernel of RISC 0 Sender.
    both = results({"kernel": "Receiver", "riscv": 0}, {"kernel": "Sender", "riscv": 1})
    rows = published({}, {"kernel": "Receiver", "riscv": 1})
    assert align(rows, both, None).positions == ((0,), (1,))
    # If both kernels or neither of them use this RISC, rows are matched by name.
    same = results({"kernel": "Receiver", "riscv": 0}, {"kernel": "Sender", "riscv": 0})
    assert align(rows, same, None).positions == ((1,), (0,))
    assert align(rows.drop(columns="riscv"), both, None).positions == ((1,), (0,))
    assert align(rows.assign(riscv=float("nan")), both, None).positions == ((1,), (0,))


def grid_results(counts: tuple[int, ...] = (1, 4, 16)) -> pandas.DataFrame:
    return results(
        *(
            {
                "num_transactions": count,
                "transaction_size_bytes": destinations * size,
                "call_size_bytes": size,
                "params": f"master_grid={grid};subordinate_grid={grid}",
            }
            for grid, destinations in (("2x2", 4), ("all", 64))
            for count in counts
            for size in (32, 128)
        ),
        test=GRIDS,
    )


def grid_published(counts: tuple[int, ...] = (1, 4, 16)) -> pandas.DataFrame:
    """Returns rows as published in 2026, whose number of transactions includes the factor of destinations."""
    return published(
        *(
            {
                "num_transactions": count * destinations,
                "transaction_size_bytes": size,
                "latency_cycles": 1000.0 * destinations + 10 * count + size,
                "params": f"master_grid={grid};subordinate_grid={grid};pattern=all_to_all",
            }
            for grid, destinations in (("2x2", 4), ("8x8", 64))
            for count in counts
            for size in (32, 128, 512)
        ),
        test=GRIDS,
    )


def test_tables_that_count_calls() -> None:
    modeled = grid_results()
    alignment = align(grid_published(), modeled, swept_test(GRIDS))
    assert [places for places in alignment.positions if places] == [(place,) for place in range(12)]
    assert all(alignment.is_about)
    assert alignment.rows["num_transactions"].tolist() == [*(1, 1, 1, 4, 4, 4, 16, 16, 16)] * 2
    assert alignment.rows["transaction_size_bytes"].tolist()[:3] == [128, 512, 2048]
    matched = match(modeled, grid_published())
    assert matched["reference_latency_cycles"].tolist()[:3] == [4042.0, 4138.0, 4072.0]


def test_tables_that_count_transactions() -> None:
    modeled = grid_results()
    rows = published(
        *(
            {
                "num_transactions": row["num_transactions"],
                "transaction_size_bytes": row["transaction_size_bytes"],
                "params": row["params"].replace("all", "8x8"),
            }
            for row in modeled.to_dict("records")
        ),
        test=GRIDS,
    )
    assert align(rows, modeled, swept_test(GRIDS)).positions == tuple((place,) for place in range(len(modeled)))
    # A row of one transaction shows that transactions are counted, even if 16 of 128 bytes could be 4 calls each.
    one = modeled[(modeled["num_transactions"] == 4) & (modeled["transaction_size_bytes"] == 512)]
    found = align(rows, one.reset_index(drop=True), swept_test(GRIDS)).positions
    assert [place for place, places in enumerate(found) if places] == one.index.tolist()


def test_the_size_of_a_semaphore_is_its_increment() -> None:
    rows = published(
        *({"transaction_size_bytes": value, "params": f"noc=0;increment={value}"} for value in (1, 2)), test=SEMAPHORES
    )
    by_parameter = results(*({"params": f"noc=0;increment={value}"} for value in (2, 1)), test=SEMAPHORES)
    assert align(rows, by_parameter, swept_test(SEMAPHORES)).positions == ((1,), (0,))
    by_size = results(*({"transaction_size_bytes": value} for value in (2, 1)), test=SEMAPHORES)
    assert align(rows, by_size, None).positions == ((1,), (0,))


def test_the_size_of_a_word_is_no_condition() -> None:
    rows = published({"transaction_size_bytes": 32}, {"transaction_size_bytes": 32, "num_transactions": 1})
    words = results(*({"transaction_size_bytes": 4, "num_transactions": count} for count in (1, 16)))
    assert align(rows, words, None).positions == ((1,), (0,))
    # Swept sizes, and sizes other than a word, are a condition.
    sizes = published({"transaction_size_bytes": 32}, {"transaction_size_bytes": 64})
    assert align(sizes, words, None).positions == ((), ())
    packets = words.assign(transaction_size_bytes=64)
    assert align(rows, packets, None).positions == ((), ())


def test_swept_parameters_that_sizes_tell_make_no_table_of_their_own() -> None:
    modeled = results(
        *({"transaction_size_bytes": 65536 * banks, "params": f"banks={banks}"} for banks in (1, 2, 12)), test=BANKS
    )
    rows = published(*({"transaction_size_bytes": 65536 * banks} for banks in (1, 2, 12)), test=BANKS)
    (table,) = compare_tables(modeled, rows)
    assert (table.params, table.points, table.missing) == ("", 3, 0)
    # If times differ, each value has a separate table.
    same_size = modeled.assign(transaction_size_bytes=65536)
    assert variants(same_size, rows, swept_test(BANKS)) == ["banks=1", "banks=2", "banks=12"]


def test_why_nothing_is_compared() -> None:
    rows = published({"params": "num_cores=35;banks=12"})
    (table,) = compared_tables(results({"params": "banks=2"}, num_cores=36), rows)
    assert table.missing == 1
    assert table.differences == ("expected banks 12 as published, found 2",)
    # A number of cores common to a whole table describes it, unless the results have one core.
    (table,) = compared_tables(results({"params": "banks=12"}, num_cores=36), rows)
    assert (table.missing, table.differences) == (0, ())
    (table,) = compared_tables(results({"params": "banks=12"}), rows)
    assert table.differences == ("expected num_cores 35 as published, found 1",)


def test_a_number_of_receivers_names_their_grid() -> None:
    unicasts = [
        {"params": f"grid={grid};mechanism=unicast;loopback=0", "transaction_size_bytes": 64 * receivers}
        for grid, receivers in (("2x2", 4), ("all", 63))
    ]
    multicasts = [
        {"params": f"grid={grid};mechanism={mechanism};loopback=1", "transaction_size_bytes": 64}
        for grid in ("2x2", "all")
        for mechanism in MECHANISMS[1:]
    ]
    modeled = results(*unicasts, *multicasts, test=TO_GRIDS, num_transactions=4, call_size_bytes=64)
    rows = published(
        *(
            {"params": f"loopback={loopback};mechanism={mechanism};subordinates={number}", "num_transactions": count}
            for loopback, mechanism, number, count in (
                *(("False", "unicast", 4, 4 * 4), ("False", "unicast", 63, 4 * 63), ("True", "multicast", 64, 4)),
                *(("True", "multicast_linked", 4, 4), ("True", "multicast", 9, 4)),
            )
        ),
        test=TO_GRIDS,
        transaction_size_bytes=64,
    )
    alignment = align(rows, modeled, swept_test(TO_GRIDS))
    assert alignment.positions == ((0,), (1,), (4,), (3,), ())
    assert alignment.rows["transaction_size_bytes"].tolist() == [256, 63 * 64, 64, 64, 64]


def test_the_number_of_receivers_of_multicasts_to_a_line_is_not_compared() -> None:
    modeled = results(
        {"params": "mechanism=unicast;loopback=0", "transaction_size_bytes": 7 * 64},
        {"params": "mechanism=multicast;loopback=1"},
        test=TO_ROWS,
        num_transactions=4,
        transaction_size_bytes=64,
        call_size_bytes=64,
    )
    rows = published(
        {"params": "mechanism=unicast;subordinates=7", "num_transactions": 28},
        {"params": "mechanism=multicast;subordinates=8", "num_transactions": 4},
        {"params": "mechanism=unicast;subordinates=8", "num_transactions": 32},
        test=TO_ROWS,
        transaction_size_bytes=64,
    )
    assert align(rows, modeled, swept_test(TO_ROWS)).positions == ((0,), (1,), ())


def test_an_unnamed_grid_of_subordinates_is_that_of_the_masters() -> None:
    rows = published(
        {"params": "master_grid=2x2;subordinate_grid=2x2"}, {"params": "master_grid=4x4;subordinate_grid=2x2"}
    )
    modeled = results({"params": "master_grid=4x4;subordinate_grid="}, {"params": "master_grid=2x2;subordinate_grid="})
    assert align(rows, modeled, None).positions == ((1,), ())


@pytest.mark.parametrize("num_cores", [1, 64])
def test_a_table_is_compared_with_the_duration_that_it_holds(num_cores: int) -> None:
    """Covers tables of the median core and of all cores, and results whose latency is either."""
    durations = {"median_core_cycles": 500.0, "all_cores_cycles": 660.0, "num_cores": num_cores}
    of_median = results(latency_cycles=500.0, **durations)
    assert modeled(of_median, published()) == 500
    assert modeled(of_median, published(all_cores_cycles=600.0)) == 660
    of_all = results(latency_cycles=660.0, transaction_size_bytes=num_cores * 64, num_transactions=1, **durations)
    one = published(num_transactions=1)
    assert modeled(of_all, one.assign(all_cores_cycles=600.0)) == 660
    assert modeled(of_all, one) == (660 if num_cores == 1 else 500)
    # Results of earlier revisions have one duration only.
    earlier = of_median.assign(median_core_cycles=0.0, all_cores_cycles=0.0)
    assert modeled(earlier, published(all_cores_cycles=600.0)) == 500


def modeled(results: pandas.DataFrame, reference: pandas.DataFrame) -> float:
    """Returns the compared duration of the only row, after a check of its error in both comparisons."""
    ((row,),) = (table.rows for table in compared_tables(results, reference))
    (error_percent,) = match(results, reference)["error_percent"]
    assert error_percent == pytest.approx(100 * (row.modeled - row.published) / row.published)
    return row.modeled


def test_a_grid_of_masters_is_the_grid_of_a_test_with_one_grid() -> None:
    modeled = results({"params": "grid=2x2"}, {"params": "grid=4x4"})
    rows = published({"params": "master_grid=4x4"}, {"params": "master_grid=2x2"}, {"params": "master_grid=3x3"})
    assert align(rows, modeled, None).positions == ((1,), (0,), ())
    squares = results({"params": "side=2"}, {"params": "side=3"})
    subordinates = published({"params": "subordinate_grid=3x3"}, {"params": "subordinate_grid=2x2"})
    assert align(subordinates, squares, None).positions == ((1,), (0,))
    one_core = published({"params": "master_grid=1x1"})  # describes the table of a test with a grid of receivers
    assert align(one_core, modeled, None).positions == ((0, 1),)


def test_bytes_of_all_cores_or_of_one() -> None:
    rows = published(*({"num_transactions": count, "transaction_size_bytes": 64} for count in (1, 16)))
    modeled = results(
        *({"num_transactions": count, "transaction_size_bytes": 256} for count in (16, 1)),
        call_size_bytes=64,
        num_cores=4,
    )
    assert align(rows, modeled, None).positions == ((1,), (0,))
    # Results whose transactions already include all destinations are of one core.
    assert align(rows.assign(transaction_size_bytes=256), modeled, None).positions == ((1,), (0,))


@pytest.mark.parametrize(
    ("of_result", "of_published", "bandwidth"),
    [
        # Equal bytes: the bandwidth is unchanged.
        ({"transaction_size_bytes": 64}, {"transaction_size_bytes": 64}, 1.7),
        # Bytes of four cores against one, and a table for another number of cores.
        ({"transaction_size_bytes": 256, "call_size_bytes": 64, "num_cores": 4}, {"transaction_size_bytes": 64}, 6.8),
        (
            {"transaction_size_bytes": 256, "call_size_bytes": 64, "num_cores": 4},
            {"transaction_size_bytes": 64, "params": "num_cores=3"},
            5.1,
        ),
        # A word counted as a flit, and a word incremented by three.
        ({"transaction_size_bytes": 4, "call_size_bytes": 4}, {"transaction_size_bytes": 32}, 0.2125),
        (
            {"transaction_size_bytes": 4, "call_size_bytes": 4, "params": "increment=3"},
            {"transaction_size_bytes": 3, "params": "increment=3"},
            1.7 * 4 / 3,
        ),
    ],
)
def test_a_published_bandwidth_is_of_the_bytes_of_the_result(
    of_result: Row, of_published: Row, bandwidth: float
) -> None:
    modeled = results(*({"num_transactions": count} for count in (1, 16)), **of_result)
    rows = published(*({"num_transactions": count} for count in (1, 16, 64)), **of_published)
    aligned = align(rows, modeled, None)
    assert aligned.positions == ((0,), (1,), ())
    assert aligned.rows["bandwidth_bytes_per_cycle"].tolist() == pytest.approx([bandwidth] * 3)  # also without a result
    assert aligned.rows["transaction_size_bytes"].tolist() == [of_result["transaction_size_bytes"]] * 3
    assert match(modeled, rows)["reference_bandwidth_bytes_per_cycle"].tolist() == pytest.approx([bandwidth] * 2)


def test_a_common_start_is_compared_where_it_was_published() -> None:
    modeled = results({}, {"params": "start=together"})
    assert [table.params for table in compare_tables(modeled, published())] == [""]
    (table,) = compare_tables(modeled, published({"params": "start=together"}, {"params": "start=skewed"}))
    assert (table.points, table.missing) == (1, 1)


def test_sides_of_a_comparison() -> None:
    modeled = pandas.concat(
        [
            results({}, {"params": "destination=3,3"}, {"num_transactions": 64, "params": "simulated_transactions=4"}),
            results({"params": "banks=2", "kernel": "Receiver", "transaction_size_bytes": 131072}, test=BANKS),
        ],
        ignore_index=True,
    )
    measured = pandas.concat(
        [
            published({"params": "destination=(1,1);memory=l1"}, {"num_transactions": 64}),
            published({"transaction_size_bytes": 131072}, test=BANKS),
            published(test="Another Test"),
        ],
        ignore_index=True,
    )
    aligned = as_results(measured, modeled)
    assert aligned["test"].tolist() == measured["test"].tolist()
    assert aligned["kernel"].tolist() == ["Sender", "Sender", "Receiver", "Sender"]
    assert aligned["params"].tolist() == ["", "", "banks=2", ""]
    # Measured rows without parameters are left unchanged if they can be matched.
    assert "params" not in as_results(measured.drop(columns="params").iloc[:2], modeled).columns
    # Two measured sides, one of them with more parameters.
    described = published({"params": "mechanism=unicast;noc=0"}, {"params": "mechanism=unicast;noc=1"}, test=CHANNELS)
    plain = published({"params": "noc=1"}, {"params": "noc=0"}, test=CHANNELS)
    assert as_results(plain, described)["params"].tolist() == described["params"].tolist()[::-1]
    assert as_results(described, plain)["params"].tolist() == plain["params"].tolist()[::-1]


def test_tests_that_are_not_here() -> None:
    reference = read_reference()
    tables = not_here_yet(reference, results())
    assert ("wormhole_b0", "One to One Packet Sizes") not in tables
    assert ("blackhole", CHANNELS) not in tables
    assert ("blackhole", "PCIe Read Bandwidth Sweep") in tables
    assert not_here_yet(reference, results(), ["blackhole"], ["pcie*"]) == [("blackhole", "PCIe Read Bandwidth Sweep")]
    held = results(arch="blackhole", test="PCIe Read Bandwidth Sweep")
    assert not_here_yet(reference, held, ["blackhole"], ["pcie*"]) == []


def test_the_whole_grid_is_that_of_the_board() -> None:
    modeled = results(*({"params": "master_grid=all", "board": board} for board in ("n150", "n300", "unheard of")))
    rows = published({"params": "master_grid=8x8"}, {"params": "master_grid=2x2"})
    assert describe_architecture("wormhole_b0").boards["n150"]["compute_columns"] == 8
    assert align(rows, modeled, None).positions == ((0, 1, 2), ())


def test_all_banks_are_those_of_the_board() -> None:
    modeled = results(*({"params": "banks=all", "board": board} for board in ("n150", "unheard of")), test=BANKS)
    rows = published({"params": "banks=12"}, {"params": "banks=2"}, test=BANKS)
    assert align(rows, modeled, swept_test(BANKS)).positions == ((0, 1), ())
