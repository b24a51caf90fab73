from __future__ import annotations

import os
import stat
from pathlib import Path

import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample import make_row, make_sweep

from nocbench.results.result_files import read_results, require_writable, to_csv, to_frame, write_results
from nocbench.results.same_points import read_combined
from nocbench.support.columns import ALL_COLUMNS, COMMON_COLUMNS, PROGRAM_COLUMNS, RESULT_COLUMNS
from nocbench.support.errors import InputError

HEADER = "arch,test,kernel,num_transactions,transaction_size_bytes,latency_cycles,bandwidth_bytes_per_cycle"
RESULT_HEADER = (
    f"{HEADER},call_size_bytes,primitive,test_id,board,noc,riscv,num_cores,median_core_cycles,all_cores_cycles,"
    "clock_hz,data_ok,limiter,params,revision"
)
LINE = "wormhole_b0,One to One Packet Sizes,Sender,1,32,294,0.1088"


def test_the_columns_are_those_of_the_contract() -> None:
    assert [column.name for column in COMMON_COLUMNS] == HEADER.split(",")
    assert [column.name for column in RESULT_COLUMNS] == RESULT_HEADER.split(",")


def test_csv_is_exact_and_short() -> None:
    assert to_csv([make_row(), make_row(latency_cycles=294.0, params="a=(1,1);b=2", data_ok=False)]) == (
        f"{RESULT_HEADER}\n"
        "wormhole_b0,One to One Packet Sizes,Sender,16,64,640.5,1.5987509758001561,64,one_to_one,4,n150,0,0,1,0,0,"
        "1000000000,True,issue,,0123456789ab\n"
        "wormhole_b0,One to One Packet Sizes,Sender,16,64,294,1.5987509758001561,64,one_to_one,4,n150,0,0,1,0,0,"
        '1000000000,False,issue,"a=(1,1);b=2",0123456789ab\n'
    )


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_results_of_earlier_revisions_lack_two_durations(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"results{suffix}"
    earlier = to_frame(make_sweep()).drop(columns=["median_core_cycles", "all_cores_cycles"])
    earlier.to_csv(path, index=False) if suffix == ".csv" else earlier.to_parquet(path)
    pandas.testing.assert_frame_equal(read_results(path), to_frame(make_sweep()))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_is_written_reads_back_the_same(tmp_path: Path, suffix: str) -> None:
    rows = make_sweep()
    path = tmp_path / f"results{suffix}"
    write_results(rows, path)
    frame = read_results(path)
    pandas.testing.assert_frame_equal(frame, to_frame(rows))
    assert list(frame.columns) == [column.name for column in RESULT_COLUMNS]
    assert [path.name for path in tmp_path.iterdir()] == [path.name]
    first = path.read_bytes()
    write_results(rows, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_only_files_with_programs_that_compute_have_their_columns(tmp_path: Path, suffix: str) -> None:
    work = {column.name: 7 if column.kind != "text" else "dram" for column in PROGRAM_COLUMNS}
    rows = [make_row(), make_row(kernel="compute (math)") | work]
    path = tmp_path / f"results{suffix}"
    write_results(rows, path)
    frame = read_results(path)
    pandas.testing.assert_frame_equal(frame, to_frame(rows))
    assert list(frame.columns) == [column.name for column in ALL_COLUMNS]
    assert frame.program_operations.tolist() == [0, 7]
    assert frame.program_limiter.tolist() == ["", "dram"]
    other = tmp_path / f"other{suffix}"
    write_results([make_row(num_transactions=4)], other)
    both = read_combined([other, path])
    assert both.program_cycles.tolist() == [0, 0, 7]


@given(st.floats(min_value=1e-300, allow_infinity=False), st.floats(min_value=1e-300, allow_infinity=False))
def test_numbers_survive_csv(tmp_path_factory: pytest.TempPathFactory, latency: float, bandwidth: float) -> None:
    path = tmp_path_factory.mktemp("csv") / "results.csv"
    write_results([make_row(latency_cycles=latency, bandwidth_bytes_per_cycle=bandwidth)], path)
    frame = read_results(path)
    assert frame["latency_cycles"][0] == latency
    assert frame["bandwidth_bytes_per_cycle"][0] == bandwidth


def test_published_measurements_have_the_common_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "published.csv"
    path.write_text(f"{HEADER}\n{LINE}\n")
    frame = read_results(path)
    assert list(frame.columns) == HEADER.split(",")
    assert frame.to_dict("records")[0]["latency_cycles"] == 294.0


def test_any_order_of_columns_line_ends_and_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "published.csv"
    path.write_bytes(
        b"\xef\xbb\xbfdate,latency_cycles,arch,test,kernel,num_transactions,transaction_size_bytes,"
        b"bandwidth_bytes_per_cycle\r\n2025-07-07,294,wormhole_b0,One to One Packet Sizes,Sender,1,32,0.1088\r\n\r\n"
    )
    frame = read_results(path)
    assert list(frame.columns) == HEADER.split(",")
    assert frame["kernel"].tolist() == ["Sender"]


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("", ["{path}: is empty"]),
        (HEADER, ["{path}: holds no rows"]),
        (
            HEADER.replace("latency_cycles", "latency_cycle").replace("kernel,", ""),
            [
                "{path}:1: there is no column 'kernel'",
                "{path}:1: there is no column 'latency_cycles'; did you mean 'latency_cycle'?",
            ],
        ),
        (f"{HEADER},arch\n", ["{path}:1: column 'arch' is there twice"]),
        (f"{HEADER}\n{LINE}\n{LINE}\n", ["{path}:3: the same point as in line 2"]),
        (f"{HEADER}\n{LINE},5\n", ["{path}:2: 8 values for 7 columns"]),
        (
            f"{HEADER}\na,b,c,1.5,x,nan,0\n,b,c,0,32,-1,inf\n",
            [
                "{path}:2: num_transactions: '1.5' is not a whole number",
                "{path}:2: transaction_size_bytes: 'x' is not a number",
                "{path}:2: latency_cycles: 'nan' is not a finite number",
                "{path}:2: bandwidth_bytes_per_cycle: '0' is not above 0",
                "{path}:3: arch: is empty",
                "{path}:3: num_transactions: '0' is below 1",
                "{path}:3: latency_cycles: '-1' is not above 0",
                "{path}:3: bandwidth_bytes_per_cycle: 'inf' is not a finite number",
            ],
        ),
        (
            (
                f"{HEADER},params\na,b,c,1,99999999999999999999,1,1,x=1;simulated_transactions=y\n"
                "a,b,c,1e30,9223372036854775807,1,1,simulated_transactions=99999999999999999999\n"
            ),
            [
                (
                    "{path}:2: transaction_size_bytes: '99999999999999999999' is above 9223372036854775807, "
                    "the largest integer of 64 bits"
                ),
                "{path}:2: params: simulated_transactions: 'y' is not a whole number",
                (
                    "{path}:3: num_transactions: '1000000000000000019884624838656' is above 9223372036854775807, "
                    "the largest integer of 64 bits"
                ),
                (
                    "{path}:3: params: simulated_transactions: '99999999999999999999' is above 9223372036854775807, "
                    "the largest integer of 64 bits"
                ),
            ],
        ),
        (f"{HEADER},data_ok\n{LINE},perhaps\n", ["{path}:2: data_ok: 'perhaps' is neither True nor False"]),
        (f'{HEADER}\n{LINE}\n"wormhole', ["{path}:3: expected CSV, found a mistake in it: unexpected end of data"]),
    ],
)
def test_bad_files_are_refused_with_every_mistake(tmp_path: Path, text: str, messages: list[str]) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(InputError) as error:
        read_results(path)
    assert str(error.value).splitlines() == [message.format(path=path) for message in messages]


def test_integers_keep_all_of_their_digits(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    path.write_text(f"{HEADER}\na,b,c,1,9007199254740993,1,1\n")
    assert read_results(path)["transaction_size_bytes"].tolist() == [9007199254740993]


def test_a_long_list_of_mistakes_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(f"{HEADER}\n" + "a,b,c,1,32,0,1\n" * 30)
    with pytest.raises(InputError) as error:
        read_results(path)
    lines = str(error.value).splitlines()
    assert len(lines) == 21
    assert lines[-1] == "... and 10 more mistakes"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.csv", None, "{path}: cannot be read: No such file or directory"),
        ("missing.parquet", None, "{path}: cannot be read: No such file or directory"),
        ("results.txt", b"", "{path}: the name of a results file ends in .csv or .parquet or .md or .markdown"),
        ("binary.csv", b"\xff\xfe\x00", "{path}: expected results as CSV in UTF-8, found other bytes"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes | None, message: str) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_results(path)
    assert str(error.value) == message.format(path=path)


def test_a_text_is_no_parquet(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    path.write_text(HEADER)
    with pytest.raises(InputError) as error:
        read_results(path)
    assert str(error.value).startswith(f"{path}: is not a Parquet file: ")


def test_lists_in_a_parquet_file_are_no_values(tmp_path: Path) -> None:
    path = tmp_path / "results.parquet"
    pandas.DataFrame([make_row() | {"latency_cycles": [7]}]).to_parquet(path)
    with pytest.raises(InputError) as error:
        read_results(path)
    assert str(error.value) == f"{path}:1: latency_cycles: '[7]' is not a number"


def test_boards_and_parameters_make_different_points(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    write_results([make_row(), make_row(board="n300"), make_row(params="noc=1")], path)
    assert len(read_results(path)) == 3


def test_whole_or_shortened_it_is_the_same_point(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    write_results([make_row(params="noc=1"), make_row(params="noc=1;simulated_transactions=4;steady=0")], path)
    with pytest.raises(InputError) as error:
        read_results(path)
    assert str(error.value) == f"{path}:3: the same point as in line 2"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_text("old")
    with pytest.raises(KeyError):
        write_results([{"arch": "wormhole_b0"}], path)
    assert path.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def test_a_full_disk_is_an_input_error_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_bytes(self: Path, data: bytes) -> int:
        with self.open("wb") as file:
            file.write(data[: len(data) // 2])
        if data:
            raise OSError(28, "No space left on device")
        return 0

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(InputError) as error:
        write_results(make_sweep(), tmp_path / "results.csv")
    assert str(error.value) == f"{tmp_path / 'results.csv'}: cannot be written: No space left on device"
    assert [path.name for path in tmp_path.iterdir()] == []


def test_a_link_stays_a_link_and_the_umask_holds(tmp_path: Path) -> None:
    target = tmp_path / "target.csv"
    link = tmp_path / "link.csv"
    link.symlink_to(target)
    before = os.umask(0o022)
    try:
        write_results(make_sweep(), link)
    finally:
        os.umask(before)
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o644


def test_require_writable(tmp_path: Path) -> None:
    require_writable(tmp_path / "results.csv")
    require_writable(Path("/dev/null"))
    for path, message in {
        tmp_path / "results.xls": "{path}: the name of a results file ends in .csv or .parquet",
        tmp_path / "no" / "results.csv": f"{{path}}: there is no directory {tmp_path / 'no'}",
    }.items():
        with pytest.raises(InputError) as error:
            require_writable(path)
        assert str(error.value) == message.format(path=path)
    (tmp_path / "directory.csv").mkdir()
    with pytest.raises(InputError) as error:
        require_writable(tmp_path / "directory.csv")
    assert str(error.value) == f"{tmp_path / 'directory.csv'}: cannot be written: Is a directory"
