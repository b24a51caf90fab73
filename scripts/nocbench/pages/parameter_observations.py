"""Sentences and tables on tests that sweep parameters: own parameters, or those of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.pages.picture_axes import value_in_words
from nocbench.pages.sections import BANDWIDTH
from nocbench.points.swept_tests import PARAMETERS
from nocbench.support import wording
from nocbench.support.units import format_size
from nocbench.support.wording import bandwidth, cycles, limiter_in_words, limiters_by_count, sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas

    from nocbench.pages.sections import Section


def point_in_words(section: Section, row: pandas.Series[Any]) -> str:
    """Returns words that distinguish a row from others of its kernel, such as "pages=64, page_bytes=2 KiB"."""
    if section.picture == PARAMETERS:
        return _values_in_words(row, reversed(section.plotted))
    return f"{_values_in_words(row, section.varied)}, {wording.point_in_words(row)}"


def _values_in_words(row: pandas.Series[Any], names: Iterable[str]) -> str:
    return ", ".join(f"{name}={value_in_words(name, row[name])}" for name in names)


def observe_parameters(section: Section) -> list[tuple[str, list[str]]]:
    """Describes duration, highest bandwidth and limiter, by kernel."""
    return [
        (kernel, observe_rows(section, section.results[section.results["kernel"] == kernel]))
        for kernel in section.kernels
    ]


def observe_rows(section: Section, rows: pandas.DataFrame) -> list[str]:
    """Describes the rows of one kernel."""
    return [_durations(section, rows), *_best(section, rows), *_limits(rows)]


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
    reached = f"{bandwidth(highest / section.rate.bytes_each)} {section.rate.unit}"
    if section.rate == BANDWIDTH:
        share_percent = 100 * highest / section.theoretical_of_kernels[best["kernel"]]
        reached += f", {share_percent:.{0 if share_percent >= 1 else 2}f} % of the theoretical maximum"
    at_most = "" if len(rows) == 1 else "at most "
    where = "" if len(rows) == 1 else _at(section, best)
    return [sentence(f"the {section.rate.title.lower()} is {at_most}{reached}{where}")]


def _limits(rows: pandas.DataFrame) -> list[str]:
    if "limiter" not in rows.columns:
        return []
    counts = rows["limiter"].value_counts(sort=False).sort_values(ascending=False, kind="stable")
    if len(counts) == 1:
        return [f"The limit is {limiter_in_words(str(counts.index[0]))}{' at every point' if len(rows) > 1 else ''}."]
    phrase = limiters_by_count({str(limiter): int(count) for limiter, count in counts.items()}, "point")
    return [f"The limit is {phrase}."]


def table_columns(section: Section) -> dict[str, str]:
    """Returns the columns of a section's table of values, with their alignment."""
    numbers = (*reversed(section.plotted), "transactions", "size", "latency, cycles", "bandwidth, B/cycle")
    return {"kernel": "---", **dict.fromkeys(numbers, "--:"), "limiter": "---"}


def table(section: Section) -> Sequence[list[str]]:
    """Returns the rows of a section's table of values."""
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
