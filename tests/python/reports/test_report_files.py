"""Files that a gate writes to its directory."""

from __future__ import annotations

import csv
import gzip
import io
import json
from typing import TYPE_CHECKING

import pytest
from golden_files import assert_golden
from sample_gate import NASTY, make_point, make_report, sample_report

from nocbench.gating.verdicts import GateReport, Side, Verdict
from nocbench.reports import ARTIFACTS, write_reports
from nocbench.reports.points_file import COLUMNS, render_points
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("fake_simulator")


@pytest.fixture(autouse=True)
def outside_of_github(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)


def test_the_artifacts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Workflows upload these files, so changing the list changes the uploads."""
    assert ARTIFACTS == ("gate.json", "summary.md", "comment.md", "junit.xml", "report.html", "points.csv")
    directory = tmp_path / "new" / "gate"
    paths = write_reports(sample_report(), directory)
    assert paths == [directory / name for name in ARTIFACTS]
    assert sorted(path.name for path in directory.iterdir()) == sorted(ARTIFACTS)
    assert capsys.readouterr().out == ""


def test_the_same_report_gives_the_same_bytes_also_from_its_json(tmp_path: Path) -> None:
    write_reports(sample_report(), tmp_path / "first")
    document = json.loads((tmp_path / "first" / "gate.json").read_text())
    assert document["outcome"] == "FAIL"
    write_reports(GateReport.from_json(document), tmp_path / "second")
    for name in ARTIFACTS:
        assert (tmp_path / "first" / name).read_bytes() == (tmp_path / "second" / name).read_bytes()


def test_within_a_job_of_github(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    step_summary = tmp_path / "step_summary"
    step_summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(step_summary))
    write_reports(sample_report(), tmp_path / "gate")
    assert step_summary.read_text() == "before\n" + (tmp_path / "gate" / "summary.md").read_text()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10
    assert all(line.startswith("::") for line in lines)


def test_a_summary_that_cannot_be_appended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path))
    with pytest.raises(InputError, match="the summary cannot be appended: Is a directory"):
        write_reports(sample_report(), tmp_path / "gate")


def test_names_of_any_kind(tmp_path: Path) -> None:
    points = [make_point(Verdict.SLOWER, 1.1, test=NASTY, params=f"x={NASTY}", reason=NASTY)]
    write_reports(make_report(points, head=Side("head", NASTY)), tmp_path)
    for name in ARTIFACTS:
        (tmp_path / name).read_text(encoding="utf-8")


def test_no_points(tmp_path: Path) -> None:
    write_reports(make_report([], refusals=["the base is about a, the head about b"]), tmp_path)
    assert (tmp_path / "points.csv").read_text() == ",".join(COLUMNS) + "\n"


def test_architectures_that_this_revision_does_not_know(tmp_path: Path) -> None:
    write_reports(make_report([make_point(Verdict.SLOWER, 1.1, arch="grayskull", board="e75")]), tmp_path)
    assert "| grayskull (e75) |" in (tmp_path / "summary.md").read_text()


def test_published_measurements_have_but_seven_columns(tmp_path: Path) -> None:
    point = make_point(Verdict.SLOWER, 1.1)
    assert point.base is not None
    row = dict(list(point.base.items())[:7])
    bare = GateReport(
        Side("base", "silicon.csv", is_measured=True),
        Side("head", "silicon_2.csv", is_measured=True),
        "",
        [type(point)(point.arch, "", "", point.test, point.kernel, 16, 64, "", Verdict.SLOWER, row, row)],
    )
    write_reports(bare, tmp_path)


def test_points_file() -> None:
    text = render_points(sample_report())
    assert_golden("points.csv", text)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row["verdict"] for row in rows][:4] == ["wrong data", "crashed", "gone", "slower"]
    slower = rows[3]
    assert slower["latency_cycles_percent"] == "6.7"
    assert slower["limiter_head"] == "link"


def write_gzip(path: Path, about: dict[str, str], size: int = 10) -> None:
    path.parent.mkdir(exist_ok=True)
    text = f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(about)}, "traceEvents": [{" " * size}]}}'
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def test_traces_are_taken_along(tmp_path: Path) -> None:
    about = {"arch": "wormhole_b0", "board": "n150", "test": "One to One Packet Sizes", "num_transactions": "16"}
    write_gzip(tmp_path / "traces" / "1_head.json.gz", about | {"call_size": "2048"})
    directory = tmp_path / "gate"
    write_reports(sample_report(), directory, traces=tmp_path / "traces")
    assert (directory / "worst" / "1_head.json.gz").is_file()
    page = (directory / "report.html").read_text()
    assert '"name":"1_head.json.gz","link":"worst/1_head.json.gz","content":"H4sI' in page
    write_reports(sample_report(), directory)
    assert (directory / "report.html").read_text() == page


def test_a_trace_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "worst").mkdir()
    (tmp_path / "worst" / "1_head.json.gz").write_bytes(b"not compressed")
    with pytest.raises(InputError, match=r"1_head\.json\.gz: is not a compressed trace"):
        write_reports(sample_report(), tmp_path)
