"""A trace of one point as Chrome trace events, the JSON that Perfetto (ui.perfetto.dev) opens.

Each core with a kernel is a process, and so is each host and each source of packets. A processor has two tracks: the
profiler zones of its kernel, and its time by cause. Transactions of a process overlap and are therefore asynchronous
events: one event for a transaction, and within it one for each step. Time stamps are cycles, which viewers show as
microseconds.
"""

from __future__ import annotations

import gzip
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.points.point import Point
    from nocbench.points.point_results import PointTrace

Event = dict[str, Any]

DEFAULT_MAX_EVENTS = 500_000
LEAST_EVENTS_PER_TRANSACTION = 6
"""Begin and end of a transaction and of at least two steps."""

_TRACKS_PER_RISC = 2
_FIRST_TRACK = 1

Place = tuple[int, int] | None
OUTSIDE = None
"""Place of a host outside of the machine."""


@dataclass(frozen=True, slots=True)
class TraceEvents:
    """The events of a trace file.

    Attributes:
        names: metadata events with names of processes and threads.
        events: all other events, by time stamp.
        num_transactions: number of transactions in `events`.
        num_transactions_in_all: number of all transactions of the point.
        left_out_from: cycle from which events are left out; None if `events` has all of them.
    """

    names: tuple[Event, ...]
    events: tuple[Event, ...]
    num_transactions: int
    num_transactions_in_all: int
    left_out_from: float | None


class _Process(NamedTuple):
    """A process of the trace: its number and first track."""

    number: int
    first_track: int


def max_records_for(max_events: int) -> int:
    """Returns the number of records of each kind that suffices for `max_events` events."""
    return max_events // LEAST_EVENTS_PER_TRANSACTION + 1


def trace_events(trace: PointTrace, max_events: int) -> TraceEvents:
    """Returns the events of a trace: at most the first `max_events`, besides the names.

    A transaction is kept with all steps, or left out.
    """
    tiles: dict[Place, str] = {
        OUTSIDE: "the host",
        **{(tile["x"], tile["y"]): _tile_name(tile) for tile in trace.floor_plan["tiles"]},
    }
    first_tracks: dict[Place, int] = {transaction["from"]: _FIRST_TRACK for transaction in trace.transactions}
    for place in {_place(kernel) for kernel in trace.kernels}:
        first_tracks[place] = min(_first_track(kernel) for kernel in trace.kernels if _place(kernel) == place)
    processes = {
        place: _Process(number, first_tracks[place])
        for number, place in enumerate(sorted(first_tracks, key=_row_by_row), start=1)
    }
    names = [*_process_names(processes, tiles), *_thread_names(trace.kernels, processes)]

    groups: list[list[Event]] = []
    for kernel in trace.kernels:
        groups += ([event] for event in _kernel_events(kernel, processes))
    # Ids follow the order of beginnings, and distinguish transactions that begin in the same cycle.
    transactions = sorted(trace.transactions, key=lambda transaction: float(transaction["accepted"]))
    for number, transaction in enumerate(transactions, start=1):
        groups.append(_transaction_events(transaction, number, processes, tiles, trace))
    groups.sort(key=lambda group: float(group[0]["ts"]))

    kept: list[Event] = []
    num_kept_transactions = 0
    left_out_from: float | None = None
    for group in groups:
        if len(kept) + len(group) > max_events:
            left_out_from = group[0]["ts"]
            break
        kept += group
        num_kept_transactions += group[0]["ph"] == "b"
    # Stable sort: events of a transaction with equal time stamps keep their nesting order.
    kept.sort(key=lambda event: float(event["ts"]))
    is_limited = max(trace.num_transactions, trace.num_stretches) > trace.max_records
    if is_limited and left_out_from is None:
        left_out_from = kept[-1]["ts"]
    return TraceEvents(
        names=tuple(names),
        events=tuple(kept),
        num_transactions=num_kept_transactions,
        num_transactions_in_all=trace.num_transactions,
        left_out_from=left_out_from,
    )


def require_trace_name(path: Path) -> None:
    """Raises InputError unless a trace can be written to the path."""
    if not path.name.lower().endswith((".json", ".json.gz")):
        raise InputError(f"{path}: the name of a trace ends in .json or .json.gz")
    if not path.parent.is_dir():
        raise InputError(f"{path}: there is no directory {path.parent}")


def trace_facts(what: Point, board: str) -> dict[str, str]:
    """Returns what a trace says about its point."""
    return {
        "time unit": "1 microsecond is 1 cycle",
        "arch": what.arch,
        "board": board,
        "test": what.test,
        **dict(what.parameters),
        **dict(what.settings),
    }


def write_trace(events: TraceEvents, about: Mapping[str, Any], path: Path) -> None:
    """Writes a trace file, compressed if the name ends in .gz, with `about` as Chrome's otherData."""
    with atomic_path(path) as temporary:
        if path.suffix == ".gz":
            # The header has no name and no time, so that equal traces give equal bytes.
            with temporary.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as compressed:
                compressed.writelines(chunk.encode() for chunk in json_chunks(events, about))
        else:
            with temporary.open("wb") as file:
                file.writelines(chunk.encode() for chunk in json_chunks(events, about))


def json_chunks(events: TraceEvents, about: Mapping[str, Any]) -> Iterator[str]:
    """Yields the text of a trace file, one event per line."""
    yield f'{{"displayTimeUnit": "ms", "otherData": {json.dumps(about)}, "traceEvents": ['
    separator = "\n"
    for event in (*events.names, *events.events):
        yield f"{separator}{json.dumps(event, separators=(',', ':'))}"
        separator = ",\n"
    yield "\n]}\n"


def _tile_name(tile: Mapping[str, Any]) -> str:
    place = f"({tile['x']}, {tile['y']})"
    if tile["logical"] is not None:
        return f"core ({tile['logical'][0]}, {tile['logical'][1]}) at {place}"
    return f"{tile['kind']} at {place}"


def _process_names(processes: Mapping[Place, _Process], tiles: Mapping[Place, str]) -> Iterator[Event]:
    for place, process in processes.items():
        common = {"ph": "M", "pid": process.number, "tid": process.first_track}
        yield {"name": "process_name", **common, "args": {"name": tiles[place]}}
        yield {"name": "process_sort_index", **common, "args": {"sort_index": process.number}}


def _thread_names(kernels: Sequence[Mapping[str, Any]], processes: Mapping[Place, _Process]) -> Iterator[Event]:
    for kernel in kernels:
        process = processes[_place(kernel)].number
        name = str(kernel["kernel"])
        if kernel["riscv"] >= 0:
            name = f"riscv_{kernel['riscv']} {name}"
        for track, what in enumerate(("zones", "time by cause")):
            thread = _first_track(kernel) + track
            yield {
                "name": "thread_name",
                "ph": "M",
                "pid": process,
                "tid": thread,
                "args": {"name": f"{name}: {what}"},
            }
            yield {
                "name": "thread_sort_index",
                "ph": "M",
                "pid": process,
                "tid": thread,
                "args": {"sort_index": thread},
            }


def _first_track(kernel: Mapping[str, Any]) -> int:
    return _FIRST_TRACK + _TRACKS_PER_RISC * max(0, int(kernel["riscv"]))


def _place(kernel: Mapping[str, Any]) -> Place:
    return OUTSIDE if kernel["physical_x"] is None else (kernel["physical_x"], kernel["physical_y"])


def _row_by_row(place: Place) -> tuple[float, float]:
    """Returns the sort key of a process: row by row, then processes outside of the chip."""
    return (math.inf, math.inf) if place is None else (place[1], place[0])


def _kernel_events(kernel: Mapping[str, Any], processes: Mapping[Place, _Process]) -> Iterator[Event]:
    process = processes[_place(kernel)].number
    for track, category, slices in ((0, "zone", kernel["zones"]), (1, "time", kernel["stretches"])):
        for name, begin, end in slices:
            yield {
                "name": name,
                "cat": category,
                "ph": "X",
                "ts": _cycles(begin),
                "dur": _cycles(end - begin),
                "pid": process,
                "tid": _first_track(kernel) + track,
            }


def _transaction_events(
    transaction: Mapping[str, Any],
    number: int,
    processes: Mapping[Place, _Process],
    tiles: Mapping[Place, str],
    trace: PointTrace,
) -> list[Event]:
    network = trace.floor_plan["networks"][transaction["noc"]]["name"] if transaction["from"] is not OUTSIDE else "host"
    common = {
        "cat": network,
        "id": f"{number:#x}",
        "pid": processes[transaction["from"]].number,
        "tid": processes[transaction["from"]].first_track,  # viewers show transactions beside the tracks of the process
    }

    def event(phase: str, name: str, cycle: float, **more: object) -> Event:
        return {"name": name, "ph": phase, "ts": _cycles(cycle), **common, **more}

    steps = _steps(transaction, trace.phase_kinds)
    name = f"{_kind(transaction)}, {network}"
    end = steps[-1].end if steps else transaction["accepted"]
    events = [event("b", name, transaction["accepted"], args=_arguments(transaction, tiles, trace.phase_kinds))]
    for step in steps:
        more = {"args": {"cause": transaction["start_cause"]}} if step.is_first else {}
        events.append(event("b", step.name, step.begin, **more))
        events.append(event("e", step.name, step.end))
    events.append(event("e", name, end))
    return events


def _kind(transaction: Mapping[str, Any]) -> str:
    kind = f"multicast {transaction['kind']}" if transaction["num_receivers"] else str(transaction["kind"])
    return f"posted {kind}" if transaction["posted"] else kind


def _arguments(
    transaction: Mapping[str, Any], tiles: Mapping[Place, str], phase_kinds: Sequence[tuple[str, str, str]]
) -> dict[str, Any]:
    """Returns the details of a transaction that viewers show."""
    is_multicast = transaction["num_receivers"] > 0
    arguments = {
        "kind": _kind(transaction),
        "bytes": transaction["bytes"],
        "noc": transaction["noc"],
        "from": tiles[transaction["from"]],
        # A multicast has the times of the receiver whose acknowledgement came last.
        "last receiver" if is_multicast else "to": tiles[transaction["to"]],
    }
    if is_multicast:
        arguments |= {"receivers": transaction["num_receivers"], "linked": transaction["linked"]}
    arguments |= {"request hops": transaction["hops"]}
    if not transaction["posted"]:
        arguments |= {"response hops": transaction["response_hops"]}
    moments = [("accepted", transaction["accepted"])]
    moments += [(phase_kinds[number][2], end) for number, end in transaction["phases"]]
    return arguments | {f"{name} (cycle)": _cycles(time) for name, time in moments if name}


class _Step(NamedTuple):
    name: str
    begin: float
    end: float
    is_first: bool


def _steps(transaction: Mapping[str, Any], phase_kinds: Sequence[tuple[str, str, str]]) -> list[_Step]:
    """Returns the steps of a transaction that took time."""
    phases = [(phase_kinds[number][0], end) for number, end in transaction["phases"]]
    begin = transaction["accepted"]
    taken = []
    for number, (name, end) in enumerate(phases):
        if number + 1 < len(phases) and phases[number + 1][0] == name:
            continue  # merge with the next phase
        if end > begin:
            taken.append(_Step(name, begin, end, number == 0))
            begin = end
    return taken


def _cycles(cycles: float) -> float | int:
    """Returns whole cycles as integers; other times have four decimal digits."""
    rounded = round(cycles, 4)
    return int(rounded) if rounded == int(rounded) else rounded
