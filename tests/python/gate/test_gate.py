from __future__ import annotations

import datetime
import html
from typing import TYPE_CHECKING

import pytest
from sample import make_row, make_sweep

from nocbench.gating.conditions import Conditions
from nocbench.gating.judgement import Results, judge
from nocbench.gating.policy import Bound, Excuse, Noise, Policy, Rule, default_policy
from nocbench.gating.verdicts import GateReport, Side, Verdict
from nocbench.points.peaks import UNKNOWN_DATA_FAULT
from nocbench.reports.digest import render_comment, render_summary
from nocbench.reports.html_page import render_gate_page
from nocbench.reports.junit import render_junit
from nocbench.support.exit_status import ExitStatus

if TYPE_CHECKING:
    from nocbench.support.columns import Row

TODAY = datetime.date(2026, 11, 22)


def judged(
    base: list[Row], head: list[Row], policy: Policy | None = None, *, is_measured: bool = False, **more: object
) -> GateReport:
    sides = Side("base", "base.csv", is_measured=is_measured), Side("head", "head.csv")
    return judge(
        Results(sides[0], base),
        Results(sides[1], head, more.pop("crashes", ()), more.pop("data_faults", ())),  # type: ignore[arg-type]
        policy or default_policy(),
        today=TODAY,
        **more,  # type: ignore[arg-type]
    )


def slowed(row: Row, percent: float) -> Row:
    factor = 1 + percent / 100
    return row | {
        "latency_cycles": row["latency_cycles"] * factor,
        "bandwidth_bytes_per_cycle": row["bandwidth_bytes_per_cycle"] / factor,
    }


def rule(slower: float = 0.0, faster: float = 0.0, **changes: object) -> Rule:
    values: dict[str, object] = {
        "metric": "latency_cycles",
        "conditions": Conditions(),
        "slower_percent": slower,
        "faster_percent": faster,
        "is_gated": True,
        "reason": "because",
        "place": "policy.yaml:3",
    }
    return Rule(**(values | changes))  # type: ignore[arg-type]


def test_equal_sides_pass() -> None:
    report = judged(make_sweep(), make_sweep(revision="other"))
    assert report.exit_status == ExitStatus.FINE
    assert report.headline == "PASS: 25 same; 25 of 25 points gated"
    assert report.changed == []
    assert report.groups == []
    assert report.unaffected == []


def test_a_slower_point_fails_and_is_named() -> None:
    head = make_sweep()
    head[7] = slowed(head[7], 0.01)
    report = judged(make_sweep(), head)
    assert report.exit_status == ExitStatus.NEGATIVE_VERDICT
    worst = report.verdicts[0]
    assert worst.verdict == Verdict.SLOWER
    assert worst.describe() == "One to One Packet Sizes, Sender, 4 x 512 B on wormhole_b0 (n150)"
    assert worst.worst_percent == pytest.approx(0.01)
    assert worst.command() == (
        "nocbench run 'One to One Packet Sizes' --arch wormhole_b0 --board n150 -a num_transactions=4 -a call_size=512"
    )
    assert worst.changes[0].rule == "the default rule (slower 0 %, faster 0 %)"


def test_a_faster_point_passes_with_a_notice() -> None:
    head = [slowed(row, -0.4) for row in make_sweep()]  # more than any link can carry
    report = judged(make_sweep(), head)
    assert report.exit_status == ExitStatus.FINE
    assert report.count(Verdict.FASTER) == 25
    assert any("faster than the base" in notice for notice in report.notices)


@pytest.mark.parametrize("percent", [25, -25])
def test_a_change_by_as_much_as_a_rule_lets_through_is_the_same(percent: float) -> None:
    base = [row | {"latency_cycles": 400.0} for row in make_sweep(counts=(1,))]
    head = [row | {"latency_cycles": 400.0 * (1 + percent / 100)} for row in base]
    within = judged(base, head, Policy(rules=(rule(abs(percent), abs(percent)),)))
    assert {point.verdict for point in within.verdicts} == {Verdict.SAME}
    beyond = judged(base, head, Policy(rules=(rule(abs(percent) - 0.01, abs(percent) - 0.01),)))
    assert {point.verdict for point in beyond.verdicts} == {Verdict.SLOWER if percent > 0 else Verdict.FASTER}


def test_rules_are_two_sided_and_the_first_match_decides() -> None:
    policy = Policy(
        rules=(
            rule(1, 2, conditions=Conditions(regions=(("call_size_bytes", 0, 128),))),
            rule(0, 0, place="policy.yaml:9"),
        )
    )
    base = make_sweep(counts=(1,))
    head = [slowed(row, percent) for row, percent in zip(base, (0.9, 1.1, 0.1, -0.1, 0), strict=True)]
    by_size = {point.transaction_size_bytes: point for point in judged(base, head, policy).verdicts}
    assert [by_size[size].verdict for size in (32, 128, 512, 2048, 8192)] == [
        Verdict.SAME,
        Verdict.SLOWER,
        Verdict.SLOWER,
        Verdict.FASTER,
        Verdict.SAME,
    ]
    assert by_size[32].is_changed
    assert by_size[128].changes[0].rule == "policy.yaml:3 (slower 1 %, faster 2 %)"
    assert by_size[512].changes[0].rule == "policy.yaml:9 (slower 0 %, faster 0 %)"


def test_another_limiter_at_the_same_latency_fails_where_a_rule_says_so() -> None:
    policy = Policy(rules=(rule(1, 1), rule(metric="limiter", place="policy.yaml:12")))
    base = make_sweep(counts=(1,), limiter="link")
    head = [dict(row) for row in base]
    head[0]["limiter"] = "contention"
    head[1] = slowed(head[1] | {"limiter": "contention"}, 0.5)  # passes its rule
    head[2] = slowed(head[2] | {"limiter": "contention"}, 2)
    head[3] = slowed(head[3] | {"limiter": "contention"}, -2)
    report = judged(base, head, policy)
    assert report.exit_status == ExitStatus.NEGATIVE_VERDICT
    by_size = {point.transaction_size_bytes: point for point in report.verdicts}
    assert [by_size[size].verdict for size in (32, 128, 512, 2048, 8192)] == [
        Verdict.OTHER_LIMITER,
        Verdict.OTHER_LIMITER,
        Verdict.SLOWER,  # may also have a different limiter
        Verdict.FASTER,
        Verdict.SAME,
    ]
    worst = by_size[32]
    assert worst.reason == "limited by link in the base, by contention in the head (policy.yaml:12)"
    assert worst.is_changed
    assert worst.fails
    alone = judged(base[:1], head[:1], policy)
    assert alone.exit_status == ExitStatus.NEGATIVE_VERDICT
    assert alone.headline == "FAIL: 1 other limiter; 1 of 1 points gated"


def test_another_limiter_passes_where_no_rule_is_about_it() -> None:
    base, head = (make_sweep(counts=(1,), limiter=limiter) for limiter in ("link", "contention"))
    never = rule(metric="limiter", is_gated=False)
    for policy in (None, Policy(rules=(rule(),)), Policy(rules=(rule(), never, rule(metric="limiter")))):
        report = judged(base, head, policy)
        assert report.exit_status == ExitStatus.FINE
        assert report.changed == []


def test_measured_sides_have_no_limiter() -> None:
    policy = Policy(rules=(rule(), rule(metric="limiter")))
    base = [{name: row[name] for name in row if name != "limiter"} for row in make_sweep(counts=(1,))]
    assert judged(base, make_sweep(counts=(1,)), policy, is_measured=True).exit_status == ExitStatus.FINE


def test_another_limiter_is_excused_by_a_waiver() -> None:
    until = datetime.date(2026, 12, 1)
    waiver = Excuse(Conditions(), "the ledger is being reworked", until, "policy.yaml:20")
    policy = Policy(rules=(rule(), rule(metric="limiter")), waivers=(waiver,))
    base, head = (make_sweep(counts=(1,), limiter=limiter) for limiter in ("link", "contention"))
    report = judged(base, head, policy)
    assert report.exit_status == ExitStatus.FINE
    assert {point.excuse for point in report.verdicts} == {
        "the ledger is being reworked (policy.yaml:20, until 2026-12-01)"
    }


def test_new_gone_and_crashed_points() -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    report = judged(base[1:], head)
    assert (report.exit_status, report.count(Verdict.NEW)) == (ExitStatus.FINE, 1)
    report = judged(base, head[1:])
    assert (report.exit_status, report.verdicts[0].verdict) == (ExitStatus.INCOMPLETE, Verdict.GONE)
    crash = {"arch": "wormhole_b0", "test": "One to One Packet Sizes", "num_transactions": 1, "reason": "killed"}
    report = judged(base, head[1:], crashes=[crash])
    assert (report.verdicts[0].verdict, report.verdicts[0].reason) == (Verdict.CRASHED, "killed")
    assert report.exit_status == ExitStatus.INCOMPLETE


@pytest.mark.parametrize(
    ("base_has", "head_has", "reason"),
    [
        (
            {"clock_hz": 1_000_000_000},
            {"clock_hz": 900_000_000},
            "clock in Hz: 1000000000 in the base, 900000000 in the head",
        ),
        (
            {"params": "simulated_transactions=64"},
            {"params": "simulated_transactions=128"},
            "simulated: 64 transactions in the base, 128 transactions in the head",
        ),
        (
            {"params": "simulated_transactions=64"},
            {},
            "simulated: 64 transactions in the base, all transactions in the head",
        ),
    ],
)
def test_what_was_measured_otherwise_is_not_compared(base_has: Row, head_has: Row, reason: str) -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    base[0] |= base_has
    head[0] |= head_has
    verdict = next(point for point in judged(base, head).verdicts if point.verdict != Verdict.SAME)
    assert (verdict.verdict, verdict.reason) == (Verdict.INCOMPARABLE, reason)


def test_points_may_go_if_the_policy_lists_them() -> None:
    gone = Excuse(Conditions(regions=(("call_size_bytes", 32, 32),)), "too short to tell", None, "policy.yaml:20")
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    report = judged(base, head[1:], Policy(rules=(rule(),), gone=(gone,)))
    assert report.exit_status == ExitStatus.FINE
    assert report.verdicts[0].excuse == "too short to tell (policy.yaml:20)"
    # The policy does not excuse a crash.
    crash = {"arch": "wormhole_b0", "test": "One to One Packet Sizes", "num_transactions": 1, "reason": "killed"}
    report = judged(base, head[1:], Policy(rules=(rule(),), gone=(gone,)), crashes=[crash])
    assert (report.verdicts[0].verdict, report.verdicts[0].excuse) == (Verdict.CRASHED, "")
    assert report.exit_status == ExitStatus.INCOMPLETE


def test_wrong_data_is_wrong_and_not_slow() -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    head[2] = slowed(head[2] | {"data_ok": False}, 5)
    report = judged(base, head)
    assert report.verdicts[0].verdict == Verdict.WRONG_DATA
    assert report.count(Verdict.SLOWER) == 0
    assert report.exit_status == ExitStatus.NEGATIVE_VERDICT
    assert report.verdicts[0].reason == UNKNOWN_DATA_FAULT
    # In the opposite direction, the fault was fixed, and the base has no valid value to compare with.
    report = judged(head, base)
    assert report.count(Verdict.NEW) == 1
    assert report.exit_status == ExitStatus.FINE


def test_what_was_wrong_first_is_in_all_reports() -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    head[2] |= {"data_ok": False}
    fault = "packet 2 of 8 at 0x42000 from core (0, 0) to core (1, 1): byte 5: expected 0x12, found 0x34"
    report = judged(base, head, data_faults=["", "", fault, *[""] * (len(head) - 3)])
    assert report.verdicts[0].reason == fault
    for render in (render_summary, render_comment, render_junit, render_gate_page):
        assert fault in html.unescape(render(report)).replace("\\", "")


def test_other_work_is_incomparable() -> None:
    base = make_sweep(counts=(1,))
    head = [row | {"num_cores": 2} for row in base[:1]] + base[1:]
    report = judged(base, head)
    assert report.verdicts[0].verdict == Verdict.INCOMPARABLE
    assert report.verdicts[0].reason == "cores: 1 in the base, 2 in the head"
    assert report.exit_status == ExitStatus.NOT_COMPARABLE
    shortened = [base[0] | {"params": "simulated_transactions=8"}, *base[1:]]
    report = judged(base, shortened)
    assert report.verdicts[0].reason == "simulated: all transactions in the base, 8 transactions in the head"


def test_a_regression_weighs_more_than_a_missing_point() -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    head[1] = slowed(head[1], 1)
    assert judged(base, head[1:]).exit_status == ExitStatus.NEGATIVE_VERDICT


def test_waivers_excuse_until_they_expire() -> None:
    base = make_sweep(counts=(1,))
    head = [slowed(base[0], 1), *base[1:]]
    conditions = Conditions(regions=(("call_size_bytes", 0, 32),))
    last_day = Excuse(conditions, "the new arbiter", TODAY, "policy.yaml:7")
    report = judged(base, head, Policy(rules=(rule(),), waivers=(last_day,)))
    assert report.exit_status == ExitStatus.FINE
    assert report.verdicts[0].verdict == Verdict.SLOWER
    assert report.verdicts[0].excuse == "the new arbiter (policy.yaml:7, until 2026-11-22)"
    yesterday = Excuse(conditions, "the new arbiter", TODAY - datetime.timedelta(days=1), "policy.yaml:7")
    report = judged(base, head, Policy(rules=(rule(),), waivers=(yesterday,)))
    assert report.exit_status == ExitStatus.NEGATIVE_VERDICT
    assert report.notices == ["expired on 2026-11-21: the new arbiter (policy.yaml:7)"]
    report = judged(base, base, Policy(rules=(rule(),), waivers=(last_day,)))
    assert report.notices == ["of no use any longer: the new arbiter (policy.yaml:7, until 2026-11-22)"]


YESTERDAY = TODAY - datetime.timedelta(days=1)


def test_a_waiver_that_has_expired_leaves_the_point_to_the_next_one() -> None:
    base = make_sweep(counts=(1,))
    head = [slowed(row, 1) for row in base]
    expired = Excuse(Conditions(), "the old arbiter", YESTERDAY, "policy.yaml:7")
    lasting = Excuse(Conditions(regions=(("call_size_bytes", 0, 128),)), "the new arbiter", TODAY, "policy.yaml:9")
    unused = Excuse(Conditions(names=(("test", "Loopback*"),)), "nothing", YESTERDAY, "policy.yaml:11")
    report = judged(base, head, Policy(rules=(rule(),), waivers=(expired, lasting, unused)))
    assert {point.transaction_size_bytes for point in report.failing} == {512, 2048, 8192}
    assert {point.excuse for point in report.verdicts if not point.fails} == {
        "the new arbiter (policy.yaml:9, until 2026-11-22)"
    }
    assert report.notices == [
        "expired on 2026-11-21: the old arbiter (policy.yaml:7)",
        "expired on 2026-11-21: nothing (policy.yaml:11)",
    ]


def test_a_list_of_points_that_may_go_expires() -> None:
    base = make_sweep(counts=(1,))
    for until, status in ((TODAY, ExitStatus.FINE), (YESTERDAY, ExitStatus.INCOMPLETE)):
        gone = Excuse(Conditions(), "too short to tell", until, "policy.yaml:20")
        report = judged(base, base[1:], Policy(rules=(rule(),), gone=(gone,)))
        assert (report.exit_status, bool(report.verdicts[0].excuse)) == (status, until == TODAY)


def test_the_reason_for_less_coverage_expires() -> None:
    rows = make_sweep(counts=(1,))
    narrow = (rule(conditions=Conditions(regions=(("call_size_bytes", 0, 512),))),)
    for until, status in ((TODAY, ExitStatus.FINE), (YESTERDAY, ExitStatus.INCOMPLETE)):
        may_fall = Excuse(Conditions(), "gated elsewhere", until, "policy.yaml:50")
        report = judged(rows, rows, Policy(rules=narrow, may_fall=may_fall), base_policy=default_policy())
        assert report.exit_status == status


def test_waivers_do_not_excuse_what_is_no_regression() -> None:
    waiver = Excuse(Conditions(), "the new arbiter", TODAY, "policy.yaml:7")
    policy = Policy(rules=(rule(),), waivers=(waiver,))
    base = make_sweep(counts=(1,))
    for changes, status in (
        ({"data_ok": False}, ExitStatus.NEGATIVE_VERDICT),
        ({"num_cores": 2}, ExitStatus.NOT_COMPARABLE),
    ):
        report = judged(base, [base[0] | changes, *base[1:]], policy)
        assert (report.exit_status, report.verdicts[0].excuse) == (status, "")
    assert judged(base, base[1:], policy).exit_status == ExitStatus.INCOMPLETE


def test_bounds_hold_whatever_the_baseline_says() -> None:
    conditions = Conditions(names=(("test", "One to*"),), regions=(("call_size_bytes", 8192, 8192),))
    bound = Bound("bandwidth_bytes_per_cycle", conditions, 40.0, None, "a link", "policy.yaml:30")
    report = judged(make_sweep(), make_sweep(), Policy(rules=(rule(),), bounds=(bound,)))
    assert report.exit_status == ExitStatus.NEGATIVE_VERDICT
    assert len(report.failing) == 5
    assert report.failing[0].verdict == Verdict.SAME
    assert report.failing[0].missed_bounds[0].endswith(", at least 40 (policy.yaml:30)")


def test_noise_is_for_measurements_only() -> None:
    noise = (Noise("latency_cycles", Conditions(), 3.0, "policy.yaml:40"),)
    policy = Policy(rules=(rule(),), noise=noise)
    base = make_sweep(counts=(1,))
    head = [slowed(row, 2) for row in base]
    assert judged(base, head, policy).exit_status == ExitStatus.NEGATIVE_VERDICT
    report = judged(base, head, policy, is_measured=True)
    assert report.exit_status == ExitStatus.FINE
    assert report.verdicts[0].changes[0].rule.endswith("noise 3 %")


@pytest.mark.parametrize(("percent", "verdict"), [(5, Verdict.SLOWER), (-5, Verdict.FASTER)])
def test_noise_widens_both_limits(percent: float, verdict: Verdict) -> None:
    base = [row | {"latency_cycles": 400.0} for row in make_sweep(counts=(1,))]
    head = [row | {"latency_cycles": 400.0 * (1 + percent / 100)} for row in base]
    for noise_percent, expected in ((3.0, Verdict.SAME), (2.9, verdict)):
        noise = (Noise("latency_cycles", Conditions(), noise_percent, "policy.yaml:40"),)
        report = judged(base, head, Policy(rules=(rule(2, 2),), noise=noise), is_measured=True)
        assert {point.verdict for point in report.verdicts} == {expected}


def test_noise_is_that_of_the_metric_and_of_the_first_match() -> None:
    noise = (
        Noise("bandwidth_bytes_per_cycle", Conditions(), 50.0, "policy.yaml:40"),
        Noise("latency_cycles", Conditions(regions=(("call_size_bytes", 0, 128),)), 1.0, "policy.yaml:41"),
        Noise("latency_cycles", Conditions(), 3.0, "policy.yaml:42"),
    )
    base = make_sweep(counts=(1,))
    report = judged(base, [slowed(row, 2) for row in base], Policy(rules=(rule(),), noise=noise), is_measured=True)
    assert {point.transaction_size_bytes for point in report.failing} == {32, 128}


def test_the_worst_comes_first() -> None:
    base = make_sweep(counts=(1,), sizes=tuple(32 * (number + 1) for number in range(11)))
    head = [dict(row) for row in base]
    head[0]["data_ok"] = False
    crash = {name: base[1][name] for name in ("arch", "test", "call_size_bytes", "num_transactions")}
    crash |= {"transaction_size_bytes": base[1]["transaction_size_bytes"], "reason": "killed"}
    head[3] = slowed(head[3], 1)
    head[4] = slowed(head[4], 2)
    head[5] = slowed(head[5], 9)  # excused by the policy
    head[6]["limiter"] = "contention"
    head[7]["num_cores"] = 2
    head[8] = slowed(head[8], -2)
    of_new, of_same = dict(head[9]), dict(head[10])
    waiver = Excuse(Conditions(regions=(("call_size_bytes", 192, 192),)), "later", TODAY, "policy.yaml:7")
    policy = Policy(rules=(rule(), rule(metric="limiter")), waivers=(waiver,))
    report = judged([*base[:9], of_same], [head[0], *head[3:9], of_new, of_same], policy, crashes=[crash])
    assert [(point.verdict, point.transaction_size_bytes) for point in report.verdicts] == [
        (Verdict.WRONG_DATA, 32),
        (Verdict.CRASHED, 64),
        (Verdict.GONE, 96),
        (Verdict.SLOWER, 160),
        (Verdict.SLOWER, 128),
        (Verdict.OTHER_LIMITER, 224),
        (Verdict.INCOMPARABLE, 256),
        (Verdict.SLOWER, 192),
        (Verdict.FASTER, 288),
        (Verdict.NEW, 320),
        (Verdict.SAME, 352),
    ]
    assert report.counts_in_words().startswith(
        "1 wrong data, 1 crashed, 1 gone, 3 slower, 1 other limiter, 1 incomparable, 1 faster, 1 new, 1 same"
    )
    assert [group.verdict for group in report.groups] == [
        Verdict.WRONG_DATA,
        Verdict.CRASHED,
        Verdict.GONE,
        Verdict.SLOWER,
        Verdict.OTHER_LIMITER,
        Verdict.INCOMPARABLE,
    ]


def test_a_point_with_a_missed_bound_comes_before_those_that_pass() -> None:
    base = make_sweep(counts=(1,))
    head = [slowed(base[0], -2), *base[1:]]
    conditions = Conditions(regions=(("call_size_bytes", 8192, 8192),))
    bound = Bound("latency_cycles", conditions, None, 1.0, "a budget", "policy.yaml:30")
    report = judged(base, head, Policy(rules=(rule(),), bounds=(bound,)))
    assert [point.verdict for point in report.verdicts] == [Verdict.SAME, Verdict.FASTER, *[Verdict.SAME] * 3]
    assert report.verdicts[0].missed_bounds[0].endswith(", at most 1 (policy.yaml:30)")


def test_a_metric_that_got_worse_decides() -> None:
    rules = (rule(), rule(metric="bandwidth_bytes_per_cycle"))
    base = make_sweep(counts=(1,))
    for changes, expected in (
        ({"latency_cycles": 0.9, "bandwidth_bytes_per_cycle": 0.9}, Verdict.SLOWER),
        ({"latency_cycles": 1.1, "bandwidth_bytes_per_cycle": 1.1}, Verdict.SLOWER),
        ({"latency_cycles": 1.0, "bandwidth_bytes_per_cycle": 1.1}, Verdict.FASTER),
        ({"latency_cycles": 1.0, "bandwidth_bytes_per_cycle": 1.0}, Verdict.SAME),
    ):
        head = [row | {name: row[name] * factor for name, factor in changes.items()} for row in base[:1]]
        verdict = judged(base[:1], head, Policy(rules=rules)).verdicts[0]
        assert verdict.verdict == expected
        if expected == Verdict.SLOWER:
            assert verdict.worst_percent == pytest.approx(10)


def test_missing_evidence_weighs_more_than_sides_that_cannot_be_compared() -> None:
    base, head = make_sweep(counts=(1,)), make_sweep(counts=(1,))
    head[0]["num_cores"] = 2
    assert judged(base, head).exit_status == ExitStatus.NOT_COMPARABLE
    assert judged(base, head[:-1]).exit_status == ExitStatus.INCOMPLETE


def test_coverage_may_not_fall() -> None:
    rows = make_sweep(counts=(1,))
    narrow = Policy(rules=(rule(conditions=Conditions(regions=(("call_size_bytes", 0, 512),))),))
    report = judged(rows, rows, narrow, base_policy=default_policy())
    assert report.exit_status == ExitStatus.INCOMPLETE
    assert report.coverage.shortfall == "3 points are gated, 5 were in the base"
    assert report.count(Verdict.UNGATED) == 2
    excuse = Excuse(Conditions(), "large sizes are gated elsewhere", None, "policy.yaml:50")
    excused = Policy(rules=narrow.rules, may_fall=excuse)
    assert judged(rows, rows, excused, base_policy=default_policy()).exit_status == ExitStatus.FINE
    wanted = Policy(rules=narrow.rules, least_gated_percent=61.0)
    assert judged(rows, rows, wanted).coverage.shortfall == "3 points are gated, the policy wants at least 4"


def test_sides_without_a_common_point_are_refused() -> None:
    report = judged(make_sweep(), make_sweep(arch="blackhole"))
    assert report.exit_status == ExitStatus.NOT_COMPARABLE
    assert report.refusals == [
        (
            "no point is on both sides: the base is about One to One Packet Sizes on wormhole_b0, "
            "the head about One to One Packet Sizes on blackhole"
        )
    ]
    assert judged([], make_sweep()).refusals == ["the base holds no rows"]


def test_measurements_that_name_no_board_meet_results_without_parameters() -> None:
    results = make_sweep(counts=(1,)) + make_sweep(counts=(1,), params="start=together")
    measured = [{name: row[name] for name in list(row)[:7]} for row in results[:5]]
    report = judged(measured, results, is_measured=True)
    assert report.count(Verdict.SAME) == 5
    boards = make_sweep(counts=(1,)) + make_sweep(counts=(1,), board="n300")
    report = judged(measured, boards, is_measured=True)
    assert report.refusals == [
        (
            "the head has 5 points several times, such as One to One Packet Sizes, 1 x 32 B, and the other side does "
            "not tell which is meant (boards n150, n300)"
        )
    ]


def test_what_regressions_share() -> None:
    base = make_sweep() + make_sweep(arch="blackhole") + make_sweep(primitive="loopback", test="Loopback Packet Sizes")
    head = [
        slowed(row, 2)
        if row["arch"] == "blackhole" and row["call_size_bytes"] <= 512 and row["num_transactions"] > 4
        else row
        for row in base
    ]
    report = judged(base, head)
    assert [group.description for group in report.groups] == [
        "blackhole, one_to_one, at least 16 transactions, up to 512 B per call"
    ]
    assert (report.groups[0].num_points, report.groups[0].num_compared) == (9, 9)
    assert report.unaffected == ["wormhole_b0 loopback", "wormhole_b0 one_to_one"]


def test_a_group_says_how_bad_its_points_are() -> None:
    base = make_sweep(counts=(1,))
    head = [slowed(base[0], 1), slowed(base[1], 3), slowed(base[2], 2), *base[3:]]
    (group,) = judged(base, head).groups
    assert [group.least_percent, group.most_percent] == pytest.approx([1, 3])


def test_the_report_survives_json() -> None:
    head = make_sweep()
    head[3] = slowed(head[3], 1)
    report = judged(make_sweep(), head)
    assert GateReport.from_json(report.to_json()) == report


def test_conditions() -> None:
    row = make_row(call_size_bytes=4096, arch="blackhole")
    assert Conditions().hold(row)
    assert Conditions(names=(("arch", "black*"), ("test", "one TO one*"))).hold(row)
    assert not Conditions(names=(("arch", "worm*"),)).hold(row)
    assert not Conditions(names=(("arch", "*"), ("primitive", "*"))).hold({"arch": "blackhole"})
    assert Conditions(regions=(("call_size_bytes", 0, 4096),)).hold(row)
    assert not Conditions(regions=(("call_size_bytes", 4097, 5000),)).hold(row)
