"""Sentences of pages about the origin of accuracy."""

from __future__ import annotations

import math

import pandas
import pytest

from nocbench.pages.origins import errors_of, medians_in_words


@pytest.mark.parametrize(
    ("errors", "sentence"),
    [
        (
            [(1.0, True), (4.0, False), (3.0, True), (0.126, False), (0.1, False)],
            (
                "Constants were fitted to 2 of these 5 points. The median error of the fitted points is 2.00 %. The "
                "median error of the other 3 points is 0.13 %."
            ),
        ),
        ([(1.0, True), (3.0, True)], "Constants were fitted to these 2 points."),
        ([(1.0, False)], "No constant was fitted to this point."),
    ],
)
def test_medians_in_words(errors: list[tuple[float, bool]], sentence: str) -> None:
    assert medians_in_words(errors, "point") == sentence


def test_errors_are_without_sign_and_of_published_rows_alone() -> None:
    rows = pandas.DataFrame({"error_percent": [-2.0, math.nan, 1.0], "is_fitted": [True, False, False]})
    assert errors_of(rows) == [(2.0, True), (1.0, False)]
