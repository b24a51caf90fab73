"""The columns of a table of flows: valid cells, and the conversion of rows to flows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.flow_tables.flow_table import (
    MULTICAST_CHANNELS,
    NOWHERE,
    ONLY_AT_THE_END,
    UNICAST_CHANNELS,
    Core,
    Corners,
    Flow,
)
from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.names import NAME, is_name
from nocbench.support.units import parse_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.architectures.memories import Memories

WRITE = "write"
POSTED_WRITE = "posted_write"
READ = "read"
KINDS = (WRITE, POSTED_WRITE, READ)

CORE = "core"
RECTANGLE = "rectangle"
BANK = "bank"
ALL_BANKS = "all_banks"
DRAM_TILE = "dram_tile"

NO_BARRIER = "none"
_MOST_CALLS = 2**40
_MOST_BYTES = 2**30
_MOST_CYCLES = 1e12

_CORE = r"\(?(\d{1,3})[ ,] ?(\d{1,3})\)?"
_ONE_CORE = re.compile(_CORE)
_TWO_CORES = re.compile(rf"{_CORE} ?(?:-|to) ?{_CORE}")
_BANK = re.compile(r"dram(?: (\d{1,3}))?")


class Partner(NamedTuple):
    """Partner of a flow: the core, rectangle or bank at the far end."""

    kind: str
    cores: Corners = NOWHERE
    bank: int = 0


class CellError(ValueError):
    """Error for an invalid cell; the message is the expected content."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a key of a flow in YAML.

    Attributes:
        name: name in the header, with the unit if there is one.
        expected: valid content, in words.
        parse: parses the text of a cell; raises ValueError.
        default: value of an empty cell.
        is_required: True if tables must have the column, without empty cells.
    """

    name: str
    expected: str
    parse: Callable[[str, Memories], Any]
    default: Any = None
    is_required: bool = False


def _kind(text: str, _memories: Memories) -> str:
    if text not in KINDS:
        raise ValueError
    return text


def _core(text: str, memories: Memories) -> Core:
    match = _ONE_CORE.fullmatch(text)
    if match is None:
        raise ValueError
    return _existing((int(match[1]), int(match[2])), memories)


def _existing(core: Core, memories: Memories) -> Core:
    if core not in memories.translated:
        raise CellError(f"a core from (0, 0) to {max(memories.cores)} of {memories.board}")
    return core


def _partner(text: str, memories: Memories) -> Partner:
    if match := _BANK.fullmatch(text):
        if match[1] is None:
            return Partner(ALL_BANKS)
        bank = int(match[1])
        if bank >= memories.dram_banks:
            raise CellError(f"a DRAM bank from 0 to {memories.dram_banks - 1} of {memories.board}")
        return Partner(BANK, bank=bank)
    if match := _TWO_CORES.fullmatch(text):
        first = _existing((int(match[1]), int(match[2])), memories)
        last = _existing((int(match[3]), int(match[4])), memories)
        if first[0] > last[0] or first[1] > last[1]:
            raise CellError("a rectangle from its upper left core to its lower right one")
        return Partner(RECTANGLE, (first, last))
    core = _core(text, memories)
    return Partner(CORE, (core, core))


def _number(minimum: int, maximum: int) -> Callable[[str, Memories], int]:
    def parse(text: str, _memories: Memories) -> int:
        if not text.isdecimal() or not minimum <= int(text) <= maximum:
            raise ValueError
        return int(text)

    return parse


def _size(text: str, _memories: Memories) -> int:
    size = parse_size(text)
    if not 1 <= size <= _MOST_BYTES:
        raise ValueError
    return size


def _cycles(text: str, _memories: Memories) -> float:
    cycles = float(text)
    if not 0 <= cycles <= _MOST_CYCLES:  # also rejects NaN, which compares false
        raise ValueError
    return cycles


def _barrier_interval(text: str, memories: Memories) -> int | None:
    return None if text == NO_BARRIER else _number(1, _MOST_CALLS)(text, memories)


def _name(text: str, _memories: Memories) -> str:
    if not is_name(text):
        raise ValueError(text)
    return text


COLUMNS = (
    Column("name", NAME, _name),
    Column("kind", f"{', '.join(KINDS[:-1])} or {KINDS[-1]}", _kind, is_required=True),
    Column("core", "a core as 'x y'", _core, is_required=True),
    Column(
        "partner",
        "a core as 'x y', a rectangle as 'x y - x y', a DRAM bank as 'dram N', or 'dram' for all banks in turn",
        _partner,
        is_required=True,
    ),
    Column("noc", "0 or 1", _number(0, 1)),
    Column("vc", "a virtual channel from 0 to 5", _number(0, max(MULTICAST_CHANNELS))),
    Column("call_size", "a size from 1 B to 1 GiB, with or without a unit", _size, is_required=True),
    Column("num_calls", "a number of calls from 1 on", _number(1, _MOST_CALLS), 1),
    Column("window", "a number of calls from 1 on", _number(1, _MOST_CALLS), 0),
    Column("barrier_interval", "a number of calls from 1 on, or none", _barrier_interval, ONLY_AT_THE_END),
    Column("start_cycle", "a number of cycles from 0 on", _cycles, 0.0),
    Column("after", "the name of flows", _name),
    Column("call_interval_cycles", "a number of cycles from 0 on", _cycles, 0.0),
)
"""Columns, in the order of the values of :meth:`Rows.add`."""

COLUMN_NAMES = tuple(column.name for column in COLUMNS)
REQUIRED = tuple(column.name for column in COLUMNS if column.is_required)


class Complaint(NamedTuple):
    """A mistake in a row.

    Attributes:
        row: number of the row, from 0.
        column: name of the column.
        text: "expected ..., found ...".
    """

    row: int
    column: str
    text: str


def parse_cell(column: Column, text: str, memories: Memories) -> Any:  # noqa: ANN401 - type depends on the column
    """Returns the value of a cell.

    Raises:
        InputError: an invalid cell; the message has the expected and the found content.
    """
    if not text and not column.is_required:
        return column.default
    try:
        return column.parse(text, memories)
    except CellError as error:
        expected = str(error)
    except (ValueError, OverflowError):
        expected = column.expected
    hint = did_you_mean(text, KINDS) if column.name == "kind" else ""
    shown = f"'{text}'" if text.isprintable() else repr(text)
    raise InputError(f"expected {expected}, found {shown}{hint}" if text else f"expected {expected}, found nothing")


class Rows:
    """Collects rows of values, and converts them to flows."""

    def __init__(self, memories: Memories) -> None:
        """Starts with no rows, for a machine with these memories."""
        self._num_nocs = len(memories.bank_tiles)
        self.flows: list[Flow] = []
        self.complaints: list[Complaint] = []
        self._groups: dict[str, int] = {}
        self._after: list[str | None] = []

    @property
    def groups(self) -> list[str]:
        """Names of groups of flows, by number."""
        return list(self._groups)

    def add(self, values: Sequence[Any]) -> None:
        """Adds a row, given as the values of all columns in order."""
        name, kind, core, partner, noc, channel, size, num_calls, window, barrier, start, after, interval = values
        # Default: the RISC and the NoC that reads and writes of a tile usually use.
        riscv = int(kind == READ) if noc is None else noc
        if noc is None:
            noc = riscv % self._num_nocs
        elif noc >= self._num_nocs:
            self._complain("noc", f"0, the only NoC, found {noc}")
        if partner.kind == RECTANGLE:
            if kind != WRITE:
                self._complain("kind", f"write, as multicasts are, found {kind}")
            elif partner.cores == (core, core):
                self._complain("partner", "another core in the rectangle, found the core itself")
            if channel is not None and channel not in MULTICAST_CHANNELS:
                self._complain("vc", f"4 or 5 for a multicast, found {channel}")
        elif channel is not None and channel not in UNICAST_CHANNELS:
            self._complain("vc", f"0 to 3 for one partner, found {channel}")
        if window and kind == POSTED_WRITE:
            self._complain("window", f"none, since nothing comes back from posted writes, found {window}")
        group = self._groups.setdefault(name or kind, len(self._groups))
        self._after.append(after)
        self.flows.append(
            Flow(
                group,
                kind,
                core,
                partner.kind,
                partner.cores,
                partner.bank,
                noc,
                channel,
                size,
                num_calls,
                window,
                barrier,
                None,
                start,
                interval,
                riscv=riscv,
            )
        )

    def _complain(self, column: str, text: str) -> None:
        self.complaints.append(Complaint(len(self.flows), column, f"expected {text}"))

    def finish(self) -> None:
        """Resolves the names in column `after`. To be called once all rows are added."""
        from graphlib import CycleError, TopologicalSorter

        order: dict[int, set[int]] = {}
        for number, after in enumerate(self._after):
            if after is None:
                continue
            group = self._groups.get(after)
            if group is None:
                hint = did_you_mean(after, self._groups) or f"; there are: {', '.join(list(self._groups)[:10])}"
                self.complaints.append(Complaint(number, "after", f"expected the name of flows, found '{after}'{hint}"))
                continue
            flow = self.flows[number]
            order.setdefault(flow.group, set()).add(group)
            self.flows[number] = flow._replace(after=group)
        try:
            TopologicalSorter(order).prepare()
        except CycleError as error:
            circle = list(error.args[1])
            names = " -> ".join(f"'{self.groups[group]}'" for group in circle)
            row = next(n for n, flow in enumerate(self.flows) if flow.group == circle[1] and flow.after == circle[0])
            self.complaints.append(Complaint(row, "after", f"expected flows that can start, found a circle: {names}"))


def values_by_name(cells: Mapping[str, Any]) -> list[Any]:
    """Returns values in the order of columns, with defaults for missing ones."""
    return [cells.get(column.name, column.default) for column in COLUMNS]
