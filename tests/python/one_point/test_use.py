"""Use of networks by kind of packet, and of DRAM by bank: in explanations and detail files."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from nocbench.one_point.explanation import explain
from nocbench.points.selection import select_one_point

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

DRAM = ("DRAM Interleaved Packet Sizes", "--arch", "blackhole", "-a", "num_transactions=64", "-a", "call_size=2KiB")
FLITS = 64 * (2048 // 64 + 1)


def test_the_rows_of_a_point_share_the_use_of_its_run() -> None:
    axes = {"num_transactions": "64", "call_size": "2KiB"}
    both = explain(select_one_point(DRAM[0], arch="blackhole", axes=axes))
    assert len(both) == 2
    use = both[0].use
    assert use is not None
    assert both[1].use is use
    of_kind = {one.kind: one for one in use.packets}
    assert of_kind["write request"].injected_flits == of_kind["read response"].ejected_flits == FLITS
    assert of_kind["read request"].link_flits == 64 * 2
    assert of_kind["write request"].busiest_utilisation == pytest.approx(FLITS / use.elapsed_cycles)
    [dram] = use.memories
    assert (dram.bytes_read, dram.bytes_written) == (64 * 2048, 64 * 2048)
    assert 0 < dram.busy_share <= 1


def test_use_is_listed_once_on_request(run_in_process: CommandLine) -> None:
    silent = run_in_process("explain", *DRAM).out
    listed = run_in_process("explain", *DRAM, "--use").out
    assert listed.startswith(silent)
    assert listed.count("use over all") == 1
    assert "acknowledgement of a write" in listed.removeprefix(silent)
    explained = json.loads(run_in_process("explain", *DRAM, "--json").out)
    assert {one["kind"] for one in explained[0]["use"]["packets"]} >= {"write request", "read response"}


def test_machines_without_kinds_of_packets_say_so(run_in_process: CommandLine) -> None:
    point = ("Core to Core Write Sizes", "--arch", "epiphany_iii", "-a", "num_transactions=1", "-a", "call_size=256")
    axes = ("-a", "executor=dma", "-a", "state=alone")
    assert "neither kinds of packets nor DRAM to list" in run_in_process("explain", *point, *axes, "--use").out
    assert "use" not in json.loads(run_in_process("explain", *point, *axes, "--json").out)[0]


def test_detail_files_divide_the_flits_of_each_link(run_in_process: CommandLine, tmp_path: Path) -> None:
    done = run_in_process("run", *DRAM, "--detail", tmp_path, "-j", "0", "--no-cache")
    assert done.status == 0, done.err
    [file] = tmp_path.rglob("*.json")
    details = json.loads(file.read_text())
    sums: dict[str, Counter[tuple[int, int, int, str]]] = {"links": Counter(), "packets": Counter()}
    for key, of_links in sums.items():
        for link in details[key]:
            of_links[link["noc"], link["x"], link["y"], link["direction"]] += link["flits"]
    assert sums["packets"] == sums["links"]
    assert sum(part["bytes_read"] for part in details["memories"] if part["bank"] is not None) == 64 * 2048
