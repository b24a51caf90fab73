"""The variable parts of a table of flows.

Numbers, the genes of a part, define its variation. The genes of a part are a permutation, or independent numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from nocbench.flow_tables.cells import CORE, RECTANGLE
from nocbench.flow_tables.flow_table import MULTICAST_CHANNELS, UNICAST_CHANNELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nocbench.flow_tables.flow_table import Core, Corners, Flow

PLACEMENT = "placement"
NOC = "noc"
ORDER = "order"
VC = "vc"
ASPECTS = (PLACEMENT, NOC, ORDER, VC)
"""Values of `--vary`."""

_NOCS = (0, 1)


class Part(ABC):
    """A variable part of a table.

    Attributes:
        aspect: one of :data:`ASPECTS`.
        start: genes of the unchanged table.
        choices: least and greatest value of each gene; None if the genes are a permutation.
    """

    def __init__(self, aspect: str, start: Sequence[int], choices: tuple[int, int] | None) -> None:
        """Stores the description of the genes."""
        self.aspect = aspect
        self.start = tuple(start)
        self.choices = choices

    @abstractmethod
    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow] | None:
        """Returns the flows that genes define; None if no table has these genes."""


class Numbers(Part):
    """A number for each unit of flows: NoC, or virtual channel."""

    def __init__(
        self,
        aspect: str,
        units: Sequence[Sequence[int]],
        start: Sequence[int],
        choices: tuple[int, int],
        change: Callable[[Flow, int], Flow],
    ) -> None:
        """Stores the indices of the flows in each unit, and a function that sets the number of a flow."""
        super().__init__(aspect, start, choices)
        self.units = units
        self._change = change

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow]:
        """Returns the flows with the numbers in `genes`. Flows whose number stays are unchanged."""
        changed = list(flows)
        for unit, before, gene in zip(self.units, self.start, genes, strict=True):
            if gene != before:
                for number in unit:
                    changed[number] = self._change(changed[number], gene)
        return changed


class Order(Part):
    """The order of the flows of a core, which are permuted among their rows of the table."""

    def __init__(self, rows: Sequence[int]) -> None:
        """Stores the rows of the core's flows."""
        super().__init__(ORDER, range(len(rows)), None)
        self.rows = rows

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow]:
        """Returns the flows with those of the core in the order of `genes`."""
        changed = list(flows)
        for row, gene in zip(self.rows, genes, strict=True):
            changed[row] = flows[self.rows[gene]]
        return changed


class Places(Part):
    """Places that exchange their roles: cores, or whole columns or rows of cores."""

    def __init__(self, mappings: Sequence[Sequence[Core]]) -> None:
        """Stores the cores of each place. Cores at the same index of two places correspond."""
        super().__init__(PLACEMENT, range(len(mappings)), None)
        self._places = mappings

    def mapping(self, genes: Sequence[int]) -> dict[Core, Core]:
        """Returns the new core of each role, by old core."""
        return {
            before: after
            for place, gene in zip(self._places, genes, strict=True)
            for before, after in zip(place, self._places[gene], strict=True)
        }

    def apply(self, flows: Sequence[Flow], genes: Sequence[int]) -> list[Flow] | None:
        """Returns the moved flows; None if the receivers of a multicast are no rectangle any more."""
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
    """Returns all cores of flows, including receivers, in order."""
    return sorted({flow.core for flow in flows} | {core for corners in _partners(flows) for core in cores_of(corners)})


def _has_cores(flow: Flow) -> bool:
    """Returns True if the partner of a flow is one or several cores, not DRAM."""
    return flow.partner in (CORE, RECTANGLE)


def _partners(flows: Sequence[Flow]) -> set[Corners]:
    return {flow.cores for flow in flows if _has_cores(flow)}


def _moved(corners: Corners, mapping: Mapping[Core, Core]) -> Corners | None:
    moved = {mapping.get(core, core) for core in cores_of(corners)}
    columns, rows = zip(*moved, strict=True)
    around = (min(columns), min(rows)), (max(columns), max(rows))
    return around if len(cores_of(around)) == len(moved) else None


def placement_parts(flows: Sequence[Flow], board: Sequence[Core], whole_board: bool) -> list[Part]:
    """Returns the parts that move roles between cores.

    Cores inside the same multicast rectangles may exchange their roles: the receivers of every multicast remain a
    rectangle. In tables with multicasts, whole columns or rows of cores may also exchange their roles. Such an exchange
    may break a rectangle, and is then invalid.

    Args:
        flows: flows of the table.
        board: all cores of the board.
        whole_board: True if roles may move to any core; otherwise, they stay in the rectangle around all cores of the
            table.
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
    """Returns a part for each core with several flows: their order."""
    rows: dict[Core, list[int]] = {}
    for number, flow in enumerate(flows):
        rows.setdefault(flow.core, []).append(number)
    return [Order(of_core) for of_core in rows.values() if len(of_core) > 1]


def noc_parts(flows: Sequence[Flow], each_flow: bool) -> list[Part]:
    """Returns a part with the NoC of each group of flows, or of each flow.

    A group on both NoCs counts as two groups.
    """
    units = _units(flows, lambda flow: (flow.group, flow.noc), each_flow)
    start = [flows[unit[0]].noc for unit in units]
    return [Numbers(NOC, units, start, _NOCS, lambda flow, noc: flow._replace(noc=noc, riscv=noc))]


def vc_parts(flows: Sequence[Flow], each_flow: bool) -> list[Part]:
    """Returns parts for the virtual channels of groups or flows: one for unicasts, one for multicasts."""
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
    """Returns the virtual channel of a flow; by default, the usual channel (docs/flows.md)."""
    if flow.virtual_channel is not None:
        return flow.virtual_channel
    return MULTICAST_CHANNELS[0] if flow.partner == RECTANGLE else UNICAST_CHANNELS[1]


def _units(flows: Sequence[Flow], key: Callable[[Flow], object], each_flow: bool) -> list[list[int]]:
    """Returns the indices of the flows in each unit, which vary together."""
    units: dict[object, list[int]] = {}
    for number, flow in enumerate(flows):
        units.setdefault(number if each_flow else key(flow), []).append(number)
    return list(units.values())
