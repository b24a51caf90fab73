"""Traces: valid Chrome trace events with the right content."""

from __future__ import annotations

import gzip
import itertools
import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
from fake_core import WRONG_BYTE

from nocbench.one_point.trace_events import TraceEvents, max_records_for, trace_events
from nocbench.points.point import Point
from nocbench.points.simulation import trace_point

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

    from nocbench.points.point_results import PointTrace

ONE_POINT = ["One to One Packet Sizes", "--arch", "wormhole_b0", "-a", "num_transactions=4", "-a", "call_size=128"]
REAL_POINTS = [
    ("wormhole_b0", "One to One Packet Sizes", {"num_transactions": "16", "call_size": "20KiB"}),
    ("wormhole_b0", "DRAM Interleaved Packet Sizes", {"num_transactions": "16", "call_size": "4KiB"}),
    ("wormhole_b0", "One to All Multicast 2x2 Packet Sizes without Loopback", {}),
    ("blackhole", "One to All Multicast Linked 5x5 Packet Sizes with Loopback", {}),
    ("blackhole", "One from All Packet Sizes", {}),
    ("blackhole", "All to All Packet Sizes", {"grid": "3x3"}),
    ("epiphany_iii", "External Memory Write Sizes", {"num_transactions": "1", "executor": "core", "state": "busy"}),
    ("epiphany_iii", "Core to Core Read Sizes", {"num_transactions": "1", "executor": "dma", "state": "busy"}),
    ("epiphany_iii", "Mesh Traffic", {"num_transactions": "1", "pattern": "neighbors", "executor": "dma"}),
    ("epiphany_iii", "Host Core Transfers", {"direction": "read"}),
    ("etherbone", "Timestamps SCU3 PCIe", {"num_transactions": "4", "call_size": "64"}),
    ("etherbone", "Timestamps SCU3 GigE", {"num_transactions": "90", "call_size": "64", "method": "pipelined"}),
    ("etherbone", "Latch Unit T5810 USB", {"num_transactions": "4", "call_size": "16"}),
    ("wormhole_b0", "Synthetic Traffic", {"call_size": "1KiB"}),
    ("wormhole_b0", "Synthetic Traffic on a Mesh", {"call_size": "1KiB"}),
    ("wormhole_b0", "Synthetic Traffic on a Torus", {"call_size": "1KiB"}),
]


def _real_point(arch: str, test: str, parameters: dict[str, str]) -> Point:
    chosen = {"num_transactions": "8", "call_size": "2KiB"} | parameters
    if chosen["call_size"].endswith("KiB"):
        chosen["call_size"] = str(1024 * int(chosen["call_size"].removesuffix("KiB")))
    return Point(arch, "", test, tuple(chosen.items()))


def _events_of(point: Point, max_events: int = 1_000_000) -> tuple[PointTrace, TraceEvents]:
    trace = trace_point(point, max_records_for(max_events))
    return trace, trace_events(trace, max_events)


def _check_structure(names: list[dict[str, Any]], events: list[dict[str, Any]]) -> None:
    assert all(event["ph"] == "M" for event in names)
    processes = {event["pid"]: event["args"]["name"] for event in names if event["name"] == "process_name"}
    threads = {(event["pid"], event["tid"]) for event in names if event["name"] == "thread_name"}
    assert len(set(processes.values())) == len(processes)
    stamps = [event["ts"] for event in events]
    assert stamps == sorted(stamps)
    assert all(stamp >= 0 for stamp in stamps)

    open_slices: dict[tuple[int, str, str], list[str]] = defaultdict(list)
    open_until: dict[tuple[int, int], list[float]] = defaultdict(list)
    for event in events:
        assert event["pid"] in processes
        if event["ph"] in ("b", "e"):
            stack = open_slices[event["pid"], event["cat"], event["id"]]
            if event["ph"] == "b":
                stack.append(event["name"])
            else:
                assert stack.pop() == event["name"]
            assert len(stack) <= 2
        else:
            assert event["ph"] == "X"
            assert event["dur"] >= 0
            assert (event["pid"], event["tid"]) in threads
            # Slices of one track nest. Sums of decimal fractions may differ in their last digits.
            ends = open_until[event["pid"], event["tid"]]
            end = round(event["ts"] + event["dur"], 6)
            while ends and ends[-1] <= round(event["ts"], 6):
                ends.pop()
            assert not ends or end <= ends[-1]
            ends.append(end)
    assert not any(open_slices.values())


@pytest.mark.parametrize(("arch", "test", "parameters"), REAL_POINTS, ids=lambda value: str(value)[:40])
def test_structure(arch: str, test: str, parameters: dict[str, str]) -> None:
    trace, events = _events_of(_real_point(arch, test, parameters))
    _check_structure(list(events.names), list(events.events))
    assert events.left_out_from is None
    assert events.num_transactions == events.num_transactions_in_all == trace.num_transactions
    processes = {event["args"]["name"] for event in events.names if event["name"] == "process_name"}
    places = {(kernel["physical_x"], kernel["physical_y"]) for kernel in trace.kernels}
    places |= {transaction["from"] or (None, None) for transaction in trace.transactions}
    assert len(processes) == len(places)
    ids = [event["id"] for event in events.events if event["ph"] == "b" and "kind" in event.get("args", {})]
    assert len(ids) == len(set(ids)) == trace.num_transactions


@pytest.mark.parametrize(("arch", "test", "parameters"), REAL_POINTS, ids=lambda value: str(value)[:40])
def test_the_time_of_every_kernel_is_told_whole(arch: str, test: str, parameters: dict[str, str]) -> None:
    trace, events = _events_of(_real_point(arch, test, parameters))
    slices = [event for event in events.events if event["ph"] == "X"]
    for kernel in trace.kernels:
        _, begin, end = kernel["zones"][0]
        now = begin
        for _, stretch_begin, stretch_end in kernel["stretches"]:
            assert stretch_begin == now
            now = stretch_end
        assert now == end
    total = sum(event["dur"] for event in slices if event["cat"] == "time")
    assert total == pytest.approx(sum(kernel["zones"][0][2] - kernel["zones"][0][1] for kernel in trace.kernels))


def test_steps_on_a_mesh_of_three_planes() -> None:
    # Writes use the plane for external memory, and the eLink; a load is a request and a reply.
    writes = Point(
        "epiphany_iii",
        "",
        "External Memory Write Sizes",
        (("executor", "core"), ("state", "busy"), ("num_transactions", "1"), ("call_size", "256")),
    )
    _, events = _events_of(writes)
    begun = [event for event in events.events if event["ph"] == "b"]
    wholes = [event for event in begun if event["name"] == "posted write, xMesh"]
    assert len(wholes) == 16 * 256 // 8 == events.num_transactions
    assert {event["args"]["to"] for event in wholes} == {"eLink at (4, 1)"}
    assert {"on the mesh", "through the eLink", "waits for the mesh"} <= {event["name"] for event in begun}
    _, events = _events_of(
        Point(
            "epiphany_iii",
            "",
            "Remote Load Latency",
            (("source", "0,0"), ("target", "3,3"), ("num_transactions", "1"), ("call_size", "4")),
        )
    )
    assert [event["name"] for event in events.events if event["ph"] == "b"] == [
        "read, rMesh",
        "request on the mesh",
        "memory is read",
        "reply on the mesh",
    ]
    (read,) = [event for event in events.events if event["name"] == "read, rMesh" and event["ph"] == "b"]
    assert (read["args"]["request hops"], read["args"]["response hops"]) == (6, 6)


def test_runs_one_after_the_other_are_on_one_time_line() -> None:
    point = Point(
        "epiphany_iii",
        "",
        "Core to Core Write Sizes",
        (("executor", "dma"), ("state", "alone"), ("num_transactions", "1"), ("call_size", "64")),
    )
    trace, _ = _events_of(point)
    wholes = [kernel["zones"][0] for kernel in trace.kernels]
    assert len(wholes) == 16
    for (_, _, end), (_, begin, _) in itertools.pairwise(wholes):
        assert end <= begin


def test_the_host_is_a_process() -> None:
    point = Point(
        "epiphany_iii",
        "",
        "Host External Memory Transfers",
        (("direction", "write"), ("num_transactions", "3"), ("call_size", "64")),
    )
    trace, events = _events_of(point)
    assert [event["args"]["name"] for event in events.names if event["name"] == "process_name"] == ["the host"]
    wholes = [event for event in events.events if event["ph"] == "b" and event["name"] == "host write, host"]
    assert len(wholes) == 3
    assert trace.kernels[0]["zones"][1][2] == pytest.approx(trace.rows[0]["latency_cycles"])


def test_packets_of_a_network_without_kernels() -> None:
    point = _real_point("wormhole_b0", "Synthetic Traffic on a Mesh", {"call_size": "1KiB"})
    trace, events = _events_of(point)
    assert trace.kernels == []
    packets = [event for event in events.events if event["ph"] == "b" and event["name"] == "posted packet, mesh"]
    assert len(packets) == trace.num_transactions >= 64 * 8
    assert {event["args"]["bytes"] for event in packets} == {1024}


def test_a_multicast_shows_once() -> None:
    point = _real_point("wormhole_b0", "One to All Multicast 2x2 Packet Sizes without Loopback", {})
    _, events = _events_of(point)
    multicasts = [event for event in events.events if event["name"].startswith("multicast") and event["ph"] == "b"]
    assert len(multicasts) == 8
    for event in multicasts:
        assert event["args"]["receivers"] == 3
        assert event["args"]["bytes"] == 2048
        assert event["args"]["linked"] is False
    steps = [event["name"] for event in events.events if event["ph"] == "b" and event["id"] == multicasts[0]["id"]]
    assert "reserves its tree" in steps


def test_steps_of_a_write_and_a_read() -> None:
    point = _real_point("wormhole_b0", "DRAM Interleaved Packet Sizes", {"num_transactions": "1"})
    _, events = _events_of(point)
    steps: dict[str, list[str]] = {}
    for event in events.events:
        if event["ph"] == "b":
            steps.setdefault(event["id"], []).append(event["name"])
    assert sorted(steps.values()) == [
        ["read, NoC 1", "request on its way", "served", "response on its way", "data arrive"],
        ["write, NoC 0", "request on its way", "data arrive", "served", "response on its way"],
    ]
    (read,) = [event for event in events.events if event["name"].startswith("read") and event["ph"] == "b"]
    assert read["args"]["from"] == "core (0, 0) at (1, 1)"
    assert read["args"]["to"].startswith("DRAM at ")


def test_a_limit_keeps_what_begins_first() -> None:
    point = _real_point("wormhole_b0", "One to One Packet Sizes", {"num_transactions": "64"})
    _, everything = _events_of(point)
    for max_events in (1, 7, 100, 400):
        _, some = _events_of(point, max_events)
        _check_structure(list(some.names), list(some.events))
        assert 0 < len(some.events) <= max_events
        assert some.num_transactions_in_all == everything.num_transactions_in_all
        assert some.num_transactions < everything.num_transactions
        assert some.left_out_from is not None
        assert {json.dumps(event) for event in some.events} <= {json.dumps(event) for event in everything.events}


class TestCommand:
    def test_file(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("trace", *ONE_POINT, "-o", tmp_path / "trace.json")
        assert completed.status == 0
        assert completed.out == ""
        document = json.loads((tmp_path / "trace.json").read_text())
        assert document["otherData"] == {
            "time unit": "1 microsecond is 1 cycle",
            "arch": "wormhole_b0",
            "board": "n150",
            "test": "One to One Packet Sizes",
            "num_transactions": "4",
            "call_size": "128",
        }
        events = document["traceEvents"]
        names = [event for event in events if event["ph"] == "M"]
        _check_structure(names, events[len(names) :])
        assert completed.err == (
            "running One to One Packet Sizes on wormhole_b0, num_transactions=4, call_size=128\n"
            f"wrote {len(events) - len(names)} events to {tmp_path / 'trace.json'}, with 4 of 4 transactions; "
            "1 microsecond is 1 cycle\n"
        )

    def test_compressed_and_standard_output(self, run_here: CommandLine, tmp_path: Path) -> None:
        run_here("trace", *ONE_POINT, "-o", tmp_path / "trace.json")
        run_here("trace", *ONE_POINT, "-o", tmp_path / "trace.json.gz")
        run_here("trace", *ONE_POINT, "-o", tmp_path / "other.json.gz")
        text = (tmp_path / "trace.json").read_text()
        assert gzip.decompress((tmp_path / "trace.json.gz").read_bytes()).decode() == text
        assert (tmp_path / "trace.json.gz").read_bytes() == (tmp_path / "other.json.gz").read_bytes()
        assert run_here("trace", *ONE_POINT, "-o", "-").out == text

    def test_limit(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("trace", *ONE_POINT, "--max-events", "20", "-o", tmp_path / "trace.json")
        assert completed.status == 0
        lines = completed.err.splitlines()
        assert "1 of 4 transactions" in lines[-2]
        assert lines[-1] == "left out what begins after cycle 120: more than 20 events; --max-events allows more"

    def test_wrong_data(self, run_here: CommandLine, tmp_path: Path) -> None:
        completed = run_here("trace", *ONE_POINT, "-a", "fault=wrong_data", "-o", tmp_path / "trace.json")
        assert completed.status == 1
        assert completed.err.endswith(f"wrong data: {WRONG_BYTE}\n")

    @pytest.mark.parametrize(
        ("arguments", "status", "message"),
        [
            ([], 2, "Error: Missing argument 'TEST|FILE'."),
            (["One*", "--arch", "blackhole"], 2, "error: 'One*': expected one test, found 2 "),
            (["4", "--arch", "blackhole"], 2, "error: 'One to One Packet Sizes' on blackhole: expected one point, "),
            (["x*", "--arch", "blackhole"], 3, "error: no test matches 'x*'; 'nocbench list' names them all"),
            (
                [*ONE_POINT, "-o", "trace.pftrace"],
                2,
                "error: trace.pftrace: the name of a trace ends in .json or .json.gz",
            ),
            (
                [*ONE_POINT, "-o", "/no/such/trace.json"],
                2,
                "error: /no/such/trace.json: there is no directory /no/such",
            ),
            (
                [*ONE_POINT, "--max-events", "0"],
                2,
                "Error: Invalid value for '--max-events': 0 is not in the range x>=1.",
            ),
            ([*ONE_POINT, "-a", "fault=refuse"], 2, "error: a barrier that can never be met"),
        ],
    )
    def test_bad_input(
        self,
        run_here: CommandLine,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        arguments: list[str],
        status: int,
        message: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        completed = run_here("trace", *arguments)
        assert completed.status == status
        assert completed.out == ""
        assert completed.err.splitlines()[-1].startswith(message)
        assert list(tmp_path.iterdir()) == []
