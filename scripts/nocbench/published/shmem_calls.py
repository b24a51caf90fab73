"""Times of OpenSHMEM calls in results, and straight lines through them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.published.transfers import with_parameters

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas

PUT = "SHMEM Put Sizes"
GET = "SHMEM Get Sizes"
PUT_NBI = "SHMEM Non-blocking Put Sizes"
GET_NBI = "SHMEM Non-blocking Get Sizes"
ATOMICS = "SHMEM Atomics"
BARRIER = "SHMEM Barrier"
BARRIER_OF_ALL = "SHMEM Barrier of All"
BROADCAST = "SHMEM Broadcast Sizes"
COLLECT = "SHMEM Collect Sizes"
FCOLLECT = "SHMEM Fcollect Sizes"
SUM = "SHMEM Integer Sum Sizes"
ALL_TO_ALL = "SHMEM All to All Sizes"
TESTS = (
    *(PUT, GET, PUT_NBI, GET_NBI, ATOMICS, BARRIER, BARRIER_OF_ALL),
    *(BROADCAST, COLLECT, FCOLLECT, SUM, ALL_TO_ALL),
)

PARAMETERS = ("by", "parts", "operation", "pes", "barrier")
"""Parameters that distinguish the runs of a test."""


@dataclass(frozen=True)
class Fit:
    """A straight line through times of calls: alpha + beta * bytes.

    Attributes:
        alpha_ns: time of a call without data, and its standard error.
        gigabytes_per_second: 1 / beta, and its standard error.
    """

    alpha_ns: tuple[float, float]
    gigabytes_per_second: tuple[float, float]


class Calls:
    """Results of calls, on the default board without settings.

    Attributes:
        arch: architecture.
        board: default board of the architecture.
    """

    def __init__(self, arch: str, board: str, results: Mapping[str, pandas.DataFrame]) -> None:
        """Stores the rows of each OpenSHMEM test."""
        self.arch = arch
        self.board = board
        self._rows: dict[str, pandas.DataFrame] = {}
        for test in TESTS:
            if test in results:
                rows = with_parameters(results[test], PARAMETERS)
                cycles = rows["latency_cycles"] / rows["num_transactions"]
                self._rows[test] = rows.assign(
                    nanoseconds=cycles * 1e9 / rows["clock_hz"], size_bytes=rows["transaction_size_bytes"]
                )

    def __bool__(self) -> bool:
        """Returns True if there are any results."""
        return bool(self._rows)

    def holds(self, test: str) -> bool:
        """Returns True if there are rows of a test."""
        return test in self._rows

    def of(self, test: str, **parameters: str) -> pandas.DataFrame:
        """Returns a test's rows with the given parameters by size; `size_bytes` and `nanoseconds` are per call."""
        import pandas

        rows = self._rows.get(test)
        if rows is None:
            return pandas.DataFrame(columns=["size_bytes", "nanoseconds", *PARAMETERS], dtype=float)
        for name, value in parameters.items():
            rows = rows[rows[name].astype(str) == value]
        return rows.sort_values("size_bytes", kind="stable")


def straight_line(rows: pandas.DataFrame, bytes_per_size: float = 1) -> Fit | None:
    """Returns a line fitted by least squares, with equal weights; None for fewer than three points.

    Args:
        rows: times by size, from :meth:`Calls.of`.
        bytes_per_size: bytes that a PE moves in a call, per byte of `size_bytes`.
    """
    import numpy

    num_points = len(rows)
    if num_points <= 2:
        return None
    sizes = rows["size_bytes"].to_numpy(dtype=float) * bytes_per_size
    times = rows["nanoseconds"].to_numpy(dtype=float)
    matrix = numpy.column_stack([numpy.ones_like(sizes), sizes])
    solution = numpy.linalg.lstsq(matrix, times, rcond=None)[0]
    alpha, beta = float(solution[0]), float(solution[1])
    squares = float(((times - matrix @ solution) ** 2).sum()) / (num_points - 2)
    errors = numpy.sqrt(numpy.diag(squares * numpy.linalg.inv(matrix.T @ matrix)))
    return Fit((alpha, float(errors[0])), (1 / beta, float(errors[1]) / beta**2))
