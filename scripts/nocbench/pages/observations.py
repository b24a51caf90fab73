"""Sentences on a test, made from its results."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from nocbench.pages.comparisons import SAME_WITHIN_PERCENT, SATURATED_SHARE, compare, is_as_fast, without_loopback
from nocbench.pages.origins import errors_of, medians_in_words
from nocbench.pages.parameter_observations import observe_rows
from nocbench.points.peaks import WRONG_DATA, fault_of
from nocbench.results.result_files import rows_of
from nocbench.support.markdown import Markdown
from nocbench.support.units import plural
from nocbench.support.wording import (
    cycles,
    destinations,
    enumerate_clauses,
    limiter_in_words,
    limiters_by_count,
    point_in_words,
    size_in_words,
    transactions,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

    from nocbench.pages.sections import Section

_MAX_SPANS = 4
_MAX_SPANS_IN_A_SENTENCE = 2
# Limiters that determine the time per call, independent of the size.
_LIMITERS_OF_CALLS = ("issue", "reservation", "acks")
_MAX_SPREAD_OF_ONE_TIME = 1.1


def observe(section: Section, page: Sequence[Section] = ()) -> list[tuple[str, list[str]]]:
    """Describes where and why bandwidth saturates, by kernel; compares with other tests and with silicon.

    Args:
        section: the section to describe.
        page: all sections of the page, as candidates for comparisons.

    Returns:
        (kernel, sentences) for every kernel, in order.
    """
    source = section.architecture.published_source
    observations = []
    for kernel in section.kernels:
        rows = _rows_of(section, kernel)
        if section.varied:
            in_words = [*observe_rows(section, rows), *_distance(rows, source), *_shortened(rows), *_faults(rows)]
            observations.append((kernel, in_words))
            continue
        twin = without_loopback(section, page)
        limits = _limits_of_ends(rows)
        has_same_limits = twin is not None and limits == _limits_of_ends(_rows_of(twin, kernel)) != []
        if has_same_limits and twin is not None and is_as_fast(section, twin, kernel):
            sentences = _same_as_without_loopback(rows, section.theoretical_of_kernels[kernel])
        else:
            sentences = _saturation(_with_most(rows), section.theoretical_of_kernels[kernel])
            sentences += [_same_causes("without loopback")] if has_same_limits else _reasons(rows, limits)
            sentences += compare(section, kernel, page)
        sentences += _distance(rows, source)
        sentences += _shortened(rows)
        sentences += _faults(rows)
        observations.append((kernel, sentences))
    return observations


def _faults(rows: pandas.DataFrame) -> list[str]:
    faults = [fault for row in rows_of(rows) if (fault := fault_of(row))]
    num_wrong = faults.count(WRONG_DATA)
    num_impossible = len(faults) - num_wrong
    wrong = f"Wrong data arrived at {num_wrong} of these {len(rows)} points."
    impossible = (
        f"The bandwidth of {num_impossible} of these {len(rows)} points is above the theoretical maximum, so the model "
        "is wrong."
    )
    return [sentence for sentence, number in ((wrong, num_wrong), (impossible, num_impossible)) if number]


def _rows_of(section: Section, kernel: str) -> pandas.DataFrame:
    rows: pandas.DataFrame = section.results[section.results["kernel"] == kernel]
    return rows


def _with_most(rows: pandas.DataFrame) -> pandas.DataFrame:
    most: pandas.DataFrame = rows[rows["num_transactions"] == rows["num_transactions"].max()]
    return most


def _saturation(rows: pandas.DataFrame, theoretical_bytes_per_cycle: float) -> list[str]:
    """Describes saturation. `rows` are those of a kernel with one number of transactions, by size."""
    bandwidths = rows["bandwidth_bytes_per_cycle"].tolist()
    sizes = [size_in_words(row) for _, row in rows.iterrows()]
    best = max(bandwidths)
    best_size = sizes[bandwidths.index(best)]
    best_in_words = _with_share(best, theoretical_bytes_per_cycle)
    who = f"With {transactions(int(rows['num_transactions'].iloc[0]))}"
    # Count the largest sizes, down to the first that is below the saturated share.
    num_saturated = 0
    while num_saturated < len(sizes) and bandwidths[-1 - num_saturated] >= SATURATED_SHARE * best:
        num_saturated += 1
    if len(sizes) == 1:
        return [f"{who} of {best_size}, the bandwidth is {best_in_words}."]
    if num_saturated == 0:
        return [
            f"{who}, the bandwidth is highest at {best_size}: {best_in_words}.",
            f"The bandwidth falls to {bandwidths[-1]:.1f} B/cycle at {sizes[-1]}.",
        ]
    reached = f"{who}, the bandwidth reaches at most {best_in_words}."
    if num_saturated == len(sizes):
        return [reached, f"At every size, the bandwidth is at least {100 * SATURATED_SHARE:.0f} % of this maximum."]
    if num_saturated == 1:
        return [
            f"{who}, the bandwidth still rises at the largest size, {sizes[-1]}.",
            f"At this size, the bandwidth is {best_in_words}.",
        ]
    least = f"the bandwidth is at least {100 * SATURATED_SHARE:.0f} % of this maximum"
    return [reached, f"For sizes from {sizes[-num_saturated]}, {least}."]


def _with_share(bandwidth: float, theoretical_bytes_per_cycle: float) -> str:
    share = 100 * bandwidth / theoretical_bytes_per_cycle
    return f"{bandwidth:.1f} B/cycle ({share:.0f} % of the theoretical maximum)"


def _same_causes(when: str) -> str:
    return f"The causes that limit the bandwidth are the same as {when}."


def _same_as_without_loopback(rows: pandas.DataFrame, theoretical_bytes_per_cycle: float) -> list[str]:
    most = _with_most(rows)
    best = float(most["bandwidth_bytes_per_cycle"].max())
    who = transactions(int(most["num_transactions"].iloc[0]))
    return [
        f"With {who}, the bandwidth reaches at most {_with_share(best, theoretical_bytes_per_cycle)}.",
        (
            f"At every size, the bandwidth differs by at most {SAME_WITHIN_PERCENT:g} % from the bandwidth without "
            "loopback."
        ),
        _same_causes("without loopback"),
    ]


def _reasons(rows: pandas.DataFrame, limits: list[str]) -> list[str]:
    """Describes the limiters with the most and the fewest transactions, and the bandwidth with the fewest."""
    fewest = rows[rows["num_transactions"] == rows["num_transactions"].min()]
    sentences = [_limits(_with_most(rows), with_times=True)] if limits else []
    if len(fewest) != len(rows):
        sentences += _reach_of_fewest(fewest, limits, int(rows["num_transactions"].max()))
    return sentences


def _reach_of_fewest(rows: pandas.DataFrame, limits: list[str], most: int) -> list[str]:
    best = rows.iloc[int(rows["bandwidth_bytes_per_cycle"].argmax())]
    last = rows.iloc[-1]
    sentences = [
        (
            f"With {transactions(int(rows['num_transactions'].iloc[0]))}, the bandwidth reaches at most "
            f"{best['bandwidth_bytes_per_cycle']:.1f} B/cycle, at {size_in_words(best)}."
        )
    ]
    if last["bandwidth_bytes_per_cycle"] < SATURATED_SHARE * best["bandwidth_bytes_per_cycle"]:
        sentences.append(
            f"The bandwidth falls to {last['bandwidth_bytes_per_cycle']:.1f} B/cycle at {size_in_words(last)}."
        )
    if limits:
        is_same = limits[0] == limits[-1]
        sentences.append(_same_causes(f"with {transactions(most)}") if is_same else limits[-1])
    return sentences


def _limits_of_ends(rows: pandas.DataFrame) -> list[str]:
    """Describes the limiters with the most and the fewest transactions; empty if unknown."""
    if "limiter" not in rows.columns or rows["limiter"].isna().any() or (rows["limiter"] == "").any():
        return []
    counts = (rows["num_transactions"].max(), rows["num_transactions"].min())
    return [_limits(rows[rows["num_transactions"] == count]) for count in counts]


def _limits(rows: pandas.DataFrame, *, with_times: bool = False) -> str:
    """Describes the limiters. `rows` are those of a kernel with one number of transactions, by size."""
    spans = [
        (limiter, list(span)) for limiter, span in groupby(rows.index, lambda index: str(rows.at[index, "limiter"]))
    ]
    if len(spans) > _MAX_SPANS:
        counts = rows["limiter"].value_counts(sort=False).sort_values(ascending=False, kind="stable")
        return f"The limit is {limiters_by_count({str(name): int(count) for name, count in counts.items()}, 'size')}."
    phrases = []
    for position, (limiter, span) in enumerate(spans):
        first, last = (size_in_words(rows.loc[index]) for index in (span[0], span[-1]))
        if len(spans) == 1:
            where = "at every size" if len(rows) > 1 else ""
        elif position == 0:
            where = f"for sizes up to {last}"
        elif position == len(spans) - 1:
            where = f"for sizes from {first}"
        else:
            where = f"at {first}" if first == last else f"for sizes from {first} to {last}"
        time = _time_per_call(limiter, rows.loc[span]) if with_times else ""
        phrases.append(" ".join(part for part in (limiter_in_words(limiter), where, time) if part))
    if len(phrases) <= _MAX_SPANS_IN_A_SENTENCE:
        return f"The limit is {enumerate_clauses(phrases)}."
    return f"The limit is {'. The limit is '.join(phrases)}."


def _time_per_call(limiter: str, rows: pandas.DataFrame) -> str:
    if limiter not in _LIMITERS_OF_CALLS or rows["num_transactions"].iloc[0] == 1 or "call_size_bytes" not in rows:
        return ""
    num_calls = rows["num_transactions"] * destinations(rows.iloc[0])
    times_cycles = rows["latency_cycles"] / num_calls
    if times_cycles.max() > _MAX_SPREAD_OF_ONE_TIME * times_cycles.min():
        return ""
    return f"(one call every {times_cycles.mean():.0f} cycles)"


def _shortened(rows: pandas.DataFrame) -> list[str]:
    if "simulated_transactions" not in rows.columns:
        return []
    num_shortened = int((rows["simulated_transactions"] < rows["num_transactions"]).sum())
    if not num_shortened:
        return []
    num_unsteady = int((~rows["steady"]).sum())
    unsteady = (
        "None of the shortened points is steady, so their predictions are rough."
        if num_unsteady == num_shortened
        else f"{num_unsteady} of the shortened points are not steady, so their predictions are rough."
    )
    return [
        Markdown(
            f"Of these {len(rows)} points, {num_shortened} are shortened "
            "([docs/results.md](repository:docs/results.md#shortened-points))."
        ),
        "nocbench simulates only some transactions of a shortened point, and predicts its latency from them.",
        *([unsteady] if num_unsteady else []),
    ]


def _distance(rows: pandas.DataFrame, source: str) -> list[str]:
    compared = rows.dropna(subset="error_percent")
    if compared.empty:
        return []
    errors_percent = compared["error_percent"].abs()
    worst = compared.iloc[int(errors_percent.argmax())]
    return [
        (
            f"The latency of the model differs from {source} by {errors_percent.quantile(0.5):.2g} % in the median of "
            f"{plural(len(compared), 'point')}, by {errors_percent.quantile(0.9):.2g} % at the 90th percentile, and by "
            f"at most {errors_percent.max():.2g} % ({point_in_words(worst)}: model {cycles(worst['latency_cycles'])} "
            f"cycles, {source} {cycles(worst['reference_latency_cycles'])})."
        ),
        medians_in_words(errors_of(rows), "point"),
    ]
