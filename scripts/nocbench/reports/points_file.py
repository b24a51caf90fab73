"""All points with their verdicts as CSV, for points.csv."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from nocbench.gating.verdicts import METRICS
from nocbench.reports import cells

if TYPE_CHECKING:
    from nocbench.gating.verdicts import GateReport, PointVerdict
    from nocbench.support.columns import Cell

_KEY_COLUMNS = (
    *("arch", "board", "primitive", "test", "kernel"),
    *("num_transactions", "transaction_size_bytes", "params"),
)

COLUMNS = (
    *_KEY_COLUMNS,
    "verdict",
    "fails",
    *(f"{metric}_{what}" for metric in METRICS for what in ("base", "head", "percent")),
    *("limiter_base", "limiter_head", "rule", "reason", "missed_bounds", "excuse"),
)
"""Columns of points.csv, in order. `_percent` is the difference of the head from the base."""


def render_points(report: GateReport) -> str:
    """Returns the content of points.csv: a row per point, the worst first."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for point in report.verdicts:
        writer.writerow(_row(point))
    return text.getvalue()


def _row(point: PointVerdict) -> dict[str, Cell]:
    row: dict[str, Cell] = {name: getattr(point, name) for name in _KEY_COLUMNS}
    row |= {"verdict": str(point.verdict), "fails": point.fails}
    for metric in METRICS:
        row |= {
            f"{metric}_base": _number(point.base[metric]) if point.base else "",
            f"{metric}_head": _number(point.head[metric]) if point.head else "",
            f"{metric}_percent": next((f"{c.percent:.6g}" for c in point.changes if c.metric == metric), ""),
        }
    row |= {
        "limiter_base": str(point.base.get("limiter", "")) if point.base else "",
        "limiter_head": str(point.head.get("limiter", "")) if point.head else "",
        "rule": cells.rule_in_words(point),
        "reason": point.reason,
        "missed_bounds": "; ".join(point.missed_bounds),
        "excuse": point.excuse,
    }
    return row


def _number(value: Cell) -> Cell:
    return int(value) if isinstance(value, float) and value.is_integer() else value
