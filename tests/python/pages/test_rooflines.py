"""Rooflines: roofs that no kept result exceeds, the table of points, the picture, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_row, make_sweep

import nocbench
from nocbench.architectures.description import describe_architecture
from nocbench.results.result_files import read_results, to_frame, write_results

if TYPE_CHECKING:
    from conftest import CommandLine

    from nocbench.support.columns import Row

KEPT = Path(__file__).parents[3] / "plots/results/full_tier.parquet"


@pytest.mark.parametrize("arch", ["blackhole", "wormhole_b0"])
def test_no_kept_result_is_above_a_roof(arch: str) -> None:
    kept = read_results(KEPT)
    kept = kept[kept.arch == arch]
    points = nocbench.roofline(kept).points
    assert len(points) > 10_000
    assert points.share_of_roof.max() == pytest.approx(1)
    sweeps = kept[kept.num_transactions == 1].groupby("test").transaction_size_bytes.nunique()
    packet_sizes = {test for test in sweeps[sweeps > 1].index if "Sizes" in test or "Estimator" in test}
    assert packet_sizes <= set(points.test)


def test_roofs_of_a_formula() -> None:
    """Calls that take 300 cycles, and a call every 22 cycles or 32 B per cycle."""
    [roofline] = nocbench.roofline(to_frame(make_sweep())).sweeps
    assert (roofline.round_trip_cycles, roofline.link_bytes_per_cycle) == (322, 32)
    assert roofline.counts == [1, 4, 16, 64, 256]
    assert roofline.knee_bytes(16) == 322 * 32 / 16
    points = {(point.num_transactions, point.transaction_size_bytes): point for point in roofline.points}
    assert points[1, 32].share_of_roof == pytest.approx(1)
    assert points[4, 128].latency_roof_bytes_per_cycle == pytest.approx(4 * 128 / 322)
    assert (points[4, 128].roof, points[256, 8192].roof) == ("latency", "link")
    assert points[256, 8192].share_of_roof == pytest.approx(256 * 8192 / (300 + 256 * 256) / 32)


def test_the_command_writes_picture_and_points(run_in_process: CommandLine, tmp_path: Path) -> None:
    results, picture, table = (tmp_path / name for name in ("results.csv", "roofs.svg", "points.csv"))
    write_results(make_sweep() + make_sweep(test="Loopback Packet Sizes", test_id=16, primitive="loopback"), results)
    done = run_in_process("roofline", results, "--test", "One*", "-o", picture, "--csv", table, "--json")
    assert done.status == 0, done.err
    drawn = picture.read_text()
    for text in (
        "link width: 32 B/cycle",
        "size * n / 322 cycles",
        "n: 16 transactions in flight",
        "limited by the link",
    ):
        assert text in drawn
    with table.open() as lines:
        rows = list(csv.DictReader(lines))
    points = json.loads(done.out)["points"]
    assert {row["test"] for row in rows} == {"One to One Packet Sizes"}
    assert [float(row["share_of_roof"]) for row in rows] == [point["share_of_roof"] for point in points]
    listed = run_in_process("roofline", results, "-o", picture)
    assert listed.out.count("322") == 2 * 5
    assert picture.read_bytes() != drawn.encode()


def test_what_it_refuses(run_in_process: CommandLine, tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    write_results(make_sweep(counts=(4, 16)), results)
    done = run_in_process("roofline", results, "-o", tmp_path / "roofs.png")
    assert done.status == 3
    assert "expected a sweep of transaction sizes that includes num_transactions=1" in done.err
    assert run_in_process("roofline", results, "-o", tmp_path / "roofs.gif").status == 2
    assert run_in_process("roofline", results, "--test", "Two*", "-o", tmp_path / "roofs.png").status == 3
    many = [row for noc in range(25) for row in make_sweep(params=f"noc={noc}")]
    with pytest.raises(nocbench.InputError, match="expected at most 24 sweeps to draw, found 25"):
        nocbench.roofline(to_frame(many)).save(tmp_path / "roofs.png")
    with pytest.raises(nocbench.NothingMatchedError, match="found none"):
        nocbench.roofline(to_frame([make_row(num_transactions=1)]))


def rows_of_program(name: str, *, board: str = "p100", params: str = "", **work: object) -> list[Row]:
    """Returns the rows of a reader on 8 cores and of compute kernels on 6 and 2 of them."""
    done = {
        "program_operations": 2**20,
        "program_math_cycles": 8192.0,
        "program_dram_bytes": 2**16,
        "program_noc_bytes": 2**18,
        "program_cycles": 4096,
        "program_limiter": "dram",
    }
    places = (("reader", 1, 8), ("add (unpack)", 2, 6), ("add (math)", 3, 6), ("rest (math)", 3, 2))
    return [
        make_row(
            arch="blackhole",
            board=board,
            test="program_1",
            primitive="kernel",
            kernel=kernel,
            riscv=riscv,
            num_cores=cores,
            clock_hz=1_350_000_000,
            params=f"program={name}{params};compiler=gcc-12.2.0",
        )
        | done
        | work
        for kernel, riscv, cores in places
    ]


def test_roofs_of_a_program() -> None:
    frame = to_frame(rows_of_program("add.cpp 32 64") + make_sweep())
    shown = nocbench.roofline(frame)
    assert len(shown.sweeps) == 1
    [roofline] = shown.programs
    machine = describe_architecture("blackhole", "p100")
    assert roofline.num_cores == 8
    assert roofline.bytes_per_cycle == {"DRAM": machine.dram_bytes_per_cycle, "NoC": 8 * 2 * 2 * 64}
    assert list(roofline.operations_per_cycle) == ["LoFi", "HiFi2", "HiFi3", "HiFi4", "additions"]
    assert roofline.operations_per_cycle["HiFi4"] == pytest.approx(8 * 65536 / (64 * 1.07))
    [point] = roofline.points
    assert (point.program, point.arguments, point.num_cores) == ("add.cpp", "32 64", 8)
    assert point.operations_per_cycle == 256
    assert (point.operations_per_byte("DRAM"), point.operations_per_byte("NoC")) == (16, 4)
    assert (point.dram_cycles, point.compute_cycles) == (2**16 / machine.dram_bytes_per_cycle, 1024)
    assert point.noc_cycles == 2**18 / 2048
    assert (point.roof, point.share_of_roof) == ("compute", 0.25)


def test_a_slower_dram_is_a_lower_roof() -> None:
    one, slow = (
        nocbench.roofline(to_frame(rows_of_program("add.cpp", params=params, program_math_cycles=1.0))).points.iloc[0]
        for params in ("", ";memory.subchannel_read_cycles_per_flit=20;memory.subchannel_write_cycles_per_flit=20")
    )
    assert (one.roof, slow.roof) == ("DRAM", "DRAM")
    assert slow.share_of_roof > 5 * one.share_of_roof
    assert slow.arguments.startswith("memory.subchannel_read")


def test_the_command_draws_programs(run_in_process: CommandLine, tmp_path: Path) -> None:
    files = []
    for number, (name, operations) in enumerate({"add.cpp 32": 2**10, "add.cpp 64": 2**12, "tilize.cpp 32": 0}.items()):
        files.append(tmp_path / f"rows{number}.csv")
        write_results(rows_of_program(name, program_operations=operations), files[-1])
    pictures = [tmp_path / "roofs.svg", tmp_path / "again.svg"]
    for picture in pictures:
        done = run_in_process("roofline", *files, "-o", picture, "--csv", tmp_path / "points.csv")
        assert done.status == 0, done.err
    assert pictures[0].read_bytes() == pictures[1].read_bytes()
    drawn = pictures[0].read_text()
    for text in ("FLOP/B of DRAM", "FLOP/B of NoC", "FLOP/cycle", "HiFi3", "GB/s at 1.35 GHz", "limited by DRAM"):
        assert text in drawn
    assert "add.cpp" in drawn
    assert "tilize.cpp" not in drawn  # no arithmetic
    lines = done.out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [["add.cpp", "32"], ["add.cpp", "64"], ["tilize.cpp", "32"]]
    assert all(line.endswith("compute      25%") or "compute" in line for line in lines[1:])
    with (tmp_path / "points.csv").open() as table:
        points = list(csv.DictReader(table))
    assert [point["operations"] for point in points] == ["1024", "4096", "0"]
    assert [point["operations_per_dram_byte"] for point in points] == ["0.015625", "0.0625", "0.0"]


def test_boards_have_panels_of_their_own(tmp_path: Path) -> None:
    boards = ("p100", "p100a", "p150")
    frame = to_frame([row for board in boards for row in rows_of_program("add.cpp", board=board)])
    shown = nocbench.roofline(frame)
    assert [roofline.board for roofline in shown.programs] == list(boards)
    assert len({roofline.bytes_per_cycle["DRAM"] for roofline in shown.programs}) == 3
    shown.save(tmp_path / "roofs.png")
    assert (tmp_path / "roofs.png").stat().st_size > 10_000
