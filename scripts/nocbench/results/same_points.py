"""Rows of one point in several files: required agreement, and precedence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.results.comparable_rows import require_exact, require_one_compiler
from nocbench.results.result_files import frame_of, read_points
from nocbench.support.columns import UNKNOWN_VALUES, completed, point_in_words, point_key
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    import pandas

    from nocbench.support.columns import Row

_MAX_SHOWN = 20


def read_combined(files: Sequence[Path]) -> pandas.DataFrame:
    """Returns the rows of at least one results file; a point that several files hold, once.

    Raises:
        InputError: a file that cannot be read, or files with different values for the same point.
        NotComparableError: a file with rows of points that were simulated packet by packet.
    """
    sources = {file: read_points(file) for file in files}
    for file, rows in sources.items():
        require_exact(file, rows)
    if len(sources) == 1:
        return frame_of(sources[files[0]])
    return frame_of(completed(combine(sources.items()))[1])


def combine(sources: Iterable[tuple[Path, Sequence[Row]]]) -> list[Row]:
    """Returns the rows of several files, in order; each point has the row of the first file that contains it.

    Files of different revisions may be combined if the values agree.

    Raises:
        InputError: files have different values for a point.
        NotComparableError: see :func:`different_values`.
    """
    sources = list(sources)
    differences = different_values(sources, but=("revision",))
    if differences:
        raise InputError(shortened(differences))
    rows: dict[tuple[Any, ...], Row] = {}
    for _, of_file in sources:
        for row in of_file:
            rows.setdefault(point_key(row), row)
    return list(rows.values())


def different_values(sources: Sequence[tuple[Path | str, Sequence[Row]]], *, but: Collection[str] = ()) -> list[str]:
    """Returns a line for each row that differs from the row of the same point in an earlier file.

    Args:
        sources: rows, each list with the path of its file, or with words for it. Columns that only one of two rows has
            are ignored.
        but: columns that may differ if all other columns agree.

    Raises:
        NotComparableError: the kernels of a test were compiled by two compilers.
    """
    require_one_compiler(sources)
    first: dict[tuple[Any, ...], tuple[Row, Path | str]] = {}
    differences = []
    for path, rows in sources:
        for row in rows:
            earlier, earlier_path = first.setdefault(point_key(row), (row, path))
            if earlier is row:
                continue
            different = [name for name in row if name in earlier and _differ(name, earlier[name], row[name])]
            if set(different) <= set(but):
                continue
            values = ", ".join(f"{name} {earlier[name]} and {row[name]}" for name in different)
            differences.append(f"{earlier_path} and {path} have different values of {point_in_words(row)}: {values}")
    return differences


def _differ(column: str, value: object, other: object) -> bool:
    unknown = UNKNOWN_VALUES.get(column)
    return value != other and (unknown is None or unknown not in (value, other))


def shortened(differences: Sequence[str]) -> str:
    """Returns the first lines of a long list, and a line with the number of lines left out."""
    shown = list(differences[:_MAX_SHOWN])
    if len(differences) > len(shown):
        shown.append(f"... and {len(differences) - len(shown)} more")
    return "\n".join(shown)
