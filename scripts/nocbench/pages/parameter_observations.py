"""Sentences and tables about tests whose picture shows parameters of a program rather than sizes of transactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.support.units import format_size
from nocbench.support.wording import bandwidth, cycles, is_size, limiter_in_words, limiters_by_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.pages.sections import Section


def value_in_words(parameter: str, value: int) -> str:
    """A value of a parameter, as "2 KiB" if it is a size."""
    return format_size(value) if is_size(parameter) else str(value)


def point_in_words(section: Section, row: pandas.Series[Any]) -> str:
    """What tells a row from the others of its kernel: "pages=64, page_bytes=2 KiB"; empty if it is the only one."""
    names = reversed(section.plotted)
    return ", ".join(f"{name}={value_in_words(name, int(row[name]))}" for name in names)


def observe_parameters(section: Section) -> list[tuple[str, list[str]]]:
    """Says, per kernel, how long it takes, where its bandwidth is highest, and what limits it."""
    observations = []
    for kernel in section.kernels:
        rows = section.results[section.results["kernel"] == kernel]
        observations.append((kernel, [_durations(section, rows), *_best(section, rows), *_limits(rows)]))
    return observations


def _durations(section: Section, rows: pandas.DataFrame) -> str:
    least, most = (
        rows.iloc[int(position)] for position in (rows["latency_cycles"].argmin(), rows["latency_cycles"].argmax())
    )
    least_in_words, most_in_words = (f"{cycles(row['latency_cycles'])} cycles" for row in (least, most))
    who = "The flows take" if section.are_flows else "The kernel takes"
    if len(rows) == 1:
        return f"{who} {least_in_words}."
    if least_in_words == most_in_words:
        return f"{who} {least_in_words} at every point."
    return f"{who} {least_in_words}{_at(section, least)} to {most_in_words}{_at(section, most)}."


def _at(section: Section, row: pandas.Series[Any]) -> str:
    where = point_in_words(section, row)
    return f" ({where})" if where else ""


def _best(section: Section, rows: pandas.DataFrame) -> list[str]:
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    highest = float(best["bandwidth_bytes_per_cycle"])
    if highest == 0:
        return ["The kernel itself moves no data."]
    share = f"{100 * highest / section.theoretical_of_kernels[best['kernel']]:.0f} % of the theoretical maximum"
    reached = f"{bandwidth(highest)} B/cycle, {share}"
    if len(rows) == 1:
        return [f"The bandwidth is {reached}."]
    return [f"The bandwidth is at most {reached}{_at(section, best)}."]


def _limits(rows: pandas.DataFrame) -> list[str]:
    if "limiter" not in rows.columns:
        return []
    counts = rows["limiter"].value_counts(sort=False).sort_values(ascending=False, kind="stable")
    if len(counts) == 1:
        return [f"The limit is {limiter_in_words(str(counts.index[0]))}{' at every point' if len(rows) > 1 else ''}."]
    phrase = limiters_by_count({str(limiter): int(count) for limiter, count in counts.items()}, "point")
    return [f"The limit is {phrase}."]


def table_columns(section: Section) -> dict[str, str]:
    """The columns of a section's table of values, and how they are aligned."""
    numbers = (*reversed(section.plotted), "transactions", "size", "latency, cycles", "bandwidth, B/cycle")
    return {"kernel": "---", **dict.fromkeys(numbers, "--:"), "limiter": "---"}


def table(section: Section) -> Sequence[list[str]]:
    """The rows of that table."""
    return [
        [
            str(row["kernel"]),
            *(value_in_words(name, int(row[name])) for name in reversed(section.plotted)),
            str(row["num_transactions"]),
            format_size(int(row["transaction_size_bytes"])),
            f"{row['latency_cycles']:.10g}",
            f"{row['bandwidth_bytes_per_cycle']:.2f}",
            str(row.get("limiter", "")),
        ]
        for _, row in section.results.iterrows()
    ]
