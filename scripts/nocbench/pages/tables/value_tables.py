"""The table of values of a section, with every point of its picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.pages.load_observations import TABLE_COLUMNS, load_table
from nocbench.pages.parameter_observations import table, table_columns
from nocbench.pages.picture_axes import value_in_words
from nocbench.points.swept_tests import LATENCY_AGAINST_LOAD, PARAMETERS
from nocbench.published.fitted_rows import FITTED_TO, NEVER_SEEN
from nocbench.published.reference import IS_FITTED
from nocbench.support.units import format_size
from nocbench.support.wording import bandwidth

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

    from nocbench.pages.sections import Rate, Section

NOT_PUBLISHED = "-"


def table_of_values(section: Section) -> tuple[Mapping[str, str], Sequence[list[str]]]:
    """Returns columns with their alignment, and rows, of a section's table of values."""
    if section.picture == LATENCY_AGAINST_LOAD:
        return TABLE_COLUMNS, load_table(section)
    if section.picture == PARAMETERS:
        return table_columns(section), table(section)
    source = section.architecture.published_source
    columns = {
        "kernel": "---",
        **dict.fromkeys(section.varied, "--:"),
        "transactions": "--:",
        "size": "--:",
        "latency, cycles": "--:",
        f"{source}, cycles": "--:",
        "error": "--:",
        "published row": "---",
        f"{section.rate.title.lower()}, {section.rate.unit}": "--:",
        f"{source}, {section.rate.unit}": "--:",
        "limiter": "---",
    }
    return columns, [_table_row(row, section.varied, section.rate) for _, row in section.results.iterrows()]


def _table_row(row: pandas.Series[Any], varied: Sequence[str], rate: Rate) -> list[str]:
    published = row["reference_latency_cycles"] == row["reference_latency_cycles"]  # NaN differs from itself
    return [
        row["kernel"],
        *(value_in_words(name, row[name]) for name in varied),
        _transactions(row),
        format_size(row["transaction_size_bytes"]),
        f"{row['latency_cycles']:.10g}",
        f"{row['reference_latency_cycles']:.10g}" if published else NOT_PUBLISHED,
        f"{row['error_percent']:+.2f} %" if published else NOT_PUBLISHED,
        (FITTED_TO if row[IS_FITTED] else NEVER_SEEN) if published else NOT_PUBLISHED,
        _rate_in_words(row["bandwidth_bytes_per_cycle"], rate),
        _rate_in_words(row["reference_bandwidth_bytes_per_cycle"], rate) if published else NOT_PUBLISHED,
        row.get("limiter", ""),
    ]


def _rate_in_words(bytes_per_cycle: float, rate: Rate) -> str:
    """Returns a rate with two decimals, or with three digits if these are more."""
    value = bytes_per_cycle / rate.bytes_each
    return f"{value:.2f}" if value >= 1 else bandwidth(value)


def _transactions(row: pandas.Series[Any]) -> str:
    """Returns the number of transactions of a point, with the number of simulated ones if lower."""
    of_point, simulated = row["num_transactions"], row.get("simulated_transactions", row["num_transactions"])
    if simulated == of_point:
        return str(of_point)
    return f"{of_point} ({simulated} simulated{'' if row['steady'] else ', not steady'})"
