"""Sentences that compare a test with other tests of its page, on the same board and with the same parameters."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.pages.one_to_all_tests import SMALLEST_GRID, OneToAllTest
from nocbench.points.swept_tests import START
from nocbench.support.markdown import Markdown, code
from nocbench.support.units import format_size, plural
from nocbench.support.wording import (
    bandwidth,
    cycles,
    destinations,
    enumerate_phrases,
    point_in_words,
    sentence,
    size_in_words,
    times_as_long,
    transactions,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas

    from nocbench.pages.sections import Section

ONE_TO_ONE = "One to One Packet Sizes"
ONE_FROM_ONE = "One from One Packet Sizes"
LOOPBACK = "Loopback Packet Sizes"
ONE_FROM_ALL = "One from All Packet Sizes"
ALL_TO_ALL = "All to All Packet Sizes"

_OTHER = "_other"  # suffix of the columns of the compared test
_THEIR_LATENCY = f"latency_cycles{_OTHER}"
_THEIR_BANDWIDTH = f"bandwidth_bytes_per_cycle{_OTHER}"
SAME_WITHIN_PERCENT = 1.0
SATURATED_SHARE = 0.9
"""Share of the highest bandwidth from which a bandwidth counts as saturated."""


class _Peer(NamedTuple):
    """Words for a comparison with another test.

    Attributes:
        begin: beginning of the sentence, with comma and blank, or empty.
        ours, theirs: words after the bandwidth of this and of the compared test: "with loopback", "without loopback".
    """

    begin: str
    ours: str
    theirs: str


_LOOPBACK = _Peer("with loopback, ", "with loopback", "without loopback")
_ONE_TO_ONE = _Peer("", "here", "in One to One")


def compare(section: Section, kernel: str, page: Sequence[Section]) -> list[str]:
    """Returns sentences that compare a kernel of a section with relevant sections of its page."""
    peers = [other for other in page if _is_comparable(section, other)]
    test = OneToAllTest.of(section)
    sentences = []
    if test is not None:
        sentences += _one_to_all(section, test, kernel, peers)
    elif section.test == LOOPBACK:
        sentences += _loopback_against_one_to_one(section, _named(peers, ONE_TO_ONE), kernel)
        sentences += _contention_of_loopback(page, section.board, kernel)
    elif section.test == ONE_FROM_ALL:
        sentences += _best_against(section, _named(peers, ONE_FROM_ONE), kernel, "With reads from a single core")
    elif section.test == ALL_TO_ALL:
        sentences += _together_against_alone(section, kernel, peers)
    sentences += _sum_over_cores(section, kernel)
    sentences += _start_against_default(section, kernel, page)
    return sentences


def without_loopback(section: Section, page: Sequence[Section]) -> Section | None:
    """Returns the section of the same test without loopback; None if the page has none, or the test has no loopback."""
    test = OneToAllTest.of(section)
    if test is None or not test.loopback:
        return None
    peers = [other for other in page if _is_comparable(section, other)]
    return _find(peers, replace(test, loopback=False))


def is_as_fast(section: Section, other: Section, kernel: str) -> bool:
    """Returns True if the bandwidths with the most transactions agree within 1 % at every common size."""
    pairs = _pairs(section, other, kernel)
    return not pairs.empty and bool(_differences_percent(_with_most(pairs)).abs().max() <= SAME_WITHIN_PERCENT)


def _is_comparable(section: Section, other: Section) -> bool:
    return other is not section and (other.board, other.params) == (section.board, section.params)


def _named(sections: Iterable[Section], test: str) -> Section | None:
    return next((section for section in sections if section.test == test), None)


def _find(sections: Iterable[Section], test: OneToAllTest) -> Section | None:
    return next((section for section in sections if OneToAllTest.of(section) == test), None)


def _one_to_all(section: Section, test: OneToAllTest, kernel: str, peers: Sequence[Section]) -> list[str]:
    without = _find(peers, replace(test, loopback=False)) if test.loopback else None
    if without is not None:  # the section without loopback has the remaining sentences
        return _bandwidth_against(section, without, kernel, _LOOPBACK)
    if test.cast == "unicast":
        one_to_one = _named(peers, ONE_TO_ONE)
        return [
            *_single_transactions_against(section, one_to_one, kernel),
            *_saturation_against(section, one_to_one, kernel),
            *_unicast_against_multicast(section, _find(peers, replace(test, cast="multicast")), kernel),
        ]
    sentences = []
    if test.linked:
        sentences += _linked_against_unlinked(section, _find(peers, replace(test, linked=False)), kernel)
    unicast = _find(peers, replace(test, cast="unicast", linked=False))
    sentences += _multicast_against_unicast(section, unicast, kernel, brief=bool(sentences))
    return sentences + _against_smallest_grid(section, test, kernel, peers)


def _single_transactions_against(section: Section, one_to_one: Section | None, kernel: str) -> list[str]:
    """Compares single transactions with those of One to One: a transaction of many calls fills the link sooner."""
    pairs = _pairs(section, one_to_one, kernel)
    pairs = pairs[pairs["num_transactions"] == pairs["num_transactions"].min()]
    if pairs.empty:
        return []
    num_calls = destinations(pairs.iloc[0])
    ours, theirs = (float(pairs[column].max()) for column in ("bandwidth_bytes_per_cycle", _THEIR_BANDWIDTH))
    if num_calls == 1 or ours <= theirs * (1 + SAME_WITHIN_PERCENT / 100):
        return []
    count = int(pairs["num_transactions"].iloc[0])
    return [
        f"A transaction consists of {num_calls} calls, one call to each receiver.",
        (
            f"The bandwidth of {transactions(count)} is therefore higher than in One to One, where it reaches at most "
            f"{theirs:.1f} B/cycle."
        ),
    ]


def _saturation_against(section: Section, one_to_one: Section | None, kernel: str) -> list[str]:
    """Compares the number of transactions that saturate bandwidth, at the smallest size where both tests saturate."""
    pairs = _pairs(section, one_to_one, kernel)
    if pairs.empty:
        return []
    is_saturated, theirs_is = (
        pairs[column] >= SATURATED_SHARE * pairs[column].max()
        for column in ("bandwidth_bytes_per_cycle", _THEIR_BANDWIDTH)
    )
    with_most = pairs["num_transactions"] == pairs["num_transactions"].max()
    sizes = pairs.loc[with_most & is_saturated & theirs_is, "call_size_bytes"]
    if sizes.empty:
        return []
    at_size = pairs["call_size_bytes"] == sizes.min()
    ours, theirs = (
        int(pairs.loc[at_size & saturated, "num_transactions"].min()) for saturated in (is_saturated, theirs_is)
    )
    if ours >= theirs:
        return []
    return [
        (
            f"Fewer transactions saturate: with calls of {format_size(int(sizes.min()))}, {transactions(ours)} "
            f"{'reaches' if ours == 1 else 'reach'} {100 * SATURATED_SHARE:.0f} % of the highest bandwidth here, and "
            f"{transactions(theirs)} in One to One."
        )
    ]


def _unicast_against_multicast(section: Section, multicast: Section | None, kernel: str) -> list[str]:
    """Returns a hint if multicasts take less time at most points, although their bandwidth is lower."""
    pairs = _pairs(section, multicast, kernel)
    if pairs.empty:
        return []
    largest = _ends(_with_most(pairs))[-1]
    num_faster = int((pairs[_THEIR_LATENCY] < pairs["latency_cycles"]).sum())
    is_lower = largest[_THEIR_BANDWIDTH] < largest["bandwidth_bytes_per_cycle"]
    if not is_lower or largest[_THEIR_LATENCY] >= largest["latency_cycles"] or 2 * num_faster <= len(pairs):
        return []
    count = int(largest["num_transactions"])
    where = "at every point" if num_faster == len(pairs) else f"at {num_faster} of {len(pairs)} points"
    return [
        (
            f"Multicasts look slower and are faster: {count} multicasts of {format_size(largest['call_size_bytes'])} "
            f"to the same {plural(destinations(largest), 'receiver')} have a bandwidth of "
            f"{bandwidth(largest[_THEIR_BANDWIDTH])} B/cycle instead of "
            f"{bandwidth(largest['bandwidth_bytes_per_cycle'])} B/cycle, but take {cycles(largest[_THEIR_LATENCY])} "
            f"cycles instead of {cycles(largest['latency_cycles'])}, because they send the data only once."
        ),
        f"Multicasts take less time {where}, so they are the better choice.",
    ]


def _against_smallest_grid(section: Section, test: OneToAllTest, kernel: str, peers: Sequence[Section]) -> list[str]:
    """Describes the decrease of multicast bandwidth with the size of the grid, and the role of acknowledgements."""
    smallest = _find(peers, replace(test, grid=SMALLEST_GRID))
    pairs = _pairs(section, smallest, kernel)
    if pairs.empty:
        return []
    pairs = _with_most(pairs)
    ours, theirs = (float(pairs[column].max()) for column in ("bandwidth_bytes_per_cycle", _THEIR_BANDWIDTH))
    if ours >= theirs * (1 - SAME_WITHIN_PERCENT / 100):
        return []
    sentences = [
        f"To a {SMALLEST_GRID} grid, the bandwidth reaches {theirs:.1f} B/cycle, and {_other_takes(pairs.iloc[0])}."
    ]
    if "acks" in set(pairs.get("limiter", ())):
        sentences += [
            "The larger the grid, the more receivers acknowledge each packet.",
            "Posted multicasts have no acknowledgements, so they would not have this limit.",
            "They are not safe because of a bug of the hardware, and the dataflow API refuses them.",
        ]
    return sentences


def _linked_against_unlinked(section: Section, unlinked: Section | None, kernel: str) -> list[str]:
    pairs = _pairs(section, unlinked, kernel)
    pairs = pairs[pairs["num_transactions"] > 1]  # a single call has no predecessor to be linked to
    if pairs.empty:
        return []
    return [f"Without linking, {_other_takes(pair)}." for pair in _ends(_with_most(pairs))]


def _multicast_against_unicast(section: Section, unicast: Section | None, kernel: str, *, brief: bool) -> list[str]:
    pairs = _pairs(section, unicast, kernel)
    if pairs.empty:
        return []
    *smaller, largest = _ends(_with_most(pairs))
    receivers = plural(destinations(_other_of(largest)), "receiver")
    if brief:
        return [f"With unicasts to the same {receivers}, {_other_takes(largest)}."]
    ours, theirs = (largest[f"bandwidth_bytes_per_cycle{side}"] for side in ("", _OTHER))
    is_hidden = theirs > ours and largest[_THEIR_LATENCY] > largest["latency_cycles"]
    hidden = (
        "Nevertheless, the bandwidth of the unicasts is higher, because it counts the data of every receiver: "
        f"unicasts {theirs:.1f} B/cycle, multicasts {ours:.1f} B/cycle."
    )
    num_faster = int((pairs[_THEIR_LATENCY] < pairs["latency_cycles"]).sum())
    return [
        f"With unicasts to the same {receivers}, {_other_takes(largest)}.",
        *([hidden] if is_hidden else []),
        *(f"With unicasts, {_subject(pair)} {_times_as_long(pair)}." for pair in smaller),
        f"Unicasts are faster at {num_faster} of {len(pairs)} points."
        if num_faster
        else "Unicasts are not faster at any point.",
    ]


def _loopback_against_one_to_one(section: Section, one_to_one: Section | None, kernel: str) -> list[str]:
    pairs = _pairs(section, one_to_one, kernel)
    if pairs.empty:
        return []
    first = pairs.sort_values(["num_transactions", "call_size_bytes"]).iloc[0]
    return [
        *_bandwidth_against(section, one_to_one, kernel, _ONE_TO_ONE),
        (
            f"{sentence(_subject(first)).rstrip('.')} {cycles(first['latency_cycles'])} cycles here, and "
            f"{cycles(first[_THEIR_LATENCY])} cycles in One to One."
        ),
    ]


def _contention_of_loopback(page: Sequence[Section], board: str, kernel: str) -> list[str]:
    """Describes the cost of the loopback copy of multicasts, which shares ports with other packets."""
    slowdowns = []
    for section in page:
        test = OneToAllTest.of(section)
        without = without_loopback(section, page) if section.board == board else None
        pairs = _pairs(section, without, kernel)
        if test is None or test.cast == "unicast" or pairs.empty:
            continue
        for _, pair in _with_most(pairs).iterrows():
            slowdowns.append((pair["latency_cycles"] / pair[_THEIR_LATENCY], section, pair))
    if not slowdowns:
        return []
    slowdown, section, pair = max(slowdowns, key=lambda one: one[0])
    if slowdown <= 1 + SAME_WITHIN_PERCENT / 100:
        return []
    return [
        (
            "A loopback occupies two ports of its tile, the one for sending and the one for receiving, so it is more "
            "likely to meet other packets."
        ),
        (
            f"It makes multicasts slower by up to {100 * (slowdown - 1):.0f} % ({section.test}, "
            f"{point_in_words(pair)}: {cycles(pair['latency_cycles'])} cycles, without loopback "
            f"{cycles(pair[_THEIR_LATENCY])} cycles)."
        ),
    ]


def _bandwidth_against(section: Section, other: Section | None, kernel: str, peer: _Peer) -> list[str]:
    pairs = _pairs(section, other, kernel)
    if pairs.empty:
        return []
    pairs = _with_most(pairs)
    who = transactions(int(pairs["num_transactions"].iloc[0]))
    differences_percent = _differences_percent(pairs)
    if differences_percent.abs().max() <= SAME_WITHIN_PERCENT:
        return [
            (
                f"At every size, the bandwidth of {who} differs by at most {SAME_WITHIN_PERCENT:g} % from the "
                f"bandwidth {peer.theirs}."
            )
        ]
    worst = pairs.iloc[int(differences_percent.abs().argmax())]
    difference = _range_in_words(differences_percent.min(), differences_percent.max())
    return [
        sentence(f"{peer.begin}the bandwidth of {who} is {difference} than {peer.theirs}"),
        (
            f"The difference is largest at {size_in_words(worst)}: {bandwidth(worst['bandwidth_bytes_per_cycle'])} "
            f"B/cycle {peer.ours}, {bandwidth(worst[_THEIR_BANDWIDTH])} B/cycle {peer.theirs}."
        ),
    ]


def _best_against(section: Section, other: Section | None, kernel: str, how: str) -> list[str]:
    """Describes the best bandwidth of the compared test, after the words `how`."""
    pairs = _pairs(section, other, kernel)
    if pairs.empty:
        return []
    best = pairs.iloc[int(pairs[_THEIR_BANDWIDTH].argmax())]
    return [
        (
            f"{how}, the bandwidth reaches at most {best[_THEIR_BANDWIDTH]:.1f} B/cycle "
            f"({point_in_words(_other_of(best))})."
        )
    ]


def _together_against_alone(section: Section, kernel: str, peers: Sequence[Section]) -> list[str]:
    alone = _find(peers, OneToAllTest(cast="unicast", linked=False, grid="whole", loopback=True))
    pairs = _pairs(section, alone, kernel)
    if alone is None or pairs.empty or destinations(pairs.iloc[0]) != destinations(_other_of(pairs.iloc[0])):
        return []
    slowdowns = pairs["latency_cycles"] / pairs[_THEIR_LATENCY]
    worst = pairs.iloc[int(slowdowns.argmax())]
    return [
        (
            f"A core takes {slowdowns.min():.1f} to {slowdowns.max():.1f} times as long as a single core that writes "
            f"to the same cores ({alone.title})."
        ),
        (
            f"The ratio is highest for {point_in_words(worst)}: {cycles(worst['latency_cycles'])} cycles with all "
            f"cores, {cycles(worst[_THEIR_LATENCY])} cycles with a single core."
        ),
    ]


def _sum_over_cores(section: Section, kernel: str) -> list[str]:
    rows = section.results[section.results["kernel"] == kernel]
    if "num_cores" not in rows.columns or rows["num_cores"].iloc[0] == 1:
        return []
    num_cores = int(rows["num_cores"].iloc[0])
    if section.counts_together:
        return [
            f"Each duration ends when the last of the {num_cores} cores has finished.",
            "Each bandwidth is the sum over these cores.",
        ]
    largest = rows[rows["num_transactions"] == rows["num_transactions"].max()].iloc[-1]
    return [
        f"All figures are medians over {num_cores} cores.",
        (
            f"With {point_in_words(largest)}, {num_cores} times the median bandwidth is "
            f"{num_cores * largest['bandwidth_bytes_per_cycle']:.0f} B/cycle."
        ),
    ]


def _start_against_default(section: Section, kernel: str, page: Sequence[Section]) -> list[str]:
    changed = section.changed
    start = changed.pop(START, None)
    if start is None:
        return []
    same = [other for other in page if (other.test, other.board) == (section.test, section.board)]
    default = next((other for other in same if other.changed == changed), None)
    pairs = _pairs(section, default, kernel)
    if default is None or pairs.empty:
        return []
    ratios = pairs["latency_cycles"] / pairs[_THEIR_LATENCY]
    worst = pairs.iloc[int(ratios.argmax())]
    times = " to ".join(dict.fromkeys(f"{ratio:.2f}" for ratio in (ratios.min(), ratios.max())))
    skew_cycles = default.launch_skew_cycles
    apart = f", in which the cores start {cycles(skew_cycles)} cycles apart" if skew_cycles else ""
    setting = code(f"start={start}")
    return [
        Markdown(f"With {setting}, a core takes {times} times as long as with the default start{apart}."),
        Markdown(
            f"The ratio is highest for {point_in_words(worst)}: {cycles(worst['latency_cycles'])} cycles with "
            f"{setting}, {cycles(worst[_THEIR_LATENCY])} cycles with the default start."
        ),
    ]


def _pairs(section: Section, other: Section | None, kernel: str) -> pandas.DataFrame:
    """Returns the common points, by number of transactions and bytes per call.

    Columns of the compared test have a suffix.
    """
    ours = section.results[section.results["kernel"] == kernel]
    if other is None or any("call_size_bytes" not in frame.columns for frame in (ours, other.results)):
        return ours.iloc[:0]
    theirs = other.results[other.results["kernel"] == kernel]
    theirs = theirs.assign(**{f"call_size_bytes{_OTHER}": theirs["call_size_bytes"]})
    return ours.merge(theirs, on=["num_transactions", "call_size_bytes"], suffixes=("", _OTHER))


def _other_of(pair: pandas.Series[Any]) -> pandas.Series[Any]:
    """Returns the compared test's columns of a pair, as a result row."""
    names = ("num_transactions", "call_size_bytes")
    part = {name.removesuffix(_OTHER): pair[name] for name in pair.index if str(name).endswith(_OTHER)}
    return type(pair)({**{name: pair[name] for name in names}, **part})


def _range_in_words(least_percent: float, most_percent: float) -> str:
    """Returns a range of differences in words, to precede "than ...": "2.1 to 3.4 % lower", "up to 0.3 % higher"."""
    if least_percent * most_percent > 0:
        low, high = (f"{share:.1f}" for share in sorted((abs(least_percent), abs(most_percent))))
        return f"{low if low == high else f'{low} to {high}'} % {'lower' if most_percent < 0 else 'higher'}"
    parts = [(-least_percent, "lower"), (most_percent, "higher")]
    return enumerate_phrases([f"up to {share:.1f} % {side}" for share, side in parts if share >= 0.05])


def _differences_percent(pairs: pandas.DataFrame) -> pandas.Series[float]:
    """Returns the excess of this test's bandwidth over that of the compared test, in percent."""
    return 100 * (pairs["bandwidth_bytes_per_cycle"] / pairs[_THEIR_BANDWIDTH] - 1)


def _with_most(pairs: pandas.DataFrame) -> pandas.DataFrame:
    most: pandas.DataFrame = pairs[pairs["num_transactions"] == pairs["num_transactions"].max()]
    return most.sort_values("call_size_bytes")


def _ends(pairs: pandas.DataFrame) -> list[pandas.Series[Any]]:
    """Returns the first and the last pair, or the only one."""
    return [pairs.iloc[position] for position in dict.fromkeys((0, len(pairs) - 1))]


def _times_as_long(pair: pandas.Series[Any]) -> str:
    return times_as_long(pair[_THEIR_LATENCY] / pair["latency_cycles"])


def _other_takes(pair: pandas.Series[Any]) -> str:
    """Describes the compared test's time at a point: "256 transactions of 64 B take 5.3 times as long: ..."."""
    return (
        f"{_subject(pair)} {_times_as_long(pair)}: {cycles(pair[_THEIR_LATENCY])} cycles instead of "
        f"{cycles(pair['latency_cycles'])} cycles"
    )


def _subject(row: pandas.Series[Any]) -> str:
    """Returns a point with its verb: "a single transaction of 64 B takes", "256 transactions of 64 B take"."""
    count = int(row["num_transactions"])
    return f"{transactions(count)} of {size_in_words(row)} {'takes' if count == 1 else 'take'}"
