"""Estimates of the work and the minimum duration of a table of flows, before the run."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from nocbench.architectures.description import floor_plan
from nocbench.points.accuracy import EXACT_FLIT_HOPS_PER_SECOND, Work, is_short
from nocbench.support.columns import ACCURACY
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.flow_tables.flow_table import Core, FlowTable
    from nocbench.programs.execution import Machine

_READ = "read"


def require_time(table: FlowTable, machine: Machine, cycles_max: int) -> None:
    """Raises InputError if the flows of a core cannot end in time, since its link to a NoC carries a flit per cycle."""
    flit_bytes = floor_plan(machine.arch, machine.board, machine.settings)["flit_bytes"]
    cycles: Counter[tuple[Core, int, bool]] = Counter()
    for flow in table.flows:
        if flow.partner != "none":
            cycles[flow.core, flow.noc, flow.kind == _READ] += flow.num_calls * math.ceil(flow.call_bytes / flit_bytes)
    for (core, noc, _), least in cycles.most_common(1):
        if least > cycles_max:
            raise InputError(
                f"{table.path}: expected flows that end within {cycles_max:,} cycles (--cycles-max), found those of "
                f"core {core} on NoC {noc}, whose data alone take {least:,}"
            )


def seconds_of(table: FlowTable, machine: Machine) -> float | None:
    """Estimates the duration of an exact simulation in seconds; returns None for other simulations."""
    is_exact = all(name != ACCURACY for name, _ in machine.settings)
    return work_of(table, machine).flit_hops / EXACT_FLIT_HOPS_PER_SECOND if is_exact else None


def work_of(table: FlowTable, machine: Machine) -> Work:
    """Adds up flits times routers. Paths to and from DRAM count with mean length."""
    plan = floor_plan(machine.arch, machine.board, machine.settings)
    size = plan["columns"], plan["rows"]
    mean_hops = sum(size) / 2
    places = {tuple(tile["logical"]): (tile["x"], tile["y"]) for tile in plan["tiles"] if tile["logical"] is not None}
    packet_bytes = machine.memories().packet_bytes
    work = Work(0, 0, 0, 0)
    for flow in table.flows:
        if flow.partner == "none":
            continue
        routers = 1 + mean_hops
        first, last = flow.cores
        if flow.partner == "core" and first in places and flow.core in places:
            ends = [places[flow.core], places[first]]
            # Read data come from the partner. NoC 1 routes in the opposite direction.
            begin, end = reversed(ends) if (flow.kind == _READ) != (flow.noc == 1) else ends
            routers = 1 + sum((end[axis] - begin[axis]) % size[axis] for axis in range(2))
        elif flow.partner == "rectangle":
            routers += (abs(last[0] - first[0]) + 1) * (abs(last[1] - first[1]) + 1)
        num_packets = flow.num_calls * math.ceil(flow.call_bytes / packet_bytes)
        flits = num_packets + flow.num_calls * math.ceil(flow.call_bytes / plan["flit_bytes"])
        is_of_few_flits = is_short(flow.call_bytes, plan["flit_bytes"])
        work = Work(
            work.flit_hops + flits * routers,
            work.num_packets + num_packets,
            work.num_short_packets + is_of_few_flits * num_packets,
            work.num_transfers + flow.num_calls,
        )
    return work
