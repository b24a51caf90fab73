"""Assignment of the varied columns of a test's rows to the axis, lines and panels of its picture.

No two rows have the same panel, line and position on the axis. The rules are:

- Sizes of calls are along the axis, if they vary. Otherwise, the axis has a parameter that determines the size of a
  transaction, such as a number of banks. Without such a parameter, the axis has the column with the most values:
  numbers of transactions, or a numeric parameter.
- Numbers of transactions are lines. If they do not vary, all parameters together are lines, provided that there are few
  combinations; else only the parameter with the most values is.
- All other parameters are panels.

A parameter whose values are coordinates, such as "3,7", counts as two numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.points.swept_tests import PARAMETERS
from nocbench.support.units import format_size, plural
from nocbench.support.wording import is_size

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas

    from nocbench.pages.sections import Section

KERNEL = "kernel"
COUNTS = "num_transactions"
SIZES = "transaction_size_bytes"
_CALL_SIZES = "call_size_bytes"

_MAX_COMBINED_LINES = 6
_MIN_VALUES_ALONG = 3  # for parameters: two values are drawn as bars
_PLACE = re.compile(r"\(?(\d+),(\d+)\)?")


@dataclass(frozen=True, eq=False)
class PictureAxes:
    """Assignment of columns to the parts of a picture.

    Attributes:
        along: column along the horizontal axis.
        lines: columns whose combined values distinguish lines of a panel.
        panels: columns, besides the kernel, whose combined values distinguish panels.
        results, reference: results and published measurements of the section, with all of these columns.
    """

    along: str
    lines: tuple[str, ...]
    panels: tuple[str, ...]
    results: pandas.DataFrame
    reference: pandas.DataFrame

    @property
    def title(self) -> str:
        """Name of the horizontal axis in titles."""
        return {SIZES: "Transaction Size", COUNTS: "Transactions"}.get(self.along, self.along)


def axes_of(section: Section) -> PictureAxes | None:
    """Returns the assignment for a section; None if no column can be along an axis."""
    results, reference = section.results, section.reference
    if section.picture == PARAMETERS:
        if not section.plotted:
            return None
        return PictureAxes(section.plotted[0], section.plotted[1:], (), results, reference)
    names = list(section.varied)
    for name in section.varied:
        results, reference, coordinates = _with_coordinates(results, reference, name)
        names[names.index(name) : names.index(name) + 1] = coordinates
    along = _along(results, names)
    if along is None:
        return None
    results, reference = (_as_numbers(frame, along) for frame in (results, reference))
    others: list[str] = []
    for name in names:
        if not any(_follows(results, name, other) for other in (along, *others)):
            others.append(name)
    if along != COUNTS and results[COUNTS].nunique() > 1:
        return PictureAxes(along, (COUNTS,), tuple(others), results, reference)
    if len(combinations(others, results)) <= _MAX_COMBINED_LINES:
        return PictureAxes(along, tuple(others), (), results, reference)
    most = max(others, key=lambda name: results[name].nunique())
    return PictureAxes(along, (most,), tuple(name for name in others if name != most), results, reference)


def values_in_words(names: Sequence[str], values: Sequence[Hashable]) -> str:
    """Returns values of columns in words: "16 transactions", "noc 0, vcs 2"."""
    return ", ".join(_value_in_words(name, value) for name, value in zip(names, values, strict=True))


def value_in_words(parameter: str, value: Hashable) -> str:
    """Returns a value of a parameter as text; sizes as "2 KiB"."""
    return format_size(int(str(value))) if is_size(parameter) else str(value)


def combinations(names: Sequence[str], *frames: pandas.DataFrame) -> list[tuple[Any, ...]]:
    """Returns the combinations of values of some columns: numbers in ascending order, texts in order of appearance."""
    if not names:
        return [()]
    found = dict.fromkeys(values for frame in frames for values in zip(*(frame[name] for name in names), strict=True))
    places: list[dict[Any, int]] = [{} for _ in names]
    for values in found:
        for of_name, value in zip(places, values, strict=True):
            of_name.setdefault(value, len(of_name))
    return sorted(
        found,
        key=lambda values: [
            (0, int(str(value))) if str(value).isdecimal() else (1, of_name[value])
            for of_name, value in zip(places, values, strict=True)
        ],
    )


def having(frame: pandas.DataFrame, names: Sequence[str], values: Sequence[Hashable]) -> pandas.DataFrame:
    """Returns the rows with the given values in the given columns."""
    for name, value in zip(names, values, strict=True):
        frame = frame[frame[name] == value]
    return frame


def _value_in_words(name: str, value: Hashable) -> str:
    if name == COUNTS:
        return plural(int(str(value)), "transaction")
    return f"{name} {value_in_words(name, value)}"


def _along(results: pandas.DataFrame, names: Sequence[str]) -> str | None:
    calls = _CALL_SIZES if _CALL_SIZES in results.columns else SIZES
    if results.groupby(KERNEL)[calls].nunique().max() > 1:
        return SIZES
    numeric = [name for name in names if _is_numeric(results[name])]
    if results[SIZES].nunique() > 1:
        for name in numeric:
            if _follows(results, SIZES, name):
                return name
        return SIZES
    num_values = {name: results[name].nunique() for name in (COUNTS, *numeric)}
    most = max(num_values, key=lambda name: num_values[name])
    return most if num_values[most] >= (2 if most == COUNTS else _MIN_VALUES_ALONG) else None


def _follows(results: pandas.DataFrame, name: str, other: str) -> bool:
    """Returns True if `other` determines `name`: rows with equal `other` have equal `name`."""
    return int(results.groupby(other, sort=False)[name].nunique().max()) == 1


def _is_numeric(values: pandas.Series[Any]) -> bool:
    return all(str(value).isdecimal() for value in values)


def _as_numbers(frame: pandas.DataFrame, name: str) -> pandas.DataFrame:
    """Returns the rows that have a number in a column: published rows may lack the value of a parameter."""
    frame = frame.loc[[str(value).isdecimal() for value in frame[name]]]
    return frame.assign(**{name: [int(value) for value in frame[name]]})


def _with_coordinates(
    results: pandas.DataFrame, reference: pandas.DataFrame, name: str
) -> tuple[pandas.DataFrame, pandas.DataFrame, list[str]]:
    """Replaces a column of coordinates by one column per coordinate.

    Returns the rows, and the names of the new columns.
    """
    if not all(_PLACE.fullmatch(str(value)) for value in results[name]):
        return results, reference, [name]
    names = [f"{name} {axis}" for axis in "xy"]
    frames = []
    for frame in (results, reference):
        found = [_PLACE.fullmatch(str(value)) for value in frame[name]]
        for axis, column in enumerate(names, start=1):
            frame = frame.assign(**{column: [place.group(axis) if place else "" for place in found]})
        frames.append(frame)
    return frames[0], frames[1], names
