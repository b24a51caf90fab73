"""Words and numbers for sentences on pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.support.units import format_size, plural

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas

_LIMITERS = {
    "issue": "the issue rate of the RISC",
    "link": "the link",
    "ejection": "the ejection port",
    "acks": "the rate of acknowledgements",
    "reservation": "the reservation of paths",
    "contention": "contention with other packets",
    "dram": "DRAM",
    "memory": "the memory",
    "window": "the window of outstanding requests",
    "round_trip": "the round trip",
    "semaphore": "the wait for a signal of another kernel",
    "circular_buffer": "the wait for the other RISC of the tile",
    "host": "the host",
    "driver": "the driver",
    "bus": "the bus",
    "unpack": "the unpackers",
    "compute": "the matrix and vector units",
    "pack": "the packers",
}


def sentence(text: str) -> str:
    """Returns a text with a capital at the beginning and a full stop at the end."""
    return text[0].upper() + text[1:] + "."


def enumerate_phrases(phrases: Sequence[str]) -> str:
    """Joins phrases: "a, b and c"."""
    return ", ".join(phrases[:-1]) + " and " + phrases[-1] if len(phrases) > 1 else phrases[0]


def enumerate_clauses(phrases: Sequence[str]) -> str:
    """Joins longer phrases, with a comma before each: "a, b, and c", "a, and b"."""
    return ", ".join(phrases[:-1]) + ", and " + phrases[-1] if len(phrases) > 1 else phrases[0]


def limiter_in_words(limiter: str) -> str:
    """Returns a value of the column `limiter` in words; values of other revisions are unchanged."""
    return _LIMITERS.get(limiter, limiter)


def limiters_by_count(counts: Mapping[str, int], noun: str) -> str:
    """Returns limiters with the number of points of each: "the link at 3 of the 5 sizes, and DRAM at 2 sizes"."""
    of_all = f"of the {sum(counts.values())} {noun}s"
    phrases = [
        f"{limiter_in_words(limiter)} at {plural(count, noun) if position else f'{count} {of_all}'}"
        for position, (limiter, count) in enumerate(counts.items())
    ]
    return enumerate_clauses(phrases)


def transactions(count: int) -> str:
    """Returns a number of transactions as the subject of a sentence."""
    return "a single transaction" if count == 1 else f"{count} transactions"


def destinations(row: pandas.Series[Any]) -> int:
    """Returns calls per transaction, with one call per destination; 1 for rows without the column `call_size_bytes`."""
    size_bytes = int(row["transaction_size_bytes"])
    call_bytes = int(row.get("call_size_bytes", size_bytes))
    return max(1, size_bytes // call_bytes) if call_bytes else 1


def size_in_words(row: pandas.Series[Any]) -> str:
    """Returns the size of a transaction as text; if it has several calls, the size of a call."""
    if destinations(row) == 1:
        return format_size(int(row["transaction_size_bytes"]))
    return f"{format_size(int(row['call_size_bytes']))} per call"


def point_in_words(row: pandas.Series[Any]) -> str:
    """Returns number and size of transactions: "256 transactions of 1 KiB"."""
    return f"{plural(int(row['num_transactions']), 'transaction')} of {size_in_words(row)}"


def cycles(value: float) -> str:
    """Returns cycles as an exact text: "12,561.5"."""
    return f"{value:,.10g}"


def bandwidth(bytes_per_cycle: float) -> str:
    """Returns a bandwidth with three digits: "17.0", "0.0799"."""
    return f"{bytes_per_cycle:#.3g}".rstrip(".")


def times_as_long(ratio: float) -> str:
    """Returns a ratio of durations in words, to follow "takes"."""
    if ratio >= 9.95:
        return f"{ratio:.0f} times as long"
    if ratio >= 1.095:
        return f"{ratio:.1f} times as long"
    if ratio > 1.005:
        return f"{100 * (ratio - 1):.1f} % longer"
    if ratio >= 0.995:
        return "the same time, within 0.5 %"
    return f"{100 * (1 - ratio):.3g} % less time"


def is_size(parameter: str) -> bool:
    """Returns True if the values of a parameter are sizes, by its name."""
    return parameter.rpartition("_")[2] in ("bytes", "size")
