"""Output of ``--check``, and its complaints."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import CommandLine

RACES = Path(__file__).parents[3] / "examples" / "races"
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
