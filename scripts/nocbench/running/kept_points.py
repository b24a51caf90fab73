"""Results of points kept between runs, by all their inputs.

Only results without a fault are kept. A kept result equals a new one byte for byte; the rows get the revision of the
current run.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import asdict
from typing import TYPE_CHECKING

from nocbench.points.simulation import shortening
from nocbench.running.inputs import Keys, forget_kernel_files, kernel_files
from nocbench.running.outcomes import Measured
from nocbench.running.running_costs import RunningCost
from nocbench.support.kept_files import KeptFiles, digest_of_parts

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from nocbench.points.point import Point

BYTES_MAX = 2**30
"""Maximum size of all kept results on disk, in bytes; the least recently used are removed first."""
NO_CACHE = "NOCBENCH_NO_CACHE"
"""Environment variable that disables keeping and reusing results."""
_VERSION = 1


def kept_points(
    points: Sequence[Point],
    *,
    no_cache: bool,
    whole: bool = False,
    with_details: bool = False,
    but: Container[int] = (),
) -> KeptPoints | None:
    """Returns results of earlier runs; None if all points are to be computed. See :class:`KeptPoints`."""
    if no_cache or os.environ.get(NO_CACHE):
        return None
    return KeptPoints(points, whole=whole, with_details=with_details, but=but)


class KeptPoints:
    """Results of earlier runs for the points of this run.

    Attributes:
        taken: results, by position of the point.
    """

    def __init__(self, points: Sequence[Point], *, whole: bool, with_details: bool, but: Container[int]) -> None:
        """Loads the kept results of points.

        Args:
            points: points of this run.
            whole: True if points run with all transactions.
            with_details: True if details are requested.
            but: positions of points to skip.
        """
        forget_kernel_files()  # a notebook may have read them hours ago
        self._files = KeptFiles("point", _VERSION, BYTES_MAX)
        self._keys: dict[int, str] = {}
        self.taken: dict[int, Measured] = {}
        keys = Keys(shorten_from_flit_hops=shortening(whole=whole), with_details=with_details)
        for position, point in enumerate(points):
            if position not in but:
                key = self._keys[position] = keys.of(point)
                if (measured := self._find(point, key)) is not None:
                    self.taken[position] = measured

    def keep(self, position: int, measured: Measured) -> None:
        """Keeps the result of a point, unless the result has a fault or inputs have changed in between."""
        if measured.key != self._keys.get(position) or not all(row["data_ok"] for row in measured.rows):
            return
        key = measured.key
        if measured.kernels:
            self._files.store(key, {"kernels": True})
            key = digest_of_parts(key, measured.kernels)
        facts = {"rows": measured.rows, "data_faults": measured.data_faults, "cost": asdict(measured.cost)}
        self._files.store(key, facts, zlib.compress(measured.details.encode()) if measured.details else b"")

    def _find(self, point: Point, key: str) -> Measured | None:
        found = self._files.take(key)
        if found is not None and "kernels" in found[0]:
            files = kernel_files(point)
            found = None if files is None else self._files.take(digest_of_parts(key, files.digest))
        if found is None:
            return None
        facts, details = found
        text = zlib.decompress(details).decode() if details else ""
        return Measured(facts["rows"], facts["data_faults"], text, RunningCost(**facts["cost"]))
