"""How many packets synthetic traffic measures is what the pages take it for."""

from __future__ import annotations

import pytest
from sample import make_frame, make_reference

from nocbench.pages.load_curves import with_flits
from nocbench.pages.sections import sections_of
from nocbench.points.point import Point
from nocbench.points.simulator import run_point
from nocbench.results.result_files import to_frame

NODES = 16
PACKETS = 40


@pytest.mark.parametrize("call_size_bytes", [32, 512, 1024])
@pytest.mark.parametrize("injection_rate", ["0.05", "saturation"])
def test_measured_flits(call_size_bytes: int, injection_rate: str) -> None:
    result = run_point(
        Point(
            *("wormhole_b0", "", "Synthetic Traffic on a Mesh"),
            (
                *(("size", "4x4"), ("pattern", "uniform"), ("injection_rate", injection_rate)),
                *(("num_transactions", str(PACKETS)), ("call_size", str(call_size_bytes))),
            ),
        )
    )
    frame = to_frame([row | {"revision": "0123456789ab"} for row in result.rows])
    (section,) = sections_of(frame, make_reference(make_frame()))["wormhole_b0"]
    expected = with_flits(section)["measured_flits"].iloc[0]
    measured = result.statistics["measured_packets"] * call_size_bytes / 32 / NODES
    assert measured == pytest.approx(expected, rel=0.12)  # by chance; other lengths differ by a factor of two and more
