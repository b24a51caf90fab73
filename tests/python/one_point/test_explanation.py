from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from nocbench.one_point.explanation import explain
from nocbench.points.selection import select_one_point

if TYPE_CHECKING:
    from conftest import CommandLine

POINTS = [
    ("One to One Packet Sizes", "blackhole", {"num_transactions": "16", "call_size": "2KiB"}),
    ("One to One Packet Sizes", "wormhole_b0", {"num_transactions": "1", "call_size": "64"}),
    ("One from One Packet Sizes", "wormhole_b0", {"num_transactions": "64", "call_size": "16KiB"}),
    (
        "One to All Multicast 5x5 Packet Sizes without Loopback",
        "blackhole",
        {"num_transactions": "4", "call_size": "1KiB"},
    ),
    ("One from All Packet Sizes", "blackhole", {"num_transactions": "4", "call_size": "4KiB"}),
    ("DRAM Interleaved Packet Sizes", "wormhole_b0", {"num_transactions": "16", "call_size": "2KiB"}),
    ("All to All Packet Sizes", "wormhole_b0", {"num_transactions": "1", "call_size": "256"}),
]


@pytest.mark.parametrize(("test", "arch", "axes"), POINTS, ids=[f"{test}-{arch}" for test, arch, _ in POINTS])
def test_waits_and_chain_add_up_to_the_latency(test: str, arch: str, axes: dict[str, str]) -> None:
    for explanation in explain(select_one_point(test, arch=arch, axes=axes)):
        assert sum(explanation.waits.values()) == pytest.approx(explanation.latency_cycles)
        assert explanation.chain[0].begin == 0
        assert explanation.chain[-1].end == pytest.approx(explanation.latency_cycles)
        for link, following in zip(explanation.chain, explanation.chain[1:], strict=False):
            assert link.begin < link.end == following.begin


def test_the_chain_says_what_limits() -> None:
    axes = {"num_transactions": "16", "call_size": "64KiB"}
    (explanation,) = explain(select_one_point("One to One Packet Sizes", arch="wormhole_b0", axes=axes))
    longest = max(explanation.chain, key=lambda link: link.end - link.begin)
    assert longest.what.startswith("127 writes of at most 8192 B leave before it, one every 26")
    assert longest.what.endswith(": the link")


def test_one_point(run_program: CommandLine) -> None:
    completed = run_program(
        *(
            "explain",
            "One to One Packet Sizes",
            "--arch",
            "blackhole",
            "-a",
            "num_transactions=16",
            "-a",
            "call_size=2KiB",
        )
    )
    assert completed.status == 0
    lines = completed.out.splitlines()
    assert lines[0].startswith("One to One Packet Sizes on blackhole, num_transactions=16, call_size=2048, Sender: ")
    assert lines[2] == "where the time of core (0, 0), riscv_0 went"
    assert "the response is on the way back, 27 hops" in completed.out


def test_two_points_side_by_side(run_program: CommandLine) -> None:
    arguments = ("explain", "4", "--arch", "blackhole", "-a", "num_transactions=16", "-a", "call_size=1KiB,8KiB")
    completed = run_program(*arguments)
    assert completed.status == 0
    assert "difference" in completed.out
    document = json.loads(run_program(*arguments, "--json").out)
    assert [point["row"]["call_size_bytes"] for point in document] == [1024, 8192]


def test_more_than_two_points(run_program: CommandLine) -> None:
    completed = run_program("explain", "4", "--arch", "blackhole", "-a", "num_transactions=16")
    assert completed.status == 2
    assert "expected one point, found 11: call_size has 11 values" in completed.err
