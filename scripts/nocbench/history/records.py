"""The file of the history, and the changes from line to line."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nocbench.published.accuracy_summary import accuracy_summary
from nocbench.published.accuracy_tables import compared_tables
from nocbench.results.kept_results import digest
from nocbench.results.result_files import rows_of
from nocbench.support.atomic_files import write_text
from nocbench.support.errors import InputError
from nocbench.support.input_files import read_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import pandas

    from nocbench.support.columns import Row

_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Record:
    """Results of a revision.

    Attributes:
        revision: the revision.
        date: its day, "2026-11-28".
        release: name of the release that it is, or empty.
        digest: hash of the rows.
        accuracy: median error in percent by group of published tables, and of all as "all".
        tests: geometric mean of the latencies in cycles, and the number of rows, by "ARCH/TEST".
    """

    revision: str
    date: str
    release: str
    digest: str
    accuracy: Mapping[str, float]
    tests: Mapping[str, tuple[float, int]]

    @property
    def name(self) -> str:
        """Release, or revision."""
        return self.release or self.revision


@dataclass(frozen=True, slots=True)
class Change:
    """Change from a record to the next.

    Attributes:
        what: test as "ARCH/TEST", or group of published tables.
        before, after: geometric means in cycles, or median errors in percent.
    """

    what: str
    before: float
    after: float

    @property
    def percent(self) -> float:
        """Change in percent of the earlier value."""
        return 100 * (self.after / self.before - 1) if self.before else math.inf


def record_of(
    results: pandas.DataFrame, reference: pandas.DataFrame, *, revision: str, date: str, release: str = ""
) -> Record:
    """Returns the record of result rows."""
    rows = rows_of(results)
    return Record(
        revision=revision,
        date=date,
        release=release,
        digest=digest(rows),
        accuracy=_accuracy(results, reference),
        tests=_means(rows),
    )


def read_history(path: Path) -> list[Record]:
    """Returns the records of a file, the oldest first; none without a file.

    Raises:
        InputError: a line that is no record.
    """
    if not path.exists():
        return []
    records = []
    for number, line in enumerate(read_text(path, "a history").splitlines(), start=1):
        try:
            values: dict[str, Any] = json.loads(line)
            values["tests"] = {name: (float(mean), int(rows)) for name, (mean, rows) in values["tests"].items()}
            records.append(Record(**values))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"{path}:{number}: expected a record as 'nocbench history add' writes it: {error}"
            ) from None
    return records


def write_history(path: Path, records: Sequence[Record]) -> None:
    """Writes records, one per line. Raises InputError if the file cannot be written."""
    lines = (json.dumps(asdict(record), separators=(",", ":")) for record in records)
    write_text(path, "".join(f"{line}\n" for line in lines))


def with_record(records: Sequence[Record], record: Record) -> list[Record]:
    """Returns records with one more at the end; it replaces an earlier one of its revision."""
    return [*(earlier for earlier in records if earlier.revision != record.revision), record]


def changed_tests(before: Record, after: Record) -> list[Change]:
    """Returns the tests whose mean latency changed, the largest change first.

    Tests with another number of rows have other points, and no change.
    """
    return _changes(before.tests, after.tests)


def slower_tests(since: Record, rows: Sequence[Row], percent: float) -> list[Change]:
    """Returns the tests whose mean latency in rows is more than `percent` above that of a record."""
    return [change for change in _changes(since.tests, _means(rows)) if change.percent > percent]


def find_record(records: Sequence[Record], name: str) -> Record | None:
    """Returns the last record of a release or revision; without a name, the last one of any release."""
    found = [one for one in records if (one.release if not name else name in (one.release, one.revision))]
    return found[-1] if found else None


def changed_accuracy(before: Record, after: Record) -> list[Change]:
    """Returns the groups whose median error changed, in the order of the later record."""
    return [
        Change(group, before.accuracy[group], percent)
        for group, percent in after.accuracy.items()
        if group in before.accuracy and before.accuracy[group] != percent
    ]


def _changes(before: Mapping[str, tuple[float, int]], after: Mapping[str, tuple[float, int]]) -> list[Change]:
    changes = [
        Change(name, before[name][0], mean)
        for name, (mean, num_rows) in after.items()
        if name in before and before[name][1] == num_rows and before[name][0] != mean
    ]
    return sorted(changes, key=lambda change: (-abs(change.percent), change.what))


def _accuracy(results: pandas.DataFrame, reference: pandas.DataFrame) -> dict[str, float]:
    summary = accuracy_summary(compared_tables(results, reference))
    found = {group.family: group.median_percent for group in summary.groups} | {"all": summary.total.median_percent}
    return {name: _rounded(percent) for name, percent in found.items() if percent is not None}


def _means(rows: Sequence[Row]) -> dict[str, tuple[float, int]]:
    logarithms: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        logarithms[f"{row['arch']}/{row['test']}"].append(math.log(row["latency_cycles"]))
    return {
        name: (_rounded(math.exp(math.fsum(values) / len(values))), len(values))
        for name, values in sorted(logarithms.items())
    }


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")
