"""Recording of a point's calls, in the format of tt-metal's profiler."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nocbench.points.catalogue import BUILT_IN, in_use
from nocbench.points.simulation import record_point
from nocbench.replaying.event_types import EVENT_TYPES
from nocbench.replaying.trace_file import RISCS
from nocbench.support.atomic_files import write_text
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.points.point import Point
    from nocbench.points.simulation import Configuration

_NOWHERE = -1
_SIZES = ("num_transactions", "call_size")
_NAMES = {number: name for name, number in RISCS.items()}


def require_recordable(points: Sequence[Point]) -> None:
    """Checks that points can be recorded, by recording the cheapest point of each test and set of other parameters.

    Raises:
        InputError: tests that cannot be recorded; the message names all.
    """
    cheapest: dict[tuple[object, ...], Point] = {}
    for point in points:
        others = tuple(item for item in point.parameters if item[0] not in _SIZES)
        key = (point.arch, point.board, point.test, point.settings, others)
        known = cheapest.setdefault(key, point)
        if point.relative_cost < known.relative_cost:
            cheapest[key] = point
    mistakes = Mistakes()
    for point in cheapest.values():
        with mistakes.noted():
            _recorded(point)
    mistakes.complain()


def write_recorded(point: Configuration, path: Path) -> int:
    """Runs a point and writes the calls of its kernels to a file. Returns the number of calls.

    Raises:
        InputError: the simulator refuses the point, or records no calls.
    """
    calls = _recorded(point)
    events = list(_events(calls, str(point.test)))
    write_text(path, "[\n" + ",\n".join(json.dumps(event) for event in events) + "\n]\n")
    return len(calls)


def _recorded(point: Configuration) -> Sequence[tuple[Any, ...]]:
    if in_use() is not BUILT_IN:
        raise InputError(f"{point.test}: expected a test of nocbench to record the calls of, found one of a suite")
    calls = record_point(point)
    if not calls:
        raise InputError(
            f"{point.test} on {point.arch}: expected kernels that are functions, whose calls are recorded, found none"
        )
    return calls


def _events(calls: Sequence[tuple[Any, ...]], name: str) -> Iterator[Mapping[str, Any]]:
    """Yields the events, sorted by core, processor and time."""
    before = None
    for tile, riscv, event, noc, channel, posted, num_bytes, tiles, address, cycle in sorted(
        calls, key=lambda call: (call[0], call[1], call[9])
    ):
        place = {"proc": _NAMES[riscv], "sx": tile[0], "sy": tile[1], "run_host_id": 0, "op_name": name}
        timestamp = {"timestamp": round(cycle)}
        if before != (tile, riscv):
            before = tile, riscv
            yield {**place, "zone": f"{_NAMES[riscv]}-KERNEL", "zone_phase": "begin", "timestamp": 0}
        record: dict[str, Any] = {**place, "noc": f"NOC_{noc}", "vc": _NOWHERE, "type": event, **timestamp}
        if EVENT_TYPES[event].has_partner:
            record["vc"] = channel
            record["posted"] = posted
        if tiles:
            record["address"] = address
        if len(tiles) == 1:
            record["dx"], record["dy"] = tiles[0]
        elif tiles:
            (record["mcast_start_x"], record["mcast_start_y"]), (record["mcast_end_x"], record["mcast_end_y"]) = tiles
        else:
            record["dx"] = record["dy"] = _NOWHERE
        if EVENT_TYPES[event].has_size:
            record["num_bytes"] = num_bytes
        elif not EVENT_TYPES[event].has_partner and not EVENT_TYPES[event].uses_state:
            record["num_bytes"] = 0
        yield record
