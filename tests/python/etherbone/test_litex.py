"""Unmodified LiteX clients communicate with `nocbench etherbone serve`.

They bind the server's port number, and would therefore need a separate computer or network namespace. But they keep an
existing socket, so each is given one before it opens. They run in a separate process, because Python warns about their
imports and threads.
"""

from __future__ import annotations

import subprocess
import sys

from etherbone_client import read_words, served

OPENED = """
import socket
import sys

from litex.tools.remote.comm_udp import CommUDP

def opened(port):
    client = CommUDP("127.0.0.1", port)
    client.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    client.socket.settimeout(5)
    assert client.probe("127.0.0.1", port) == 1
    return client

def check(client):
    values = [(7919 * index) & 0xffffffff for index in range(255)]
    client.write(0x11000, values)
    assert client.read(0x11000, 255) == values
    client.write(0x11000, 0xdeadbeef)
    assert client.read(0x11000) == 0xdeadbeef
    assert client.read(0x11004, 2) == values[1:3]
    assert client.read(0x30000) == 0x5344422d
"""

DIRECT = """
client = opened(int(sys.argv[1]))
for _ in range(20):
    check(client)
client.close()
"""

THROUGH_ITS_SERVER = """
from litex.tools.litex_client import RemoteClient
from litex.tools.litex_server import RemoteServer

with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = RemoteServer(opened(int(sys.argv[1])), "127.0.0.1", port)
server.open()
server.start(1)
client = RemoteClient("127.0.0.1", port)
client.open()
for _ in range(3):
    check(client)
client.close()
"""


def run_client(program: str) -> None:
    with served("--board", "scu3_gige") as server:
        completed = subprocess.run(
            [sys.executable, "-c", OPENED + program, str(server.udp_port)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert completed.returncode == 0, completed.stderr
        line = server.line("udp")
        assert read_words(line, [0x11000, 0x11004]) == (0xDEADBEEF, 7919)
        line.close()


def test_bursts_by_udp() -> None:
    run_client(DIRECT)


def test_bursts_through_its_own_server() -> None:
    run_client(THROUGH_ITS_SERVER)
