"""`nocbench etherbone serve`, as seen by clients."""

from __future__ import annotations

import itertools
import os
import random
import select
import signal
import socket
import struct
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from etherbone_client import (
    ALL_DOORS,
    ANSWER_HEADER,
    CYC,
    HEADER,
    PATIENCE_SECONDS,
    PROBE,
    PROBE_ANSWER,
    STATUS,
    Server,
    Stream,
    Udp,
    read_checked,
    read_configuration,
    read_words,
    record,
    scan,
    served,
    tcp,
    write_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import CommandLine

DOORS = ("udp", "tcp", "pty")
EVENT_UNIT = (0x651, 0xB2AF_C251)
LATCH_UNIT = (0x651, 0x1005_1981)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """Serves tests that modify only the memory, each at separate addresses."""
    with served(doors=ALL_DOORS) as running:
        yield running


@pytest.fixture(params=DOORS)
def line(request: pytest.FixtureRequest, server: Server) -> Iterator[Udp | Stream]:
    line = server.line(request.param)
    yield line
    line.close()


def words(text: str) -> bytes:
    return bytes.fromhex(text.replace(" ", ""))


VECTORS = {
    "table of devices": (
        "e80f0002 00008000 00000008 0000000c",
        "0e0f0200 00008000 00000000 00030000",
    ),
    "checked read": (
        "a00f0001 00008000 00010010 e80f0001 00008001 00000004",
        "060f0100 00008000 cafebabe 0e0f0100 00008001 00000000",
    ),
    "unchecked read": ("a80f0001 00008000 00010010", "0e0f0100 00008000 cafebabe"),
    "checked writes": (
        "e80f0301 00010020 00000001 00000002 00000003 00008001 00000004",
        "00000000 00000000 00000000 00000000 0e0f0100 00008001 00000000",
    ),
    "writes to one address": (
        "ea0f0301 00010020 00000001 00000002 00000003 00008003 00000004",
        "00000000 00000000 00000000 00000000 0e0f0100 00008003 00000000",
    ),
    "two records of writes": (
        "a00f0100 00010020 00000001 e80f0101 00010030 00000002 00008005 00000004",
        "00000000 00000000 060f0000 00000000 00000000 0e0f0100 00008005 00000000",
    ),
    "write and reads": (
        "a00f0102 00010020 aabbccdd 00008006 00010020 00010010 e80f0001 00008007 00000004",
        "00000000 00000000 060f0200 00008006 aabbccdd cafebabe 0e0f0100 00008007 00000000",
    ),
    "a read of nothing between two": (
        "a00f0003 00008000 00010010 00f00000 00010010 e80f0001 00008001 00000004",
        "060f0300 00008000 cafebabe 00000000 cafebabe 0e0f0100 00008001 00000002",
    ),
}


@pytest.mark.parametrize("name", VECTORS)
def test_what_is_on_the_wire(line: Udp | Stream, name: str) -> None:
    write_words(line, 0x10010, [0xCAFE_BABE])
    request, answer = VECTORS[name]
    assert line.exchange(words(request)).hex(" ", 4) == answer


def test_probes_and_messages_without_reads(server: Server) -> None:
    line = server.line("udp")
    assert isinstance(line, Udp)
    assert line.raw(PROBE) == PROBE_ANSWER
    assert line.raw(words("4e6f1144 00000000 00000000")) == words("4e6f1644 00000000")  # as sent by LiteX
    line.socket.send(HEADER + words("a80f0100 00010040 00000007"))
    assert not line.has_answer()
    assert read_words(line, [0x10040]) == (7,)
    line.close()


def test_parts_of_words(line: Udp | Stream) -> None:
    write_words(line, 0x10050, [0x1122_3344])
    write_words(line, 0x10051, [0x005A_0000], select=0x4)
    write_words(line, 0x10052, [0x0000_BEEF], select=0x3)
    assert read_words(line, [0x10050]) == (0x115A_BEEF,)
    assert read_words(line, [0x10050], select=0x8) == (0x1100_0000,)
    assert read_words(line, [0x10052], select=0x3) == (0x0000_BEEF,)
    assert read_checked(line, [0x10050], select=0x6) == ((0,), 1)


def test_table_of_devices(line: Udp | Stream) -> None:
    by_number = {(device.vendor, device.device): device for device in scan(line)}
    assert by_number[EVENT_UNIT].name == "ECA-Control"
    assert by_number[LATCH_UNIT].first_address == 0x50000
    assert by_number[0xCE42, 0x66CF_EB52].access_widths == 0x7


MALFORMED = (
    "",
    "4e",
    "4e6f10",
    "12345678 a80f0001 00008000 00010010",
    "4e6f2044 a80f0001 00008000 00010010",
    "4e6f1000 a80f0001 00008000 00010010",
    "4e6f10ff a80f0001 00008000 00010010",
    "4e6f1088 00000000 a80f0001 00000000",
    "4e6f1044",
    "4e6f11ff",
    "4e6f1044 a80f00ff 00008000",
    "4e6f1044 a80f0001 00008000",
)


@pytest.mark.parametrize("datagram", MALFORMED)
def test_malformed_datagrams_have_no_answer(server: Server, datagram: str) -> None:
    line = Udp(server.udp_port)
    line.socket.send(words(datagram))
    write_words(line, 0x10060, [0x600D])
    assert read_words(line, [0x10060]) == (0x600D,)  # the answer belongs to the latest request
    line.close()


def test_datagrams_that_nearly_are_right(server: Server) -> None:
    line = Udp(server.udp_port)
    write_words(line, 0x10010, [0xCAFE_BABE])
    unchecked = words("a80f0001 00008000 00010010")
    answer = ANSWER_HEADER + words("0e0f0100 00008000 cafebabe")
    assert line.raw(HEADER + unchecked + b"\0\0") == answer  # the rest is shorter than a record
    assert line.raw(HEADER + words("b10f0001 00008000 00010010")) == ANSWER_HEADER + words("060f0100 00008000 cafebabe")
    assert line.raw(HEADER + bytes(4) + unchecked) == ANSWER_HEADER + bytes(4) + answer[4:]
    line.close()


def test_random_bytes_disturb_nobody(server: Server) -> None:
    draw = random.Random(31)
    garbage = Udp(server.udp_port)
    line = server.line("udp")
    stream = server.line("tcp")
    for _ in range(300):
        garbage.socket.send(draw.choice((b"", HEADER, b"\x4e\x6f")) + draw.randbytes(draw.randrange(64)))
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", server.tcp_port)) as connection:
            connection.sendall(draw.randbytes(100))
    for each in (line, stream):
        write_words(each, 0x10070, [0x600D])
        assert read_words(each, [0x10070]) == (0x600D,)
        each.close()
    garbage.close()


def test_streams_cut_anywhere(server: Server) -> None:
    for door in ("tcp", "pty"):
        line = server.line(door)
        assert isinstance(line, Stream)
        write_words(line, 0x10080, [1, 2, 3])
        request = record(0, reads=[0x10080, 0x10084, 0x10088]) + STATUS
        for byte in request:
            line.write(bytes([byte]))
        assert line.read(len(request))[8:20] == struct.pack(">3I", 1, 2, 3)
        line.close()


def test_an_open_cycle_of_a_stream_is_answered(server: Server) -> None:
    line = tcp(server.tcp_port)
    write_words(line, 0x10090, [5])
    assert line.exchange(record(0, reads=[0x10090]))[-4:] == struct.pack(">I", 5)
    line.close()


def test_error_status_is_each_clients_own(server: Server) -> None:
    streams = [server.line("tcp"), server.line("pty")]
    datagrams = server.line("udp")
    assert read_checked(streams[0], [0xF0_0000])[1] == 1
    assert read_checked(datagrams, [0x10000])[1] == 0
    assert read_checked(streams[1], [0x10000])[1] == 0
    assert read_checked(streams[0], [0x10000])[1] == 2
    for each in (*streams, datagrams):
        each.close()


def test_a_pty_takes_one_client_after_the_other(server: Server) -> None:
    for number in range(20):
        line = server.line("pty")
        assert isinstance(line, Stream)
        if number % 2:
            line.exchange(record(writes=(0x100A0, [number])))
            line.write(record(0, reads=[0x100A0] * 200)[:100])  # an incomplete record; then the client disconnects
        else:
            assert number == 0 or read_words(line, [0x100A0]) == (number - 1,)
        line.close()


def test_long_answers_by_pty(server: Server) -> None:
    line = server.line("pty")
    assert isinstance(line, Stream)
    write_words(line, 0x100B0, [0xABCD])
    request = (record(0, reads=[0x100B0] * 255) + STATUS) * 30
    line.write(request[: len(request) // 2])
    answer = line.read(len(request) // 2 // 1052 * 1052)
    line.write(request[len(request) // 2 :])
    answer += line.read(len(request) - len(answer))
    assert answer.count(struct.pack(">I", 0xABCD)) == 30 * 255
    line.close()


def test_a_client_that_reads_no_answers_holds_nobody_up(server: Server) -> None:
    deaf = tcp(server.tcp_port)
    os.set_blocking(deaf.descriptor, False)
    request = (record(0, reads=[0x10000] * 255) + STATUS) * 100
    written = 0
    while select.select([], [deaf.descriptor], [], 0.5)[1]:
        written += os.write(deaf.descriptor, request)
    assert written > len(request)
    line = server.line("tcp")
    write_words(line, 0x100C0, [1])
    assert read_words(line, [0x100C0]) == (1,)
    with Path(f"/proc/{server.process.pid}/statm").open() as file:
        assert int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") < 400 << 20
    line.close()
    deaf.close()


@pytest.mark.parametrize("door", ["tcp", "pty"])
def test_writes_go_on_if_nobody_reads_the_zeros_that_answer_them(server: Server, door: str) -> None:
    count = 30_000
    line = server.line(door)
    assert isinstance(line, Stream)
    line.write(b"".join(record(CYC, writes=(0x10100 + 4 * (i % 2500), [i])) for i in range(count)))
    observer = server.line("udp")
    end = time.monotonic() + PATIENCE_SECONDS
    while read_words(observer, [0x10100 + 4 * ((count - 1) % 2500)]) != (count - 1,):
        assert time.monotonic() < end
    # The kept answers to the writes precede the answer to this read.
    line.write(record(CYC, reads=[0x10100 + 4 * 7]))
    expected = struct.pack(">I", count - 2500 + 7)
    answer = b""
    while not answer.endswith(expected):
        answer += line.read(4)
    assert len(answer) <= 12 * (count + 1)
    line.close()
    observer.close()


def test_half_a_connection_is_answered(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.tcp_port), timeout=PATIENCE_SECONDS) as client:
        client.sendall(PROBE + record(0, reads=[0x30000]))
        client.shutdown(socket.SHUT_WR)
        answer = b""
        while part := client.recv(64):
            answer += part
        assert answer[:8] == PROBE_ANSWER
        assert answer[-4:] == b"SDB-"


def test_white_rabbit_devices_have_the_version_that_clients_ask_for(server: Server) -> None:
    line = server.line("udp")
    pulse_generator, endpoint = read_words(line, [0x30000 + 64 * record for record in (4, 5)])
    assert pulse_generator == endpoint == 0x0001_01_01  # class of interface, version 1.1
    line.close()


@pytest.mark.parametrize("widths", [0x00, 0x11, 0x22, 0x88, 0x42])
def test_probes_of_other_widths_are_answered_with_ones_own(server: Server, widths: int) -> None:
    probe = PROBE[:3] + bytes([widths]) + PROBE[4:]
    line = server.line("udp")
    assert isinstance(line, Udp)
    assert line.raw(probe) == PROBE_ANSWER
    line.close()
    with socket.create_connection(("127.0.0.1", server.tcp_port), timeout=PATIENCE_SECONDS) as client:
        client.sendall(probe)
        assert client.recv(64) == PROBE_ANSWER
        client.sendall(PROBE)  # and may start again
        assert client.recv(64) == PROBE_ANSWER


def test_many_cycles_in_a_row(server: Server) -> None:
    line = Udp(server.udp_port)
    write_words(line, 0x100D0, [0])
    begin = time.monotonic()
    for number in range(50_000):
        request = HEADER + struct.pack(">4B6I", 0xA8, 0x0F, 1, 1, 0x100D0, number, 0x8000, 0x100D0, 0, 0)[:20]
        line.socket.send(request)
        assert line.socket.recv(64)[-4:] == request[12:16]
    assert time.monotonic() - begin < 60
    line.close()


def event_time(line: Udp | Stream, count: int = 1) -> list[int]:
    """Returns timestamps of the event unit, read in one checked cycle."""
    values = read_words(line, [0x40018, 0x4001C] * count)
    return [values[2 * index] << 32 | values[2 * index + 1] for index in range(count)]


@pytest.mark.parametrize(("count", "published_us"), [(1, 26.0), (5, 9.98), (8, 8.48)])
def test_blocking_timestamps_by_pci_express(count: int, published_us: float) -> None:
    """S + r (bus reads + status reads), S = 17.06 us, r = 2.985 us, from the leading timestamp to the last requested
    one.
    """
    with served("--board", "scu3_pcie", doors=("--pty",)) as server:
        line = server.line("pty")
        leading = event_time(line)[0]
        acquired = [event_time(line, count) for _ in range(90)]
        window = acquired[-1][-1] - leading
        assert window == 90 * cycle_ns(count)
        assert window / 90 / count / 1000 == pytest.approx(published_us, abs=0.01)
        assert {after - before for before, after in itertools.pairwise(acquired[0])} <= {2 * 2985}
        line.close()


def cycle_ns(count: int) -> int:
    """Returns the duration of a blocking cycle of timestamps, including the library's 5 ns per operation."""
    reads = 2 * count + 1
    return 1000 + 3 * 600 + 14235 + reads * (2985 + 5)


@pytest.mark.parametrize("door", ["pty", "tcp"])
def test_pipelined_timestamps_by_pci_express(door: str) -> None:
    """Cycles sent together pay for the driver once: eight timestamps take 30 % less time than in blocking cycles."""
    count, cycles = 8, 90
    with served("--board", "scu3_pcie", doors=(f"--{door}",) if door == "pty" else ("--tcp", "0")) as server:
        line = server.line(door)
        leading = event_time(line)[0]
        cycle = record(0, reads=[0x40018, 0x4001C] * count) + STATUS
        answer = line.exchange(cycles * cycle)
        words = struct.unpack(">2I", answer[-len(STATUS) - 8 : -len(STATUS)])
        window = (words[0] << 32 | words[1]) - leading
        # The first driver call on the request path, one response path, the library's time for all cycles, and the
        # reads.
        assert window / cycles / count / 1000 == pytest.approx(6.50, abs=0.03)
        line.close()


def pipelined_window(door: str) -> int:
    """Returns the nanoseconds from the first to the last of 90 cycles of eight timestamps that are sent at once, by
    Gigabit Ethernet.
    """
    cycle = record(0, reads=[0x40018, 0x4001C] * 8) + STATUS
    with served("--board", "scu3_gige", doors=(f"--{door}", "0")) as server:
        line = server.line(door)
        leading = event_time(line)[0]
        if isinstance(line, Udp):
            # As the library sends them: as many cycles as fit into each datagram, all datagrams before any answer.
            requests = [HEADER + cycle * count for count in [17] * 5 + [5]]
            for request in requests:
                line.socket.send(request)
            answer = [line.socket.recv(65536) for _ in requests][-1]
        else:
            answer = line.exchange(90 * cycle)
        words = struct.unpack(">2I", answer[-len(STATUS) - 8 : -len(STATUS)])
        line.close()
    return int(words[0] << 32 | words[1]) - leading


def test_datagrams_of_one_burst_are_pipelined() -> None:
    by_datagrams = pipelined_window("udp")
    # A stream pays for no further frames.
    assert by_datagrams == pytest.approx(pipelined_window("tcp"), rel=0.05)
    assert by_datagrams / 90 / 8 == pytest.approx(292, abs=6)  # as on the page of the model
    assert by_datagrams == pipelined_window("udp")


def test_cycle_of_the_latch_unit_by_pci_express() -> None:
    with served("--board", "scu3_pcie", doors=("--pty",)) as server:
        line = server.line("pty")
        leading = event_time(line)[0]
        for _ in range(100):
            reads = [0x50000, 0x50068, 0x5006C]
            line.exchange(record(0, reads=reads) + record(0, writes=(0x50058, [0])) + STATUS)
        window = event_time(line)[0] - leading - cycle_ns(1)
        assert window / 100 == 29_000


def digits(door: str, board: str, cut: int) -> list[int]:
    with served("--board", board, doors=ALL_DOORS) as server:
        other = server.line("udp")
        assert isinstance(other, Udp)
        other.socket.send(b"this is not for the FPGA")
        line = server.line(door)
        seen = []
        for count in (1, 3, 8):
            seen += event_time(line, count)
        write_words(line, 0, range(200))
        if isinstance(line, Stream):
            request = (record(0, reads=[0x40018, 0x4001C]) + STATUS) * 10
            for begin in range(0, len(request), cut):
                line.write(request[begin : begin + cut])
            answer = line.read(len(request))
            seen += struct.unpack(f">{len(answer) // 4}I", answer)
        seen += event_time(line)
        other.close()
        line.close()
        return seen


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("board", ["scu3_pcie", "scu3_gige", "t5810_usb"])
def test_two_runs_print_the_same_digits(door: str, board: str) -> None:
    # Pieces end within cycles of 28 bytes, where no client waits.
    assert digits(door, board, 1000) == digits(door, board, 11)


def test_time_of_the_host() -> None:
    with served("--time", "host") as server:
        line = server.line("udp")
        begin = event_time(line)[0]
        time.sleep(0.05)
        assert 50_000_000 <= event_time(line)[0] - begin < PATIENCE_SECONDS * 1e9
        line.close()


@pytest.mark.parametrize("door", DOORS)
def test_a_paced_server_takes_as_long_as_it_says(door: str) -> None:
    with served("--board", "t3500_usb", "--pace", doors=ALL_DOORS) as server:
        line = server.line(door)
        leading = event_time(line)[0]
        begin = time.monotonic_ns()
        for _ in range(200):
            event_time(line)
        passed = time.monotonic_ns() - begin
        modeled = event_time(line)[0] - leading
        assert modeled * 0.9 < passed
        line.close()


def test_signals() -> None:
    with served(doors=ALL_DOORS) as server:
        line = server.line("udp")
        read_words(line, [0, 4])
        server.process.send_signal(signal.SIGUSR1)
        assert server.process.stderr is not None
        said = server.process.stderr.readline()
        assert "served: datagrams 1," in said
        assert "reads 2," in said
        line.close()
        status, rest = server.stop()
        assert status == 0
        assert rest.count("served: ") == 1
    with served() as server:
        assert server.stop(signal.SIGINT)[0] == 0


def test_the_end_with_clients_there() -> None:
    with served(doors=ALL_DOORS) as server:
        lines = [server.line(door) for door in (*DOORS, "tcp")]
        for line in lines:
            read_words(line, [0])
        assert isinstance(lines[1], Stream)
        lines[1].write(record(0, reads=[0]))  # an open cycle
        status, said = server.stop()
        assert status == 0
        assert "clients of streams 3," in said
        for line in lines:
            line.close()


def test_answers_come_from_the_address_that_was_asked() -> None:
    with served("--bind", "0.0.0.0") as server, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.settimeout(PATIENCE_SECONDS)
        for address in ("127.0.0.1", "127.0.0.2", "127.1.2.3"):
            client.sendto(PROBE, (address, server.udp_port))
            assert client.recvfrom(64) == (PROBE_ANSWER, (address, server.udp_port))


def test_internet_protocol_6() -> None:
    with served("--bind", "::1") as server, socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as client:
        client.settimeout(PATIENCE_SECONDS)
        client.sendto(PROBE, ("::1", server.udp_port))
        assert client.recv(64) == PROBE_ANSWER


def test_a_link_to_the_pty(tmp_path: Path) -> None:
    link = tmp_path / "wbm0"
    with served("--pty-link", link, doors=("--pty",)) as server:
        assert str(link.readlink()) == server.pty_path
        complaint = refused("--pty-link", link)
        assert complaint.startswith("error: pty link: expected a path that is free")
        assert complaint.endswith(f"found {link}: File exists\n")
        assert str(link.readlink()) == server.pty_path
        server.stop()
        assert not link.is_symlink()
    link.symlink_to("/dev/pts/999999")  # left behind by a killed server
    with served("--pty-link", link, doors=("--pty",)) as server:
        assert str(link.readlink()) == server.pty_path
        server.stop(signal.SIGHUP)
        assert not link.is_symlink()
    other = tmp_path / "other"
    other.write_text("of the user")
    link.symlink_to(other)
    assert "File exists" in refused("--pty-link", link)
    assert link.read_text() == "of the user"


def test_bus_errors_are_named() -> None:
    with served() as server:
        line = server.line("udp")
        for _ in range(1000):
            assert read_checked(line, [0xF0_0000]) == ((0,), 1)
        line.close()
        _, said = server.stop()
        lines = said.splitlines()
        assert lines[0] == "warning: bus error at a read of 0x00f00000, select 0xf: no device owns this address"
        assert len(lines) < 100
        assert " more like these" in said


def refused(*arguments: str | Path) -> str:
    """Returns the error message of a server that does not start."""
    with pytest.raises(AssertionError) as error, served(*arguments):
        pass
    return str(error.value)


def test_what_cannot_be_served(run_program: CommandLine) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        completed = run_program("etherbone", "serve", "--udp", str(port))
        assert completed.status == 2
        assert completed.err == (
            f"error: udp 127.0.0.1:{port}: expected a port that can be had, found: Address already in use\n"
        )
    completed = run_program("etherbone", "serve", "--udp", "0", "--board", "scu3_pci")
    assert completed.status == 2
    assert "expected one of a020_vme" in completed.err
    for arguments, complaint in (
        ((), "expected at least one of --udp, --tcp and --pty"),
        (("--udp", "0", "--bind", "localhost"), "bind: expected an address as 127.0.0.1"),
        (("--udp", "65536"), "not in the range 0<=x<=65535"),
        (("--udp", "0", "--time", "host", "--pace"), "expected --time modeled with --pace"),
        (("--pty-link", "/nonexistent/link"), "pty link: expected a path that is free"),
    ):
        completed = run_program("etherbone", "serve", *arguments)
        assert completed.status == 2
        assert complaint in completed.err


def test_a_port_in_use_by_tcp(server: Server) -> None:
    assert "Address already in use" in refused("--tcp", str(server.tcp_port))


def test_configuration_registers(server: Server) -> None:
    line = server.line("udp")
    assert read_configuration(line, 12) == 0x30000
    assert read_configuration(line, 200) == 0
    line.close()


def test_cycles_that_only_write_are_carried_out_in_order(server: Server) -> None:
    line = server.line("tcp")
    assert isinstance(line, Stream)
    line.write(b"".join(record(CYC, writes=(0x100E0, [number])) for number in range(1000)))
    line.read(12 * 1000)  # zeros, as long as the request
    assert read_words(line, [0x100E0]) == (999,)
    line.close()
