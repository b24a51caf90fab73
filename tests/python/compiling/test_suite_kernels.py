"""Kernels of the suite, native and compiled for the RISCs, move equal bytes and flits in nearly equal times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.points.point import Point
from nocbench.points.simulation import run_point, run_point_compiled

if TYPE_CHECKING:
    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.compiling.request import KernelRequest
    from nocbench.points.point_results import PointResult

# One test per kernel of the suite. scripts/studies/compare_compiled_kernels.py covers all tests and lengths.
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
# Tolerance per transaction; includes the set-up of a kernel, which is spread over few transactions.
CYCLES_PER_TRANSACTION_MAX = 12
# Tolerance per transaction between kernels for different APIs: the object API computes a DRAM bank's address for each
# call.
OTHER_FORM_CYCLES_MAX = 14
# Tolerance per transaction between grids of 2x2 cores: a transaction is 4 calls, whose size the compiler does not know,
# and whose coordinates are loaded from L1, on Blackhole without a cache.
GRID_FORM_CYCLES_MAX = 48
# Relative tolerance if many cores contend in a different order.
SHARE_MAX = 0.05


def point_of(arch: str, test: str, parameters: dict[str, str] | None = None) -> Point:
    axes = {"num_transactions": "8", "call_size": "128", **(parameters or {})}
    return Point(arch, "", test, tuple(axes.items()))


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("test", TESTS)
def test_both_ways_move_the_same(arch: str, test: str) -> None:
    point = point_of(arch, test)
    native, compiled = run_point(point), run_point_compiled(point)
    assert all(row["data_ok"] for row in compiled.rows)
    assert compiled.links == native.links
    assert compiled.deliveries == native.deliveries
    for row, its in zip(native.rows, compiled.rows, strict=True):
        assert its["latency_cycles"] == pytest.approx(
            row["latency_cycles"], abs=CYCLES_PER_TRANSACTION_MAX * row["num_transactions"], rel=SHARE_MAX
        )


# Pairs of tests whose kernels move equal data: by native calls, and by the object API or single packets. The parameters
# make the two tests equivalent.
OTHER_FORMS = [
    ("One to One Packet Sizes", {}, "One to One Packet Sizes 2.0", {}),
    ("One to One Packet Sizes", {"destination": "0,1", "vc": "0"}, "One to One Virtual Channels", {"vcs": "1"}),
    ("One to One Packet Sizes", {"destination": "0,1", "stateful": "1"}, "One Packet Write Sizes", {}),
    ("One to One Packet Sizes", {"destination": "0,1", "stateful": "1"}, "One Packet Write Sizes 2.0", {}),
    ("One from One Packet Sizes", {}, "One from One Packet Sizes 2.0", {}),
    ("One from One Packet Sizes", {"destination": "0,1", "vc": "0"}, "One from One Virtual Channels", {"vcs": "1"}),
    ("One from One Packet Sizes", {"destination": "0,1", "stateful": "1"}, "One Packet Read Sizes", {}),
    ("One from One Packet Sizes", {"destination": "0,1", "stateful": "1"}, "One Packet Read Sizes 2.0", {}),
    (
        "One to All Unicast 2x2 Packet Sizes without Loopback",
        {},
        "One to All Unicast 2x2 Packet Sizes 2.0 without Loopback",
        {},
    ),
    (
        "One to All Multicast Linked 2x2 Packet Sizes with Loopback",
        {},
        "One to All Multicast Linked 2x2 Packet Sizes 2.0 with Loopback",
        {},
    ),
    ("Multicast Schemes without Loopback", {"scheme": "9"}, "Multicast Schemes 2.0 without Loopback", {"scheme": "9"}),
    ("All to All 2x2 to 2x2 Directed Ideal", {}, "All to All Packet Sizes 2.0", {"master_grid": "2x2"}),
    ("All from All 2x2 from 2x2 Directed Ideal", {}, "All from All Packet Sizes 2.0", {"master_grid": "2x2"}),
    ("DRAM Interleaved Packet Sizes", {}, "DRAM Packet Sizes 2.0", {}),
    ("One to One Packet Sizes", {"destination": "0,1"}, "Noc Estimator - L1 One to One", {}),
    (
        "One to One Packet Sizes",
        {"stateful": "1"},
        "Noc Estimator - L1 One to One",
        {"same_axis": "0", "stateful": "1"},
    ),
    ("One from One Packet Sizes", {"destination": "0,1"}, "Noc Estimator - L1 One from One", {}),
    (
        "One from One Packet Sizes",
        {"stateful": "1"},
        "Noc Estimator - L1 One from One",
        {"same_axis": "0", "stateful": "1"},
    ),
    (
        "One to All Unicast 2x2 Packet Sizes without Loopback",
        {"source": "2,0"},
        "Noc Estimator - L1 One to All",
        {},
    ),
    (
        "One to All Multicast 2x2 Packet Sizes without Loopback",
        {"grid": "3x3", "source": "3,0"},
        "Noc Estimator - L1 One to All",
        {"grid": "3x3", "mechanism": "multicast"},
    ),
    (
        "One to All Multicast Linked 11x10 Packet Sizes with Loopback",
        {},
        "Noc Estimator - L1 One to All",
        {"grid": "all", "mechanism": "multicast_linked", "loopback": "1"},
    ),
    ("One from All Packet Sizes", {"grid": "all"}, "Noc Estimator - L1 One from All", {}),
    ("All to All 2x2 to 2x2 Directed Ideal", {}, "Noc Estimator - L1 All to All", {"master_grid": "2x2"}),
    ("All from All 2x2 from 2x2 Directed Ideal", {}, "Noc Estimator - L1 All from All", {"master_grid": "2x2"}),
    # Unlinked, since in contention between linked multicasts the number of reservations depends on the order of calls.
    *(
        (
            f"Multicast {line} Packet Sizes",
            {},
            f"Noc Estimator - L1 {line} to {line}",
            {"mechanism": "multicast", "loopback": "1"},
        )
        for line in ("Row", "Column")
    ),
]


def flits_of(result: PointResult) -> dict[tuple[object, ...], int]:
    return {tuple(value for name, value in link.items() if name != "flits"): link["flits"] for link in result.links}


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize(
    ("native_test", "native_parameters", "device_test", "device_parameters"),
    OTHER_FORMS,
    ids=[f"{device_test} with {native_test}" for native_test, _, device_test, _ in OTHER_FORMS],
)
def test_other_forms_move_the_same(
    arch: str,
    native_test: str,
    native_parameters: dict[str, str],
    device_test: str,
    device_parameters: dict[str, str],
) -> None:
    expect_equal_moves(arch, native_test, native_parameters, device_test, device_parameters)


@pytest.mark.parametrize(
    ("arch", "line", "rectangle", "source"),
    [
        ("wormhole_b0", "Row", "0,0-7,0", "0,1"),
        ("wormhole_b0", "Column", "0,0-0,7", "1,0"),
        ("blackhole", "Row", "0,0-10,0", "0,1"),
        ("blackhole", "Column", "0,0-0,9", "1,0"),
    ],
)
def test_one_core_writes_to_a_line(arch: str, line: str, rectangle: str, source: str) -> None:
    device_test = f"Noc Estimator - L1 One to {line}"
    unicast = "One to All Unicast 2x2 Packet Sizes without Loopback"
    expect_equal_moves(arch, unicast, {"rectangle": rectangle}, device_test, {})
    for mechanism, multicast in (("multicast", "Multicast"), ("multicast_linked", "Multicast Linked")):
        for loopback, words, sender in (("0", "without", source), ("1", "with", "0,0")):
            native_test = f"One to All {multicast} 2x2 Packet Sizes {words} Loopback"
            parameters = {"mechanism": mechanism, "loopback": loopback}
            expect_equal_moves(arch, native_test, {"rectangle": rectangle, "source": sender}, device_test, parameters)


def expect_equal_moves(
    arch: str,
    native_test: str,
    native_parameters: dict[str, str],
    device_test: str,
    device_parameters: dict[str, str],
) -> None:
    """Checks that two tests move the same flits over the same links, in nearly the same time."""
    device = run_point(point_of(arch, device_test, device_parameters))
    board = str(device.rows[0]["board"])
    native = run_point(replace(point_of(arch, native_test, native_parameters), board=board))
    assert all(row["data_ok"] for row in (*native.rows, *device.rows))
    flits, its_flits = flits_of(native), flits_of(device)
    for link in flits | its_flits:
        # Some native kernels finally signal their receivers by a semaphore: one flit for the request, and one for the
        # response.
        assert 0 <= flits.get(link, 0) - its_flits.get(link, 0) <= 1, link
    cycles_max = GRID_FORM_CYCLES_MAX if "master_grid" in device_parameters else OTHER_FORM_CYCLES_MAX
    for row, its in zip(native.rows, device.rows, strict=True):
        assert its["latency_cycles"] == pytest.approx(
            row["latency_cycles"], abs=cycles_max * row["num_transactions"], rel=SHARE_MAX
        )


def test_a_kernel_is_compiled_once_for_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    point = point_of("wormhole_b0", "All to All Packet Sizes")
    run_point_compiled(point)
    kernels = []

    def record(request: KernelRequest) -> CompiledKernel:
        kernels.append(compile_kernel(request))
        return kernels[-1]

    monkeypatch.setattr("nocbench.compiling.suite_kernels.compile_kernel", record)
    run_point_compiled(point)
    assert [kernel.was_cached for kernel in kernels] == [True]
