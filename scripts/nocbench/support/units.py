"""Sizes, numbers and names in readable form. K is 1024 throughout."""

from __future__ import annotations

import re

from nocbench.support.errors import InputError

_BYTES_PER_UNIT = {"": 1, "B": 1, "KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
SIZE_WITH_UNIT = re.compile(r"\d+\s*[BbKkMmGgTtPp][A-Za-z]*")
"""Pattern of a size, where numbers and names are possible, too."""
_SIZE = re.compile(r"(\d+)\s*([A-Za-z]*)")


def parse_size(text: str) -> int:
    """Reads "64", "64B", "64 KiB" or "1MiB".

    Raises:
        InputError: not a whole number, or a unit other than B, KiB, MiB, GiB (kB and K are refused as ambiguous).
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"'{text}' is not a whole number, with or without a unit (B, KiB, MiB, GiB)")
    number, unit = match.groups()
    if unit not in _BYTES_PER_UNIT:
        raise InputError(f"'{text}': unknown unit '{unit}'; the units are B, KiB (1024 B), MiB and GiB")
    return int(number) * _BYTES_PER_UNIT[unit]


def format_size(size_bytes: int) -> str:
    """Formats a size exactly and as short as possible: "32 B", "1 KiB", "1.5 KiB", "2016 B", "63 KiB"."""
    for unit in ("GiB", "MiB", "KiB"):
        quarters, rest = divmod(4 * size_bytes, _BYTES_PER_UNIT[unit])
        if quarters >= 4 and rest == 0:
            return f"{quarters / 4:.2f}".rstrip("0").rstrip(".") + f" {unit}"
    return f"{size_bytes} B"


def plural(count: int, noun: str) -> str:
    """Formats a count: "1 point", "60 points"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def slug(name: str) -> str:
    """Turns a published name into one for files: "One to One Packet Sizes" -> "one_to_one_packet_sizes"."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
