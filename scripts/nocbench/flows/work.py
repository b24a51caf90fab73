"""What a table of flows is to simulate, before it runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from nocbench.points import simulator
from nocbench.points.accuracy import Work, is_short

if TYPE_CHECKING:
    from nocbench.flows.flow_table import FlowTable
    from nocbench.programs.execution import Machine

_READ = "read"


def work_of(table: FlowTable, machine: Machine) -> Work:
    """Adds up flits times routers. What goes to or from DRAM takes a path of mean length."""
    plan = simulator.floor_plan(machine.arch, machine.board, machine.settings)
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
            # Data are read from the partner. NoC 1 goes the other way round.
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
