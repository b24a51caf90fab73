"""The variations of a table, which move the same data between the same roles."""

from __future__ import annotations

from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from nocbench.optimising.parts import (
    NOC,
    ORDER,
    PLACEMENT,
    VC,
    Numbers,
    Places,
    named_cores,
    noc_parts,
    order_parts,
    placement_parts,
    vc_parts,
)
from nocbench.support.errors import InputError
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from nocbench.flow_tables.flow_table import Core, Flow, FlowTable
    from nocbench.optimising.parts import Part

Genes = list[list[int]]
"""Genes of a table, by part."""

_MOVES_SHOWN = 8
_NEEDED = {
    PLACEMENT: "cores that can change their roles",
    NOC: "flows that have a NoC",
    ORDER: "a core with several flows",
    VC: "flows that have a virtual channel",
}


class Variations:
    """All variations of a table."""

    def __init__(
        self,
        table: FlowTable,
        board: Sequence[Core],
        aspects: Collection[str],
        *,
        each_flow: bool = False,
        whole_board: bool = False,
    ) -> None:
        """Finds the parts that may vary.

        Args:
            table: the unchanged table.
            board: all cores of the board.
            aspects: aspects to vary, from :data:`nocbench.optimising.parts.ASPECTS`; all others stay unchanged.
            each_flow: True if NoC and virtual channel vary by flow; False if they vary by group of flows.
            whole_board: True if roles may move to any core; False if they stay in the rectangle around all cores of the
                table.

        Raises:
            InputError: nothing can vary in an aspect.
        """
        self._table = table
        flows = table.flows
        # Apply orders last: the parts before index flows as in the unchanged table.
        parts: dict[str, Callable[[], list[Part]]] = {
            NOC: lambda: noc_parts(flows, each_flow),
            VC: lambda: vc_parts(flows, each_flow),
            PLACEMENT: lambda: placement_parts(flows, board, whole_board),
            ORDER: lambda: order_parts(flows),
        }
        self.parts: list[Part] = []
        for aspect, make in parts.items():
            if aspect in aspects:
                made = make()
                if not made:
                    raise InputError(f"{table.path}: --vary {aspect}: expected {_NEEDED[aspect]}, found none")
                self.parts += made

    @property
    def start(self) -> Genes:
        """Genes of the unchanged table."""
        return [list(part.start) for part in self.parts]

    def table(self, genes: Genes) -> FlowTable | None:
        """Returns the table that genes define; None if a multicast is no rectangle, or flows wait for each other."""
        flows: Sequence[Flow] | None = self._table.flows
        for part, of_part in zip(self.parts, genes, strict=True):
            if flows is not None and tuple(of_part) != part.start:
                flows = part.apply(flows, of_part)
        if flows is None or not _can_start(flows):
            return None
        return replace(self._table, flows=tuple(flows))

    def describe(self, genes: Genes) -> list[str]:
        """Returns the differences from the unchanged table, one line per aspect."""
        lines = []
        place = {core: core for core in named_cores(self._table.flows)}
        num_reordered = 0
        for part, of_part in zip(self.parts, genes, strict=True):
            changed = [number for number, gene in enumerate(of_part) if gene != part.start[number]]
            if isinstance(part, Numbers):
                lines += self._describe_numbers(part, of_part, changed)
            elif isinstance(part, Places):
                mapping = part.mapping(of_part)
                place = {role: mapping.get(core, core) for role, core in place.items()}
            else:
                num_reordered += bool(changed)
        moves = [f"{role} to {core}" for role, core in place.items() if role != core]
        if moves:
            more = f" and {len(moves) - _MOVES_SHOWN} more" if len(moves) > _MOVES_SHOWN else ""
            lines.append(f"placement: what core {', '.join(moves[:_MOVES_SHOWN])}{more}")
        if num_reordered:
            lines.append(f"order: {plural(num_reordered, 'core')} with another order of flows")
        return lines

    def _describe_numbers(self, part: Numbers, genes: Sequence[int], changed: Sequence[int]) -> list[str]:
        what = "NoC" if part.aspect == NOC else "virtual channel"
        by_change: dict[str, int] = {}
        for number in changed:
            name = self._table.groups[self._table.flows[part.units[number][0]].group]
            words = f"of '{name}' on {what} {genes[number]} instead of {part.start[number]}"
            by_change[words] = by_change.get(words, 0) + len(part.units[number])
        return [f"{part.aspect}: {plural(count, 'flow')} {words}" for words, count in by_change.items()]


def _can_start(flows: Sequence[Flow]) -> bool:
    """Returns True if no flow waits for itself.

    A flow waits for the previous one of its RISC, and for those of `after`.
    """
    before: dict[object, set[object]] = {}
    last: dict[object, int] = {}
    for number, flow in enumerate(flows):
        own = before.setdefault(number, set())
        risc = flow.core, flow.riscv
        if risc in last:
            own.add(last[risc])
        last[risc] = number
        if flow.after is not None:
            own.add(("end of", flow.after))
        before.setdefault(("end of", flow.group), set()).add(number)
    try:
        TopologicalSorter(before).prepare()
    except CycleError:
        return False
    return True
