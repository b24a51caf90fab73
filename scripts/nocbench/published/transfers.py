"""Transfers of blocks: speeds in result rows, by executor, target and direction."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nocbench.published.accuracy_tables import with_variants
from nocbench.support.columns import changed_values, settings_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    Curves = Mapping["Transfer", pandas.DataFrame]

EXTERNAL = "external"
CORE = "core"
"""Targets: external memory, or the memory of a core."""

DESCENDING = "core_descending"
DMA = "dma"
HOST = "host"
"""Executors other than a core's loop from the first dword to the last, whose name is "core"."""

ALONE = "alone"
BUSY = "busy"

SWEEP_BYTES = range(8, 2049, 8)
"""Sizes of the published measurements, in bytes."""

SIZE_TESTS = {
    "External Memory Write Sizes": (EXTERNAL, "write"),
    "External Memory Read Sizes": (EXTERNAL, "read"),
    "Core to Core Write Sizes": (CORE, "write"),
    "Core to Core Read Sizes": (CORE, "read"),
}
HOST_TESTS = {"Host External Memory Transfers": EXTERNAL, "Host Core Transfers": CORE}


class Transfer(NamedTuple):
    """A kind of transfer.

    Attributes:
        target: EXTERNAL or CORE.
        direction: "write" (to the target) or "read" (from it).
        executor: "core", DESCENDING, DMA or HOST.
        state: ALONE or BUSY; empty for the host.
    """

    target: str
    direction: str
    executor: str
    state: str


def megabytes_per_second(rows: pandas.DataFrame) -> pandas.Series[float]:
    """Returns the bandwidth of result rows in millions of bytes per second."""
    return rows["bandwidth_bytes_per_cycle"] * rows["clock_hz"] / 1e6


def with_parameters(rows: pandas.DataFrame, names: Sequence[str]) -> pandas.DataFrame:
    """Returns rows with a column per parameter, and `settings` with changed fields of board and architecture.

    Existing columns stay unchanged.
    """
    rows = with_variants(rows)
    changed = [changed_values(params) for params in rows["params"]]
    columns = {name: [values.get(name, "") for values in changed] for name in names if name not in rows.columns}
    return rows.assign(**columns, settings=[settings_in(params) for params in rows["params"]])


def transfers_of(results: pandas.DataFrame) -> pandas.DataFrame:
    """Returns the transfers of blocks by a core, a DMA engine or the host.

    Returns:
        One row per transfer and size, in the order of results, with `arch`, `board`, `settings`, the fields of
        :class:`Transfer`, `size_bytes`, `latency_cycles`, `megabytes_per_second` and `clock_hz`.
    """
    rows = results[results["test"].isin([*SIZE_TESTS, *HOST_TESTS])]
    if rows.empty or "clock_hz" not in rows.columns:
        rows = results.iloc[:0].assign(clock_hz=0)
    rows = with_parameters(rows, ["executor", "state", "direction"])
    is_host = rows["test"].isin(list(HOST_TESTS))
    tests = rows["test"]
    return rows.assign(
        target=[HOST_TESTS.get(test) or SIZE_TESTS[test][0] for test in tests],
        direction=[
            direction if test in HOST_TESTS else SIZE_TESTS[test][1]
            for test, direction in zip(tests, rows["direction"], strict=True)
        ],
        executor=rows["executor"].mask(is_host, HOST),
        state=rows["state"].mask(is_host, ""),
        size_bytes=rows["transaction_size_bytes"],
        megabytes_per_second=megabytes_per_second(rows),
    )[
        [
            *("arch", "board", "settings", *Transfer._fields, "size_bytes", "latency_cycles"),
            *("megabytes_per_second", "clock_hz"),
        ]
    ]


def curves_of(transfers: pandas.DataFrame) -> Curves:
    """Returns rows by transfer, sorted by size. All rows are of one board and one set of constants."""
    return {
        Transfer(*(str(part) for part in key)): rows.sort_values("size_bytes", kind="stable", ignore_index=True)
        for key, rows in transfers.groupby(list(Transfer._fields), sort=False)
    }


def speeds_by_size(curves: Curves, transfer: Transfer) -> dict[int, float]:
    """Returns speeds in millions of bytes per second, by size in bytes; empty if the transfer was not run."""
    rows = curves.get(transfer)
    if rows is None:
        return {}
    return dict(zip(rows["size_bytes"].tolist(), rows["megabytes_per_second"].tolist(), strict=True))
