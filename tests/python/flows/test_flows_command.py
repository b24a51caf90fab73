"""``nocbench flows``, and heat maps, traces and explanations of tables, on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import read_flow_table
from nocbench.flow_tables.work import require_time
from nocbench.programs.execution import Machine
from nocbench.results.result_files import read_results
from nocbench.support.columns import RESULT_COLUMNS
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from conftest import CommandLine

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "flows").glob("*.csv"))
RESHARD = str(next(path for path in EXAMPLES if path.stem == "reshard"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run_on_each_chip(run_program: CommandLine, example: Path) -> None:
    done = run_program("flows", str(example))
    assert done.status == 0
    assert f"{example.stem} on wormhole_b0 (n150): " in done.out
    assert f"{example.stem} on blackhole (p100): " in done.out


def test_rows_are_result_rows(run_program: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    done = run_program("flows", RESHARD, "--board", "n150", "--set", "router.hop_cycles=20", "-o", str(path))
    assert done.status == 0
    frame = read_results(path)
    assert list(frame.columns) == [column.name for column in RESULT_COLUMNS]
    [row] = frame.to_dict("records")
    assert (row["test"], row["kernel"], row["primitive"], row["num_cores"]) == ("reshard", "reshard", "flows", 8)
    assert (row["num_transactions"], row["transaction_size_bytes"]) == (256, 4096)
    assert row["params"] == "router.hop_cycles=20"


@pytest.mark.parametrize("accuracy", ["exact", "fast", "auto"])
@pytest.mark.parametrize(("kind", "calls"), [("write", 2_000_000_000), ("read", 600_000_000)])
def test_what_cannot_end_in_time_does_not_start(
    run_program: CommandLine, tmp_path: Path, kind: str, calls: int, accuracy: str
) -> None:
    table = tmp_path / "long.csv"
    rows = "".join(f"a,{kind},0 0,{y} 1,64,{calls},0\n" for y in range(2))
    table.write_text(f"name,kind,core,partner,call_size,num_calls,noc\n{rows}")
    done = run_program("flows", table, "--board", "n150", "--accuracy", accuracy, "-o", tmp_path / "rows.csv")
    assert done.status == 2
    assert done.err.splitlines()[-1] == (
        f"error: {table}: expected flows that end within 2,000,000,000 cycles (--cycles-max), found those of core "
        f"(0, 0) on NoC 0, whose data alone take {4 * calls:,}"
    )
    assert sorted(tmp_path.iterdir()) == [table]


def test_the_bound_is_that_of_the_link(tmp_path: Path) -> None:
    """A table that can end in time is never refused: the minimum time is below the real one, and close to it for long
    calls.
    """
    table = tmp_path / "long.csv"
    table.write_text("name,kind,core,partner,call_size,num_calls,noc\na,write,0 0,1 0,8192,20,0\n")
    flows, machine = read_flow_table(table, Machine("wormhole_b0"))
    cycles = run_flow_table(flows, machine).cycles
    require_time(flows, machine, int(cycles))
    with pytest.raises(InputError, match="whose data alone take 5,120"):
        require_time(flows, machine, int(0.8 * cycles))


TABLE = """name,kind,core,partner,call_size,num_calls,noc
shards,write,0 0,3 0,4096,8,0
shards,write,0 1,3 1,4096,8,0
"""


def test_files_of_rows_are_checked_against_each_other(run_program: CommandLine, tmp_path: Path) -> None:
    table, before, after = (tmp_path / name for name in ("shards.csv", "before.csv", "after.csv"))
    table.write_text(TABLE)
    assert run_program("flows", table, "-o", before).status == 0
    same = run_program("check", before, "--baseline", before)
    assert same.status == 0
    assert "PASS: 2 same; 2 of 2 points gated" in same.out
    table.write_text(TABLE.replace("4096,8", "2048,17"))
    assert run_program("flows", table, "-o", after).status == 0
    slower = run_program("check", after, "--baseline", before)
    assert slower.status == 1
    assert "FAIL: 2 slower; 2 of 2 points gated" in slower.out
    assert re.search(
        "reproduce: nocbench flows TABLE --arch (blackhole --board p100|wormhole_b0 --board n150)\n", slower.out
    )


def test_json_has_each_flow(run_program: CommandLine) -> None:
    done = run_program("flows", RESHARD, "--arch", "blackhole", "--json")
    [run] = json.loads(done.out)
    assert len(run["flows"]) == 64
    assert run["cycles"] == max(flow["end"] for flow in run["flows"])
    assert run["flows"][0]["line"] == 4
    assert run["data_fault"] == ""


def test_heat_map_trace_and_explanation(run_program: CommandLine, tmp_path: Path) -> None:
    picture, trace = tmp_path / "map.svg", tmp_path / "trace.json"
    done = run_program("heatmap", RESHARD, "--arch", "wormhole_b0", "-o", str(picture))
    assert done.status == 0
    assert "busiest links" in done.out
    assert picture.stat().st_size > 0
    assert run_program("trace", RESHARD, "--arch", "wormhole_b0", "-o", str(trace)).status == 0
    names = {event.get("name") for event in json.loads(trace.read_text())["traceEvents"]}
    assert "reshard" in names
    done = run_program("explain", RESHARD, "--arch", "wormhole_b0")
    assert done.status == 0
    assert "what the end of reshard on wormhole_b0" in done.out
    [share] = re.findall(r"B/cycle, (\d+) % of the maximum", done.out)  # counts the links of all 8 cores
    assert 0 < int(share) < 100


def test_mistakes_are_bad_input(run_program: CommandLine, tmp_path: Path) -> None:
    path, rows = tmp_path / "flows.csv", tmp_path / "rows.csv"
    path.write_text("kind,core,partner,call_size\nwrite,0 0,99 0,64\n")
    done = run_program("flows", str(path), "-o", str(rows))
    assert done.status == 2
    assert f"{path}:2: partner: expected a core from (0, 0)" in done.err
    assert not rows.exists()


def test_calls_that_do_not_fit_into_memory(run_program: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "flows.csv"
    path.write_text("kind,core,partner,call_size\nwrite,0 0,1 0,1MiB\n")
    done = run_program("flows", str(path), "--arch", "wormhole_b0")
    assert done.status == 2
    assert "1048576 bytes at 0x140000 do not fit into L1" in done.err


def test_unknown_files(run_program: CommandLine, tmp_path: Path) -> None:
    done = run_program("flows", str(tmp_path / "flows.txt"))
    assert done.status == 2
    assert "expected a table of flows (.csv) or a workload (.yaml, .yml, .json), found '.txt'" in done.err
    assert run_program("flows", str(tmp_path / "none.csv")).status == 2
    done = run_program("heatmap", RESHARD, "-a", "x=1", "--arch", "blackhole")
    assert done.status == 2
    assert "-a sets a parameter of a program file" in done.err
