"""The types of events in a trace, named after the recorded calls."""

from __future__ import annotations

from typing import NamedTuple

SEMAPHORE_WAIT = "SEMAPHORE_WAIT"
SEMAPHORE_INC = "SEMAPHORE_INC"
ZONE = "zone"


class EventType(NamedTuple):
    """Meaning of a type of event.

    Attributes:
        kind: kind of the flow that the event becomes: see kernels/frame/flows/flow_table.h. For writes, the kind of
            acknowledged ones.
        has_partner: True if the event names the partner.
        has_size: True if the event has a number of bytes.
        uses_state: "read" or "write" if an earlier event has set partner and number of bytes, else empty. A number of
            bytes in the event takes precedence.
        sets_state: "read" or "write" if the event sets these values, else empty.
        starts_id: "read" or "write" if later reads or writes have another transaction id, else empty.
        ends: for the end of a wait, the type of event at the beginning of the wait.
        blocks: True for a blocking call.
    """

    kind: str
    has_partner: bool = False
    has_size: bool = False
    uses_state: str = ""
    sets_state: str = ""
    starts_id: str = ""
    ends: str = ""
    blocks: bool = False


EVENT_TYPES = {
    "READ": EventType("read", has_partner=True, has_size=True),
    "READ_SET_STATE": EventType("set_read_state", has_partner=True, has_size=True, sets_state="read"),
    "READ_WITH_STATE": EventType("read", uses_state="read"),
    "READ_SET_TRID": EventType("note", starts_id="read"),
    "READ_WITH_STATE_AND_TRID": EventType("read", uses_state="read"),
    "READ_DRAM_SHARDED_SET_STATE": EventType("set_read_state", has_partner=True, has_size=True, sets_state="read"),
    "READ_DRAM_SHARDED_WITH_STATE": EventType("read", uses_state="read"),
    "READ_BARRIER_START": EventType("read_barrier", blocks=True),
    "READ_BARRIER_END": EventType("note", ends="READ_BARRIER_START"),
    "READ_BARRIER_WITH_TRID": EventType("limit_reads", blocks=True),
    "WRITE_": EventType("write", has_partner=True, has_size=True),
    "WRITE_WITH_TRID": EventType("write", has_partner=True, has_size=True, starts_id="write"),
    "WRITE_INLINE": EventType("inline_write", has_partner=True),
    "WRITE_MULTICAST": EventType("write", has_partner=True, has_size=True),
    "WRITE_SET_STATE": EventType("set_write_state", has_partner=True, has_size=True, sets_state="write"),
    "WRITE_WITH_STATE": EventType("write", uses_state="write"),
    "WRITE_WITH_TRID_SET_STATE": EventType("set_write_state", has_partner=True, has_size=True, sets_state="write"),
    "WRITE_WITH_TRID_WITH_STATE": EventType("write", uses_state="write", starts_id="write"),
    "WRITE_BARRIER_START": EventType("write_barrier", blocks=True),
    "WRITE_BARRIER_END": EventType("note", ends="WRITE_BARRIER_START"),
    "WRITE_BARRIER_WITH_TRID": EventType("limit_writes", blocks=True),
    "WRITE_FLUSH": EventType("flush", blocks=True),
    "FULL_BARRIER": EventType("full_barrier", blocks=True),
    "ATOMIC_BARRIER": EventType("atomic_barrier", blocks=True),
    "SEMAPHORE_INC": EventType("increment", has_partner=True),
    "SEMAPHORE_WAIT": EventType("wait", blocks=True),
    "SEMAPHORE_SET": EventType("store"),
}
