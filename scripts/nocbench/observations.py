"""Sentences about a test that are true of its data, because they are made from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.units import format_size

if TYPE_CHECKING:
    import pandas

    from nocbench.sections import Section

_SATURATED_SHARE = 0.9

_LIMITERS = {
    "issue": "the RISC's issue of calls",
    "link": "the link",
    "ejection": "the ejection port",
    "acks": "acknowledgements",
    "reservation": "the reservation of paths",
    "contention": "contention",
    "dram": "DRAM",
    "memory": "the memory",
    "window": "the window of outstanding requests",
    "round_trip": "the round trip",
    "host": "the host",
}


def observe(section: Section) -> list[tuple[str, list[str]]]:
    """Says, per kernel, where bandwidth saturates, what limits it, and how far it is from what was published.

    Returns:
        (kernel, sentences) for every kernel, in order.
    """
    observations = []
    for kernel in section.kernels:
        rows = section.results[section.results["kernel"] == kernel]
        most = rows[rows["num_transactions"] == rows["num_transactions"].max()]
        fewest = rows[rows["num_transactions"] == rows["num_transactions"].min()]
        sentences = [_saturation(most, section.theoretical_bytes_per_cycle)]
        if len(fewest) != len(rows):
            sentences.append(_best_of_fewest(fewest))
        if "limiter" in rows.columns:
            sentences.append(_limits(most))
            if len(fewest) != len(rows):
                sentences.append(_limits(fewest))
        sentences.append(_distance(rows))
        if "data_ok" in rows.columns and not rows["data_ok"].all():
            sentences.append(f"Wrong data arrived in {int((~rows['data_ok']).sum())} of these {len(rows)} points.")
        observations.append((kernel, sentences))
    return observations


def _transactions(rows: pandas.DataFrame) -> str:
    count = int(rows["num_transactions"].iloc[0])
    return "a single transaction" if count == 1 else f"{count} transactions"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _saturation(rows: pandas.DataFrame, theoretical_bytes_per_cycle: float) -> str:
    """`rows` are of one kernel and one number of transactions, by size."""
    sizes = rows["transaction_size_bytes"].tolist()
    bandwidths = rows["bandwidth_bytes_per_cycle"].tolist()
    best = max(bandwidths)
    best_size = sizes[bandwidths.index(best)]
    best_in_words = f"{best:.1f} B/cycle ({100 * best / theoretical_bytes_per_cycle:.0f} % of the theoretical maximum)"
    who = f"with {_transactions(rows)}"
    # The sizes from the largest down to the first that falls short of the best.
    num_saturated = 0
    while num_saturated < len(sizes) and bandwidths[-1 - num_saturated] >= _SATURATED_SHARE * best:
        num_saturated += 1
    if num_saturated == 0:
        return _sentence(
            f"{who}, bandwidth is highest at {format_size(best_size)}, {best_in_words}, and falls to "
            f"{bandwidths[-1]:.1f} B/cycle at {format_size(sizes[-1])}"
        )
    if num_saturated == len(sizes):
        return _sentence(f"{who}, bandwidth reaches {best_in_words}, and at least 90 % of that at every size")
    if num_saturated == 1:
        return _sentence(f"{who}, bandwidth still rises at the largest size, {format_size(sizes[-1])}: {best_in_words}")
    return _sentence(
        f"{who}, bandwidth saturates at {best_in_words}; at least 90 % of that is reached from "
        f"{format_size(sizes[-num_saturated])} on"
    )


def _best_of_fewest(rows: pandas.DataFrame) -> str:
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    return _sentence(
        f"{_transactions(rows)} {_verb(rows, 'reaches', 'reach')} {best['bandwidth_bytes_per_cycle']:.1f} B/cycle "
        f"at most, at {format_size(int(best['transaction_size_bytes']))}"
    )


def _verb(rows: pandas.DataFrame, singular: str, plural: str) -> str:
    return singular if rows["num_transactions"].iloc[0] == 1 else plural


def _limits(rows: pandas.DataFrame) -> str:
    """`rows` are of one kernel and one number of transactions, by size."""
    spans: list[tuple[str, int, int]] = []  # limiter, first size, last size
    for limiter, size in zip(rows["limiter"], rows["transaction_size_bytes"], strict=True):
        if spans and spans[-1][0] == limiter:
            spans[-1] = (limiter, spans[-1][1], size)
        else:
            spans.append((limiter, size, size))
    phrases = []
    for position, (limiter, first, last) in enumerate(spans):
        by = f"by {_LIMITERS.get(limiter, limiter)}"
        if len(spans) == 1:
            phrases.append(f"{by} at every size")
        elif position == 0:
            phrases.append(f"{by} up to {format_size(last)}")
        elif position == len(spans) - 1:
            phrases.append(f"{by} from {format_size(first)} on")
        elif first == last:
            phrases.append(f"{by} at {format_size(first)}")
        else:
            phrases.append(f"{by} from {format_size(first)} to {format_size(last)}")
    listed = ", ".join(phrases[:-1]) + " and " + phrases[-1] if len(phrases) > 1 else phrases[0]
    return _sentence(f"{_transactions(rows)} {_verb(rows, 'is', 'are')} limited {listed}")


def _distance(rows: pandas.DataFrame) -> str:
    compared = rows.dropna(subset="error_percent")
    if compared.empty:
        return "There are no published measurements to compare with."
    errors_percent = compared["error_percent"].abs()
    worst = compared.iloc[int(errors_percent.argmax())]
    return _sentence(
        f"against silicon, the relative error of the latency over {len(compared)} points is "
        f"{errors_percent.quantile(0.5):.2g} % in the median, {errors_percent.quantile(0.9):.2g} % at the 90th "
        f"percentile and {errors_percent.max():.2g} % at most ({int(worst['num_transactions'])} x "
        f"{format_size(int(worst['transaction_size_bytes']))}: {worst['latency_cycles']:.10g} cycles, on silicon "
        f"{worst['reference_latency_cycles']:.10g})"
    )
