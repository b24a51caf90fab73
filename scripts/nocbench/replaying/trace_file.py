"""Reading of NoC event traces: JSON arrays of events, in which those of each processor are in the order of time."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.replaying.event_types import EVENT_TYPES, ZONE, EventType
from nocbench.support.errors import InputError, Mistakes, did_you_mean
from nocbench.support.input_files import parse_json, read_text, require_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Place = tuple[int, int]

RISCS = {"BRISC": 0, "NCRISC": 1}
"""Processors that move data, by name in traces."""

_NOCS = {"NOC_0": 0, "NOC_1": 1}
_MULTICAST = ("mcast_start_x", "mcast_start_y", "mcast_end_x", "mcast_end_y")
_WORD_BYTES = 4
_MOST_SPACE = 1000
_MOST = 2**63


class Event(NamedTuple):
    """A recorded call.

    Attributes:
        number: number in the file, from 1.
        core: physical coordinate of the tile.
        riscv: 0 or 1.
        type: name from :data:`EVENT_TYPES`.
        timestamp: time in cycles.
        noc: 0 or 1.
        virtual_channel: virtual channel; None if not given.
        num_bytes: bytes moved; 0 if the event that sets or uses the state gives the number.
        partner: physical coordinate of the partner; None for no or several partners.
        rectangle: two opposite corners of the receivers of a multicast; None for other calls.
        is_posted: True for a write without acknowledgement.
        transaction_id: transaction id; None if not given.
        address: address at the partner; None if not given.
    """

    number: int
    core: Place
    riscv: int
    type: str
    timestamp: int
    noc: int
    virtual_channel: int | None
    num_bytes: int
    partner: Place | None
    rectangle: tuple[Place, Place] | None
    is_posted: bool
    transaction_id: int | None
    address: int | None

    @property
    def meaning(self) -> EventType:
        """Meaning of the event's type."""
        return EVENT_TYPES[self.type]


class Trace(NamedTuple):
    """The events of an operation.

    Attributes:
        path: path of the file.
        operation: name and number of the operation in the file; empty if the file has only one.
        events: events in the order of the file.
        first: earliest timestamp of all records.
        last: latest timestamp of all records.
    """

    path: Path
    operation: str
    events: list[Event]
    first: int
    last: int

    @property
    def recorded_cycles(self) -> int:
        """Cycles from the first to the last record."""
        return self.last - self.first


class _FieldError(ValueError):
    """Invalid field; the message has the expected and the found value."""


def is_trace_file(path: Path) -> bool:
    """Returns True for a JSON file that contains an array, like a trace."""
    if path.suffix.lower() != ".json":
        return False
    try:
        require_file(path)
        with path.open(encoding="utf-8-sig") as file:
            return file.read(_MOST_SPACE).lstrip().startswith("[")
    except (OSError, UnicodeDecodeError, InputError):
        return False


def trace_files(paths: Iterable[Path]) -> list[Path]:
    """Returns the given files of traces, and those in given folders. Raises InputError for a folder without any."""
    files = []
    for path in paths:
        if path.is_dir():
            found = sorted(path.glob("*.json"))
            if not found:
                raise InputError(f"{path}: expected traces, which end in .json, found none in this folder")
            files += found
        else:
            files.append(path)
    return files


def read_traces(path: Path) -> list[Trace]:
    """Returns the operations in a file.

    Raises:
        InputError: no such file, or mistakes in it; the message lists all, with lines.
    """
    text = read_text(path, "a trace as JSON")
    records = parse_json(text, path, "a trace")
    if not isinstance(records, list):
        raise InputError(f"{path}:1: expected a trace, which is a JSON array of events, found {_kind(records)}")
    events: dict[Any, list[Event]] = {}
    times: dict[Any, list[int]] = {}
    names: dict[Any, str] = {}
    wrong: dict[int, str] = {}
    last_of: dict[tuple[Any, Place, int], Event] = {}
    for number, record in enumerate(records, start=1):
        try:
            run = record.get("run_host_id") if isinstance(record, dict) else None
            event = _event(record, number)
            times.setdefault(run, []).append(_number(record, "timestamp", 0))
            names.setdefault(run, str(record.get("op_name", "")))
        except _FieldError as error:
            wrong[number] = str(error)
            continue
        if event is not None:
            events.setdefault(run, []).append(event)
            before = last_of.get((run, event.core, event.riscv))
            if before is not None and before.timestamp > event.timestamp:
                wrong[number] = (
                    f"timestamp: expected at least {before.timestamp}, that of event {before.number} of the same "
                    f"processor, found {event.timestamp}"
                )
            last_of[run, event.core, event.riscv] = event
    if wrong:
        mistakes = Mistakes()
        lines = _lines(text, wrong)
        for number, complaint in wrong.items():
            mistakes.note(f"{path}:{lines[number]}: event {number}: {complaint}")
        mistakes.complain()
    if not events:
        raise InputError(f"{path}: expected events of BRISC or NCRISC, found none")
    return [
        Trace(path, _operation(names[run], run) if len(events) > 1 else "", own, min(times[run]), max(times[run]))
        for run, own in events.items()
    ]


def _operation(name: str, run: object) -> str:
    return f"{name or 'operation'} {run}"


def _kind(value: object) -> str:
    return "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else repr(value)


def _event(record: object, number: int) -> Event | None:
    """Returns the event of a record; None for the beginning of a zone, which is no call."""
    if not isinstance(record, dict):
        raise _FieldError(f"expected an object, found {_kind(record)}")
    if isinstance(record.get("run_host_id"), (dict, list)):
        raise _FieldError(f"run_host_id: expected a number, found {_kind(record['run_host_id'])}")
    if ZONE in record:
        return None
    name = record.get("type")
    if not isinstance(name, str) or name not in EVENT_TYPES:
        if str(name).startswith("FABRIC"):
            raise _FieldError(f"type: expected an event of one chip, found '{name}', which the model does not have")
        known = ", ".join(EVENT_TYPES)
        hint = did_you_mean(str(name), EVENT_TYPES) or f"; there are: {known}"
        raise _FieldError(
            f"type: expected the type of an event, found {'nothing' if name is None else repr(name)}{hint}"
        )
    processor = record.get("proc")
    if not isinstance(processor, str) or processor not in RISCS:
        raise _FieldError(f"proc: expected BRISC or NCRISC, found {processor!r}")
    noc = record.get("noc")
    if not isinstance(noc, str) or noc not in _NOCS:
        raise _FieldError(f"noc: expected NOC_0 or NOC_1, found {noc!r}")
    meaning = EVENT_TYPES[name]
    rectangle = None
    partner = None
    if meaning.has_partner:
        if all(key in record for key in _MULTICAST):
            corners = [_number(record, key, 0) for key in _MULTICAST]
            rectangle = (corners[0], corners[1]), (corners[2], corners[3])
        else:
            partner = _number(record, "dx", 0), _number(record, "dy", 0)
    channel = _number(record, "vc", -1, -1)
    return Event(
        number,
        (_number(record, "sx", 0), _number(record, "sy", 0)),
        RISCS[processor],
        name,
        _number(record, "timestamp", 0),
        _NOCS[noc],
        None if channel < 0 else channel,
        _size(record, meaning),
        partner,
        rectangle,
        record.get("posted") in (True, 1, "true"),
        _number(record, "trid", 0) if "trid" in record else None,
        _number(record, "address", 0) if "address" in record else None,
    )


def _size(record: Mapping[str, Any], meaning: EventType) -> int:
    if meaning.sets_state or meaning.uses_state:  # a kernel may give the size in either call
        return _number(record, "num_bytes", 0, 0)
    if meaning.has_size:
        return _number(record, "num_bytes", 1)
    return _WORD_BYTES if meaning.has_partner else 0


def _number(record: Mapping[str, Any], key: str, minimum: int, default: int | None = None) -> int:
    value = record.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value < _MOST:
        found = "nothing" if value is None else repr(value)
        raise _FieldError(f"{key}: expected a whole number from {minimum} on, found {found}")
    return value


def _lines(text: str, numbers: Mapping[int, object]) -> dict[int, int]:
    """Returns the lines on which elements of an array begin, by element number from 1."""
    decoder = json.JSONDecoder()
    position = text.index("[") + 1
    lines = {}
    line, counted = 1, 0
    for number in range(1, max(numbers) + 1):
        while text[position] in " \t\r\n,":
            position += 1
        if number in numbers:
            line += text.count("\n", counted, position)
            counted = position
            lines[number] = line
        position = decoder.raw_decode(text, position)[1]
    return lines
