"""``nocbench optimise`` on the real simulator, with small tables."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from nocbench.architectures.memories import memories_of
from nocbench.flow_tables.csv_table import read_csv_table
from nocbench.optimising.measuring import Measurement, Score
from nocbench.optimising.optimisation import Candidate, Optimisation
from nocbench.optimising.report import candidate_cells, conclusion
from nocbench.programs.execution import Machine

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

# Three cores write to three common cores in equal order, so they contend.
ROWS = "".join(f"shards,write,0 {y},{x} 0,4096,2\n" for y in range(1, 4) for x in range(1, 4))
TABLE = f"name,kind,core,partner,call_size,num_calls\n{ROWS}"
FEW_RUNS = ("--arch", "wormhole_b0", "--runs", "30")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "shards.csv"
    path.write_text(TABLE)
    return path


def cycles_of(run_program: CommandLine, path: Path) -> float:
    [run] = json.loads(run_program("flows", path, "--arch", "wormhole_b0", "--json").out)
    assert run["data_fault"] == ""
    return float(run["cycles"])


def candidates(out: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out)["candidates"]
    return found


@pytest.mark.parametrize("vary", ["placement", "noc", "order", "vc"])
def test_the_best_table_is_what_the_report_says(
    run_program: CommandLine, table: Path, tmp_path: Path, vary: str
) -> None:
    best = tmp_path / "best.csv"
    each = ("--each", "flow") if vary in ("noc", "vc") else ()
    done = run_program("optimise", table, "--vary", vary, *each, *FEW_RUNS, "-o", best, "--json", "-j", "1")
    assert done.status == 0, done.err
    report = json.loads(done.out)
    start, *finalists = report["candidates"]
    assert (report["vary"], report["runs"], len(finalists)) == ([vary], 30, 3)
    assert start["cycles"] == cycles_of(run_program, table)
    [chosen] = [candidate for candidate in report["candidates"] if candidate["name"] == report["best"]]
    assert chosen["cycles"] == min(candidate["cycles"] for candidate in report["candidates"])
    assert chosen["cycles"] == cycles_of(run_program, best)
    assert sum(start["waits"].values()) > 0
    if vary in ("order", "placement"):
        assert chosen["cycles"] < start["cycles"]


def test_report_for_people(run_program: CommandLine, table: Path) -> None:
    done = run_program("optimise", table, "--vary", "order", *FEW_RUNS)
    assert done.status == 0
    assert "shards on wormhole_b0 (n150): 9 flows, order varied: 30 tables ran fast, 4 exactly; seed 0\n" in done.out
    assert " is the best: " in done.out
    assert re.search(r"  order: [1-3] cores? with another order of flows\n", done.out)
    assert "where the time of all RISCs went\ncause" in done.out
    assert "30 of 30 tables in " in done.err


def test_the_same_seed_gives_the_same_bytes(run_program: CommandLine, table: Path, tmp_path: Path) -> None:
    def run(seed: int, jobs: int) -> tuple[str, str]:
        best = tmp_path / f"{seed}_{jobs}.csv"
        vary = ("--vary", "order", "--vary", "placement", "--within", "all")
        done = run_program("optimise", table, *vary, *FEW_RUNS, "--seed", seed, "-j", jobs, "--json", "-o", best)
        return done.out, best.read_text()

    assert run(1, 0) == run(1, 1) == run(1, 3)
    assert run(1, 1)[1] != run(2, 1)[1]


def test_the_start_stays_where_nothing_is_faster(run_program: CommandLine, table: Path, tmp_path: Path) -> None:
    best = tmp_path / "best.csv"
    done = run_program("optimise", table, "--vary", "noc", *FEW_RUNS, "-o", best)
    assert done.status == 0
    assert "2 tables ran fast, 2 exactly" in done.out
    assert "no finalist takes fewer cycles than the start when it runs exactly: the start stays\n" in done.out
    memories = memories_of("wormhole_b0")
    assert list(read_csv_table(best, memories).flows) == list(read_csv_table(table, memories).flows)


def test_only_exact_cycles_of_right_data_count() -> None:
    def candidate(name: str, fast: float, exact: float | None, fault: str = "") -> Candidate:
        score = None if exact is None else Score(exact, 0.0)
        return Candidate(name, None, ["order: 1 core"], fast, Measurement(score, fault=fault))  # type: ignore[arg-type]

    start = candidate("start", 1000.0, 1000.0)
    slower, same = candidate("finalist 1", 500.0, 1001.0), candidate("finalist 2", 510.0, 1000.0)
    wrong, crashed = candidate("finalist 3", 520.0, 400.0, "wrong"), candidate("finalist 4", 530.0, None, "crashed")
    machine = Machine("wormhole_b0")
    found = Optimisation(machine, 0, 9, 0, start, [slower, same, wrong, crashed])
    assert found.best is start
    assert [row[2:] for row in candidate_cells(found)] == [
        ("1000", ""),
        ("1001", "+0.1 %"),
        ("1000", "+0.0 %"),
        ("", "wrong"),
        ("", "crashed"),
    ]
    [line] = conclusion(found)
    assert line.endswith("the start stays")
    faster = candidate("finalist 5", 540.0, 999.0)
    found = Optimisation(machine, 0, 9, 0, start, [slower, wrong, faster])
    assert found.best is faster
    assert next(iter(conclusion(found))) == "finalist 5 is the best: 999 cycles instead of 1,000 (-0.1 %)"


WORKLOAD = {
    "phases": [
        {
            "transfers": [
                {"packet_size": 2048, "num_packets": 8, "src_x": 1, "src_y": y, "dst_x": 4, "dst_y": 4} for y in (1, 3)
            ]
        }
    ]
}


def test_workloads(run_program: CommandLine, tmp_path: Path) -> None:
    workload, best = tmp_path / "workload.json", tmp_path / "best.csv"
    workload.write_text(json.dumps(WORKLOAD))
    arguments = ("optimise", workload, "--vary", "placement", "--runs", "4", "-o", best)
    done = run_program(*arguments, "--json")
    assert done.status == 0
    assert min(c["cycles"] for c in candidates(done.out)) == cycles_of(run_program, best)
    WORKLOAD["phases"][0]["transfers"][0] |= {"src_x": 0, "src_y": 0}
    workload.write_text(json.dumps(WORKLOAD))
    refused = run_program(*arguments)
    assert refused.status == 2
    assert "workload.json: flow 1: expected a core, a rectangle or a bank as the partner" in refused.err


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--vary", "size"], "'size' is not one of 'placement', 'noc', 'order', 'vc'"),
        ([], "Missing option '--vary'"),
        (["--vary", "noc", "--within", "all"], "--within: expected --vary placement beside it, found none"),
        (["--vary", "order", "--each", "flow"], "--each: expected --vary noc or vc beside it, found neither"),
        (["--vary", "noc", "--runs", "1"], "1 is not in the range x>=2"),
        (
            ["--vary", "noc", "--set", "accuracy=fast"],
            "--set accuracy=fast: expected a field of the board or architecture",
        ),
        (["--vary", "noc", "-o", "best.txt"], "best.txt: expected a file that ends in .csv, found '.txt'"),
        (["--vary", "noc", "-o", "/nowhere/best.csv"], "/nowhere/best.csv: cannot be written"),
        (["--vary", "noc", "--set", "router.hop_cycels=1"], "hop_cycels"),
    ],
)
def test_mistakes(run_program: CommandLine, table: Path, arguments: list[str], complaint: str) -> None:
    done = run_program("optimise", table, "--arch", "wormhole_b0", *arguments)
    assert done.status == 2
    assert complaint in done.err
    assert done.out == ""


def test_a_search_is_for_one_chip(run_program: CommandLine, table: Path) -> None:
    done = run_program("optimise", table, "--vary", "noc")
    assert done.status == 2
    assert "--arch: expected the chip to optimise for, " in done.err


def test_one_flow_has_no_order(run_program: CommandLine, tmp_path: Path) -> None:
    path, best = tmp_path / "one.csv", tmp_path / "best.csv"
    path.write_text("\n".join(TABLE.splitlines()[:2]) + "\n")
    done = run_program("optimise", path, "--arch", "wormhole_b0", "--vary", "order", "-o", best)
    assert done.status == 2
    assert "one.csv: --vary order: expected a core with several flows, found none" in done.err
    assert not best.exists()


def test_a_table_that_does_not_fit_is_refused(run_program: CommandLine, table: Path) -> None:
    table.write_text(TABLE.replace("4096", "16MiB"))
    done = run_program("optimise", table, "--arch", "wormhole_b0", "--vary", "order")
    assert done.status == 2
    assert "error: " in done.err
