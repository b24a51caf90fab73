"""Results kept in the repository: checks of completeness, and a sample to run again."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from nocbench.results.result_files import to_csv
from nocbench.support.columns import HOW_MADE, changed_values, without_values
from nocbench.support.errors import InputError
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence
    from pathlib import Path

    from nocbench.points.point import Point
    from nocbench.support.columns import Row

KEPT_FILE = "plots/results/full_tier.parquet"
"""Path of the results of the full tier in a checkout."""
BESIDE_FILE = "plots/results/beside_full_tier.parquet"
"""Path of the results of further points that the pages show."""

# Maximum number of bytes that a point of the sample moves.
_SAMPLED_BYTES_MAX = 16 * 2**20

_Key = tuple[Any, ...]


def kept_results_file(name: str = KEPT_FILE) -> Path:
    """Returns the file of the kept results, by default of the full tier.

    Raises:
        InputError: the package is not in a checkout.
    """
    directory = checkout()
    if directory is None:
        raise InputError(f"{name} is part of a checkout, and this installation is none")
    return directory / name


def digest(rows: Iterable[Row]) -> str:
    """Returns a hash of results without the revision."""
    return hashlib.sha256(to_csv(row | {"revision": ""} for row in rows).encode()).hexdigest()[:32]


def incomplete(points: Sequence[Point], rows: Iterable[Row]) -> list[str]:
    """Returns a line for each point without a row, and for each row without a point.

    Args:
        points: expected points, on default boards and without settings.
        rows: existing rows.
    """
    wanted = {key_of_point(point): point for point in points}
    found: dict[_Key, Row] = {}
    of_two_boards = []
    for row in rows:
        other = found.setdefault(key_of_row(row), row)
        if other["board"] != row["board"]:
            of_two_boards.append(
                f"a point with results of two boards: {row['test']} on {other['board']}, {row['board']}"
            )
    return (
        sorted(set(of_two_boards))
        + [f"no result of {point.describe()}" for key, point in wanted.items() if key not in found]
        + [
            f"not a point of the full tier: {row['test']} on {row['arch']} ({row['board']}), num_transactions="
            f"{row['num_transactions']}, call_size={row['call_size_bytes']}{', ' * bool(row['params'])}{row['params']}"
            for key, row in found.items()
            if key not in wanted
        ]
    )


def in_order(points: Sequence[Point], rows: Iterable[Row]) -> list[Row]:
    """Returns rows in the order of their points.

    The order of a point's rows stays, and rows without a point come last.
    """
    places = {key_of_point(point): place for place, point in enumerate(points)}
    return sorted(rows, key=lambda row: places.get(key_of_row(row), len(places)))


def sample(points: Sequence[Point], rows: Iterable[Row], seed: str) -> list[Point]:
    """Returns a random point of each test that takes little time. Equal seeds give equal points.

    Args:
        points: points to choose from.
        rows: results of the points, with the bytes that they move.
        seed: any text.
    """
    moved_bytes: dict[Hashable, int] = {}
    for row in rows:
        moved = row["num_transactions"] * row["transaction_size_bytes"] * row["num_cores"]
        moved_bytes[key_of_row(row)] = moved_bytes.get(key_of_row(row), 0) + moved
    of_tests: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        if key_of_point(point) in moved_bytes:
            of_tests.setdefault((point.arch, point.test), []).append(point)
    chosen: list[Point] = []
    for of_test in of_tests.values():
        least = min(moved_bytes[key_of_point(point)] for point in of_test)
        short = [point for point in of_test if moved_bytes[key_of_point(point)] <= max(_SAMPLED_BYTES_MAX, least)]
        chosen.append(min(short, key=lambda point: _lot(seed, point)))
    return chosen


def _lot(seed: str, point: Point) -> str:
    return hashlib.sha256(f"{seed} {point.digest()}".encode()).hexdigest()


def key_of_point(point: Point) -> _Key:
    """Returns the key of a point on its default board, equal to :func:`key_of_row` of its rows."""
    others = dict(point.parameters + point.settings)
    axes = others.pop("num_transactions", ""), others.pop("call_size", "")
    return (point.arch, point.test, *axes, frozenset(others.items()))


def key_of_row(row: Row) -> _Key:
    """Returns the key of a row's point on its default board."""
    changed = changed_values(without_values(row["params"], HOW_MADE))
    axes = str(row["num_transactions"]), str(row["call_size_bytes"])
    return (row["arch"], row["test"], *axes, frozenset(changed.items()))
