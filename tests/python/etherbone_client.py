"""Small Etherbone client, independent of the codec in C++, and server processes for it."""

from __future__ import annotations

import os
import select
import signal
import socket
import struct
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

HEADER = bytes.fromhex("4e6f1044")
ANSWER_HEADER = bytes.fromhex("4e6f1444")
PROBE = bytes.fromhex("4e6f11ff00000086")
PROBE_ANSWER = bytes.fromhex("4e6f164400000086")
CYC = 0x08
CONFIGURATION = 0x40
RETURN_TO_CONFIGURATION = 0x80 | 0x20
FULL = 0x0F
PATIENCE_SECONDS = 10.0


class Line(Protocol):
    """A connection to a server."""

    def exchange(self, request: bytes) -> bytes:
        """Sends records, and returns the answer's records, which have equal length."""


class Udp:
    """Connection by datagrams, each with a header."""

    def __init__(self, port: int) -> None:
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(("127.0.0.1", port))

    def raw(self, datagram: bytes) -> bytes:
        self.socket.send(datagram)
        return self.socket.recv(65536)

    def has_answer(self) -> bool:
        return bool(select.select([self.socket], [], [], 0.05)[0])

    def exchange(self, request: bytes) -> bytes:
        answer = self.raw(HEADER + request)
        assert answer[:4] == ANSWER_HEADER
        return answer[4:]

    def close(self) -> None:
        self.socket.close()


class Stream:
    """Connection by a socket or a pseudo terminal: one probe, then only records."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.write(PROBE)
        assert self.read(len(PROBE)) == PROBE_ANSWER

    def write(self, request: bytes) -> None:
        while request:
            select.select([], [self.descriptor], [], PATIENCE_SECONDS)
            request = request[os.write(self.descriptor, request) :]

    def read(self, count: int) -> bytes:
        answer = b""
        while len(answer) < count:
            assert select.select([self.descriptor], [], [], PATIENCE_SECONDS)[0], f"{len(answer)} of {count} bytes"
            part = os.read(self.descriptor, count - len(answer))
            assert part, "the server has closed the connection"
            answer += part
        return answer

    def exchange(self, request: bytes) -> bytes:
        self.write(request)
        return self.read(len(request))

    def close(self) -> None:
        os.close(self.descriptor)


def tcp(port: int) -> Stream:
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
    connection.setblocking(True)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Stream(connection.detach())


def pty(path: str) -> Stream:
    return Stream(os.open(path, os.O_RDWR | os.O_NOCTTY))


def record(
    flags: int = CYC, *, writes: tuple[int, Sequence[int]] = (0, ()), reads: Sequence[int] = (), select: int = FULL
) -> bytes:
    """Encodes a record with writes to consecutive addresses, and reads."""
    address, values = writes
    flags |= RETURN_TO_CONFIGURATION
    words = [address, *values] if values else []
    words += [0x8000, *reads] if reads else []
    return struct.pack(">4B", flags, select, len(values), len(reads)) + struct.pack(f">{len(words)}I", *words)


STATUS = record(CYC | CONFIGURATION, reads=[4])
STATUS_BYTES = 12


def read_words(line: Line, addresses: Sequence[int], *, select: int = FULL) -> tuple[int, ...]:
    """Reads words in a checked cycle; asserts the absence of errors."""
    values, status = read_checked(line, addresses, select=select)
    assert status == 0
    return values


def read_checked(line: Line, addresses: Sequence[int], *, select: int = FULL) -> tuple[tuple[int, ...], int]:
    """Reads words in a cycle, followed by the error status."""
    answer = line.exchange(record(0, reads=addresses, select=select) + STATUS)
    values = struct.unpack(f">{len(addresses)}I", answer[8 : 8 + 4 * len(addresses)])
    return values, int.from_bytes(answer[-4:], "big")


def write_words(line: Line, address: int, values: Sequence[int], *, select: int = FULL) -> None:
    answer = line.exchange(record(0, writes=(address, values), select=select) + STATUS)
    assert answer[-4:] == bytes(4)


def read_configuration(line: Line, address: int) -> int:
    return int.from_bytes(line.exchange(record(CYC | CONFIGURATION, reads=[address]))[-4:], "big")


@dataclass(frozen=True)
class Listed:
    """Entry of the device table."""

    name: str
    vendor: int
    device: int
    first_address: int
    last_address: int
    access_widths: int


def scan(line: Line) -> list[Listed]:
    """Returns the entries of the device table, found as tools find them."""
    table = read_configuration(line, 12)
    first = read_words(line, [table + 4 * index for index in range(8)])
    assert first[0] == 0x5344_422D
    assert first[1] & 0xFFFF == 0x0100
    devices = []
    for index in range(first[1] >> 16):
        words = read_words(line, [table + 64 * index + 4 * word for word in range(16)])
        data = struct.pack(">16I", *words)
        if index == 0:
            assert data[63] == 0x00
            continue
        assert data[63] == 0x01
        widths, begin, end, vendor, device = struct.unpack(">IQQQI", data[4:36])
        devices.append(Listed(data[44:63].decode().rstrip(), vendor, device, begin, end, widths))
    return devices


@dataclass
class Server:
    """Running server."""

    process: subprocess.Popen[str]
    doors: dict[str, str]
    lines: list[Line] = field(default_factory=list)

    @property
    def udp_port(self) -> int:
        return int(self.doors["udp"].rpartition(":")[2])

    @property
    def tcp_port(self) -> int:
        return int(self.doors["tcp"].rpartition(":")[2])

    @property
    def pty_path(self) -> str:
        return self.doors["pty"]

    def line(self, door: str) -> Udp | Stream:
        if door == "udp":
            return Udp(self.udp_port)
        return tcp(self.tcp_port) if door == "tcp" else pty(self.pty_path)

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Stops the server; returns its exit status and standard error."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=PATIENCE_SECONDS)
        return self.process.returncode, said


@contextmanager
def served(*arguments: str | Path, doors: Sequence[str] = ("--udp", "0")) -> Iterator[Server]:
    """Runs a server in a separate process."""
    command = [sys.executable, "-m", "nocbench", "etherbone", "serve", *doors, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            number = sum(door.startswith("--") for door in doors)
            lines = [process.stdout.readline().split() for _ in range(number)]
            if not all(lines):
                raise AssertionError(process.communicate()[1])
            yield Server(process, dict(map(tuple, lines)))  # type: ignore[arg-type]
        finally:
            process.kill()


ALL_DOORS = ("--udp", "0", "--tcp", "0", "--pty")
