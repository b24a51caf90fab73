"""Numbers in the text of the OpenSHMEM paper, with those of the model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from nocbench.architectures.description import describe_architecture
from nocbench.published import shmem_calls as tests
from nocbench.published.accuracy_tables import ComparedRow, ComparedTable, with_variants
from nocbench.published.fitted_rows import constants_of_rows, read_table
from nocbench.published.shmem_calls import PARAMETERS, Calls, straight_line
from nocbench.support.columns import without_values

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas

ARCHITECTURE = "epiphany_iii"
DOCUMENT = "OpenSHMEM for Epiphany"
_TABLE = "openshmem/paper_2016.csv"
_LARGEST_BYTES = 8192
_MANY_PES = [str(number) for number in range(9, 17)]


@dataclass(frozen=True, slots=True)
class PaperNumber:
    """A number of the paper's text, and the model's value.

    Attributes:
        name, bound, published, unit: as published; a bound tells on which side of the number the model must be.
        constants: constants fitted to the number.
        modeled: value of the model; None without results.
        is_missing: True if the value is missing although there are some results of each of the needed tests.
    """

    name: str
    bound: str
    published: float
    unit: str
    constants: tuple[str, ...]
    modeled: float | None
    is_missing: bool

    @property
    def difference_percent(self) -> float | None:
        """Difference (model - published) / published in percent; None for a bound, and without a modeled value."""
        if self.modeled is None or self.bound:
            return None
        return 100 * (self.modeled - self.published) / self.published


class _Model(NamedTuple):
    """Tests, and a function that computes the model's number from their calls."""

    tests: tuple[str, ...]
    of: Callable[[Calls], float | None]


def paper_numbers(calls: Calls) -> list[PaperNumber]:
    """Returns all numbers of the paper, in the order of its table."""
    numbers = []
    for row, constants in zip(read_table(_TABLE), constants_of_rows(ARCHITECTURE, _TABLE), strict=True):
        model = _MODELS[row["number"]]
        modeled = model.of(calls)
        is_missing = modeled is None and all(calls.holds(test) for test in model.tests)
        numbers.append(
            PaperNumber(
                row["number"], row["bound"], float(row["value"]), row["unit"], constants, modeled, is_missing
            )
        )  # fmt: skip
    return numbers


def published_tests() -> set[tuple[str, str]]:
    """Returns the (arch, test) of the numbers."""
    return {(ARCHITECTURE, test) for model in _MODELS.values() for test in model.tests}


def compared_numbers(results: pandas.DataFrame) -> list[ComparedTable]:
    """Compares calls on the default board without settings with all numbers of the paper except bounds.

    Returns:
        A single entry; empty if the results contain none of the tests. Numbers of absent tests do not count as missing.
    """
    rows = results[(results["arch"] == ARCHITECTURE) & results["test"].isin(tests.TESTS)]
    if rows.empty or "clock_hz" not in rows.columns:
        return []
    rows = with_variants(rows)
    board = describe_architecture(ARCHITECTURE).default_board
    rows = rows[
        [
            of in (board, "") and not without_values(params, PARAMETERS)
            for of, params in zip(rows["board"], rows["params"], strict=True)
        ]
    ]
    calls = Calls(ARCHITECTURE, board, {str(test): of_test for test, of_test in rows.groupby("test", sort=False)})
    numbers = [number for number in paper_numbers(calls) if not number.bound]
    compared = tuple(
        ComparedRow(number.modeled, number.published, bool(number.constants), number.name, number.unit)
        for number in numbers
        if number.modeled is not None
    )
    missing = sum(number.is_missing for number in numbers)
    if not compared and not missing:
        return []
    return [ComparedTable(ARCHITECTURE, DOCUMENT, "Numbers of the text", board, "", compared, missing, "number")]


def _at(rows: pandas.DataFrame, size_bytes: int) -> float | None:
    """Returns the time of a call with a given size, in ns; None without a result."""
    found = rows.loc[rows["size_bytes"] == size_bytes, "nanoseconds"]
    return float(found.iloc[0]) if len(found) else None


def _ratio(upper: float | None, lower: float | None) -> float | None:
    return None if upper is None or lower is None else upper / lower


def _microseconds(nanoseconds: pandas.Series[float]) -> float | None:
    return float(nanoseconds.mean()) / 1000 if len(nanoseconds) else None


def _put(calls: Calls) -> float | None:
    return _at(calls.of(tests.PUT), _LARGEST_BYTES)


def _get(calls: Calls) -> float | None:
    return _at(calls.of(tests.GET, by="loads"), _LARGEST_BYTES)


def _non_blocking_put(calls: Calls, parts: str) -> float | None:
    return _at(calls.of(tests.PUT_NBI, parts=parts), _LARGEST_BYTES)


def _barrier_of_many(calls: Calls) -> float | None:
    barriers = calls.of(tests.BARRIER)
    return _microseconds(barriers.loc[barriers["pes"].astype(str).isin(_MANY_PES), "nanoseconds"])


def _barrier_of_all(kind: str) -> _Model:
    return _Model(
        (tests.BARRIER_OF_ALL,),
        lambda calls: _microseconds(calls.of(tests.BARRIER_OF_ALL, barrier=kind)["nanoseconds"]),
    )


def _broadcast(num_pes: int) -> _Model:
    def slope(calls: Calls) -> float | None:
        fit = straight_line(calls.of(tests.BROADCAST, pes=str(num_pes)))
        return None if fit is None else fit.gigabytes_per_second[0]

    return _Model((tests.BROADCAST,), slope)


_MODELS = {
    "put, 8 KiB": _Model((tests.PUT,), lambda calls: _ratio(_LARGEST_BYTES, _put(calls))),
    "put over get, 8 KiB": _Model((tests.PUT, tests.GET), lambda calls: _ratio(_get(calls), _put(calls))),
    "non-blocking put, 8 KiB": _Model(
        (tests.PUT_NBI,), lambda calls: _ratio(_LARGEST_BYTES, _non_blocking_put(calls, "1"))
    ),
    "two halves over one call, 8 KiB (marginal, often worse)": _Model(
        (tests.PUT_NBI,), lambda calls: _ratio(_non_blocking_put(calls, "1"), _non_blocking_put(calls, "2"))
    ),
    "dissemination barrier, mean of 9 to 16 PEs": _Model((tests.BARRIER,), _barrier_of_many),
    "vendor's barrier, 16 cores": _barrier_of_all("vendor"),
    "barrier by WAND": _barrier_of_all("wand"),
    **{f"broadcast, slope with {number} PEs": _broadcast(number) for number in (2, 4, 8, 16)},
}
"""Computations by the name of the number in the table."""
