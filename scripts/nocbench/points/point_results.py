"""Results and recorded events of one point."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class PointResult:
    """Results of one point.

    Attributes:
        rows: one result row per kernel, all columns but `revision`.
        data_faults: per row, the first fault of its data: core, address, byte; empty where they are right.
        statistics: figures that have no column, by name.
        cores: per core and kernel: coordinates, bandwidth, latency and waits by cause, in cycles.
        links: per link of each NoC: the flits that crossed it.
        packets: per link and kind of packet, likewise; empty unless they were counted, or if networks carry packets of
            one kind each.
        memories: per DRAM subchannel and bank that was used: bytes of flits read and written, and busy cycles; `bank`
            is None for the subchannel itself.
        deliveries: per tile that received data: their bytes.
        elapsed_cycles: duration from the start of the first kernel until nothing moves any more.
        flit_hops: flits through any router, in all runs that were made for the point.
        floor_plan: the floor plan of links and tiles, as from :func:`nocbench.architectures.description.floor_plan`;
            None: that of the board.
    """

    rows: list[dict[str, Any]]
    data_faults: list[str]
    statistics: dict[str, float]
    cores: list[dict[str, Any]]
    links: list[dict[str, Any]]
    packets: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    deliveries: list[dict[str, Any]]
    elapsed_cycles: int
    flit_hops: int
    floor_plan: dict[str, Any] | None = None

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> PointResult:
        """Returns the part of a run's result that each point has."""
        return cls(**{field.name: result[field.name] for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class PointTrace:
    """Recorded events of one point; times are in cycles.

    Attributes:
        rows: as in :class:`PointResult`.
        cores: as in :class:`PointResult`.
        links, packets, memories, elapsed_cycles: as in :class:`PointResult`; packets are counted.
        floor_plan: floor plan of the machine that it ran on, likewise.
        data_faults: as in :class:`PointResult`.
        kernels: per kernel: place, zones (name, begin, end), and stretches of its time (cause, begin, end) without gap
            or overlap.
        transactions: in the order in which they ended: kind, NoC, bytes, places (None: outside of the machine), begin,
            and phases: (number of the kind of phase, end).
        phase_kinds: per kind of phase: name, sentence and what is reached at its end; see device_model/sim/observers.h.
        num_transactions: number of all; more than in `transactions` if these were limited.
        num_stretches: number of all stretches.
        frames: between a host and its FPGA, messages as they leave the host and answers as they come back: nanoseconds,
            True for messages of the host, the host's number, and the bytes.
        num_frames: number of all frames.
        frames_are_datagrams: False: they are pieces of a stream.
        max_records: limit of all three.
    """

    rows: list[dict[str, Any]]
    cores: list[dict[str, Any]]
    links: list[dict[str, Any]]
    packets: list[dict[str, Any]]
    memories: list[dict[str, Any]]
    elapsed_cycles: int
    floor_plan: dict[str, Any]
    data_faults: list[str]
    kernels: list[dict[str, Any]]
    transactions: list[dict[str, Any]]
    phase_kinds: list[tuple[str, str, str]]
    num_transactions: int
    num_stretches: int
    frames: list[tuple[int, bool, int, bytes]]
    num_frames: int
    frames_are_datagrams: bool
    max_records: int

    @classmethod
    def of(cls, result: Mapping[str, Any], max_records: int) -> PointTrace:
        """Returns the recorded part of a run's result."""
        names = [field.name for field in fields(cls) if field.name != "max_records"]
        return cls(**{name: result[name] for name in names}, max_records=max_records)
