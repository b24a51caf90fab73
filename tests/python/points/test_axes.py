from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nocbench.points.axes import parse_assignment, parse_axes, parse_choices, parse_values, to_text
from nocbench.support.errors import InputError

RANGE_HELP = "a range is first:last:xFACTOR or first:last:+STEP, for example 64B:64KiB:x2"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("64", ["64"]),
        ("64,128", ["64", "128"]),
        ("64, 1KiB", ["64", "1024"]),
        ("64B:1KiB:x2", ["64", "128", "256", "512", "1024"]),
        ("64B:1KiB:x3", ["64", "192", "576"]),
        ("64:256:+64B", ["64", "128", "192", "256"]),
        ("1,1:16:x4,4", ["1", "4", "16"]),
        ("(1,1),(2,2)", ["1,1", "2,2"]),
        ("(1,1)", ["1,1"]),
        ("(0,0)-(4,4)", ["(0,0)-(4,4)"]),
        ("together", ["together"]),
        ("2x2", ["2x2"]),
    ],
)
def test_parse_values(text: str, values: list[str]) -> None:
    assert parse_values("axis", text) == values


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("64:1KiB", f"a=64:1KiB: {RANGE_HELP}"),
        ("64:32:x2", "a=64:32:x2: the range begins above its end"),
        ("1:8:x1", f"a=1:8:x1: the range never ends; {RANGE_HELP}"),
        ("0:8:x2", f"a=0:8:x2: the range never ends; {RANGE_HELP}"),
        ("0:8:+0", f"a=0:8:+0: the range never ends; {RANGE_HELP}"),
        ("0:1GiB:+1", "a=0:1GiB:+1: more than 100000 values"),
        ("1kB:2kB:x2", "a=1kB:2kB:x2: '1kB': unknown unit 'kB'; the units are B, KiB (1024 B), MiB and GiB"),
        ("64,,128", "a=64,,128: an empty value between commas"),
        ("()", "a=(): an empty value between commas"),
        ("4K", "'4K': unknown unit 'K'; the units are B, KiB (1024 B), MiB and GiB"),
    ],
)
def test_parse_values_refuses(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse_values("a", text)
    assert str(error.value) == message


@given(st.integers(1, 1000), st.integers(0, 100_000), st.integers(2, 9))
def test_a_multiplying_range_holds_exactly_the_powers_up_to_its_end(first: int, span: int, factor: int) -> None:
    last = first + span
    values = [int(value) for value in parse_values("a", f"{first}:{last}:x{factor}")]
    assert values[0] == first
    assert all(after == factor * before for before, after in itertools.pairwise(values))
    assert values[-1] <= last < values[-1] * factor


@given(st.text())
def test_any_text_gives_values_or_an_input_error(text: str) -> None:
    with contextlib.suppress(InputError):
        assert all(parse_values("a", text))


def test_parse_axes() -> None:
    assert parse_axes(["call_size=64,1KiB", "noc=1"]) == {"call_size": "64,1KiB", "noc": "1"}


def test_an_axis_given_twice() -> None:
    with pytest.raises(InputError) as error:
        parse_axes(["noc=0", "noc=1"])
    assert str(error.value) == "-a noc is given twice; list its values with commas: noc=first,second"


def test_all_that_is_malformed_is_told_at_once() -> None:
    with pytest.raises(InputError) as error:
        parse_choices(["noc", "a=1", "a=2"], ["=1", "x"])
    assert str(error.value).splitlines() == [
        "'noc' does not read name=value",
        "-a a is given twice; list its values with commas: a=first,second",
        "'=1' does not read name=value",
        "'x' does not read name=value",
    ]


@pytest.mark.parametrize("text", ["noc", "noc=", "=1", ""])
def test_a_malformed_assignment(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_assignment(text)
    assert str(error.value) == f"'{text}' does not read name=value"


def test_a_value_may_hold_an_equals_sign() -> None:
    assert parse_assignment("a=b=c") == ("a", "b=c")


@pytest.mark.parametrize(
    ("text", "values"),
    [("1,1", ["1,1"]), ("(1,1)", ["1,1"]), ("(1,1),(2,2)", ["1,1", "2,2"]), ("(0,0)-(4,4)", ["(0,0)-(4,4)"])],
)
def test_values_that_hold_commas(text: str, values: list[str]) -> None:
    assert parse_values("destination", text, holds_commas=True) == values


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([1, 16], "1,16"),
        (64, "64"),
        ("64B:256:x2", "64B:256:x2"),
        (["64B:256:x2", 512], "64B:256:x2,512"),
        ((1, 1), "(1,1)"),
        ("1,1", "1,1"),
        ([(0, 0), (1, 0)], "(0,0),(1,0)"),
        (["0,0", "1,0"], "(0,0),(1,0)"),
        (True, "true"),
        (range(3), "0,1,2"),
        (iter([0, 1]), "0,1"),
        ([], ""),
    ],
)
def test_to_text(value: object, text: str) -> None:
    assert to_text(value) == text
