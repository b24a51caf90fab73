"""Published measurements that results are compared with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nocbench.results.result_files import read_results
from nocbench.support.columns import COMMON_COLUMNS, POINT_KEY
from nocbench.support.errors import InputError
from nocbench.support.package import PACKAGE
from nocbench.support.revision import checkout

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas


def default_reference_files() -> list[Path]:
    """The files of published measurements that come with nocbench: plots/reference/*.csv of the checkout or the wheel.

    Raises:
        InputError: there are none.
    """
    for directory in _reference_directories():
        files = sorted(directory.glob("*.csv"))
        if files:
            return files
    raise InputError("no published measurements were found beside this installation; name a file with --reference")


def reference_file(name: str) -> Path:
    """A file of published figures that are no points of tests, by its path below plots/reference.

    Raises:
        InputError: it is not there.
    """
    for directory in _reference_directories():
        if (directory / name).is_file():
            return directory / name
    raise InputError(f"the published figures {name} were not found beside this installation")


def _reference_directories() -> list[Path]:
    packaged = PACKAGE / "reference"
    directory = checkout()
    return [packaged] if directory is None else [directory / "plots" / "reference", packaged]


def read_reference(files: Sequence[str | Path] = ()) -> pandas.DataFrame:
    """Reads files of published measurements into one frame with the seven common columns.

    Args:
        files: CSV or Parquet files; :func:`default_reference_files` if there are none.

    Raises:
        InputError: a file cannot be read, or two measurements of one point disagree about which holds.
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
    return reference[names]
