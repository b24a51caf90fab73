"""Published measurements that results are compared with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.published.fitted_rows import constants_of_points
from nocbench.published.reference_files import default_reference_files
from nocbench.results.result_files import read_results
from nocbench.support.columns import COMMON_COLUMNS, POINT_KEY
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

IS_FITTED = "is_fitted"
"""The column that says whether a constant of the architecture was fitted to a published row."""


def read_reference(files: Sequence[str | Path] = ()) -> pandas.DataFrame:
    """Reads files of published measurements into one frame with the seven common columns and `is_fitted`.

    Args:
        files: CSV or Parquet files; :func:`default_reference_files` if there are none.

    Raises:
        InputError: a file cannot be read, two measurements of one point disagree about which holds, or an architecture
            file names rows that there are not.
    """
    import pandas

    paths = [Path(file) for file in files] or default_reference_files()
    names = [column.name for column in COMMON_COLUMNS]
    frames = [read_results(path)[names].assign(file=str(path)) for path in paths]
    reference = pandas.concat(frames, ignore_index=True)
    twice = reference[reference.duplicated(POINT_KEY, keep=False)]
    if not twice.empty:
        first = twice.iloc[0]
        same = twice[(twice[POINT_KEY] == first[POINT_KEY]).all(axis="columns")]
        raise InputError(
            f"{first['test']}, {first['kernel']}, on {first['arch']}, {first['num_transactions']} x "
            f"{first['transaction_size_bytes']} bytes is in several references: {', '.join(same['file'])}"
        )
    return with_origin(reference[names])


def with_origin(reference: pandas.DataFrame) -> pandas.DataFrame:
    """Published measurements with the column `is_fitted`.

    A row is fitted to if a constant of its architecture names it, or a published row of the same point in another file:
    what was measured again is not new to the model.

    Raises:
        InputError: an architecture file names rows that there are not.
    """
    points = reference[POINT_KEY].itertuples(index=False, name=None)
    return reference.assign(**{IS_FITTED: [tuple(rest) in constants_of_points(arch) for arch, *rest in points]})
