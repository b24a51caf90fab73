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
    assert sentences([8, 16, 29, 31, 30])[0] == (
        "With 256 transactions, bandwidth saturates at 31.0 B/cycle (97 % of the theoretical maximum), and comes "
        "within 10 % of that from 128 B on."
    )


def test_still_rising() -> None:
    assert sentences([4, 8, 16])[0] == (
        "With 256 transactions, bandwidth still rises at the largest size, 128 B: 16.0 B/cycle (50 % of the "
        "theoretical maximum)."
    )


def test_falling() -> None:
    assert sentences([4, 8, 2], count=1)[0] == (
        "With a single transaction, bandwidth is highest at 64 B, 8.0 B/cycle (25 % of the theoretical maximum), and "
        "falls to 2.0 B/cycle at 128 B."
    )


def test_flat() -> None:
    assert sentences([16, 16, 15.9])[0] == (
        "With 256 transactions, bandwidth reaches 16.0 B/cycle (50 % of the theoretical maximum), and at least 90 % of "
        "that at every size."
    )


def test_one_size() -> None:
    assert sentences([16]) == [
        "With 256 transactions of 32 B, bandwidth is 16.0 B/cycle (50 % of the theoretical maximum).",
        "It is limited by the link.",
    ]


def test_sizes_of_transactions_of_many_calls_are_those_of_a_call() -> None:
    assert sentences([4, 16, 31, 31], num_calls=4)[0].endswith("from 32 B per call on.")


@pytest.mark.parametrize(
    ("limiters", "sentence"),
    [
        (["link"] * 4, "It is limited by the link at every size."),
        (
            ["reservation", "reservation", "link", "link"],
            "It is limited by the reservation of paths up to 64 B and by the link from 128 B on.",
        ),
        (
            ["acks", "dram", "dram", "contention"],
            (
                "It is limited by acknowledgements up to 32 B (a call every 4 cycles), by DRAM from 64 B to 128 B and "
                "by contention from 256 B on."
            ),
        ),
        (
            ["link", "dram", "link", "something_new"],
            (
                "It is limited by the link up to 32 B, by DRAM at 64 B, by the link at 128 B and by something_new from "
                "256 B on."
            ),
        ),
        (
            ["link", "dram", "link", "dram", "link"],
            "It is limited by the link at 3 and by DRAM at 2 of the 5 sizes.",
        ),
        (["link", "link", "", "link"], None),
    ],
)
def test_limits(limiters: list[str], sentence: str | None) -> None:
    texts = sentences([1, 2, 3, 4, 5][: len(limiters)], limiters)
    assert texts[1:] == ([sentence] if sentence is not None else [])


def test_a_time_per_call_that_depends_on_the_size_is_not_given() -> None:
    rows = [
        make_row(num_transactions=64, transaction_size_bytes=size, call_size_bytes=size, latency_cycles=latency_cycles)
        for size, latency_cycles in ((32, 1408.0), (64, 1420.0), (128, 1600.0))
    ]
    texts = []
    for num_rows in (2, 3):
        results = to_frame(rows[:num_rows])
        (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
        texts.append(observe(section)[0][1][1])
    assert texts == [
        "It is limited by the RISC's issue of calls at every size (a call every 22 cycles).",
        "It is limited by the RISC's issue of calls at every size.",
    ]


def test_distance() -> None:
    assert not any("silicon" in text for text in sentences([1, 2]))
    *_, distance, origin = sentences([1, 2], factor=1.25)
    assert origin == "No constant was fitted to these 2 points."
    assert distance == (
        "Against silicon, latency is off by 20 % in the median of 2 points, by 20 % at the 90th percentile and by 20 % "
        "at most (256 x 32 B: 1,000 cycles, on silicon 1,250)."
    )


@pytest.mark.parametrize(
    ("limiter", "bandwidth", "sentence"),
    [
        (
            "round_trip",
            2.0,
            "A single transaction gets no further than 2.0 B/cycle, at 64 B, limited by the round trip at every size.",
        ),
        (
            "link",
            0.5,
            (
                "A single transaction gets no further than 1.0 B/cycle, at 32 B, and falls to 0.5 B/cycle at 64 B, "
                "limited in the same way."
            ),
        ),
    ],
)
def test_fewest_transactions(limiter: str, bandwidth: float, sentence: str) -> None:
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
    assert texts[1:] == ["It is limited by the link at every size.", sentence]


def test_wrong_data() -> None:
    results = to_frame([make_row(), make_row(transaction_size_bytes=128, call_size_bytes=128, data_ok=False)])
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert texts[-1] == "Wrong data arrived in 1 of these 2 points."


def test_measurements_from_elsewhere_have_no_causes() -> None:
    results = make_reference(make_frame(test="A test of ours"))
    (section,) = sections_of(results, results.iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert len(texts) == 2
    assert "limited" not in " ".join(texts)
