"""Network captures: foreign ones with Etherbone traffic, and modeled messages written as captures."""

from __future__ import annotations

import io
import json
import shutil
import struct
import subprocess
from typing import TYPE_CHECKING

import pytest

from nocbench.etherbone.captures import datagram_in, messages_in_capture, read_packets, write_pcap
from nocbench.etherbone.messages import lines_of
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import CommandLine

    from nocbench.etherbone.captures import Frame

ETHERNET, RAW_IP = 1, 101
PROBE = bytes.fromhex("4e6f11ff00000086")
PROBE_ANSWER = bytes.fromhex("4e6f164400000086")
HEADER = bytes.fromhex("4e6f1044")
READ = bytes.fromhex("a80f0001 00008000 00010010")
VALUE = bytes.fromhex("0e0f0100 00008000 cafebabe")
REQUEST = HEADER + READ
ANSWER = bytes.fromhex("4e6f1444") + VALUE
FRAMES: list[Frame] = [
    (1_000, True, 0, PROBE),
    (26_000, False, 0, PROBE_ANSWER),
    (30_000, True, 1, REQUEST),
    (3_000_000_123, False, 1, ANSWER),
]


def udp(payload: bytes, ports: tuple[int, int] = (40000, 60368)) -> bytes:
    return struct.pack(">4H", *ports, 8 + len(payload), 0) + payload


def ipv4(segment: bytes, *, protocol: int = 17, fragment: int = 0, options: bytes = b"") -> bytes:
    length = 20 + len(options) + len(segment)
    first = 0x45 + len(options) // 4
    header = struct.pack(">BBHHHBBH", first, 0, length, 0, fragment, 64, protocol, 0)
    return header + bytes((10, 0, 0, 2, 10, 0, 0, 1)) + options + segment


def ipv6(segment: bytes, *, kind: int = 17) -> bytes:
    ends = bytes(15) + b"\1" + bytes(15) + b"\2"
    return struct.pack(">IHBB", 6 << 28, len(segment), kind, 64) + ends + segment


def ethernet(packet: bytes, kind: int = 0x0800, padding: int = 0) -> bytes:
    return bytes(12) + struct.pack(">H", kind) + packet + bytes(padding)


def capture(packets: list[bytes], *, link: int = RAW_IP, order: str = "<", magic: int = 0xA1B2C3D4) -> bytes:
    data = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, link)
    for number, packet in enumerate(packets):
        data += struct.pack(f"{order}4I", 7, number, len(packet), len(packet)) + packet
    return data


def decode(data: bytes) -> list[str]:
    lines: list[str] = []
    for heading, message in messages_in_capture(io.BytesIO(data), "c.pcap"):
        lines += [heading, *lines_of(message)]
    return lines


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(("magic", "time"), [(0xA1B2C3D4, "7.000001000"), (0xA1B23C4D, "7.000000001")])
def test_byte_orders_and_resolutions(order: str, magic: int, time: str) -> None:
    packets = [ipv4(udp(REQUEST)), ipv4(udp(ANSWER, (60368, 40000)))]
    lines = decode(capture(packets, order=order, magic=magic))
    assert lines == [
        "packet 1, 7.000000000 s, 10.0.0.2:40000 to 10.0.0.1:60368",
        "request of 16 bytes: version 1, addresses of 32 bits, data of 32 bits",
        "  at 4: record, BCA RFF CYC, select 0f, 1 read",
        "    read 00010010 to configuration 00008000",
        f"packet 2, {time} s, 10.0.0.2:60368 to 10.0.0.1:40000",
        "answer of 16 bytes: version 1, addresses of 32 bits, data of 32 bits, no reads (NR)",
        "  at 4: record, CYC WCA WFF, select 0f, 1 write",
        "    write configuration 00008000 = cafebabe",
    ]


@pytest.mark.parametrize(
    ("packet", "link"),
    [
        (ipv4(udp(REQUEST)), RAW_IP),
        (ipv4(udp(REQUEST), options=bytes(8)), RAW_IP),
        (ipv6(udp(REQUEST)), RAW_IP),
        (ipv6(b"\x11\0" + bytes(6) + udp(REQUEST), kind=60), RAW_IP),
        (ethernet(ipv4(udp(REQUEST)), padding=2), ETHERNET),
        (ethernet(b"\0\7\x08\0" + ipv4(udp(REQUEST)), kind=0x8100), ETHERNET),
        (ethernet(ipv6(udp(REQUEST)), kind=0x86DD), ETHERNET),
    ],
)
def test_where_datagrams_are(packet: bytes, link: int) -> None:
    datagram = datagram_in(packet, link)
    assert datagram is not None
    assert datagram.payload == REQUEST
    assert (datagram.source[1], datagram.destination[1]) == (40000, 60368)


@pytest.mark.parametrize(
    ("packet", "link"),
    [
        (b"", RAW_IP),
        (b"\x45", RAW_IP),
        (b"\x60", RAW_IP),
        (b"\x15" * 60, RAW_IP),
        (ipv4(udp(REQUEST), protocol=6), RAW_IP),
        (ipv4(udp(REQUEST), fragment=0x2000), RAW_IP),
        (ipv4(udp(REQUEST), fragment=3), RAW_IP),
        (ipv4(b"\0\0\0"), RAW_IP),
        (ipv6(udp(REQUEST), kind=44), RAW_IP),
        (ipv6(b"", kind=60), RAW_IP),
        (b"", ETHERNET),
        (ethernet(b"", kind=0x8100), ETHERNET),
        (ethernet(bytes(28), kind=0x0806), ETHERNET),
    ],
)
def test_where_there_are_none(packet: bytes, link: int) -> None:
    assert datagram_in(packet, link) is None


def test_ends_of_ipv6() -> None:
    assert decode(capture([ipv6(udp(REQUEST))]))[0] == "packet 1, 7.000000000 s, [::1]:40000 to [::2]:60368"


def test_other_packets_are_left_out() -> None:
    packets = [ipv4(udp(b"hello")), ipv4(udp(b"No")), ipv4(udp(b""), protocol=1), ipv4(udp(REQUEST))]
    assert decode(capture(packets))[0].startswith("packet 4, ")


@pytest.mark.parametrize("ports", [(1234, 1234), (5000, 1234), (60368, 60368)])
def test_without_the_registered_port_whoever_begins_is_no_slave(ports: tuple[int, int]) -> None:
    back = ipv4(udp(ANSWER, ports[::-1]))
    back = back[:12] + back[16:20] + back[12:16] + back[20:]
    lines = decode(capture([ipv4(udp(REQUEST, ports)), back, ipv4(udp(REQUEST, ports))]))
    assert [line.split()[0] for line in lines if line.startswith(("request", "answer"))] == [
        "request",
        "answer",
        "request",
    ]


def test_capture_that_begins_with_the_answer_to_a_probe() -> None:
    assert decode(capture([ipv4(udp(PROBE_ANSWER, (1234, 5000)))]))[1].startswith("answer to a probe of 8 bytes")


def test_packet_of_which_the_end_was_not_captured() -> None:
    lines = decode(capture([ipv4(udp(REQUEST))[:-4]]))
    assert lines[-1] == "  at 4: incomplete record: 8 bytes of 12"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "c.pcap: expected a capture in the classic pcap format, found an empty file"),
        (b"PK\3\4", "c.pcap: expected a capture in the classic pcap format, found a file that begins with 504b0304"),
        (bytes.fromhex("0a0d0d0a") + bytes(30), "c.pcap: expected a capture in the classic pcap format, found pcapng"),
        (capture([])[:20], "c.pcap: expected a header of 24 bytes, found 20: the file is cut off"),
        (capture([]), "c.pcap: expected Etherbone in packets of UDP, found none in 0 packets"),
        (capture([ipv4(udp(b"hello"))]), "c.pcap: expected Etherbone in packets of UDP, found none in 1 packet"),
        (capture([], link=113), "c.pcap: expected packets of Ethernet (1) or raw IP (101), found link type 113"),
        (
            capture([ipv4(udp(REQUEST))])[:30],
            "c.pcap: packet 1: expected a header of 16 bytes, found 6: the file is cut off",
        ),
        (
            capture([b"", ipv4(udp(REQUEST))])[:-1],
            "c.pcap: packet 2: expected 44 bytes, found 43: the file is cut off",
        ),
        (
            capture([]) + struct.pack("<4I", 0, 0, 1 << 30, 0),
            "c.pcap: packet 1: expected a length of 1048576 at most, found 1073741824",
        ),
    ],
)
def test_bad_captures(data: bytes, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        decode(data)
    assert str(error.value).startswith(complaint)


@pytest.mark.parametrize("length", range(len(capture([ipv4(udp(REQUEST)), ipv4(udp(ANSWER))]))))
def test_captures_that_are_cut_off_anywhere(length: int) -> None:
    whole = capture([ipv4(udp(REQUEST)), ipv4(udp(ANSWER))])
    if length == 24 + 16 + 44:  # at the boundary between two packets
        decode(whole[:length])
        return
    with pytest.raises(InputError):
        decode(whole[:length])


def test_command(run_program: CommandLine, tmp_path: Path) -> None:
    write_pcap(tmp_path / "modeled.pcap", FRAMES)
    completed = run_program("etherbone", "decode", tmp_path / "modeled.pcap")
    assert (completed.status, completed.err) == (0, "")
    assert completed.out.splitlines()[:2] == [
        "packet 1, 0.000001000 s, 10.0.0.2:49152 to 10.0.0.1:60368",
        (
            "probe of 8 bytes: version 1, identifier 00000086, addresses of 8, 16, 32 or 64 bits, "
            "data of 8, 16, 32 or 64 bits"
        ),
    ]
    (tmp_path / "other.pcap").write_bytes(capture([ipv4(udp(b"hello"))]))
    completed = run_program("etherbone", "decode", tmp_path / "other.pcap")
    assert completed.status == 2
    assert completed.err == (
        f"error: {tmp_path / 'other.pcap'}: expected Etherbone in packets of UDP, found none in 1 packet\n"
    )


def written(path: Path, frames: list[Frame], stream_format: tuple[int, int] | None = None) -> list[tuple[int, bytes]]:
    """Returns time and payload of each packet."""
    number = write_pcap(path, frames, stream_format)
    with path.open("rb") as file:
        link, packets = read_packets(file, "written")
        assert link == RAW_IP
        datagrams = [(packet.time_ns, datagram_in(packet.data, link)) for packet in packets]
    assert len(datagrams) == number
    return [(time_ns, datagram.payload) for time_ns, datagram in datagrams if datagram is not None]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    assert written(tmp_path / "c.pcap", FRAMES) == [(time_ns, data) for time_ns, _, _, data in FRAMES]


def test_packets_are_in_the_order_of_time(tmp_path: Path) -> None:
    assert written(tmp_path / "c.pcap", FRAMES[::-1]) == [(time_ns, data) for time_ns, _, _, data in FRAMES]


def test_checksums(tmp_path: Path) -> None:
    """The sum of all words, including the checksum, is all ones."""

    def total(data: bytes) -> int:
        whole = data + bytes(len(data) % 2)
        return sum(int.from_bytes(whole[at : at + 2], "big") for at in range(0, len(whole), 2)) % 0xFFFF

    write_pcap(tmp_path / "c.pcap", [*FRAMES, (4_000_000_000, True, 300, b"\x4e\x6f\x10\x44\1")])
    with (tmp_path / "c.pcap").open("rb") as file:
        for packet in read_packets(file, "written")[1]:
            segment = packet.data[20:]
            assert total(packet.data[:20]) == 0
            assert total(packet.data[12:20] + struct.pack(">HH", 17, len(segment)) + segment) == 0
            assert struct.unpack(">H", segment[6:8]) != (0,)


def test_hosts_have_addresses_of_their_own(tmp_path: Path) -> None:
    write_pcap(tmp_path / "c.pcap", [(0, True, host, REQUEST) for host in (0, 1, 253, 254)])
    with (tmp_path / "c.pcap").open("rb") as file:
        packets = read_packets(file, "written")[1]
        ends = [datagram.source[0] for packet in packets if (datagram := datagram_in(packet.data, RAW_IP))]
    assert ends == ["10.0.0.2", "10.0.0.3", "10.0.0.255", "10.0.1.0"]


def test_messages_of_streams_get_the_header(tmp_path: Path) -> None:
    frames: list[Frame] = [
        (1, True, 0, PROBE),
        (2, False, 0, PROBE_ANSWER),
        (3, True, 0, READ),
        (4, False, 0, VALUE),
        (5, True, 0, bytes.fromhex("080f0100 00010010 00000001")),
    ]
    assert [data for _, data in written(tmp_path / "c.pcap", frames, (4, 4))] == [
        PROBE,
        PROBE_ANSWER,
        REQUEST,
        ANSWER,
        bytes.fromhex("4e6f1444 080f0100 00010010 00000001"),
    ]


def test_streams_that_begin_with_a_header(tmp_path: Path) -> None:
    assert written(tmp_path / "c.pcap", [(1, True, 0, REQUEST)], (4, 4)) == [(1, REQUEST)]
    wide = bytes.fromhex("4e6f1088 00000000 a8ff0001 00000000 00000000 00008000 00000000 00010010")
    assert written(tmp_path / "c.pcap", [(1, True, 0, wide)], (8, 8)) == [(1, wide)]


def test_streams_are_cut_where_records_end(tmp_path: Path) -> None:
    frames: list[Frame] = [
        (1, True, 0, PROBE + READ[:1]),
        (2, True, 1, HEADER + READ),
        (3, True, 0, READ[1:] + READ[:10]),
        (4, False, 0, VALUE[:5]),
        (5, True, 0, READ[10:]),
        (6, False, 0, VALUE[5:]),
    ]
    assert written(tmp_path / "c.pcap", frames, (4, 4)) == [
        (1, PROBE),
        (2, REQUEST),
        (3, REQUEST),
        (5, REQUEST),
        (6, ANSWER),
    ]


def test_message_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a message of 65508 bytes does not fit into a datagram"):
        write_pcap(tmp_path / "c.pcap", [(0, True, 0, bytes(65508))])
    assert list(tmp_path.iterdir()) == []
    write_pcap(tmp_path / "c.pcap", [(0, True, 0, bytes(65507))])


def test_folder_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        write_pcap(tmp_path / "missing" / "c.pcap", FRAMES)


def test_wireshark_reads_what_is_written(tmp_path: Path) -> None:
    """Wireshark reads UDP packets with right checksums and times, without complaints.

    Fails without Wireshark, since a skipped test would hide faults.
    """
    tshark = shutil.which("tshark")
    if tshark is None:
        pytest.fail("tshark not found in PATH; 'scripts/setup.sh --with-test-tools' installs it", pytrace=False)
    write_pcap(tmp_path / "c.pcap", FRAMES)
    fields = ("frame.time_epoch", "ip.src", "ip.dst", "udp.srcport", "udp.dstport", "udp.payload")
    checks = ("-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE")
    finished = subprocess.run(
        [tshark, "-r", tmp_path / "c.pcap", *checks, "-T", "json", *(part for name in fields for part in ("-e", name))],
        capture_output=True,
        text=True,
        check=True,
    )
    packets = [packet["_source"]["layers"] for packet in json.loads(finished.stdout)]
    assert [packet["udp.payload"] for packet in packets] == [[data.hex()] for _, _, _, data in FRAMES]
    assert [packet["ip.src"] for packet in packets] == [["10.0.0.2"], ["10.0.0.1"], ["10.0.0.3"], ["10.0.0.1"]]
    assert [packet["udp.dstport"] for packet in packets] == [["60368"], ["49152"], ["60368"], ["49152"]]
    assert packets[3]["frame.time_epoch"][0].startswith(("3.000000123", "1970-01-01T00:00:03.000000123"))
    complaints = subprocess.run(
        [tshark, "-r", tmp_path / "c.pcap", *checks, "-z", "expert", "-q"], capture_output=True, text=True, check=True
    )
    assert not any(word in complaints.stdout for word in ("Errors (", "Warns ("))
