"""The policy: rules that say which changes of results pass, in a YAML file of the repository."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.gating.conditions import Conditions, read_conditions
from nocbench.gating.verdicts import LIMITER, METRICS
from nocbench.points.yaml_files import YamlFile
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from nocbench.points.yaml_files import Node
    from nocbench.support.columns import Row

VERSION = "1"
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)\s*%")
_TOP = ("version", "rules", "bounds", "waivers", "gone", "noise", "coverage", "drift")
_A_PERCENTAGE = "a percentage such as 0.5 %"
_A_DATE = "a date such as 2027-03-01"

USUAL_POLICY = Path("tests/gate/policy.yaml")
"""Path of the policy in a checkout."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Tolerance for changes of a metric or of the limiter.

    Attributes:
        metric: name of the metric, or of the limiter.
        conditions: rows to which the rule applies.
        slower_percent: tolerated change for the worse.
        faster_percent: tolerated change for the better, before the baseline counts as stale.
        is_gated: False if changes are not judged.
        reason: reason for tolerating changes.
        place: "FILE:LINE".
    """

    metric: str
    conditions: Conditions
    slower_percent: float
    faster_percent: float
    is_gated: bool
    reason: str
    place: str

    def describe(self) -> str:
        """Returns place and tolerances of the rule: "policy.yaml:12 (slower 0.5 %, faster 0 %)"."""
        return f"{self.place} (slower {self.slower_percent:g} %, faster {self.faster_percent:g} %)"


@dataclass(frozen=True, slots=True)
class Bound:
    """Absolute bound on a metric, independent of the baseline."""

    metric: str
    conditions: Conditions
    at_least: float | None
    at_most: float | None
    source: str
    place: str

    def missed(self, row: Row) -> str:
        """Describes a missed bound: "bandwidth_bytes_per_cycle 12.1, at least 14 (policy.yaml:30)"; else ""."""
        value = float(row[self.metric])
        if self.at_least is not None and value < self.at_least:
            return f"{self.metric} {value:g}, at least {self.at_least:g} ({self.place})"
        if self.at_most is not None and value > self.at_most:
            return f"{self.metric} {value:g}, at most {self.at_most:g} ({self.place})"
        return ""


@dataclass(frozen=True, slots=True)
class Excuse:
    """Waiver of regressions, or permission to remove points.

    Attributes:
        conditions: points to which the waiver applies.
        reason: reason for the waiver.
        until: last day of the waiver; None: no end.
        place: "FILE:LINE".
    """

    conditions: Conditions
    reason: str
    until: datetime.date | None
    place: str

    def has_expired(self, today: datetime.date) -> bool:
        """Returns True after the last day of the waiver."""
        return self.until is not None and today > self.until

    def describe(self) -> str:
        """Returns reason, place and last day of the waiver."""
        until = f", until {self.until}" if self.until is not None else ""
        return f"{self.reason} ({self.place}{until})"


@dataclass(frozen=True, slots=True)
class Noise:
    """Repeatability of a metric measured on hardware."""

    metric: str
    conditions: Conditions
    percent: float
    place: str


@dataclass(frozen=True, slots=True)
class Drift:
    """Bound on the mean latency of each test since a release."""

    history: Path
    since: str
    percent: float
    place: str

    def missed(self, rows: Sequence[Row]) -> dict[tuple[str, str], str]:
        """Describes the drift of each test that is beyond the bound, by architecture and test.

        Raises:
            InputError: the history cannot be read, or has no such release.
        """
        from nocbench.history.records import find_record, read_history, slower_tests

        record = find_record(read_history(self.history), self.since)
        if record is None:
            wanted = f"the release or revision {self.since}" if self.since else "a release"
            raise InputError(f"{self.place}: drift: expected {wanted} in {self.history}, found none")
        missed = {}
        for change in slower_tests(record, rows, self.percent):
            arch, _, test = change.what.partition("/")
            missed[arch, test] = (
                f"the mean latency of the test is {change.percent:+.2f} % since {record.name}, at most "
                f"{self.percent:g} % ({self.place})"
            )
        return missed


@dataclass(frozen=True, slots=True)
class Policy:
    """Content of a policy file. Without a file, nothing may change.

    Attributes:
        name: path of the file; empty without a file.
        rules: rules; for each metric, the first rule whose conditions a row meets decides.
        bounds: bounds; a row must keep every bound whose conditions it meets.
        waivers: waivers of regressions.
        gone: points that may be missing from the head.
        noise: added to the rules' percentages, for results measured on hardware only.
        least_gated_points: minimum number of gated points; None: `least_gated_percent` applies.
        least_gated_percent: minimum share of gated points, in percent.
        may_fall: permission to gate fewer points than the base; None: no permission.
        drift: bound on the drift since a release, or None.
    """

    name: str = ""
    rules: tuple[Rule, ...] = field(default=())
    bounds: tuple[Bound, ...] = ()
    waivers: tuple[Excuse, ...] = ()
    gone: tuple[Excuse, ...] = ()
    noise: tuple[Noise, ...] = ()
    least_gated_points: int | None = None
    least_gated_percent: float = 0.0
    may_fall: Excuse | None = None
    drift: Drift | None = None

    def rule_for(self, metric: str, row: Row) -> Rule | None:
        """Returns the first rule for a metric whose conditions a row meets, or None."""
        return next((rule for rule in self.rules if rule.metric == metric and rule.conditions.hold(row)), None)

    def gates(self, row: Row) -> bool:
        """Returns True if a rule gates any metric of a row."""
        return any((rule := self.rule_for(metric, row)) is not None and rule.is_gated for metric in METRICS)

    def noise_percent(self, metric: str, row: Row) -> float:
        """Returns the noise of a measured metric of a row, in percent; 0 if the policy names none."""
        matching = (noise for noise in self.noise if noise.metric == metric and noise.conditions.hold(row))
        return next((noise.percent for noise in matching), 0.0)


def default_policy() -> Policy:
    """Returns the policy that applies without a file: latency, and hence bandwidth, must not change."""
    return Policy(rules=(Rule("latency_cycles", Conditions(), 0.0, 0.0, True, "", "the default rule"),))


def read_policy(path: Path) -> Policy:
    """Returns the policy in a file; docs/gating.md describes the format.

    Raises:
        InputError: no such file, or mistakes in it; the message gives line and column of each.
    """
    return policy_in(YamlFile(path, "a policy"))


def policy_in(file: YamlFile) -> Policy:
    """Returns the policy in a YAML file, or in a part of a YAML file.

    Raises:
        InputError: mistakes in the policy, as for :func:`read_policy`.
    """
    top = file.mapping(file.root, "", _TOP, required=("version", "rules"))
    file.value(top.get("version"), "version", VERSION, _exactly(VERSION))
    coverage = file.mapping(top["coverage"], "coverage", ("gated_points", "may_fall")) if "coverage" in top else {}
    least = file.value(coverage.get("gated_points"), "coverage.gated_points", "a number or a percentage", _parse_count)
    may_fall = coverage.get("may_fall")
    policy = Policy(
        name=str(file.path),
        rules=tuple(_read_rule(file, node) for node in file.items(top.get("rules"), "rules")),
        bounds=tuple(_read_bound(file, node) for node in file.items(top.get("bounds"), "bounds")),
        waivers=tuple(
            _read_excuse(file, node, "waivers", needs_date=True) for node in file.items(top.get("waivers"), "waivers")
        ),
        gone=tuple(_read_excuse(file, node, "gone") for node in file.items(top.get("gone"), "gone")),
        noise=tuple(_read_noise(file, node) for node in file.items(top.get("noise"), "noise")),
        least_gated_points=least if isinstance(least, int) else None,
        least_gated_percent=least if isinstance(least, float) else 0.0,
        may_fall=_read_excuse(file, may_fall, "coverage.may_fall") if may_fall is not None else None,
        drift=_read_drift(file, top["drift"]) if "drift" in top else None,
    )
    file.require_no_mistakes()
    return policy


def find_policy(directory: Path, chosen: Path | None) -> Policy:
    """Returns the chosen policy; else the file :data:`USUAL_POLICY` in `directory`; else the default."""
    if chosen is not None:
        return read_policy(chosen)
    usual = directory / USUAL_POLICY
    return read_policy(usual) if usual.is_file() else default_policy()


def _read_rule(file: YamlFile, node: Node) -> Rule:
    keys = ("metric", "match", "slower", "faster", "gate", "reason")
    entries = file.mapping(node, "rules", keys, required=("metric",))
    gate = file.value(entries.get("gate"), "rules.gate", "'never', or no such key", _exactly("never"))
    slower = file.value(entries.get("slower"), "rules.slower", _A_PERCENTAGE, _parse_percent)
    faster = file.value(entries.get("faster"), "rules.faster", _A_PERCENTAGE, _parse_percent)
    reason = file.text(entries.get("reason"), "rules.reason")
    metric = _read_metric(file, entries, "rules", (*METRICS, LIMITER))
    if metric == LIMITER and ("slower" in entries or "faster" in entries):
        file.complain(node, "rules.slower", f"no such key of the {LIMITER}, which is the same or is not", "one")
    if gate is None and metric != LIMITER and "slower" not in entries:
        file.complain(node, "rules.slower", "this key, or gate: never", "nothing")
    if gate is not None and ("slower" in entries or "faster" in entries):
        file.complain(node, "rules.gate", "either gate: never, or slower and faster", "both")
    if (gate is not None or slower or faster) and not reason:
        file.complain(node, "rules.reason", "why this is looser than no change at all", "nothing")
    return Rule(
        metric=metric,
        conditions=read_conditions(file, entries.get("match"), "rules.match"),
        slower_percent=slower or 0.0,
        faster_percent=faster or 0.0,
        is_gated=gate is None,
        reason=reason,
        place=file.place(node),
    )


def _read_bound(file: YamlFile, node: Node) -> Bound:
    keys = ("metric", "match", "at_least", "at_most", "source")
    entries = file.mapping(node, "bounds", keys, required=("metric", "source"))
    at_least = file.value(entries.get("at_least"), "bounds.at_least", "a number", float)
    at_most = file.value(entries.get("at_most"), "bounds.at_most", "a number", float)
    if "at_least" not in entries and "at_most" not in entries:
        file.complain(node, "bounds.at_least", "this key or at_most", "neither")
    return Bound(
        metric=_read_metric(file, entries, "bounds"),
        conditions=read_conditions(file, entries.get("match"), "bounds.match"),
        at_least=at_least,
        at_most=at_most,
        source=file.text(entries.get("source"), "bounds.source"),
        place=file.place(node),
    )


def _read_excuse(file: YamlFile, node: Node, key: str, *, needs_date: bool = False) -> Excuse:
    required = ("reason", "until") if needs_date else ("reason",)
    entries = file.mapping(node, key, ("match", "reason", "until"), required=required)
    return Excuse(
        conditions=read_conditions(file, entries.get("match"), f"{key}.match"),
        reason=file.text(entries.get("reason"), f"{key}.reason"),
        until=file.value(entries.get("until"), f"{key}.until", _A_DATE, datetime.date.fromisoformat),
        place=file.place(node),
    )


def _read_noise(file: YamlFile, node: Node) -> Noise:
    entries = file.mapping(node, "noise", ("metric", "match", "percent"), required=("metric", "percent"))
    return Noise(
        metric=_read_metric(file, entries, "noise"),
        conditions=read_conditions(file, entries.get("match"), "noise.match"),
        percent=file.value(entries.get("percent"), "noise.percent", _A_PERCENTAGE, _parse_percent) or 0.0,
        place=file.place(node),
    )


def _read_drift(file: YamlFile, node: Node) -> Drift:
    entries = file.mapping(node, "drift", ("history", "since", "slower"), required=("history", "slower"))
    return Drift(
        history=file.path.parent / file.text(entries.get("history"), "drift.history"),
        since=file.text(entries.get("since"), "drift.since"),
        percent=file.value(entries.get("slower"), "drift.slower", _A_PERCENTAGE, _parse_percent) or 0.0,
        place=file.place(node),
    )


def _read_metric(file: YamlFile, entries: dict[str, Node], key: str, among: Collection[str] = METRICS) -> str:
    def known(text: str) -> str:
        if text not in among:
            raise ValueError
        return text

    return file.value(entries.get("metric"), f"{key}.metric", f"one of {', '.join(among)}", known) or ""


def _exactly(wanted: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text != wanted:
            raise ValueError
        return text

    return parse


def _parse_percent(text: str) -> float:
    match = _PERCENT.fullmatch(text)
    if match is None:
        raise ValueError
    return float(match[1])


def _parse_count(text: str) -> int | float:
    """Returns a percentage as float, a number of points as int."""
    return _parse_percent(text) if "%" in text else int(text)
