"""Descriptions of a gated point, in words and numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from nocbench.checks.faults import place_of_fault
from nocbench.gating.verdicts import Verdict
from nocbench.points.peaks import peak_bytes_per_cycle
from nocbench.support.units import format_size
from nocbench.support.wording import cycles

if TYPE_CHECKING:
    from collections.abc import Callable

    from nocbench.gating.verdicts import Change, PointVerdict
    from nocbench.support.columns import Row

_NONE = "none"
_RULE = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+)\b")
_BOUND = re.compile(r"\((?P<file>[^\s():]+):(?P<line>\d+)\)\s*$")


class Place(NamedTuple):
    """Place of a rule in a policy file, or of a finding in a kernel."""

    file: str
    line: int


def deciding_change(point: PointVerdict) -> Change | None:
    """Returns the change that decides the verdict: the worst change with the point's verdict; None without changes."""
    deciding = [change for change in point.changes if change.verdict == point.verdict] or list(point.changes)
    return max(deciding, key=lambda change: change.worse_percent, default=None)


def place_of_reason(point: PointVerdict) -> Place | None:
    """Returns the place of the rule, the bound, or the finding in a kernel that decides a verdict; None if unknown."""
    if point.verdict == Verdict.WRONG_DATA and (found := place_of_fault(point.reason)):
        return Place(*found)
    change = deciding_change(point)
    match = _RULE.match(change.rule) if change is not None and point.verdict != Verdict.SAME else None
    if point.verdict == Verdict.OTHER_LIMITER:
        match = _BOUND.search(point.reason)
    for bound in point.missed_bounds:
        match = match or _BOUND.search(bound)
    return None if match is None else Place(match["file"], int(match["line"]))


def where_in_words(point: PointVerdict) -> str:
    """Returns architecture and board of a point: "blackhole (p100)"."""
    return f"{point.arch} ({point.board})" if point.board else point.arch


def point_in_words(point: PointVerdict) -> str:
    """Returns a point in words, without the architecture: "Loopback Packet Sizes, Sender, 16 x 2 KiB, noc=1"."""
    calls = int(point.row.get("call_size_bytes", point.transaction_size_bytes))
    size = format_size(calls) + (" per call" if calls != point.transaction_size_bytes else "")
    parts = (point.test, point.kernel, f"{point.num_transactions} x {size}", point.params)
    return ", ".join(part for part in parts if part)


def percent_in_words(percent: float) -> str:
    """Returns a change with its sign; a change other than 0 never reads as 0: "+5.20 %", "-0.0031 %", "0 %"."""
    if percent == 0:
        return "0 %"
    return f"{percent:+.2f} %" if abs(percent) >= 0.01 else f"{percent:+.2g} %"


def change_in_words(point: PointVerdict) -> str:
    """Returns the change of latency, or of bandwidth if it decides the verdict; empty without changes."""
    change = deciding_change(point)
    if change is None:
        return ""
    return percent_in_words(change.percent) + ("" if change.metric == "latency_cycles" else " B/cycle")


def latency_in_words(point: PointVerdict) -> str:
    """Returns the cycles in base and head: "640.5 → 700"."""
    return _from_to(point, lambda row: cycles(float(row["latency_cycles"])))


def bandwidth_in_words(point: PointVerdict) -> str:
    """Returns the bytes per cycle in base and head: "21.4 → 19.96"."""
    return _from_to(point, lambda row: f"{float(row['bandwidth_bytes_per_cycle']):.4g}")


def peak_percent_in_words(point: PointVerdict) -> str:
    """Returns the share of the theoretical maximum in base and head: "33 → 31 %"; empty if unknown."""
    text = _from_to(point, _peak_percent)
    return f"{text} %" if text else ""


def limiter_in_words(point: PointVerdict) -> str:
    """Returns the limiters in base and head: "issue → link"."""
    return _from_to(point, lambda row: str(row.get("limiter", "")))


def verdict_in_words(point: PointVerdict) -> str:
    """Returns the verdict in words, with a missed bound or an excuse."""
    if point.missed_bounds and point.verdict != Verdict.SLOWER:
        return f"{point.verdict}, beyond a bound"
    return f"{point.verdict}, excused" if point.excuse and not point.fails else str(point.verdict)


def rule_in_words(point: PointVerdict) -> str:
    """Returns the deciding rule with its place and limits; empty without one."""
    change = deciding_change(point)
    return change.rule if change is not None else ""


def why(point: PointVerdict) -> str:
    """Returns all known reasons for the verdict."""
    if point.missed_bounds and point.verdict == Verdict.SAME:
        return "; ".join(point.missed_bounds)
    return "; ".join(part for part in (*point.missed_bounds, point.reason or rule_in_words(point)) if part)


def changes_in_words(point: PointVerdict) -> str:
    """Returns the changes as a phrase: "640 → 700 cycles (+9.38 %), 1.6 → 1.46 B/cycle"."""
    change = change_in_words(point)
    cycle_count = f"{latency_in_words(point)} cycles" + (f" ({change})" if change else "")
    return f"{cycle_count}, {bandwidth_in_words(point)} B/cycle"


def _from_to(point: PointVerdict, write: Callable[[Row], str]) -> str:
    """Joins the texts of both sides: a single text if they are equal, and "none" for a side without the point."""
    base, head = (_NONE if row is None else write(row) for row in (point.base, point.head))
    if base == head or not base or not head:
        return head or base
    return f"{base} → {head}"


def _peak_percent(row: Row) -> str:
    peak = peak_bytes_per_cycle(row)
    return "" if peak is None else f"{100.0 * float(row['bandwidth_bytes_per_cycle']) / peak:.3g}"
