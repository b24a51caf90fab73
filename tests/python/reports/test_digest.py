"""Summary and comment: content, length, and resistance to foreign text."""

from __future__ import annotations

import re

import pytest
from golden_files import assert_golden
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_gate import NASTY, make_point, make_report, sample_report

from nocbench.gating.verdicts import Coverage, FirstDifference, GateReport, Group, PointVerdict, Side, Verdict
from nocbench.reports import digest
from nocbench.support.markdown import escape, fenced

pytestmark = pytest.mark.usefixtures("fake_simulator")


def many(count: int, verdict: Verdict, length: int = 10, **changes: object) -> list[PointVerdict]:
    """Returns points with long names."""
    long = {"reason": "r" * length, **changes}
    return [
        make_point(verdict, 1.1, num_transactions=number, test=f"Test {'n' * length} {number % 7}", **long)  # type: ignore[arg-type]
        for number in range(1, count + 1)
    ]


def test_the_summary() -> None:
    assert_golden("summary.md", digest.render_summary(sample_report()))


def test_the_comment() -> None:
    assert_golden("comment.md", digest.render_comment(sample_report()))


def test_nothing_changed() -> None:
    text = digest.render_comment(make_report([make_point(), make_point(num_transactions=4)]))
    assert text.startswith("## PASS: 2 same; 2 of 2 points gated\n")
    assert text.endswith(f"\n{digest.UNCHANGED_MARKER}\n")
    assert "|" not in text
    assert not re.search("(?m)^$\n^$\n|[ \t]$", text), "no double blank lines, no trailing blanks"


def test_the_verdict_comes_first_whatever_it_is() -> None:
    assert digest.render_summary(make_report([])).startswith("## INCOMPLETE: no points")
    refused = make_report([], refusals=["the base is about a, the head about b"])
    assert digest.render_summary(refused).startswith("## REFUSED: the base is about a, the head about b\n")
    crashed = make_report([make_point(Verdict.CRASHED, head=False, reason="signal 11")])
    assert digest.render_summary(crashed).startswith("## INCOMPLETE: 1 crashed;")


def test_a_side_that_was_measured_has_a_banner() -> None:
    report = make_report([make_point()], base=Side("base", "silicon.csv", is_measured=True))
    text = digest.render_comment(report)
    assert "> **Beware:** the base was measured on hardware" in text
    assert "> **Beware:** a model is compared with hardware" in text
    assert "Beware" not in digest.render_comment(make_report([make_point()]))


def test_other_models_have_a_banner_where_results_differ() -> None:
    report = sample_report()
    assert digest.render_comment(report).count("Beware") == 1
    report.notices.append("changed constant: wormhole_b0: router.hop_cycles: 9 -> 8")
    assert "> **Beware:** the models differ in 1 constant (see the notices)" in digest.render_comment(report)
    assert "Beware" not in digest.render_comment(make_report([make_point()], head=Side("head", "HEAD", "9af0c3d4e5f6")))


def test_ten_thousand_points() -> None:
    """With ten thousand slower points with reasons, texts keep to GitHub's limits and state the omissions."""
    report = make_report(many(10_000, Verdict.SLOWER, length=100))
    summary = digest.render_summary(report)
    comment = digest.render_comment(report)
    assert len(summary.encode()) < 1024 * 1024
    assert len(comment.encode()) < 60_000
    for text in (summary, comment):
        assert text.startswith("## FAIL: 10000 slower; 10000 of 10000 points gated\n")
    assert "\n… and 9950 more.\n" in comment
    assert "\n… and 9000 more.\n" in summary


def everything_long() -> GateReport:
    """Returns a report in which every part is too long."""
    long = "n" * 290
    points = [
        *many(60, Verdict.SLOWER, length=290),
        *many(60, Verdict.FASTER, length=290, kernel="F"),
        *many(60, Verdict.GONE, length=290, kernel="G", head=False, excuse=long),
        *many(60, Verdict.NEW, length=290, kernel="N", base=False),
    ]
    return make_report(
        points,
        base=Side("base", long, long, long),
        head=Side("head", long, long + "+", long),
        groups=[Group(f"{long} {number}", Verdict.SLOWER, 1, 1, 1.0, 2.0) for number in range(30)],
        unaffected=[f"{long} {number}" for number in range(100)],
        first_difference=FirstDifference(long, 1.0, long, long, long, long),
        notices=[f"{long} {number}" for number in range(100)],
        accept_command=f"nocbench accept {long}",
    )


@pytest.mark.parametrize("num_dropped", range(len(digest.DROPPING_ORDER) + 1))
def test_sections_are_dropped_in_order(num_dropped: int) -> None:
    report = everything_long()
    sizes = []
    for count in range(len(digest.DROPPING_ORDER) + 1):
        text = digest._render_without(report, digest.COMMENT_ROOM, "", digest.DROPPING_ORDER[:count])
        sizes.append(len(text.encode()))
    assert sizes == sorted(sizes, reverse=True), "what is dropped makes it shorter"
    room = digest.Room(sizes[num_dropped], *(50, 20, 20, 10))
    text = digest._render(report, room, "")
    assert len(text.encode()) == sizes[num_dropped]
    lines = [line for line in text.splitlines() if line.startswith("Left out for lack of room: ")]
    if num_dropped:
        dropped = ", ".join(digest.DROPPING_ORDER[:num_dropped])
        assert lines == [f"Left out for lack of room: {dropped}. The HTML report has everything."]
    else:
        assert lines == []


def test_what_always_remains_fits() -> None:
    report = everything_long()
    text = digest._render_without(report, digest.COMMENT_ROOM, digest.CHANGED_MARKER, digest.DROPPING_ORDER)
    assert len(text.encode()) < 20_000
    assert "nocbench accept" in text
    assert len(digest.render_comment(report).encode()) < 60_000


def test_text_of_others_stays_text() -> None:
    report = make_report(
        [
            make_point(Verdict.SLOWER, 1.1, test=NASTY, kernel=NASTY, params=f"x={NASTY}", reason=NASTY, rule=NASTY),
            make_point(Verdict.GONE, head=False, test=NASTY, reason=NASTY, excuse=NASTY),
        ],
        base=Side("base", NASTY, NASTY, NASTY),
        notices=[NASTY],
        unaffected=[NASTY],
        policy=NASTY,
        groups=[Group(NASTY, Verdict.SLOWER, 1, 1, 1, 1)],
        coverage=Coverage(1, 2, 2, NASTY, NASTY),
        first_difference=FirstDifference(NASTY, 1, NASTY, NASTY, NASTY, NASTY),
        accept_command=NASTY,
    )
    text = digest.render_comment(report)
    outside_fences = re.sub(r"(?ms)^(`{3,})sh$.*?^\1$", "", text)
    assert "<b>" not in outside_fences
    assert "</script>" not in outside_fences
    assert "@someone" not in outside_fences
    assert outside_fences.count("<!--") == 1  # the marker
    assert text.count("\n```sh\n") == text.count("\n```\n") == 3
    rows = [line for line in outside_fences.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {12}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=3000), st.integers(1, 40))
def test_never_too_long(text: str, count: int) -> None:
    points = many(count, Verdict.SLOWER, test_id=1, params=f"x={text}")
    report = make_report(
        points, notices=[text] * 50, refusals=[text] * count, unaffected=[text] * 40, policy=text, accept_command=text
    )
    assert len(digest.render_comment(report).encode("utf-8", "backslashreplace")) < 60_000


def test_escaping() -> None:
    assert escape("wormhole_b0 | _x_ `y`\n*z* <a> @me") == r"wormhole_b0 \| \_x\_ \`y\` \*z\* &lt;a&gt; @&#8203;me"
    assert escape("x" * 1000, 10) == "x" * 9 + "…"
    assert fenced(["a```b", "c"]) == "````sh\na```b\nc\n````"
