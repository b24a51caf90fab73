"""The journal of a run, which holds finished points on disk, so that a crash loses only running points.

The journal is beside the results file, and is removed when the results are written. It consists of JSON lines with
checksums: a header for each start of the run, followed by a line per finished point. A line identifies its point by a
digest of configuration, revision and shortening, so that lines of other runs are ignored.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import re
import time
import zlib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from nocbench.points.selection import selection_digest
from nocbench.running.details import holds_details, remove_staged_details
from nocbench.running.outcomes import Measured
from nocbench.running.running_costs import RunningCost
from nocbench.support.columns import PROGRAM_COLUMNS, RESULT_COLUMNS
from nocbench.support.errors import InputError, PointRejectedError
from nocbench.support.revision import identity, revision
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from nocbench.points.point import Point

SUFFIX = ".journal"
_SCHEMA_VERSION = 1
_HEADER_KEY = "nocbench_journal"
_COLUMNS = [column.name for column in RESULT_COLUMNS if column.name != "revision"]
_ALL_COLUMNS = [*_COLUMNS, *(column.name for column in PROGRAM_COLUMNS)]
_COST_FIELDS = [field.name for field in fields(RunningCost)]
_LINE = re.compile(rb'\{"crc32": "([0-9a-f]{8})", (.+)')
_SYNCHRONIZE_SECONDS = 5.0  # a sync takes tens of milliseconds
_WORTH_KEEPING_SECONDS = 60.0
_MAX_SHOWN_BYTES = 40


class Journal:
    """Journal of finished points, with those of an earlier start of the run. Only one process can open it at a time.

    >>> with Journal(Path("results.csv.journal"), points, whole=False) as journal:
    ...     journal.record(points[0], measured) ...     journal.is_complete = True  # the results are written: it goes

    Attributes:
        path: path of the journal.
        taken: results of an earlier start, by position of the point.
        notes: remarks for the user.
        is_complete: to be set when the results are written; otherwise, the journal stays.
        is_kept: True if the journal stays after the block.
    """

    def __init__(
        self,
        path: Path,
        points: Sequence[Point],
        *,
        whole: bool,
        detail_directory: Path | None = None,
        restart: bool = False,
    ) -> None:
        """Opens or begins a journal.

        Args:
            path: path of the journal, as from :func:`journal_path`.
            points: points of this run.
            whole: True if points run with all transactions.
            detail_directory: directory of details, or None; a point without details is not finished.
            restart: True to discard an existing journal.

        Raises:
            InputError: another run writes the journal, or the journal cannot be written or is damaged.
        """
        self.path = path
        self.taken: dict[int, Measured] = {}
        self.notes: list[str] = []
        self.is_complete = False
        self.is_kept = False
        self._whole = whole
        self._num_seconds = 0.0
        self._detail_directory = detail_directory
        self._header = {
            _HEADER_KEY: _SCHEMA_VERSION,
            "revision": _identity(points),
            "selection": selection_digest(points, whole=whole),
            "points": len(points),
            "whole": whole,
            "columns": _COLUMNS,
        }
        self._has_header = False
        self._synchronized_seconds = time.monotonic()
        self._file = self._open_locked()
        try:
            if restart:
                os.ftruncate(self._file, 0)
            self._size = self._take_over(points)
        except BaseException:
            os.close(self._file)
            raise

    def __enter__(self) -> Self:
        """Returns the journal itself."""
        return self

    def __exit__(
        self, error_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Removes the journal if the run is complete or little work would be lost; keeps it otherwise."""
        # Bad input leaves no journal, unless the journal holds much work.
        is_worthless = isinstance(error, PointRejectedError) and self._num_seconds < _WORTH_KEEPING_SECONDS
        self.is_kept = bool(self._size) and not self.is_complete and not is_worthless
        if not self.is_kept:
            self.path.unlink(missing_ok=True)
            if self._detail_directory is not None:
                remove_staged_details(self._detail_directory, self.staging_name)
        else:
            with contextlib.suppress(OSError):
                os.fsync(self._file)
        os.close(self._file)

    @property
    def staging_name(self) -> str:
        """Name of the staging directory of details, equal at every start of the run."""
        return hashlib.sha256(os.path.realpath(self.path).encode()).hexdigest()[:12]

    def record(self, point: Point, measured: Measured) -> None:
        """Appends a finished point.

        Raises:
            InputError: the journal cannot be written, for instance because the disk is full; earlier points stay.
        """
        lines = b"" if self._has_header else _line(self._header)
        self._has_header = True
        self._num_seconds += measured.cost.cpu_seconds
        details = hashlib.sha256(measured.details.encode()).hexdigest() if measured.details else ""
        lines += _line(
            {
                "point": self._digest(point),
                "rows": [
                    [row[name] for name in _ALL_COLUMNS if name in row or name in _COLUMNS] for row in measured.rows
                ],
                **({"data_faults": measured.data_faults} if any(measured.data_faults) else {}),
                "details": details,
                "cost": {name: getattr(measured.cost, name) for name in _COST_FIELDS},
            }
        )
        try:
            self._append(lines)
        except OSError as error:
            with contextlib.suppress(OSError):  # removes an incomplete line
                os.ftruncate(self._file, self._size)
            raise InputError(
                f"{self.path}: cannot be written: {error.strerror or error}. What finished before that is kept there: "
                "once there is room, the same command goes on from it"
            ) from None

    def _append(self, lines: bytes) -> None:
        rest = memoryview(lines)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        self._size += len(lines)
        # A killed process loses nothing; a power failure loses the last seconds.
        now_seconds = time.monotonic()
        if now_seconds - self._synchronized_seconds > _SYNCHRONIZE_SECONDS:
            os.fsync(self._file)
            self._synchronized_seconds = now_seconds

    def _open_locked(self) -> int:
        while True:
            try:
                # The name of the journal is predictable, so that another user could place a link there: do not follow
                # it.
                file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
            except OSError as error:
                raise InputError(f"{self.path}: cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.fstat(file).st_ino == self.path.stat().st_ino:
                    return file
            except BlockingIOError:
                os.close(file)
                raise InputError(
                    f"{self.path}: another run is writing to it; wait for that, or write to another results file"
                ) from None
            except FileNotFoundError:
                pass
            os.close(file)  # a run has just ended and removed the file

    def _digest(self, point: Point) -> str:
        return hashlib.sha256(f"{identity()} {self._whole} {point.digest()}".encode()).hexdigest()[:32]

    def _take_over(self, points: Sequence[Point]) -> int:
        """Reads the journal and removes an incomplete last line. Returns the remaining size."""
        with os.fdopen(os.dup(self._file), "rb") as file:
            file.seek(0)
            data = file.read()
        found, size = self._read(data)
        if size < len(data):
            os.ftruncate(self._file, size)
            self.notes.append(f"{self.path}: the last line was not written whole and is dropped")
        without_details = 0
        for position, point in enumerate(points if found else ()):
            line = found.pop(self._digest(point), None)
            if line is None:
                continue
            if self._detail_directory is not None and not holds_details(
                self._detail_directory, self.staging_name, point, line["details"]
            ):
                without_details += 1
                continue
            rows = [dict(zip(_ALL_COLUMNS, values, strict=False)) for values in line["rows"]]
            self._num_seconds += line["cost"]["cpu_seconds"]
            data_faults = line.get("data_faults", [""] * len(rows))
            self.taken[position] = Measured(rows, data_faults, "", RunningCost(**line["cost"]))
        if self.taken:
            self.notes.append(f"{len(self.taken)} of {plural(len(points), 'point')} taken over from {self.path}")
        if without_details:
            self.notes.append(f"{plural(without_details, 'point')} in {self.path} without details: run again")
        if found:
            what = f"{plural(len(found), 'point')} in {self.path}"
            self.notes.append(f"{what} not used: of other sources than those of {revision()}, or not of this run")
        return size

    def _read(self, data: bytes) -> tuple[dict[str, dict[str, Any]], int]:
        """Returns the lines of points by digest, and the number of bytes before an incomplete line."""
        lines = data.split(b"\n")
        found: dict[str, dict[str, Any]] = {}
        size = 0
        for number, line in enumerate(lines[:-1], start=1):
            is_last = number == len(lines) - 1 and not lines[-1]
            try:
                record = _parse(line)
                if number == 1 or _HEADER_KEY in record:
                    self._require_readable(record, number)
                else:
                    found[record["point"]] = record
            except (ValueError, KeyError, TypeError) as error:
                if isinstance(error, InputError):
                    raise
                if is_last:
                    return found, size
                shown = line[:_MAX_SHOWN_BYTES].decode(errors="replace")
                raise InputError(
                    f"{self.path}:{number}: expected a line of a journal, found '{shown}', which is damaged; "
                    + (
                        "start over with --restart"
                        if number == 1
                        else "delete this line, so that its point runs again, or start over with --restart"
                    )
                ) from None
            size += len(line) + 1
        return found, size

    def _require_readable(self, header: dict[str, Any], number: int) -> None:
        version = header[_HEADER_KEY]
        if version != _SCHEMA_VERSION or header["columns"] != _COLUMNS:
            raise InputError(
                f"{self.path}:{number}: expected a journal of schema version {_SCHEMA_VERSION} with the columns of "
                f"this revision, found version {version} by revision {header.get('revision')}: finish the run with "
                "that, or start over with --restart"
            )


def journal_path(results_path: Path) -> Path:
    """Returns the path of the journal of a run that writes to `results_path`: "results.csv.journal"."""
    target = Path(os.path.realpath(results_path)) if results_path.is_symlink() else results_path
    return target.with_name(target.name + SUFFIX)


def _identity(points: Sequence[Point]) -> str:
    return points[0].catalogue.identity() if points else identity()


def _line(record: dict[str, Any]) -> bytes:
    text = json.dumps(record)[1:].encode()
    return b'{"crc32": "%08x", %s\n' % (zlib.crc32(text), text)


def _parse(line: bytes) -> dict[str, Any]:
    """Returns the content of a line. Raises ValueError if the line is damaged."""
    match = _LINE.fullmatch(line)
    if match is None or int(match[1], 16) != zlib.crc32(match[2]):
        raise ValueError("the checksum is wrong")
    return dict(json.loads(line))
