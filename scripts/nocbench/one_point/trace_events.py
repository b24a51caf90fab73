"""A trace of one point as Chrome trace events, the JSON that Perfetto (ui.perfetto.dev) opens.

Every core that runs a kernel is a process. Each of its RISCs has two tracks: the profiler zones of its kernel, and
where its time went. Transactions of the core overlap, so they are asynchronous events: one for the whole, and within it
one for each step. Time stamps are cycles; viewers take them for microseconds.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.support.atomic_files import atomic_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from nocbench.points.simulator import PointTrace

Event = dict[str, Any]

LEAST_EVENTS_PER_TRANSACTION = 6
"""The whole and two steps, each with a beginning and an end."""

_TRACKS_PER_RISC = 2


@dataclass(frozen=True, slots=True)
class TraceEvents:
    """The events of a trace file.

    Attributes:
        names: metadata events: what processes and threads are called.
        events: all others, by time stamp.
        num_transactions: how many transactions are among them.
        num_transactions_in_all: how many the point had.
        left_out_from: cycle from which on something was left out; None if nothing was.
    """

    names: tuple[Event, ...]
    events: tuple[Event, ...]
    num_transactions: int
    num_transactions_in_all: int
    left_out_from: float | None


class _Process(NamedTuple):
    """A core."""

    number: int
    first_track: int


def max_records_for(max_events: int) -> int:
    """How many records of each kind are enough to make `max_events` events of."""
    return max_events // LEAST_EVENTS_PER_TRANSACTION + 1


def trace_events(trace: PointTrace, floor_plan: Mapping[str, Any], max_events: int) -> TraceEvents:
    """Makes events of a trace: at most `max_events` besides the names, what begins first being kept.

    A transaction is kept with all its steps or not at all.
    """
    tiles = {(tile["x"], tile["y"]): _tile_name(tile) for tile in floor_plan["tiles"]}
    first_tracks: dict[tuple[int, int], int] = {}
    for kernel in trace.kernels:
        place = (kernel["physical_y"], kernel["physical_x"])
        first_tracks[place] = min(_first_track(kernel), first_tracks.get(place, _first_track(kernel)))
    processes = {
        (x, y): _Process(number, first_tracks[y, x]) for number, (y, x) in enumerate(sorted(first_tracks), start=1)
    }
    names = [*_process_names(processes, tiles), *_thread_names(trace.kernels, processes)]

    groups: list[list[Event]] = []
    for kernel in trace.kernels:
        groups += ([event] for event in _kernel_events(kernel, processes))
    # Ids follow the order of the beginnings: events of transactions that begin together stay apart.
    transactions = sorted(trace.transactions, key=lambda transaction: int(transaction["accepted"]))
    for number, transaction in enumerate(transactions, start=1):
        groups.append(_transaction_events(transaction, number, processes, tiles))
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
    # The order of a transaction's events with the same time stamp is that in which they nest.
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


def write_trace(events: TraceEvents, about: Mapping[str, Any], path: Path) -> None:
    """Writes a trace file, compressed if its name ends in .gz. `about` goes with it as what Chrome calls otherData."""
    with atomic_path(path) as temporary:
        if path.suffix == ".gz":
            # No name and no time in the header: the same trace gives the same bytes.
            with temporary.open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as compressed:
                compressed.writelines(chunk.encode() for chunk in json_chunks(events, about))
        else:
            with temporary.open("wb") as file:
                file.writelines(chunk.encode() for chunk in json_chunks(events, about))


def json_chunks(events: TraceEvents, about: Mapping[str, Any]) -> Iterator[str]:
    """The text of a trace file: an event per line."""
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


def _process_names(
    processes: Mapping[tuple[int, int], _Process], tiles: Mapping[tuple[int, int], str]
) -> Iterator[Event]:
    for place, process in processes.items():
        common = {"ph": "M", "pid": process.number, "tid": process.first_track}
        yield {"name": "process_name", **common, "args": {"name": tiles[place]}}
        yield {"name": "process_sort_index", **common, "args": {"sort_index": process.number}}


def _thread_names(
    kernels: Sequence[Mapping[str, Any]], processes: Mapping[tuple[int, int], _Process]
) -> Iterator[Event]:
    for kernel in kernels:
        process = processes[kernel["physical_x"], kernel["physical_y"]].number
        name = f"riscv_{kernel['riscv']} {kernel['kernel']}"
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
    return 1 + _TRACKS_PER_RISC * int(kernel["riscv"])


def _kernel_events(kernel: Mapping[str, Any], processes: Mapping[tuple[int, int], _Process]) -> Iterator[Event]:
    process = processes[kernel["physical_x"], kernel["physical_y"]].number
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
    processes: Mapping[tuple[int, int], _Process],
    tiles: Mapping[tuple[int, int], str],
) -> list[Event]:
    common = {
        "cat": f"NoC {transaction['noc']}",
        "id": f"{number:#x}",
        "pid": processes[transaction["from"]].number,
        "tid": processes[transaction["from"]].first_track,  # viewers show them beside the tracks of the process
    }

    def event(phase: str, name: str, cycle: float, **more: object) -> Event:
        return {"name": name, "ph": phase, "ts": _cycles(cycle), **common, **more}

    steps = _steps(transaction)
    name = f"{_kind(transaction)}, NoC {transaction['noc']}"
    end = steps[-1][2] if steps else transaction["accepted"]
    events = [event("b", name, transaction["accepted"], args=_arguments(transaction, tiles))]
    for step, step_begin, step_end in steps:
        more = {"args": {"cause": transaction["start_cause"]}} if step == "queued in the NIU" else {}
        events.append(event("b", step, step_begin, **more))
        events.append(event("e", step, step_end))
    events.append(event("e", name, end))
    return events


def _kind(transaction: Mapping[str, Any]) -> str:
    kind = f"multicast {transaction['kind']}" if transaction["num_receivers"] else str(transaction["kind"])
    return f"posted {kind}" if transaction["posted"] else kind


def _arguments(transaction: Mapping[str, Any], tiles: Mapping[tuple[int, int], str]) -> dict[str, Any]:
    """What a viewer shows of a transaction that was clicked on."""
    is_multicast = transaction["num_receivers"] > 0
    arguments = {
        "kind": _kind(transaction),
        "bytes": transaction["bytes"],
        "noc": transaction["noc"],
        "from": tiles[transaction["from"]],
        # The times of a multicast are those of the receiver whose acknowledgement came last.
        "last receiver" if is_multicast else "to": tiles[transaction["to"]],
    }
    if is_multicast:
        arguments |= {"receivers": transaction["num_receivers"], "linked": transaction["linked"]}
    arguments |= {"request hops": transaction["request_hops"]}
    if not transaction["posted"]:
        arguments |= {"response hops": transaction["response_hops"]}
    times = ["accepted", "started", "path_requested", "path_reserved", "request_head", "request_arrived"]
    if not transaction["posted"]:
        times += ["response_started", "response_head", "response_arrived"]
    return arguments | {
        f"{name.replace('_', ' ')} (cycle)": transaction[name]
        for name in times
        if transaction[name] or not name.startswith("path")
    }


def _steps(transaction: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """What a transaction did from when to when; steps that took no time are left out."""
    is_write = transaction["kind"] == "write"
    steps = [("queued in the NIU", transaction["started"])]
    if transaction["path_reserved"]:
        steps += [
            ("waits to reserve its tree", transaction["path_requested"]),
            ("reserves its tree", transaction["path_reserved"]),
        ]
    steps += [
        ("request on its way", transaction["request_head"]),
        ("data arrive" if is_write else "request arrives", transaction["request_arrived"]),
    ]
    if transaction["posted"]:
        steps.append(("written", transaction["service_expected"]))
    else:
        steps += [
            ("served", transaction["response_started"]),
            ("response on its way", transaction["response_head"]),
            ("data arrive" if transaction["kind"] == "read" else "response arrives", transaction["response_arrived"]),
        ]
    begin = int(transaction["accepted"])
    taken = []
    for name, end in steps:
        if end > begin:
            taken.append((name, begin, int(end)))
            begin = int(end)
    return taken


def _cycles(cycles: float) -> float | int:
    """Whole cycles as integers; ticks are four decimal digits."""
    rounded = round(cycles, 4)
    return int(rounded) if rounded == int(rounded) else rounded
