"""The suite's own kernels, native and compiled for the RISCs: the same bytes and flits, in nearly the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.points import simulator
from nocbench.points.point import Point

if TYPE_CHECKING:
    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.compiling.request import KernelRequest

# Each kernel of the suite, in one of its tests. scripts/studies/compare_compiled_kernels.py has all tests and lengths.
TESTS = [
    "All from All Packet Sizes",
    "All to All Packet Sizes",
    "DRAM Interleaved Packet Sizes",
    "DRAM Shared Channels Read",
    "Loopback Packet Sizes",
    "One from All Packet Sizes",
    "One from One Packet Sizes",
    "One to All Multicast 5x5 Packet Sizes with Loopback",
    "One to All Multicast Linked 2x2 Packet Sizes without Loopback",
    "One to All Unicast 2x2 Packet Sizes without Loopback",
    "One to One Packet Sizes",
    "PCIe Read Bandwidth Sweep",
    "PCIe Write Bandwidth Sweep",
]
# Of a transaction; what stands before and after those of a kernel is part of it, since there are few.
CYCLES_PER_TRANSACTION_MAX = 12
# Where many cores meet, and who comes first is another one.
SHARE_MAX = 0.05


def point_of(arch: str, test: str) -> Point:
    return Point(arch, "", test, (("num_transactions", "8"), ("call_size", "128")))


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("test", TESTS)
def test_both_ways_move_the_same(arch: str, test: str) -> None:
    point = point_of(arch, test)
    native, compiled = simulator.run_point(point), simulator.run_point_compiled(point)
    assert all(row["data_ok"] for row in compiled.rows)
    assert compiled.links == native.links
    assert compiled.deliveries == native.deliveries
    for row, its in zip(native.rows, compiled.rows, strict=True):
        assert its["latency_cycles"] == pytest.approx(
            row["latency_cycles"], abs=CYCLES_PER_TRANSACTION_MAX * row["num_transactions"], rel=SHARE_MAX
        )


def test_a_kernel_is_compiled_once_for_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of("wormhole_b0", "All to All Packet Sizes")
    simulator.run_point_compiled(point)
    kernels = []

    def record(request: KernelRequest) -> CompiledKernel:
        kernels.append(compile_kernel(request))
        return kernels[-1]

    monkeypatch.setattr("nocbench.compiling.suite_kernels.compile_kernel", record)
    simulator.run_point_compiled(point)
    assert [kernel.was_cached for kernel in kernels] == [True]
