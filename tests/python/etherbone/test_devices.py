"""Devices that a file adds to the bus of a served FPGA."""

from __future__ import annotations

import shutil
import signal
import stat
import time
from typing import TYPE_CHECKING

import pytest
from etherbone_client import (
    PATIENCE_SECONDS,
    STATUS,
    Stream,
    read_checked,
    read_words,
    record,
    scan,
    served,
    write_words,
)

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

DEVICES = """
devices:
  - {kind: memory, name: scratch, address: 0x80000, bytes: 1024, values: [1, 0x22, 0xffffffff]}
  - {kind: memory, name: from a file, address: 0x81000, bytes: 16, initial_file: initial.bin, vendor: 0x651, device: 77}
  - {kind: counter, name: reads, address: 0x90000, bytes: 8}
  - {kind: counter, name: cycles of the clock, address: 0x90008, bytes: 4, counts: clock}
  - {kind: file, name: kept, address: 0xa0000, bytes: 65536, path: kept.bin}
"""


@pytest.fixture
def devices(tmp_path: Path) -> Path:
    path = tmp_path / "devices.yaml"
    path.write_text(DEVICES)
    (tmp_path / "initial.bin").write_bytes(b"\x12\x34\x56\x78rest")
    return path


def test_they_are_in_the_table_and_do_their_work(devices: Path) -> None:
    with served("--board", "scu3_gige", "--devices", devices) as server:
        line = server.line("udp")
        by_name = {device.name: device for device in scan(line)}
        assert by_name["scratch"].last_address == 0x803FF
        assert by_name["scratch"].access_widths == 0x7
        assert (by_name["from a file"].vendor, by_name["from a file"].device) == (0x651, 77)
        assert by_name["cycles of the clock"].first_address == 0x90008
        assert read_words(line, [0x80000, 0x80004, 0x80008, 0x8000C]) == (1, 0x22, 0xFFFF_FFFF, 0)
        assert read_words(line, [0x81000, 0x81004, 0x81008]) == (0x1234_5678, int.from_bytes(b"rest", "big"), 0)
        assert read_words(line, [0x90000, 0x90000, 0x90004]) == (0, 1, 2)
        write_words(line, 0x90000, [100])
        assert read_words(line, [0x90004]) == (100,)
        begin, end = read_words(line, [0x90008, 0x90008])
        assert 0 < end - begin < 100
        assert read_checked(line, [0x9000C])[1] == 1
        line.close()


@pytest.mark.parametrize("door", ["--udp", "--tcp", "--pty"])
def test_a_file_is_written_and_read_back(devices: Path, door: str) -> None:
    contents = [(2654435761 * index) & 0xFFFF_FFFF for index in range(65536 // 4)]
    doors = (door,) if door == "--pty" else (door, "0")
    with served("--devices", devices, doors=doors) as server:
        line = server.line(door.removeprefix("--"))
        for begin in range(0, len(contents), 200):
            write_words(line, 0xA0000 + 4 * begin, contents[begin : begin + 200])
        line.close()
        assert server.stop()[0] == 0
    expected = b"".join(word.to_bytes(4, "big") for word in contents)
    assert (devices.parent / "kept.bin").read_bytes() == expected
    with served("--devices", devices, doors=doors) as server:
        line = server.line(door.removeprefix("--"))
        for begin in range(0, len(contents), 200):
            part = contents[begin : begin + 200]
            assert read_words(line, [0xA0000 + 4 * (begin + index) for index in range(len(part))]) == tuple(part)
        line.close()


def test_a_file_is_kept_while_the_server_runs(devices: Path) -> None:
    kept = devices.parent / "kept.bin"
    with served("--devices", devices) as server:
        line = server.line("udp")
        write_words(line, 0xA0000, [0x6162_6364])
        line.close()
        end = time.monotonic() + PATIENCE_SECONDS
        while not kept.exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert kept.read_bytes()[:8] == b"abcd\0\0\0\0"


def test_two_servers_do_not_share_a_file(devices: Path, run_program: CommandLine) -> None:
    with served("--devices", devices):
        result = run_program("etherbone", "serve", "--udp", "0", "--devices", devices)
        assert result.status == 2
        assert f"path: expected a file that no other server uses, found {devices.parent / 'kept.bin'}" in result.err
    with served("--devices", devices) as server:
        assert server.stop()[0] == 0


def test_a_file_keeps_its_mode_and_its_links(devices: Path) -> None:
    kept = devices.parent / "kept.bin"
    target = devices.parent / "target.bin"
    target.write_bytes(b"old contents")
    target.chmod(0o640)
    kept.symlink_to(target)
    with served("--devices", devices) as server:
        line = server.line("udp")
        write_words(line, 0xA0000, [0x6162_6364])
        line.close()
        assert server.stop(signal.SIGHUP)[0] == 0
    assert kept.is_symlink()
    assert target.read_bytes()[:12] == b"abcdcontents"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_file_that_cannot_be_written_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    devices = tmp_path / "devices.yaml"
    devices.write_text("devices: [{kind: file, name: kept, address: 0xa0000, bytes: 16, path: folder/kept.bin}]")
    with served("--devices", devices) as server:
        line = server.line("udp")
        shutil.rmtree(folder)
        write_words(line, 0xA0000, [1])
        line.close()
        status, said = server.stop()
        assert status == 2
        assert f"warning: {folder}/kept.bin could not be written: No such file or directory" in said


def test_one_client_of_a_pty_sees_what_the_one_before_wrote(devices: Path) -> None:
    with served("--devices", devices, doors=("--pty",)) as server:
        for number in range(20):
            line = server.line("pty")
            assert isinstance(line, Stream)
            request = record(writes=(0x80000, [number]))
            line.write(request)
            line.read(len(request))
            line.close()
            line = server.line("pty")
            assert isinstance(line, Stream)
            assert line.exchange(record(0, reads=[0x80000]) + STATUS)[8:12] == number.to_bytes(4, "big")
            line.close()


ONE = "{kind: memory, name: a, address: 0x80000, bytes: 16"
MISTAKES = {
    "devices: 7": "1:10: devices: expected a list, found '7'",
    "device: []": "1:1: device: expected a known key, found an unknown key; did you mean 'devices'?",
    "devices: [7]": "1:11: devices[0]: expected a mapping with the key kind, found '7'",
    "devices: [{name: a}]": "1:11: devices[0].kind: expected this key: one of memory, counter, file, found nothing",
    "devices: [{kind: memroy}]": (
        "1:18: devices[0].kind: expected one of memory, counter, file, found 'memroy'; did you mean 'memory'?"
    ),
    "devices: [{kind: memory, name: a, bytes: 16}]": "1:11: devices[0].address: expected this key, found nothing",
    f"devices: [{ONE}, speed: 3}}]": "devices[0].speed: expected a known key, found an unknown key",
    "devices: [{kind: memory, name: a name of twenty chr, address: 0x80000, bytes: 16}]": (
        "1:32: devices[0].name: expected a name of at most 19 printable ASCII characters, "
        "found 'a name of twenty chr', which has 20"
    ),
    "devices: [{kind: memory, name: ä, address: 0x80000, bytes: 16}]": (
        "1:32: devices[0].name: expected a name of at most 19 printable ASCII characters, found 'ä'"
    ),
    "devices:\n- {kind: file, name: a, address: 0x80000, bytes: 16, path: a.bin}\n"
    "- {kind: file, name: b, address: 0x90000, bytes: 16, path: ./a.bin}": (
        "3:60: devices[1].path: expected a file that no other device has, found that of a"
    ),
    "devices: [{kind: memory, name: a, address: 0x80002, bytes: 16}]": (
        "devices[0].address: expected an address, a multiple of 4 from 0 to 0xfffffffc, found '0x80002'"
    ),
    "devices: [{kind: memory, name: a, address: 0x80000, bytes: 6}]": (
        "devices[0].bytes: expected a multiple of 4 from 4 to 268,435,456, found '6'"
    ),
    "devices: [{kind: memory, name: a, address: 0x100000000, bytes: 16}]": "found '0x100000000'",
    "devices: [{kind: memory, name: a, address: 0xfffffff0, bytes: 32}]": (
        "devices[0].bytes: expected a range that ends at 0xffffffff or before, as the bus has 32 address bits, "
        "found 0xfffffff0 to 0x10000000f"
    ),
    "devices: [{kind: memory, name: a, address: 0x3ff00, bytes: 0x200}]": (
        "devices[0].address: expected a range that is free, "
        "found 0x3ff00 to 0x400ff, which overlaps ECA-Control at 0x40000 to 0x400ff"
    ),
    "devices: [{kind: memory, name: a, address: 0x30800, bytes: 16}]": (
        "overlaps table of devices at 0x30000 to 0x33fff"
    ),
    f"devices:\n- {ONE}}}\n- {{kind: counter, name: b, address: 0x8000c, bytes: 4}}": (
        "3:37: devices[1].address: expected a range that is free, "
        "found 0x8000c to 0x8000f, which overlaps a at 0x80000 to 0x8000f"
    ),
    f"devices: [{ONE}, values: [1, x]}}]": "devices[0].values[1]: expected a number of 32 bits, found 'x'",
    f"devices: [{ONE}, values: [1, 2, 3, 4, 5]}}]": "devices[0].values: expected at most 4 words, found 5",
    f"devices: [{ONE}, initial_file: none.bin}}]": "devices[0].initial_file: expected a file that can be read, found ",
    f"devices: [{ONE}, initial_file: devices.yaml}}]": "expected a file of at most 16 bytes, found ",
    f"devices: [{ONE}, initial_file: devices.yaml, values: [1]}}]": (
        "initial_file: expected values or this key, found both"
    ),
    "devices: [{kind: counter, name: a, address: 0x80000, bytes: 4, counts: sheep}]": (
        "devices[0].counts: expected reads or clock, found 'sheep'"
    ),
    "devices: [{kind: file, name: a, address: 0x80000, bytes: 4}]": "devices[0].path: expected this key, found nothing",
    "devices: [{kind: file, name: a, address: 0x80000, bytes: 4, path: none/such}]": (
        "devices[0].path: expected a file, or a new one in a folder that can be written, found "
    ),
    "devices: [": "devices.yaml",
}


def _many(count: int) -> str:
    lines = (f"- {{kind: memory, name: m{index}, address: {0x100000 + 4 * index}, bytes: 4}}" for index in range(count))
    return "devices:\n" + "\n".join(lines)


MISTAKES[_many(251)] = (
    "2:1: devices: expected at most 250 devices, as the table of devices has room for 255 and 5 are built in, found 251"
)


@pytest.mark.parametrize("text", MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_in_a_file(tmp_path: Path, run_program: CommandLine, text: str) -> None:
    path = tmp_path / "devices.yaml"
    path.write_text(text)
    completed = run_program("etherbone", "serve", "--udp", "0", "--devices", path)
    assert completed.status == 2
    assert str(path) in completed.err
    assert str(MISTAKES[text]) in completed.err


def test_as_many_as_the_table_has_room_for(tmp_path: Path) -> None:
    path = tmp_path / "devices.yaml"
    path.write_text(_many(250))
    with served("--devices", path) as server:
        line = server.line("udp")
        assert len(scan(line)) == 255
        line.close()


def test_no_such_file(tmp_path: Path, run_program: CommandLine) -> None:
    completed = run_program("etherbone", "serve", "--udp", "0", "--devices", tmp_path / "none.yaml")
    assert completed.status == 2
    assert "none.yaml" in completed.err
