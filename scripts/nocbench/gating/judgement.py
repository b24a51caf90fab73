"""The gate's comparison: pairs the points of base and head and applies the policy."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.gating.sharing import find_groups, find_unaffected
from nocbench.gating.verdicts import LIMITER, METRICS, Change, Coverage, GateReport, PointVerdict, Side, Verdict
from nocbench.points.catalogue import is_own
from nocbench.points.peaks import WRONG_DATA, fault_of, why_no_result
from nocbench.results.comparable_rows import two_compilers
from nocbench.support.columns import (
    HOW_SIMULATED,
    POINT_KEY,
    SIMULATED_TRANSACTIONS,
    TABLE_KEY,
    VARIANT_KEY,
    changed_values,
    without_values,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.gating.policy import Excuse, Policy, Rule
    from nocbench.support.columns import Row

Key = tuple[Any, ...]

_SAME_WORK = {
    "call_size_bytes": "bytes per call",
    "num_cores": "cores",
    "clock_hz": "clock in Hz",
    "noc": "NoC",
    "riscv": "RISC",
}
"""Columns that must agree if both rows have them; otherwise, the points are incomparable."""

_SAME_MACHINE = {"clock_hz": "clock in Hz"}
"""Columns that must agree for kernels or flows of the user's own."""

_MAX_LISTED = 5


@dataclass(frozen=True, slots=True)
class Results:
    """Results of one side.

    Attributes:
        side: description of the side.
        rows: result rows.
        crashes: known columns (arch, test, num_transactions, ...) of points without a result, and the "reason".
        data_faults: first fault of the data, by row; empty if unknown, as for results from a file.
    """

    side: Side
    rows: Sequence[Row]
    crashes: Sequence[Row] = ()
    data_faults: Sequence[str] = ()


def judge(
    base: Results,
    head: Results,
    policy: Policy,
    *,
    base_policy: Policy | None = None,
    today: datetime.date | None = None,
) -> GateReport:
    """Compares two sides, point by point.

    Args:
        base: the reference side.
        head: the side to judge.
        policy: policy of the head, which decides.
        base_policy: policy of the base, if known: the head may not gate fewer points.
        today: date for expiring waivers; by default, today in UTC.
    """
    report = GateReport(base.side, head.side, policy.name)
    # The user's own kernels may split the same data differently: match their points by parameters only.
    are_own = all(is_own(str(row.get("primitive", ""))) for side in (base, head) for row in side.rows)
    work_columns = TABLE_KEY if are_own else POINT_KEY
    key_columns = [*work_columns, *(name for name in VARIANT_KEY if _all_have(base, name) and _all_have(head, name))]
    of_base = _by_key("base", base.rows, key_columns, report)
    of_head = _by_key("head", head.rows, key_columns, report)
    if not of_base or not of_head:
        report.refusals += [
            f"the {side} holds no rows" for side, rows in (("base", of_base), ("head", of_head)) if not rows
        ]
    elif not of_base.keys() & of_head.keys():
        report.refusals.append(f"no point is on both sides: {_apart(base.rows, head.rows)}")
    elif sentence := two_compilers((f"the {results.side.label}", results.rows) for results in (base, head)):
        report.refusals.append(sentence)
    if report.refusals:
        return report

    today = today or datetime.datetime.now(datetime.UTC).date()
    faults = {_key(row, key_columns): fault for row, fault in zip(head.rows, head.data_faults, strict=False) if fault}
    is_measured = base.side.is_measured or head.side.is_measured
    drifts = policy.drift.missed(head.rows) if policy.drift is not None else {}
    judges = _Judge(policy, today, drifts, is_measured=is_measured, are_own=are_own)
    verdicts = [
        judges.verdict_on(
            of_base.get(key),
            of_head.get(key),
            crash=_crash_of(key_columns, key, head.crashes),
            data_fault=faults.get(key, ""),
        )
        for key in dict.fromkeys([*of_head, *of_base])
    ]
    report.verdicts = sorted(verdicts, key=PointVerdict.order)
    report.coverage = _coverage(list(of_base.values()), list(of_head.values()), policy, base_policy, today)
    report.groups = find_groups(report.verdicts)
    report.unaffected = find_unaffected(report.verdicts)
    report.notices = judges.notices(report)
    return report


class _Judge:
    """Applies a policy, and records the waivers in use."""

    def __init__(
        self,
        policy: Policy,
        today: datetime.date,
        drifts: dict[tuple[str, str], str],
        *,
        is_measured: bool,
        are_own: bool,
    ) -> None:
        self._policy = policy
        self._drifts = drifts
        self._today = today
        self._is_measured = is_measured
        self._same = _SAME_MACHINE if are_own else _SAME_WORK
        self._used: set[str] = set()

    def verdict_on(self, base: Row | None, head: Row | None, *, crash: Row | None, data_fault: str) -> PointVerdict:
        """Returns the verdict on one point; at least one side has a row."""
        row = head if head is not None else base
        assert row is not None
        verdict, reason = Verdict.NEW, ""
        changes: tuple[Change, ...] = ()
        missed: tuple[str, ...] = ()
        excuse = ""
        if head is None:
            verdict = Verdict.GONE if crash is None else Verdict.CRASHED
            reason = "the head has no such point" if crash is None else str(crash["reason"])
            excuse = self._excuse(self._policy.gone, row) if crash is None else ""
        else:
            bounds = [bound for bound in self._policy.bounds if bound.conditions.hold(head)]
            drift = self._drifts.pop((head["arch"], head["test"]), "")  # said of one point of the test
            missed = tuple(filter(None, [drift, *(bound.missed(head) for bound in bounds)]))
            if no_result := why_no_result(head, data_fault):
                verdict, reason = Verdict.WRONG_DATA, no_result
            elif base is not None and not base.get("data_ok", True):
                reason = f"{_in_base(base)}: there is nothing to compare with"
            elif base is not None:
                verdict, reason, changes = self._compare(base, head)
                if verdict in (Verdict.SLOWER, Verdict.OTHER_LIMITER):
                    excuse = self._excuse(self._policy.waivers, row)
        return PointVerdict.of_row(
            row,
            verdict,
            base=base,
            head=head,
            changes=changes,
            reason=reason,
            excuse=excuse,
            missed_bounds=missed,
        )

    def _compare(self, base: Row, head: Row) -> tuple[Verdict, str, tuple[Change, ...]]:
        different = [
            f"{what}: {base[column]} in the base, {head[column]} in the head"
            for column, what in self._same.items()
            if column in base and column in head and base[column] != head[column]
        ]
        simulated = [changed_values(str(row.get("params", ""))).get(SIMULATED_TRANSACTIONS) for row in (base, head)]
        if simulated[0] != simulated[1]:
            words = [f"{count} transactions" if count else "all transactions" for count in simulated]
            different.append(f"simulated: {words[0]} in the base, {words[1]} in the head")
        if different:
            return Verdict.INCOMPARABLE, "; ".join(different), ()
        changes = tuple(self._change(metric, base, head) for metric in METRICS)
        found = {change.verdict for change in changes}
        order = (Verdict.SLOWER, Verdict.FASTER, Verdict.SAME, Verdict.UNGATED)
        verdict = next(verdict for verdict in order if verdict in found)
        # A changed latency explains a changed limiter; without one, the limiter must not change.
        if verdict in (Verdict.SAME, Verdict.UNGATED) and (other := self._other_limiter(base, head)):
            return Verdict.OTHER_LIMITER, other, changes
        return verdict, "", changes

    def _other_limiter(self, base: Row, head: Row) -> str:
        """Describes a change of limiter that a rule forbids; empty without such a change."""
        rule = self._policy.rule_for(LIMITER, head)
        are_known = LIMITER in base and LIMITER in head  # hardware results have no limiter
        if rule is None or not rule.is_gated or not are_known or base[LIMITER] == head[LIMITER]:
            return ""
        return f"limited by {base[LIMITER]} in the base, by {head[LIMITER]} in the head ({rule.place})"

    def _change(self, metric: str, base: Row, head: Row) -> Change:
        rule = self._policy.rule_for(metric, head)
        change = Change(metric, float(base[metric]), float(head[metric]), Verdict.UNGATED)
        if rule is None or not rule.is_gated:
            return change
        noise_percent = self._policy.noise_percent(metric, head) if self._is_measured else 0.0
        verdict = Verdict.SAME
        if change.worse_percent > rule.slower_percent + noise_percent:
            verdict = Verdict.SLOWER
        elif -change.worse_percent > rule.faster_percent + noise_percent:
            verdict = Verdict.FASTER
        return Change(metric, change.base, change.head, verdict, _rule_in_words(rule, noise_percent))

    def _excuse(self, excuses: Sequence[Excuse], row: Row) -> str:
        for excuse in excuses:
            if excuse.conditions.hold(row):
                self._used.add(excuse.place)
                if not excuse.has_expired(self._today):
                    return excuse.describe()
        return ""

    def notices(self, report: GateReport) -> list[str]:
        """Returns remarks that do not fail the gate: expired or unused waivers, improvements, noise."""
        notices = []
        for excuse in (*self._policy.waivers, *self._policy.gone):
            if excuse.has_expired(self._today):
                notices.append(f"expired on {excuse.until}: {excuse.reason} ({excuse.place})")
            elif excuse.place not in self._used:
                notices.append(f"of no use any longer: {excuse.describe()}")
        num_faster = report.count(Verdict.FASTER)
        if num_faster:
            notices.append(
                f"{num_faster} faster than the base: take them over, or the next regression hides behind them"
            )
        if self._is_measured:
            notices.append("measured on hardware: the policy's noise is added to its limits")
        return notices


def _in_base(row: Row) -> str:
    fault = fault_of(row)
    return "wrong data arrived in the base" if fault == WRONG_DATA else f"in the base: {fault}"


def _rule_in_words(rule: Rule, noise_percent: float) -> str:
    return rule.describe() + (f", noise {noise_percent:g} %" if noise_percent else "")


def _all_have(results: Results, column: str) -> bool:
    return all(column in row for row in results.rows)


def _key(row: Row, key_columns: Sequence[str]) -> Key:
    params = without_values(str(row.get("params", "")), HOW_SIMULATED)
    return tuple((row | {"params": params})[name] for name in key_columns)


def _by_key(side: str, rows: Sequence[Row], key_columns: Sequence[str], report: GateReport) -> dict[Key, Row]:
    """Returns rows by key. If the key does not contain "params", leaves out rows with changed parameters."""
    found: dict[Key, Row] = {}
    twice: dict[Key, Row] = {}
    for row in rows:
        if without_values(str(row.get("params", "")), HOW_SIMULATED) and "params" not in key_columns:
            continue
        key = _key(row, key_columns)
        if key in found:
            twice.setdefault(key, row)
        found[key] = row
    if twice:
        row = next(iter(twice.values()))
        boards = sorted({str(other["board"]) for other in rows if "board" in other})
        report.refusals.append(
            f"the {side} has {len(twice)} points several times, such as {row['test']}, {row['num_transactions']} x "
            f"{row['transaction_size_bytes']} B, and the other side does not tell which is meant"
            + (f" (boards {', '.join(boards)})" if len(boards) > 1 else "")
        )
    return found


def _crash_of(key_columns: Sequence[str], key: Key, crashes: Sequence[Row]) -> Row | None:
    """Returns the crash that explains a missing row; None without one."""
    wanted = dict(zip(key_columns, key, strict=True))
    return next(
        (crash for crash in crashes if all(crash[name] == value for name, value in wanted.items() if name in crash)),
        None,
    )


def _apart(base: Sequence[Row], head: Sequence[Row]) -> str:
    def tests(rows: Sequence[Row]) -> str:
        names = sorted({f"{row['test']} on {row['arch']}" for row in rows})
        return ", ".join(names[:_MAX_LISTED]) + (", ..." if len(names) > _MAX_LISTED else "")

    return f"the base is about {tests(base)}, the head about {tests(head)}"


def _coverage(
    base: Sequence[Row], head: Sequence[Row], policy: Policy, base_policy: Policy | None, today: datetime.date
) -> Coverage:
    gated = sum(policy.gates(row) for row in head)
    base_gated = None if base_policy is None else sum(base_policy.gates(row) for row in base)
    least = policy.least_gated_points
    if least is None:
        # Rounds up: 50 % of 3 points are 2.
        least = -int(-policy.least_gated_percent * len(head) // 100)
    shortfall = ""
    if gated < least:
        shortfall = f"{gated} points are gated, the policy wants at least {least}"
    elif base_gated is not None and gated < base_gated:
        shortfall = f"{gated} points are gated, {base_gated} were in the base"
    may_fall = policy.may_fall
    is_excused = may_fall is not None and not may_fall.has_expired(today)
    excuse = may_fall.describe() if shortfall and may_fall is not None and is_excused else ""
    return Coverage(gated, len(head), base_gated, shortfall, excuse)
