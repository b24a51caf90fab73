"""Detail files: a file per point, with data that result rows do not have."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.description import floor_plan
from nocbench.support.atomic_files import make_directory, write_text
from nocbench.support.errors import InputError
from nocbench.support.units import slug

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nocbench.points.point import Point
    from nocbench.points.point_results import PointResult

_STAGING_PREFIX = ".staged-"


def details_of(point: Point, result: PointResult) -> dict[str, Any]:
    """Returns all data on a point: configuration, rows, and each core, link and tile."""
    return {
        "arch": point.arch,
        "board": result.rows[0]["board"],
        "test": point.test,
        "parameters": dict(point.parameters),
        "settings": [list(setting) for setting in point.settings],
        "rows": result.rows,
        "data_faults": result.data_faults,
        "statistics": result.statistics,
        "cores": result.cores,
        "links": result.links,
        "packets": result.packets,
        "memories": result.memories,
        "deliveries": result.deliveries,
        "elapsed_cycles": result.elapsed_cycles,
        "floor_plan": result.floor_plan or floor_plan(point.arch, point.board, point.settings),
    }


@contextmanager
def staged_details(directory: Path, name: str = "") -> Iterator[Path]:
    """Provides a directory for details; moves its files to `directory` at the end of the block.

    Args:
        directory: final directory of the details.
        name: name of the run. After an error, files stay for the next start of the run; without a name, they are
            deleted.
    """
    make_directory(directory)
    with contextlib.ExitStack() as stack:
        if name:
            staging = _staging(directory, name)
            if staging.is_symlink():  # the name is predictable
                raise InputError(f"{staging}: expected a directory of details, found a link; remove it")
            make_directory(staging)
        else:
            staging = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=_STAGING_PREFIX, dir=directory)))
        try:
            yield staging
        finally:
            if name:  # remove the directory if it is empty
                with contextlib.suppress(OSError):
                    staging.rmdir()
        os.sync()  # once for all files: there may be thousands
        for staged in sorted(staging.rglob("*.json")):
            target = directory / staged.relative_to(staging)
            make_directory(target.parent)
            try:
                staged.replace(target)
            except OSError as error:
                raise InputError(f"{target}: cannot be written: {error.strerror}") from None
        if name:
            shutil.rmtree(staging, ignore_errors=True)


def holds_details(directory: Path, name: str, point: Point, sha256: str) -> bool:
    """Returns True if a point's details from an earlier start of the run exist, staged or in the final directory."""
    for path in (_staging(directory, name) / detail_path(point), directory / detail_path(point)):
        with contextlib.suppress(OSError):
            if hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
                return True
    return False


def remove_staged_details(directory: Path, name: str) -> None:
    """Removes the files staged for the next start of a run."""
    shutil.rmtree(_staging(directory, name), ignore_errors=True)


def _staging(directory: Path, name: str) -> Path:
    return directory / f"{_STAGING_PREFIX}{name}"


def write_details(directory: Path, point: Point, text: str) -> None:
    """Writes the details of a point, as JSON."""
    path = directory / detail_path(point)
    make_directory(path.parent)
    write_text(path, text, synchronize=False)  # staged_details synchronizes all files together


def detail_path(point: Point) -> Path:
    """Returns the path of a point's details, relative to the directory of a run.

    "wormhole_b0/one_to_one_packet_sizes/num_transactions_16_call_size_1024.json". Values that differ from the defaults
    follow, with a hash, since the values may contain characters that file names cannot.
    """
    name = "_".join(f"{axis}_{value}" for axis, value in point.parameters if axis in ("num_transactions", "call_size"))
    others = [item for item in point.parameters if item[0] not in ("num_transactions", "call_size")]
    if point.board or others or point.settings:
        configuration = ";".join([point.board, *(f"{key}={value}" for key, value in (*others, *point.settings))])
        name += f"_{slug(configuration)[:80]}_{hashlib.sha256(configuration.encode()).hexdigest()[:8]}"
    return Path(point.arch) / slug(point.test) / f"{name}.json"
