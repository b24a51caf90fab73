"""Common features of failing points: test, region of the sweep, limiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.gating.verdicts import WORST_FIRST, Group, PointVerdict, Verdict
from nocbench.support.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NAMES = ("arch", "board", "primitive", "test", "kernel", "params")
_MOST_NAMES = 2  # maximum for each column in a description


def find_groups(verdicts: Sequence[PointVerdict]) -> list[Group]:
    """Groups failing points by verdict, architecture and primitive, and describes the common features of each group."""
    failing: dict[tuple[Verdict, str, str], list[PointVerdict]] = {}
    for point in verdicts:
        if point.fails:
            failing.setdefault((point.verdict, point.arch, point.primitive), []).append(point)
    groups = []
    for (verdict, arch, primitive), points in failing.items():
        peers = [peer for peer in verdicts if (peer.arch, peer.primitive) == (arch, primitive)]
        description, num_compared = _describe(points, peers)
        groups.append(
            Group(
                description=", ".join(part for part in (arch, primitive, description) if part),
                verdict=verdict,
                num_points=len(points),
                num_compared=num_compared,
                least_percent=min(point.worst_percent for point in points),
                most_percent=max(point.worst_percent for point in points),
            )
        )
    return sorted(groups, key=lambda group: (WORST_FIRST.index(group.verdict), -group.num_points, group.description))


def find_unaffected(verdicts: Sequence[PointVerdict]) -> list[str]:
    """Returns architectures and primitives without changed points; none if no point changed."""
    changed: dict[str, bool] = {}
    for point in verdicts:
        name = " ".join(part for part in (point.arch, point.primitive) if part)
        changed[name] = changed.get(name, False) or point.is_changed
    if not any(changed.values()):
        return []
    return sorted(name for name, is_changed in changed.items() if not is_changed)


def _describe(points: Sequence[PointVerdict], peers: Sequence[PointVerdict]) -> tuple[str, int]:
    """Describes features that distinguish points from their peers.

    Also returns the number of peers with all of these features.
    """
    parts = []
    for name in _NAMES:
        values = sorted({str(getattr(point, name)) for point in points})
        all_values = {str(getattr(peer, name)) for peer in peers}
        if len(values) < len(all_values) and len(values) <= _MOST_NAMES:
            parts.append(" and ".join(value or f"no {name}" for value in values))
            peers = [peer for peer in peers if str(getattr(peer, name)) in values]
    for value_of, in_words in ((_count, _counts_in_words), (_size, _sizes_in_words)):
        least, greatest = (limit(value_of(point) for point in points) for limit in (min, max))
        all_least, all_greatest = (limit(value_of(peer) for peer in peers) for limit in (min, max))
        if (least, greatest) != (all_least, all_greatest):
            parts.append(in_words(least, greatest, least == all_least, greatest == all_greatest))
            peers = [peer for peer in peers if least <= value_of(peer) <= greatest]
    limiters = {str(point.row.get("limiter", "")) for point in points}
    if len(limiters) == 1 and limiters < {str(peer.row.get("limiter", "")) for peer in peers}:
        limiter = limiters.pop()
        parts.append(f"limited by {limiter}")
        peers = [peer for peer in peers if peer.row.get("limiter", "") == limiter]
    return ", ".join(parts), len(peers)


def _count(point: PointVerdict) -> int:
    return point.num_transactions


def _size(point: PointVerdict) -> int:
    return int(point.row.get("call_size_bytes", point.transaction_size_bytes))


def _counts_in_words(least: int, greatest: int, is_least: bool, is_greatest: bool) -> str:
    return f"{_range(str, least, greatest, is_least, is_greatest)} transactions"


def _sizes_in_words(least: int, greatest: int, is_least: bool, is_greatest: bool) -> str:
    return f"{_range(format_size, least, greatest, is_least, is_greatest)} per call"


def _range(write: Callable[[int], str], least: int, greatest: int, is_least: bool, is_greatest: bool) -> str:
    if least == greatest:
        return write(least)
    if is_least:
        return f"up to {write(greatest)}"
    if is_greatest:
        return f"at least {write(least)}"
    return f"{write(least)} to {write(greatest)}"
