"""Several files with results of equal points."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_frame, make_reference, make_row, make_sweep

from nocbench.commands.inputs import read_or_measure
from nocbench.results.result_files import read_results, write_results
from nocbench.results.same_points import combine, different_values
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from conftest import CommandLine

KEPT, AGAIN = Path("kept.csv"), Path("again.csv")


def test_each_point_is_there_once_as_the_first_file_has_it() -> None:
    again = [make_row(revision="new"), make_row(num_transactions=64, revision="new")]
    kept = [make_row(revision="old"), make_row(kernel="Receiver", revision="old")]
    rows = combine([(AGAIN, again), (KEPT, kept)])
    assert rows == [*again, kept[1]]


def test_other_boards_and_parameters_are_other_points() -> None:
    rows = [make_row(), make_row(board="n300"), make_row(params="start=together"), make_row(params="noc=1")]
    assert combine([(AGAIN, rows[:2]), (KEPT, rows)]) == rows


def test_a_difference_is_refused() -> None:
    with pytest.raises(InputError) as error:
        combine([(AGAIN, [make_row()]), (KEPT, [make_row(latency_cycles=641.0, limiter="link", revision="old")])])
    assert str(error.value) == (
        "again.csv and kept.csv have different values of One to One Packet Sizes, Sender, on wormhole_b0 (n150), "
        "num_transactions=16, call_size=64: latency_cycles 640.5 and 641.0, limiter issue and link, "
        "revision 0123456789ab and old"
    )


def test_durations_that_earlier_revisions_did_not_write_are_no_difference() -> None:
    rows = [make_row(median_core_cycles=640.5, all_cores_cycles=700.0)]
    assert combine([(AGAIN, rows), (KEPT, [make_row(revision="old")])]) == rows
    with pytest.raises(InputError, match=r"all_cores_cycles 700\.0 and 701\.0$"):
        combine([(AGAIN, rows), (KEPT, [rows[0] | {"all_cores_cycles": 701.0}])])


def test_a_shortened_point_is_the_whole_one() -> None:
    shortened = make_row(params="simulated_transactions=8", latency_cycles=650.0)
    (difference,) = different_values([(AGAIN, [make_row()]), (KEPT, [shortened])])
    assert difference.endswith("latency_cycles 640.5 and 650.0, params  and simulated_transactions=8")


def test_many_differences_are_counted() -> None:
    rows = make_sweep()
    with pytest.raises(InputError, match=r"\n\.\.\. and 5 more$"):
        combine([(AGAIN, rows), (KEPT, [row | {"limiter": "dram"} for row in rows])])


@pytest.mark.usefixtures("fake_simulator")
class TestCommands:
    """Commands that take several results files."""

    def test_a_point_in_two_files_is_one_point(self, tmp_path: Path) -> None:
        write_results(make_sweep(), tmp_path / "again.csv")
        write_results([*make_sweep(revision="old"), make_row(test="Loopback Packet Sizes")], tmp_path / "kept.parquet")
        results = read_or_measure([tmp_path / "again.csv", tmp_path / "kept.parquet"], None)
        assert len(results) == 26
        assert list(results["revision"].unique()) == ["0123456789ab"]
        assert results.dtypes.equals(read_results(tmp_path / "again.csv").dtypes)

    def test_pages_of_files_that_differ_are_refused(self, run_here: CommandLine, tmp_path: Path) -> None:
        write_results(make_sweep(), tmp_path / "again.csv")
        write_results([row | {"latency_cycles": 1.0} for row in make_sweep()], tmp_path / "kept.csv")
        make_reference(make_frame()).to_csv(tmp_path / "reference.csv", index=False)
        completed = run_here(
            *("plot", tmp_path / "again.csv", tmp_path / "kept.csv", "-o", tmp_path / "pages"),
            *("--reference", tmp_path / "reference.csv"),
        )
        assert completed.status == 2
        assert "again.csv and" in completed.err
        assert "have different values of One to One Packet Sizes, Sender, on wormhole_b0" in completed.err
        assert not (tmp_path / "pages").exists()
