"""The variable parts of a table of flows. Each has numbers, its genes, that define its variation.

The genes of a part are a permutation, or independent numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from nocbench.flows.cells import CORE, RECTANGLE
from nocbench.flows.flow_table import MULTICAST_CHANNELS, UNICAST_CHANNELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.flows.flow_table import Core, Corners, Flow

PLACEMENT = "placement"
NOC = "noc"
ORDER = "order"
VC = "vc"
ASPECTS = (PLACEMENT, NOC, ORDER, VC)
"""Values of `--vary`."""

_NOCS = (0, 1)


class Part(ABC):
    """A variable part.

    Attributes:
        aspect: one of :data:`ASPECTS`.
        start: genes of the unchanged table.
        choices: the least and the greatest value of each gene; None: the genes are a permutation.
    """

    def __init__(self, aspect: str, start: Sequence[int], choices: tuple[int, int] | None) -> None:
        """Stores the description of its genes."""
        self.aspect = aspect
        self.start = tuple(start)
        self.choices = choices

    @abstractmethod
    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow] | None:
        """Returns the flows that genes stand for; None if there are none."""


class Numbers(Part):
    """A number per unit of flows: its NoC, or its virtual channel."""

    def __init__(
        self,
        aspect: str,
        units: Sequence[Sequence[int]],
        start: Sequence[int],
        choices: tuple[int, int],
        change: Callable[[Flow, int], Flow],
    ) -> None:
        """Takes the indices of the flows of each unit, and a function that sets a flow's number."""
        super().__init__(aspect, start, choices)
        self.units = units
        self._change = change

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow]:
        """Returns the flows with their numbers. Flows that keep theirs are unchanged."""
        changed = list(flows)
        for unit, before, gene in zip(self.units, self.start, genes, strict=True):
            if gene != before:
                for number in unit:
                    changed[number] = self._change(changed[number], gene)
        return changed


class Order(Part):
    """The order of the flows of one core, which share their rows of the table."""

    def __init__(self, rows: Sequence[int]) -> None:
        """Takes the rows."""
        super().__init__(ORDER, range(len(rows)), None)
        self.rows = rows

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow]:
        """Returns the flows in their rows."""
        changed = list(flows)
        for row, gene in zip(self.rows, genes, strict=True):
            changed[row] = flows[self.rows[gene]]
        return changed


class Places(Part):
    """Places that exchange their roles: cores, whole columns of cores, or whole rows."""

    def __init__(self, mappings: Sequence[Sequence[Core]]) -> None:
        """Takes the cores of each place. A core of a place maps to the core at the same index of another place."""
        super().__init__(PLACEMENT, range(len(mappings)), None)
        self._places = mappings

    def mapping(self, genes: Sequence[int]) -> dict[Core, Core]:
        """Returns the new core of each core's role."""
        return {
            before: after
            for place, gene in zip(self._places, genes, strict=True)
            for before, after in zip(place, self._places[gene], strict=True)
        }

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow] | None:
        """Returns the moved flows; None if the receivers of a multicast are no longer a rectangle."""
        mapping = self.mapping(genes)
        corners = {cores: _moved(cores, mapping) for cores in _partners(flows)}
        moved = []
        for flow in flows:
            cores = corners[flow.cores] if _has_cores(flow) else flow.cores
            if cores is None:
                return None
            moved.append(flow._replace(core=mapping.get(flow.core, flow.core), cores=cores))
        return moved


def cores_of(corners: Corners) -> list[Core]:
    """Returns all cores of a rectangle."""
    (x, y), (last_x, last_y) = corners
    return [(column, row) for row in range(y, last_y + 1) for column in range(x, last_x + 1)]


def named_cores(flows: Sequence[Flow]) -> list[Core]:
    """Returns all cores of flows, with the receivers, in order."""
    return sorted({flow.core for flow in flows} | {core for corners in _partners(flows) for core in cores_of(corners)})


def _has_cores(flow: Flow) -> bool:
    """True if the other side is cores, and not DRAM."""
    return flow.partner in (CORE, RECTANGLE)


def _partners(flows: Sequence[Flow]) -> set[Corners]:
    return {flow.cores for flow in flows if _has_cores(flow)}


def _moved(corners: Corners, mapping: Mapping[Core, Core]) -> Corners | None:
    moved = {mapping.get(core, core) for core in cores_of(corners)}
    columns, rows = zip(*moved, strict=True)
    around = (min(columns), min(rows)), (max(columns), max(rows))
    return around if len(cores_of(around)) == len(moved) else None


def placement_parts(flows: Sequence[Flow], board: Sequence[Core], whole_board: bool) -> list[Part]:
    """Returns placements that keep every multicast a rectangle, or may.

    Cores in the same rectangles may exchange their roles. With multicasts, so may whole columns and rows of cores;
    without them, that adds nothing.

    Args:
        flows: flows of the table.
        board: all cores.
        whole_board: True if roles may go anywhere; otherwise they stay in the rectangle around all cores of the table.
    """
    named = named_cores(flows)
    pool = set(board)
    if not whole_board:
        columns, rows = zip(*named, strict=True)
        pool &= set(cores_of(((min(columns), min(rows)), (max(columns), max(rows)))))
    rectangles = {flow.cores: set(cores_of(flow.cores)) for flow in flows if flow.partner == RECTANGLE}
    classes: dict[frozenset[Corners], list[Core]] = {}
    for core in sorted(pool):
        classes.setdefault(frozenset(key for key, cores in rectangles.items() if core in cores), []).append(core)
    parts: list[Part] = [
        Places([[core] for core in cores])
        for cores in classes.values()
        if len(cores) > 1 and not set(cores).isdisjoint(named)
    ]
    if rectangles:
        for axis in (0, 1):
            lines: dict[int, list[Core]] = {}
            for core in sorted(pool):
                lines.setdefault(core[axis], []).append(core)
            if len(lines) > 1:
                parts.append(Places(list(lines.values())))
    return parts


def order_parts(flows: Sequence[Flow]) -> list[Part]:
    """Returns the order of each core that has several flows."""
    rows: dict[Core, list[int]] = {}
    for number, flow in enumerate(flows):
        rows.setdefault(flow.core, []).append(number)
    return [Order(of_core) for of_core in rows.values() if len(of_core) > 1]


def noc_parts(flows: Sequence[Flow], each_flow: bool) -> list[Part]:
    """Returns the NoC of each name of flows, or of each flow. A name on both NoCs has one for either."""
    units = _units(flows, lambda flow: (flow.group, flow.noc), each_flow)
    start = [flows[unit[0]].noc for unit in units]
    return [Numbers(NOC, units, start, _NOCS, lambda flow, noc: flow._replace(noc=noc, riscv=noc))]


def vc_parts(flows: Sequence[Flow], each_flow: bool) -> list[Part]:
    """Returns the virtual channel of each name of flows, or of each flow: multicasts have channels of their own."""
    parts: list[Part] = []
    units = _units(flows, lambda flow: (flow.group, _channel(flow), flow.partner == RECTANGLE), each_flow)
    for is_multicast, channels in ((False, UNICAST_CHANNELS), (True, MULTICAST_CHANNELS)):
        own = [unit for unit in units if (flows[unit[0]].partner == RECTANGLE) == is_multicast]
        if own:
            start = [_channel(flows[unit[0]]) for unit in own]
            limits = channels[0], channels[-1]
            parts.append(Numbers(VC, own, start, limits, lambda flow, vc: flow._replace(virtual_channel=vc)))
    return parts


def _channel(flow: Flow) -> int:
    """The virtual channel of a flow; without one, the usual one (docs/flows.md)."""
    if flow.virtual_channel is not None:
        return flow.virtual_channel
    return MULTICAST_CHANNELS[0] if flow.partner == RECTANGLE else UNICAST_CHANNELS[1]


def _units(flows: Sequence[Flow], key: Callable[[Flow], object], each_flow: bool) -> list[list[int]]:
    """Returns the indices of flows that vary together."""
    units: dict[object, list[int]] = {}
    for number, flow in enumerate(flows):
        units.setdefault(number if each_flow else key(flow), []).append(number)
    return list(units.values())
