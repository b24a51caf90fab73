"""``nocbench report``: input, output, refusals."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from sample import HOW_TO_LEARN_MORE, make_sweep
from sample_gate import sample_report

from nocbench.points.peaks import UNKNOWN_DATA_FAULT
from nocbench.reports import write_reports
from nocbench.results.result_files import write_results

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Creates a directory with results, and with slower results."""
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    rows = make_sweep()
    write_results(rows, tmp_path / "base.csv")
    slower = [row | {"latency_cycles": float(str(row["latency_cycles"])) * 1.1} for row in rows[:3]]
    write_results([*slower, *rows[3:]], tmp_path / "head.csv")
    return tmp_path


def embedded(page: str) -> dict[str, object]:
    match = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert match
    document = json.loads(match[1])
    assert isinstance(document, dict)
    return document


def test_results_alone(run_here: CommandLine, directory: Path) -> None:
    completed = run_here("report", "head.csv")
    assert (completed.status, completed.out, completed.err) == (0, "", "wrote report.html\n")
    page = (directory / "report.html").read_text()
    data = embedded(page)
    assert data["hasBase"] is False
    assert len(data["points"]["arch"]) == 25  # type: ignore[index]
    assert "<title>Results: head.csv</title>" in page


def test_with_a_baseline(run_here: CommandLine, directory: Path) -> None:
    completed = run_here("report", "head.csv", "--baseline", "base.csv", "-o", "compared.html")
    assert completed.status == 1
    assert completed.out.startswith("FAIL: 3 slower, 22 same; 25 of 25 points gated")
    data = embedded((directory / "compared.html").read_text())
    assert data["hasBase"] is True
    assert sum(data["points"]["fails"]) == 3  # type: ignore[index]


def test_of_what_a_gate_found(run_here: CommandLine, directory: Path) -> None:
    write_reports(sample_report(), directory / "gate")
    completed = run_here("report", "--gate", "gate/gate.json", "-o", "again.html")
    assert completed.status == 1
    assert (directory / "again.html").read_bytes() == (directory / "gate" / "report.html").read_bytes()


@pytest.mark.parametrize("name", ["google-benchmark", "bencher", "github-action-bigger", "github-action-smaller"])
def test_exports(run_here: CommandLine, directory: Path, name: str) -> None:
    printed = run_here("report", "head.csv", "--export", name)
    assert printed.status == 0
    written = run_here("report", "head.csv", "--export", name, "-o", "export.json")
    assert (written.status, written.out, written.err) == (0, "", "wrote export.json\n")
    assert (directory / "export.json").read_text() == printed.out
    json.loads(printed.out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected either RESULTS or --gate"),
        (["head.csv", "--gate", "gate.json"], "expected either RESULTS or --gate"),
        (["--gate", "gate.json", "--baseline", "base.csv"], "has been judged already"),
        (["head.csv", "--export", "bencher", "--baseline", "base.csv"], "--export writes RESULTS alone"),
        (["head.csv", "--policy", "policy.yaml"], "says what may change from a --baseline"),
        (["--gate", "head.csv"], "expected what a gate found as JSON, found a mistake in it"),
        (["--gate", "nothing.json"], "nothing.json: cannot be read: No such file"),
        (["nothing.csv"], "nothing.csv: cannot be read"),
        (["head.csv", "--traces", "nowhere"], "nowhere: there is no such directory"),
        (["head.csv", "--export", "xml"], "Invalid value for '--export'"),
    ],
)
def test_what_it_refuses(run_here: CommandLine, directory: Path, arguments: list[str], message: str) -> None:
    completed = run_here("report", *arguments)
    assert completed.status == 2
    assert message in completed.err
    assert not (directory / "report.html").exists()


def test_wrong_data_is_a_negative_verdict(run_here: CommandLine, directory: Path) -> None:
    write_results([row | {"data_ok": False} for row in make_sweep()], directory / "wrong.csv")
    completed = run_here("report", "wrong.csv")
    assert completed.status == 1
    page = (directory / "report.html").read_text()
    assert "wrong data arrived in 25" in page
    assert UNKNOWN_DATA_FAULT in page
    assert completed.err.endswith(f"wrong data arrived in 25 of 25 results\n{HOW_TO_LEARN_MORE}")


def test_help_has_an_example(run_here: CommandLine) -> None:
    assert "nocbench report --gate gate/gate.json" in run_here("report", "--help").out
