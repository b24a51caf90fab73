"""Verdicts of a gate, for tests of reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sample import make_row

from nocbench.gating.verdicts import (
    METRICS,
    Change,
    Coverage,
    FirstDifference,
    GateReport,
    Group,
    PointVerdict,
    Side,
    Verdict,
)

if TYPE_CHECKING:
    from nocbench.support.columns import Row

RULE = "tests/gate/policy.yaml:7 (slower 0.5 %, faster 0 %)"
NASTY = "a|b <b>&amp; `x` *y* _z_ [l](u) </script><!-- @someone \"q\" 'p' 50%:,; \x07\n\r\u2028\ud800 $m$ \\ ]]>"
"""Worst characters of names and messages."""


def make_point(
    verdict: Verdict = Verdict.SAME,
    factor: float = 1.0,
    *,
    base: bool = True,
    head: bool = True,
    head_changes: Row | None = None,
    rule: str = RULE,
    reason: str = "",
    excuse: str = "",
    missed_bounds: tuple[str, ...] = (),
    **changes: object,
) -> PointVerdict:
    """Returns a point whose latency in the head is the base's times a factor."""
    base_row = make_row(**changes)
    latency_cycles = float(str(base_row["latency_cycles"])) * factor
    bandwidth = float(str(base_row["bandwidth_bytes_per_cycle"])) / factor
    head_row = base_row | {"latency_cycles": latency_cycles, "bandwidth_bytes_per_cycle": bandwidth}
    head_row |= head_changes or {}
    is_compared = base and head and verdict not in (Verdict.INCOMPARABLE, Verdict.WRONG_DATA)
    of_change = verdict if verdict in (Verdict.SLOWER, Verdict.FASTER, Verdict.UNGATED) else Verdict.SAME
    return PointVerdict(
        **{name: str(base_row[name]) for name in ("arch", "board", "primitive", "test", "kernel", "params")},
        num_transactions=int(str(base_row["num_transactions"])),
        transaction_size_bytes=int(str(base_row["transaction_size_bytes"])),
        verdict=verdict,
        base=base_row if base else None,
        head=head_row if head else None,
        changes=tuple(
            Change(
                metric,
                float(str(base_row[metric])),
                float(str(head_row[metric])),
                of_change,
                "" if verdict == Verdict.UNGATED else rule,
            )
            for metric in METRICS
        )
        if is_compared
        else (),
        reason=reason,
        excuse=excuse,
        missed_bounds=missed_bounds,
    )


def make_report(points: list[PointVerdict], **changes: object) -> GateReport:
    """Returns a report of points; everything else is empty by default."""
    ungated = sum(point.verdict == Verdict.UNGATED for point in points)
    return GateReport(
        **{
            "base": Side("base", "main", "4e1c7a90b2d3", "Loopback, by unicast"),
            "head": Side("head", "HEAD", "4e1c7a90b2d3", "Loopback, by unicast"),
            "policy": "tests/gate/policy.yaml",
            "verdicts": sorted(points, key=PointVerdict.order),
            "coverage": Coverage(len(points) - ungated, len(points)),
            **changes,
        }  # type: ignore[arg-type]
    )


def sample_report() -> GateReport:
    """Returns a report with a verdict of each kind."""
    large: dict[str, Any] = {"transaction_size_bytes": 2048, "call_size_bytes": 2048}
    return make_report(
        [
            make_point(Verdict.SLOWER, 1.067, head_changes={"limiter": "link"}, **large),
            make_point(Verdict.SLOWER, 1.01, num_transactions=4, **large),
            make_point(
                Verdict.SLOWER,
                1.2,
                excuse="policy.yaml:40: a write waits for its acknowledgement",
                test="Loopback Packet Sizes",
                primitive="loopback",
                test_id=16,
            ),
            make_point(Verdict.WRONG_DATA, reason="other bytes arrived than were sent", num_transactions=64),
            make_point(Verdict.CRASHED, head=False, reason="signal 11 (SIGSEGV)", num_transactions=256),
            make_point(Verdict.GONE, head=False, reason="the head has no such point", kernel="Receiver"),
            make_point(Verdict.NEW, base=False, arch="blackhole", board="p100", params="noc=1"),
            make_point(
                Verdict.INCOMPARABLE,
                reason="num_cores: 1 in the base, 4 in the head",
                arch="blackhole",
                board="p100",
                num_transactions=64,
            ),
            make_point(Verdict.FASTER, 0.9, arch="blackhole", board="p100"),
            make_point(Verdict.SAME, 1.00001, arch="blackhole", board="p100", num_transactions=4),
            make_point(
                Verdict.SAME,
                missed_bounds=("bandwidth_bytes_per_cycle 1.59875, at least 14 (tests/gate/policy.yaml:30)",),
                arch="blackhole",
                board="p100",
                num_transactions=1,
            ),
            make_point(Verdict.UNGATED, 1.5, arch="blackhole", board="p100", test="Wall Clock", primitive="clock"),
            *(make_point(num_transactions=count, **large) for count in (1, 64, 256)),
        ],
        head=Side("head", "HEAD", "9af0c3d4e5f6+", "Routers that look ahead"),
        coverage=Coverage(13, 14, 15, "13 points are gated, 15 were in the base", ""),
        groups=[
            Group("wormhole_b0, one_to_one, Sender, 2 KiB per call", Verdict.SLOWER, 2, 5, 1.0, 6.7),
            Group("wormhole_b0, one_to_one, Receiver", Verdict.GONE, 1, 1, 0.0, 0.0),
        ],
        unaffected=["blackhole loopback", "wormhole_b0 dram_unary"],
        first_difference=FirstDifference(
            "One to One Packet Sizes, Sender, 16 x 2048 B on wormhole_b0 (n150)",
            1204.5,
            "core (4, 2), NoC 0",
            "the request is on its way",
            "the request waits for the link",
            "nocbench trace 'One to One Packet Sizes' --arch wormhole_b0 -a num_transactions=16 -a call_size=2048",
        ),
        notices=[
            "expired on 2026-01-01: a slow link (tests/gate/policy.yaml:44)",
            "1 faster than the base: take it over, or the next regression hides behind it",
        ],
        accept_command="nocbench accept build/quick.csv --baseline tests/gate/quick.csv --reason '...'",
    )
