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
        name: as in the CSV header.
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
"""What files of published measurements have, too."""

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
"""What `nocbench run` writes, in this order."""

PROGRAM_PRIMITIVE = "kernel"
"""What the column `primitive` has of kernels of a user's own."""

FLOWS_PRIMITIVE = "flows"
"""The same of flows of a table: such a row has the bandwidth of all its cores together, each with a link of its own."""

OWN_PRIMITIVES = (PROGRAM_PRIMITIVE, FLOWS_PRIMITIVE)
"""Of files of a user's own."""

TABLE_KEY = ["arch", "test", "kernel"]
"""What makes a table of measurements: one line of the published documents' contents."""

POINT_KEY = [*TABLE_KEY, "num_transactions", "transaction_size_bytes"]
"""What a result and a published measurement are matched by."""

VARIANT_KEY = ["board", "params"]
"""What tells apart results for the same published measurement: other boards, other parameters and settings."""


SIMULATED_TRANSACTIONS = "simulated_transactions"
STEADY = "steady"
"""What the column `params` has of a point that was run with fewer transactions than it is about: how many, and 0 where
they did not tell how long all take as well as they should."""

SHORTENING = (SIMULATED_TRANSACTIONS, STEADY)
"""These are no parameters: such a point is the same as one that was run whole."""

ACCURACY = "accuracy"
FAST = "fast"
"""The setting, and its only value that rows ever have: such a point was simulated packet by packet."""

COMPILER = "compiler"
"""What the column `params` has of a point whose kernels were compiled: the compiler's name and version."""

HOW_MADE = (*SHORTENING, COMPILER)
"""These say how a row was made. Tables and pictures of points leave them out."""

HOW_SIMULATED = (*HOW_MADE, ACCURACY)
"""These do not tell points apart either, where rows of two files are put beside each other."""


def changed_values(params: str) -> dict[str, str]:
    """Reads the column `params`: what differs from the defaults, by name. Names of settings have a dot in them."""
    return dict(item.split("=", 1) for item in params.split(";") if "=" in item)


def params_of(values: Mapping[str, str]) -> str:
    """The column `params` with these values, which :func:`changed_values` reads."""
    return ";".join(f"{name}={value}" for name, value in values.items())


def with_value(params: str, name: str, value: str) -> str:
    """The column `params` with one more value at its end; as it is if the value is empty."""
    return ";".join(filter(None, (params, f"{name}={value}" if value else "")))


def settings_in(params: str) -> str:
    """The column `params` with what was set of the board or the architecture only."""
    return params_of({name: value for name, value in changed_values(params).items() if "." in name})


def starts_together(params: str) -> bool:
    """Whether all cores of a run started at once. Those of published runs did not: their host started them in turn."""
    return changed_values(params).get("start") == "together"


def without_values(params: str, names: Collection[str]) -> str:
    """The column `params` without the values of some parameters."""
    return ";".join(item for item in params.split(";") if item.split("=", 1)[0] not in names)


def point_key(row: Row) -> tuple[Any, ...]:
    """What tells a result row from all others, however it was simulated.

    A published row, which does not say what differs from the defaults, counts as one where nothing does.
    """
    point = {"board": ""} | row | {"params": without_values(str(row.get("params", "")), HOW_SIMULATED)}
    return tuple(point[name] for name in (*POINT_KEY, *VARIANT_KEY))


def point_in_words(row: Row) -> str:
    """The point of a row, and the kernel, in words."""
    board, params = row.get("board", ""), row.get("params", "")
    size = (
        f"call_size={row['call_size_bytes']}" if "call_size_bytes" in row else f"size={row['transaction_size_bytes']}"
    )
    return (
        f"{row['test']}, {row['kernel']}, on {row['arch']}{f' ({board})' if board else ''}, "
        f"num_transactions={row['num_transactions']}, {size}" + (f", {params}" if params else "")
    )
