"""The theoretical maximum of a row's bandwidth, and faults of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import require_architecture
from nocbench.architectures.machines_of_rows import machine_of_row
from nocbench.points import catalogue
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

ROUNDING_SHARE = 1e-9  # equal to that in kernels/frame/possible_rows.h

WRONG_DATA = "wrong data"

UNKNOWN_DATA_FAULT = "other bytes arrived than were sent; running the point alone says which"
"""Fault of a row with wrong data from a results file, which does not give details."""


def theoretical_of(row: Mapping[str, Any]) -> float:
    """Returns the highest bandwidth that a row can have, in bytes per cycle.

    If the maximum is unknown, returns the bandwidth of a link, or of the links of all cores that the row adds up.

    Raises:
        InputError: this revision does not model the row's architecture.
        ImportError: the simulator was not built.
    """
    arch, test, board, params = _configuration(row)
    require_architecture(arch)
    used = catalogue.in_use()
    known = used.known_theoretical_bytes_per_cycle(arch, test, board, params)
    if known is not None:
        return known
    of_link = machine_of_row(arch, board, params).link_bytes_per_cycle
    return of_link * int(row["num_cores"]) if used.adds_up_cores(test, str(row.get("primitive", ""))) else of_link


def peak_bytes_per_cycle(row: Mapping[str, Any]) -> float | None:
    """Returns the highest possible bandwidth of a row; None for an unmodeled architecture or without simulator."""
    try:
        return theoretical_of(row)
    except (InputError, ImportError):
        return None


def fault_of(row: Mapping[str, Any]) -> str:
    """Returns the fault of a row; empty without a fault.

    Faults are :data:`WRONG_DATA`, and bandwidths above that of the links: "3578.76 B/cycle, above the theoretical
    maximum of 16". An excessive bandwidth is an error of the model, even with right data; rows of earlier revisions may
    have one. Rows measured on hardware, without the column `data_ok`, have no faults.
    """
    if "data_ok" not in row:
        return ""
    try:
        peak = catalogue.in_use().known_theoretical_bytes_per_cycle(*_configuration(row))
    except ImportError:
        peak = None
    bandwidth = float(row["bandwidth_bytes_per_cycle"])
    if peak is not None and bandwidth > peak * (1 + ROUNDING_SHARE):
        return f"{bandwidth:.10g} B/cycle, above the theoretical maximum of {peak:g}"
    return "" if row["data_ok"] else WRONG_DATA


def why_no_result(row: Mapping[str, Any], data_fault: str = "") -> str:
    """Describes the fault of a row. `data_fault` is the fault of the data that the run found, empty if unknown."""
    fault = fault_of(row)
    return data_fault or (UNKNOWN_DATA_FAULT if fault == WRONG_DATA else fault)


def fault_in_words(row: Mapping[str, Any], data_fault: str) -> str:
    """Returns kind and details of a row's fault: "wrong data: core (1, 1), ..."."""
    fault = fault_of(row)
    return f"{fault}: {data_fault}" if fault == WRONG_DATA else fault


def _configuration(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return str(row["arch"]), str(row["test"]), str(row.get("board", "")), str(row.get("params", ""))
