"""Rooflines: roofs that no kept result exceeds, the table of points, the picture, and what is refused."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_row, make_sweep

import nocbench
from nocbench.results.result_files import read_results, to_frame, write_results

if TYPE_CHECKING:
    from conftest import CommandLine

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
    [roofline] = nocbench.roofline(to_frame(make_sweep())).content
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
