from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sample import make_frame, make_reference, make_row

from nocbench.pages.observations import observe
from nocbench.pages.sections import sections_of
from nocbench.results.result_files import to_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.usefixtures("fake_simulator")


def sentences(
    bandwidths: Sequence[float],
    limiters: Sequence[str] = (),
    count: int = 256,
    factor: float | None = None,
    num_calls: int = 1,
) -> list[str]:
    rows = [
        make_row(
            num_transactions=count,
            transaction_size_bytes=32 << position,
            call_size_bytes=(32 << position) // num_calls,
            bandwidth_bytes_per_cycle=bandwidth,
            latency_cycles=1000.0 * (position + 1),
            limiter=limiters[position] if limiters else "link",
        )
        for position, bandwidth in enumerate(bandwidths)
    ]
    results = to_frame(rows)
    reference = make_reference(results, factor or 1)
    if factor is None:
        reference = reference.iloc[:0]
    (section,) = sections_of(results, reference)["wormhole_b0"]
    ((kernel, texts),) = observe(section)
    assert kernel == "Sender"
    return texts


def test_saturation() -> None:
    assert sentences([8, 16, 29, 31, 30])[:2] == [
        "With 256 transactions, the bandwidth reaches at most 31.0 B/cycle (97 % of the theoretical maximum).",
        "For sizes from 128 B, the bandwidth is at least 90 % of this maximum.",
    ]


def test_still_rising() -> None:
    assert sentences([4, 8, 16])[:2] == [
        "With 256 transactions, the bandwidth still rises at the largest size, 128 B.",
        "At this size, the bandwidth is 16.0 B/cycle (50 % of the theoretical maximum).",
    ]


def test_falling() -> None:
    assert sentences([4, 8, 2], count=1)[:2] == [
        "With a single transaction, the bandwidth is highest at 64 B: 8.0 B/cycle (25 % of the theoretical maximum).",
        "The bandwidth falls to 2.0 B/cycle at 128 B.",
    ]


def test_flat() -> None:
    assert sentences([16, 16, 15.9])[:2] == [
        "With 256 transactions, the bandwidth reaches at most 16.0 B/cycle (50 % of the theoretical maximum).",
        "At every size, the bandwidth is at least 90 % of this maximum.",
    ]


def test_one_size() -> None:
    assert sentences([16]) == [
        "With 256 transactions of 32 B, the bandwidth is 16.0 B/cycle (50 % of the theoretical maximum).",
        "The limit is the link.",
    ]


def test_sizes_of_transactions_of_many_calls_are_those_of_a_call() -> None:
    assert sentences([4, 16, 31, 31], num_calls=4)[1].startswith("For sizes from 32 B per call, ")


@pytest.mark.parametrize(
    ("limiters", "sentence"),
    [
        (["link"] * 4, "The limit is the link at every size."),
        (
            ["reservation", "reservation", "link", "link"],
            "The limit is the reservation of paths for sizes up to 64 B, and the link for sizes from 128 B.",
        ),
        (
            ["acks", "dram", "dram", "contention"],
            (
                "The limit is the rate of acknowledgements for sizes up to 32 B (one call every 4 cycles). The limit "
                "is DRAM for sizes from 64 B to 128 B. The limit is contention with other packets for sizes from 256 B."
            ),
        ),
        (
            ["link", "dram", "link", "something_new"],
            (
                "The limit is the link for sizes up to 32 B. The limit is DRAM at 64 B. The limit is the link at 128 "
                "B. The limit is something_new for sizes from 256 B."
            ),
        ),
        (
            ["link", "dram", "link", "dram", "link"],
            "The limit is the link at 3 of the 5 sizes, and DRAM at 2 sizes.",
        ),
        (["link", "link", "", "link"], None),
    ],
)
def test_limits(limiters: list[str], sentence: str | None) -> None:
    texts = sentences([1, 2, 3, 4, 5][: len(limiters)], limiters)
    assert texts[2:] == ([sentence] if sentence is not None else [])


def test_a_time_per_call_that_depends_on_the_size_is_not_given() -> None:
    rows = [
        make_row(num_transactions=64, transaction_size_bytes=size, call_size_bytes=size, latency_cycles=latency_cycles)
        for size, latency_cycles in ((32, 1408.0), (64, 1420.0), (128, 1600.0))
    ]
    texts = []
    for num_rows in (2, 3):
        results = to_frame(rows[:num_rows])
        (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
        texts.append(observe(section)[0][1][2])
    assert texts == [
        "The limit is the issue rate of the RISC at every size (one call every 22 cycles).",
        "The limit is the issue rate of the RISC at every size.",
    ]


def test_distance() -> None:
    assert not any("silicon" in text for text in sentences([1, 2]))
    *_, distance, origin = sentences([1, 2], factor=1.25)
    assert origin == "No constant was fitted to these 2 points."
    assert distance == (
        "The latency of the model differs from silicon by 20 % in the median of 2 points, by 20 % at the 90th "
        "percentile, and by at most 20 % (256 transactions of 32 B: model 1,000 cycles, silicon 1,250)."
    )


@pytest.mark.parametrize(
    ("limiter", "bandwidth", "of_fewest"),
    [
        (
            "round_trip",
            2.0,
            [
                "With a single transaction, the bandwidth reaches at most 2.0 B/cycle, at 64 B.",
                "The limit is the round trip at every size.",
            ],
        ),
        (
            "link",
            0.5,
            [
                "With a single transaction, the bandwidth reaches at most 1.0 B/cycle, at 32 B.",
                "The bandwidth falls to 0.5 B/cycle at 64 B.",
                "The causes that limit the bandwidth are the same as with 16 transactions.",
            ],
        ),
    ],
)
def test_fewest_transactions(limiter: str, bandwidth: float, of_fewest: list[str]) -> None:
    rows = [
        make_row(
            num_transactions=count,
            transaction_size_bytes=size,
            call_size_bytes=size,
            bandwidth_bytes_per_cycle=bandwidth if (count, size) == (1, 64) else float(count),
            limiter=limiter if count == 1 else "link",
        )
        for count in (1, 4, 16)
        for size in (32, 64)
    ]
    results = to_frame(rows)
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert texts[2:] == ["The limit is the link at every size.", *of_fewest]


def test_wrong_data() -> None:
    results = to_frame([make_row(), make_row(transaction_size_bytes=128, call_size_bytes=128, data_ok=False)])
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert texts[-1] == "Wrong data arrived at 1 of these 2 points."


def test_measurements_from_elsewhere_have_no_causes() -> None:
    results = make_reference(make_frame(test="A test of ours"))
    (section,) = sections_of(results, results.iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert len(texts) == 3
    assert "limit" not in " ".join(texts)
