"""Reports on a run of a table of flows, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.flow_tables.cells import ALL_BANKS, BANK, CORE, DRAM_TILE
from nocbench.support.units import format_size, plural
from nocbench.support.wording import cycles as in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nocbench.flow_tables.execution import FlowTableRun
    from nocbench.flow_tables.flow_table import Flow

_NUM_FLOWS_SHOWN = 8

GROUP_COLUMNS = ("flows", "NoC", "cores", "calls", "call size", "cycles", "B/cycle", "limiter")
FLOW_COLUMNS = ("line", "flows", "from", "to", "begin", "end", "cycles", "B/cycle")


def summary(run: FlowTableRun) -> Iterator[str]:
    """Yields lines on the table, the machine, and the total time."""
    table = run.table
    num_bytes = sum(flow.num_calls * flow.call_bytes for flow in table.flows)
    board = run.rows[0]["board"]
    yield (
        f"{table.name} on {run.machine.arch} ({board}): {plural(len(table.flows), 'flow')}, "
        f"{in_words(run.cycles)} cycles, {num_bytes / run.cycles:,.2f} B/cycle in all ({num_bytes:,} bytes)"
    )
    if table.reference_cycles is not None:
        error = run.cycles / table.reference_cycles - 1
        yield f"  {in_words(table.reference_cycles)} cycles according to {table.path}: {error:+.1%}"


def group_cells(run: FlowTableRun) -> list[Sequence[object]]:
    """Returns a table row for each result row: see :data:`GROUP_COLUMNS`."""
    return [
        (
            row["kernel"],
            row["noc"],
            row["num_cores"],
            row["num_transactions"],
            format_size(row["transaction_size_bytes"]),
            f"{row['latency_cycles']:.10g}",
            f"{row['bandwidth_bytes_per_cycle']:.2f}",
            row["limiter"],
        )
        for row in run.rows
    ]


def last_flow_cells(run: FlowTableRun) -> list[Sequence[object]]:
    """Returns a table row for each of the flows that end last: see :data:`FLOW_COLUMNS`."""
    flows = list(enumerate(zip(run.table.flows, run.flow_times, strict=True)))
    flows.sort(key=lambda item: (-item[1][1][1], item[0]))
    cells: list[Sequence[object]] = []
    for number, (flow, (begin, end)) in flows[:_NUM_FLOWS_SHOWN]:
        own, partner = f"({flow.core[0]}, {flow.core[1]})", partner_in_words(flow)
        source, destination = (partner, own) if flow.kind == "read" else (own, partner)
        cells.append(
            (
                run.table.lines[number],
                run.table.groups[flow.group],
                source,
                destination,
                f"{begin:.10g}",
                f"{end:.10g}",
                f"{end - begin:.10g}",
                f"{flow.num_calls * flow.call_bytes / (end - begin):.2f}",
            )
        )
    return cells


def partner_in_words(flow: Flow) -> str:
    """Returns the partner of a flow, in words."""
    (x, y), (last_x, last_y) = flow.cores
    if flow.partner == CORE:
        return f"({x}, {y})"
    if flow.partner == BANK:
        return f"DRAM bank {flow.bank}"
    if flow.partner == DRAM_TILE:
        return f"DRAM at ({x}, {y})"
    if flow.partner == ALL_BANKS:
        return "all DRAM banks"
    return f"({x}, {y}) to ({last_x}, {last_y})"


def to_json(run: FlowTableRun) -> dict[str, Any]:
    """Returns table and results as JSON values."""
    table = run.table
    return {
        "table": str(table.path),
        "arch": run.machine.arch,
        "board": run.rows[0]["board"],
        "cycles": run.cycles,
        "reference_cycles": table.reference_cycles,
        "rows": run.rows,
        "data_fault": run.fault,
        "findings": [finding.values() for finding in run.findings()],
        "flows": [
            {"line": line, **flow._asdict(), "group": table.groups[flow.group], "begin": begin, "end": end}
            for line, flow, (begin, end) in zip(table.lines, table.flows, run.flow_times, strict=True)
        ],
    }
