"""The theoretical maximum of a result row's bandwidth, and what is wrong with rows that are no results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.points import catalogue, simulator
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROUNDING_SHARE = 1e-9  # as in kernels/frame/possible_rows.h

WRONG_DATA = "wrong data"

UNKNOWN_DATA_FAULT = "other bytes arrived than were sent; running the point alone says which"
"""Why data are wrong, where only a results file is known."""


def theoretical_of(row: Mapping[str, Any]) -> float:
    """The highest bandwidth that a row can have.

    Where that is not known, it is what one link carries, or the links of all cores whose bandwidth the row adds up.

    Raises:
        InputError: this revision does not model its architecture.
        ImportError: the simulator was not built.
    """
    arch, test, board, params = _configuration(row)
    simulator.require_architecture(arch)
    used = catalogue.in_use()
    known = used.known_theoretical_bytes_per_cycle(arch, test, board, params)
    if known is not None:
        return known
    of_link = simulator.link_bytes_per_cycle(arch, board, params)
    return of_link * int(row["num_cores"]) if used.adds_up_cores(test, str(row.get("primitive", ""))) else of_link


def peak_bytes_per_cycle(row: Mapping[str, Any]) -> float | None:
    """The highest bandwidth that a row can have; None if this revision does not model its architecture.

    Reports can be made of results of any revision, and where the simulator was not built: then they go without.
    """
    try:
        return theoretical_of(row)
    except (InputError, ImportError):
        return None


def fault_of(row: Mapping[str, Any]) -> str:
    """Why a row is no result; empty if it is one.

    That is :data:`WRONG_DATA`, or a bandwidth above what the links carry: "3578.76 B/cycle, above the theoretical
    maximum of 16". Whatever bytes arrived, a model that gives such a row is wrong. Results that an earlier revision
    wrote may call it right; what was measured on hardware, which has no column `data_ok`, is left alone.
    """
    if "data_ok" not in row:
        return ""
    try:
        peak = catalogue.in_use().known_theoretical_bytes_per_cycle(*_configuration(row))
    except ImportError:
        peak = None
    bandwidth = float(row["bandwidth_bytes_per_cycle"])
    if peak is not None and bandwidth > peak * (1 + _ROUNDING_SHARE):
        return f"{bandwidth:.10g} B/cycle, above the theoretical maximum of {peak:g}"
    return "" if row["data_ok"] else WRONG_DATA


def why_no_result(row: Mapping[str, Any], data_fault: str = "") -> str:
    """The same in a sentence of its own; `data_fault` is what the run said of the row, empty if that is not known."""
    fault = fault_of(row)
    return data_fault or (UNKNOWN_DATA_FAULT if fault == WRONG_DATA else fault)


def fault_in_words(row: Mapping[str, Any], data_fault: str) -> str:
    """The same where nothing else tells what it is about: "wrong data: core (1, 1), ..."."""
    fault = fault_of(row)
    return f"{fault}: {data_fault}" if fault == WRONG_DATA else fault


def _configuration(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return str(row["arch"]), str(row["test"]), str(row.get("board", "")), str(row.get("params", ""))
