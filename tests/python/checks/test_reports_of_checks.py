"""Output of ``--check``, and its complaints."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_suite import KERNEL, SUITE, Repository, write_suite

if TYPE_CHECKING:
    from conftest import CommandLine

RACES = Path(__file__).parents[3] / "examples" / "races"
TRACES = Path(__file__).parents[3] / "examples" / "traces"
PIPELINE = Path(__file__).parents[3] / "examples" / "copy_pipeline"
WRONG = "reinterpret_cast<volatile uint32_t*>(page)[page_bytes / 4 - 1] = 0;  // marks the page as free"


@pytest.fixture
def races(tmp_path: Path) -> Path:
    folder = tmp_path / "races"
    shutil.copytree(RACES, folder)
    return folder


def _with_comment(races: Path, comment: str) -> str:
    kernel = races / "kernels" / "source_reused.cpp"
    kernel.write_text(kernel.read_text().replace(WRONG, f"{WRONG.partition('  //')[0]}  // {comment}"))
    return str(races / "source_reused.yaml")


def test_a_finding_is_a_message_with_both_lines(run_program: CommandLine) -> None:
    done = run_program("kernel", str(RACES / "source_reused.yaml"), "--arch", "blackhole", "--check", "racecheck")
    assert done.status == 1
    first, *others = done.err.splitlines()
    assert (
        first == "source_reused.cpp:12: racecheck: the source of a write is changed while the data may still be leaving"
    )
    assert "  4 bytes of region page + 0x1ffc of core (0, 0)" in others
    assert "  it happened in this run" in others
    assert "  expected noc_async_writes_flushed() before source_reused.cpp:12" in others


def test_findings_come_before_a_deadlock(run_program: CommandLine) -> None:
    done = run_program("kernel", str(RACES / "flag_reset.yaml"), "--arch", "blackhole", "--check", "racecheck")
    assert done.status == 2
    assert done.err.index("racecheck: the source of a write") < done.err.index("error: deadlock")


def test_json(run_program: CommandLine) -> None:
    done = run_program(
        "kernel", str(RACES / "two_writers.yaml"), "--arch", "blackhole", "--check", "all", "--perturb", "3", "--json"
    )
    [run] = json.loads(done.out)
    [finding] = run["findings"]
    assert finding["check"] == "racecheck"
    assert finding["first"]["line"] == finding["second"]["line"] == 14
    assert run["difference"]["seed"] == 1


def test_an_allowed_finding_is_listed(races: Path, run_program: CommandLine) -> None:
    program = _with_comment(races, "nocbench: allow racecheck the receiver ignores the last word")
    done = run_program("kernel", program, "--arch", "blackhole", "--check", "racecheck")
    assert done.status == 0
    assert done.err == "source_reused.cpp:12: racecheck: allowed: the receiver ignores the last word\n"


@pytest.mark.parametrize(
    ("comment", "options", "message"),
    [
        ("nocbench: allow racecheck", (), "allow racecheck: expected a reason behind it, found none"),
        ("nocbench: allow rececheck x", (), "found 'rececheck'; did you mean"),
        ("nocbench: allow racecheck x", ("-a", "mended=1"), "expected a finding of racecheck at this line"),
    ],
)
def test_wrong_allowances(
    comment: str, options: tuple[str, ...], message: str, races: Path, run_program: CommandLine
) -> None:
    program = _with_comment(races, comment)
    done = run_program("kernel", program, "--arch", "blackhole", "--check", "racecheck", *options)
    assert done.status == 2
    assert "source_reused.cpp:12" in done.err
    assert message in done.err


@pytest.mark.parametrize("names", ["races", "racecheck,none", ""])
def test_unknown_checks(names: str, run_program: CommandLine) -> None:
    done = run_program("kernel", str(RACES / "two_writers.yaml"), "--check", names)
    assert done.status == 2
    assert f"--check {names}: expected" in done.err


def test_sarif(races: Path, run_program: CommandLine) -> None:
    (races.parent / ".git").mkdir()
    file = races.parent / "findings.sarif"
    program = str(races / "page_popped.yaml")
    assert run_program("kernel", program, "--arch", "blackhole", "--check", "all", "--sarif", str(file)).status == 1
    [run] = json.loads(file.read_text())["runs"]
    [result] = run["results"]
    assert result["ruleId"] == "racecheck"
    [location] = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "races/kernels/page_reader.cpp"
    assert location["physicalLocation"]["region"]["startLine"] == 10
    [related] = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "races/kernels/page_writer.cpp"


def test_sarif_outside_of_a_repository(races: Path, run_program: CommandLine) -> None:
    file = races.parent / "findings.sarif"
    done = run_program("kernel", str(races / "page_popped.yaml"), "--check", "all", "--sarif", str(file))
    assert done.status == 2
    assert "--sarif: expected" in done.err
    assert "in a repository of git" in done.err
    assert not file.exists()


def test_a_suite_with_checks(tmp_path: Path, run_program: CommandLine) -> None:
    folder = tmp_path / "suite"
    shutil.copytree(PIPELINE, folder)
    suite = folder / "nocbench.yaml"
    suite.write_text(suite.read_text().replace("tests:", "checks: [racecheck, synccheck]\ntests:", 1))
    arguments = ("run", "Copy Pipeline Buffer Depth", "--suite", str(folder), "--tier", "quick", "-j", "0")
    assert run_program(*arguments, "-o", str(tmp_path / "right.csv")).status == 0
    writer = folder / "kernels" / "writer.cpp"
    flush = "        noc_async_writes_flushed();\n"
    assert flush in writer.read_text()
    writer.write_text(writer.read_text().replace(flush, ""))
    done = run_program(*arguments, "-o", str(tmp_path / "wrong.csv"))
    assert done.status == 1
    assert "racecheck: the source of a write is changed" in done.err


def test_wrong_checks_of_a_suite(tmp_path: Path, run_program: CommandLine) -> None:
    folder = tmp_path / "suite"
    shutil.copytree(PIPELINE, folder)
    suite = folder / "nocbench.yaml"
    suite.write_text(suite.read_text().replace("tests:", "checks: [racechek]\ntests:", 1))
    done = run_program("list", "--suite", str(folder))
    assert done.status == 2
    assert (
        "checks: expected one of memcheck, racecheck, initcheck, synccheck, found 'racechek'; did you mean" in done.err
    )


def test_the_gate_annotates_the_line_of_a_kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    suite = SUITE.replace("tests:", "checks: [racecheck]\ntests:")
    folder = write_suite(tmp_path / "tests of kernels", suite=suite)
    repository = Repository(tmp_path)
    repository.commit()
    write_suite(folder, suite=suite, kernel=KERNEL.replace("noc_async_write_barrier();", "noc_async_writes_flushed();"))
    repository.commit()
    gate = repository.nocbench("gate", "--suite", folder.name, "--base", "main~1", "-j0", "-o", "gate")
    assert gate.returncode == 1, gate.stderr
    errors = [line for line in gate.stdout.splitlines() if line.startswith("::error ")]
    assert len(errors) == 2
    for error in errors:
        assert error.startswith("::error file=tests of kernels/kernels/write.cpp,line=7,title=wrong data%3A Packets")
        assert "racecheck: the program may end before this is over: expected noc_async_write_barrier()" in error


def test_tests_are_checked(run_program: CommandLine) -> None:
    size = ("-a", "call_size=64", "-a", "num_transactions=4", "--arch", "blackhole")
    right = run_program("run", "One to One Packet Sizes", *size, "--check", "racecheck,memcheck")
    assert right.status == 0, right.err
    assert "checked 1 points: memcheck, racecheck" in right.err
    wrong = run_program("run", "All to All Packet Sizes", *size, "--check", "racecheck")
    assert wrong.status == 1
    assert "sender.cpp:32: racecheck: two writes" in wrong.err
    assert "noc_async_write(" in wrong.err
    assert "two writes to the same bytes may come in any order" in wrong.err


def test_programs_of_a_suite_are_checked(tmp_path: Path, run_program: CommandLine) -> None:
    folder = write_suite(tmp_path, kernel=KERNEL.replace("noc_async_write_barrier();", ""))
    done = run_program("run", "--suite", str(folder), "--tier", "quick", "-j0", "--check", "racecheck")
    assert done.status == 1
    assert "write.cpp:7: racecheck: the program may end before this is over" in done.err


def test_what_has_no_kernels_is_not_checked(run_program: CommandLine) -> None:
    done = run_program(
        "run", "Block Copies by Width", "--arch", "epiphany_iii", "--tier", "quick", "--check", "racecheck"
    )
    assert done.status == 2
    assert "expected kernels of Tensix tiles to check, found none" in done.err


TABLE = "kind,core,partner,call_size,num_calls,noc,vc\nread,0 0,dram 0,64,4,0,1\nread,1 0,dram 0,64,4,1,{channel}\n"
HANGS = "a bank of DRAM is used through several endpoints and several virtual channels of one of them"


def test_flows_are_checked_for_their_use_of_dram(tmp_path: Path, run_program: CommandLine) -> None:
    table = tmp_path / "table.csv"
    more = "read,2 0,dram 0,64,4,1,3\n"
    table.write_text(TABLE.format(channel=2) + more)
    usual = run_program("flows", str(table), "--arch", "blackhole", "--json")
    done = run_program("flows", str(table), "--arch", "blackhole", "--check", "synccheck")
    assert done.status == 1
    assert f"table.csv:4: synccheck: {HANGS}" in done.err
    assert "core (2, 0), riscv_1" in done.err
    checked = run_program("flows", str(table), "--arch", "blackhole", "--check", "synccheck", "--json")
    [[before], [after]] = json.loads(usual.out), json.loads(checked.out)
    assert [finding["second"]["line"] for finding in after.pop("findings")] == [4]
    assert before.pop("findings") == []
    assert before == after
    table.write_text(TABLE.format(channel=2))
    assert run_program("flows", str(table), "--arch", "blackhole", "--check", "synccheck").status == 0


def test_a_trace_is_checked_for_its_use_of_dram(tmp_path: Path, run_program: CommandLine) -> None:
    recorded = json.loads((TRACES / "noc_trace_dev0_DramCopy_ID8.json").read_text())
    write = next(event for event in recorded if event.get("type") == "WRITE_")
    channels = [("NOC_0", "BRISC", 1), ("NOC_0", "BRISC", 2), ("NOC_1", "NCRISC", 1)]
    events = [
        write | {"noc": noc, "proc": processor, "vc": channel, "timestamp": 100 + 50 * number}
        for number, (noc, processor, channel) in enumerate(channels)
    ]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(events))
    done = run_program("replay", str(trace), "--arch", "blackhole", "--check", "synccheck")
    assert done.status == 1
    assert HANGS in done.err
    assert "trace.json, event " in done.err
    trace.write_text(json.dumps(events[1:]))
    assert run_program("replay", str(trace), "--arch", "blackhole", "--check", "synccheck").status == 0


@pytest.mark.parametrize("command", [("flows", "table.csv"), ("replay", "trace.json")])
@pytest.mark.parametrize("names", ["racecheck", "all", "synccheck,initcheck"])
def test_checks_that_flows_cannot_have(command: tuple[str, str], names: str, run_program: CommandLine) -> None:
    done = run_program(*command, "--check", names)
    assert done.status == 2
    assert f"--check {names}: expected synccheck or none, since flows have neither loads and stores" in done.err
