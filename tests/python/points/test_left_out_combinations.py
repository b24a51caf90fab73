"""Combinations of values that the product of a test's axes does not have."""

from __future__ import annotations

import pytest

from nocbench.points.selection import select_points
from nocbench.points.swept_tests import list_tests, product_without
from nocbench.support.errors import NothingMatchedError

TEST = "Noc Estimator - L1 One to Row"


def choices(axes: dict[str, str], tier: str = "quick") -> list[tuple[str, str, str]]:
    """Returns mechanism, loopback and stateful calls of the selected points."""
    points = select_points([TEST], architectures=["wormhole_b0"], axes=axes, tier=tier)
    chosen = [dict(point.parameters) for point in points]
    return [(values["mechanism"], values["loopback"], values["stateful"]) for values in chosen]


def test_the_product_lacks_them() -> None:
    values = {"a": ["1", "2"], "b": ["x", "y"], "c": ["3"]}
    assert product_without(values, [{"a": "1", "b": "y"}]) == [
        (("a", "1"), ("b", "x"), ("c", "3")),
        (("a", "2"), ("b", "x"), ("c", "3")),
        (("a", "2"), ("b", "y"), ("c", "3")),
    ]
    assert len(product_without(values, [{"c": "3"}])) == 0
    assert len(product_without(values, [])) == 4


def test_points_lack_them() -> None:
    assert choices({}) == [
        ("unicast", "0", "0"),
        ("unicast", "0", "1"),
        ("multicast", "0", "0"),
        ("multicast", "1", "0"),
        ("multicast_linked", "0", "0"),
        ("multicast_linked", "1", "0"),
    ]


def test_one_chosen_value_does_not_bring_them_back() -> None:
    assert choices({"mechanism": "multicast"}) == [("multicast", "0", "0"), ("multicast", "1", "0")]
    assert choices({"stateful": "1"}) == [("unicast", "0", "1")]


def test_a_combination_of_which_all_values_were_asked_for_is_there() -> None:
    assert choices({"mechanism": "multicast", "stateful": "1", "loopback": "0"}) == [("multicast", "0", "1")]


def test_a_run_without_any_point_is_refused() -> None:
    with pytest.raises(NothingMatchedError, match="L1 One to Row: no point of the full tier has these values"):
        choices({"stateful": "1", "loopback": "1"}, tier="full")


def test_the_number_of_points_is_that_of_a_run() -> None:
    (test,) = (test for test in list_tests("wormhole_b0") if test.test == TEST)
    for tier in ("full", "quick"):
        assert test.num_points(tier) == len(select_points([TEST], architectures=["wormhole_b0"], tier=tier))
    # Stateful calls are shorter than a packet of 8 KiB: 8 of 12 sizes.
    assert test.num_points("full") == 5 * (12 * 5 + 8)
