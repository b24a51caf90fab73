"""Time line of the two accesses of a finding: who made which call when, and when the bytes moved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nocbench.checks.findings import Access, Finding
    from nocbench.programs.execution import ProgramRun

TRACE_RECORDS = 200_000
"""Number of recorded transactions of a run that time lines can show."""
_Place = tuple[int, int]
_MARGIN = 0.06
"""Share of the time line that stays free on each side."""
_ROUNDING_CYCLES = 1e-6


@dataclass(frozen=True, slots=True)
class Bar:
    """Something that lasts, on a lane.

    Attributes:
        begin, end: first and last cycle.
        kind: "queued", "moves", "returns", or "missing" for a wait that the kernel does not make.
        text: what lasts.
    """

    begin: float
    end: float
    kind: str
    text: str


@dataclass(slots=True)
class Lane:
    """A RISC or a NIU.

    Attributes:
        name: the name in words.
        bars: what lasts on it.
        marks: number and cycle of accesses.
    """

    name: str
    bars: list[Bar] = field(default_factory=list)
    marks: list[tuple[int, float]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Lanes with a common time axis.

    Attributes:
        lanes: the lanes, from top to bottom.
        begin, end: cycles at the edges.
    """

    lanes: Sequence[Lane]
    begin: float
    end: float

    def percent(self, cycle: float) -> str:
        """Returns the horizontal position of a cycle as SVG takes it: "12.34%"."""
        return f"{100 * (cycle - self.begin) / (self.end - self.begin):.2f}%"

    def width(self, bar: Bar) -> str:
        """Returns the width of a bar, likewise."""
        return f"{100 * (bar.end - bar.begin) / (self.end - self.begin):.2f}%"

    @property
    def bars(self) -> list[Bar]:
        """The bars of all lanes."""
        return [bar for lane in self.lanes for bar in lane.bars]


def time_line(finding: Finding, run: ProgramRun | None) -> TimeLine | None:
    """Returns the time line of a finding; None for a finding about one access or none.

    `run` tells when bytes moved, if it has a trace. Without one, the time line has calls, loads and stores alone.
    """
    if finding.first is None:
        return None
    risc_lanes: dict[tuple[_Place, int], Lane] = {}
    lanes: list[Lane] = []
    for number, access in enumerate((finding.first, finding.second), 1):
        key = (access.core, access.riscv)
        if key not in risc_lanes:
            risc_lanes[key] = Lane(f"core {access.core}, riscv_{access.riscv}")
            lanes.append(risc_lanes[key])
        risc_lanes[key].marks.append((number, access.cycle))
        bars = list(_phases(access, run)) if run is not None else []
        if bars:
            lanes.append(Lane(f"NoC {access.noc}: transaction of {number}", bars))
        if bars and number == 1 and finding.missing_call:
            waits_for = [bar for bar in bars if bar.kind == "moves"] if access.kind == "source_of_write" else bars
            text = f"{finding.missing_call} would have waited, and is missing"
            risc_lanes[key].bars.append(Bar(access.cycle, waits_for[-1].end, "missing", text))
    cycles = [cycle for lane in lanes for _, cycle in lane.marks]
    cycles += [cycle for lane in lanes for bar in lane.bars for cycle in (bar.begin, bar.end)]
    margin = max(_MARGIN * (max(cycles) - min(cycles)), 1.0)
    return TimeLine(lanes, min(cycles) - margin, max(cycles) + margin)


def _phases(access: Access, run: ProgramRun) -> Iterator[Bar]:
    """Yields the parts of a transaction; nothing if it was not recorded, or for a load or store."""
    found = _transaction_of(access, run)
    if found is None or run.trace is None:
        return
    moments = {run.trace.phase_kinds[kind][2]: end for kind, end in found["phases"]}
    started, arrived, answered = (moments.get(name) for name in ("started", "request arrived", "response arrived"))
    is_read = access.kind in ("source_of_read", "destination_of_read")
    if started is None or arrived is None:
        return
    if started > found["accepted"]:
        yield Bar(found["accepted"], started, "queued", "it waits in the NIU")
    yield Bar(started, arrived, "moves", "its request is on the way" if is_read else "its bytes leave and arrive")
    if answered is not None and answered > arrived:
        yield Bar(arrived, answered, "returns", "its bytes come" if is_read else "its acknowledgement comes")


def _transaction_of(access: Access, run: ProgramRun) -> dict[str, Any] | None:
    """Returns the record of an access's transaction: the first that its NIU accepted from the call on."""
    if run.trace is None or access.noc is None:
        return None
    tile = next(
        (kernel["physical_x"], kernel["physical_y"])
        for kernel in run.kernels
        if (kernel["x"], kernel["y"]) == access.core
    )
    candidates = [
        transaction
        for transaction in run.trace.transactions
        if transaction["from"] == tile
        and transaction["noc"] == access.noc
        and transaction["accepted"] >= access.cycle - _ROUNDING_CYCLES
    ]
    return min(candidates, key=lambda transaction: transaction["accepted"], default=None)
