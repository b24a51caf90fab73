"""Results files: CSV, or Parquet with equal columns, by suffix.

Rows do not need pandas, whose import takes longer than many runs, and which a plain installation lacks.
"""

from __future__ import annotations

import csv
import functools
import io
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.results import published_tables
from nocbench.results.measured_rows import layout_of
from nocbench.support.atomic_files import atomic_path, require_replaceable, write_text
from nocbench.support.columns import (
    ALL_COLUMNS,
    COMMON_COLUMNS,
    HOW_SIMULATED,
    POINT_KEY,
    RESULT_COLUMNS,
    SIMULATED_TRANSACTIONS,
    VARIANT_KEY,
    Cell,
    Column,
    Row,
    changed_values,
    completed,
    without_values,
)
from nocbench.support.errors import InputError
from nocbench.support.extras import require_extra
from nocbench.support.input_files import MOST_COLUMNS, csv_rows, read_bytes
from nocbench.support.names import NAME, is_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import pandas
    import pyarrow  # type: ignore[import-untyped]

    from nocbench.results.measured_rows import Layout

_PARQUET = ".parquet"
SUFFIXES = (".csv", _PARQUET)
_MAX_MISTAKES_SHOWN = 20
_BANDWIDTH = "bandwidth_bytes_per_cycle"
_ZEROS = ("0", "0.0")
_OF_WHAT_MOVES = ("num_transactions", "transaction_size_bytes", "call_size_bytes", "bandwidth_bytes_per_cycle")
"""Columns that may be 0 in the row of a kernel that moves no data."""
_LARGEST_INTEGER = 2**63 - 1
_TRUTH = {"True": True, "true": True, "1": True, "False": False, "false": False, "0": False}


def require_writable(path: Path) -> None:
    """Raises InputError if results cannot be written to `path`. For a check before a long run."""
    if not is_regular(path):
        return
    _require_suffix(path)
    directory = path.resolve().parent
    if not directory.is_dir():
        raise InputError(f"{path}: there is no directory {directory}")
    require_replaceable(path)


def write_results(rows: Sequence[Row], path: Path) -> None:
    """Writes result rows, in order, with the columns of :func:`nocbench.support.columns.completed`."""
    if path.suffix == _PARQUET:
        _write_parquet(rows, path)
    else:
        write_text(path, to_csv(rows))


def to_csv(rows: Iterable[Row]) -> str:
    """Returns result rows as CSV. Reading the text gives equal numbers."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns, rows = completed(rows)
    writer.writerow(column.name for column in columns)
    writer.writerows([_shortest(row[column.name]) for column in columns] for row in rows)
    return text.getvalue()


def to_frame(rows: Iterable[Row]) -> pandas.DataFrame:
    """Returns result rows as a data frame, with types as if read from a file."""
    import pandas

    columns, rows = completed(rows)
    return _with_types(pandas.DataFrame(rows, columns=[column.name for column in columns]))


def rows_of(frame: pandas.DataFrame) -> list[Row]:
    """Returns the rows of a data frame, with values of Python's own types, which JSON accepts."""
    names = [str(name) for name in frame.columns]
    columns = [frame[name].tolist() for name in frame.columns]  # several times as fast as to_dict()
    return [dict(zip(names, values, strict=True)) for values in zip(*columns, strict=True)]


def read_results(path: str | Path) -> pandas.DataFrame:
    """Reads a results file, or a file of published measurements, which may contain tables in Markdown.

    The seven columns of ``nocbench.support.columns.COMMON_COLUMNS`` are required, in any order. The other columns of
    results are optional, and unknown columns are ignored. Measurements may have headings and test names of the tt-metal
    suite (:mod:`nocbench.results.measured_rows`); parameters become the column `params`.

    Returns:
        One row per (test, kernel, point), in the order of the file. Sizes are in bytes, latencies in cycles.
        Measurements have `riscv` and `params` only if the file has values for them.

    Raises:
        InputError: no such file, missing columns, or invalid values; the message lists all, with file and line.
    """
    return frame_of(read_points(Path(path)))


def frame_of(rows: Sequence[Row]) -> pandas.DataFrame:
    """Returns rows with equal columns, of which there may be fewer than results have, as a data frame."""
    import pandas

    return _with_types(pandas.DataFrame(rows))


def read_rows(path: Path) -> list[Row]:
    """Returns the rows of a results file, with all columns; the file may have no rows. Does not need pandas.

    Raises:
        InputError: see :func:`read_results`; also for a file of published measurements, which has fewer columns.
    """
    columns, rows = _read_checked(path)
    missing = [column.name for column in RESULT_COLUMNS if column not in columns]
    if missing:
        raise InputError(f"{path}: expected all columns of results, found none called {', '.join(missing)}")
    return rows


def read_points(path: Path) -> list[Row]:
    """Returns the rows of a results file, or of a file of published measurements, all with the same columns.

    Does not need pandas.

    Raises:
        InputError: see :func:`read_results`.
    """
    columns, rows = _read_checked(path)
    if not rows:
        raise InputError(f"{path}: holds no rows")
    return [{column.name: row[column.name] for column in columns} for row in rows]


def _read_checked(path: Path) -> tuple[list[Column], list[Row]]:
    if is_regular(path):
        _require_suffix(path, (*SUFFIXES, *published_tables.SUFFIXES))
    header, records, first_line = _read_file(path)
    return _checked_rows(path, header, records, first_line)


def is_regular(path: Path) -> bool:
    """Returns False for pipes and devices, such as /dev/stdin, which are read and written as CSV."""
    return path.is_file() or path.is_dir() or not path.exists()


def _require_suffix(path: Path, suffixes: tuple[str, ...] = SUFFIXES) -> None:
    if path.suffix not in suffixes:
        raise InputError(f"{path}: the name of a results file ends in {' or '.join(suffixes)}")
    if path.suffix == _PARQUET:
        require_extra("parquet", str(path))


def _shortest(value: Cell) -> Cell:
    # Published tables have 294 instead of 294.0.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read_file(path: Path) -> tuple[list[str], list[tuple[int, list[Any]]], str]:
    """Returns the header, the records with their lines, and the beginning of complaints about the header."""
    if path.suffix == _PARQUET:
        return _read_parquet(path)
    if path.suffix in published_tables.SUFFIXES:
        header, records, where = published_tables.read_markdown(path)
        return header, [(line, list(record)) for line, record in records], where
    return _read_csv(path)


def _read_csv(path: Path) -> tuple[list[str], list[tuple[int, list[Any]]], str]:
    rows = csv_rows(path, "results as CSV")
    line, header = next(rows, (1, []))
    return header, list(rows), f"{path}:{line}"


def _read_parquet(path: Path) -> tuple[list[str], list[tuple[int, list[Any]]], str]:
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.read_table(io.BytesIO(read_bytes(path)))
    except pyarrow.ArrowInvalid as error:
        raise InputError(f"{path}: is not a Parquet file: {error}") from None
    if table.num_columns > MOST_COLUMNS:
        raise InputError(f"{path}: expected results of at most {MOST_COLUMNS:,} columns, found {table.num_columns:,}")
    columns = [column.to_pylist() for column in table.columns]
    for number, column in enumerate(table.columns):
        if pyarrow.types.is_nested(column.type):  # lists and mappings are no values of results
            columns[number] = [None if value is None else str(value) for value in columns[number]]
    records = [(number, list(values)) for number, values in enumerate(zip(*columns, strict=True), start=1)]
    return list(table.column_names), records, str(path)


def _checked_rows(
    path: Path, header: list[str], records: list[tuple[int, list[Any]]], where_header: str
) -> tuple[list[Column], list[Row]]:
    if not header:
        raise InputError(f"{path}: is empty")
    layout = layout_of(path, header, where_header)
    columns = [column for column in ALL_COLUMNS if column.name in layout.columns]
    key = [name for name in POINT_KEY + VARIANT_KEY if name in layout.columns]
    mistakes: list[str] = []
    line_of_key: dict[tuple[Any, ...], int] = {}
    rows: list[Row] = []
    # Most values are those of other rows, too.
    parsers = {
        column.name: functools.lru_cache(maxsize=None, typed=True)(functools.partial(_parse, column))
        for column in columns
    }
    for line, record in records:
        where = f"{path}:{line}"
        if len(record) != len(header):
            mistakes.append(f"{where}: {len(record)} values for {len(header)} columns")
            continue
        cells, complaints = layout.cells(record)
        row, more = _parse_row(parsers, cells, layout)
        complaints += more
        mistakes += [f"{where}: {complaint}" for complaint in complaints]
        if complaints:
            continue
        rows.append(row)
        params = without_values(str(row.get("params", "")), HOW_SIMULATED)
        point = tuple(params if name == "params" else row[name] for name in key)
        first_line = line_of_key.setdefault(point, line)
        if first_line != line:
            mistakes.append(f"{where}: the same point as in line {first_line}")
    if mistakes:
        shown = mistakes[:_MAX_MISTAKES_SHOWN]
        if len(mistakes) > len(shown):
            shown.append(f"... and {len(mistakes) - len(shown)} more mistakes")
        raise InputError("\n".join(shown))
    if "params" not in layout.positions and not any(row.get("params") for row in rows):
        columns = [column for column in columns if column.name != "params" or layout.are_results]
    return [column for column in columns if all(column.name in row for row in rows)], rows


def _parse_row(
    parsers: Mapping[str, Callable[[object, bool], Cell]], cells: Mapping[str, Any], layout: Layout
) -> tuple[Row, list[str]]:
    """Returns a row with parsed values, and complaints. Missing values of measured rows are left out."""
    row: Row = {}
    complaints = []
    moves_nothing = _moves_nothing(cells)
    for name, parse in parsers.items():
        if name not in cells:
            continue
        try:
            row[name] = parse(cells[name], moves_nothing)
        except ValueError as error:
            complaints.append(f"{layout.in_file(name)}: {error}")
    if _BANDWIDTH not in cells and not complaints:
        row[_BANDWIDTH] = row["num_transactions"] * row["transaction_size_bytes"] / row["latency_cycles"]
    return row, complaints


def _moves_nothing(cells: Mapping[str, Any]) -> bool:
    """Returns True for the row of a kernel that moves no data on one of its cores, but waits for other kernels."""
    return str(cells.get("transaction_size_bytes")) in _ZEROS


def _parse(column: Column, value: object, moves_nothing: bool) -> Cell:
    """Returns the value of a cell. Raises ValueError with the complaint."""
    if column.kind == "text":
        text = "" if value is None else str(value)
        if not text and column in COMMON_COLUMNS:
            raise ValueError("is empty")
        if not is_name(text):
            raise ValueError(f"{text!r} is not {NAME}")
        if column.name == "params":
            _require_shortening(text)
        return text
    if column.kind == "boolean":
        if str(value) not in _TRUTH:
            raise ValueError(f"'{value}' is neither True nor False")
        return _TRUTH[str(value)]
    try:
        number = float(str(value))
    except ValueError:
        raise ValueError(f"'{value}' is not a number") from None
    if not math.isfinite(number):
        raise ValueError(f"'{value}' is not a finite number")
    if column.kind == "number":
        if number != column.unknown and number <= 0 and not (moves_nothing and column.name in _OF_WHAT_MOVES):
            raise ValueError(f"'{value}' is not above 0")
        return number
    if not number.is_integer():
        raise ValueError(f"'{value}' is not a whole number")
    try:
        whole = int(str(value))  # a float would lose digits
    except ValueError:
        whole = int(number)
    return _in_range(whole, 0 if moves_nothing and column.name in _OF_WHAT_MOVES else column.minimum)


def _in_range(whole: int, minimum: int) -> int:
    if whole < minimum:
        raise ValueError(f"'{whole}' is below {minimum}")
    if whole > _LARGEST_INTEGER:
        raise ValueError(f"'{whole}' is above {_LARGEST_INTEGER}, the largest integer of 64 bits")
    return whole


def _require_shortening(params: str) -> None:
    """Raises ValueError unless `simulated_transactions`, which shortened points have, is a number of transactions."""
    text = changed_values(params).get(SIMULATED_TRANSACTIONS, "1")
    try:
        whole = int(text)
    except ValueError:
        raise ValueError(f"{SIMULATED_TRANSACTIONS}: '{text}' is not a whole number") from None
    try:
        _in_range(whole, 1)
    except ValueError as error:
        raise ValueError(f"{SIMULATED_TRANSACTIONS}: {error}") from None


def _with_types(frame: pandas.DataFrame) -> pandas.DataFrame:
    types = {"text": "str", "integer": "int64", "number": "float64", "boolean": "bool"}
    return frame.astype({column.name: types[column.kind] for column in ALL_COLUMNS if column.name in frame.columns})


def _write_parquet(rows: Sequence[Row], path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    columns, completed_rows = completed(rows)
    table = pyarrow.table(
        {column.name: [row[column.name] for row in completed_rows] for column in columns}, _parquet_schema(columns)
    )
    with atomic_path(path) as temporary:
        parquet.write_table(table, temporary, compression="zstd")


def _parquet_schema(columns: Iterable[Column]) -> pyarrow.Schema:
    import pyarrow

    types = {
        "text": pyarrow.string(),
        "integer": pyarrow.int64(),
        "number": pyarrow.float64(),
        "boolean": pyarrow.bool_(),
    }
    return pyarrow.schema([(column.name, types[column.kind]) for column in columns])
