"""Shards of a run, and merging of shards and other files."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import pytest
from sample import HOW_TO_LEARN_MORE, make_row, make_sweep

from nocbench.points.point import Point
from nocbench.points.selection import select_points
from nocbench.results.result_files import read_rows, write_results
from nocbench.running.shards import Shard
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

SWEEP = ["run", "-j0", "4", "5", "dram_unary", "--set", "router.hop_cycles=8,9"]


@pytest.mark.parametrize(("text", "shard"), [("1/1", Shard(1, 1)), ("3/4", Shard(3, 4)), (" 12/12 ", Shard(12, 12))])
def test_parse(text: str, shard: Shard) -> None:
    assert Shard.parse(text) == shard


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'': a shard is NUMBER/COUNT, for example 1/4 for the first of four"),
        ("1:4", "'1:4': a shard is NUMBER/COUNT, for example 1/4 for the first of four"),
        ("0/4", "'0/4': shards of 4 are numbered from 1 to 4"),
        ("5/4", "'5/4': shards of 4 are numbered from 1 to 4"),
    ],
)
def test_parse_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        Shard.parse(text)
    assert str(error.value) == message


@pytest.mark.usefixtures("fake_simulator")
@pytest.mark.parametrize("count", [1, 2, 3, 7, 96])
def test_every_point_is_in_one_shard_and_shards_are_even(count: int) -> None:
    points = select_points([])
    shards = [Shard(number, count).positions(points) for number in range(1, count + 1)]
    assert sorted(position for shard in shards for position in shard) == list(range(len(points)))
    assert all(shards)
    if count <= 3:
        costs = [math.fsum(points[position].relative_cost for position in shard) for shard in shards]
        assert max(costs) < 1.25 * min(costs)
        assert max(map(len, shards)) < 1.5 * min(map(len, shards))


def test_the_split_depends_on_the_points_only() -> None:
    points = [Point("a", "", f"test {number % 3}", (("n", str(number)),), (), float(number)) for number in range(10)]
    assert [Shard(number, 3).positions(points) for number in (1, 2, 3)] == [[1, 8, 9], [2, 6, 7], [0, 3, 4, 5]]


@pytest.mark.usefixtures("fake_simulator")
def test_more_shards_than_points() -> None:
    with pytest.raises(InputError) as error:
        Shard(1, 5).positions(select_points(["4"], tier="quick"))
    assert str(error.value) == "shard 1/5: expected at most as many shards as points, found 4 points"


def run_shards(run_here: CommandLine, directory: Path, count: int, *options: str) -> list[Path]:
    paths = [directory / f"part{number}.csv" for number in range(1, count + 1)]
    for number, path in enumerate(paths, start=1):
        run_here(*SWEEP, *options, "--shard", f"{number}/{count}", "-o", path)
    return paths


class TestMerge:
    def test_all_shards_give_the_bytes_of_the_run(self, run_here: CommandLine, tmp_path: Path) -> None:
        assert run_here(*SWEEP, "-o", tmp_path / "whole.csv").status == 0
        parts = run_shards(run_here, tmp_path, 3)
        completed = run_here("merge", *reversed(parts), "-o", tmp_path / "merged.csv")
        assert completed.status == 0
        assert completed.err == f"wrote 192 result rows of 3 files to {tmp_path / 'merged.csv'}\n"
        assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
        everything = sorted(tmp_path.glob("part*"))  # as a shell expands the glob, including manifests
        assert run_here("merge", *everything, "-o", "-").out == (tmp_path / "whole.csv").read_text()
        assert run_here("merge", parts[0], *parts, "-o", tmp_path / "merged.parquet").status == 0
        assert read_rows(tmp_path / "merged.parquet") == read_rows(tmp_path / "whole.csv")

    def test_a_missing_shard_is_not_green(self, run_here: CommandLine, tmp_path: Path) -> None:
        parts = run_shards(run_here, tmp_path, 3)
        completed = run_here("merge", parts[0], parts[2], "-o", tmp_path / "merged.csv")
        assert completed.status == 3
        assert completed.err.splitlines()[1:] == [
            "missing: 48 of 144 points",
            "missing: shard 2/3: run again with --shard, or give its file",
        ]
        assert len(read_rows(tmp_path / "merged.csv")) == 128

    def test_a_shard_without_its_manifest(self, run_here: CommandLine, tmp_path: Path) -> None:
        parts = run_shards(run_here, tmp_path, 2)
        (tmp_path / "part2.csv.shard.json").unlink()
        completed = run_here("merge", *parts, "-o", tmp_path / "merged.csv")
        assert completed.status == 3
        assert completed.err.endswith(
            f"{parts[1]}: has no part2.csv.shard.json beside it, so it is not known as a shard\n"
        )

    def test_all_manifests_are_lost(self, run_here: CommandLine, tmp_path: Path) -> None:
        """Without manifests, missing shards are detectable only from outside."""
        parts = run_shards(run_here, tmp_path, 3)
        merge = ["merge", parts[0], parts[2], "-o", tmp_path / "merged.csv"]
        for path in tmp_path.glob("*.shard.json"):
            path.unlink()
        completed = run_here(*merge)
        assert completed.status == 0
        assert "warning: not all files are shards of a run" in completed.err
        completed = run_here(*merge, "--shards", "3")
        assert completed.status == 3
        assert completed.err.splitlines()[1:] == [
            "missing: expected 3 shards of a run, found no file known as a shard",
            f"{parts[0]}: has no part1.csv.shard.json beside it, so it is not known as a shard",
            f"{parts[2]}: has no part3.csv.shard.json beside it, so it is not known as a shard",
        ]

    def test_as_many_shards_as_expected(self, run_here: CommandLine, tmp_path: Path) -> None:
        parts = run_shards(run_here, tmp_path, 2)
        merge = ["merge", *parts, "-o", tmp_path / "merged.csv"]
        completed = run_here(*merge, "--shards", "2")
        assert (completed.status, completed.err.count("\n")) == (0, 1)
        completed = run_here(*merge, "--shards", "4")
        assert completed.status == 3
        assert completed.err.endswith("missing: expected 4 shards of a run, found shards of a run of 2\n")
        completed = run_here("merge", parts[1], "-o", tmp_path / "merged.csv", "--shards", "2")
        assert completed.status == 3
        assert "missing: shard 1/2: run again with --shard, or give its file\n" in completed.err

    def test_a_manifest_of_another_file(self, run_here: CommandLine, tmp_path: Path) -> None:
        parts = run_shards(run_here, tmp_path, 2)
        parts[0].write_bytes(parts[1].read_bytes())
        completed = run_here("merge", *parts, "-o", tmp_path / "merged.csv")
        assert completed.status == 2
        assert "found that of a file with other contents; run shard 1/2 again" in completed.err
        run_here(*SWEEP, "-o", parts[0])  # a run without shards removes the manifest
        assert sorted(path.name for path in tmp_path.iterdir()) == ["part1.csv", "part2.csv", "part2.csv.shard.json"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "1:2: expected the manifest of a shard as JSON, found a mistake in it, or its end: "),
            ("[]", " is not the manifest of a shard"),
            ('{"nocbench_shard": 1}', " is not the manifest of a shard"),
            ('{"nocbench_shard": 2}', " expected a manifest of schema version 1, found 2"),
        ],
    )
    def test_a_damaged_manifest(self, run_here: CommandLine, tmp_path: Path, text: str, message: str) -> None:
        write_results(make_sweep(), tmp_path / "part.csv")
        (tmp_path / "part.csv.shard.json").write_text(text)
        completed = run_here("merge", tmp_path / "part.csv", "-o", "-")
        assert completed.status == 2
        assert completed.err.startswith(f"error: {tmp_path / 'part.csv.shard.json'}:{message}")

    def test_a_crashed_point_is_missing_until_some_file_has_it(self, run_here: CommandLine, tmp_path: Path) -> None:
        sweep = ["run", "-j0", "4", "--arch", "blackhole", "-a", "fault=none,raise"]
        for number in (1, 2):
            completed = run_here(*sweep, "--shard", f"{number}/2", "-o", tmp_path / f"part{number}.csv")
            assert completed.status == 3
        completed = run_here("merge", *tmp_path.glob("part?.csv"), "-o", tmp_path / "merged.csv")
        assert completed.status == 3
        assert "missing: 12 of 24 points\n" in completed.err
        assert completed.err.count("RuntimeError: the model lost a packet\n  reproduce: nocbench run ") == 12

    def test_different_values_of_a_point(self, run_here: CommandLine, tmp_path: Path) -> None:
        rows = make_sweep()
        write_results(rows[:20], tmp_path / "a.csv")
        write_results([make_row(**rows[19] | {"latency_cycles": 7.5}), *rows[20:]], tmp_path / "b.csv")
        completed = run_here("merge", tmp_path / "a.csv", tmp_path / "b.csv", "-o", tmp_path / "merged.csv")
        assert completed.status == 2
        assert completed.err == (
            f"error: {tmp_path / 'a.csv'} and {tmp_path / 'b.csv'} have different values of One to One Packet Sizes, "
            f"Sender, on wormhole_b0 (n150), num_transactions=64, call_size=8192: latency_cycles "
            f"{rows[19]['latency_cycles']} and 7.5\n"
        )
        assert not (tmp_path / "merged.csv").exists()

    def test_different_revisions(self, run_here: CommandLine, tmp_path: Path) -> None:
        rows = make_sweep()
        write_results(rows[:20], tmp_path / "a.csv")
        write_results([row | {"revision": "fedcba987654"} for row in rows[19:]], tmp_path / "b.csv")
        merge = ["merge", tmp_path / "a.csv", tmp_path / "b.csv", "-o", tmp_path / "merged.csv"]
        completed = run_here(*merge)
        assert completed.status == 4
        assert completed.err == (
            f"error: the files come from different revisions: 0123456789ab in {tmp_path / 'a.csv'}; fedcba987654 in "
            f"{tmp_path / 'b.csv'}. --mixed-revisions merges them all the same\n"
        )
        assert run_here(*merge, "--mixed-revisions").status == 0
        assert len(read_rows(tmp_path / "merged.csv")) == 25

    def test_different_uncommitted_changes(self, run_here: CommandLine, tmp_path: Path) -> None:
        parts = run_shards(run_here, tmp_path, 2)
        for number, changes in ((1, "aaaa"), (2, "bbbb")):
            path = tmp_path / f"part{number}.csv.shard.json"
            document = json.loads(path.read_text())
            path.write_text(json.dumps(document | {"revision": f"0123456789ab+:{changes}"}))
        completed = run_here("merge", *parts, "-o", tmp_path / "merged.csv")
        assert completed.status == 4
        assert "0123456789ab+:aaaa in " in completed.err

    def test_files_of_several_tests(self, run_here: CommandLine, tmp_path: Path) -> None:
        for name in ("loopback", "one_to_one", "one_from_one", "dram_unary"):
            run_here("run", "-j0", name, "-o", tmp_path / f"{name}.csv")
        run_here("run", "-j0", "-o", tmp_path / "whole.csv")
        files = [tmp_path / f"{name}.csv" for name in ("loopback", "one_to_one", "one_from_one", "dram_unary")]
        completed = run_here("merge", *files, "-o", tmp_path / "merged.csv")
        assert completed.status == 0
        assert completed.err.endswith(
            "warning: not all files are shards of a run: whether points are missing is not known; --shards N tells\n"
        )
        assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()

    def test_parts_of_one_test(self, run_here: CommandLine, tmp_path: Path) -> None:
        for sizes in ("256,512", "64,128"):
            options = ["4", "--arch", "blackhole", "-a", f"call_size={sizes}"]
            run_here("run", "-j0", *options, "-o", tmp_path / f"{sizes}.csv")
        run_here("run", "-j0", "4", "--arch", "blackhole", "-o", tmp_path / "whole.csv")
        completed = run_here("merge", tmp_path / "256,512.csv", tmp_path / "64,128.csv", "-o", "-")
        assert completed.out == (tmp_path / "whole.csv").read_text()

    def test_wrong_data(self, run_here: CommandLine, tmp_path: Path) -> None:
        write_results(make_sweep(data_ok=False), tmp_path / "a.csv")
        completed = run_here("merge", tmp_path / "a.csv", "-o", tmp_path / "merged.csv")
        assert completed.status == 1
        assert completed.err.endswith(f"wrong data arrived in 25 of 25 results\n{HOW_TO_LEARN_MORE}")

    def test_bad_usage(self, run_here: CommandLine, tmp_path: Path) -> None:
        write_results(make_sweep(), tmp_path / "a.csv")
        completed = run_here("merge", tmp_path / "a.csv", "-o", tmp_path / "a.csv")
        assert completed.status == 2
        assert completed.err.endswith("expected another file to write to, found one that this command reads\n")
        completed = run_here("merge", tmp_path / "b.csv", "-o", "-")
        assert completed.status == 2
        assert completed.err == f"error: {tmp_path / 'b.csv'}: cannot be read: No such file or directory\n"
        completed = run_here(*SWEEP, "--shard", "1/2")
        assert completed.status == 2
        assert "--shard needs -o FILE" in completed.err
