"""Data embedded in the HTML report: all points, by column, and the tables that show them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from nocbench.points.catalogue import BUILT_IN, in_use, is_own
from nocbench.points.peaks import peak_bytes_per_cycle
from nocbench.points.swept_tests import PARAMETERS
from nocbench.reports import cells
from nocbench.reports.texts import Texts
from nocbench.support.columns import changed_values, without_values
from nocbench.support.errors import InputError
from nocbench.support.wording import is_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nocbench.gating.verdicts import PointVerdict
    from nocbench.reports.traces import Trace

_RATE = "injection_rate"
_TEXT_COLUMNS = (
    *("arch", "board", "primitive", "test", "kernel", "params", "verdict", "series"),
    *("baseLimiter", "headLimiter", "why", "excuse", "command"),
)
_NUMBER_COLUMNS = (
    *("table", "testId", "count", "size", "call", "x", "fails", "changed"),
    *("baseCycles", "headCycles", "baseBandwidth", "headBandwidth"),
)


def report_data(points: Sequence[PointVerdict], traces: Sequence[Trace] = (), *, has_base: bool) -> dict[str, Any]:
    """Returns the data to embed as JSON.

    Args:
        points: points, in the order of the report.
        traces: traces of some of the points.
        has_base: True if the points have a base.
    """
    texts = Texts()
    columns: dict[str, list[float | None]] = {name: [] for name in (*_TEXT_COLUMNS, *_NUMBER_COLUMNS)}
    tables: dict[tuple[str, ...], int] = {}
    swept_by_test: dict[tuple[str, str, bool], tuple[str, ...]] = {}
    described: list[dict[str, Any]] = []
    for point in points:
        of_test = (point.arch, point.test, f"{_RATE}=" in point.params)
        if of_test not in swept_by_test:
            swept_by_test[of_test] = _swept_parameters(point)
        swept = swept_by_test[of_test]
        key = (point.arch, point.board, point.test, point.kernel, without_values(point.params, swept))
        if key not in tables:
            tables[key] = len(tables)
            described.append(_table(point, key, swept))
        for name, text in _texts_of(point, swept).items():
            columns[name].append(texts.place(text))
        for name, number in _numbers_of(point, swept).items():
            columns[name].append(number)
        columns["table"].append(tables[key])
    return {
        "hasBase": has_base,
        "numPoints": count_points(points),
        "texts": texts.all(),
        "points": columns,
        "tables": described,
        "traces": [_trace(trace, points) for trace in traces],
    }


def count_points(rows: Iterable[PointVerdict]) -> int:
    """Returns the number of points of rows; a point has a row per kernel.

    A program or a table of flows of the user's own is a single point, although its rows differ in number and size of
    calls.
    """
    return len(
        {
            (row.arch, row.board, row.test, row.params)
            if is_own(row.primitive)
            else (row.arch, row.board, row.test, row.params, row.num_transactions, _call_size(row))
            for row in rows
        }
    )


def to_embedded_json(data: dict[str, Any]) -> str:
    """Returns JSON that is safe within an HTML script element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _texts_of(point: PointVerdict, swept: tuple[str, ...]) -> dict[str, str]:
    return {
        **{name: getattr(point, name) for name in ("arch", "board", "primitive", "test", "kernel", "params")},
        "verdict": cells.verdict_in_words(point),
        "series": _series(point, swept),
        "baseLimiter": str(point.base.get("limiter", "")) if point.base else "",
        "headLimiter": str(point.head.get("limiter", "")) if point.head else "",
        "why": cells.why(point),
        "excuse": point.excuse,
        "command": point.command(),
    }


def _call_size(point: PointVerdict) -> int:
    return int(point.row.get("call_size_bytes", point.transaction_size_bytes))


def _numbers_of(point: PointVerdict, swept: tuple[str, ...]) -> dict[str, float | None]:
    numbers: dict[str, float | None] = {
        "testId": int(point.row.get("test_id", 0)),
        "count": point.num_transactions,
        "size": point.transaction_size_bytes,
        "call": _call_size(point),
        "x": _value_along(point, swept[0]) if swept else point.transaction_size_bytes,
        "fails": int(point.fails),
        "changed": int(point.is_changed),
    }
    for side, row in (("base", point.base), ("head", point.head)):
        for name, column in (("Cycles", "latency_cycles"), ("Bandwidth", "bandwidth_bytes_per_cycle")):
            numbers[f"{side}{name}"] = None if row is None else float(f"{row[column]:.8g}")
    return numbers


def _table(point: PointVerdict, key: tuple[str, ...], swept: tuple[str, ...]) -> dict[str, Any]:
    names = dict(zip(("arch", "board", "test", "kernel", "params"), key, strict=True))
    if not swept:
        labels = {"xLog": point.transaction_size_bytes > 0, "xLabel": "transaction size", "seriesLabel": "transactions"}
    elif swept[0] == _RATE:
        labels = {"xLog": False, "xLabel": "injection rate, flits per node and cycle", "seriesLabel": "pattern"}
    else:
        is_log = is_size(swept[0]) and (_value_along(point, swept[0]) or 0) > 0  # an axis of sizes
        labels = {"xLog": is_log, "xLabel": swept[0], "seriesLabel": swept[1] if len(swept) > 1 else "kernel"}
    return {**names, **labels, "peak": peak_bytes_per_cycle(point.row)}


def _swept_parameters(point: PointVerdict) -> tuple[str, ...]:
    """Returns the parameters that a picture shows, the axis first; none for tests that sweep sizes and counts."""
    has_rate = f"{_RATE}=" in point.params
    if not has_rate and in_use() is BUILT_IN:
        return ()
    try:
        tests = in_use().list_tests(point.arch)
    except (InputError, ImportError):
        return (_RATE,) if has_rate else ()
    known = next((test for test in tests if test.test == point.test), None)
    if known is not None and known.picture == PARAMETERS:
        return known.plotted
    others = known.swept_parameters if known is not None else ()
    return (_RATE, *(name for name in others if name != _RATE)) if has_rate else ()


def _series(point: PointVerdict, swept: tuple[str, ...]) -> str:
    if not swept:
        return f"{point.num_transactions} transaction{'' if point.num_transactions == 1 else 's'}"
    values = changed_values(point.params)
    if swept[0] != _RATE:
        return ", ".join(f"{name} {values.get(name, '')}" for name in swept[1:]) or point.kernel
    others = [values[name] for name in swept if name in values and name != _RATE]
    return ", ".join([*others, f"{point.num_transactions} x {point.transaction_size_bytes} B"])


def _value_along(point: PointVerdict, parameter: str) -> float | None:
    """Returns the value of a point on the axis; None for the load "saturation", which has no position on it."""
    try:
        return float(changed_values(point.params)[parameter])
    except (KeyError, ValueError):
        return None


def _trace(trace: Trace, points: Sequence[PointVerdict]) -> dict[str, Any]:
    about = trace.about
    matching = [number for number, point in enumerate(points) if about and _is_of(point, about)]
    words = (f"{name}={value}" for name, value in about.items() if name not in ("time unit", "arch", "board", "test"))
    where = f"{about['test']} on {about['arch']}" if {"test", "arch"} <= about.keys() else ""
    return {
        "name": trace.name,
        "link": trace.link,
        "content": trace.content,
        "label": ", ".join([where, *words]) if where else "",
        "points": matching,
    }


def _is_of(point: PointVerdict, about: Mapping[str, str]) -> bool:
    """Returns True if a trace is of the point. Traces do not name default values."""
    wanted = {
        "arch": point.arch,
        "test": point.test,
        "board": point.board,
        "num_transactions": str(point.num_transactions),
        "call_size": str(point.row.get("call_size_bytes", point.transaction_size_bytes)),
        **changed_values(point.params),
    }
    names_it = {"arch", "test"} <= about.keys()
    return names_it and all(about.get(name, value) == value for name, value in wanted.items() if value)
