"""Use of a point's networks by kind of packet, and of its DRAM by subchannel."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from nocbench.points.point_results import PointTrace

_OF_INTERFACES = ("niu_in", "niu_out")


@dataclass(frozen=True, slots=True)
class PacketKindUse:
    """Use of a network by one kind of packet.

    Attributes:
        network: name of the network: "NoC 0".
        kind: kind of packet: "write request".
        injected_flits: flits that left tiles.
        ejected_flits: flits that entered tiles; more than left them for multicasts.
        link_flits: flits over all links between routers, counted at each link.
        busiest_x, busiest_y, busiest_direction: the link between routers with the most flits of this kind; None if
            there is none.
        busiest_utilisation: share of the run's cycles in which such a flit crossed that link.
    """

    network: str
    kind: str
    injected_flits: int
    ejected_flits: int
    link_flits: int
    busiest_x: int | None
    busiest_y: int | None
    busiest_direction: str | None
    busiest_utilisation: float


@dataclass(frozen=True, slots=True)
class SubchannelUse:
    """Use of one subchannel of a DRAM bank.

    Attributes:
        memory: the DRAM bank, as programs number it.
        subchannel: number of the subchannel.
        bytes_read, bytes_written: bytes of the flits transferred.
        busy_share: share of the run's cycles in which the subchannel could not take another flit.
        busiest_bank_share: the same of its busiest bank.
    """

    memory: str
    subchannel: int
    bytes_read: int
    bytes_written: int
    busy_share: float
    busiest_bank_share: float


@dataclass(frozen=True, slots=True)
class PointUse:
    """Use of networks and memories over the whole run of a point.

    Attributes:
        elapsed_cycles: duration of the run.
        packets: use by network and kind of packet; empty if networks carry packets of one kind each.
        memories: use by DRAM bank and subchannel, unused ones left out.
    """

    elapsed_cycles: int
    packets: tuple[PacketKindUse, ...]
    memories: tuple[SubchannelUse, ...]


def use_of(trace: PointTrace) -> PointUse:
    """Returns the use of a traced point's networks and memories."""
    of_kinds: dict[tuple[int, str], list[Mapping[str, Any]]] = defaultdict(list)
    for link in trace.packets:
        of_kinds[link["noc"], link["kind"]].append(link)
    of_subchannels: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for part in trace.memories:
        of_subchannels[part["memory"], part["subchannel"]].append(part)
    return PointUse(
        elapsed_cycles=trace.elapsed_cycles,
        packets=tuple(
            _of_kind(trace.floor_plan["networks"][noc], kind, links, trace.elapsed_cycles)
            for (noc, kind), links in of_kinds.items()
        ),
        memories=tuple(_of_subchannel(parts, trace.elapsed_cycles) for parts in of_subchannels.values()),
    )


def _of_kind(
    network: Mapping[str, Any], kind: str, links: Sequence[Mapping[str, Any]], elapsed_cycles: int
) -> PacketKindUse:
    flits: dict[str, int] = defaultdict(int)
    between = [link for link in links if link["direction"] not in _OF_INTERFACES]
    for link in links:
        flits[link["direction"] if link["direction"] in _OF_INTERFACES else ""] += link["flits"]
    busiest = max(between, key=lambda link: link["flits"], default=None)
    return PacketKindUse(
        network=network["name"],
        kind=kind,
        injected_flits=flits["niu_in"],
        ejected_flits=flits["niu_out"],
        link_flits=flits[""],
        busiest_x=busiest["x"] if busiest else None,
        busiest_y=busiest["y"] if busiest else None,
        busiest_direction=busiest["direction"] if busiest else None,
        busiest_utilisation=busiest["flits"] / network["flits_per_cycle"] / elapsed_cycles if busiest else 0.0,
    )


def _of_subchannel(parts: Sequence[Mapping[str, Any]], elapsed_cycles: int) -> SubchannelUse:
    [whole] = [part for part in parts if part["bank"] is None]
    busiest_bank = max(part["busy_cycles"] for part in parts if part["bank"] is not None)
    return SubchannelUse(
        memory=whole["memory"],
        subchannel=whole["subchannel"],
        bytes_read=whole["bytes_read"],
        bytes_written=whole["bytes_written"],
        busy_share=whole["busy_cycles"] / elapsed_cycles,
        busiest_bank_share=busiest_bank / elapsed_cycles,
    )
