"""Workloads of tt-npe, whose transfers become flows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from nocbench.flow_tables.execution import run_flow_table
from nocbench.flow_tables.table_files import is_flow_file, machines_for_flows, read_flow_table
from nocbench.flow_tables.workload import read_workload
from nocbench.programs.execution import Machine
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.flow_tables.flow_table import FlowTable

TRANSFER = {"packet_size": 2048, "num_packets": 8, "src_x": 1, "src_y": 1, "dst_x": 4, "dst_y": 5}
FROM_DRAM = {**TRANSFER, "src_x": 0, "src_y": 0, "noc_type": "NOC_1", "noc_event_type": "READ"}
MULTICAST = {
    "packet_size": 8192,
    "num_packets": 2,
    "src_x": 1,
    "src_y": 1,
    "mcast_start_x": 4,
    "mcast_start_y": 4,
    "mcast_end_x": 1,
    "mcast_end_y": 1,
    "noc_type": "NOC_1",
}
YAML = """
golden_result:
  cycles: 1000
phases:
  one:
    transfers:
      tr1:
        packet_size: 2048
        num_packets: 8
        src_x: 1
        src_y: 1
        dst_x: 4
        dst_y: 5
        injection_rate: 28.1
        phase_cycle_offset: 100
        noc_type: "NOC_0"
"""


def workload(path: Path, *phases: list[dict[str, Any]], **rest: object) -> Path:
    path.write_text(json.dumps({"phases": [{"transfers": transfers} for transfers in phases], **rest}))
    return path


def read(path: Path) -> FlowTable:
    return read_workload(path, Machine("wormhole_b0"))[0]


def test_transfers_are_flows_without_barriers(tmp_path: Path) -> None:
    table = read(workload(tmp_path / "w.json", [TRANSFER, FROM_DRAM, MULTICAST]))
    write, from_dram, multicast = table.flows
    assert write[:9] == (0, "write", (0, 0), "core", ((3, 3), (3, 3)), 0, 0, None, 2048)
    assert (write.num_calls, write.barrier_interval, write.after) == (8, None, None)
    assert from_dram[1:7] == ("read", (3, 3), "dram_tile", ((0, 0), (0, 0)), 0, 1)
    assert multicast[1:7] == ("write", (0, 0), "rectangle", ((0, 0), (3, 2)), 0, 1)


def test_a_phase_starts_after_the_one_before(tmp_path: Path) -> None:
    table = read(workload(tmp_path / "w.json", [TRANSFER], [], [{**TRANSFER, "phase_cycle_offset": 30}]))
    assert table.groups == ["phase 1", "phase 3"]
    assert [(flow.after, flow.start_cycles) for flow in table.flows] == [(None, 0), (0, 30)]
    run = run_flow_table(table, Machine("wormhole_b0"))
    assert run.fault == ""
    (_, first_end), (second_begin, _) = run.flow_times
    assert second_begin == first_end + 32 + 30


def test_yaml_with_named_phases_and_transfers(tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(YAML)
    assert is_flow_file(path)
    table = read(path)
    [flow] = table.flows
    assert table.groups == ["one"]
    assert table.reference_cycles == 1000
    assert flow.call_interval_cycles == pytest.approx(2048 / 28.1)
    assert flow.start_cycles == 100


def test_it_runs_and_its_data_are_checked(tmp_path: Path) -> None:
    path = workload(tmp_path / "w.json", [TRANSFER, FROM_DRAM, MULTICAST, {**TRANSFER, "dst_x": 0, "dst_y": 0}])
    [machine] = machines_for_flows(path, "", "", ())
    assert machine.arch == "wormhole_b0"
    run = run_flow_table(*read_flow_table(path, machine))
    assert run.fault == ""
    assert {(row["kernel"], row["noc"]) for row in run.rows} == {("phase 1, NoC 0", 0), ("phase 1, NoC 1", 1)}
    assert sum(tile["bytes"] for tile in run.result["deliveries"]) == 8 * 2048 * 3 + 2 * 8192 * 11


def test_rows_that_are_harvested_on_the_board_are_not_on_the_card_of_the_file(tmp_path: Path) -> None:
    path = workload(tmp_path / "w.json", [{**TRANSFER, "dst_y": 2}])
    table, machine = read_workload(path, Machine("wormhole_b0"))
    assert dict(machine.settings) == {
        "board.harvested_rows": "[3]",
        "board.compute_rows": "9",
        "board.harvested_columns": "[]",
        "board.compute_columns": "8",
    }
    assert table.flows[0].cores == ((3, 1), (3, 1))
    run = run_flow_table(table, machine)
    assert run.fault == ""
    given = Machine("wormhole_b0", settings=(("board.harvested_rows", "[2]"),))
    with pytest.raises(InputError, match=r"expected a core or DRAM of n150, found harvested at \(4, 2\)"):
        read_workload(path, given)
    everywhere = [{**TRANSFER, "dst_y": row} for row in (1, 2, 3, 4, 5, 7, 8, 9, 10, 11)]
    _, machine = read_workload(workload(path, everywhere), Machine("wormhole_b0"))
    assert dict(machine.settings)["board.harvested_rows"] == "[]"


def test_the_injection_rate_is_kept(tmp_path: Path) -> None:
    slow = {**TRANSFER, "injection_rate": 2.0}
    table = read(workload(tmp_path / "w.json", [slow, {**slow, "src_y": 3}]))
    run = run_flow_table(table, Machine("wormhole_b0"))
    for begin, end in run.flow_times:
        assert 7 * 1024 < end - begin < 7.5 * 1024


@pytest.mark.parametrize(
    ("device", "machine"),
    [
        ("wormhole_b0", Machine("wormhole_b0")),
        ("N300", Machine("wormhole_b0", "n300")),
        ("P100", Machine("blackhole", "p100")),
    ],
)
def test_the_device_of_the_file(tmp_path: Path, device: str, machine: Machine) -> None:
    path = workload(tmp_path / "w.json", [TRANSFER], common_info={"device_name": device})
    assert machines_for_flows(path, "", "", ()) == [machine]
    assert machines_for_flows(path, "blackhole", "", ()) == [Machine("blackhole")]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"packet_size": 0}, "packet_size: expected a whole number from 1 on, found 0"),
        ({"packet_size": None}, "packet_size: expected a whole number from 1 on, found nothing"),
        ({"num_packets": 1.5}, "num_packets: expected a whole number from 1 on, found 1.5"),
        ({"src_x": "a"}, "src_x: expected a whole number from 0 on, found 'a'"),
        ({"src_x": 10}, r"expected a tile from \(0, 0\) to \(9, 11\) of n150, found \(10, 1\)"),
        ({"dst_x": 9, "dst_y": 0}, r"expected a core or DRAM of n150, found Ethernet at \(9, 0\)"),
        ({"noc_type": "NOC_2"}, "noc_type: expected NOC_0 or NOC_1, found 'NOC_2'"),
        ({"injection_rate": -1}, "injection_rate: expected a number of bytes per cycle from 0 on, found -1"),
        ({"src_x": 0, "src_y": 0, "dst_x": 5, "dst_y": 0}, "expected a core that reads, found dram_tile"),
    ],
)
def test_what_is_wrong_is_named_with_its_transfer(tmp_path: Path, change: dict[str, Any], complaint: str) -> None:
    path = workload(tmp_path / "w.json", [TRANSFER, {**TRANSFER, **change}])
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: phases\[0\]\.transfers\[1\]: {complaint}"):
        read(path)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"phases": [', r"w\.json:1:13: expected a workload as JSON, found a mistake in it"),
        ("[]", "expected a workload, which has the key 'phases', found none"),
        ('{"phases": [{}]}', "phases: phase 1: expected the key 'transfers', found none"),
        ('{"phases": []}', "expected transfers in its phases, found none"),
        ('{"phases": [{"transfers": [1]}]}', "phase 1: expected a mapping for transfer 1, found 1"),
        ('{"phases": [], "golden_result": {"cycles": "x"}}', "expected transfers in its phases"),
    ],
)
def test_files_that_are_no_workload(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "w.json"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read(path)


def test_mistakes_in_yaml_have_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "w.yaml"
    path.write_text(YAML.replace("num_packets: 8", "num_packets: many"))
    with pytest.raises(InputError, match=r"w\.yaml:8:9: num_packets: expected a whole number from 1 on, found 'many'"):
        read(path)
