"""Kernels of the suite written for the device: their data are right, and faults in them are detected."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.points.point import Point
from nocbench.points.simulation import run_point
from nocbench.points.swept_tests import list_tests

if TYPE_CHECKING:
    from nocbench.compiling.compiler import CompiledKernel
    from nocbench.compiling.request import KernelRequest

# For each test, a point and a change to its kernel's source by which a wrong byte, or no byte, arrives.
TESTS: dict[str, tuple[dict[str, str], tuple[str, str]]] = {
    "DRAM Core Locations": ({"call_size": "4096", "source": "3,2"}, ("", "")),
    "DRAM Channels": ({"call_size": "4096", "bank": "2", "vc": "3"}, ("", "")),
    "DRAM Directed Ideal": ({"call_size": "20000"}, ("", "")),
    "DRAM Packet Sizes 2.0": ({"call_size": "2048"}, ("i < num_transactions", "i < num_transactions - 1")),
    "DRAM Interleaved Page Numbers": (
        {"num_transactions": "37", "call_size": "100"},
        ("_page(page, buffer,", "_page(page ^ 1, buffer,"),
    ),
    "DRAM Interleaved Page Numbers Noc Swap": ({}, ("round < num_rounds", "round + 1 < num_rounds")),
    "DRAM Interleaved Core Locations Noc Swap": (
        {"source": "1,2"},
        ("uint32_t source = l1", "uint32_t source = 32 + l1"),
    ),
    "L1 Interleaved Page Numbers": ({"source": "2,1"}, ("num_pages; ++page", "num_pages - 1; ++page")),
    "L1 Interleaved Directed Ideal": ({"call_size": "4096"}, ("_page(page, buffer,", "_page(0, buffer,")),
    "DRAM Sharded Read Bank Numbers": ({"banks": "3"}, ("source += tile_bytes", "source += 0")),
    "DRAM Sharded Read Tile Numbers 2.0": ({"tiles": "5"}, ("tile * tile_bytes", "0 * tile_bytes")),
    "DRAM Sharded Read Directed Ideal with Transaction IDs": ({"tiles": "3"}, ("source += tile_bytes", "source += 64")),
    "Multi Interleaved Sizes": ({"grid": "2x2"}, ("first_page + page", "page")),
    "Multi Interleaved Read Sizes": ({"grid": "3x2", "pages": "shared"}, ("first_page + page", "first_page")),
    "Multi Interleaved Write Sizes": ({"grid": "2x2", "start": "skewed"}, ("first_page + page", "page")),
    "Number of Pages Sweep for DRAM Closest Neighbour": (
        {"call_size": "6144", "cores": "17"},
        ("source += page_bytes", "source += 0"),
    ),
    "Number of Pages Sweep for DRAM Single Row": ({"call_size": "2048"}, ("round < num", "round + 1 < num")),
    "Number of Pages Sweep for DRAM Loop Back": ({"call_size": "4096", "banks": "2"}, ("", "")),
    "DRAM Small Pages on One and Two NoCs": (
        {"cores_per_bank": "2", "noc": "both"},
        ("round <= num_rounds", "round < num_rounds"),
    ),
    "Reshard 2 to Many": ({"call_size": "96"}, ("source += source_stride", "source += 2 * source_stride")),
    "Conv Halo 3x3": ({"call_size": "192"}, ("source += source_stride_bytes", "source += 32")),
    "Conv Halo Gather": ({"pixel_bytes": "1024"}, ("row < num_rows", "row < num_rows - 1")),
    "Deinterleave Multi Core": ({"cores": "5", "barrier_every": "4"}, ("source += source_stride_bytes", "source += 0")),
    "Interleaved to Sharded DRAM Row Major Writer": ({}, ("_page(page, tensor", "_page(page / 2, tensor")),
    "Interleaved to Sharded L1 Tile Reader": ({}, ("_page(page, tensor", "_page(page ^ 1, tensor")),
    "One to All Multicast Linked Semaphore 2x2 Packet Sizes with Loopback": ({}, ("call_size_bytes, num", "16, num")),
    "One to All Multicast Linked Semaphore 2x2 Packet Sizes without Loopback": (
        {},
        ("multicast(source_address, destinations", "multicast(source_address + 16, destinations"),
    ),
    "One to All Multicast Linked Semaphore Directed Ideal": ({"grid": "3x2"}, ("", "")),
    "One from All Virtual Channels": ({"grid": "3x2", "vcs": "4"}, ("responder < num", "responder + 1 < num")),
    "NOC API Latency Unicast Write": ({}, ("i < num_transactions", "i + 1 < num_transactions")),
    "NOC API Latency Unicast Read": ({}, (".addr = source_address", ".addr = source_address + 32")),
    "NOC API Latency Stateful Write": ({}, (".addr = destination_address", ".addr = destination_address + 32")),
    "NOC API Latency Stateful Read": ({}, (".addr = source_address", ".addr = source_address + 32")),
    "NOC API Latency Multicast 2x2": ({"loopback": "1"}, (".addr = destination_address", ".addr = source_address")),
    "NOC API Latency Multicast All": (
        {"grid": "3x2", "linked": "1"},
        ("own(source_address)", "own(source_address + 16)"),
    ),
    "Atomic Semaphore Adjacent Bandwidth Sweep": (
        {"call_size": "4", "increment": "3"},
        ("(semaphore, increment)", "(semaphore, increment + 1)"),
    ),
    "Atomic Semaphore Multicast Bandwidth Sweep": (
        {"call_size": "4", "grid": "3x2", "increment": "3"},
        ("semaphores, increment", "semaphores, increment + 1"),
    ),
    "Matmul 1D Operand Movement": ({"grid": "3x2"}, ("block < num_blocks", "block + 1 < num_blocks")),
    "Matmul 2D Operand Movement": ({"grid": "2x3"}, ("address + place * stride", "address + 0 * place * stride")),
    "Core Bidirectional Directed Ideal Same Kernel": ({}, ("get_noc_addr(other_x, other_y, read_source)", "written")),
    "Core Bidirectional Directed Ideal Different Kernels": ({"noc": "1"}, ("(source, dest", "(source + 64, dest")),
    "Core Bidirectional Directed Ideal Same Kernel Same VC": ({}, ("(write_source, w", "(write_source + 64, w")),
    "Core Bidirectional Write VC Sweep Same Kernel": ({"vc": "3"}, ("read(read, r", "read(read + 64, r")),
    "Core Bidirectional Write VC Sweep Different Kernels": (
        {"vc": "2"},
        ("(source_address, d", "(destination_address, d"),
    ),
    "Core Bidirectional Packet Sizes Same Kernel": ({"call_size": "20000"}, ("; ++i", " - 1; ++i")),
    "Core Bidirectional Packet Sizes Different Kernels": ({"call_size": "100"}, ("; ++i", " + 1; ++i")),
    "Core Bidirectional Custom": (
        {"source": "2,1", "destination": "2,1"},
        ("get_noc_addr(other_x, other_y, read_s", "(read_s"),
    ),
    "Transaction ID - Read After Write": ({"call_size": "20000"}, ("i < num_second", "i < num_first")),
    "Transaction ID - Read After Write 2.0": (
        {"call_size": "64"},
        ("own_address + offset), call", "own_address), call"),
    ),
    "Transaction ID - Read After Write One Packet": ({}, ("i < num_second", "i + 1 < num_second")),
    "Transaction ID - Read After Write One Packet Stateful": (
        {},
        ("(other_address + offset, own", "(other_address, own"),
    ),
    # So few that not all data have arrived when the last call is issued.
    "Transaction ID - Write After Read": (
        {"num_transactions": "4"},
        ("noc.async_read_barrier<NocOptions::TXN_ID>(i + 1);", ""),
    ),
    "Transaction ID - Write After Read One Packet Stateful": (
        {"num_transactions": "4"},
        ("noc_async_read_barrier_with_trid(i + 1);", ""),
    ),
    "Transaction ID - Read After Write One Packet 2.0": ({}, ("own_address + offset", "own_address")),
    "Inline Direct Write Performance Comparison": (
        {"call_size": "4", "stateful": "1", "posted": "1"},
        ("1 : i + 1", "1 : i + 2"),
    ),
    "Inline Direct Write Address Pattern": ({"call_size": "4", "same_destination": "0"}, ("i * 16", "i * 32")),
    "Atomic Semaphore Non-Adjacent Bandwidth Sweep": ({"call_size": "4", "noc": "1"}, ("; ++i", " + 1; ++i")),
    "One to One Packet Sizes 2.0": ({}, ("i < num_transactions", "i + 1 < num_transactions")),
    "One to One Virtual Channels": ({"noc": "1", "vcs": "4"}, ("(source_address, d", "(source_address + 64, d")),
    "One Packet Write Sizes": ({}, ("state(source_address", "state(source_address + 64")),
    "One Packet Write Sizes 2.0": ({}, ("++i", "i += 2")),
    "One from One Packet Sizes 2.0": ({}, ("i < num_transactions", "i + 1 < num_transactions")),
    "One from One Virtual Channels": ({"noc": "0", "vcs": "3"}, ("read(source, d", "read(source + 64, d")),
    "One Packet Read Sizes": ({}, ("(source_address, dest", "(source_address + 64, dest")),
    "One Packet Read Sizes 2.0": ({}, ("++i", "i += 2")),
    "Loopback Packet Sizes 2.0": ({}, ("i < num", "i <= num")),
    "One from All Packet Sizes 2.0": ({"grid": "3x2"}, ("i < num", "i + 1 < num")),
    "One from All Virtual Channels 2.0": (
        {"grid": "3x2", "vcs": "4"},
        ("arg_val<uint32_t>(index)", "arg_val<uint32_t>(0)"),
    ),
    "One to All Unicast 2x2 Packet Sizes 2.0 with Loopback": ({}, ("; ++receiver", " - 1; ++receiver")),
    "One to All Unicast Virtual Channels": (
        {"grid": "3x2", "vcs": "2"},
        ("get_arg_val<uint32_t>(receiver)", "get_arg_val<uint32_t>(0)"),
    ),
    "One to All Multicast Linked 2x2 Packet Sizes 2.0 without Loopback": ({}, ("i + 1 <", "i + 2 <")),
    "Multicast Schemes 2.0 without Loopback": (
        {"noc": "1", "scheme": "9", "side": "3"},
        ("source(source_address)", "source(source_address + 64)"),
    ),
    "All to All Packet Sizes 2.0": ({"master_grid": "3x2"}, ("; ++partner", " - 1; ++partner")),
    "All to All Grid Sweep Packet Sizes 2.0": ({"call_size": "64"}, ("i < num", "i <= num")),
    "All to All Virtual Channels": (
        {"master_grid": "2x2", "vcs": "3"},
        ("(source_address, o", "(source_address + 64, o"),
    ),
    "All from All Packet Sizes 2.0": ({"master_grid": "3x2"}, ("; ++partner", " - 1; ++partner")),
    "All from All Grid Sweep Packet Sizes 2.0": ({"call_size": "64"}, ("i < num", "i <= num")),
    "All from All Virtual Channels": ({"master_grid": "2x2", "vcs": "3"}, ("read(other, d", "read(other + 64, d")),
    "Noc Estimator - L1 One to One": (
        {"same_axis": "0", "stateful": "1", "call_size": "20000"},
        ("state(source, receiver, call_size_bytes", "state(source, receiver, call_size_bytes - 32"),
    ),
    "Noc Estimator - L1 One from One": ({"stateful": "1", "call_size": "20000"}, ("++i", "i += 2")),
    "Noc Estimator - L1 One to All": (
        {"grid": "3x3", "stateful": "1"},
        (".addr = destination_address});", ".addr = destination_address + 64});"),
    ),
    "Noc Estimator - L1 One from All": ({"stateful": "1"}, ("index < num", "index + 1 < num")),
    "Noc Estimator - L1 All to All": ({"master_grid": "3x3"}, ("; ++partner", " - 1; ++partner")),
    "Noc Estimator - L1 All from All": ({"master_grid": "3x3"}, ("i < num", "i <= num")),
    "Noc Estimator - L1 One to Row": ({"mechanism": "multicast"}, ("(source_address)", "(source_address + 64)")),
    "Noc Estimator - L1 Row to Row": ({"mechanism": "multicast_linked", "loopback": "1"}, ("i + 1 <", "i + 2 <")),
    "Noc Estimator - L1 One to Column": (
        {"mechanism": "multicast_linked"},
        (".addr = destination_address", ".addr = destination_address + 64"),
    ),
    "Noc Estimator - L1 Column to Column": ({}, ("; ++receiver", " - 1; ++receiver")),
    "Noc Estimator - DRAM Sharded One from One": ({}, (".page_id = page", ".page_id = page + 1")),
    "Noc Estimator - DRAM Sharded All from All": ({"call_size": "64"}, ("? first_page", "? 0")),
    "Noc Estimator - DRAM Interleaved One from All": ({"noc": "0"}, ("% num_pages", "% (num_pages - 1)")),
    "Noc Estimator - DRAM Interleaved All from All": ({}, ("(first_page + i)", "i")),
    "Noc Estimator - DRAM Sharded One to One": ({"noc": "1"}, ("i < num", "i + 1 < num")),
    "Noc Estimator - DRAM Sharded All to All": ({"call_size": "64"}, ("? first_page", "? 0")),
    "Noc Estimator - DRAM Interleaved One to All": ({}, (".addr = l1_address", ".addr = l1_address + 64")),
    "Noc Estimator - DRAM Interleaved All to All": ({}, ("(first_page + i)", "i")),
}


def point_of(arch: str, test: str) -> Point:
    """Returns a small point: 17 pages are a whole round of 16 and one more page."""
    axes = {"num_transactions": "17", "call_size": "1024", **TESTS[test][0]}
    return Point(arch, "", test, tuple(axes.items()))


@pytest.mark.parametrize("arch", ["wormhole_b0", "blackhole"])
@pytest.mark.parametrize("test", TESTS)
def test_every_byte_arrives(arch: str, test: str) -> None:
    rows = run_point(point_of(arch, test)).rows
    assert rows
    assert [row["data_fault"] for row in rows if not row["data_ok"]] == []


def suite_kernels() -> list[Path]:
    return [path for depth in ("*", "*/*") for path in Path().glob(f"{depth}/kernels/device/*.cpp")]


def test_no_primitive_is_left_out() -> None:
    primitives = {test.primitive for test in list_tests("wormhole_b0") if test.test in TESTS}
    assert primitives >= {path.parents[2].name for path in suite_kernels()}


@pytest.mark.parametrize("test", TESTS)
def test_a_point_is_the_same_each_time(test: str) -> None:
    point = point_of("blackhole", test)
    assert run_point(point).rows == run_point(point).rows


@pytest.mark.parametrize("test", [test for test, (_, change) in TESTS.items() if change[0]])
def test_a_fault_in_a_kernel_is_noticed(test: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before, after = TESTS[test][1]
    changed = []

    def compile_changed(request: KernelRequest) -> CompiledKernel:
        # Headers of the suite are inlined, so that faults can be planted in them, too.
        text = request.source.read_text()
        for header in Path("kernels/frame/device").glob("*.h"):
            text = text.replace(f'#include "{header}"', header.read_text().replace("#pragma once", ""))
        if before in text:
            changed.append(request.source)
        source = tmp_path / request.source.name
        source.write_text(text.replace(before, after))
        return compile_kernel(replace(request, source=source))

    monkeypatch.setattr("nocbench.compiling.suite_kernels.compile_kernel", compile_changed)
    rows = run_point(point_of("wormhole_b0", test)).rows
    assert changed
    assert not all(row["data_ok"] for row in rows)
