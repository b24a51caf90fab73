"""Sentences on how accuracy was earned: median errors of rows to which constants were fitted, and of all other rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.published.accuracy_tables import medians_of
from nocbench.published.reference import IS_FITTED
from nocbench.support.units import plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas


def errors_of(rows: pandas.DataFrame) -> list[tuple[float, bool]]:
    """Returns the absolute errors of matched rows in percent, each with True if a constant was fitted to the row."""
    compared = rows.dropna(subset="error_percent")
    return list(zip(compared["error_percent"].abs().tolist(), compared[IS_FITTED].tolist(), strict=True))


def medians_in_words(errors: Iterable[tuple[float, bool]], noun: str) -> str:
    """Describes the number of fitted rows, and the median errors of fitted and of all other rows.

    Args:
        errors: errors from :func:`errors_of`; at least one.
        noun: word for a row: "point".
    """
    medians = medians_of(errors)
    num_rows = medians.fitted_points + medians.never_seen_points
    rows = f"this {noun}" if num_rows == 1 else f"these {plural(num_rows, noun)}"
    if not medians.fitted_points:
        return f"No constant was fitted to {rows}."
    if not medians.never_seen_points:
        return f"Constants were fitted to {rows}."
    others = plural(medians.never_seen_points, noun)
    return (
        f"Constants were fitted to {medians.fitted_points} of {rows}. The median error of the fitted {noun}s is "
        f"{medians.fitted_median_percent:.2f} %. The median error of the other {others} is "
        f"{medians.never_seen_median_percent:.2f} %."
    )
