"""junit.xml: one test case per point, and valid XML for any names."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from golden_files import assert_golden
from sample_gate import NASTY, make_point, make_report, sample_report

from nocbench.gating.verdicts import Coverage, GateReport, Verdict
from nocbench.reports.junit import render_junit

pytestmark = pytest.mark.usefixtures("fake_simulator")


def parse(report: GateReport) -> ElementTree.Element:
    return ElementTree.fromstring(render_junit(report))


def test_the_whole_file() -> None:
    assert_golden("junit.xml", render_junit(sample_report()))


def test_a_case_per_point_and_counts_that_add_up() -> None:
    report = sample_report()
    root = parse(report)
    cases = root.findall("testsuite/testcase")
    assert len(cases) == len(report.verdicts) + 2
    assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
    for element in (root, *root.findall("testsuite")):
        below = list(element.iter("testcase"))
        assert element.get("tests") == str(len(below))
        for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            assert element.get(attribute) == str(sum(case.find(tag) is not None for case in below))
    red = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    assert red == len(report.failing) + 1  # the additional one is coverage


def test_what_each_verdict_becomes() -> None:
    def child(verdict: Verdict, **changes: object) -> ElementTree.Element | None:
        case = parse(make_report([make_point(verdict, 1.1, **changes)])).findall("testsuite/testcase")[-1]  # type: ignore[arg-type]
        return next(iter(case), None)

    for verdict in (Verdict.SLOWER, Verdict.WRONG_DATA, Verdict.GONE, Verdict.INCOMPARABLE):
        failure = child(verdict)
        assert failure is not None
        assert (failure.tag, failure.get("type")) == ("failure", str(verdict))
        assert "reproduce: nocbench run 'One to One Packet Sizes'" in (failure.text or "")
    error = child(Verdict.CRASHED, head=False, reason="signal 11 (SIGSEGV)")
    assert error is not None
    assert (error.tag, error.get("message")) == ("error", "crashed: signal 11 (SIGSEGV)")
    skipped = child(Verdict.UNGATED)
    assert skipped is not None
    assert (skipped.tag, skipped.get("message")) == ("skipped", "no rule applies to this point")
    for verdict in (Verdict.SAME, Verdict.FASTER, Verdict.NEW):
        assert child(verdict) is None
    excused = child(Verdict.SLOWER, excuse="policy.yaml:4: it must be")
    assert excused is not None
    assert (excused.tag, excused.text) == ("system-out", "slower, excused: policy.yaml:4: it must be")
    bound = child(Verdict.SAME, missed_bounds=("bandwidth_bytes_per_cycle 1.6, at least 14 (policy.yaml:30)",))
    assert bound is not None
    assert bound.tag == "failure"


def test_nothing_is_green_where_the_gate_is_not() -> None:
    for report in (
        make_report([]),
        make_report([], refusals=["no point is in both"]),
        make_report([make_point()], coverage=Coverage(0, 1, 1, "0 points are gated, 1 was in the base")),
    ):
        assert report.exit_status != 0
        assert parse(report).get("failures") == "1"


def test_valid_whatever_names_hold() -> None:
    report = make_report([make_point(Verdict.SLOWER, 1.1, test=NASTY, params=f"x={NASTY}", rule=NASTY, reason=NASTY)])
    (case,) = parse(report).findall("testsuite/testcase")[2:]
    name = case.get("name") or ""
    assert "</script>" in name
    assert r"\x07" in name
    assert r"\xd800" in name
    render_junit(report).encode()
