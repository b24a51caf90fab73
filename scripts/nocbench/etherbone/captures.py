"""Network captures in the classic pcap format: extraction of Etherbone messages, and writing of modeled ones.

A file begins with a header of 24 bytes, which contains a magic number and the type of link. The magic number gives the
byte order and the unit of fractions of a second, micro- or nanoseconds. Packets follow, each after a header of 16
bytes.
"""

from __future__ import annotations

import ipaddress
import struct
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.etherbone.messages import MAGIC, decode_message
from nocbench.extension import core
from nocbench.support.atomic_files import atomic_path
from nocbench.support.errors import InputError
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import BinaryIO

    from nocbench.etherbone.messages import Message

ETHERBONE_PORT = 60368
"""Port registered for Etherbone, 0xEBD0."""

_NANOSECONDS = 0xA1B23C4D
_FRACTIONS_NS = {0xA1B2C3D4: 1000, _NANOSECONDS: 1}  # by magic number
_PCAPNG = bytes.fromhex("0a0d0d0a")
_HEADER_BYTES = 24
_PACKET_HEADER_BYTES = 16
_PACKET_BYTES_MAX = 1 << 20  # no link has longer packets: a greater length means a damaged file

_ETHERNET, _RAW_IP = 1, 101  # types of link
_ETHERNET_BYTES = 14
_VLAN, _IPV4, _IPV6 = 0x8100, 0x0800, 0x86DD  # types of payload of an Ethernet frame
_VLAN_BYTES = 4
_UDP = 17
_UDP_BYTES = 8
_IPV4_BYTES, _IPV6_BYTES = 20, 40
_IPV6_EXTENSIONS = (0, 43, 60)  # options by hop, routing, options of destination: length in units of 8 bytes
_LATER_FRAGMENT = 0x1FFF
_MORE_FRAGMENTS = 0x2000

_CAPTURE_VERSION = (2, 4)
_SNAP_BYTES = 65535
_SLAVE_ADDRESS = ipaddress.IPv4Address("10.0.0.1")
_HOST_PORT = 49152
_IP_BYTES_MAX = 65535
_NANOSECONDS_PER_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Packet:
    """A packet of a capture.

    Attributes:
        number: number of the packet from 1, as in Wireshark.
        time_ns: time of capture.
        data: captured part of the packet.
    """

    number: int
    time_ns: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Datagram:
    """The content of a UDP packet.

    Attributes:
        source, destination: address and port.
        payload: captured part of the content.
    """

    source: tuple[str, int]
    destination: tuple[str, int]
    payload: bytes


def is_capture(beginning: bytes) -> bool:
    """Returns True if the first four bytes of a file are those of a capture, as pcap or pcapng."""
    numbers = {int.from_bytes(beginning, order) for order in ("big", "little")}
    return beginning == _PCAPNG or not numbers.isdisjoint(_FRACTIONS_NS)


def read_packets(file: BinaryIO, name: str) -> tuple[int, Iterator[Packet]]:
    """Returns the type of link of a capture, and an iterator over its packets.

    Raises:
        InputError: the file is no capture in this format; or, from the iterator, the file ends within a packet.
    """
    header = file.read(_HEADER_BYTES)
    if header[:4] == _PCAPNG:
        raise InputError(
            f"{name}: expected a capture in the classic pcap format, found pcapng; editcap -F pcap converts it"
        )
    if not is_capture(header[:4]):
        found = f"a file that begins with {header[:4].hex()}" if header else "an empty file"
        raise InputError(f"{name}: expected a capture in the classic pcap format, found {found}")
    order = "<" if int.from_bytes(header[:4], "little") in _FRACTIONS_NS else ">"
    if len(header) < _HEADER_BYTES:
        raise InputError(
            f"{name}: expected a header of {_HEADER_BYTES} bytes, found {len(header)}: the file is cut off"
        )
    magic, link = struct.unpack(f"{order}I16xI", header)
    return link & 0xFFFF, _packets(file, name, order, _FRACTIONS_NS[magic])


def _packets(file: BinaryIO, name: str, order: str, fraction_ns: int) -> Iterator[Packet]:
    number = 0
    while header := file.read(_PACKET_HEADER_BYTES):
        number += 1
        if len(header) < _PACKET_HEADER_BYTES:
            raise InputError(
                f"{name}: packet {number}: expected a header of {_PACKET_HEADER_BYTES} bytes, found {len(header)}: "
                "the file is cut off"
            )
        seconds, fraction, length, _ = struct.unpack(f"{order}4I", header)
        if length > _PACKET_BYTES_MAX:
            raise InputError(
                f"{name}: packet {number}: expected a length of {_PACKET_BYTES_MAX} at most, found {length}"
            )
        data = file.read(length)
        if len(data) < length:
            raise InputError(
                f"{name}: packet {number}: expected {length} bytes, found {len(data)}: the file is cut off"
            )
        yield Packet(number, seconds * _NANOSECONDS_PER_SECOND + fraction * fraction_ns, data)


def datagram_in(data: bytes, link: int) -> Datagram | None:
    """Returns the UDP datagram over IPv4 or IPv6 in a packet; None for other packets and for fragments."""
    if link == _ETHERNET:
        at, kind = _ETHERNET_BYTES, int.from_bytes(data[12:14], "big")
        while kind == _VLAN:
            at, kind = at + _VLAN_BYTES, int.from_bytes(data[at + 2 : at + 4], "big")
        if kind not in (_IPV4, _IPV6):
            return None
        data = data[at:]
    version = data[0] >> 4 if data else 0
    if version == 4 and len(data) >= _IPV4_BYTES:
        fragment = int.from_bytes(data[6:8], "big")
        if data[9] != _UDP or fragment & (_LATER_FRAGMENT | _MORE_FRAGMENTS):
            return None
        addresses = data[12:16], data[16:20]
        segment = data[4 * (data[0] & 0xF) : int.from_bytes(data[2:4], "big") or None]
    elif version == 6 and len(data) >= _IPV6_BYTES:
        addresses = data[8:24], data[24:40]
        kind, at = data[6], _IPV6_BYTES
        while kind in _IPV6_EXTENSIONS and len(data) >= at + 2:
            kind, at = data[at], at + 8 * (data[at + 1] + 1)
        if kind != _UDP:
            return None
        segment = data[at:]
    else:
        return None
    if len(segment) < _UDP_BYTES:
        return None
    source, destination, length = struct.unpack(">3H", segment[:6])
    # Frames are padded. For segments that the network card splits, the kernel writes length 0.
    payload = segment[_UDP_BYTES : length or None]
    names = [str(ipaddress.ip_address(address)) for address in addresses]
    return Datagram((names[0], source), (names[1], destination), payload)


def messages_in_capture(file: BinaryIO, name: str) -> Iterator[tuple[str, Message]]:
    """Yields the Etherbone messages in a capture, in order, each with a heading of time, source and destination.

    Raises:
        InputError: the file is no capture, has an unknown type of link, ends within a packet, or contains no Etherbone.
    """
    link, packets = read_packets(file, name)
    if link not in (_ETHERNET, _RAW_IP):
        raise InputError(
            f"{name}: expected packets of Ethernet ({_ETHERNET}) or raw IP ({_RAW_IP}), found link type {link}"
        )
    slaves: dict[frozenset[tuple[str, int]], tuple[str, int]] = {}  # by the two ends of a connection
    num_packets = num_messages = 0
    for packet in packets:
        num_packets += 1
        datagram = datagram_in(packet.data, link)
        if datagram is None or len(datagram.payload) < 4 or not datagram.payload.startswith(MAGIC):
            continue
        num_messages += 1
        is_answer = datagram.source == slaves.setdefault(
            frozenset((datagram.source, datagram.destination)), _slave_of(datagram)
        )
        message = decode_message(datagram.payload, is_answer=is_answer, what="answer" if is_answer else "request")
        time = f"{packet.time_ns // _NANOSECONDS_PER_SECOND}.{packet.time_ns % _NANOSECONDS_PER_SECOND:09}"
        yield f"packet {packet.number}, {time} s, {_end(datagram.source)} to {_end(datagram.destination)}", message
    if not num_messages:
        raise InputError(f"{name}: expected Etherbone in packets of UDP, found none in {plural(num_packets, 'packet')}")


def _slave_of(datagram: Datagram) -> tuple[str, int]:
    """Returns the slave's address and port, from the first message between two ends.

    The slave has the registered port. If neither end or both have that port, the slave is the receiver of a request.
    """
    header = core().decode_etherbone_header(datagram.payload)
    is_answer = bool(header and header["is_probe_response"])
    if (datagram.source[1] == ETHERBONE_PORT) != (datagram.destination[1] == ETHERBONE_PORT):
        is_answer = datagram.source[1] == ETHERBONE_PORT
    return datagram.source if is_answer else datagram.destination


def _end(end: tuple[str, int]) -> str:
    address, port = end
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


Frame = tuple[int, bool, int, bytes]
"""Time in nanoseconds, True for a message to the slave, number of the host, and the bytes of the message."""


def write_pcap(path: Path, frames: Iterable[Frame], stream_format: tuple[int, int] | None = None) -> int:
    """Writes messages as a capture of raw IP packets, UDP between 10.0.0.(2 + host) and the slave, 10.0.0.1:60368.

    Args:
        path: path of the file.
        frames: frames in any order.
        stream_format: for the content of streams: sizes in bytes of addresses and data in records. A stream is written
            as datagrams that begin with a header and end with a record. The beginning of an incomplete record moves to
            the next datagram of the same host and direction; without a next datagram, it is left out.

    Returns:
        The number of written packets.

    Raises:
        InputError: the file cannot be written, or a message does not fit into a datagram.
    """
    in_order = sorted(frames, key=lambda frame: frame[0])
    if stream_format:
        in_order = list(_as_datagrams(in_order, stream_format))
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(struct.pack(">IHHiIII", _NANOSECONDS, *_CAPTURE_VERSION, 0, 0, _SNAP_BYTES, _RAW_IP))
        for time_ns, is_request, host, data in in_order:
            packet = _ip_packet(is_request, host, data)
            if len(packet) > _IP_BYTES_MAX:
                raise InputError(f"{path}: a message of {len(data)} bytes does not fit into a datagram")
            file.write(struct.pack(">4I", *divmod(time_ns, _NANOSECONDS_PER_SECOND), len(packet), len(packet)))
            file.write(packet)
    return len(in_order)


def _as_datagrams(frames: Iterable[Frame], stream_format: tuple[int, int]) -> Iterator[Frame]:
    incomplete: dict[tuple[bool, int], bytes] = defaultdict(bytes)
    for time_ns, is_request, host, data in frames:
        text = incomplete.pop((is_request, host), b"") + data
        header = core().decode_etherbone_header(text)
        if header is not None:  # the stream begins here
            length = int(header["num_bytes"])
            if header["is_probe"] or header["is_probe_response"]:
                yield time_ns, is_request, host, text[:length]
            text = text[length:]
        records, num_bytes = core().decode_etherbone_records(text, *stream_format, is_answer=not is_request)
        incomplete[is_request, host] = text[num_bytes:]
        if num_bytes:
            has_reads = any(record.get("read_addresses") for record in records)
            start = core().encode_etherbone_header(*stream_format, has_no_reads=not has_reads)
            yield time_ns, is_request, host, start + text[:num_bytes]


def _ip_packet(is_request: bool, host: int, data: bytes) -> bytes:
    """Returns an IPv4 packet with a UDP datagram and valid checksums."""
    ends = ((_SLAVE_ADDRESS + 1 + host, _HOST_PORT), (_SLAVE_ADDRESS, ETHERBONE_PORT))
    (source, source_port), (destination, destination_port) = ends if is_request else ends[::-1]
    length = _UDP_BYTES + len(data)
    addresses = source.packed + destination.packed
    pseudo_header = addresses + struct.pack(">HH", _UDP, length & 0xFFFF)
    ports = struct.pack(">3H", source_port, destination_port, length & 0xFFFF)
    checksum = _checksum(pseudo_header + ports + data) or 0xFFFF
    beginning = struct.pack(">BBHHHBB", 0x45, 0, (_IPV4_BYTES + length) & 0xFFFF, 0, 0x4000, 64, _UDP)
    header_checksum = _checksum(beginning + addresses)
    return b"".join(
        (beginning, struct.pack(">H", header_checksum), addresses, ports, struct.pack(">H", checksum), data)
    )


def _checksum(data: bytes) -> int:
    """Returns the Internet checksum: the complement of the sum of 16-bit words with end-around carry."""
    if len(data) % 2:
        data += b"\0"
    total: int = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return 0xFFFF - total
