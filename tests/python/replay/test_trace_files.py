"""NoC event traces: every type of event, and error messages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from nocbench.architectures.memories import memories_of
from nocbench.programs.execution import Machine
from nocbench.replaying.conversion import Pace, flow_table_of
from nocbench.replaying.event_types import EVENT_TYPES
from nocbench.replaying.execution import machine_of, replay
from nocbench.replaying.trace_file import Trace, read_traces
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.flow_tables.flow_table import Flow

HERE = {"proc": "BRISC", "sx": 1, "sy": 1, "noc": "NOC_0", "vc": -1}
THERE = {"dx": 4, "dy": 5}
NOWHERE = {"dx": -1, "dy": -1, "num_bytes": 0}
READ = {**HERE, **THERE, "type": "READ", "num_bytes": 2048}
RECTANGLE = {"mcast_start_x": 1, "mcast_start_y": 1, "mcast_end_x": 4, "mcast_end_y": 4}


def event(kind: str, at: int, **fields: object) -> dict[str, Any]:
    meaning = EVENT_TYPES[kind]
    place = THERE if meaning.has_partner else NOWHERE
    size = {"num_bytes": 2048} if meaning.has_size else {}
    return {**HERE, **place, **size, "type": kind, "timestamp": at, **fields}


def write(path: Path, *records: object) -> Path:
    path.write_text("[\n" + ",\n".join(json.dumps(record) for record in records) + "\n]\n")
    return path


def read(path: Path, *records: object) -> Trace:
    [trace] = read_traces(write(path, *records))
    return trace


def flows_of(trace: Trace, pace: Pace = Pace.RECORDED) -> list[Flow]:
    return list(flow_table_of(trace, Machine("wormhole_b0"), pace)[0].table.flows)


def all_events() -> list[dict[str, Any]]:
    """Returns an event of each type, in a sensible order."""
    names = [
        *("READ", "READ_BARRIER_START", "READ_BARRIER_END"),
        *("READ_SET_STATE", "READ_WITH_STATE", "READ_WITH_STATE"),
        *("READ_SET_TRID", "READ_WITH_STATE_AND_TRID", "READ_SET_TRID", "READ_WITH_STATE_AND_TRID"),
        *("READ_BARRIER_WITH_TRID", "READ_BARRIER_WITH_TRID"),
        *("READ_DRAM_SHARDED_SET_STATE", "READ_DRAM_SHARDED_WITH_STATE"),
        *("WRITE_", "WRITE_WITH_TRID", "WRITE_BARRIER_WITH_TRID", "WRITE_INLINE", "WRITE_MULTICAST", "WRITE_FLUSH"),
        *("WRITE_SET_STATE", "WRITE_WITH_STATE", "WRITE_WITH_TRID_SET_STATE", "WRITE_WITH_TRID_WITH_STATE"),
        *("WRITE_BARRIER_START", "WRITE_BARRIER_END"),
        *("SEMAPHORE_SET", "SEMAPHORE_INC", "ATOMIC_BARRIER", "SEMAPHORE_WAIT", "FULL_BARRIER"),
    ]
    assert set(names) == set(EVENT_TYPES)
    return [
        event(name, 1000 + 200 * number, **(RECTANGLE if name == "WRITE_MULTICAST" else {}))
        for number, name in enumerate(names)
    ]


@pytest.mark.parametrize("pace", list(Pace))
@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
def test_every_type_of_event_is_replayed(tmp_path: Path, arch: str, pace: Pace) -> None:
    trace = read(tmp_path / "trace.json", *all_events())
    result = replay(trace, machine_of(trace, arch, "", ()), pace)
    assert result.run.fault == ""
    assert len(result.events) == len(all_events())
    assert trace.recorded_cycles == 200 * (len(all_events()) - 1)
    assert result.predicted_cycles == pytest.approx(trace.recorded_cycles, rel=0.5)


def test_posted_writes_and_virtual_channels(tmp_path: Path) -> None:
    [posted, channel] = flows_of(
        read(tmp_path / "t.json", event("WRITE_", 10, posted=True), event("WRITE_", 20, vc=3, posted=False))
    )
    assert (posted.kind, posted.virtual_channel) == ("posted_write", None)
    assert (channel.kind, channel.virtual_channel) == ("write", 3)


def test_calls_take_size_and_partner_from_the_state(tmp_path: Path) -> None:
    [_, call] = flows_of(
        read(tmp_path / "t.json", event("READ_SET_STATE", 10, num_bytes=512), event("READ_WITH_STATE", 20, dx=9, dy=9))
    )
    assert (call.kind, call.call_bytes, call.cores, call.stateful) == ("read", 512, ((3, 3), (3, 3)), True)


STATES = [(kind, kind.replace("SET", "WITH")) for kind in EVENT_TYPES if kind.endswith("SET_STATE")]


@pytest.mark.parametrize(("setting", "call"), STATES)
@pytest.mark.parametrize("nothing", [0, None])
def test_a_call_has_the_size_if_what_sets_its_state_has_none(
    tmp_path: Path, setting: str, call: str, nothing: int | None
) -> None:
    """Some kernels of the vendor pass the size with each call."""
    first = event(setting, 0)
    if nothing is None:
        del first["num_bytes"]
    else:
        first["num_bytes"] = nothing
    sizes = [512, 512, 64]
    records = [first, *(event(call, 10 * at, num_bytes=size) for at, size in enumerate(sizes, start=1))]
    trace = read(tmp_path / "t.json", *records)
    state, *calls = flows_of(trace)
    assert state.call_bytes == 512
    assert [flow.call_bytes for flow in calls] == sizes
    assert [flow.stateful for flow in calls] == [True, True, False]
    for pace in Pace:
        result = replay(trace, machine_of(trace, "", "", ()), pace)
        assert result.run.fault == ""
        assert len(result.events) == len(records)


@pytest.mark.parametrize(("setting", "call"), STATES)
def test_a_state_without_calls_or_size(tmp_path: Path, setting: str, call: str) -> None:
    trace = read(tmp_path / "t.json", event(setting, 0, num_bytes=0), event(setting, 10), event(call, 20))
    assert [flow.call_bytes for flow in flows_of(trace)][1:] == [2048, 2048]
    assert replay(trace, machine_of(trace, "", "", ()), Pace.RECORDED).run.fault == ""


@pytest.mark.parametrize(("setting", "call"), STATES)
def test_a_call_whose_size_is_nowhere(tmp_path: Path, setting: str, call: str) -> None:
    trace = read(tmp_path / "t.json", event(setting, 0, num_bytes=0), event(call, 10, num_bytes=0))
    complaint = "event 2: num_bytes: expected the bytes of the call here or in event 1, which sets the state, found 0"
    with pytest.raises(InputError, match=complaint):
        flows_of(trace)


def test_a_barrier_waits_for_the_oldest_transaction_id(tmp_path: Path) -> None:
    records = [
        event("READ_SET_STATE", 0),
        event("READ_SET_TRID", 1),
        event("READ_WITH_STATE_AND_TRID", 2),
        event("READ_SET_TRID", 3),
        event("READ_WITH_STATE_AND_TRID", 4),
        event("READ_WITH_STATE_AND_TRID", 5),
        event("READ_BARRIER_WITH_TRID", 6),
        event("READ_BARRIER_WITH_TRID", 7),
    ]
    flows = flows_of(read(tmp_path / "t.json", *records))
    assert [flow.operand for flow in flows if flow.kind == "limit_reads"] == [2, 0]


def test_a_barrier_with_an_id_waits_for_all_its_packets(tmp_path: Path) -> None:
    records = [*(event("WRITE_WITH_TRID", at, trid=1) for at in (1, 2, 3)), event("WRITE_BARRIER_WITH_TRID", 4, trid=1)]
    assert [flow.operand for flow in flows_of(read(tmp_path / "t.json", *records))][-1] == 0


def test_a_full_barrier_waits_for_reads_and_writes(tmp_path: Path) -> None:
    records = [
        event("READ_SET_STATE", 0),
        event("READ_SET_TRID", 1),
        event("READ_WITH_STATE_AND_TRID", 2),
        event("FULL_BARRIER", 3),
        event("READ_SET_TRID", 4),
        event("READ_WITH_STATE_AND_TRID", 5),
        event("READ_BARRIER_WITH_TRID", 6),
    ]
    assert [flow.operand for flow in flows_of(read(tmp_path / "t.json", *records))][-1] == 0


def test_the_card_that_is_named_is_the_machine(tmp_path: Path) -> None:
    trace = read(tmp_path / "t.json", event("READ", 0))
    assert machine_of(trace, "", "", (), recorded_on="blackhole").arch == "blackhole"
    assert machine_of(trace, "", "", ()).arch == "wormhole_b0"


def test_a_wait_ends_with_the_signals_that_ended_it(tmp_path: Path) -> None:
    waiter = {"sx": 4, "sy": 5, "proc": "NCRISC", "noc": "NOC_1"}
    records = [
        event("SEMAPHORE_INC", 100),
        event("WRITE_", 5000),
        event("SEMAPHORE_INC", 9000),
        event("SEMAPHORE_WAIT", 50, **waiter),
        event("SEMAPHORE_WAIT", 400, **waiter),
        event("READ", 9500, **waiter, dx=1, dy=1),
    ]
    trace = read(tmp_path / "t.json", *records)
    flows = flows_of(trace, Pace.DEPENDENCIES)
    assert [flow.operand for flow in flows if flow.kind == "wait"] == [1, 2]
    result = replay(trace, machine_of(trace, "", "", ()), Pace.DEPENDENCIES)
    assert result.run.fault == ""
    begins = {one.number: begin for one, (begin, _) in zip(result.events, result.run.flow_times, strict=True)}
    assert begins[6] > begins[3] > 8900


def test_operations_of_a_file_are_apart(tmp_path: Path) -> None:
    records = [{**READ, "timestamp": at, "run_host_id": run, "op_name": "Copy"} for run, at in ((1, 5), (2, 900))]
    assert [trace.operation for trace in read_traces(write(tmp_path / "t.json", *records))] == ["Copy 1", "Copy 2"]


def test_the_grid_tells_the_chip(tmp_path: Path) -> None:
    trace = read(tmp_path / "t.json", {**READ, "timestamp": 1})
    assert machine_of(trace, "", "", ()) == Machine("wormhole_b0")
    wide = read(tmp_path / "t.json", {**READ, "timestamp": 1, "sx": 11, "sy": 2})
    assert machine_of(wide, "", "", ()) == Machine("blackhole")
    with pytest.raises(InputError, match=r"event 1: sx, sy: expected a tile from \(0, 0\) to \(9, 11\) of n150"):
        flow_table_of(wide, Machine("wormhole_b0"), Pace.RECORDED, "wormhole_b0")
    nowhere = read(tmp_path / "t.json", {**READ, "timestamp": 1, "sx": 0, "sy": 0})
    with pytest.raises(InputError, match=r"expected cores of wormhole_b0 or blackhole, found some, such as \(0, 0\)"):
        machine_of(nowhere, "", "", ())


def test_on_another_chip_cores_and_banks_keep_their_numbers(tmp_path: Path) -> None:
    trace = read(tmp_path / "t.json", {**READ, "timestamp": 1}, {**READ, "timestamp": 9, "dx": 5, "dy": 0})
    converted, _ = flow_table_of(trace, Machine("blackhole"), Pace.RECORDED)
    of_core, of_bank = converted.table.flows
    assert (of_core.core, of_core.cores) == ((0, 0), ((3, 3), (3, 3)))
    bank = memories_of("wormhole_b0").bank_of_tile[5, 0]
    assert (of_bank.partner, of_bank.bank) == ("bank", bank % memories_of("blackhole").dram_banks)
    far = read(tmp_path / "t.json", {**READ, "timestamp": 1, "sx": 16, "sy": 11})
    with pytest.raises(InputError, match=r"event 1: sx, sy: expected a core from \(0, 0\) to \(7, 7\) of n150, found"):
        flow_table_of(far, Machine("wormhole_b0"), Pace.RECORDED)


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"type": "REED"}, "type: expected the type of an event, found 'REED'; did you mean 'READ'"),
        ({"type": None}, "type: expected the type of an event, found nothing"),
        ({"type": []}, "type: expected the type of an event, found "),
        ({"proc": {}}, "proc: expected BRISC or NCRISC, found {}"),
        ({"noc": []}, "noc: expected NOC_0 or NOC_1, found "),
        ({"run_host_id": [1]}, "run_host_id: expected a number, found a list"),
        ({"type": "FABRIC_UNICAST_WRITE"}, "type: expected an event of one chip, found 'FABRIC_UNICAST_WRITE'"),
        ({"proc": "TRISC_0"}, "proc: expected BRISC or NCRISC, found 'TRISC_0'"),
        ({"noc": 0}, "noc: expected NOC_0 or NOC_1, found 0"),
        ({"num_bytes": 0}, "num_bytes: expected a whole number from 1 on, found 0"),
        ({"num_bytes": None}, "num_bytes: expected a whole number from 1 on, found nothing"),
        ({"dx": -1}, "dx: expected a whole number from 0 on, found -1"),
        ({"sx": "1"}, "sx: expected a whole number from 0 on, found '1'"),
        ({"timestamp": 1.5}, r"timestamp: expected a whole number from 0 on, found 1\.5"),
        ({"timestamp": 4}, "timestamp: expected at least 5, that of event 1 of the same processor, found 4"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_event(tmp_path: Path, record: dict[str, Any], complaint: str) -> None:
    path = tmp_path / "t.json"
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}:3: event 2: {complaint}"):
        read(path, {**READ, "timestamp": 5}, {**READ, "timestamp": 9, **record})


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (("READ_BARRIER_END",), "event 1: type: expected READ_BARRIER_START right before READ_BARRIER_END, found none"),
        (("READ_WITH_STATE",), "event 1: type: expected an event that sets the state before READ_WITH_STATE"),
        (("READ_SET_STATE", "WRITE_WITH_STATE"), "event 2: type: expected an event that sets the state before"),
    ],
)
def test_events_that_make_no_sense_together(tmp_path: Path, names: tuple[str, ...], complaint: str) -> None:
    trace = read(tmp_path / "t.json", *(event(name, at) for at, name in enumerate(names)))
    with pytest.raises(InputError, match=complaint):
        flows_of(trace)


def test_tiles_that_take_no_data(tmp_path: Path) -> None:
    trace = read(tmp_path / "t.json", {**READ, "timestamp": 1, "dx": 9, "dy": 0})
    with pytest.raises(InputError, match=r"event 1: dx, dy: expected a core or DRAM of n150, found Ethernet"):
        flows_of(trace)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[{"proc": "BRISC"', r"t\.json:1:18: expected a trace as JSON, found a mistake in it, or its end"),
        ("{}", r"t\.json:1: expected a trace, which is a JSON array of events, found an object"),
        ("[]", "expected events of BRISC or NCRISC, found none"),
        ("[3]", "1: event 1: expected an object, found 3"),
    ],
)
def test_files_that_are_no_trace(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_traces(path)


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_traces(tmp_path / "none.json")
