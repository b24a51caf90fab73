"""Files of users: wrong content or kind leads to an error that names the file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from nocbench.commands.report import _read_gate
from nocbench.flow_tables.table_files import is_flow_file, read_flow_table, targets_of
from nocbench.gating.policy import read_policy
from nocbench.one_point.heat_map import read_details
from nocbench.points.yaml_files import read_yaml
from nocbench.programs.card_image import read_image
from nocbench.programs.entries import file_contents
from nocbench.programs.execution import Machine
from nocbench.replaying.trace_file import is_trace_file, read_traces
from nocbench.results.result_files import read_points, read_results, read_rows
from nocbench.running.shard_manifest import manifest_path, read_manifest
from nocbench.support import input_files
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


def flow_table(path: Path) -> object:
    return read_flow_table(path, Machine("wormhole_b0"))


def manifest(path: Path) -> object:
    results = path.with_suffix(".csv")
    path.rename(manifest_path(results))
    return read_manifest(results)


JSON_READERS = [read_traces, flow_table, targets_of, read_details, _read_gate, manifest]
CSV_READERS = [read_results, read_rows, read_points, flow_table]
READERS = [
    *((reader, ".json") for reader in JSON_READERS),
    *((reader, ".csv") for reader in CSV_READERS),
    (read_results, ".md"),
    (read_results, ".parquet"),
    (read_policy, ".yaml"),
    (flow_table, ".yaml"),
    (file_contents, ".bin"),
    (file_contents, ".npy"),
    (read_image, ".elf"),
]
JSON = {
    "lists": ("[" * 200_000 + "]" * 200_000, "lists and objects in more than 64 levels"),
    "objects": ('{"a":' * 200_000 + "1" + "}" * 200_000, "lists and objects in more than 64 levels"),
    "65 levels": ("[" * 65 + "]" * 65, "lists and objects in more than 64 levels"),
    "phases": ('{"phases":' + "[" * 300 + "]" * 300 + "}", "lists and objects in more than 64 levels"),
    "digits": ("9" * 5000, "a number of thousands of digits"),
    "digits of an event": ('[{"timestamp": -' + "9" * 5000 + "}]", "a number of thousands of digits"),
    "nothing": ("", "a mistake in it, or its end"),
}


@pytest.mark.parametrize("reader", JSON_READERS)
@pytest.mark.parametrize("kind", JSON)
def test_json(tmp_path: Path, reader: Callable[[Path], object], kind: str) -> None:
    text, complaint = JSON[kind]
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"file\.\w.*: expected .* as JSON, found {complaint}"):
        reader(path)


@pytest.mark.parametrize("levels", [63, 64])
def test_levels_that_are_read(tmp_path: Path, levels: int) -> None:
    path = tmp_path / "file.json"
    path.write_text("[" * levels + "]" * levels)
    assert isinstance(input_files.read_json(path, "a list"), list)


@pytest.mark.parametrize("reader", CSV_READERS)
def test_tables_of_too_many_columns(tmp_path: Path, reader: Callable[[Path], object]) -> None:
    path = tmp_path / "file.csv"
    path.write_text(",".join(f"column {number}" for number in range(1_000_000)) + "\n")
    with pytest.raises(InputError, match=r"file\.csv:1: expected .* of at most 1,000 columns, found 1,000,000$"):
        reader(path)


@pytest.mark.parametrize("cells", ["call_size", "num_calls", "core", "start_cycle", "call_interval_cycles", "noc"])
def test_numbers_of_too_many_digits_in_flows(tmp_path: Path, cells: str) -> None:
    values = {"kind": "write", "core": "0 0", "partner": "1 1", "call_size": "64"}
    values[cells] = "9" * 5000 + (" 0" if cells == "core" else "")
    path = tmp_path / "file.csv"
    path.write_text(f"{','.join(values)}\n{','.join(values.values())}\n")
    with pytest.raises(InputError, match=rf"file\.csv:2: {cells}: expected "):
        flow_table(path)


@pytest.mark.parametrize(("reader", "suffix"), READERS)
def test_pipes_with_a_name_do_not_block(tmp_path: Path, reader: Callable[[Path], object], suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    os.mkfifo(path)
    with pytest.raises(InputError, match=r"cannot be read: expected a file, found a pipe$"):
        reader(path)


@pytest.mark.parametrize(("reader", "suffix"), READERS)
def test_files_that_are_too_large_are_not_read(tmp_path: Path, reader: Callable[[Path], object], suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    with path.open("wb") as file:
        file.truncate(2**40)  # a sparse file, which uses no disk space
    with pytest.raises(InputError, match=r"expected at most 1,073,741,824 bytes, found 1,099,511,627,776$"):
        reader(path)


def test_whoever_asks_what_a_file_is_does_not_wait(tmp_path: Path) -> None:
    for suffix in (".json", ".yaml"):
        os.mkfifo(tmp_path / f"file{suffix}")
    assert not is_trace_file(tmp_path / "file.json")
    assert not is_flow_file(tmp_path / "file.yaml")


def test_pipes_that_are_open_are_read() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"a": 1}')
    os.close(writing)
    try:
        assert input_files.read_json(Path(f"/dev/fd/{reading}"), "an object") == {"a": 1}
    finally:
        os.close(reading)


def test_what_a_device_has_no_end_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_files, "MOST_BYTES", 1000)
    reading = os.open("/dev/zero", os.O_RDONLY)
    try:
        with pytest.raises(InputError, match=r"expected at most 1,000 bytes, found 1,001$"):
            input_files.read_bytes(Path(f"/dev/fd/{reading}"))
        with pytest.raises(InputError, match="expected a file, found a device"):
            input_files.read_bytes(Path("/dev/zero"))
    finally:
        os.close(reading)


def test_missing_files_and_directories(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        input_files.read_bytes(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be read: expected a file, found a directory"):
        input_files.read_bytes(tmp_path)
    with pytest.raises(InputError, match="cannot be read: "):
        read_yaml(tmp_path, "a file")
