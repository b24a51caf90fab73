from __future__ import annotations

import pandas
import pytest

from nocbench.support.wording import (
    bandwidth,
    cycles,
    enumerate_clauses,
    enumerate_phrases,
    limiters_by_count,
    point_in_words,
    times_as_long,
)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.293, "70.7 % less time"),
        (0.99, "1 % less time"),
        (0.996, "the same time, within 0.5 %"),
        (1.004, "the same time, within 0.5 %"),
        (1.02, "2.0 % longer"),
        (1.0949, "9.5 % longer"),
        (1.095, "1.1 times as long"),
        (9.94, "9.9 times as long"),
        (9.96, "10 times as long"),
        (52.4, "52 times as long"),
    ],
)
def test_times_as_long(ratio: float, words: str) -> None:
    assert times_as_long(ratio) == words


def test_numbers() -> None:
    assert [bandwidth(value) for value in (0.07991, 1, 17.04, 603.2)] == ["0.0799", "1.00", "17.0", "603"]
    assert [cycles(value) for value in (98.0, 12561.5, 34e6)] == ["98", "12,561.5", "34,000,000"]


def test_enumerate_phrases() -> None:
    assert [enumerate_phrases(list(letters)) for letters in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]
    assert [enumerate_clauses(list(letters)) for letters in ("a", "ab", "abc")] == ["a", "a, and b", "a, b, and c"]


def test_limiters_by_count() -> None:
    assert limiters_by_count({"link": 3, "dram": 1}, "size") == "the link at 3 of the 4 sizes, and DRAM at 1 size"


def test_points() -> None:
    row = pandas.Series({"num_transactions": 4, "transaction_size_bytes": 6144})
    assert point_in_words(row) == "4 transactions of 6 KiB"
    row["call_size_bytes"] = 2048
    assert point_in_words(row) == "4 transactions of 2 KiB per call"
    row["num_transactions"] = 1
    assert point_in_words(row) == "1 transaction of 2 KiB per call"
