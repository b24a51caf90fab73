"""GitHub workflow commands: at most ten, the worst first, escaped."""

from __future__ import annotations

import re

import pytest
from sample_gate import NASTY, make_point, make_report, sample_report

from nocbench.gating.verdicts import Verdict
from nocbench.reports.annotations import MAX_ANNOTATIONS, annotation_lines

pytestmark = pytest.mark.usefixtures("fake_simulator")

COMMAND = re.compile(r"::(error|warning) ((?:[a-z]+=[^,:]*)(?:,[a-z]+=[^,:]*)*)::(.+)")


def test_one_regression() -> None:
    (line,) = annotation_lines(
        make_report([make_point(Verdict.SLOWER, 1.1, limiter="link"), make_point(num_transactions=1)])
    )
    assert line == (
        "::error file=tests/gate/policy.yaml,line=7,title=slower%3A One to One Packet Sizes%2C Sender%2C 16 x 64 B on "
        "wormhole_b0 (n150)::640.5 → 704.55 cycles (+10.00 %25), 1.599 → 1.453 B/cycle. tests/gate/policy.yaml:7 "
        "(slower 0.5 %25, faster 0 %25). Reproduce: nocbench run 'One to One Packet Sizes' --arch wormhole_b0 --board "
        "n150 -a num_transactions=16 -a call_size=64"
    )


def test_a_missed_bound_names_its_line() -> None:
    bound = "bandwidth_bytes_per_cycle 1.6, at least 14 (tests/gate/policy.yaml:30)"
    (line,) = annotation_lines(make_report([make_point(missed_bounds=(bound,))]))
    assert line.startswith("::error file=tests/gate/policy.yaml,line=30,title=same%2C beyond a bound%3A ")


def test_another_limiter_names_its_line() -> None:
    reason = "limited by link in the base, by contention in the head (tests/gate/policy.yaml:12)"
    (line,) = annotation_lines(make_report([make_point(Verdict.OTHER_LIMITER, reason=reason)]))
    assert line.startswith("::error file=tests/gate/policy.yaml,line=12,title=other limiter%3A ")


def test_a_crash_has_no_rule() -> None:
    (line,) = annotation_lines(make_report([make_point(Verdict.CRASHED, head=False, reason="signal 11")]))
    assert line.startswith("::error title=crashed%3A ")


def test_at_most_ten() -> None:
    points = [make_point(Verdict.SLOWER, 1 + number / 100, num_transactions=number) for number in range(1, 31)]
    lines = annotation_lines(make_report(points, notices=["a", "b"]))
    assert len(lines) == MAX_ANNOTATIONS
    assert "30 x 64 B" in lines[0], "the worst first"
    assert lines[-1] == "::error title=nocbench gate::23 more are not shown here, but the summary has all of them"
    assert len(annotation_lines(make_report(points[:10]))) == 10
    assert "more are not shown" not in annotation_lines(make_report(points[:10]))[-1]


def test_the_order() -> None:
    lines = annotation_lines(sample_report())
    kinds = [line.split(" ")[0] for line in lines]
    assert kinds == ["::error"] * 8 + ["::warning"] * 2
    assert "too few points are gated" in lines[0]
    assert "wrong data" in lines[1]


def test_fine_is_silent() -> None:
    assert annotation_lines(make_report([make_point(), make_point(Verdict.FASTER, 0.9, num_transactions=1)])) == []


def test_escaping() -> None:
    report = make_report([make_point(Verdict.SLOWER, 1.1, test=NASTY, reason=NASTY)], notices=[NASTY])
    for line in annotation_lines(report):
        match = COMMAND.fullmatch(line)
        assert match, line
        assert not re.search("%(?!25|0A|0D|3A|2C)", line)
