"""Captures of the communication between a modeled host and its FPGA."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from nocbench.etherbone.captures import messages_in_capture, read_packets

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

CYCLES = 90


@pytest.mark.parametrize("board", ["SCU3 GigE", "SCU3 PCIe", "Exploder USB"])
def test_a_trace_is_a_capture_too(run_program: CommandLine, tmp_path: Path, board: str) -> None:
    capture = tmp_path / "messages.pcap"
    test = f"Timestamps {board}"
    point = ("-a", f"num_transactions={CYCLES}", "-a", "call_size=64", "-a", "method=pipelined")
    run = run_program("trace", test, *point, "-o", tmp_path / "trace.json", "--pcap", capture)
    assert run.status == 0, run.err
    with capture.open("rb") as file:
        packets = list(read_packets(file, str(capture))[1])
        file.seek(0)
        messages = [message for _, message in messages_in_capture(file, str(capture))]
    assert f"wrote {len(packets)} packets to {capture}" in run.err
    times = [packet.time_ns for packet in packets]
    assert times == sorted(times)
    assert len(messages) == len(packets)
    # Each cycle reads the time eight times, as two words at two addresses.
    records = [record for message in messages for record in message.records]
    timestamps = [
        record for record in records if len(record.read_addresses) == 16 and len(set(record.read_addresses)) == 2
    ]
    assert len(timestamps) == CYCLES
    # The number of answers equals the number of reads. The table of devices was also read in cycles of sixteen words.
    num_reads = sum(len(record.read_addresses) for record in records)
    assert sum(len(record.writes) for record in records) == num_reads


def test_a_trace_and_a_capture_have_a_file_each(run_program: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "trace.json"
    point = ("-a", "num_transactions=1", "-a", "call_size=64", "-a", "method=pipelined")
    run = run_program("trace", "Timestamps SCU3 GigE", *point, "-o", file, "--pcap", file)
    assert run.status == 2
    assert f"--pcap: expected another file than that of the trace, found {file} for both" in run.err
    assert not file.exists()


def test_other_machines_have_no_messages(run_program: CommandLine, tmp_path: Path) -> None:
    point = ("-a", "num_transactions=1", "-a", "call_size=4KiB", "--arch", "blackhole")
    run = run_program(
        "trace", "One to One Packet Sizes", *point, "-o", tmp_path / "trace.json", "--pcap", tmp_path / "x.pcap"
    )
    assert run.status == 2
    expected = "--pcap: expected a host that sends messages to an FPGA, found One to One Packet Sizes on blackhole"
    assert expected in run.err
    assert not list(tmp_path.iterdir())
