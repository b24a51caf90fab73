"""Writing of tables of flows as CSV."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any

from nocbench.flow_tables.cells import ALL_BANKS, BANK, CORE, NO_BARRIER, RECTANGLE
from nocbench.flow_tables.flow_table import ONLY_AT_THE_END
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.flow_tables.flow_table import Core, Flow, FlowTable

_COLUMNS = ("kind", "core", "partner", "call_size", "num_calls", "noc", "vc", "window", "barrier_interval")
_LAST_COLUMNS = ("start_cycle", "after", "call_interval_cycles", "name")
_ALWAYS = ("kind", "core", "partner", "call_size", "noc", "name")


def require_csv(table: FlowTable) -> None:
    """Raises InputError for flows to DRAM tiles, which workloads can have and CSV cannot express."""
    for line, flow in zip(table.lines, table.flows, strict=True):
        if flow.partner not in (CORE, RECTANGLE, BANK, ALL_BANKS):
            raise InputError(
                f"{table.path}: flow {line}: expected a core, a rectangle or a bank as the partner of a flow that is "
                f"written as CSV, found a tile of DRAM"
            )


def csv_text(table: FlowTable, comments: Sequence[str] = ()) -> str:
    """Returns a table as CSV, from which :func:`nocbench.flow_tables.csv_table.read_csv_table` reads equal flows.

    Args:
        table: table that passes :func:`require_csv`.
        comments: comment lines above the header.
    """
    rows = [_cells(table, flow) for flow in table.flows]
    columns = [
        column for column in (*_COLUMNS, *_LAST_COLUMNS) if column in _ALWAYS or any(row[column] != "" for row in rows)
    ]
    text = io.StringIO()
    text.writelines(f"# {comment}\n" for comment in comments)
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _cells(table: FlowTable, flow: Flow) -> dict[str, Any]:
    """Returns the texts of all columns; a default value becomes an empty text."""
    barrier = NO_BARRIER if flow.barrier_interval is None else flow.barrier_interval
    return {
        "kind": flow.kind,
        "core": _core(flow.core),
        "partner": _partner(flow),
        "call_size": flow.call_bytes,
        "num_calls": flow.num_calls if flow.num_calls > 1 else "",
        "noc": flow.noc,
        "vc": "" if flow.virtual_channel is None else flow.virtual_channel,
        "window": flow.window or "",
        "barrier_interval": "" if barrier == ONLY_AT_THE_END else barrier,
        "start_cycle": _cycles(flow.start_cycles),
        "after": "" if flow.after is None else table.groups[flow.after],
        "call_interval_cycles": _cycles(flow.call_interval_cycles),
        "name": table.groups[flow.group],
    }


def _core(core: Core) -> str:
    return f"{core[0]} {core[1]}"


def _partner(flow: Flow) -> str:
    if flow.partner == ALL_BANKS:
        return "dram"
    if flow.partner == BANK:
        return f"dram {flow.bank}"
    first, last = flow.cores
    return _core(first) if flow.partner == CORE else f"{_core(first)} - {_core(last)}"


def _cycles(value: float) -> str:
    """Returns the shortest text that identifies a number."""
    return repr(value).removesuffix(".0") if value else ""
