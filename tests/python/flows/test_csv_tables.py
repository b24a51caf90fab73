"""Flow tables in CSV: reading, and error messages."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

from nocbench.architectures.memories import memories_of
from nocbench.flow_tables.csv_table import read_csv_table
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from nocbench.flow_tables.flow_table import FlowTable

HEADER = "name,kind,core,partner,call_size,num_calls,vc,after"
GOOD = "a,write,0 0,1 1,2KiB,4,,"


def read(path: Path, *rows: str, header: str = HEADER) -> FlowTable:
    path.write_text("\n".join([header, *rows]) + "\n")
    return read_csv_table(path, memories_of("wormhole_b0"))


def test_a_row_is_a_flow(tmp_path: Path) -> None:
    table = read(tmp_path / "flows.csv", GOOD, "", "# a comment", 'b,read,"(7,7)",dram 3,64,,2,a')
    write, read_flow = table.flows
    assert table.name == "flows"
    assert table.groups == ["a", "b"]
    assert write[:12] == (0, "write", (0, 0), "core", ((1, 1), (1, 1)), 0, 0, None, 2048, 4, 0, 0)
    assert read_flow[:8] == (1, "read", (7, 7), "bank", ((0, 0), (0, 0)), 3, 1, 2)
    assert read_flow.after == 0
    assert list(table.lines) == [2, 5]


def test_unnamed_flows_are_called_by_their_kind(tmp_path: Path) -> None:
    rows = ("write,0 0,1 1,64", "read,0 0,1 1,64", "write,0 0,1 0 - 2 2,64")
    table = read(tmp_path / "flows.csv", *rows, header="kind,core,partner,call_size")
    assert table.groups == ["write", "read"]
    assert [flow.noc for flow in table.flows] == [0, 1, 0]
    assert table.flows[2].cores == ((1, 0), (2, 2))


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (
            "a,wirte,0 0,1 1,64,,,",
            r"3: kind: expected write, .*, found 'wirte'; did you mean 'write'",
        ),
        ("a,,0 0,1 1,64,,,", r"3: kind: expected write, .* found nothing"),
        ("a,write,0 9,1 1,64,,,", r"3: core: expected a core from \(0, 0\) to \(7, 7\) of n150, found '0 9'"),
        ("a,write,0 0,dram 12,64,,,", r"3: partner: expected a DRAM bank from 0 to 11 of n150, found 'dram 12'"),
        ("a,write,0 0,2 2 - 1 1,64,,,", r"3: partner: expected a rectangle from its upper left core"),
        ("a,read,0 0,1 1 - 2 2,64,,,", r"3: kind: expected write, as multicasts are, found read"),
        ("a,write,0 0,0 0 - 0 0,64,,,", r"3: partner: expected another core in the rectangle"),
        ("a,write,0 0,1 1,64 kB,,,", r"3: call_size: expected a size from 1 B to 1 GiB, .* found '64 kB'"),
        ("a,write,0 0,1 1,0,,,", r"3: call_size: expected a size from 1 B"),
        ("a,write,0 0,1 1,64,0,,", r"3: num_calls: expected a number of calls from 1 on, found '0'"),
        ("a,write,0 0,1 1,64,,4,", r"3: vc: expected 0 to 3 for one partner, found 4"),
        ("a,write,0 0,1 1 - 2 2,64,,1,", r"3: vc: expected 4 or 5 for a multicast, found 1"),
        ("a,write,0 0,1 1,64,,,c", r"3: after: expected the name of flows, found 'c'"),
        ("b,write,0 0,1 1,64,,,b", r"3: after: expected flows that can start, found a circle: 'b' -> 'b'"),
        ("a,write,0 0,1 1,64", r"3: expected 8 cells, as in the header, found 5"),
        ('a,write,"0 0,1 1,64,,,', r"expected CSV, found a mistake in it"),
    ],
)
def test_what_is_wrong_is_named_with_line_and_column(tmp_path: Path, row: str, complaint: str) -> None:
    path = tmp_path / "flows.csv"
    with pytest.raises(InputError, match=f"{re.escape(str(path))}:{complaint}" if complaint[0] == "3" else complaint):
        read(path, GOOD, row)


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ("kind,core,partner", "1: expected a column 'call_size', found none"),
        (
            "kind,core,partner,call_sice",
            r"1: expected the name of a column, .*'call_sice'; did you mean 'call_size'",
        ),
        ("kind,kind,core,partner,call_size", "1: expected each column once, found 'kind' again"),
    ],
)
def test_columns(tmp_path: Path, header: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read(tmp_path / "flows.csv", header=header)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "flows.csv", "a,write,0 0,9 9,64,,,", "a,write,9 9,1 1,x,,,")
    assert [line.split(":")[1:3] for line in str(caught.value).splitlines()] == [
        ["2", " partner"],
        ["3", " call_size"],
        ["3", " core"],
    ]


def test_files_that_hold_no_table(tmp_path: Path) -> None:
    memories = memories_of("wormhole_b0")
    with pytest.raises(InputError, match="cannot be read"):
        read_csv_table(tmp_path / "none.csv", memories)
    empty = tmp_path / "empty.csv"
    empty.touch()
    with pytest.raises(InputError, match="found an empty file"):
        read_csv_table(empty, memories)
    with pytest.raises(InputError, match="expected a row for each flow below the header, found none"):
        read(tmp_path / "header.csv")
    binary = tmp_path / "binary.csv"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected a table of flows as CSV in UTF-8, found other bytes"):
        read_csv_table(binary, memories)


def large_table(path: Path, num_flows: int) -> Path:
    rows = [f"{n % 8} {n // 8 % 8},{n // 3 % 8} {n // 7 % 8},{64 * (1 + n % 32)},write,none" for n in range(num_flows)]
    path.write_text("\n".join(["core,partner,call_size,kind,barrier_interval", *rows]) + "\n")
    return path


def test_a_large_table_is_read_soon(tmp_path: Path) -> None:
    path = large_table(tmp_path / "large.csv", 100_000)
    memories = memories_of("wormhole_b0")
    began = time.process_time()
    table = read_csv_table(path, memories)
    seconds = time.process_time() - began
    assert len(table.flows) == 100_000
    assert seconds < 5  # on an idle machine, a fifth of this time
