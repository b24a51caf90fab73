"""The columns of a result row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

Cell = str | int | float | bool
Row = dict[str, Any]
"""A result row: cells by name of the column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: name, including the unit, and valid values.

    Attributes:
        name: name as in the CSV header.
        kind: "text", "integer", "number" (finite and above 0) or "boolean".
        minimum: minimum value of an integer.
        unknown: value for rows of files without the column; None if all files of results have it.
    """

    name: str
    kind: Literal["text", "integer", "number", "boolean"]
    minimum: int = 0
    unknown: float | None = None


COMMON_COLUMNS = (
    Column("arch", "text"),
    Column("test", "text"),
    Column("kernel", "text"),
    Column("num_transactions", "integer", minimum=1),
    Column("transaction_size_bytes", "integer", minimum=1),
    Column("latency_cycles", "number"),
    Column("bandwidth_bytes_per_cycle", "number"),
)
"""Columns of result rows that published measurements also have."""

RESULT_COLUMNS = (
    *COMMON_COLUMNS,
    Column("call_size_bytes", "integer", minimum=1),
    Column("primitive", "text"),
    Column("test_id", "integer"),
    Column("board", "text"),
    Column("noc", "integer"),
    Column("riscv", "integer"),
    Column("num_cores", "integer", minimum=1),
    Column("median_core_cycles", "number", unknown=0.0),
    Column("all_cores_cycles", "number", unknown=0.0),
    Column("clock_hz", "integer", minimum=1),
    Column("data_ok", "boolean"),
    Column("limiter", "text"),
    Column("params", "text"),
    Column("revision", "text"),
)
"""Columns that `nocbench run` writes, in order."""

PROGRAM_COLUMNS = (
    Column("program_operations", "integer"),
    Column("program_math_cycles", "number", unknown=0.0),
    Column("program_dram_bytes", "integer"),
    Column("program_noc_bytes", "integer"),
    Column("program_cycles", "integer"),
    Column("program_limiter", "text"),
)
"""Columns behind these in files with rows of programs that compute: what the whole program has done.

They are 0 or empty in other rows.
"""

ALL_COLUMNS = (*RESULT_COLUMNS, *PROGRAM_COLUMNS)

UNKNOWN_VALUES = {column.name: column.unknown for column in RESULT_COLUMNS if column.unknown is not None}
"""Values of columns that rows of earlier revisions lack."""

MEDIAN_CORE, ALL_CORES = "median_core_cycles", "all_cores_cycles"
"""Columns with the two durations that a published latency may be: that of the median core, and that from the start of
the first core to the end of the last one.
"""

PROGRAM_PRIMITIVE = "kernel"
"""Value of the column `primitive` for the user's own kernels."""

FLOWS_PRIMITIVE = "flows"
"""Value of the column `primitive` for tables of flows, whose rows have the total bandwidth of all cores."""

OWN_PRIMITIVES = (PROGRAM_PRIMITIVE, FLOWS_PRIMITIVE)
"""Values of the column `primitive` for the user's own files."""

TABLE_KEY = ["arch", "test", "kernel"]
"""Columns that identify a table of measurements, an entry in the contents of published documents."""

POINT_KEY = [*TABLE_KEY, "num_transactions", "transaction_size_bytes"]
"""Columns by which results are matched with published measurements."""

VARIANT_KEY = ["board", "params"]
"""Columns that distinguish results for one published measurement: boards, parameters, settings."""


SIMULATED_TRANSACTIONS = "simulated_transactions"
STEADY = "steady"
"""Entries in `params` of a shortened point: the simulated transactions, and 0 for an uncertain prediction."""

SHORTENING = (SIMULATED_TRANSACTIONS, STEADY)
"""Entries that are no parameters: a shortened point and a point with all transactions are the same point."""

ACCURACY = "accuracy"
FAST = "fast"
"""Setting of points that were simulated packet by packet, and its only value in rows."""

COMPILER = "compiler"
"""Entry in the column `params` with name and version of the kernels' compiler."""

PROGRAM = "program"
"""Entry in the column `params` with name and arguments of a host program."""

HOW_MADE = (*SHORTENING, COMPILER)
"""Entries that tell how a row was made; tables and pictures of points omit them."""

HOW_SIMULATED = (*HOW_MADE, ACCURACY)
"""Entries that are ignored when rows of two files are matched."""


def completed(rows: Iterable[Row]) -> tuple[tuple[Column, ...], list[Row]]:
    """Returns the columns of result rows, and the rows with all of them.

    There are columns of programs that compute only if one of the rows has them.
    """
    rows = list(rows)
    if not any(PROGRAM_COLUMNS[0].name in row for row in rows):
        return RESULT_COLUMNS, rows
    empty = {column.name: "" if column.kind == "text" else 0 for column in PROGRAM_COLUMNS}
    return ALL_COLUMNS, [empty | row for row in rows]


def changed_values(params: str) -> dict[str, str]:
    """Returns the values in the column `params`, which differ from defaults, by name.

    Names of settings contain a dot.
    """
    return dict(item.split("=", 1) for item in params.split(";") if "=" in item)


def params_of(values: Mapping[str, str]) -> str:
    """Returns values in the format of the column `params`, for :func:`changed_values`."""
    return ";".join(f"{name}={value}" for name, value in values.items())


def with_value(params: str, name: str, value: str) -> str:
    """Returns the text of the column `params` with a further value at the end, unless the value is empty."""
    return ";".join(filter(None, (params, f"{name}={value}" if value else "")))


def settings_in(params: str) -> str:
    """Returns the text of the column `params` with only the settings of board and architecture."""
    return params_of({name: value for name, value in changed_values(params).items() if "." in name})


def without_values(params: str, names: Collection[str]) -> str:
    """Returns the text of the column `params` without some names."""
    return ";".join(item for item in params.split(";") if item.split("=", 1)[0] not in names)


def point_key(row: Row) -> tuple[Any, ...]:
    """Returns the key of a row's point, independent of how it was simulated.

    A published row counts as a row with all defaults.
    """
    point = {"board": ""} | row | {"params": without_values(str(row.get("params", "")), HOW_SIMULATED)}
    return tuple(point[name] for name in (*POINT_KEY, *VARIANT_KEY))


def point_in_words(row: Row) -> str:
    """Returns point and kernel of a row in words."""
    board, params = row.get("board", ""), row.get("params", "")
    size = (
        f"call_size={row['call_size_bytes']}" if "call_size_bytes" in row else f"size={row['transaction_size_bytes']}"
    )
    return (
        f"{row['test']}, {row['kernel']}, on {row['arch']}{f' ({board})' if board else ''}, "
        f"num_transactions={row['num_transactions']}, {size}" + (f", {params}" if params else "")
    )
