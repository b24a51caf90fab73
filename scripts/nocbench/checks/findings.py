"""Findings of the check for races, in words: both accesses, and the call that would have ordered them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.programs.own_files import OwnFiles
from nocbench.programs.source_lines import own_frames, text_of_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from nocbench.compiling.source_map import Frame
    from nocbench.programs.execution import CheckedProgram

_DOES = {
    "call": "calls it",
    "load": "loads it",
    "cached_load": "loads it from its cache",
    "store": "stores to it",
    "source_of_write": "reads it as the source of a write",
    "source_of_read": "reads it from another core",
    "destination_of_write": "writes to it",
    "destination_of_read": "reads into it",
    "atomic": "increments it",
}
_WRITES = ("store", "destination_of_write", "destination_of_read", "atomic")
_CALL_BYTES = 4


@dataclass(frozen=True, slots=True)
class Access:
    """One of the two accesses of a finding.

    Attributes:
        kind: a key of `_DOES`.
        kernel, core, riscv: who it was.
        file, line, text: source line, or line of a table of flows; empty and 0 for code without one.
        cycle: when the instruction was executed, for a transaction its call.
        noc, virtual_channel: of a transaction; None otherwise.
        posted, multicast: True for a transaction of this kind.
    """

    kind: str
    kernel: str
    core: tuple[int, int]
    riscv: int
    file: str
    line: int
    text: str
    cycle: float
    noc: int | None = None
    virtual_channel: int | None = None
    transaction_id: int = 0
    posted: bool = False
    multicast: bool = False

    @property
    def place(self) -> str:
        """The source line: "writer.cpp:12"; without one, what is known: "trace.json, event 12"."""
        if not self.file:
            return f"kernel '{self.kernel}'"
        return f"{Path(self.file).name}:{self.line}" if self.line else f"{Path(self.file).name}, {self.kernel}"

    @property
    def writes(self) -> bool:
        """True if it changes memory."""
        return self.kind in _WRITES

    def describe(self) -> str:
        """Returns the access in words: "core (0, 0), riscv_0, cycle 120: stores to it"."""
        if not self.file:
            return f"core {self.core}, riscv_{self.riscv}"
        on = "" if self.noc is None else f" on NoC {self.noc}, virtual channel {self.virtual_channel}"
        how = f"{_DOES[self.kind]}{' by a multicast' if self.multicast else ''}{', posted' if self.posted else ''}"
        return f"core {self.core}, riscv_{self.riscv}, cycle {self.cycle:,.10g}: {how}{on}"


@dataclass(frozen=True, slots=True)
class Finding:
    """Two accesses to the same bytes that nothing orders, or one that is wrong by itself.

    Attributes:
        check: name of the check.
        kind: the kind of mistake, in words.
        first: the access that came first in this run; None for a finding about one access.
        second: the other one.
        memory: the bytes in words: "region page + 0x1ffc of core (0, 0)"; empty if it is about none.
        happened: True if data of this run came out otherwise than in the program's order.
        advice: what would have ordered them; empty if the kind says it.
        count: number of such pairs, on all cores and in all rounds.
    """

    check: str
    kind: str
    first: Access | None
    second: Access
    memory: str
    happened: bool
    advice: str
    count: int

    @property
    def missing_call(self) -> str:
        """The call that would have waited for the first access; empty if there is none."""
        wait = _wait_for(self.first) if self.first is not None else ""
        return wait if self.advice.startswith(wait) else ""

    @property
    def outcome(self) -> str:
        """Its harm in this run in words; empty for a finding about one access."""
        if self.first is None:
            return ""
        return "it happened in this run" if self.happened else "nothing orders the two, although this run went well"

    def lines(self) -> Iterator[str]:
        """Yields the lines of a message in the form of those of compilers."""
        times = f" ({self.count:,} times)" if self.count > 1 else ""
        yield f"{self.second.place}: {self.check}: {self.kind}{times}"
        if self.memory:
            yield f"  {self.memory}"
        for access in (self.first, self.second):
            if access is not None:
                yield f"  {access.place}: {access.describe()}"
                if access.text:
                    yield f"      {access.text}"
        if self.outcome:
            yield f"  {self.outcome}"
        if self.advice:
            yield f"  expected {self.advice}"

    def values(self) -> dict[str, Any]:
        """Returns the finding as JSON values."""
        from dataclasses import asdict

        return asdict(self)


def findings_of(checked: CheckedProgram) -> list[Finding]:
    """Returns the findings of a run, those that happened first."""
    if not checked.findings:
        return []
    reader = _Reader(checked)
    findings = [reader.finding(found) for found in checked.findings]
    return sorted(findings, key=lambda finding: not finding.happened)


class _Reader:
    def __init__(self, checked: CheckedProgram) -> None:
        self._checked = checked
        self._own = OwnFiles()
        self._frames: dict[str, dict[int, Frame]] = {
            name: own_frames(source_map, self._own) for name, source_map in checked.source_maps.items()
        }

    def finding(self, found: Mapping[str, Any]) -> Finding:
        return finding_of(found, self._access, self._name)

    def _access(self, site: Mapping[str, Any]) -> Access:
        frames = self._frames[site["kernel"]]
        call = site["return_address"] - _CALL_BYTES
        frame = frames.get(site["address"]) or frames.get(call) or frames.get(call + 2)
        if frame is None:
            return access_of(site, site["kernel"], "", 0)
        return access_of(site, site["kernel"], self._own.path_of(frame.file), frame.line)

    def _name(self, begin: int) -> str:
        for name, first, last in self._checked.l1_ranges:
            if first <= begin < last:
                return f"{name} + {begin - first:#x}" if begin != first else name
        return ""


def finding_of(
    found: Mapping[str, Any], access: Callable[[Mapping[str, Any]], Access], name_in_l1: Callable[[int], str]
) -> Finding:
    """Returns a finding of the simulator in words.

    Args:
        found: see findings_of_point in nocbench/_core.pyi.
        access: returns one of its two accesses, with the source line.
        name_in_l1: returns the name of an address of L1, or an empty text.
    """
    first = access(found["first"]) if found["first"] else None
    second = access(found["second"])
    is_signal = bool(found["is_signal"])
    return Finding(
        check=found["check"],
        kind=found["text"] if first is None else _kind(first, second, is_signal),
        first=first,
        second=second,
        memory=_memory(found, name_in_l1) if found["bytes"] else "",
        happened=bool(found["happened"]),
        advice="" if first is None else _advice(first, second, is_signal),
        count=int(found["count"]),
    )


def access_of(site: Mapping[str, Any], kernel: str, file: str, line: int) -> Access:
    """Returns an access of the simulator, made by a line of a file."""
    return Access(
        kind=site["access"],
        kernel=kernel,
        core=(site["x"], site["y"]),
        riscv=site["riscv"],
        file=file,
        line=line,
        text=text_of_line(file, line),
        cycle=site["cycle"],
        noc=site.get("noc"),
        virtual_channel=site.get("virtual_channel"),
        transaction_id=site.get("transaction_id", 0),
        posted=site.get("posted", False),
        multicast=site.get("multicast", False),
    )


def _memory(found: Mapping[str, Any], name_in_l1: Callable[[int], str]) -> str:
    size = f"{found['bytes']:,} bytes" if found["bytes"] != 1 else "1 byte"
    begin = found["begin"]
    if found["core"] is None:
        return f"{size} at {begin:#x} of DRAM bank {found['bank']}"
    name = name_in_l1(begin)
    return (
        f"{size} of {name} of core {found['core']}" if name else f"{size} at {begin:#x} of L1 of core {found['core']}"
    )


def _kind(first: Access, second: Access, is_signal: bool) -> str:
    if second.kind == "cached_load":
        return "a line of the L1 data cache is used after its bytes were changed in L1"
    if first.kind == "source_of_write" and second.writes:
        return "the source of a write is changed while the data may still be leaving"
    if first.kind == "destination_of_read" and not second.writes:
        return "the destination of a read is used before the data must be there"
    if is_signal and first.writes and second.writes:
        return "an update of a signal may be lost"
    if first.writes and second.writes:
        return "two writes to the same bytes may come in any order"
    if first.writes:
        return "bytes are used that another core may not have written yet"
    return "bytes are changed that another kernel may still read"


def _advice(first: Access, second: Access, is_signal: bool) -> str:
    if second.kind == "cached_load":
        return f"invalidate_l1_cache() before {second.place}"
    together = (first.core, first.riscv) == (second.core, second.riscv)
    waits = _wait_for(first)
    if waits and together:
        return f"{waits} before {second.place}"
    if is_signal and first.writes and second.writes:
        return f"a signal of its own for each direction, or one that tells {second.place} that no update is on its way"
    if first.posted and not waits:
        return (
            "a write that is not posted, and its barrier, or a signal behind it on the same NoC, virtual channel and"
            f" path, before {second.place}"
        )
    if waits:
        return (
            f"{waits} after {first.place}, and then a signal that core {second.core}, riscv_{second.riscv}, waits for"
            f" before {second.place}"
        )
    return (
        f"a signal after {first.place} that core {second.core}, riscv_{second.riscv}, waits for before {second.place}"
    )


def _wait_for(access: Access) -> str:
    """Returns the call by which the kernel of a transaction waits for its end; empty if there is none."""
    by_id = access.transaction_id != 0
    if access.kind == "source_of_write" and access.posted:
        return "noc_async_posted_writes_flushed()"
    if access.kind == "source_of_write":
        return "noc_async_write_flushed_with_trid()" if by_id else "noc_async_writes_flushed()"
    if access.kind in ("source_of_read", "destination_of_read"):
        return "noc_async_read_barrier_with_trid()" if by_id else "noc_async_read_barrier()"
    if access.kind == "destination_of_write" and not access.posted:
        return "noc_async_write_barrier_with_trid()" if by_id else "noc_async_write_barrier()"
    if access.kind == "atomic" and not access.posted:
        return "noc_async_atomic_barrier()"
    return ""
