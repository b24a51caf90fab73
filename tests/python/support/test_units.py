from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nocbench.support.errors import InputError, did_you_mean
from nocbench.support.units import format_size, parse_size, slug


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [("64", 64), ("64B", 64), ("64 B", 64), ("1KiB", 1024), ("3 MiB", 3 << 20), ("1GiB", 1 << 30)],
)
def test_parse_size(text: str, size_bytes: int) -> None:
    assert parse_size(text) == size_bytes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.5KiB", "'1.5KiB' is not a whole number, with or without a unit (B, KiB, MiB, GiB)"),
        ("-1", "'-1' is not a whole number, with or without a unit (B, KiB, MiB, GiB)"),
        ("1kB", "'1kB': unknown unit 'kB'; the units are B, KiB (1024 B), MiB and GiB"),
        ("4K", "'4K': unknown unit 'K'; the units are B, KiB (1024 B), MiB and GiB"),
    ],
)
def test_parse_size_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_size(text)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("size_bytes", "text"),
    [
        (32, "32 B"),
        (1024, "1 KiB"),
        (1536, "1.5 KiB"),
        (2016, "2016 B"),
        (27904, "27.25 KiB"),
        (64 << 10, "64 KiB"),
        (5 << 20, "5 MiB"),
    ],
)
def test_format_size(size_bytes: int, text: str) -> None:
    assert format_size(size_bytes) == text


@given(st.integers(1, 1 << 40))
def test_format_size_is_exact(size_bytes: int) -> None:
    number, unit = format_size(size_bytes).split()
    assert float(number) * parse_size(f"1{unit}") == size_bytes


def test_slug() -> None:
    assert slug("One to All Unicast 2x2 Packet Sizes (n300, noc=1)") == "one_to_all_unicast_2x2_packet_sizes_n300_noc_1"


def test_did_you_mean() -> None:
    assert did_you_mean("call_sise", ["call_size", "noc"]) == "; did you mean 'call_size'?"
    assert did_you_mean("WORMHOLE", ["wormhole_b0", "blackhole"]) == "; did you mean 'wormhole_b0'?"
    assert did_you_mean("zzz", ["call_size", "noc"]) == ""
