"""Table of flows, in the form that the simulator reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

Core = tuple[int, int]
Corners = tuple[Core, Core]

ONLY_AT_THE_END = 0
"""Barrier interval that means a single barrier at the end."""

MULTICAST_CHANNELS = (4, 5)
UNICAST_CHANNELS = (0, 1, 2, 3)


class Flow(NamedTuple):
    """Calls of one RISC that all have the same size: see kernels/frame/flows/flow_table.h.

    Attributes:
        group: number of the group, which is the flow's name.
        kind: "write", "posted_write", "read", or another kind in bindings/flow_table.cpp.
        core: logical coordinate of the core whose RISC makes the calls.
        partner: "core", "rectangle", "bank", "all_banks", "dram_tile" or "none".
        cores: corners of a rectangle of partners in L1; two equal corners for a single core.
        bank: number of a DRAM bank.
        noc: 0 or 1.
        virtual_channel: virtual channel; None: the default one.
        call_bytes: bytes of a call.
        num_calls: number of calls, at least 1.
        window: maximum number of outstanding calls; 0: unlimited.
        barrier_interval: calls between barriers; 0: one barrier at the end; None: no barrier.
        after: number of the group of flows that end before this one starts; None: no such group.
        start_cycles: earliest start, counted from `origin`.
        call_interval_cycles: interval between calls; 0: as fast as possible.
        origin: "run": the beginning of the run, or the end of the flows of `after`; "previous_begin" or "previous_end":
            begin or end of the previous flow of the same RISC.
        riscv: 0 or 1.
        stateful: True if calls reuse the state of an earlier "set_read_state" or "set_write_state".
        operand: number for kinds other than transfers.
        computes_addresses: True if computing addresses takes extra time.
        page: DRAM page of the flow's only call; None: the pages after those of the previous flow.
    """

    group: int
    kind: str
    core: Core
    partner: str
    cores: Corners
    bank: int
    noc: int
    virtual_channel: int | None
    call_bytes: int
    num_calls: int
    window: int
    barrier_interval: int | None
    after: int | None
    start_cycles: float
    call_interval_cycles: float
    origin: str = "run"
    riscv: int = 0
    stateful: bool = False
    operand: int = 0
    computes_addresses: bool = True
    page: int | None = None


NOWHERE: Corners = ((0, 0), (0, 0))
"""Placeholder for the corners of partners in DRAM."""


@dataclass(frozen=True, slots=True)
class FlowTable:
    """Flows of a table, with their groups.

    Attributes:
        path: path of the file.
        groups: names of groups of flows; each group has a result row.
        flows: flows in the order of the file; the flows of a RISC run one after the other.
        lines: line number in the file, by flow.
        reference_cycles: duration of all flows according to the file; None if the file gives none.
    """

    path: Path
    groups: Sequence[str]
    flows: Sequence[Flow]
    lines: Sequence[int] = field(default_factory=list)
    reference_cycles: float | None = None

    @property
    def name(self) -> str:
        """Name of the test in result rows."""
        return self.path.name.split(".")[0]

    def cores_of_rows(self) -> dict[str, set[Core]]:
        """Returns the cores of each result row, by the row's column `kernel`.

        A group with flows on both NoCs has two rows: see kernels/frame/flows/flow_table.cpp.
        """
        cores: dict[tuple[int, int], set[Core]] = {}
        for flow in self.flows:
            cores.setdefault((flow.group, flow.noc), set()).add(flow.core)
        return {
            f"{self.groups[group]}, NoC {noc}" if (group, 1 - noc) in cores else self.groups[group]: of_row
            for (group, noc), of_row in sorted(cores.items())
        }

    def request(self, cycles_max: int, checks: Collection[str]) -> dict[str, Any]:
        """Returns the simulator's input: see run_flow_table in nocbench/_core.pyi."""
        return {
            "name": self.name,
            "groups": list(self.groups),
            "flows": self.flows,
            "cycles_max": cycles_max,
            "checks": sorted(checks),
        }
