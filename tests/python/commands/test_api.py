from __future__ import annotations

from typing import TYPE_CHECKING

import fake_core
import pandas
import pytest

import nocbench
from nocbench.support.columns import RESULT_COLUMNS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("fake_simulator")


def test_run() -> None:
    frame = nocbench.run("One to One Packet Sizes", arch="wormhole_b0", num_transactions=[1, 16], jobs=0)
    assert list(frame.columns) == [column.name for column in RESULT_COLUMNS]
    assert frame["num_transactions"].tolist() == [1] * 4 + [16] * 4
    assert frame["transaction_size_bytes"].tolist() == [32, 64, 128, 256] * 2
    assert frame["latency_cycles"].dtype == "float64"
    assert frame["data_ok"].dtype == "bool"


def test_what_run_returns_is_what_the_command_line_writes(tmp_path: Path) -> None:
    frame = nocbench.run(["4", 16], tier="quick", settings={"router.hop_cycles": 10}, jobs=0)
    frame.to_csv(tmp_path / "results.csv", index=False)
    pandas.testing.assert_frame_equal(nocbench.read_results(tmp_path / "results.csv"), frame)
    assert set(frame["test"]) == {"One to One Packet Sizes", "Loopback Packet Sizes"}
    assert set(frame["params"]) == {"router.hop_cycles=10"}


def test_run_with_parameters_and_details(tmp_path: Path) -> None:
    frame = nocbench.run(
        4,
        arch=["blackhole"],
        board="p150",
        destination=[(1, 1), (2, 2)],
        call_size="64B:256B:x2",
        jobs=0,
        detail=tmp_path,
    )
    assert len(frame) == 2 * 3 * 3
    assert len(list(tmp_path.rglob("*.json"))) == 18


def test_crashes_are_an_error_that_holds_the_rest() -> None:
    with pytest.raises(nocbench.IncompleteResultsError, match="the model lost a packet") as error:
        nocbench.run(4, arch="blackhole", fault=["none", "raise"], call_size=64, num_transactions=1, jobs=0)
    assert len(error.value.rows) == 1
    assert len(error.value.crashes) == 1


def test_wrong_data_says_what_was_wrong() -> None:
    with pytest.warns(nocbench.WrongDataWarning, match=r"fault=wrong_data: .* byte 5: expected 0x12, found 0x34"):
        frame = nocbench.run(
            4, arch="blackhole", fault=["none", "wrong_data"], call_size=64, num_transactions=1, jobs=0
        )
    assert list(frame.columns) == [column.name for column in RESULT_COLUMNS]
    assert frame.attrs["data_faults"] == {1: fake_core.WRONG_BYTE}


def test_rows_above_their_maximum_say_so_likewise() -> None:
    with pytest.warns(
        nocbench.WrongDataWarning, match=r"fault=impossible: 1000000\.\d+ B/cycle, above the theoretical"
    ):
        frame = nocbench.run(4, arch="blackhole", fault="impossible", call_size=64, num_transactions=1, jobs=0)
    assert frame.attrs["data_faults"] == {0: "1000000.213 B/cycle, above the theoretical maximum of 64"}


def test_input_errors_are_value_errors() -> None:
    with pytest.raises(ValueError, match="no test is called 'zzz'"):
        nocbench.run("zzz")
    with pytest.raises(
        nocbench.InputError, match="has no parameter 'num_transaction'; did you mean 'num_transactions'"
    ):
        nocbench.run(4, num_transaction=1)
    with pytest.raises(nocbench.InputError, match="call_size=: an empty value"):
        nocbench.run(4, call_size=[])


def test_list_tests() -> None:
    tests = nocbench.list_tests()
    assert len(tests) == 8
    assert [test.test_id for test in nocbench.list_tests("wormhole_b0")] == [0, 4, 5, 16]
    assert tests[0].num_points("full") == 12
    assert tests[0].theoretical_bytes_per_cycle == 64.0


def test_the_name_accuracy_stays_a_function() -> None:
    import nocbench.published.accuracy_tables

    assert callable(nocbench.accuracy)
