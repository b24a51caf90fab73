"""Results of compiled tests that can be derived by hand: from bytes, links and hops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.points.point import Point
from nocbench.points.simulation import run_point

if TYPE_CHECKING:
    from nocbench.points.point_results import PointResult

LINK_BYTES = {"wormhole_b0": 32, "blackhole": 64}


def run(arch: str, test: str, num_transactions: int, call_size: int, **parameters: str) -> PointResult:
    axes = {"num_transactions": str(num_transactions), "call_size": str(call_size), **parameters}
    return run_point(Point(arch, "", test, tuple(axes.items())))


@pytest.mark.parametrize("arch", LINK_BYTES)
@pytest.mark.parametrize("kernels", ["Same Kernel", "Different Kernels"])
def test_both_directions_of_a_core_are_counted(arch: str, kernels: str) -> None:
    """Each direction has a row with its own bytes. Together, both directions exceed the capacity of a link."""
    num_transactions, call_size = 32, 16384
    result = run(arch, f"Core Bidirectional Packet Sizes {kernels}", num_transactions, call_size)
    assert [row["kernel"] for row in result.rows] == ["Sender", "Receiver"]
    for row in result.rows:
        moved = num_transactions * call_size
        assert row["transaction_size_bytes"] == call_size
        assert row["bandwidth_bytes_per_cycle"] == pytest.approx(moved / row["latency_cycles"])
    assert [tile["bytes"] for tile in result.deliveries] == [num_transactions * call_size] * 2
    both = sum(row["bandwidth_bytes_per_cycle"] for row in result.rows)
    assert 1.7 * LINK_BYTES[arch] < both < 2 * LINK_BYTES[arch]


@pytest.mark.parametrize("arch", LINK_BYTES)
@pytest.mark.parametrize("num_transactions", [29, 30])
def test_writes_and_reads_under_ids_are_counted(arch: str, num_transactions: int) -> None:
    """A transaction is a write or a read. An odd number includes one more of the first kind."""
    call_size = 4096
    result = run(arch, "Transaction ID - Write After Read", num_transactions, call_size)
    (row,) = result.rows
    assert row["bandwidth_bytes_per_cycle"] == pytest.approx(num_transactions * call_size / row["latency_cycles"])
    assert row["bandwidth_bytes_per_cycle"] > LINK_BYTES[arch] / 2, "reads go on while writes leave"
    num_reads = (num_transactions + 1) // 2
    delivered = sorted(tile["bytes"] for tile in result.deliveries)
    assert delivered == [(num_transactions - num_reads) * call_size, num_reads * call_size]


@pytest.mark.parametrize("arch", LINK_BYTES)
def test_an_increment_takes_the_way_there_and_back(arch: str) -> None:
    """On a torus, a round trip circles each ring on which the cores differ once.

    Cores of a column differ only on the column's ring. Opposite corners also differ on a row's ring, so their increment
    takes as many hops more as a row has routers.
    """
    columns, hop_cycles = {"wormhole_b0": (10, 9), "blackhole": (17, 9)}[arch]

    def of_an_increment(test: str) -> float:
        few, many = (run(arch, test, number, 4).rows[0]["latency_cycles"] for number in (8, 24))
        return float(many - few) / 16

    far = of_an_increment("Atomic Semaphore Non-Adjacent Bandwidth Sweep")
    near = of_an_increment("Atomic Semaphore Adjacent Bandwidth Sweep")
    # The kernel polls its counter, and detects the answer some cycles later.
    assert far - near == pytest.approx(columns * hop_cycles, abs=8)


@pytest.mark.parametrize("arch", LINK_BYTES)
def test_receivers_wait_for_the_slowest(arch: str) -> None:
    """Receivers of a flag after the data start only when all are ready, so a larger grid takes longer."""
    small, large = (
        run(arch, "One to All Multicast Linked Semaphore 2x2 Packet Sizes without Loopback", 8, 64, grid=grid).rows[0]
        for grid in ("2x2", "4x4")
    )
    assert (small["num_cores"], large["num_cores"]) == (3, 15)
    assert large["latency_cycles"] > small["latency_cycles"]


@pytest.mark.parametrize("test", ["One Packet Read Sizes", "One Packet Read Sizes 2.0"])
def test_stateful_reads_follow_each_other_as_they_are_issued(test: str) -> None:
    """On NoC 1 of Blackhole, other read calls are 35 cycles apart."""
    few, many = (run("blackhole", test, number, 64).rows[0]["latency_cycles"] for number in (16, 64))
    assert (many - few) / 48 < 25


@pytest.mark.parametrize(
    ("noc", "banks", "page_bytes", "published_percent"),
    [("0", 7, 576, 62), ("0", 7, 1088, 91), ("0", 7, 2048, 98), ("both", 1, 576, 95)],
)
def test_small_pages_have_their_share_of_the_bandwidth_of_dram(
    noc: str, banks: int, page_bytes: int, published_percent: int
) -> None:
    """The DRAM device of each bank is specified for 64 GB/s, at 1.35 GHz (tt-metal issue 55898)."""
    axes = (("num_transactions", "1024"), ("call_size", str(page_bytes)), ("noc", noc), ("banks", str(banks)))
    (row,) = run_point(Point("blackhole", "p100a", "DRAM Small Pages on One and Two NoCs", axes)).rows
    share = row["bandwidth_bytes_per_cycle"] / (banks * 64 / 1.35)
    assert 100 * share == pytest.approx(published_percent, abs=5)
