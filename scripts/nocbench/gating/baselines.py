"""Baselines: recorded results, and the list of reasons for their changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.gating.verdicts import LIMITER, PointVerdict, Verdict
from nocbench.points.peaks import fault_of
from nocbench.results.comparable_rows import require_exact
from nocbench.results.result_files import read_points, read_rows, write_results
from nocbench.results.selected_rows import selected_rows
from nocbench.support.atomic_files import write_text
from nocbench.support.columns import COMPILER, RESULT_COLUMNS, point_key, without_values
from nocbench.support.errors import InputError
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.gating.verdicts import GateReport
    from nocbench.support.columns import Row

_REASONS_TITLE = "# Reasons for changes of"


@dataclass(frozen=True, slots=True)
class Acceptance:
    """New content of a baseline, and its differences from the old content.

    Attributes:
        rows: rows of the new baseline, in order.
        points: changed points, worst first.
        num_before: number of rows of the old baseline.
        num_kept: number of old rows that stay although the results do not have them.
    """

    rows: list[Row]
    points: list[PointVerdict]
    num_before: int = 0
    num_kept: int = 0


def accept_results(report: GateReport, baseline_file: Path, *, drop_missing: bool) -> Acceptance:
    """Returns a new baseline with the head's rows of changed points.

    All other points keep their old row, with its revision: unchanged points, those left out of the comparison, and
    those missing from the results. Results of a few tests must not drop the rest.

    Args:
        report: comparison of the new results with the baseline.
        baseline_file: path of the old baseline.
        drop_missing: True to drop compared points that the results do not have.

    Raises:
        InputError: rows that must not become a baseline: rows with wrong data, with more bandwidth than links carry, or
            without all columns of results.
    """
    judged = {point_key(row) for point in report.verdicts for row in (point.base, point.head) if row is not None}
    before = read_rows(baseline_file)
    rows = [row for row in before if point_key(row) not in judged]
    num_kept = 0 if drop_missing else report.count(Verdict.GONE)

    def takes_over(point: PointVerdict) -> bool:
        return (point.is_changed or bool(_limiters(point))) and (drop_missing or point.verdict != Verdict.GONE)

    changed = [point for point in report.verdicts if takes_over(point)]
    rows += [point.head for point in changed if point.head is not None]
    rows += [point.base for point in report.verdicts if not takes_over(point) and point.base is not None]
    _require_sound(report.head.name, rows)
    rows.sort(key=_order)
    return Acceptance(rows, changed, len(before), num_kept)


def first_baseline(results_file: Path, patterns: Sequence[str], architectures: Sequence[str]) -> Acceptance:
    """Returns a first baseline with the chosen results.

    Raises:
        InputError: rows that must not become a baseline, or a file that cannot be read.
        NotComparableError: rows of points that were simulated packet by packet.
        NothingMatchedError: no row is chosen.
    """
    rows = selected_rows(read_points(results_file), architectures, patterns)
    require_exact(results_file, rows)
    _require_sound(str(results_file), rows)
    rows.sort(key=_order)
    return Acceptance(rows, [])


def _require_sound(name: str, rows: Sequence[Row]) -> None:
    for row in rows:
        missing = [column.name for column in RESULT_COLUMNS if column.name not in row]
        if missing:
            raise InputError(f"{name}: expected all columns of results, found no {', '.join(missing)}")
        if fault := fault_of(row):
            raise InputError(
                f"{name}: {fault} cannot become a baseline: {row['test']}, {row['kernel']}, "
                f"{row['num_transactions']} x {row['transaction_size_bytes']} B on {row['arch']}"
            )


def _order(row: Row) -> tuple[object, ...]:
    names = ("arch", "test_id", "test", "board", "params", "num_transactions", "transaction_size_bytes", "kernel")
    point = row | {"params": without_values(row["params"], (COMPILER,))}
    return tuple(point[name] for name in names)


def _limiters(point: PointVerdict) -> list[str]:
    """Describes a change of limiter, which a policy may judge even at equal latency; empty without a change."""
    if point.base is None or point.head is None or point.base.get(LIMITER) == point.head.get(LIMITER):
        return []
    return [f"limited by {point.base[LIMITER]} -> {point.head[LIMITER]}"]


def describe_acceptance(acceptance: Acceptance) -> list[str]:
    """Returns a line per changed point with its changed values, then lines on kept rows and on a shrunken baseline."""
    lines = []
    for point in acceptance.points:
        values = [
            f"{change.metric} {change.base:.10g} -> {change.head:.10g} ({change.percent:+.2f} %)"
            for change in point.changes
            if change.base != change.head
        ]
        values += _limiters(point)
        word = point.verdict if point.verdict != Verdict.UNGATED else Verdict.SAME
        what = "; ".join(values) or point.reason
        lines.append(f"{word}: {point.describe()}" + (f": {what}" if what else ""))
    if acceptance.num_kept:
        lines.append(
            f"kept: {plural(acceptance.num_kept, 'row')} of the baseline that the results do not have; "
            "--drop-missing drops them"
        )
    if len(acceptance.rows) < acceptance.num_before:
        lines.append(f"the baseline shrinks from {acceptance.num_before} to {plural(len(acceptance.rows), 'row')}")
    return lines


def write_baseline(path: Path, acceptance: Acceptance, reason: str, revision: str) -> Path:
    """Writes the baseline, and adds the reason to the list beside it. Returns the path of the list."""
    reasons = path.with_name(f"{path.stem}.reasons.md")
    counts = {verdict: sum(point.verdict == verdict for point in acceptance.points) for verdict in Verdict}
    summary = (
        ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count) or f"{len(acceptance.rows)} rows"
    )
    if len(acceptance.rows) < acceptance.num_before:
        summary += f", shrunk from {acceptance.num_before} to {plural(len(acceptance.rows), 'row')}"
    earlier = reasons.read_text() if reasons.exists() else f"{_REASONS_TITLE} {path.name}\n\n"
    write_results(acceptance.rows, path)
    write_text(reasons, f"{earlier}- {reason} (revision {revision}: {summary})\n")
    return reasons
