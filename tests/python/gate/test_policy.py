from __future__ import annotations

import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from nocbench.gating.conditions import Conditions
from nocbench.gating.policy import Bound, find_policy, read_policy
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """\
version: 1
rules:
  - metric: latency_cycles
    match: {arch: blackhole, primitive: "all_to_*", call_size_bytes: 64B:4KiB, num_transactions: "16:"}
    slower: 0.5 %
    faster: 1 %
    reason: the arbiter is being changed
  - metric: latency_cycles
    slower: 0 %
  - metric: bandwidth_bytes_per_cycle
    gate: never
    reason: it follows from the latency
bounds:
  - metric: bandwidth_bytes_per_cycle
    match: {test: One to One Packet Sizes, call_size_bytes: 8KiB}
    at_least: 60
    source: what a link carries
waivers:
  - match: {test: Loopback*}
    reason: waits for the new NIU
    until: 2027-03-01
gone:
  - match: {call_size_bytes: ":32"}
    reason: not measurable
noise:
  - metric: latency_cycles
    percent: 3 %
coverage:
  gated_points: 100 %
"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    return path


def test_a_rule_about_the_limiter(tmp_path: Path) -> None:
    text = """\
version: 1
rules:
  - metric: limiter
    match: {arch: blackhole}
    gate: never
    reason: its ledger is being reworked
  - metric: limiter
"""
    first, second = read_policy(write(tmp_path, text)).rules
    assert (first.metric, first.is_gated, second.metric, second.is_gated) == ("limiter", False, "limiter", True)


def test_the_limiter_is_the_same_or_is_not(tmp_path: Path) -> None:
    text = "version: 1\nrules:\n  - metric: limiter\n    slower: 1 %\n    reason: a little\n"
    with pytest.raises(InputError, match=r"rules\.slower: expected no such key of the limiter"):
        read_policy(write(tmp_path, text))


def test_a_policy(tmp_path: Path) -> None:
    policy = read_policy(write(tmp_path, GOOD))
    first, second, third = policy.rules
    assert (first.slower_percent, first.faster_percent, first.is_gated) == (0.5, 1.0, True)
    assert first.conditions.names == (("arch", "blackhole"), ("primitive", "all_to_*"))
    assert list(first.conditions.regions) == [("call_size_bytes", 64, 4096), ("num_transactions", 16, float("inf"))]
    assert first.place.endswith("policy.yaml:3")
    assert (second.slower_percent, second.faster_percent) == (0.0, 0.0)
    assert not third.is_gated
    missed = policy.bounds[0].missed({"bandwidth_bytes_per_cycle": 12.5})
    assert missed.startswith("bandwidth_bytes_per_cycle 12.5, at least 60")
    assert policy.waivers[0].until == datetime.date(2027, 3, 1)
    assert list(policy.gone[0].conditions.regions) == [("call_size_bytes", 0, 32)]
    assert policy.noise[0].percent == 3.0
    assert policy.least_gated_percent == 100.0


def test_a_bound_is_met_by_its_own_value() -> None:
    bound = Bound("latency_cycles", Conditions(), 60.0, 80.0, "a budget", "policy.yaml:30")
    missed = {value: bool(bound.missed({"latency_cycles": value})) for value in (59.9, 60.0, 80.0, 80.1)}
    assert missed == {59.9: True, 60.0: False, 80.0: False, 80.1: True}


def test_every_mistake_is_found_with_its_place(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """\
version: 2
rules:
  - metric: latency
    slower: 1 %
  - metric: latency_cycles
    slower: 1
    match: {archs: blackhole, call_size_bytes: 4KB}
  - metric: latency_cycles
waivers:
  - match: {arch: blackhole}
    reason: later
    until: soon
limits: []
rules: []
""",
    )
    with pytest.raises(InputError) as error:
        read_policy(path)
    lines = str(error.value).splitlines()
    assert lines[0] == f"10 mistakes in {path}"
    assert [line.removeprefix(f"{path}:") for line in lines[1:]] == [
        "1:10: version: expected 1, found '2'",
        "3:5: rules.reason: expected why this is looser than no change at all, found nothing",
        "3:13: rules.metric: expected one of latency_cycles, bandwidth_bytes_per_cycle, limiter, found 'latency'",
        "6:13: rules.slower: expected a percentage such as 0.5 %, found '1'",
        "7:13: rules.match.archs: expected a known key, found an unknown key; did you mean 'arch'?",
        (
            "7:48: rules.match.call_size_bytes: expected a number or size, or a range FIRST:LAST of which one end may "
            "be missing, such as 64B:4KiB, found '4KB'"
        ),
        "8:5: rules.slower: expected this key, or gate: never, found nothing",
        "12:12: waivers.until: expected a date such as 2027-03-01, found 'soon'",
        (
            "13:1: limits: expected a known key, found an unknown key; there are: version, rules, bounds, waivers, "
            "gone, noise, coverage, drift"
        ),
        "14:1: rules: expected each key once, found it again",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("version: 1\n", "1:1: rules: expected this key, found nothing"),
        ("- 1\n", "1:1: file: expected a mapping with the keys"),
        ("rules: [}\n", ": syntax: expected YAML, found"),
        ("", "1:1: file: expected one YAML document, found none"),
        (
            "a: &a [x, x]\n" + "".join(f"{key}: &{key} [*{of}, *{of}]\n" for of, key in pairwise("abcdefghijklmnopq")),
            "2:8: syntax: expected YAML, found an alias; write what it stands for in its place",
        ),
        ("[" * 100_000 + "]" * 100_000, "1:65: syntax: expected YAML, found lists and mappings in more than 64 levels"),
    ],
)
def test_files_that_are_no_policy(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        read_policy(write(tmp_path, text))
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xd4\x8f\x00", "1:2: file: expected text in UTF-8, found byte 0x00"),
        (b"version: 1\nrules: \xc3\xa4\xff\n", "2:9: file: expected text in UTF-8, found byte 0xff"),
        (b"# \xe2\x82", "1:3: file: expected text in UTF-8, found byte 0xe2"),
        (b"# \xed\xa0\x80", "1:3: file: expected text in UTF-8, found byte 0xed"),
    ],
)
def test_files_that_are_no_text(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "policy.yaml"
    path.write_bytes(content)
    with pytest.raises(InputError) as error:
        read_policy(path)
    assert str(error.value) == f"1 mistake in {path}\n{path}:{complaint}"


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.yaml: expected a policy, found no file"):
        read_policy(tmp_path / "none.yaml")


def test_where_a_policy_is_looked_for(tmp_path: Path) -> None:
    assert find_policy(tmp_path, None).name == ""
    usual = tmp_path / "tests" / "gate" / "policy.yaml"
    usual.parent.mkdir(parents=True)
    usual.write_text("version: 1\nrules: []\n")
    assert find_policy(tmp_path, None).name == str(usual)
    assert find_policy(tmp_path, write(tmp_path, GOOD)).name == str(tmp_path / "policy.yaml")
