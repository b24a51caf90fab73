"""Sentences and a table on a section of latency against load, made from its results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.pages.load_curves import SATURATION, longest, packets_in_words, with_flits
from nocbench.support.units import format_size
from nocbench.support.wording import enumerate_phrases, limiter_in_words

if TYPE_CHECKING:
    import pandas

    from nocbench.pages.sections import Section

TABLE_COLUMNS = {
    "pattern": "---",
    "size": "--:",
    "packets per node": "--:",
    "injection rate, flits per node and cycle": "--:",
    "mean latency, cycles": "--:",
    "accepted, flits per node and cycle": "--:",
    "accepted, B/cycle per node": "--:",
    "limiter": "---",
}
"""Names of the table's columns, with their alignment."""


def observe_loads(section: Section) -> list[tuple[str, list[str]]]:
    """Describes the latency at the lowest load and the accepted load at saturation, for each size of packets.

    Uses the results with the most packets per node.

    Returns:
        One pair (kernel, sentences).
    """
    rows = with_flits(section)
    sentences = []
    for size, of_size in rows.groupby("transaction_size_bytes"):
        packets = packets_in_words(int(str(size)), section.link_bytes_per_cycle)
        sentences.append(_latency_at_least_load(longest(of_size), packets))
        sentences += _saturation(longest(of_size))
    if "data_ok" in rows.columns and not rows["data_ok"].all():
        num_wrong = int((~rows["data_ok"]).sum())
        sentences.append(f"At {num_wrong} of {len(rows)} points, packets were lost or arrived with faults.")
    return [(section.kernels[0], sentences)]


def _latency_at_least_load(rows: pandas.DataFrame, packets: str) -> str:
    lightest = rows[rows["offered_flits"] == rows["offered_flits"].min()]
    phrases = [f"{row['latency_cycles']:.0f} cycles ({row['pattern']})" for _, row in lightest.iterrows()]
    list_of_all = enumerate_phrases(phrases)
    load = f"{lightest['offered_flits'].iloc[0]:g} flits per node and cycle"
    return f"At an injection rate of {load}, the mean latency of {packets} depends on the pattern: {list_of_all}."


def _saturation(rows: pandas.DataFrame) -> list[str]:
    saturated = rows[rows["injection_rate"] == SATURATION].sort_values("accepted_flits", ascending=False, kind="stable")
    if saturated.empty:
        return []
    phrases = [f"{row['accepted_flits']:.3f} ({row['pattern']})" for _, row in saturated.iterrows()]
    accepted = enumerate_phrases(phrases)
    return [f"At saturation, the accepted load in flits per node and cycle depends on the pattern: {accepted}."]


def load_table(section: Section) -> list[list[str]]:
    """Returns the rows of the table as text."""
    return [_cells(row) for _, row in with_flits(section).iterrows()]


def _cells(row: pandas.Series[Any]) -> list[str]:
    return [
        row["pattern"],
        format_size(row["transaction_size_bytes"]),
        str(row["num_transactions"]),
        f"{SATURATION}: {row['offered_flits']:.3f}" if row["injection_rate"] == SATURATION else row["injection_rate"],
        f"{row['latency_cycles']:.1f}",
        f"{row['accepted_flits']:.4f}",
        f"{row['bandwidth_bytes_per_cycle']:.2f}",
        row.get("limiter", ""),
    ]


def best_load(section: Section) -> list[str]:
    """Returns texts on the highest accepted load: B/cycle per node, share of a link, pattern and size, limiter."""
    rows = longest(with_flits(section))
    rows = rows[rows["injection_rate"] == SATURATION] if SATURATION in set(rows["injection_rate"]) else rows
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    return [
        f"{best['bandwidth_bytes_per_cycle']:.1f}",
        f"{100 * best['accepted_flits']:.0f} %",
        f"{best['pattern']}, {format_size(best['transaction_size_bytes'])}",
        limiter_in_words(str(best.get("limiter", ""))),
    ]
