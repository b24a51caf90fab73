"""Etherbone messages: decoding, and descriptions for readers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.extension import core
from nocbench.support.errors import InputError
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAGIC = b"\x4e\x6f"
"""First bytes of messages. No record of a stream begins with them: the second would select byte lanes with gaps."""

_BITS = (8, 16, 32, 64)
_NO_DIGIT = re.compile(r"[^0-9a-fA-F]")


@dataclass(frozen=True, slots=True)
class Header:
    """Header of a message.

    Attributes:
        version: version of the protocol.
        has_no_reads: flag NR: the message has no reads.
        is_probe: True for a probe, which asks for the supported widths.
        is_probe_response: True for the answer to a probe.
        address_bits, port_bits: widths of addresses and of data; several in a probe, one in other messages.
        probe_identifier: identifier of a probe and its answer; None for other messages.
        num_bytes: size of the header.
    """

    version: int
    has_no_reads: bool
    is_probe: bool
    is_probe_response: bool
    address_bits: Sequence[int]
    port_bits: Sequence[int]
    probe_identifier: int | None
    num_bytes: int


@dataclass(frozen=True, slots=True)
class Record:
    """A record: writes, then reads, all with the same byte lanes.

    Attributes:
        at: offset of the record's first byte in the message.
        num_bytes: size of the record.
        num_zero_slots: number of zero words that an answer has in place of writes; other than 0, the entry is no
            record.
        returns_to_configuration: BCA: read values go to the client's configuration space.
        reads_configuration: RCA: reads are from the slave's configuration space.
        returns_to_one_address: RFF: all read values go to one address.
        ends_cycle: CYC: the bus cycle ends with the record.
        writes_configuration: WCA: writes go to configuration space.
        writes_to_one_address: WFF: all writes go to one address.
        select: byte lanes of every read and write.
        is_select_valid: True if the selected byte lanes are adjacent.
        write_address: address of the first write.
        writes: values to write.
        return_address: destination of the first read value.
        read_addresses: addresses to read.
    """

    at: int
    num_bytes: int
    num_zero_slots: int
    returns_to_configuration: bool = False
    reads_configuration: bool = False
    returns_to_one_address: bool = False
    ends_cycle: bool = False
    writes_configuration: bool = False
    writes_to_one_address: bool = False
    select: int = 0
    is_select_valid: bool = False
    write_address: int = 0
    writes: Sequence[int] = ()
    return_address: int = 0
    read_addresses: Sequence[int] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags that are set, by their names in the specification."""
        values = {
            "BCA": self.returns_to_configuration,
            "RCA": self.reads_configuration,
            "RFF": self.returns_to_one_address,
            "CYC": self.ends_cycle,
            "WCA": self.writes_configuration,
            "WFF": self.writes_to_one_address,
        }
        return tuple(name for name, is_set in values.items() if is_set)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, or a part of a stream.

    Attributes:
        num_bytes: size of the whole message.
        what: "message", "request", "answer" or "stream".
        header: header; None for a stream without header.
        address_bytes, port_bytes: widths in the records; 0 if unknown, in which case `records` is empty.
        records: records in order.
        num_left: number of bytes after the last complete record.
        num_wanted: size of the record to which these bytes belong; 0 if unknown, or without such bytes.
    """

    num_bytes: int
    what: str
    header: Header | None
    address_bytes: int
    port_bytes: int
    records: Sequence[Record]
    num_left: int
    num_wanted: int

    @property
    def is_whole(self) -> bool:
        """True if the message ends with a complete record."""
        is_header_whole = self.header is None or self.header.num_bytes <= self.num_bytes
        return is_header_whole and (not self.num_left or not self.address_bytes)


def parse_digits(text: str) -> bytes:
    """Parses hexadecimal digits, optionally with 0x and separated by white space or colons.

    Raises:
        InputError: other characters, or an odd number of digits.
    """
    words = [word.removeprefix("0x") for word in re.split(r"[\s:]+", text.strip())]
    digits = "".join(words)
    if wrong := _NO_DIGIT.search(digits):
        word = next(word for word in words if wrong[0] in word)
        raise InputError(f"expected hexadecimal digits, or a file that exists, found '{wrong[0]}' in '{word}'")
    if not digits:
        raise InputError("expected hexadecimal digits, found none")
    for word in words:
        if len(word) % 2:
            raise InputError(
                f"expected an even number of hexadecimal digits, two for each byte, found {len(word)}: '{word}'"
            )
    return bytes.fromhex(digits)


def parse_widths(text: str) -> tuple[int, int]:
    """Parses widths in bits, such as "32/64", to bytes of addresses and data. Raises InputError for invalid widths."""
    parts = text.split("/")
    if len(parts) != 2 or any(part not in map(str, _BITS) for part in parts):
        raise InputError(
            f"--widths: expected bits of addresses and of data, each 8, 16, 32 or 64, as 32/32, found {text}"
        )
    return int(parts[0]) // 8, int(parts[1]) // 8


def decode_message(
    data: bytes, *, is_answer: bool = False, stream_format: tuple[int, int] | None = None, what: str = ""
) -> Message:
    """Decodes a message.

    Args:
        data: bytes of the message.
        is_answer: True if a slave sent the message, which then has zeros in place of writes.
        stream_format: sizes in bytes of the addresses and data of a stream, used if the stream has no header, or a
            header that offers several sizes; None for messages that are no streams.
        what: `Message.what`; if empty, determined from the other arguments and the header.

    Raises:
        InputError: the bytes do not begin with a header.
    """
    fields = core().decode_etherbone_header(data)
    if fields is None and stream_format is None:
        found = f"{data[:2].hex()}" if len(data) >= 4 else f"{len(data)} bytes"
        raise InputError(
            f"expected an Etherbone message, which begins with {MAGIC.hex()} and has 4 bytes or more, found {found}"
        )
    header = None if fields is None else Header(**fields)
    formats = _format_of(header, stream_format)
    is_answer = is_answer or (header is not None and header.is_probe_response)
    if not what:
        what = "stream" if stream_format else "answer" if is_answer else "message"
    rest = data[header.num_bytes :] if header else data
    records: list[Record] = []
    wanted = 0
    if formats:
        begin = len(data) - len(rest)
        entries, num_taken = core().decode_etherbone_records(rest, *formats, is_answer=is_answer)
        records = [Record(**(entry | {"at": begin + entry["at"]})) for entry in entries]
        rest = rest[num_taken:]
        wanted = core().length_of_etherbone_record(rest, *formats) or 0
    return Message(len(data), what, header, *(formats or (0, 0)), tuple(records), len(rest), wanted)


def _format_of(header: Header | None, stream_format: tuple[int, int] | None) -> tuple[int, int] | None:
    """Returns sizes in bytes of addresses and data in records; None without records, or if the sizes are unknown."""
    if header is None:
        return stream_format
    if stream_format is None and (header.is_probe or header.is_probe_response):
        return None  # slaves ignore the rest of a datagram after a probe
    if len(header.address_bits) == 1 and len(header.port_bits) == 1:
        return header.address_bits[0] // 8, header.port_bits[0] // 8
    return stream_format


def lines_of(message: Message) -> Iterator[str]:
    """Yields lines that describe a message."""
    yield _heading(message)
    for record in message.records:
        if record.num_zero_slots:
            words = plural(record.num_zero_slots, "word")
            yield f"  at {record.at}: {words} of zeros, in place of writes or empty records"
            continue
        yield f"  at {record.at}: {_record_in_words(record)}"
        for address, value in zip(_targets(message, record), record.writes, strict=True):
            space = _space(record.writes_configuration)
            digits = _digits(message, record.writes_configuration)
            yield f"    write {space}{address:0{digits}x} = {value:0{2 * message.port_bytes}x}"
        for address, to in zip(record.read_addresses, _return_addresses(message, record), strict=True):
            read_digits = _digits(message, record.reads_configuration)
            return_digits = _digits(message, record.returns_to_configuration)
            yield (
                f"    read {_space(record.reads_configuration)}{address:0{read_digits}x}"
                f" to {_space(record.returns_to_configuration)}{to:0{return_digits}x}"
            )
    if message.num_left:
        yield f"  at {message.num_bytes - message.num_left}: {_rest_in_words(message)}"


def _digits(message: Message, is_configuration: bool) -> int:
    """Returns the number of digits of an address; addresses in configuration space have at least 16 bits."""
    return max(2 * message.address_bytes, 4 if is_configuration else 0)


def _space(is_configuration: bool) -> str:
    return "configuration " if is_configuration else ""


def _heading(message: Message) -> str:
    header = message.header
    length = plural(message.num_bytes, "byte")
    if header is None:
        widths = _widths_in_words((8 * message.address_bytes,), (8 * message.port_bytes,))
        return f"{message.what} of {length} without header: {widths}"
    what = message.what
    if header.is_probe_response:
        what = "answer to a probe" if what != "stream" else "stream that begins with the answer to a probe"
    elif header.is_probe:
        what = "probe" if what != "stream" else "stream that begins with a probe"
    parts = [f"version {header.version}"]
    if header.probe_identifier is not None:
        parts.append(f"identifier {header.probe_identifier:08x}")
    parts.append(_widths_in_words(header.address_bits, header.port_bits))
    if header.has_no_reads:
        parts.append("no reads (NR)")
    if header.num_bytes > message.num_bytes:
        parts.append(f"incomplete header: {message.num_bytes} of {header.num_bytes} bytes")
    elif not message.address_bytes and header.probe_identifier is None:
        parts.append("which is no width of records: slaves ignore it")
    return f"{what} of {length}: {', '.join(parts)}"


def _widths_in_words(address_bits: Sequence[int], port_bits: Sequence[int]) -> str:
    return f"addresses of {_bits_in_words(address_bits)}, data of {_bits_in_words(port_bits)}"


def _bits_in_words(bits: Sequence[int]) -> str:
    numbers = [str(number) for number in bits]
    if not numbers:
        return "no width"
    return f"{', '.join(numbers[:-1])} or {numbers[-1]} bits" if len(numbers) > 1 else f"{numbers[0]} bits"


def _record_in_words(record: Record) -> str:
    flags = " ".join(record.flags) or "no flags"
    if not record.writes and not record.read_addresses:
        select = f", select {record.select:02x}" if record.select else ""
        return f"empty record, {flags}{select}"
    counts = [
        plural(len(operations), name)
        for operations, name in ((record.writes, "write"), (record.read_addresses, "read"))
        if operations
    ]
    select = f"select {record.select:02x}" + ("" if record.is_select_valid else " (not valid)")
    return f"record, {flags}, {select}, {', '.join(counts)}"


def _targets(message: Message, record: Record) -> list[int]:
    digits = _digits(message, record.writes_configuration)
    return _addresses(message, digits, record.write_address, len(record.writes), record.writes_to_one_address)


def _return_addresses(message: Message, record: Record) -> list[int]:
    """Returns the destination addresses of the read values."""
    digits = _digits(message, record.returns_to_configuration)
    return _addresses(message, digits, record.return_address, len(record.read_addresses), record.returns_to_one_address)


def _addresses(message: Message, digits: int, first: int, count: int, is_one: bool) -> list[int]:
    step = 0 if is_one else message.port_bytes
    return [(first + number * step) % (1 << 4 * digits) for number in range(count)]


def _rest_in_words(message: Message) -> str:
    length = plural(message.num_left, "byte")
    if not message.address_bytes:
        return f"{length}, which nobody reads"
    if not message.num_wanted:
        return f"incomplete record: {length}, and 4 are needed to say how long it is"
    return f"incomplete record: {length} of {message.num_wanted}"
