"""``--accuracy``: choice of points, marks in their rows, and refusals of such rows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_row
from study_scripts import study_script

import nocbench
from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import machines_for_flows, read_flow_table
from nocbench.flow_tables.work import work_of
from nocbench.gating.verdicts import PointVerdict, Verdict
from nocbench.points import accuracy
from nocbench.points.accuracy import Accuracy, Work, decide, with_fast
from nocbench.points.selection import select_points
from nocbench.points.simulation import run_point
from nocbench.results.result_files import read_rows, write_results
from nocbench.running.accuracies import choose, error_table, sample_of_fast, work_of_one_transaction
from nocbench.running.engines.in_process import InProcess
from nocbench.running.execution import run_points
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from conftest import CommandLine

CHECKOUT = Path(__file__).resolve().parents[3]
FLOWS = CHECKOUT / "examples" / "flows"
RESHARD = FLOWS / "reshard.csv"
PROGRAM = CHECKOUT / "tests" / "device_kernels" / "late_2026" / "pages.yaml"
SHORT = ["One to One Packet Sizes", "--arch", "blackhole", "-a", "num_transactions=4", "-a", "call_size=1KiB"]
LONG = ["All to All Packet Sizes", "--arch", "wormhole_b0", "-a", "num_transactions=1,2", "-a", "call_size=64,4KiB"]
FAST_ROW = "One to One Packet Sizes, Sender, on wormhole_b0 (n150), num_transactions=16, call_size=64, accuracy=fast"


@pytest.fixture
def run(run_in_process: CommandLine) -> CommandLine:
    """Runs a command on the real simulator."""
    return run_in_process


@pytest.fixture
def slow_exact_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lowers the assumed speed of exact simulation, so that short points count as long ones."""
    monkeypatch.setattr(accuracy, "EXACT_FLIT_HOPS_PER_SECOND", 8e6)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "exact.csv", tmp_path / "fast.csv"
    write_results([make_row()], paths[0])
    write_results([make_row(params="accuracy=fast", latency_cycles=650.5)], paths[1])
    return paths


def test_fast_rows_are_marked_and_exact_ones_are_as_ever(run: CommandLine, tmp_path: Path) -> None:
    rows = {}
    for name, words in (("usual", []), ("exact", ["--accuracy", "exact"]), ("fast", ["--accuracy", "fast"])):
        path = tmp_path / f"{name}.csv"
        done = run("run", "-j0", *SHORT, "--set", "router.hop_cycles=12", *words, "-o", path)
        assert done.status == 0
        assert ("accuracy=fast" in done.out) == (name == "fast")
        rows[name] = path.read_text()
    assert rows["usual"] == rows["exact"]
    assert "router.hop_cycles=12;accuracy=fast" in rows["fast"]
    # Nothing contends with this core's transfers, so both take the same number of cycles.
    assert rows["fast"].replace(";accuracy=fast", "") == rows["exact"]


def test_in_python() -> None:
    frame = nocbench.run(SHORT[0], arch="blackhole", num_transactions=1, call_size=64, accuracy="fast", jobs=0)
    assert list(frame["params"]) == ["accuracy=fast"]
    with pytest.raises(InputError, match=r"accuracy: expected one of exact, fast, auto, found 'quick'"):
        nocbench.run(SHORT[0], accuracy="quick")


@pytest.mark.parametrize(
    "words",
    [
        ["run", *SHORT],
        ["heatmap", *SHORT],
        ["trace", *SHORT],
        ["explain", *SHORT],
        ["flows", RESHARD],
        ["heatmap", RESHARD, "--arch", "blackhole"],
        ["kernel", PROGRAM],
        ["shmem", CHECKOUT / "examples" / "shmem" / "ring.c"],
    ],
    ids=lambda words: " ".join(str(word) for word in words[:2]),
)
def test_it_is_no_setting(run: CommandLine, words: list[str | Path]) -> None:
    for value in ("fast", "exact"):
        done = run(*words, "--set", f"accuracy={value}")
        assert done.status == 2
        assert f"--set accuracy={value}: expected a field of the board or architecture; --accuracy exact" in done.err


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_synthetic_traffic_of_a_chip(run: CommandLine, tmp_path: Path, arch: str) -> None:
    latencies = {}
    for name in ("exact", "fast"):
        path = tmp_path / f"{name}.csv"
        words = ["Synthetic Traffic", "--arch", arch, "--tier", "quick", "-a", "pattern=transpose"]
        assert run("run", "-j0", *words, "--accuracy", name, "-o", path).status == 0
        latencies[name] = [row["latency_cycles"] for row in read_rows(path)]
    assert latencies["fast"] == pytest.approx(latencies["exact"], rel=0.01)


def test_other_machines_are_always_exact(run: CommandLine, tmp_path: Path) -> None:
    words = ["run", "-j0", "Core to Core Read Sizes", "--arch", "epiphany_iii", "--tier", "quick"]
    refused = run(*words, "--accuracy", "fast", "-o", tmp_path / "fast.csv")
    assert refused.status == 2
    assert "expected an architecture of kind tensix_torus, found epiphany_iii, of kind epiphany_mesh" in refused.err
    assert not (tmp_path / "fast.csv").exists()
    for name in ("exact", "auto"):
        assert run(*words, "--accuracy", name, "-o", tmp_path / f"{name}.csv").status == 0
    assert (tmp_path / "auto.csv").read_bytes() == (tmp_path / "exact.csv").read_bytes()


@pytest.mark.parametrize(
    ("work", "is_fast", "reason"),
    [
        (Work(26e6, 100, 50, 48), True, "more than a second of exact work"),
        (Work(24e6, 100, 0, 100), False, "less than a second of exact work"),
        (Work(26e6, 100, 51, 100), False, "packets of fewer than 4 flits"),
        (Work(26e6, 100, 0, 47), False, "fewer than 48 transfers"),
        (None, False, "work that is not known before it runs"),
    ],
)
def test_what_auto_takes(work: Work | None, is_fast: bool, reason: str) -> None:
    assert decide("auto", "blackhole", lambda: work) == (is_fast, reason)
    assert decide("auto", "epiphany_iii", lambda: work) == (False, "an architecture of kind epiphany_mesh")
    assert decide("fast", "blackhole", lambda: work).is_fast
    assert not decide("exact", "epiphany_iii", lambda: work).is_fast


def test_packets_count_with_their_header() -> None:
    assert [accuracy.is_short(call_bytes, 32) for call_bytes in (1, 32, 64, 65, 96)] == [True, True, True, False, False]


@pytest.mark.usefixtures("slow_exact_engine")
def test_auto_chooses_among_points(run: CommandLine, tmp_path: Path) -> None:
    done = run("run", "-j0", *LONG, "--accuracy", "auto", "-o", tmp_path / "auto.csv")
    assert done.status == 0
    assert (
        "accuracy: 1 of 4 points run fast because of more than a second of exact work: All to All Packet Sizes (1); "
        "3 of 4 points run exactly because of less than a second of exact work\n"
    ) in done.err
    rows = read_rows(tmp_path / "auto.csv")
    fast = [(row["num_transactions"], row["call_size_bytes"]) for row in rows if row["params"] == "accuracy=fast"]
    assert fast == [(2, 4096)]
    # Together, shards of this run hold both kinds of rows; a single shard may hold only one kind.
    for shard in (1, 2, 3):
        path = tmp_path / f"part{shard}.csv"
        assert run("run", "-j0", *LONG, "--accuracy", "auto", "--shard", f"{shard}/3", "-o", path).status == 0
    parts = [tmp_path / f"part{shard}.csv" for shard in (1, 2, 3)]
    assert run("merge", *parts, "-o", tmp_path / "merged.csv").status == 0
    assert (tmp_path / "merged.csv").read_bytes() == (tmp_path / "auto.csv").read_bytes()


@pytest.mark.parametrize("test", ["All to All Packet Sizes", "All from All Packet Sizes", "One to One Packet Sizes"])
def test_the_work_of_points_is_known_beforehand(test: str) -> None:
    axes = {"num_transactions": "4", "call_size": "1024"}
    [point] = select_points([test], architectures=["wormhole_b0"], axes=axes)
    work = work_of_one_transaction(point)
    assert work is not None
    assert 4 * work.flit_hops == pytest.approx(run_point(point).flit_hops, rel=0.3)


@pytest.mark.parametrize("path", sorted(FLOWS.glob("*.csv")), ids=lambda path: path.stem)
def test_the_work_of_tables_is_known_beforehand(path: Path) -> None:
    for machine in machines_for_flows(path, "", "", ()):
        table, on = read_flow_table(path, machine)
        work = work_of(table, on)
        assert work.flit_hops == pytest.approx(run_flow_table(table, on).result["flit_hops"], rel=0.3)
        assert work.num_transfers == sum(flow.num_calls for flow in table.flows)
        assert work.num_short_packets == 0


@pytest.mark.parametrize(
    ("kind", "noc", "partner", "routers"),
    [("write", 0, "0 1", 2), ("read", 0, "0 1", 12), ("write", 1, "0 1", 12), ("read", 1, "0 1", 2)],
)
def test_the_way_of_data_in_tables(tmp_path: Path, kind: str, noc: int, partner: str, routers: int) -> None:
    path = tmp_path / "flows.csv"
    path.write_text(f"name,kind,core,partner,call_size,num_calls,noc\na,{kind},0 0,{partner},64,3,{noc}\n")
    [machine] = machines_for_flows(path, "blackhole", "", ())
    table, on = read_flow_table(path, machine)
    assert work_of(table, on) == Work(3 * 2 * routers, 3, 3, 3)  # a header and a flit


def test_auto_knows_no_work_of_open_loops() -> None:
    axes = {"num_transactions": "4", "call_size": "1024"}
    [all_to_all] = select_points(["All to All Packet Sizes"], architectures=["blackhole"], axes={**axes, "grid": "2x2"})
    assert work_of_one_transaction(all_to_all) is not None
    axes |= {"pattern": "uniform", "injection_rate": "0.05", "size": "2x2"}
    [mesh] = select_points(["Synthetic Traffic on a Mesh"], architectures=["blackhole"], axes=axes)
    assert work_of_one_transaction(mesh) is None


@pytest.mark.usefixtures("slow_exact_engine")
def test_auto_on_a_table(run: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "flows.csv"
    for num_calls, word, params in ((64, "exact", ""), (8000, "fast", "accuracy=fast")):
        path.write_text(f"name,kind,core,partner,call_size,num_calls,noc\na,write,0 0,3 3,16384,{num_calls},0\n")
        done = run("flows", path, "--board", "p100", "--accuracy", "auto", "-o", tmp_path / "rows.csv")
        assert done.status == 0
        assert f"accuracy: {word} for blackhole (p100), because of " in done.err
        assert [row["params"] for row in read_rows(tmp_path / "rows.csv")] == [params]


def test_single_points_and_files_take_it(run: CommandLine, tmp_path: Path) -> None:
    fast = ["--accuracy", "fast"]
    assert run("trace", *SHORT, *fast, "-o", tmp_path / "trace.json").status == 0
    assert json.loads((tmp_path / "trace.json").read_text())["otherData"]["accuracy"] == "fast"
    assert "call_size=1024, accuracy=fast, Sender: " in run("explain", *SHORT, *fast).out
    assert "call_size=1024, accuracy=fast" in run("heatmap", *SHORT, *fast, "-o", tmp_path / "map.png").err
    assert "accuracy=fast" in run("explain", RESHARD, "--arch", "blackhole", *fast).out
    assert run("kernel", PROGRAM, "--arch", "blackhole", *fast, "-o", tmp_path / "rows.csv").status == 0
    assert all("accuracy=fast" in row["params"] for row in read_rows(tmp_path / "rows.csv"))
    sentence = "accuracy: exact for blackhole, because of work that is not known before it runs"
    assert sentence in run("kernel", PROGRAM, "--arch", "blackhole", "--accuracy", "auto").err


def test_a_trace_is_replayed_with_it(run: CommandLine, tmp_path: Path) -> None:
    event = {
        "run_host_id": 1,
        "op_name": "Copy",
        "proc": "BRISC",
        "noc": "NOC_0",
        "vc": 1,
        "type": "WRITE_",
        "sx": 1,
        "sy": 2,
        "dx": 3,
        "dy": 4,
        "num_bytes": 4096,
        "timestamp": 100,
    }
    (tmp_path / "trace.json").write_text(json.dumps([event]))
    words = ["replay", tmp_path / "trace.json", "--arch", "blackhole", "--recorded-on", "blackhole"]
    assert run(*words, "--accuracy", "fast", "-o", tmp_path / "rows.csv").status == 0
    assert [row["params"] for row in read_rows(tmp_path / "rows.csv")] == ["accuracy=fast"]
    assert "less than a second of exact work" in run(*words, "--accuracy", "auto").err


def test_commands_that_repeat_a_point_have_it() -> None:
    axes = {"num_transactions": "4", "call_size": "64"}
    [point] = select_points(["One to One Packet Sizes"], architectures=["blackhole"], axes=axes)
    assert replace(point, settings=with_fast(())).command().endswith(" --accuracy fast")
    row = make_row(params="accuracy=fast")
    assert PointVerdict.of_row(row, Verdict.SAME, head=row).command().endswith(" --accuracy fast")


def test_who_refuses_fast_rows(run: CommandLine, files: tuple[Path, Path], tmp_path: Path) -> None:
    exact, fast = files
    refused = f"{fast}: expected exact results, found those of --accuracy fast, the first of {FAST_ROW}; run its points"
    outputs = tmp_path / "pages", tmp_path / "new.csv"
    before = exact.read_bytes()
    for words in (
        ["accuracy", fast],
        ["accuracy", exact, fast],
        ["plot", fast, "-o", outputs[0]],
        ["check", fast, "--baseline", exact],
        ["check", exact, "--baseline", fast],
        ["accept", fast, "--baseline", exact, "--reason", "x"],
        ["accept", fast, "--baseline", outputs[1], "--reason", "x"],
    ):
        done = run(*words)
        assert done.status == 4, words
        assert refused in done.err
    assert exact.read_bytes() == before
    assert not any(path.exists() for path in outputs)


def test_merging(run: CommandLine, files: tuple[Path, Path], tmp_path: Path) -> None:
    exact, fast = files
    done = run("merge", exact, fast, "-o", tmp_path / "merged.csv")
    assert done.status == 4
    assert f"found rows of --accuracy fast in {fast} and exact ones in {exact}; run the points" in done.err
    assert not (tmp_path / "merged.csv").exists()
    more = make_row(num_transactions=64, params="accuracy=fast")
    write_results([more], tmp_path / "more.csv")
    assert run("merge", fast, tmp_path / "more.csv", "-o", tmp_path / "merged.csv").status == 0
    assert [row["params"] for row in read_rows(tmp_path / "merged.csv")] == ["accuracy=fast"] * 2


def test_a_file_has_a_point_once(run: CommandLine, tmp_path: Path) -> None:
    write_results([make_row(), make_row(params="accuracy=fast")], tmp_path / "both.csv")
    done = run("compare", tmp_path / "both.csv", tmp_path / "both.csv")
    assert done.status == 2
    assert "the same point as in line 2" in done.err


def test_compare_and_report_mark_them(run: CommandLine, files: tuple[Path, Path], tmp_path: Path) -> None:
    exact, fast = files
    compared = run("compare", exact, fast)
    assert compared.status == 0
    assert "1 slower" in compared.out
    assert "accuracy=fast" in compared.out
    for words in ([fast], [fast, "--baseline", exact]):
        run("report", *words, "-o", tmp_path / "report.html")
        assert "accuracy=fast" in (tmp_path / "report.html").read_text()
    assert "1 row of the head is of points that were simulated packet by packet" in (
        (tmp_path / "report.html").read_text()
    )


def test_they_are_not_kept(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    module = study_script("kept_results")
    for command in ("keep", "compare"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.argv", ["kept_results.py", command, str(files[1])])
            assert module.main() == 4
        assert f"{files[1]}: expected exact results" in capsys.readouterr().err


def test_the_sample_is_spread_over_tests() -> None:
    tests = ["One to One Packet Sizes", "One from One Packet Sizes", "Loopback Packet Sizes"]
    exact = select_points(tests, architectures=["blackhole"])
    points = choose(exact, Accuracy("fast"), InProcess())
    points[0] = exact[0]
    positions = sample_of_fast(points, 4)
    assert positions == sample_of_fast(points, 4) == sorted(set(positions))
    assert len(positions) == 4
    assert {points[position].test for position in positions} == set(tests)
    assert set(sample_of_fast(points, 3)) < set(positions)
    assert sample_of_fast(points, 1000) == list(range(1, len(points)))
    assert sample_of_fast(exact, 4) == []


def test_some_fast_points_run_exactly_as_well(run: CommandLine, tmp_path: Path) -> None:
    words = ["run", "-j0", *LONG, "-o", tmp_path / "fast.csv"]
    done = run(*words, "--accuracy", "fast", "--sample-exact", "3")
    assert done.status == 0
    assert "exact cycles  fast cycles  difference" in done.err
    assert done.err.count("All to All Packet Sizes") == 3
    assert "fast against exact, 3 points: median difference " in done.err
    assert all(row["params"] == "accuracy=fast" for row in read_rows(tmp_path / "fast.csv"))
    none_fast = run(*words, "--accuracy", "auto", "--sample-exact", "3")
    assert none_fast.status == 0
    assert "no fast point was run exactly as well" in none_fast.err
    refused = run(*words, "--sample-exact", "3")
    assert refused.status == 2
    assert "--sample-exact compares points of --accuracy fast or auto with exact ones" in refused.err


def test_differences_are_those_of_the_same_points() -> None:
    axes = {"num_transactions": "1", "call_size": "64,4096"}
    points = select_points(["One to One Packet Sizes"], architectures=["blackhole"], axes=axes)
    measured = run_points(points, InProcess())
    other = run_points(points[1:], InProcess())
    other.rows[0]["latency_cycles"] *= 2
    table, sentence = error_table([1], measured, other)
    assert [row[-1] for row in table] == ["-50.00 %"]
    assert sentence == "fast against exact, 1 point: median difference 50.00 %, largest 50.00 %"
