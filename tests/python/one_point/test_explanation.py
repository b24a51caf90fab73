from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from small_suite import PROGRAM, write_suite

from nocbench.one_point.explanation import explain
from nocbench.points.selection import select_one_point

if TYPE_CHECKING:
    from pathlib import Path

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
    (
        "External Memory Write Sizes",
        "epiphany_iii",
        {"num_transactions": "1", "call_size": "256", "executor": "core", "state": "busy"},
    ),
    (
        "Core to Core Write Sizes",
        "epiphany_iii",
        {"num_transactions": "1", "call_size": "256", "executor": "dma", "state": "alone"},
    ),
    (
        "Block Copies by Core",
        "epiphany_iii",
        {"num_transactions": "1", "call_size": "256", "target": "core", "direction": "read", "executor": "dma"},
    ),
    (
        "Mesh Traffic",
        "epiphany_iii",
        {"num_transactions": "1", "call_size": "1KiB", "pattern": "all_to_one", "executor": "core"},
    ),
    (
        "Host External Memory Transfers",
        "epiphany_iii",
        {"num_transactions": "2", "call_size": "512", "direction": "read"},
    ),
]


@pytest.mark.parametrize(("test", "arch", "axes"), POINTS, ids=[f"{test}-{arch}" for test, arch, _ in POINTS])
def test_waits_and_chain_add_up_to_the_latency(test: str, arch: str, axes: dict[str, str]) -> None:
    for explanation in explain(select_one_point(test, arch=arch, axes=axes)):
        assert sum(explanation.waits.values()) == pytest.approx(explanation.latency_cycles)
        assert explanation.chain[0].begin == 0
        assert explanation.chain[-1].end == pytest.approx(explanation.latency_cycles)
        for link, following in zip(explanation.chain, explanation.chain[1:], strict=False):
            assert link.begin < link.end == following.begin


def test_the_chain_of_an_epiphany_core_says_what_limits() -> None:
    axes = {"num_transactions": "1", "call_size": "256", "executor": "core", "state": "busy"}
    (explanation,) = explain(select_one_point("External Memory Write Sizes", arch="epiphany_iii", axes=axes))
    assert explanation.core.startswith("core (")
    assert "riscv" not in explanation.core
    longest = max(explanation.chain, key=lambda link: link.end - link.begin)
    assert longest.what.endswith(": the memory")
    assert any(link.what == "the eLink takes it to external memory" for link in explanation.chain)


def test_a_wait_for_dma_is_explained_by_what_the_engine_moves() -> None:
    axes = {"num_transactions": "1", "call_size": "2KiB", "executor": "dma", "state": "busy"}
    (explanation,) = explain(select_one_point("Core to Core Read Sizes", arch="epiphany_iii", axes=axes))
    assert any("DMA read 256 of 256 (8 B): its request is on the mesh" in link.what for link in explanation.chain)


def test_the_host() -> None:
    axes = {"num_transactions": "1", "call_size": "512", "direction": "write"}
    (explanation,) = explain(select_one_point("Host Core Transfers", arch="epiphany_iii", axes=axes))
    assert explanation.core == "the host"
    assert explanation.waits == {"host": explanation.latency_cycles}


@pytest.mark.parametrize("test", ["Synthetic Traffic", "Synthetic Traffic on a Mesh"])
def test_packets_of_a_network_without_kernels(test: str, run_program: CommandLine) -> None:
    axes = {"num_transactions": "4", "call_size": "1KiB", "pattern": "transpose", "injection_rate": "0.3"}
    (explanation,) = explain(select_one_point(test, arch="wormhole_b0", axes=axes))
    assert not explanation.has_kernels
    assert sum(explanation.waits.values()) == pytest.approx(explanation.latency_cycles)
    assert explanation.chain[0].begin == 0
    assert any("its header is on the way" in link.what for link in explanation.chain)
    arguments = [f"{name}={value}" for name, value in axes.items()]
    completed = run_program(
        "explain", test, "--arch", "wormhole_b0", *(item for argument in arguments for item in ("-a", argument))
    )
    assert completed.status == 0
    assert "limited by contention" in completed.out
    assert f"what a packet of about this latency waited for: {test} on wormhole_b0" in completed.out


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


def test_wrong_data_is_told_by_its_first_byte(run_program: CommandLine, tmp_path: Path) -> None:
    write_suite(tmp_path, program=PROGRAM.replace("equals: {counting: 5}", "equals: zeros"))
    completed = run_program("explain", tmp_path / "write.yaml", "--arch", "blackhole")
    assert completed.status == 1
    assert re.search(
        r"^wrong data: .*: region target, byte 0 \(core \(1, 1\), .*: expected 0x00 .*, found 0x05 ",
        completed.out,
        re.MULTILINE,
    )
