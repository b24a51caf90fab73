"""Sentences about a test that are true of its data, because they are made from it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from nocbench.pages.comparisons import SAME_WITHIN_PERCENT, compare, is_as_fast, without_loopback
from nocbench.pages.origins import errors_of, medians_in_words
from nocbench.points.peaks import WRONG_DATA, fault_of
from nocbench.results.result_files import rows_of
from nocbench.support.units import plural
from nocbench.support.wording import (
    cycles,
    destinations,
    enumerate_phrases,
    limiter_in_words,
    point_in_words,
    sentence,
    size_in_words,
    transactions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.pages.sections import Section

_SATURATED_SHARE = 0.9
_MAX_SPANS = 4
# Time per call is worth a word where it is a property of what limits the calls rather than of their size.
_LIMITERS_OF_CALLS = ("issue", "reservation", "acks")
_MAX_SPREAD_OF_ONE_TIME = 1.1


def observe(section: Section, page: Sequence[Section] = ()) -> list[tuple[str, list[str]]]:
    """Says, per kernel, where bandwidth saturates and why, how that compares with other tests, and with silicon.

    Args:
        section: what to speak of.
        page: all sections of the page; those that the section is worth comparing with are found among them.

    Returns:
        (kernel, sentences) for every kernel, in order.
    """
    observations = []
    for kernel in section.kernels:
        rows = _rows_of(section, kernel)
        twin = without_loopback(section, page)
        limits = _limits_of_ends(rows)
        has_same_limits = twin is not None and limits == _limits_of_ends(_rows_of(twin, kernel)) != []
        if has_same_limits and twin is not None and is_as_fast(section, twin, kernel):
            sentences = [_same_as_without_loopback(rows, section.theoretical_bytes_per_cycle)]
        else:
            sentences = [_saturation(_with_most(rows), section.theoretical_bytes_per_cycle)]
            sentences += ["The limits are the same as without loopback."] if has_same_limits else _reasons(rows, limits)
            sentences += compare(section, kernel, page)
        sentences += _distance(rows)
        sentences += _shortened(rows)
        sentences += _faults(rows)
        observations.append((kernel, sentences))
    return observations


def _faults(rows: pandas.DataFrame) -> list[str]:
    faults = [fault for row in rows_of(rows) if (fault := fault_of(row))]
    num_wrong = faults.count(WRONG_DATA)
    num_impossible = len(faults) - num_wrong
    wrong = f"Wrong data arrived in {num_wrong} of these {len(rows)} points."
    impossible = f"{num_impossible} of these {len(rows)} points are above the theoretical maximum: the model is wrong."
    return [sentence for sentence, number in ((wrong, num_wrong), (impossible, num_impossible)) if number]


def _rows_of(section: Section, kernel: str) -> pandas.DataFrame:
    rows: pandas.DataFrame = section.results[section.results["kernel"] == kernel]
    return rows


def _with_most(rows: pandas.DataFrame) -> pandas.DataFrame:
    most: pandas.DataFrame = rows[rows["num_transactions"] == rows["num_transactions"].max()]
    return most


def _saturation(rows: pandas.DataFrame, theoretical_bytes_per_cycle: float) -> str:
    """`rows` are of one kernel and one number of transactions, by size."""
    bandwidths = rows["bandwidth_bytes_per_cycle"].tolist()
    sizes = [size_in_words(row) for _, row in rows.iterrows()]
    best = max(bandwidths)
    best_size = sizes[bandwidths.index(best)]
    best_in_words = f"{best:.1f} B/cycle ({100 * best / theoretical_bytes_per_cycle:.0f} % of the theoretical maximum)"
    who = f"with {transactions(int(rows['num_transactions'].iloc[0]))}"
    # The sizes from the largest down to the first that falls short of the best.
    num_saturated = 0
    while num_saturated < len(sizes) and bandwidths[-1 - num_saturated] >= _SATURATED_SHARE * best:
        num_saturated += 1
    if len(sizes) == 1:
        return sentence(f"{who} of {best_size}, bandwidth is {best_in_words}")
    if num_saturated == 0:
        return sentence(
            f"{who}, bandwidth is highest at {best_size}, {best_in_words}, and falls to {bandwidths[-1]:.1f} B/cycle "
            f"at {sizes[-1]}"
        )
    if num_saturated == len(sizes):
        return sentence(f"{who}, bandwidth reaches {best_in_words}, and at least 90 % of that at every size")
    if num_saturated == 1:
        return sentence(f"{who}, bandwidth still rises at the largest size, {sizes[-1]}: {best_in_words}")
    return sentence(
        f"{who}, bandwidth saturates at {best_in_words}, and comes within 10 % of that from {sizes[-num_saturated]} on"
    )


def _same_as_without_loopback(rows: pandas.DataFrame, theoretical_bytes_per_cycle: float) -> str:
    most = _with_most(rows)
    best = most["bandwidth_bytes_per_cycle"].max()
    return sentence(
        f"as without loopback: the limits are the same, and so is, within {SAME_WITHIN_PERCENT:g} % at every size, the "
        f"bandwidth of {transactions(int(most['num_transactions'].iloc[0]))}, {best:.1f} B/cycle "
        f"({100 * best / theoretical_bytes_per_cycle:.0f} % of the theoretical maximum) at most"
    )


def _reasons(rows: pandas.DataFrame, limits: list[str]) -> list[str]:
    """What limits most transactions; how far fewest get, and what limits them."""
    fewest = rows[rows["num_transactions"] == rows["num_transactions"].min()]
    sentences = [f"It is limited {_limits(_with_most(rows), with_times=True)}."] if limits else []
    if len(fewest) != len(rows):
        sentences.append(_reach_of_fewest(fewest, limits))
    return sentences


def _reach_of_fewest(rows: pandas.DataFrame, limits: list[str]) -> str:
    count = int(rows["num_transactions"].iloc[0])
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    last = rows.iloc[-1]
    text = (
        f"{transactions(count)} {'gets' if count == 1 else 'get'} no further than "
        f"{best['bandwidth_bytes_per_cycle']:.1f} B/cycle, at {size_in_words(best)}"
    )
    if last["bandwidth_bytes_per_cycle"] < _SATURATED_SHARE * best["bandwidth_bytes_per_cycle"]:
        verb = "falls" if count == 1 else "fall"
        text += f", and {verb} to {last['bandwidth_bytes_per_cycle']:.1f} B/cycle at {size_in_words(last)}"
    if limits:
        text += f", limited {'in the same way' if limits[0] == limits[-1] else limits[-1]}"
    return sentence(text)


def _limits_of_ends(rows: pandas.DataFrame) -> list[str]:
    """What limits most and what limits fewest transactions; empty if that is not known."""
    if "limiter" not in rows.columns or rows["limiter"].isna().any() or (rows["limiter"] == "").any():
        return []
    counts = (rows["num_transactions"].max(), rows["num_transactions"].min())
    return [_limits(rows[rows["num_transactions"] == count]) for count in counts]


def _limits(rows: pandas.DataFrame, *, with_times: bool = False) -> str:
    """`rows` are of one kernel and one number of transactions, by size."""
    spans = [
        (limiter, list(span)) for limiter, span in groupby(rows.index, lambda index: str(rows.at[index, "limiter"]))
    ]
    if len(spans) > _MAX_SPANS:
        counts = rows["limiter"].value_counts(sort=False).sort_values(ascending=False, kind="stable")
        phrases = [f"by {limiter_in_words(str(limiter))} at {count}" for limiter, count in counts.items()]
        return f"{enumerate_phrases(phrases)} of the {len(rows)} sizes"
    phrases = []
    for position, (limiter, span) in enumerate(spans):
        first, last = (size_in_words(rows.loc[index]) for index in (span[0], span[-1]))
        if len(spans) == 1:
            where = "at every size" if len(rows) > 1 else ""
        elif position == 0:
            where = f"up to {last}"
        elif position == len(spans) - 1:
            where = f"from {first} on"
        else:
            where = f"at {first}" if first == last else f"from {first} to {last}"
        time = _time_per_call(limiter, rows.loc[span]) if with_times else ""
        phrases.append(" ".join(part for part in (f"by {limiter_in_words(limiter)}", where, time) if part))
    return enumerate_phrases(phrases)


def _time_per_call(limiter: str, rows: pandas.DataFrame) -> str:
    if limiter not in _LIMITERS_OF_CALLS or rows["num_transactions"].iloc[0] == 1 or "call_size_bytes" not in rows:
        return ""
    num_calls = rows["num_transactions"] * destinations(rows.iloc[0])
    times_cycles = rows["latency_cycles"] / num_calls
    if times_cycles.max() > _MAX_SPREAD_OF_ONE_TIME * times_cycles.min():
        return ""
    return f"(a call every {times_cycles.mean():.0f} cycles)"


def _shortened(rows: pandas.DataFrame) -> list[str]:
    if "simulated_transactions" not in rows.columns:
        return []
    num_shortened = int((rows["simulated_transactions"] < rows["num_transactions"]).sum())
    if not num_shortened:
        return []
    num_unsteady = int((~rows["steady"]).sum())
    unsteady = f"; at {num_unsteady} of them they are not steady, and the prediction is rough" if num_unsteady else ""
    how = "[how, and how exact that is](../../docs/results.md#shortened-points)"
    return [
        (
            f"Of {num_shortened} of these {len(rows)} points, those that take longest, fewer transactions were "
            f"simulated, and the others taken to go on as these do ({how}){unsteady}."
        )
    ]


def _distance(rows: pandas.DataFrame) -> list[str]:
    compared = rows.dropna(subset="error_percent")
    if compared.empty:
        return []
    errors_percent = compared["error_percent"].abs()
    worst = compared.iloc[int(errors_percent.argmax())]
    return [
        (
            f"Against silicon, latency is off by {errors_percent.quantile(0.5):.2g} % in the median of "
            f"{plural(len(compared), 'point')}, by {errors_percent.quantile(0.9):.2g} % at the 90th percentile and by "
            f"{errors_percent.max():.2g} % at most ({point_in_words(worst)}: {cycles(worst['latency_cycles'])} cycles, "
            f"on silicon {cycles(worst['reference_latency_cycles'])})."
        ),
        medians_in_words(errors_of(rows), "point"),
    ]
