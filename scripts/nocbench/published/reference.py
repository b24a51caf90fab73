"""Published measurements to compare results with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.published.fitted_rows import constants_of_points
from nocbench.published.reference_files import default_reference_files
from nocbench.results.result_files import read_results
from nocbench.support.columns import ALL_CORES, COMMON_COLUMNS, POINT_KEY, UNKNOWN_VALUES
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas

IS_FITTED = "is_fitted"
"""Column that is True if a constant of the architecture was fitted to the published row."""


_OPTIONAL_COLUMNS = ["params", "riscv", ALL_CORES]


def read_reference(files: Sequence[str | Path] = ()) -> pandas.DataFrame:
    """Returns a frame with the rows of files of published measurements.

    Args:
        files: CSV or Parquet files, or tables in Markdown; empty: :func:`default_reference_files`.

    Returns:
        The seven common columns; `params`, the parameters of a row by nocbench's names; `riscv`, if a file has it;
        `all_cores_cycles`, if the latencies of a file are those of all cores; and `is_fitted`.

    Raises:
        InputError: a file cannot be read, two measurements of one point disagree, or an architecture file lists rows
            that do not exist.
    """
    import pandas

    paths = [Path(file) for file in files] or default_reference_files()
    names = [*(column.name for column in COMMON_COLUMNS), *_OPTIONAL_COLUMNS]
    frames = []
    for path in paths:
        frame = read_results(path)
        frames.append(frame[[name for name in names if name in frame.columns]].assign(file=str(path)))
    reference = pandas.concat(frames, ignore_index=True)
    reference["params"] = reference["params"].fillna("") if "params" in reference.columns else ""
    key = [*POINT_KEY, "params"]
    twice = reference[reference.duplicated(key, keep=False)]
    if not twice.empty:
        first = twice.iloc[0]
        same = twice[(twice[key] == first[key]).all(axis="columns")]
        params = f", {first['params']}," if first["params"] else ""
        raise InputError(
            f"{first['test']}, {first['kernel']}, on {first['arch']}, {first['num_transactions']} x "
            f"{first['transaction_size_bytes']} bytes{params} is in several references: {', '.join(same['file'])}"
        )
    if ALL_CORES in reference.columns:
        reference[ALL_CORES] = reference[ALL_CORES].fillna(UNKNOWN_VALUES[ALL_CORES])
    if "riscv" in reference.columns:
        reference["riscv"] = reference["riscv"].astype("Int64")
    return with_origin(reference[[name for name in names if name in reference.columns]])


def with_origin(reference: pandas.DataFrame) -> pandas.DataFrame:
    """Returns published measurements with the column `is_fitted`.

    A row counts as fitted if a constant of its architecture lists it, or lists a published row of the same point in
    another file: a repeated measurement is not new to the model. The other row may have fewer parameters.

    Raises:
        InputError: an architecture file lists rows that do not exist.
    """
    points = reference[POINT_KEY].itertuples(index=False, name=None)
    params = reference["params"] if "params" in reference.columns else [""] * len(reference)
    is_fitted = [
        any((*point, named) in constants_of_points(arch) for named in (of_point, ""))
        for (arch, *point), of_point in zip(points, params, strict=True)
    ]
    return reference.assign(**{IS_FITTED: is_fitted})
