"""The history of accuracy and results."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample import make_row

import nocbench
from nocbench.gating.judgement import Results, judge
from nocbench.gating.policy import read_policy
from nocbench.gating.verdicts import Side
from nocbench.history.records import (
    Change,
    changed_accuracy,
    changed_tests,
    read_history,
    record_of,
    with_record,
    write_history,
)
from nocbench.published.reference import read_reference
from nocbench.results.kept_results import digest
from nocbench.results.result_files import read_rows, to_frame

if TYPE_CHECKING:
    from conftest import CommandLine

    from nocbench.gating.verdicts import GateReport
    from nocbench.history.records import Record

ROOT = Path(__file__).parents[3]


def record(revision: str, *latencies: float, **changes: object) -> Record:
    rows = [
        make_row(num_transactions=place + 1, latency_cycles=latency, **changes)
        for place, latency in enumerate(latencies)
    ]
    return record_of(to_frame(rows), read_reference(()), revision=revision, date="2026-11-28")


def test_the_last_record_is_that_of_the_baseline() -> None:
    """After other results are accepted, a record is added: nocbench history add tests/gate/quick.csv."""
    last = read_history(ROOT / "plots" / "history.jsonl")[-1]
    assert last.digest == digest(read_rows(ROOT / "tests" / "gate" / "quick.csv"))


def test_changes_of_tests() -> None:
    before, after = record("a", 100.0, 400.0), record("b", 100.0, 484.0)
    [change] = changed_tests(before, after)
    assert change == Change("wormhole_b0/One to One Packet Sizes", 200.0, 220.0)
    assert change.percent == pytest.approx(10)
    assert changed_tests(before, record("c", 100.0, 400.0)) == []
    assert changed_tests(before, record("d", 100.0)) == [], "other points"
    assert changed_tests(before, record("e", 1.0, 1.0, test="Another")) == []


def test_changes_of_accuracy(published_tests: None) -> None:
    del published_tests
    size = {"transaction_size_bytes": 64, "call_size_bytes": 64}
    before, after = (record(name, latency, **size) for name, latency in (("a", 400.0), ("b", 500.0)))
    groups = [change.what for change in changed_accuracy(before, after)]
    assert groups == ["uncontended", "all"]


def test_a_revision_has_one_record(tmp_path: Path) -> None:
    records = with_record(with_record([record("a", 1.0)], record("b", 2.0)), record("a", 3.0))
    assert [one.revision for one in records] == ["b", "a"]
    write_history(tmp_path / "history.jsonl", records)
    assert read_history(tmp_path / "history.jsonl") == records
    assert read_history(tmp_path / "none.jsonl") == []


@pytest.mark.parametrize("line", ["{}", "[1]", "nonsense", '{"tests": {"a": 1}}'])
def test_other_files(tmp_path: Path, line: str) -> None:
    path = tmp_path / "history.jsonl"
    write_history(path, [record("a", 1.0)])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(nocbench.InputError, match=r"history\.jsonl:2: expected a record as 'nocbench history add'"):
        read_history(path)


def test_the_commands(run_in_process: CommandLine, tmp_path: Path) -> None:
    history = ["--file", tmp_path / "history.jsonl"]
    baseline = ROOT / "tests" / "gate" / "quick.csv"
    nothing = run_in_process("history", "show", *history)
    assert (nothing.status, "found none" in nothing.err) == (2, True)
    for name, factor in (("v1", 1.0), ("v2", 1.1)):
        rows = read_rows(baseline)[:200]
        for row in rows:
            row["latency_cycles"] *= factor
        to_frame(rows).to_csv(tmp_path / "rows.csv", index=False)
        at = ["--revision", name, "--date", "2026-11-28", "--release", name]
        added = run_in_process("history", "add", tmp_path / "rows.csv", *at, *history)
        assert added.status == 0, added.err
    shown = run_in_process("history", "show", *history, "--page", tmp_path / "page.md")
    assert "2026-11-28 v2: " in shown.out
    assert "+10.00 %" in shown.out
    assert "| v2 | 2026-11-28 |" in (tmp_path / "page.md").read_text()
    assert (tmp_path / "page.svg").read_text().startswith("<?xml")
    [step] = json.loads(run_in_process("history", "show", *history, "--json", "--test", "One to One").out)
    assert {change["what"].partition("/")[2].startswith("One to One") for change in step["tests"]} == {True}
    assert {round(change["percent"], 4) for change in step["tests"]} == {10}
    unknown = run_in_process("history", "add", baseline, "--revision", "no-such-revision", *history)
    assert unknown.status == 2


def test_a_policy_bounds_the_drift_since_a_release(tmp_path: Path, fake_simulator: object) -> None:
    """Small changes pass a rule one by one, and fail when they add up."""
    del fake_simulator
    history, policy = tmp_path / "history.jsonl", tmp_path / "policy.yaml"
    first = replace(record("a", 100.0, 100.0), release="v1")
    write_history(history, [first, record("b", 103.0, 103.0)])
    policy.write_text(
        "version: 1\nrules:\n  - {metric: latency_cycles, slower: 5 %, reason: small changes}\n"
        "drift: {history: history.jsonl, slower: 4 %}\n"
    )

    def judged(*latencies: float, since: str = "") -> GateReport:
        text = policy.read_text().replace("slower: 4 %}", f"slower: 4 %, since: {since}}}" if since else "slower: 4 %}")
        (tmp_path / "used.yaml").write_text(text)
        base, head = (
            Results(
                Side(label, label),
                [make_row(num_transactions=number, latency_cycles=cycles) for number, cycles in enumerate(of, start=1)],
            )
            for label, of in (("base", (103.0, 103.0)), ("head", latencies))
        )
        return judge(base, head, read_policy(tmp_path / "used.yaml"))

    assert judged(103.9, 103.9).outcome == "PASS"
    drifted = judged(106.0, 106.0)
    assert drifted.outcome == "FAIL"
    [point] = [point for point in drifted.verdicts if point.missed_bounds]
    assert point.missed_bounds[0] == (
        f"the mean latency of the test is +6.00 % since v1, at most 4 % ({tmp_path / 'used.yaml'}:4)"
    )
    assert judged(106.0, 106.0, since="b").outcome == "PASS"
    with pytest.raises(nocbench.InputError, match=r"used\.yaml:4: drift: expected the release or revision v9 in"):
        judged(103.0, 103.0, since="v9")
