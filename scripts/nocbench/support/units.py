"""Readable texts for sizes, numbers and names. K is always 1024."""

from __future__ import annotations

import re

from nocbench.support.errors import InputError

_BYTES_PER_UNIT = {"": 1, "B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
SIZE_WITH_UNIT = re.compile(r"\d+\s*[BbKkMmGgTtPp][A-Za-z]*")
"""Pattern of a size with unit, for texts that may also be numbers or names."""
_SIZE = re.compile(r"(\d+)\s*([A-Za-z]*)")


def parse_size(text: str) -> int:
    """Returns the bytes of a size such as "64", "64B", "64 KiB" or "1MiB".

    Raises:
        InputError: no whole number, or a unit other than B, KiB, MiB and GiB (kB and K are ambiguous).
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"'{text}' is not a whole number, with or without a unit (B, KiB, MiB, GiB)")
    number, unit = match.groups()
    if unit not in _BYTES_PER_UNIT:
        raise InputError(f"'{text}': unknown unit '{unit}'; the units are B, KiB (1024 B), MiB and GiB")
    return int(number) * _BYTES_PER_UNIT[unit]


def format_size(size_bytes: int) -> str:
    """Returns a size as the shortest exact text: "32 B", "1 KiB", "1.5 KiB", "2016 B", "63 KiB"."""
    for unit in ("GiB", "MiB", "KiB"):
        quarters, rest = divmod(4 * size_bytes, _BYTES_PER_UNIT[unit])
        if quarters >= 4 and rest == 0:
            return f"{quarters / 4:.2f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{size_bytes} B"


def plural(count: int, noun: str) -> str:
    """Returns a count with its noun: "1 point", "60 points"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def slug(name: str) -> str:
    """Returns a published name as a name for files: "one_to_one_packet_sizes" for "One to One Packet Sizes"."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
