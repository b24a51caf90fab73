"""Results in the formats of other tools: functions from rows to JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.points.peaks import why_no_result
from nocbench.support.columns import HOW_MADE, without_values
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from nocbench.support.columns import Row

_NANOSECONDS_PER_SECOND = 1_000_000_000
_JSON_SCHEMA_VERSION = 1
"""Version of Google Benchmark's JSON; its tools refuse all others."""


def google_benchmark(rows: Sequence[Row]) -> dict[str, Any]:
    """Returns results as JSON of Google Benchmark, for its tools/compare.py.

    Times are those of the modeled chip, cycles / clock. The JSON depends neither on the host nor on the time of the
    run.

    Raises:
        InputError: the rows have no clock.
    """
    if not all("clock_hz" in row for row in rows):
        raise InputError("google-benchmark wants times, and these results have no column 'clock_hz'")
    families: dict[tuple[object, ...], int] = {}
    instances: dict[int, int] = {}
    benchmarks = []
    for row in rows:
        family = families.setdefault((row["arch"], row["test"], row["kernel"]), len(families))
        instances[family] = instances.get(family, -1) + 1
        name = point_name(row)
        clock_hz = int(row["clock_hz"])
        nanoseconds = float(row["latency_cycles"]) * _NANOSECONDS_PER_SECOND / clock_hz
        benchmarks.append(
            {
                "name": name,
                "family_index": family,
                "per_family_instance_index": instances[family],
                "run_name": name,
                "run_type": "iteration",
                "repetitions": 1,
                "repetition_index": 0,
                "threads": 1,
                "iterations": 1,
                "real_time": nanoseconds,
                "cpu_time": nanoseconds,
                "time_unit": "ns",
                "bytes_per_second": float(row["bandwidth_bytes_per_cycle"]) * clock_hz,
                "latency_cycles": float(row["latency_cycles"]),
                "bandwidth_bytes_per_cycle": float(row["bandwidth_bytes_per_cycle"]),
                "label": str(row.get("limiter", "")),
                **_error(row),
            }
        )
    revisions = sorted({str(row.get("revision", "")) for row in rows})
    context = {
        "executable": "nocbench",
        "library_build_type": "release",
        "json_schema_version": _JSON_SCHEMA_VERSION,
        "nocbench_revision": ", ".join(revisions),
    }
    return {"context": context, "benchmarks": benchmarks}


def _error(row: Row) -> dict[str, Any]:
    message = why_no_result(row)
    return {"error_occurred": True, "error_message": message} if message else {}


def bencher(rows: Iterable[Row]) -> dict[str, Any]:
    """Returns results in Bencher Metric Format: measures with their values, by name of the benchmark."""
    return {
        point_name(row): {
            "latency-cycles": {"value": float(row["latency_cycles"])},
            "bandwidth-bytes-per-cycle": {"value": float(row["bandwidth_bytes_per_cycle"])},
        }
        for row in rows
    }


def github_action_bigger(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Returns bandwidths as github-action-benchmark's customBiggerIsBetter."""
    return [_custom(row, "bandwidth_bytes_per_cycle", "B/cycle") for row in rows]


def github_action_smaller(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Returns latencies as github-action-benchmark's customSmallerIsBetter."""
    return [_custom(row, "latency_cycles", "cycles") for row in rows]


EXPORTS: dict[str, Callable[[Sequence[Row]], Any]] = {
    "google-benchmark": google_benchmark,
    "bencher": bencher,
    "github-action-bigger": github_action_bigger,
    "github-action-smaller": github_action_smaller,
}
"""Export functions, by name on the command line."""


def point_name(row: Row) -> str:
    """Returns a name of the row's point, unique and equal in all revisions."""
    params = without_values(str(row.get("params", "")), HOW_MADE)
    size = f"num_transactions:{row['num_transactions']}/transaction_size_bytes:{row['transaction_size_bytes']}"
    parts = (row["arch"], row.get("board", ""), row["test"], row["kernel"], params, size)
    return "/".join(str(part) for part in parts if part)


def _custom(row: Row, column: str, unit: str) -> dict[str, Any]:
    limiter = str(row.get("limiter", ""))
    extra = {"extra": f"limited by: {limiter}"} if limiter else {}
    return {"name": point_name(row), "unit": unit, "value": float(row[column]), **extra}
