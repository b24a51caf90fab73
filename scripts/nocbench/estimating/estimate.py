"""Estimates of the time of a pattern of data movement."""

from __future__ import annotations

import csv
import functools
import time
import warnings
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import name_of
from nocbench.estimating.budget import answer
from nocbench.estimating.patterns import pattern_named
from nocbench.points.accuracy import AUTO, EXACT, accuracy_named
from nocbench.points.axes import axes_to_text
from nocbench.points.selection import select_one_point
from nocbench.points.settings import settings_to_text
from nocbench.running.outcomes import wrong_data_lines
from nocbench.support.errors import WrongDataWarning
from nocbench.support.tables import html_paragraphs
from nocbench.support.units import parse_size
from nocbench.support.wording import limiter_in_words

if TYPE_CHECKING:
    from collections.abc import Mapping

ERRORS_FILE = Path(__file__).with_name("errors.csv")
"""Errors of the kept results against published measurements; made by scripts/studies/accuracy_in_documents.py."""

_CALLS = 16


@dataclass(frozen=True, slots=True)
class ErrorOfModel:
    """Error of the latency against published measurements of silicon, in percent.

    Attributes:
        of: test, or family of tests, whose measurements these are.
        points: number of published points.
    """

    of: str
    points: int
    median_percent: float
    p90_percent: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of a pattern.

    Attributes:
        pattern, arch, board, test, params: pattern, machine, and the test and its parameters that were simulated.
        cycles: time of the median core, in cycles of the tile clock.
        microseconds: the same.
        bytes_per_cycle, gigabytes_per_second: bandwidth of this core.
        limiter: resource that limits the bandwidth, in words.
        accuracy: "exact" or "fast" simulation of the whole, or "extrapolated from" what was simulated.
        error: error of the model for this pattern; None if nothing was published.
        seconds: time that the answer took.
    """

    pattern: str
    arch: str
    board: str
    test: str
    params: dict[str, str]
    cycles: float
    microseconds: float
    bytes_per_cycle: float
    gigabytes_per_second: float
    limiter: str
    accuracy: str
    error: ErrorOfModel | None
    seconds: float

    def values(self) -> dict[str, Any]:
        """Returns the estimate as JSON values."""
        return asdict(self)

    def sentences(self) -> list[str]:
        """Returns the estimate in words, line by line."""
        params = ", ".join(f"{name}={value}" for name, value in self.params.items())
        time_and_rate = (
            f"{self.cycles:,.10g} cycles, {self.microseconds:,.4g} µs, {self.bytes_per_cycle:.2f} B/cycle, "
            f"{self.gigabytes_per_second:.1f} GB/s"
        )
        lines = [
            f"{self.pattern} on {self.arch} ({self.board}): {time_and_rate}",
            f"  limited by {limiter_in_words(self.limiter)}",
            f"  from {self.test} ({params}), {self.accuracy}",
        ]
        if self.error is not None:
            # The published points were compared with exact simulation, which is not what this answer comes from.
            whose = "" if self.accuracy == EXACT else "of exact simulation "
            lines.append(
                f"  error {whose}against silicon, {self.error.of}: {self.error.median_percent:.1f} % in the median, "
                f"{self.error.p90_percent:.1f} % at the 90th percentile of {self.error.points} points"
            )
        else:
            lines.append("  nothing was published to compare this pattern with")
        return lines

    def __str__(self) -> str:
        """Returns the estimate in words."""
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        return html_paragraphs(self.sentences())


def estimate(
    pattern: str,
    *,
    arch: str | Path = "wormhole_b0",
    board: str = "",
    cores: str | int | None = None,
    bytes: int | str | None = None,  # noqa: A002 - the word that users have
    calls: int = _CALLS,
    accuracy: str = AUTO,
    settings: Mapping[str, object] | None = None,
    **parameters: object,
) -> Estimate:
    """Estimates the time of a pattern of data movement, by simulating it.

    >>> import nocbench
    >>> print(nocbench.estimate("multicast", arch="blackhole", cores="4x4", bytes=4096, calls=8))

    Args:
        pattern: "unicast", "multicast", "dram_read"...; a wrong name lists all.
        arch: architecture, or the path of its file.
        board: board of the architecture; empty: the default board.
        cores: cores that take part: "4x4" for a grid, "all", or a number, as the pattern has it; by default, those of
            its test.
        bytes: bytes of a call, or "4KiB"; by default 2 KiB, or a word.
        calls: number of calls, to each of the other cores where there are several.
        accuracy: "exact", "fast", or "auto", which answers within a second: exactly, else fast, else by extrapolation
            from fewer calls. It counts work, and takes the same of them on every machine.
        settings: fields of the board or architecture to change, by path.
        **parameters: further parameters of the pattern's test, such as ``noc=1``, ``vc=2`` or ``destination=(3, 3)``.

    Raises:
        InputError: an unknown pattern or parameter, a bad value, or a pattern that the architecture does not have.
    """
    begin = time.monotonic()
    found = pattern_named(pattern)
    chosen = accuracy_named(accuracy)
    size = found.bytes if bytes is None else bytes if isinstance(bytes, int) else parse_size(bytes)
    axes = {"num_transactions": str(calls), "call_size": str(size), **found.parameters}
    if cores is not None:
        axes |= found.axes_of_cores(str(cores))
    axes |= axes_to_text(parameters)
    point = select_one_point(
        found.test,
        arch=name_of(arch),
        board=board,
        axes=axes,
        settings=settings_to_text(settings),
    )
    found_answer = answer(point, chosen.choice)
    for line in wrong_data_lines(found_answer.rows, found_answer.data_faults):
        warnings.warn(line, WrongDataWarning, stacklevel=2)
    row = found_answer.row
    clock_hz = float(row["clock_hz"])
    return Estimate(
        pattern=pattern,
        arch=str(row["arch"]),
        board=str(row["board"]),
        test=found.test,
        params={key: value for key, value in axes.items() if value},
        cycles=float(row["latency_cycles"]),
        microseconds=float(row["latency_cycles"]) / clock_hz * 1e6,
        bytes_per_cycle=float(row["bandwidth_bytes_per_cycle"]),
        gigabytes_per_second=float(row["bandwidth_bytes_per_cycle"]) * clock_hz / 1e9,
        limiter=str(row["limiter"]),
        accuracy=found_answer.accuracy,
        error=_error_of(str(row["arch"]), found.test, str(row["primitive"])),
        seconds=time.monotonic() - begin,
    )


def _error_of(arch: str, test: str, family: str) -> ErrorOfModel | None:
    """Returns the error of a test, or else of its family, on an architecture."""
    return _errors().get((arch, test)) or _errors().get((arch, family))


@functools.cache
def _errors() -> dict[tuple[str, str], ErrorOfModel]:
    with ERRORS_FILE.open(encoding="utf-8", newline="") as file:
        return {
            (row["arch"], row["of"]): ErrorOfModel(
                row["of"], int(row["points"]), float(row["median_percent"]), float(row["p90_percent"])
            )
            for row in csv.DictReader(file)
        }
