"""Files of measurements, written by the tt-metal suite and other programs."""

from __future__ import annotations

from pathlib import Path

import pandas
import pytest
from sample import make_row

from nocbench.results.headings import architecture_in, column_called, plain_value, riscv_in
from nocbench.results.result_files import read_results, write_results
from nocbench.support.columns import ALL_CORES, COMMON_COLUMNS
from nocbench.support.errors import InputError

SUITE_HEADINGS = (
    "RISC,Run Host ID,Transaction Size (bytes),Number of Transactions,Latency (cycles),Bandwidth (bytes/cycle)"
)
SILICON_2026 = Path(__file__).parents[3] / "plots" / "reference" / "tenstorrent_silicon_2026_08.csv"
COMMON = [column.name for column in COMMON_COLUMNS]


def write(directory: Path, name: str, *lines: str) -> Path:
    """Writes lines to a file, and creates its folder if needed."""
    path = directory / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def read_one(path: Path) -> dict[str, object]:
    (row,) = read_results(path).to_dict("records")
    return {str(name): value for name, value in row.items()}


def mistakes_of(path: Path) -> list[str]:
    """Returns the mistakes reported for a file, without its name."""
    with pytest.raises(InputError) as error:
        read_results(path)
    return [line.removeprefix(f"{path}:") for line in str(error.value).splitlines()]


def test_a_file_of_the_suite(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "data/wormhole_b0/DRAM Packet Sizes.csv",
        SUITE_HEADINGS,
        "riscv_1,7,32,1,384,0.0833",
        "riscv_0,7,32,1,401.5,0.0797",
    )
    frame = read_results(path)
    assert list(frame.columns) == [*COMMON, "riscv"]
    assert frame.values.tolist() == [
        ["wormhole_b0", "DRAM Interleaved Packet Sizes", "Receiver", 1, 32, 384.0, 0.0833, 1],
        ["wormhole_b0", "DRAM Interleaved Packet Sizes", "Sender", 1, 32, 401.5, 0.0797, 0],
    ]


REPORTED = "Transaction Size (bytes),Number of Transactions"
MEASURED = "Latency (cycles),Bandwidth (bytes/cycle)"


@pytest.mark.parametrize(
    ("headings", "cells", "params"),
    [
        (f"RISC-V Processor,Run Host ID,{REPORTED},{MEASURED}", "riscv_0,7,64,16,800,1.28", ""),
        (f"RISC-V Processor,Kernel,Run Host ID,{REPORTED},{MEASURED}", "riscv_0,Sender,7,64,16,800,1.28", ""),
        (
            f"{REPORTED},Architecture,Mechanism,Memory Type,Pattern,RISC-V Processor,Run Host ID,{MEASURED}",
            "64,16,wormhole_b0,unicast,L1,one_to_one,riscv_0,7,800,1.28",
            "memory=l1;mechanism=unicast;pattern=one_to_one",
        ),
        (
            (
                f"{REPORTED},RISC-V Processor,Run Host ID,NoC Index,Multicast Scheme Type,Subordinate Grid Size X,"
                f"Subordinate Grid Size Y,Grid Dimensions,{MEASURED}"
            ),
            "64,16,riscv_0,7,1,3,5,4,5 x 4,800,1.28",
            "noc=1;grid=5x4;scheme=3",
        ),
        (
            f"{REPORTED},RISC-V Processor,NoC Index,Master Grid Dimensions,Subordinate Grid Dimensions,{MEASURED}",
            "64,16,riscv_0,0,8x8,2 x 4,800,1.28",
            "noc=0;master_grid=8x8;subordinate_grid=2x4",
        ),
        (
            (
                f"{REPORTED},RISC-V Processor,Master Grid Size X,Master Grid Size Y,Subordinate Grid Size X,"
                f"Subordinate Grid Size Y,{MEASURED}"
            ),
            "64,16,riscv_0,8,7,2,4,800,1.28",
            "master_grid=8x7;subordinate_grid=2x4",
        ),
        (
            f"{REPORTED},RISC-V Processor,Posted writes,Same destination,Same value,NoC Index,Stateful,{MEASURED}",
            "64,16,riscv_0,1,0,1,0,True,800,1.28",
            "noc=0;posted=1;stateful=1;same_destination=0;same_value=1",
        ),
        (
            (
                f"Run Host ID,RISC-V Processor,Number of Cores,Total Bytes,{REPORTED},"
                "Latency (cycles),Combined Bandwidth (bytes/cycle),Bandwidth (GB/s),Clock Frequency (MHz)"
            ),
            "7,riscv_0,64,65536,64,16,800,81.92,80,1000",
            "num_cores=64",
        ),
    ],
)
def test_the_files_that_the_suite_has_written(tmp_path: Path, headings: str, cells: str, params: str) -> None:
    """Covers all headings of the suite's reporter, from the first version to 2026."""
    row = read_one(
        write(tmp_path, "data/wormhole_b0/Some Sweep of Mine.csv", f"Test,{headings}", f"Some Sweep,{cells}")
    )
    assert (row["arch"], row["test"], row["kernel"], row["riscv"]) == ("wormhole_b0", "Some Sweep", "Sender", 0)
    assert (row["num_transactions"], row["transaction_size_bytes"], row["latency_cycles"]) == (16, 64, 800.0)
    assert row["bandwidth_bytes_per_cycle"] == pytest.approx(1.28)
    assert row.get("params", "") == params


def test_parameters_are_columns(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "any.csv",
        "Architecture,Test Name,RISC-V,NoC Index,Number of Virtual Channels,Count,Size,Latency,Bandwidth,Memory Type",
        "Blackhole,One from One Custom,NCRISC,NOC_1,,256,64,5062,3.24,L1",
        "Blackhole,One from One Virtual Channels,NCRISC,0,2,256,64,5062,3.24,",
    )
    frame = read_results(path)
    assert frame["test"].tolist() == ["One from One Custom", "One from One Virtual Channels"]
    assert frame["params"].tolist() == ["noc=1;memory=l1;vcs=4", "noc=0;vcs=2"]
    assert frame["riscv"].tolist() == [1, 1]


def test_silicon_of_2026() -> None:
    frame = read_results(SILICON_2026)
    assert list(frame.columns) == [*COMMON, "riscv", ALL_CORES, "params"]
    assert len(frame) == 2190
    # The time of tables with a combined bandwidth is that of all cores.
    of_all = frame[frame[ALL_CORES] > 0]
    assert of_all["test"].value_counts().to_dict() == {
        "Multi Interleaved Sizes": 180, "Number of Pages Sweep for DRAM Closest Neighbour": 60,
    }  # fmt: skip
    assert of_all[ALL_CORES].equals(of_all["latency_cycles"])
    assert len(frame[["arch", "test"]].drop_duplicates()) == 34
    semaphores = frame[frame["test"].str.startswith("Atomic")]
    assert semaphores["params"].str.rpartition("=")[2].astype(int).equals(semaphores["transaction_size_bytes"])
    # These rows are published with the bandwidth of all cores together, and in gigabytes per second.
    for test in ("Multi Interleaved Sizes", "PCIe Read Bandwidth Sweep"):
        row = frame[frame["test"] == test].iloc[0]
        moved_bytes = row["num_transactions"] * row["transaction_size_bytes"]
        assert row["bandwidth_bytes_per_cycle"] == moved_bytes / row["latency_cycles"]


def test_parquet_and_csv_are_read_alike(tmp_path: Path) -> None:
    rows = pandas.read_csv(SILICON_2026)
    rows.to_parquet(tmp_path / "measured.parquet")
    pandas.testing.assert_frame_equal(read_results(tmp_path / "measured.parquet"), read_results(SILICON_2026))


def test_tables_in_markdown_have_the_same_headings(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "published.md",
        "# Wormhole B0",
        "## One from One Virtual Channels",
        "| RISC | NoC | Num VCs | Number of Transactions | Transaction Size (bytes) | Latency (cycles) | Bandwidth |",
        "|---|---|---|---|---|---|---|",
        "| riscv_1 | 1 | 3 | 256 | 8,192 | 74,000 | 28.3 |",
    )
    row = read_one(path)
    assert (row["arch"], row["test"], row["kernel"]) == ("wormhole_b0", "One from One Virtual Channels", "Receiver")
    assert (row["transaction_size_bytes"], row["params"]) == (8192, "noc=1;vcs=3")


def test_results_are_read_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "blackhole" / "results.csv"
    path.parent.mkdir()
    write_results([make_row(test="DRAM Packet Sizes", kernel="riscv_0", params="vcs=2")], path)
    row = read_one(path)
    assert (row["test"], row["kernel"], row["params"], row["noc"]) == ("DRAM Packet Sizes", "riscv_0", "vcs=2", 0)
    # Without a revision, parameters are recognized, too.
    read_results(path).drop(columns="revision").to_csv(path, index=False)
    row = read_one(path)
    assert (row["test"], row["params"], row["noc"]) == ("DRAM Interleaved Packet Sizes", "vcs=2", 0)


def test_with_and_without_loopback(tmp_path: Path) -> None:
    header = f"{SUITE_HEADINGS},Loopback"
    path = write(
        tmp_path,
        "wormhole/One to All Unicast 5x5 Packet Sizes.csv",
        header,
        "0,1,96,4,600,0.6,True",
        "0,2,96,4,601,0.6,False",
    )
    frame = read_results(path)
    names = [f"One to All Unicast 4x4 Packet Sizes {suffix} Loopback" for suffix in ("with", "without")]
    assert frame["test"].tolist() == names
    assert "params" not in frame.columns
    without = write(tmp_path, f"wormhole/{path.name}", SUITE_HEADINGS, "0,1,96,4,600,0.6")
    expected = f"expected '{path.stem} with Loopback' or '{path.stem} without Loopback', or a column loopback"
    assert mistakes_of(without) == [f"2: test: '{path.stem}' is several tests: {expected}"]


def test_a_table_of_several_grids(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "blackhole/One to All Multicast Packet Sizes 2.0.csv",
        f"RISC-V Processor,Master Grid Dimensions,Subordinate Grid Dimensions,Loopback,{REPORTED},{MEASURED}",
        "riscv_0,1x1,2x2,False,64,16,800,1.28",
        "riscv_0,1x1,5 x 5,True,64,16,900,1.14",
        "riscv_0,1x1,11x10,False,64,16,1000,1.02",
        "riscv_0,1x1,13x10,False,64,1,1000,1.02",
    )
    frame = read_results(path)
    of_grids = ("2x2", "without"), ("5x5", "with"), ("11x10", "without"), ("11x10", "without")
    assert frame["test"].tolist() == [
        f"One to All Multicast {grid} Packet Sizes 2.0 {suffix} Loopback" for grid, suffix in of_grids
    ]
    assert frame["params"].tolist() == ["master_grid=1x1"] * 4
    schemes = write(
        tmp_path,
        "blackhole/Multicast Schemes (Loopback Disabled).csv",
        f"RISC-V Processor,Multicast Scheme Type,Subordinate Grid Size X,Subordinate Grid Size Y,{REPORTED},{MEASURED}",
        "riscv_0,4,3,3,64,16,800,1.28",
    )
    row = read_one(schemes)
    assert (row["test"], row["params"]) == ("Multicast Schemes without Loopback", "scheme=4;subordinate_grid=3x3")
    header, first_row, *_ = path.read_text().splitlines()
    wrong = write(tmp_path, f"wormhole/{path.name}", header, first_row.replace("2x2", "3x7"))
    assert mistakes_of(wrong) == [
        f"2: test: '{path.stem}' is several tests: expected "
        + " or ".join(
            f"'One to All Multicast {grid} Packet Sizes 2.0 {suffix} Loopback'"
            for grid in ("2x2", "5x5", "All")
            for suffix in ("with", "without")
        )
        + ", found grid=3x7 and loopback=0"
    ]


@pytest.mark.parametrize(
    ("name", "lines", "mistakes"),
    [
        (
            "data/One to One Packet Sizes.csv",
            [SUITE_HEADINGS.replace("RISC,", "Core,"), "0,1,32,1,294,0.1"],
            [
                "1: there is no column 'arch', and no folder of the file has the name of an architecture",
                "1: there is no column 'kernel'",
            ],
        ),
        (
            "blackhole/One to Ten Packet Sizes.csv",
            [SUITE_HEADINGS.replace("Latency (cycles)", "Latency (ns)"), "0,1,32,1,294,0.1"],
            [
                (
                    "1: there is no column 'test', and no test is called 'One to Ten Packet Sizes'; did you mean "
                    "'One to One Packet Sizes' or 'One to One Packet Sizes 2.0' or 'One from One Packet Sizes'?"
                ),
                "1: there is no column 'latency_cycles'; did you mean 'Latency (ns)'?",
            ],
        ),
        (
            "blackhole/One to One Packet Sizes.csv",
            [f"{SUITE_HEADINGS},Duration (cycles)", "0,1,32,1,294,0.1,294"],
            ["1: expected one column that says latency_cycles, found 'Latency (cycles)' and 'Duration (cycles)'"],
        ),
        (
            "blackhole/One to One Packet Sizes.csv",
            [SUITE_HEADINGS, "riscv_2,1,32,1,294,0.1", "0,1,32.5,1,x,", "0,1,32"],
            [
                "2: RISC: expected a RISC, such as riscv_0 or NCRISC, found 'riscv_2'",
                "3: Transaction Size (bytes): '32.5' is not a whole number",
                "3: Latency (cycles): 'x' is not a number",
                "3: Bandwidth (bytes/cycle): '' is not a number",
                "4: 3 values for 6 columns",
            ],
        ),
        (
            "blackhole/One to One Packet Sizes.csv",
            [f"{SUITE_HEADINGS},Pattern", "0,1,64,1,294,0.1,a;b", "0,2,64,1,295,0.1,", "0,3,64,1,295,0.1,"],
            ["2: Pattern: expected a value without ; and =, found 'a;b'", "4: the same point as in line 3"],
        ),
    ],
)
def test_mistakes_name_row_and_column(tmp_path: Path, name: str, lines: list[str], mistakes: list[str]) -> None:
    assert mistakes_of(write(tmp_path, name, *lines)) == mistakes


def test_of_two_headings_the_exact_one_counts(tmp_path: Path) -> None:
    line = "blackhole,One to One Packet Sizes,Sender,1,64,366,0.1749"
    path = write(tmp_path, "a.csv", f"{','.join(COMMON)},cycles,size", f"{line},12,13")
    row = read_one(path)
    assert (row["latency_cycles"], row["transaction_size_bytes"]) == (366.0, 64)


@pytest.mark.parametrize(
    ("heading", "column"),
    [
        ("Transaction Size (bytes)", "transaction_size_bytes"),
        ("Transaction Size (B)", "transaction_size_bytes"),
        ("Number of Transactions", "num_transactions"),
        ("# of transactions", "num_transactions"),
        ("Latency (cycles)", "latency_cycles"),
        ("Bandwidth (bytes/cycle)", "bandwidth_bytes_per_cycle"),
        ("Bandwidth (B/c)", "bandwidth_bytes_per_cycle"),
        ("Latency (ns)", None),
        ("num_virtual_channels", "vcs"),
        ("Num Virtual Channels", "vcs"),
        ("Master Grid Size", "master_grid"),
        ("num_banks", "banks"),
        ("Run Host ID", None),
        ("Bandwidth (GB/s)", "gigabytes_per_second"),
        ("RISC-V Processor", "riscv"),
        ("RISC-V Processor (0/1)", "riscv"),
        ("Master Grid Dimensions", "master_grid"),
        ("Subordinate Grid Dimensions", "subordinate_grid"),
        ("Sub Grid Dimensions (cores)", "subordinate_grid"),
        ("Grid Dimensions [x, y]", "grid"),
        ("NoC Index (0 or 1)", "noc"),
        ("Posted writes", "posted"),
        ("Number of subordinates", "subordinates"),
        ("Num Banks (DRAM)", "banks"),
        ("Latency (us)", None),
        ("Transaction Size (KiB)", None),
        ("Total Bytes", None),
        ("Clock Frequency (MHz)", None),
    ],
)
def test_headings(heading: str, column: str | None) -> None:
    assert column_called(heading) == column


def test_values_have_one_spelling() -> None:
    spelled = {
        "NOC_1": "1", "noc 0": "0", "True": "1", "no": "0", "4.0": "4", " 8 X 8": "8x8", "11x10": "11x10",
        "All to All": "all_to_all", "L1": "l1", "0.5": "0.5", "": "", "nan": "nan",
        "1,0": "1_0", "(1,0)": "1_0", "1_0": "1_0",
    }  # fmt: skip
    assert {text: plain_value(text) for text in spelled} == spelled
    assert [architecture_in(text) for text in ("Wormhole B0", "wormhole", "blackhole")] == [
        *("wormhole_b0", "wormhole_b0", "blackhole")
    ]
    assert [riscv_in(text) for text in ("BRISC", "riscv_1", "RISCV 0", "1", "2", "Sender")] == [0, 1, 0, 1, None, None]
