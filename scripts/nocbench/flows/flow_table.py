"""A table of flows, in the simulator's form."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Core = tuple[int, int]
Corners = tuple[Core, Core]

ONLY_AT_THE_END = 0
"""Barrier interval that stands for a single barrier at the end."""

MULTICAST_CHANNELS = (4, 5)
UNICAST_CHANNELS = (0, 1, 2, 3)


class Flow(NamedTuple):
    """A stream of calls of one RISC, all of the same size: see kernels/frame/flows/flow_table.h.

    Attributes:
        group: number of its name.
        kind: "write", "posted_write", "read", or another one of bindings/flow_table.cpp.
        core: logical coordinate of the core whose RISC makes the calls.
        partner: "core", "rectangle", "bank", "all_banks", "dram_tile" or "none".
        cores: corners of partners in L1; twice the same for one core.
        bank: number of a bank of DRAM.
        noc: 0 or 1.
        virtual_channel: None: the usual one.
        call_bytes: bytes of a call.
        num_calls: number of calls, at least 1.
        window: most outstanding calls; 0: any number.
        barrier_interval: calls between barriers; 0: one at the end; None: none.
        after: number of the name of flows that have to end before.
        start_cycles: earliest start, from `origin` on.
        call_interval_cycles: interval between calls; 0: as fast as possible.
        origin: "run": the beginning of the run, or the end of those of `after`; "previous_begin" or "previous_end" of
            the previous flow of the same RISC.
        riscv: 0 or 1.
        stateful: True if calls reuse the state of an earlier "set_read_state" or "set_write_state".
        operand: a number for kinds that are not transfers.
        computes_addresses: True if computing addresses takes extra time.
        page: DRAM page of its only call; None: continue behind the previous flow.
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
    """Flows with their names.

    Attributes:
        path: path of the file.
        groups: names of flows; each has a result row.
        flows: flows in order; those of one RISC run one after the other.
        lines: lines of the file by flow.
        reference_cycles: duration of the whole according to the file, or None.
    """

    path: Path
    groups: Sequence[str]
    flows: Sequence[Flow]
    lines: Sequence[int] = field(default_factory=list)
    reference_cycles: float | None = None

    @property
    def name(self) -> str:
        """Name of the test in its result rows."""
        return self.path.name.split(".")[0]

    def cores_of_rows(self) -> dict[str, set[Core]]:
        """Returns the cores of each result row's flows, by the row's column `kernel`.

        A name with flows on both NoCs has two rows: see kernels/frame/flows/flow_table.cpp.
        """
        cores: dict[tuple[int, int], set[Core]] = {}
        for flow in self.flows:
            cores.setdefault((flow.group, flow.noc), set()).add(flow.core)
        return {
            f"{self.groups[group]}, NoC {noc}" if (group, 1 - noc) in cores else self.groups[group]: of_row
            for (group, noc), of_row in sorted(cores.items())
        }

    def request(self, cycles_max: int) -> dict[str, Any]:
        """Returns the simulator's input: see run_flow_table in nocbench/_core.pyi."""
        return {"name": self.name, "groups": list(self.groups), "flows": self.flows, "cycles_max": cycles_max}
