"""Conversion of traces to tables of flows: each event becomes a call of one RISC, with the recorded order and time."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from enum import Enum
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from nocbench.compiling.request import ARCHITECTURES
from nocbench.flow_tables.cells import BANK, DRAM_TILE, Partner
from nocbench.flow_tables.flow_table import Flow, FlowTable
from nocbench.flow_tables.places import Places, may_be_of, with_live_tiles
from nocbench.programs.execution import Machine
from nocbench.replaying.event_types import SEMAPHORE_INC, SEMAPHORE_WAIT
from nocbench.replaying.trace_file import RISCS
from nocbench.support.errors import InputError, Mistakes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from nocbench.flow_tables.flow_table import Core
    from nocbench.replaying.trace_file import Event, Place, Trace

_SIGNAL_BYTES = 4
_NO_PARTNER = Partner("none")


class Pace(Enum):
    """Times of calls: the recorded ones at the earliest, or as early as dependencies allow."""

    RECORDED = "recorded"
    DEPENDENCIES = "dependencies"


class Converted(NamedTuple):
    """A trace, converted to flows.

    Attributes:
        table: table with a flow per event.
        events: events by flow.
    """

    table: FlowTable
    events: Sequence[Event]


def chip_of(trace: Trace) -> str:
    """Returns the architecture of the recording card, found by the coordinates of cores in the trace.

    Raises:
        InputError: no architecture has cores at all of these coordinates.
    """
    cores = {event.core for event in trace.events}
    for arch in ARCHITECTURES:
        if may_be_of(arch, cores):
            return arch
    raise InputError(
        f"{trace.path}: expected cores of {' or '.join(ARCHITECTURES)}, found some, such as {max(cores)}, that "
        "neither has"
    )


def flow_table_of(trace: Trace, machine: Machine, pace: Pace, recorded_on: str = "") -> tuple[Converted, Machine]:
    """Returns the flows of a trace, and the machine, which has harvested other rows if the trace needs them.

    Args:
        trace: trace to convert.
        machine: machine of the replay. If it has another chip than the trace, cores keep their logical coordinates.
        pace: time of calls.
        recorded_on: architecture of the card; if empty, found by the coordinates of cores.

    Raises:
        InputError: tiles that the machine does not have, or inconsistent events; the message lists all.
    """
    used = {place for event in trace.events for place in _places_of(event)}
    recorded_on = recorded_on or chip_of(trace)
    if recorded_on == machine.arch:
        machine = with_live_tiles(machine, used)
        places = Places(machine)
    else:
        places = Places(with_live_tiles(Machine(recorded_on), used), machine)
    conversion = _Conversion(trace, places, machine.memories().packet_bytes, pace)
    flows = conversion.flows()
    table = FlowTable(trace.path, list(RISCS), flows, [event.number for event in conversion.events])
    return Converted(table, conversion.events), machine


def _places_of(event: Event) -> Iterator[Place]:
    yield event.core
    if event.partner is not None:
        yield event.partner
    yield from event.rectangle or ()


def _sizes(events: Sequence[Event]) -> dict[int, int]:
    """Returns the bytes of each call of a processor, by number of the event; 0: unknown.

    A call that sets a state without a size gets the size of the first call that uses the state.
    """
    sizes = {}
    states: dict[str, Event] = {}
    for event in events:
        sizes[event.number] = event.num_bytes
        if event.meaning.sets_state:
            states[event.meaning.sets_state] = event
        elif event.meaning.uses_state in states:
            state = states[event.meaning.uses_state]
            sizes[state.number] = sizes[state.number] or event.num_bytes
            sizes[event.number] = event.num_bytes or sizes[state.number]
    return sizes


class _Processor:
    """State of a processor between two events."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.sizes = _sizes(events)
        self.before: Event | None = None
        self.states: dict[str, Event] = {}  # by "read" or "write"
        # By "read" or "write": transaction ids with their packets, the oldest first.
        self.packets: dict[str, list[tuple[int | None, int]]] = defaultdict(list)


class _Conversion:
    def __init__(self, trace: Trace, places: Places, packet_bytes: int, pace: Pace) -> None:
        self._trace = trace
        self._places = places
        self._packet_bytes = packet_bytes
        self._pace = pace
        self.events: list[Event] = []
        by_processor: dict[tuple[Place, int], list[Event]] = defaultdict(list)
        for event in trace.events:
            by_processor[event.core, event.riscv].append(event)
        self._by_processor = by_processor
        self._least_spacing = min(
            (
                later.timestamp - earlier.timestamp
                for events in by_processor.values()
                for earlier, later in pairwise(events)
                if later.timestamp > earlier.timestamp
            ),
            default=0,
        )
        waiting = {event.core for event in trace.events if event.type == SEMAPHORE_WAIT}
        self._signals = self._signals_to(waiting)
        self._pages: dict[tuple[Partner, int], dict[int, int]] = defaultdict(dict)
        self._signalling = {number for times in self._signals.values() for _, number in times}

    def _signals_to(self, waiting: set[Place]) -> Mapping[Place, Sequence[tuple[int, int]]]:
        """Returns time and number of all events that may end a wait, by waiting core, in the order of time."""
        signals: dict[Place, list[tuple[int, int]]] = defaultdict(list)
        for event in self._trace.events:
            if event.type != SEMAPHORE_INC and not (event.meaning.has_partner and event.num_bytes <= _SIGNAL_BYTES):
                continue
            if event.meaning.kind in ("read", "set_read_state", "set_write_state"):
                continue
            if event.rectangle is None:
                receivers = [event.partner] if event.partner in waiting else []
            else:
                receivers = [core for core in waiting if core != event.core and _contains(event.rectangle, core)]
            for core in receivers:
                signals[core].append((event.timestamp, event.number))
        return {core: sorted(of_core) for core, of_core in signals.items()}

    def flows(self) -> list[Flow]:
        mistakes = Mistakes()
        flows = []
        for events in self._by_processor.values():
            processor = _Processor(events)
            for event, following in zip_longest(events, events[1:]):
                try:
                    flows.append(self._flow(event, following, processor))
                    self.events.append(event)
                except InputError as error:
                    mistakes.note(f"{self._trace.path}: event {event.number}: {error}")
                processor.before = event
        mistakes.complain()
        return flows

    def _flow(self, event: Event, following: Event | None, processor: _Processor) -> Flow:
        meaning = event.meaning
        source = event
        num_bytes = processor.sizes[event.number]
        if meaning.uses_state:
            state = processor.states.get(meaning.uses_state)
            if state is None:
                raise InputError(f"type: expected an event that sets the state before {event.type}, found none")
            source = state
            if num_bytes == 0:
                raise InputError(
                    f"num_bytes: expected the bytes of the call here or in event {state.number}, which sets the state,"
                    " found 0 in both"
                )
        if meaning.sets_state:
            num_bytes = num_bytes or _SIGNAL_BYTES  # a state that no call uses
            processor.states[meaning.sets_state] = event
        if meaning.ends and (processor.before is None or processor.before.type != meaning.ends):
            raise InputError(f"type: expected {meaning.ends} right before {event.type}, found none")
        kind = meaning.kind
        is_signal = event.number in self._signalling
        if is_signal:
            kind = "increment"  # increments can be counted by waits
        elif kind == "write" and source.is_posted and source.rectangle is None:
            kind = "posted_write"
        partner = self._partner(source) if meaning.has_partner or meaning.uses_state else _NO_PARTNER
        operand, kind = self._operand(event, following, processor, kind)
        self._count_packets(event, num_bytes, processor, kind)
        origin, start = self._start(event, processor.before)
        return Flow(
            group=event.riscv,
            kind=kind,
            core=self._core(event.core),
            partner=partner.kind,
            cores=partner.cores,
            bank=partner.bank,
            noc=event.noc,
            virtual_channel=None if is_signal else event.virtual_channel,
            call_bytes=0 if kind in ("increment", "note") else num_bytes,
            num_calls=1,
            window=0,
            barrier_interval=None,
            after=None,
            start_cycles=start,
            call_interval_cycles=0.0,
            origin=origin,
            riscv=event.riscv,
            stateful=bool(meaning.uses_state)
            and num_bytes == processor.sizes[source.number] <= self._packet_bytes
            and not is_signal,
            operand=operand,
            computes_addresses=False,
            page=self._page(partner, num_bytes, event.address),
        )

    def _core(self, place: Place) -> Core:
        try:
            return self._places.core(place)
        except InputError as error:
            raise InputError(f"sx, sy: {error}") from None

    def _partner(self, event: Event) -> Partner:
        try:
            if event.rectangle is not None:
                return self._places.rectangle(*event.rectangle)
            assert event.partner is not None
            return self._places.partner(event.partner)
        except InputError as error:
            raise InputError(f"dx, dy: {error}") from None

    def _page(self, partner: Partner, num_bytes: int, address: int | None) -> int | None:
        """Returns the DRAM page that replaces an address; equal addresses have equal pages."""
        if address is None or partner.kind not in (BANK, DRAM_TILE):
            return None
        pages = self._pages[partner, num_bytes]
        return pages.setdefault(address, len(pages))

    def _operand(self, event: Event, following: Event | None, processor: _Processor, kind: str) -> tuple[int, str]:
        """Returns operand and kind of a call; waits without signals become notes."""
        if kind == "wait":
            until = event.timestamp if following is None else following.timestamp
            signals = bisect_left(self._signals.get(event.core, ()), (until, 0))
            return signals, kind if signals else "note"
        if kind in ("limit_reads", "limit_writes"):
            groups = processor.packets["read" if kind == "limit_reads" else "write"]
            awaited = event.transaction_id
            positions = [n for n, (number, _) in enumerate(groups) if awaited is None or number == awaited]
            if positions:
                # Packets return roughly in the order of sending. With an id, the barrier waits for the last packet of
                # the id; without one, for the oldest packet.
                del groups[: (positions[0] if awaited is None else positions[-1]) + 1]
            return sum(packets for _, packets in groups), kind
        if kind == "set_write_state":
            return int(event.is_posted), kind
        return 0, kind

    def _count_packets(self, event: Event, num_bytes: int, processor: _Processor, kind: str) -> None:
        """Counts packets by transaction id, for barriers that wait for a single id."""
        direction = "read" if event.type.startswith("READ") else "write"
        groups = processor.packets[direction]
        if event.meaning.starts_id == direction:
            groups.append((event.transaction_id, 0))
        if kind in ("read", "write"):
            packets = -(-num_bytes // self._packet_bytes)
            number, before = groups.pop() if groups else (None, 0)
            groups.append((number, before + packets))
        if kind == "full_barrier":
            processor.packets.clear()
        elif kind in ("read_barrier", "write_barrier"):
            groups.clear()

    def _start(self, event: Event, before: Event | None) -> tuple[str, float]:
        """Returns origin and time of a call's start."""
        since_beginning = "run", float(event.timestamp - self._trace.first)
        if event.meaning.ends:
            return "previous_end", 0.0
        if before is None or self._pace == Pace.RECORDED:
            return since_beginning
        spacing = event.timestamp - before.timestamp
        if before.meaning.blocks:  # the duration of the call itself is not recorded
            return "previous_end", float(min(spacing, self._least_spacing))
        return "previous_begin", float(spacing)


def _contains(rectangle: tuple[Place, Place], place: Place) -> bool:
    (x, y), (other_x, other_y) = rectangle
    return min(x, other_x) <= place[0] <= max(x, other_x) and min(y, other_y) <= place[1] <= max(y, other_y)
