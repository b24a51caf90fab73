"""The columns of a result row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

Cell = str | int | float | bool
Row = dict[str, Any]
"""One result row: column name to cell."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name, with the unit in it, and what a value may be.

    Attributes:
        name: name as in the CSV header.
        kind: "text", "integer", "number" (any finite one above 0) or "boolean".
        minimum: least value of an integer.
    """

    name: str
    kind: Literal["text", "integer", "number", "boolean"]
    minimum: int = 0


COMMON_COLUMNS = (
    Column("arch", "text"),
    Column("test", "text"),
    Column("kernel", "text"),
    Column("num_transactions", "integer", minimum=1),
    Column("transaction_size_bytes", "integer", minimum=1),
    Column("latency_cycles", "number"),
    Column("bandwidth_bytes_per_cycle", "number"),
)
"""Columns of result rows that files of published measurements have, too."""

RESULT_COLUMNS = (
    *COMMON_COLUMNS,
    Column("call_size_bytes", "integer", minimum=1),
    Column("primitive", "text"),
    Column("test_id", "integer"),
    Column("board", "text"),
    Column("noc", "integer"),
    Column("riscv", "integer"),
    Column("num_cores", "integer", minimum=1),
    Column("clock_hz", "integer", minimum=1),
    Column("data_ok", "boolean"),
    Column("limiter", "text"),
    Column("params", "text"),
    Column("revision", "text"),
)
"""Columns that `nocbench run` writes, in this order."""

PROGRAM_PRIMITIVE = "kernel"
"""Value of the column `primitive` for kernels of the user's own."""

FLOWS_PRIMITIVE = "flows"
"""Value of it for tables of flows: their rows have the bandwidth of all cores together, each with a link of its own."""

OWN_PRIMITIVES = (PROGRAM_PRIMITIVE, FLOWS_PRIMITIVE)
"""Values of it for files of the user's own."""

TABLE_KEY = ["arch", "test", "kernel"]
"""Columns that identify a table of measurements: one line of the published documents' contents."""

POINT_KEY = [*TABLE_KEY, "num_transactions", "transaction_size_bytes"]
"""Columns by which results and published measurements are matched."""

VARIANT_KEY = ["board", "params"]
"""Columns that tell apart results for one published measurement: boards, parameters, settings."""


SIMULATED_TRANSACTIONS = "simulated_transactions"
STEADY = "steady"
"""Entries in the column `params` of a point that was run with fewer transactions.

They are the number of these, and 0 if they do not predict the whole as well as they should.
"""

SHORTENING = (SIMULATED_TRANSACTIONS, STEADY)
"""No parameters: such a point is the same as one that was run whole."""

ACCURACY = "accuracy"
FAST = "fast"
"""The setting of points that were simulated packet by packet, and its only value in rows."""

COMPILER = "compiler"
"""Entry in the column `params` with name and version of the compiler of the kernels."""

HOW_MADE = (*SHORTENING, COMPILER)
"""Entries that tell how a row was made; tables and pictures of points leave them out."""

HOW_SIMULATED = (*HOW_MADE, ACCURACY)
"""Entries that are ignored when rows of two files are matched."""


def changed_values(params: str) -> dict[str, str]:
    """Reads the column `params`: values that differ from the defaults, by name. Names of settings contain a dot."""
    return dict(item.split("=", 1) for item in params.split(";") if "=" in item)


def params_of(values: Mapping[str, str]) -> str:
    """Writes values as the column `params`, for :func:`changed_values`."""
    return ";".join(f"{name}={value}" for name, value in values.items())


def with_value(params: str, name: str, value: str) -> str:
    """Returns the column `params` with one more value at its end, unless the value is empty."""
    return ";".join(filter(None, (params, f"{name}={value}" if value else "")))


def settings_in(params: str) -> str:
    """Returns the column `params` with only its settings of board and architecture."""
    return params_of({name: value for name, value in changed_values(params).items() if "." in name})


def starts_together(params: str) -> bool:
    """True if all cores of a run started at once; in published runs, the host started them in turn."""
    return changed_values(params).get("start") == "together"


def without_values(params: str, names: Collection[str]) -> str:
    """Returns the column `params` without some names."""
    return ";".join(item for item in params.split(";") if item.split("=", 1)[0] not in names)


def point_key(row: Row) -> tuple[Any, ...]:
    """Returns the key that identifies the point of a row, however it was simulated.

    A published row counts as one with all defaults.
    """
    point = {"board": ""} | row | {"params": without_values(str(row.get("params", "")), HOW_SIMULATED)}
    return tuple(point[name] for name in (*POINT_KEY, *VARIANT_KEY))


def point_in_words(row: Row) -> str:
    """Describes the point and the kernel of a row."""
    board, params = row.get("board", ""), row.get("params", "")
    size = (
        f"call_size={row['call_size_bytes']}" if "call_size_bytes" in row else f"size={row['transaction_size_bytes']}"
    )
    return (
        f"{row['test']}, {row['kernel']}, on {row['arch']}{f' ({board})' if board else ''}, "
        f"num_transactions={row['num_transactions']}, {size}" + (f", {params}" if params else "")
    )
