"""Reading of users' files. Missing, endless and malformed files raise InputError with the reason."""

from __future__ import annotations

import csv
import io
import json
import stat
from typing import TYPE_CHECKING, Any

from nocbench.support.atomic_files import is_open_file
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_BYTES = 2**30
"""Maximum size of a file: results of some millions of points."""
MOST_COLUMNS = 1000
"""Maximum number of columns of a table."""
MOST_LEVELS = 64
"""Maximum nesting of lists and objects, for JSON and YAML."""


def require_file(path: Path) -> None:
    """Raises InputError unless `path` is a readable file of at most MOST_BYTES.

    Pipes that a shell has opened, such as /dev/stdin, count as files. Named pipes do not: reading one without a writer
    would never end.
    """
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if stat.S_ISREG(status.st_mode):
        _require_size(path, status.st_size)
    elif not is_open_file(path):
        raise InputError(f"{path}: cannot be read: expected a file, found {_kind_of(status.st_mode)}")


def read_bytes(path: Path) -> bytes:
    """Returns the content of a file. Raises InputError if the file cannot be read."""
    require_file(path)
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    _require_size(path, len(content))
    return content


def read_text(path: Path, what: str) -> str:
    """Returns the text of a file in UTF-8, with or without BOM.

    Raises InputError; the message names `what` was expected.
    """
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{path}: expected {what} in UTF-8, found other bytes") from None


def read_json(path: Path, what: str) -> Any:  # noqa: ANN401 - any JSON value
    """Returns the content of a JSON file. Raises InputError; the message names `what` was expected."""
    return parse_json(read_text(path, f"{what} as JSON"), path, what)


def parse_json(text: str, path: Path, what: str) -> Any:  # noqa: ANN401 - any JSON value
    """Returns the content of a JSON text. Raises InputError; the message names `what` was expected."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}:{error.lineno}:{error.colno}: expected {what} as JSON, found a mistake in it, or its end: "
            f"{error.msg}"
        ) from None
    except RecursionError:
        pass
    except ValueError:  # from Python's limit on the digits of a number
        raise InputError(f"{path}: expected {what} as JSON, found a number of thousands of digits") from None
    else:
        if not isinstance(document, (dict, list)) or not _is_deep(document):
            return document
    raise InputError(f"{path}: expected {what} as JSON, found lists and objects in more than {MOST_LEVELS} levels")


def csv_rows(path: Path, what: str) -> Iterator[tuple[int, list[str]]]:
    """Yields the rows of a CSV file in UTF-8, without empty ones, each with its line number.

    Raises InputError; the message names `what` was expected.
    """
    reader = csv.reader(io.StringIO(read_text(path, what), newline=""), strict=True)
    try:
        for row in reader:
            if len(row) > MOST_COLUMNS:
                raise InputError(
                    f"{path}:{reader.line_num}: expected {what} of at most {MOST_COLUMNS:,} columns, found {len(row):,}"
                )
            if row:
                yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: expected CSV, found a mistake in it: {error}") from None


def _is_deep(document: object) -> bool:
    """Returns True if a document has more than MOST_LEVELS levels."""
    level: list[Any] = [document]
    for _ in range(MOST_LEVELS):
        items = [item for value in level for item in (value.values() if isinstance(value, dict) else value)]
        level = [item for item in items if isinstance(item, (dict, list))]
    return bool(level)


def _require_size(path: Path, size: int) -> None:
    if size > MOST_BYTES:
        raise InputError(f"{path}: expected at most {MOST_BYTES:,} bytes, found {size:,}")


def _kind_of(mode: int) -> str:
    kinds = ((stat.S_ISDIR, "a directory"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    return next((kind for is_kind, kind in kinds if is_kind(mode)), "a device")
