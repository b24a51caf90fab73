"""Tests of a suite defined by flow tables are run, judged and drawn like tests of kernel programs."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest
from small_suite import Repository

from nocbench.pages.plots import draw
from nocbench.pages.sections import sections_of
from nocbench.points.catalogue import using
from nocbench.points.selection import select_points
from nocbench.programs import requests
from nocbench.reports.html_data import report_data
from nocbench.reports.plain_results import points_of
from nocbench.results.result_files import read_results, read_rows
from nocbench.suites.suite import Suite
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from conftest import CommandLine
    from small_suite import WriteSuite

TABLE = """name,kind,core,partner,call_size,num_calls,noc
shards,write,0 0,3 0,4096,8,0
shards,write,0 1,3 1,4096,8,0
both,write,1 2,3 2,1024,4,0
both,read,1 2,3 3,1024,4,1
"""
SLOWER_TABLE = TABLE.replace("3 0,4096,8", "3 0,4096,9")
SUITE = """
name: small
tests:
  - name: Shards
    flows: shards.csv
    architectures: blackhole
"""
WITH_PROGRAM = f"{SUITE}  - {{name: Packets, program: write.yaml}}\n"
WORKLOAD = """
device_name: n150
phases:
  - transfers:
      - {packet_size: 2048, num_packets: 4, src_x: 1, src_y: 1, dst_x: 4, dst_y: 1, injection_rate: 28}
"""


@pytest.fixture
def directory(write_suite: WriteSuite) -> Path:
    directory = write_suite(SUITE)
    (directory / "shards.csv").write_text(TABLE)
    return directory


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def digests(suite: Suite) -> dict[str, str]:
    with using(suite):
        return {point.test: point.digest() for point in select_points([], architectures=["blackhole"], tier="quick")}


def run(run_program: CommandLine, directory: Path, *arguments: str | Path) -> Sequence[dict[str, str]]:
    done = run_program("run", "--suite", directory, *arguments, "-j0", "-o", "-")
    assert done.status == 0, done.err
    return rows_of(done.out)


def test_it_is_listed_with_one_point_and_the_names_of_its_rows(directory: Path, run_program: CommandLine) -> None:
    (test,) = json.loads(run_program("list", "--suite", directory, "--json").out)
    assert (test["test"], test["test_id"], test["primitive"]) == ("Shards", 100_000, "small")
    assert test["axes"] == {"full": {}, "quick": {}}
    assert test["parameters"] == []
    rows = run(run_program, directory)
    assert test["kernels"] == [row["kernel"] for row in rows] == ["shards", "both, NoC 0", "both, NoC 1"]


def test_rows_are_those_of_the_table_under_the_names_of_the_suite(
    directory: Path, run_program: CommandLine, tmp_path: Path
) -> None:
    alone = tmp_path / "alone.csv"
    assert run_program("flows", directory / "shards.csv", "--arch", "blackhole", "-o", alone).status == 0
    names = {"test": "Shards", "test_id": "100000", "primitive": "small"}
    rows = run(run_program, directory)
    assert all("@" in row["revision"] for row in rows)
    names_and_revisions = [names | {"revision": row["revision"]} for row in rows]
    assert rows == [row | named for row, named in zip(rows_of(alone.read_text()), names_and_revisions, strict=True)]


def test_without_architectures_a_table_runs_on_each_chip_and_a_workload_on_its_device(
    write_suite: WriteSuite, run_program: CommandLine
) -> None:
    suite = "name: small\ntests:\n  - {name: Shards, flows: shards.csv}\n  - {name: Phases, flows: phases.yaml}\n"
    directory = write_suite(suite)
    (directory / "shards.csv").write_text(TABLE)
    (directory / "phases.yaml").write_text(WORKLOAD)
    rows = run(run_program, directory)
    machines = {
        name: sorted({(row["arch"], row["board"]) for row in rows if row["test"] == name})
        for name in ("Shards", "Phases")
    }
    assert machines == {"Shards": [("blackhole", "p100"), ("wormhole_b0", "n150")], "Phases": [("wormhole_b0", "n150")]}


def test_the_share_of_the_maximum_is_of_the_links_of_all_cores_of_a_row(
    directory: Path, run_program: CommandLine
) -> None:
    (test,) = Suite(str(directory)).list_tests("blackhole")
    assert test.theoretical_bytes_per_cycle == 2 * 64
    shown = run_program("run", "--suite", directory, "-j0").out
    (shards,) = [line for line in shown.splitlines() if " shards " in line]
    (row, *_) = run(run_program, directory)
    share = f" {100 * float(row['bandwidth_bytes_per_cycle']) / 128:.0f} % "
    assert share in shards
    explained = run_program("explain", "--suite", directory, "Shards")
    assert f"{share.strip()} of the maximum" in explained.out


def test_a_maximum_of_the_suite_is_that_of_a_row(directory: Path, run_program: CommandLine, tmp_path: Path) -> None:
    (directory / "nocbench.yaml").write_text(f"{SUITE}    theoretical_bytes_per_cycle: 1\n")
    results = tmp_path / "results.csv"
    assert run_program("run", "--suite", directory, "-j0", "-o", results).status == 0
    judged = run_program("check", results, "--suite", directory, "--baseline", results)
    assert judged.status == 1
    assert "above the theoretical maximum of 1" in judged.out


def test_the_table_is_part_of_the_content_of_its_test_only(write_suite: WriteSuite) -> None:
    directory = write_suite(WITH_PROGRAM)
    table = directory / "shards.csv"
    table.write_text(TABLE)
    before = Suite(str(directory))
    assert table in before.files
    table.write_text(SLOWER_TABLE)
    after = Suite(str(directory))
    assert digests(after)["Shards"] != digests(before)["Shards"]
    assert digests(after)["Packets"] == digests(before)["Packets"]
    assert after.revision() != before.revision()
    with pytest.raises(InputError, match="the files of 'Shards' changed while it ran"), using(before):
        before.run_point(select_points(["Shards"])[0])


def test_a_suite_of_tables_needs_no_compiler(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_compiler(_compiler: object) -> None:
        raise InputError("there is no compiler")

    monkeypatch.setattr(requests, "find_toolchain", no_compiler)
    suite = Suite(str(directory))
    assert suite.identity().startswith(suite.revision().partition("@")[0])
    with using(suite):
        (point,) = select_points([])
        assert suite.run_point(point).rows
    (directory / "nocbench.yaml").write_text(WITH_PROGRAM)
    with pytest.raises(InputError, match="there is no compiler"):
        Suite(str(directory)).identity()


def test_it_is_drawn_and_explained_and_traced(directory: Path, run_program: CommandLine, tmp_path: Path) -> None:
    assert run_program("plot", "--suite", directory).status == 0
    page = (directory / "plots" / "blackhole" / "README.md").read_text()
    assert (directory / "plots" / "blackhole" / "shards.svg").is_file()
    assert "The flows of a test run on the modeled chip" in page
    assert "**shards.** The flows take " in page
    trace, picture = tmp_path / "trace.json", tmp_path / "map.svg"
    assert run_program("trace", "--suite", directory, "Shards", "-o", trace).status == 0
    assert "shards" in {event.get("name") for event in json.loads(trace.read_text())["traceEvents"]}
    assert run_program("heatmap", "--suite", directory, "Shards", "-o", picture).status == 0
    assert picture.stat().st_size > 0


def test_its_picture_has_a_bar_for_each_row_with_the_maximum_of_the_cores_of_the_row(
    directory: Path, run_program: CommandLine, tmp_path: Path
) -> None:
    results = tmp_path / "results.csv"
    assert run_program("run", "--suite", directory, "-j0", "-o", results).status == 0
    with using(Suite(str(directory))):
        (section,) = sections_of(read_results(results), read_results(results).iloc[:0])["blackhole"]
        figure = draw(section)
    panels: list[Any] = figure.axes
    duration, bandwidth = panels
    rows = sorted(rows_of(results.read_text()), key=lambda row: row["kernel"])
    for axes, column in ((duration, "latency_cycles"), (bandwidth, "bandwidth_bytes_per_cycle")):
        assert [bar.get_width() for bar in axes.patches] == [float(row[column]) for row in rows]
        assert [text.get_text().partition(":")[0] for text in axes.texts] == [row["kernel"] for row in rows]
    marks = [line.get_segments()[0][0][0] for line in bandwidth.collections]
    assert marks == [64, 64, 128]  # "both, NoC 0", "both, NoC 1", "shards" of two cores


def test_reports_count_it_as_one_point_whatever_the_calls_of_its_rows(
    directory: Path, run_program: CommandLine, tmp_path: Path
) -> None:
    results = tmp_path / "results.csv"
    assert run_program("run", "--suite", directory, "-j0", "-o", results).status == 0
    with using(Suite(str(directory))):
        data = report_data(points_of(read_rows(results)), has_base=False)
    assert (data["numPoints"], len(data["points"]["count"])) == (1, 3)


def test_it_has_no_parameters(directory: Path, run_program: CommandLine) -> None:
    refused = run_program("run", "--suite", directory, "-a", "num_calls=2")
    assert (refused.status, refused.out) == (2, "")
    assert "'Shards' on blackhole has no parameter 'num_calls'; it has none" in refused.err


def test_the_gate_names_the_flows_that_a_change_of_the_table_makes_slower(tmp_path: Path, directory: Path) -> None:
    repository = Repository(tmp_path)
    repository.commit()
    (directory / "shards.csv").write_text(SLOWER_TABLE)
    gate = repository.nocbench("gate", "--suite", "small", "--base", "main", "-j0", "-o", "gate")
    assert gate.returncode == 1, gate.stderr
    assert "FAIL: 1 slower, 2 same; 3 of 3 points gated" in gate.stdout
    assert "note: changed files of the suite: small/shards.csv" in gate.stdout
    assert "reproduce: nocbench run --suite small Shards --arch blackhole --board p100" in gate.stdout
    assert "first differing event: " in gate.stdout


def test_a_baseline_is_recorded_and_checked(directory: Path, run_program: CommandLine, tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    again = ["run", "--suite", directory, "-j0", "-o", results]
    assert run_program(*again).status == 0
    assert run_program("accept", results, "--suite", directory, "--reason", "the first ones").status == 0
    assert run_program("check", results, "--suite", directory).status == 0
    (directory / "shards.csv").write_text(SLOWER_TABLE)
    assert run_program(*again).status == 0
    slower = run_program("check", results, "--suite", directory)
    assert slower.status == 1
    assert "FAIL: 1 slower, 2 same" in slower.out
