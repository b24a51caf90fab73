"""Encoding of Etherbone messages."""

from __future__ import annotations

from typing import Any

from nocbench.extension import core


def decode_header(data: bytes) -> dict[str, Any] | None:
    """Decodes the header of an Etherbone message; scripts/nocbench/_core.pyi has its shape. None: no header."""
    header: dict[str, Any] | None = core().decode_etherbone_header(data)
    return header


def decode_records(
    data: bytes, address_bytes: int, port_bytes: int, *, is_answer: bool
) -> tuple[list[dict[str, Any]], int]:
    """Decodes the records at the beginning of `data`; returns them and the number of their bytes."""
    records, num_bytes = core().decode_etherbone_records(data, address_bytes, port_bytes, is_answer)
    return list(records), int(num_bytes)


def length_of_record(data: bytes, address_bytes: int, port_bytes: int) -> int | None:
    """Returns the length of the first record in `data`, in bytes, from its counts; None if these are missing."""
    length: int | None = core().length_of_etherbone_record(data, address_bytes, port_bytes)
    return length


def encode_header(address_bytes: int, port_bytes: int, *, has_no_reads: bool) -> bytes:
    """Encodes the header of an Etherbone message that is no probe."""
    return bytes(core().encode_etherbone_header(address_bytes, port_bytes, has_no_reads))
