"""The earliest event that differs between two traces of a point, which shows where a model change takes effect."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.gating.verdicts import FirstDifference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.gating.verdicts import PointVerdict

Event = dict[str, Any]


class _Name(NamedTuple):
    """Identity of an event on both sides: place, kind, and number among events of the same place and kind."""

    where: str
    what: str
    number: int


@dataclass(frozen=True, slots=True)
class _Moment:
    """Time of an event, and further details."""

    cycle: float
    more: str


def read_events(path: Path) -> list[Event]:
    """Returns the events in a trace file that `nocbench trace` wrote."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    events: list[Event] = json.loads(content)["traceEvents"]
    return events


def first_difference(
    point: PointVerdict, base_events: Sequence[Event], head_events: Sequence[Event]
) -> FirstDifference | None:
    """Returns the earliest event that is missing from one trace or has different times.

    An event is the begin or the end of a stretch of a kernel's time or of a step of a transaction. Events with equal
    names are numbered in order.

    Args:
        point: the traced point.
        base_events: Chrome trace events of the base.
        head_events: events of the head.

    Returns:
        The difference; None for equal traces.
    """
    base, head = _moments(base_events), _moments(head_events)
    earliest: tuple[float, _Name] | None = None
    for name in dict.fromkeys([*base, *head]):
        cycles = [side[name].cycle for side in (base, head) if name in side]
        if len(cycles) == 2 and cycles[0] == cycles[1]:
            continue
        candidate = (min(cycles), name)
        if earliest is None or candidate < earliest:
            earliest = candidate
    if earliest is None:
        return None
    cycle, name = earliest
    return FirstDifference(
        point=point.describe(),
        cycle=cycle,
        where=name.where,
        base=_in_words(name, base.get(name)),
        head=_in_words(name, head.get(name)),
        command=point.command("trace"),
    )


def _moments(events: Sequence[Event]) -> dict[_Name, _Moment]:
    processes = {event["pid"]: event["args"]["name"] for event in events if event["name"] == "process_name"}
    threads = {
        (event["pid"], event["tid"]): event["args"]["name"] for event in events if event["name"] == "thread_name"
    }
    counts: Counter[tuple[str, str]] = Counter()
    moments: dict[_Name, _Moment] = {}
    for where, what, moment in sorted(_all_moments(events, processes, threads), key=lambda item: item[2].cycle):
        counts[where, what] += 1
        moments[_Name(where, what, counts[where, what])] = moment
    return moments


def _all_moments(
    events: Sequence[Event], processes: Mapping[int, str], threads: Mapping[tuple[int, int], str]
) -> Iterator[tuple[str, str, _Moment]]:
    # Steps of a transaction have only its id: take the description from the enclosing event.
    around: dict[tuple[str, str, int], str] = {}
    for event in events:
        core = processes.get(event["pid"], "")
        if event["ph"] == "X":
            where = f"{core}, {threads.get((event['pid'], event['tid']), '')}"
            yield where, f"'{event['name']}' begins", _Moment(event["ts"], "")
            yield where, f"'{event['name']}' ends", _Moment(event["ts"] + event["dur"], "")
        elif event["ph"] in "be":
            identity = (event["cat"], event["id"], event["pid"])
            if event["ph"] == "b" and identity not in around:
                around[identity] = _transaction_in_words(event)
            phase = "begins" if event["ph"] == "b" else "ends"
            about = around.get(identity, "")
            what = f"{about}, '{event['name']}' {phase}" if not about.startswith(event["name"]) else f"{about} {phase}"
            cause = event.get("args", {}).get("cause", "")
            yield core, what, _Moment(event["ts"], f", waiting for {cause}" if cause else "")


def _transaction_in_words(event: Event) -> str:
    arguments = event.get("args", {})
    to = arguments.get("to", arguments.get("last receiver", ""))
    return f"{event['name']}, {arguments.get('bytes', '?')} B" + (f" to {to}" if to else "")


def _in_words(name: _Name, moment: _Moment | None) -> str:
    which = f"{name.what} (no. {name.number})"
    return f"{which} at cycle {moment.cycle:g}{moment.more}" if moment is not None else f"{which} never happens"
