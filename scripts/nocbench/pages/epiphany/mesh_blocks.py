"""Blocks on many cores and on distance: busy cores, numbers of active cores, loads, patterns, widths."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from nocbench.drawing.pictures import Picture
from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, number, signed_percent
from nocbench.pages.epiphany.drawings import (
    ActiveLine,
    CoreCurves,
    CoreMap,
    Line,
    draw_active,
    draw_columns,
    draw_core_curves,
    draw_core_maps,
    draw_loads,
)
from nocbench.pages.epiphany.runs import BY_ACTIVE_CORES, BY_CORE, BY_WIDTH, LOADS, TRAFFIC
from nocbench.published.fitted_rows import read_table
from nocbench.published.published_cells import read_cells
from nocbench.published.transfers import BUSY, DMA, EXTERNAL, Transfer
from nocbench.support.units import format_size
from nocbench.support.wording import cycles, enumerate_phrases, limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from nocbench.pages.epiphany.runs import Runs

_TRANSFERS = {
    ("write", "core"): "E-core write",
    ("write", DMA): "DMA write",
    ("read", "core"): "E-core read",
    ("read", DMA): "DMA read",
}
LOAD_START_CYCLES = 18
LOAD_HOP_CYCLES = 3
"""Duration of a load from another core, in cycles, according to adapteva's epiphany-examples."""

_EXACT_PERCENT = 0.05
_ISSUE = "the core's instructions"

_PATTERNS = {
    "neighbors": "each core writes to its four neighbours and reads from them",
    "all_to_one": "all other cores write to core (1, 1)",
    "bisection": "the cores of the left half write to the cores of the right half",
}


def busy_block(runs: Runs) -> Block | None:
    """Returns the block on external memory with all cores busy: means by size, and each core; None without results."""
    by_core = _external_by_core(runs)
    published = {cell.transfer: cell.megabytes_per_second for cell in read_cells()}
    lines = []
    for (direction, executor), label in _TRANSFERS.items():
        transfer = Transfer(EXTERNAL, direction, executor, BUSY)
        rows = runs.curve(transfer)
        if len(rows) > 1:
            lines.append(Line(label, rows, published.get(transfer)))
    if not by_core or not lines:
        return None
    block = Block("External memory, busy")
    measured = _measured_columns()
    maps = [
        CoreMap(label, by_core[transfer], measured.get(transfer, ()))
        for transfer, label in _TRANSFERS.items()
        if transfer in by_core
    ]
    writes = by_core.get(("write", "core"))
    expected = [] if writes is None else [_row_part(writes) * share for share in _fair_shares(_num_columns(writes))]
    title = f"External memory, busy, {runs.arch}"
    block.parts += [
        (
            "All cores transfer at the same time. A packet to external memory leaves its row at the east edge, so the "
            "cores of a row form a chain. The link serves the rows round-robin. Each router serves its own core and "
            "the cores behind it round-robin. The core in the last column therefore gets half of the speed of its row "
            "until it has finished. The other cores of the row share the other half by the same rule. The average "
            "speed of a core until its end is a share of the speed of its row: 1/2 in the last column, 1/3 in the "
            "column before it, and 1/4 in each of the first two columns."
        ),
        Picture(title, runs.arch, "external_memory_busy", partial(draw_columns, title, maps, lines, expected)),
    ]
    block.parts += [
        (
            "The raw data are speeds by column. They come from cycle counts of the document's authors, August 2015 "
            "([plots/reference](repository:plots/reference/README.md#transfer_speedsparallella_2015_08_columnscsv))."
        ),
        _shares(by_core),
        *_distances_from_raw_data(by_core),
    ]
    if writes is not None:
        times = writes.groupby("x")["latency_cycles"].mean()
        ends = enumerate_phrases([f"{number(time)} cycles in column {column}" for column, time in times.items()])
        block.parts.append(
            f"**Ends of the writes.** The writes of a core end after {ends}. In raw data of the document's authors, "
            "the writes of the cores end after 64,900 to 130,500 cycles. From the common start to the end of the last "
            f"core, all cores together write {number(_total(writes))} MB/s."
        )
    title = f"Cores that use external memory at the same time, 2048 bytes each, {runs.arch}"
    block.parts.append(Picture(title, runs.arch, "busy_cores", partial(draw_core_maps, title, maps)))
    block.parts += _reads_by_size(runs, published)
    return block


def _reads_by_size(runs: Runs, published: Mapping[Transfer, float]) -> list[str | Picture]:
    """Returns text and picture on busy reads of every core against size; nothing if results have a single size."""
    measured = _measured_columns()
    curves = [
        CoreCurves(label, rows, published.get(Transfer(EXTERNAL, *transfer, BUSY)), measured.get(transfer, ()))
        for transfer, label in _TRANSFERS.items()
        if transfer[0] == "read"
        for rows in [_external_by_core(runs, all_sizes=True).get(transfer)]
        if rows is not None and rows["size_bytes"].nunique() > 1
    ]
    if not curves:
        return []
    title = f"External memory, busy reads of every core, {runs.arch}"
    return [
        (
            "**Reads of every core, by size.** A core has at most one outstanding load, and the link has room for the "
            "loads of all 16 cores. All cores therefore have the same speed. The DMA engines together send more reads "
            "than the link and the FPGA can hold. The engines near the link then read faster than the other engines, "
            "up to their own limit of outstanding reads."
        ),
        Picture(title, runs.arch, "external_memory_busy_reads", partial(draw_core_curves, title, curves)),
    ]


def _external_by_core(runs: Runs, *, all_sizes: bool = False) -> dict[tuple[str, str], pandas.DataFrame]:
    """Returns rows with the coordinates of cores, by direction and executor; of the largest size, or of all sizes."""
    rows = runs.other(BY_CORE)
    if rows is None:
        return {}
    rows = rows[rows["target"] == EXTERNAL]
    if not all_sizes:
        rows = rows[rows["transaction_size_bytes"] == rows["transaction_size_bytes"].max()]
    places = [kernel.split()[-1].split(",") for kernel in rows["kernel"]]
    rows = rows.assign(
        x=[int(x) for x, _ in places], y=[int(y) for _, y in places], size_bytes=rows["transaction_size_bytes"]
    )
    return {(str(key[0]), str(key[1])): of_key for key, of_key in rows.groupby(["direction", "executor"], sort=False)}


def _num_columns(rows: pandas.DataFrame) -> int:
    return int(rows["x"].max()) + 1


def _total(rows: pandas.DataFrame) -> float:
    """Returns the speed of all cores together, from the start to the end of the last core."""
    num_bytes = float(rows["transaction_size_bytes"].sum())
    return num_bytes / float(rows["latency_cycles"].max()) * float(rows["clock_hz"].iloc[0]) / 1e6


def _row_part(rows: pandas.DataFrame) -> float:
    return _total(rows) / (int(rows["y"].max()) + 1)


def _fair_shares(num_columns: int) -> list[float]:
    """Returns the mean share of each column until it is done, first column first: 1/4, 1/4, 1/3, 1/2."""
    return [1 / num_columns, *(1 / (2 + num_columns - 1 - column) for column in range(1, num_columns))]


def _shares(by_core: dict[tuple[str, str], pandas.DataFrame]) -> Table:
    measured = _measured_columns()
    num_columns = max(_num_columns(rows) for rows in by_core.values())
    table_rows: list[list[str]] = []
    for transfer, label in _TRANSFERS.items():
        if transfer not in by_core:
            continue
        rows = by_core[transfer]
        speeds = rows.groupby("x")["megabytes_per_second"].mean().tolist()
        part = _row_part(rows)
        table_rows.append([label, "model, MB/s", *(number(speed) for speed in speeds)])
        published = measured.get(transfer)
        if published and len(published) == len(speeds):
            table_rows.append(["", "raw data, MB/s", *(number(speed) for speed in published)])
            errors = [100 * (speed / other - 1) for speed, other in zip(speeds, published, strict=True)]
            table_rows.append(["", "difference", *(signed_percent(error) for error in errors)])
        table_rows.append(["", "share of the row's speed, model", *(f"{speed / part:.3f}" for speed in speeds)])
        if transfer[0] == "write":
            table_rows.append(
                ["", "share of the row's speed, round-robin", *(f"{share:.3f}" for share in _fair_shares(num_columns))]
            )
    return Table(
        {"2048 bytes each": LEFT, "": LEFT, **{f"column {column}": RIGHT for column in range(num_columns)}}, table_rows
    )


def _distances_from_raw_data(by_core: dict[tuple[str, str], pandas.DataFrame]) -> list[str]:
    measured = _measured_columns()
    phrases = []
    for transfer, label in _TRANSFERS.items():
        if transfer in by_core and transfer in measured:
            speeds = by_core[transfer].groupby("x")["megabytes_per_second"].mean().tolist()
            errors = [abs(100 * (speed / other - 1)) for speed, other in zip(speeds, measured[transfer], strict=False)]
            phrases.append(f"{max(errors):.1f} % for {label}")
    if not phrases:
        return []
    text = f"The largest difference between model and raw data in a column is {enumerate_phrases(phrases)}."
    text += (
        " [docs/epiphany.md](repository:docs/epiphany.md#what-is-known-to-be-off) describes the known causes of the "
        "difference for DMA reads, and the experiments."
    )
    return [text]


@cache
def _measured_columns() -> dict[tuple[str, str], list[float]]:
    speeds: dict[tuple[str, str], list[float]] = {}
    for row in read_table("transfer_speeds/parallella_2015_08_columns.csv"):
        speeds.setdefault((row["direction"], row["executor"]), []).append(float(row["megabytes_per_second"]))
    return speeds


def active_block(runs: Runs) -> Block | None:
    """Returns the block on external memory by number of active cores; None without results."""
    rows = runs.other(BY_ACTIVE_CORES)
    if rows is None:
        return None
    rows = rows.assign(active=[int(number_of) for number_of in rows["active"]]).sort_values("active", kind="stable")
    lines = [
        ActiveLine(label, rows[(rows["direction"] == direction) & (rows["executor"] == executor)])
        for (direction, executor), label in _TRANSFERS.items()
    ]
    lines = [line for line in lines if len(line.rows) > 1]
    if not lines:
        return None
    counts = [count for count in sorted(set(rows["active"])) if count & (count - 1) == 0]
    table = Table(
        {"MB/s of a core": LEFT, **{f"{count} at work": RIGHT for count in counts}},
        [
            [
                line.label,
                *(
                    number(float(of_count.iloc[0])) if len(of_count) else NOTHING
                    for count in counts
                    for of_count in [line.rows[line.rows["active"] == count]["megabytes_per_second"]]
                ),
            ]
            for line in lines
        ],
    )
    size = format_size(int(rows["transaction_size_bytes"].max()))
    title = f"External memory by number of cores at work, {runs.arch}"
    block = Block("External memory by number of cores")
    block.parts += [
        (
            f"The first cores, counted row by row, transfer {size} each at the same time. A core that writes alone "
            "writes in bursts. If several cores write, their writes mix, and each write is a single write. The mean "
            "speed of the cores times their number is higher than the speed of the link, because cores that finish "
            "early increase the mean."
        ),
        Picture(title, runs.arch, "active_cores", partial(draw_active, title, lines)),
        table,
    ]
    return block


def loads_block(runs: Runs) -> Block | None:
    """Returns the block on loads from other cores by distance; None without results."""
    rows = runs.other(LOADS)
    if rows is None:
        return None
    places = [
        (*map(int, source.split(",")), *map(int, target.split(",")))
        for source, target in zip(rows["source"], rows["target"], strict=True)
    ]
    loads = rows.assign(
        hops=[abs(x - to_x) + abs(y - to_y) for x, y, to_x, to_y in places],
        cycles_per_load=rows["latency_cycles"] / rows["num_transactions"],
    )
    others = loads[loads["hops"] > 0]
    if others.empty:
        return None
    expected = LOAD_START_CYCLES + LOAD_HOP_CYCLES * others["hops"]
    differences = (others["cycles_per_load"] - expected) / expected
    worst = 100 * float(differences.iloc[int(differences.abs().argmax())])
    own = loads[loads["hops"] == 0]["cycles_per_load"]
    title = f"Loads from other cores, {runs.arch}"
    block = Block("Loads from other cores")
    text = (
        f"A core loads a word from another core's memory {int(rows['num_transactions'].max())} times, one load after "
        f"the other. Adapteva's epiphany-examples expect {LOAD_START_CYCLES} cycles plus {LOAD_HOP_CYCLES} cycles per "
        f"hop for each load, and accept a difference of 10 %. For {len(others)} pairs of cores, the model "
        + (
            "takes exactly the expected time."
            if abs(worst) < _EXACT_PERCENT
            else f"differs from the expected time by {signed_percent(worst)} at most."
        )
    )
    if len(own):
        text += f" Loads from the core's own memory through its global address take {number(float(own.mean()))} cycles."
    expectation = (LOAD_START_CYCLES, LOAD_HOP_CYCLES)
    block.parts += [
        text,
        Picture(title, runs.arch, "remote_loads", partial(draw_loads, title, loads, expectation)),
    ]
    return block


def traffic_block(runs: Runs) -> Block | None:
    """Returns the block with tables of traffic patterns and widths of accesses; None without results of either."""
    block = Block("Mesh traffic and widths of accesses")
    traffic = runs.other(TRAFFIC)
    if traffic is not None:
        block.parts += [
            (
                "Many cores move blocks over shared links at the same time. The duration is from the common start to "
                "the end of the last core. The speed is the speed of all cores together."
            ),
            Table(
                {"pattern": LEFT, "moved by": LEFT, "bytes": RIGHT, "cycles": RIGHT, "MB/s": RIGHT, "limited by": LEFT},
                [
                    [
                        f"{pattern}: {_PATTERNS[pattern]}",
                        "DMA" if row["executor"] == DMA else "E-core",
                        f"{row['num_transactions']} x {format_size(int(row['transaction_size_bytes']))}",
                        cycles(row["latency_cycles"]),
                        number(row["megabytes_per_second"]),
                        _ISSUE if row.get("limiter") == "issue" else limiter_in_words(str(row.get("limiter", ""))),
                    ]
                    for pattern in _PATTERNS
                    for _, row in traffic[traffic["pattern"] == pattern].iterrows()
                ],
            ),
        ]
    widths = runs.other(BY_WIDTH)
    if widths is not None:
        block.parts += [
            (
                "A packet carries up to 8 bytes, and a packet with fewer bytes takes the same time. The next table has "
                "the speeds of a core that works alone, in MB/s. The core moves "
                f"{format_size(int(widths['transaction_size_bytes'].max()))} in elements of different widths."
            ),
            _widths(widths),
        ]
    return block if block.parts else None


def _widths(rows: pandas.DataFrame) -> Table:
    widths: Sequence[int] = sorted({int(width) for width in rows["element_bytes"]})
    table_rows = []
    for key, of_key in rows.groupby(["target", "direction"], sort=False):
        target, direction = (str(part) for part in key)
        speeds = {
            int(width): float(speed)
            for width, speed in zip(of_key["element_bytes"], of_key["megabytes_per_second"], strict=True)
        }
        where = "external memory" if target == EXTERNAL else "another core"
        table_rows.append([f"{direction}, {where}", *(number(speeds.get(width)) for width in widths)])
    return Table({"": LEFT, **{f"{width} B": RIGHT for width in widths}}, table_rows)
