"""Result rows for tests that need no simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    import pandas

    from nocbench.support.columns import Row


HOW_TO_LEARN_MORE = (
    "  what was wrong in the first of them tells: nocbench run 'One to One Packet Sizes' --arch wormhole_b0 "
    "--board n150 -a num_transactions=1 -a call_size=32\n"
)
"""Output of a command on :func:`make_sweep` if wrong data arrived at its first point."""


def make_row(**changes: object) -> Row:
    row: Row = {
        "arch": "wormhole_b0",
        "test": "One to One Packet Sizes",
        "kernel": "Sender",
        "num_transactions": 16,
        "transaction_size_bytes": 64,
        "latency_cycles": 640.5,
        "bandwidth_bytes_per_cycle": 1024 / 640.5,
        "call_size_bytes": 64,
        "primitive": "one_to_one",
        "test_id": 4,
        "board": "n150",
        "noc": 0,
        "riscv": 0,
        "num_cores": 1,
        "median_core_cycles": 0.0,
        "all_cores_cycles": 0.0,
        "clock_hz": 1_000_000_000,
        "data_ok": True,
        "limiter": "issue",
        "params": "",
        "revision": "0123456789ab",
    }
    assert changes.keys() <= row.keys()
    return row | changes


def make_sweep(
    counts: tuple[int, ...] = (1, 4, 16, 64, 256),
    sizes: tuple[int, ...] = (32, 128, 512, 2048, 8192),
    **changes: object,
) -> list[Row]:
    """Returns a sweep whose latencies follow a formula: 300 cycles, then a call every 22 cycles or a flit per cycle."""
    rows = []
    for count in counts:
        for size in sizes:
            latency_cycles = 300 + count * max(22, size // 32)
            rows.append(
                make_row(
                    num_transactions=count,
                    transaction_size_bytes=size,
                    call_size_bytes=size,
                    latency_cycles=float(latency_cycles),
                    bandwidth_bytes_per_cycle=count * size / latency_cycles,
                    limiter="round_trip" if count == 1 and size < 1024 else "issue" if size <= 512 else "link",
                )
                | changes
            )
    return rows


def make_reference(results: pandas.DataFrame, factor: float = 1.0) -> pandas.DataFrame:
    """Returns published rows made from results, with all latencies multiplied by a factor."""
    columns = list(results.columns[:7])
    reference = results[columns].copy()
    reference["latency_cycles"] *= factor
    reference["bandwidth_bytes_per_cycle"] /= factor
    return reference


def make_frame(**changes: object) -> pandas.DataFrame:
    return to_frame(make_sweep(**changes))  # type: ignore[arg-type]
