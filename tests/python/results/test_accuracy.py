from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
import pandas
import pytest
from sample import make_frame, make_reference, make_row

import nocbench
from nocbench.points.swept_tests import Parameter, starts_as_published
from nocbench.published.accuracy_tables import (
    TableAccuracy,
    TotalAccuracy,
    compare_tables,
    compared_tables,
    match,
    missed_bounds,
    parse_bounds,
    select_rows,
    totals_of,
    without_reference,
)
from nocbench.published.alignment import known_tests
from nocbench.published.reference import read_reference
from nocbench.published.reference_files import default_reference_files
from nocbench.results.result_files import to_frame
from nocbench.support.errors import InputError, NothingMatchedError

if TYPE_CHECKING:
    from pathlib import Path


def test_an_error_is_a_share_of_what_was_published() -> None:
    results = to_frame([make_row(num_transactions=1, latency_cycles=150.0)])
    reference = make_reference(results)
    reference["latency_cycles"] = 100.0
    assert match(results, reference)["error_percent"].tolist() == [50.0]


def test_a_table_by_hand() -> None:
    results = to_frame(
        [
            make_row(num_transactions=count, latency_cycles=latency)
            for count, latency in ((1, 101.0), (4, 98.0), (16, 104.0), (64, 100.0))
        ]
    )
    reference = make_reference(results)
    reference["latency_cycles"] = 100.0
    # Sorted errors: 0, 1, 2, 4 %. With linear interpolation, the median is at 1.5, and the 90th percentile at 2.7 of 0
    # to 3.
    assert compare_tables(results, reference) == [
        TableAccuracy(
            arch="wormhole_b0",
            test="One to One Packet Sizes",
            kernel="Sender",
            board="n150",
            params="",
            points=4,
            missing=0,
            median_percent=1.5,
            p90_percent=pytest.approx(3.4),  # type: ignore[arg-type]
            max_percent=4.0,
            worst_num_transactions=16,
            worst_transaction_size_bytes=64,
            worst_latency_cycles=104.0,
            worst_reference_latency_cycles=100.0,
            never_seen_points=4,
            never_seen_median_percent=1.5,
        )
    ]


def test_the_two_medians_by_hand() -> None:
    results = to_frame(
        [
            make_row(num_transactions=count, latency_cycles=latency)
            for count, latency in ((1, 101.0), (4, 98.0), (16, 104.0), (64, 100.0), (256, 107.0))
        ]
    )
    reference = make_reference(results).assign(is_fitted=[True, True, False, False, False])
    reference["latency_cycles"] = 100.0
    # Errors: 1 and 2 % for fitted rows, 4, 0 and 7 % for other rows; a row of another kernel is missing.
    missing = reference.iloc[:1].assign(kernel="Receiver")
    tables = compared_tables(results, pandas.concat([reference, missing]))
    table, empty = (compared.accuracy() for compared in tables)
    assert (table.points, table.median_percent) == (5, 2.0)
    assert (table.fitted_points, table.fitted_median_percent) == (2, 1.5)
    assert (table.never_seen_points, table.never_seen_median_percent) == (3, 4.0)
    assert (empty.fitted_points, empty.fitted_median_percent, empty.never_seen_median_percent) == (0, None, None)
    (more,) = compared_tables(
        to_frame([make_row(arch="blackhole", latency_cycles=109.0)]),
        make_reference(to_frame([make_row(arch="blackhole", latency_cycles=100.0)])),
    )
    assert totals_of([*tables, *tables[:1], more]) == [
        TotalAccuracy("wormhole_b0", 10, 1, 2.0, 4, 1.5, 6, 4.0),
        TotalAccuracy("blackhole", 1, 0, 9.0, 0, None, 1, 9.0),
    ]


def test_percentiles_are_those_of_numpy() -> None:
    results = make_frame()
    reference = make_reference(results)
    reference["latency_cycles"] *= 1 + numpy.sin(numpy.arange(len(reference))) / 30
    errors_percent = 100 * numpy.abs(results["latency_cycles"] / reference["latency_cycles"] - 1)
    (table,) = compare_tables(results, reference)
    assert table.points == 25
    assert table.median_percent == pytest.approx(numpy.median(errors_percent))
    assert table.p90_percent == pytest.approx(numpy.percentile(errors_percent, 90))
    assert table.max_percent == pytest.approx(errors_percent.max())


def test_missing_points_and_kernels() -> None:
    results = make_frame()
    reference = make_reference(results)
    reference = pandas.concat([reference, reference.assign(kernel="Receiver")])
    sender, receiver = compare_tables(results.iloc[3:], reference)
    assert (sender.points, sender.missing) == (22, 3)
    assert (receiver.points, receiver.missing) == (0, 25)
    assert receiver.median_percent is None


def test_tests_that_were_not_run_are_not_missing() -> None:
    results = make_frame()
    reference = make_reference(results)
    other = reference.assign(test="All to All Packet Sizes")
    assert len(compare_tables(results, pandas.concat([reference, other]))) == 1


def test_each_board_and_parameters_is_a_table_of_its_own() -> None:
    results = pandas.concat([make_frame(), make_frame(board="n300"), make_frame(params="noc=1")])
    tables = compare_tables(results, make_reference(make_frame(), 1.01))
    assert [(table.board, table.params, table.points) for table in tables] == [
        ("n150", "", 25),
        ("n300", "", 25),
        ("n150", "noc=1", 25),
    ]
    assert {round(table.max_percent or 0, 4) for table in tables} == {0.9901}


def test_runs_that_start_together_are_not_compared() -> None:
    skewed, together = make_frame(), make_frame(params="start=together")
    reference = make_reference(skewed, 1.01)
    results = pandas.concat([skewed, together])
    assert compare_tables(results, reference) == compare_tables(skewed, reference)
    assert compare_tables(together, reference) == []
    assert without_reference(results, reference) == [("wormhole_b0", "One to One Packet Sizes (start=together)")]
    assert without_reference(skewed, reference) == []


@pytest.mark.parametrize(
    ("default", "as_published"),
    [("skewed", ["skewed"]), ("together", ["together", "barrier"]), ("barrier", ["barrier"]), (None, [])],
)
@pytest.mark.usefixtures("fake_simulator")
def test_starts_that_are_compared(default: str | None, as_published: list[str]) -> None:
    parameters = () if default is None else (Parameter("start", default, ""),)
    test = replace(known_tests("wormhole_b0")["One to One Packet Sizes"], parameters=parameters)
    assert starts_as_published("noc=1", test)
    compared = [start for start in ("skewed", "together", "barrier") if starts_as_published(f"start={start}", test)]
    assert compared == as_published


def test_how_many_transactions_were_simulated_makes_no_table_of_its_own() -> None:
    results = pandas.concat(
        [
            make_frame(counts=(1, 4)),
            make_frame(counts=(16,), params="simulated_transactions=4"),
            make_frame(counts=(1,), params="noc=1"),
            make_frame(counts=(4,), params="noc=1;simulated_transactions=2;steady=0"),
        ]
    )
    tables = compare_tables(results, make_reference(make_frame(counts=(1, 4, 16))))
    assert [(table.params, table.points, table.missing) for table in tables] == [("", 15, 0), ("noc=1", 10, 5)]


def test_the_seven_columns_suffice() -> None:
    results = make_frame()
    (table,) = compare_tables(make_reference(results), make_reference(results, 0.5))
    assert table.median_percent == pytest.approx(100)
    assert (table.board, table.params) == ("", "")


def test_bounds() -> None:
    bounds = parse_bounds("median=0.8, p90=3,max=8")
    assert bounds == {"median": 0.8, "p90": 3.0, "max": 8.0}
    (table,) = compare_tables(make_frame(), make_reference(make_frame(), 1.02))
    assert missed_bounds(table, bounds) == ["median 1.9608 > 0.8"]
    assert missed_bounds(TableAccuracy("a", "t", "k", "", "", 0, 5), bounds) == []
    at_its_bounds = TableAccuracy("a", "t", "k", "", "", 5, 0, median_percent=0.8, p90_percent=3.0, max_percent=8.0)
    assert missed_bounds(at_its_bounds, bounds) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "mean=3",
            "'mean=3' in the bounds is none of median=PERCENT, p90=PERCENT, max=PERCENT; did you mean 'median'?",
        ),
        ("", "'' in the bounds is none of median=PERCENT, p90=PERCENT, max=PERCENT"),
        ("max=x", "the bound 'max=x' has no number"),
        ("max", "the bound 'max' has no number"),
        ("max=-1", "the bound 'max=-1' is not a percentage"),
        ("max=nan", "the bound 'max=nan' is not a percentage"),
    ],
)
def test_bad_bounds(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_bounds(text)
    assert str(error.value) == message


def test_select_rows() -> None:
    results = pandas.concat([make_frame(), make_frame(test="Loopback Packet Sizes"), make_frame(arch="blackhole")])
    assert len(select_rows(results, ["wormhole_b0"], ["one to*"])) == 25
    assert len(select_rows(results)) == 75
    with pytest.raises(NothingMatchedError) as error:
        select_rows(results, [], ["Lopback Packet Sizes"])
    assert str(error.value) == (
        "the results hold no test 'Lopback Packet Sizes'; did you mean 'Loopback Packet Sizes' or "
        "'One to One Packet Sizes'?"
    )
    with pytest.raises(NothingMatchedError) as error:
        select_rows(results, ["epiphany_iii"])
    assert str(error.value) == "the results hold nothing of 'epiphany_iii'"


def test_the_references_that_come_with_nocbench() -> None:
    names = [file.name for file in default_reference_files()]
    assert names == [
        "emulator_quasar_2026.csv",
        "tenstorrent_silicon_2025_07.csv",
        "tenstorrent_silicon_2026_08.csv",
        "verilog_openpiton_2026.csv",
    ]
    emulator, first, second, router = (read_reference([file]) for file in default_reference_files())
    assert (len(emulator), len(first), len(second), len(router)) == (2, 1380, 2190, 125)
    points = first.groupby(["arch", "test", "kernel"]).size()
    assert points.groupby("arch").unique().map(list).to_dict() == {"blackhole": [55], "wormhole_b0": [60]}
    assert (first["test"].nunique(), second["test"].nunique()) == (11, 17)
    assert not first["params"].any()
    assert second.groupby("arch")["test"].nunique().tolist() == [17, 17]
    every = read_reference()
    assert len(every) == len(emulator) + len(first) + len(second) + len(router)
    assert every["riscv"].isna().sum() == len(emulator) + len(first) + len(router)
    fitted = emulator["is_fitted"].sum() + first["is_fitted"].sum() + second["is_fitted"].sum() + len(router)
    assert every["is_fitted"].sum() == fitted


def test_a_point_in_two_references(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        make_reference(make_frame()).to_csv(tmp_path / name, index=False)
    with pytest.raises(InputError) as error:
        read_reference([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert str(error.value) == (
        "One to One Packet Sizes, Sender, on wormhole_b0, 1 x 32 bytes is in several references: "
        f"{tmp_path / 'a.csv'}, {tmp_path / 'b.csv'}"
    )


def test_other_parameters_are_other_points(tmp_path: Path) -> None:
    header = "arch,test,riscv,num_transactions,transaction_size_bytes,latency_cycles,bandwidth_bytes_per_cycle,noc"
    for name, values in {"a.csv": ("0", "1"), "b.csv": ("1",)}.items():
        lines = [f"blackhole,Any Test,riscv_0,1,64,{300 + int(noc)},0.2,{noc}" for noc in values]
        (tmp_path / name).write_text("\n".join([header, *lines]))
    assert read_reference([tmp_path / "a.csv"])["params"].tolist() == ["noc=0", "noc=1"]
    with pytest.raises(InputError) as error:
        read_reference([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert str(error.value) == (
        "Any Test, Sender, on blackhole, 1 x 64 bytes, noc=1, is in several references: "
        f"{tmp_path / 'a.csv'}, {tmp_path / 'b.csv'}"
    )


def test_the_function_for_scripts(tmp_path: Path) -> None:
    make_frame().to_csv(tmp_path / "results.csv", index=False)
    make_reference(make_frame(), 1.25).to_csv(tmp_path / "reference.csv", index=False)
    table = nocbench.accuracy(tmp_path / "results.csv", tmp_path / "reference.csv")
    assert table["max_percent"].tolist() == pytest.approx([20.0])
    pandas.testing.assert_frame_equal(table, nocbench.accuracy(make_frame(), [tmp_path / "reference.csv"]))
    assert nocbench.accuracy(make_frame(test="unheard of")).empty
    # Frames read from CSV by pandas have NaN for an empty text.
    by_pandas = pandas.read_csv(tmp_path / "results.csv")
    assert by_pandas["params"].isna().all()
    pandas.testing.assert_frame_equal(table, nocbench.accuracy(by_pandas, tmp_path / "reference.csv"))
