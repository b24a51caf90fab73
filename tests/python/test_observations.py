from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sample import make_reference, make_row

from nocbench.observations import observe
from nocbench.results import to_frame
from nocbench.sections import sections_of

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.usefixtures("fake_simulator")


def sentences(
    bandwidths: Sequence[float], limiters: Sequence[str] = (), count: int = 256, factor: float | None = None
) -> list[str]:
    rows = [
        make_row(
            num_transactions=count,
            transaction_size_bytes=32 << position,
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
        "With 256 transactions, bandwidth saturates at 31.0 B/cycle (97 % of the theoretical maximum); at least 90 % "
        "of that is reached from 128 B on."
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


@pytest.mark.parametrize(
    ("limiters", "sentence"),
    [
        (["link"] * 4, "256 transactions are limited by the link at every size."),
        (
            ["issue", "issue", "link", "link"],
            "256 transactions are limited by the RISC's issue of calls up to 64 B and by the link from 128 B on.",
        ),
        (
            ["issue", "dram", "dram", "contention"],
            (
                "256 transactions are limited by the RISC's issue of calls up to 32 B, by DRAM from 64 B to 128 B and "
                "by contention from 256 B on."
            ),
        ),
        (
            ["issue", "dram", "issue", "something_new"],
            (
                "256 transactions are limited by the RISC's issue of calls up to 32 B, by DRAM at 64 B, by the RISC's "
                "issue of calls at 128 B and by something_new from 256 B on."
            ),
        ),
    ],
)
def test_limits(limiters: list[str], sentence: str) -> None:
    assert sentences([1, 2, 3, 4], limiters)[1] == sentence


def test_distance() -> None:
    assert sentences([1, 2])[-1] == "There are no published measurements to compare with."
    assert sentences([1, 2], factor=1.25)[-1] == (
        "Against silicon, the relative error of the latency over 2 points is 20 % in the median, 20 % at the 90th "
        "percentile and 20 % at most (256 x 32 B: 1000 cycles, on silicon 1250)."
    )


def test_most_and_fewest_transactions() -> None:
    rows = [
        make_row(
            num_transactions=count, transaction_size_bytes=size, bandwidth_bytes_per_cycle=float(count), limiter=limiter
        )
        for count, limiter in ((1, "round_trip"), (4, "issue"), (16, "link"))
        for size in (32, 64)
    ]
    results = to_frame(rows)
    (section,) = sections_of(results, make_reference(results).iloc[:0])["wormhole_b0"]
    ((_, texts),) = observe(section)
    assert texts[1:4] == [
        "A single transaction reaches 1.0 B/cycle at most, at 32 B.",
        "16 transactions are limited by the link at every size.",
        "A single transaction is limited by the round trip at every size.",
    ]
