"""Features of curves of time against size: crossovers, knees, jumps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import pandas

_LEAST_POINTS_OF_A_LINE = 3
_JUMP = 2.0  # in median increments from size to size
_SAME_JUMP_BYTES = 64
_BEND = 1.2  # minimum ratio of the slopes of two lines that form a bend


class Jump(NamedTuple):
    """Part of a curve with a steeper slope than the rest.

    Attributes:
        first_bytes, last_bytes: first and last size with extra time.
        cycles: extra time.
    """

    first_bytes: int
    last_bytes: int
    cycles: float


def crossover_bytes(first: pandas.DataFrame, second: pandas.DataFrame) -> float | None:
    """Returns the size from which `second` stays faster than `first`, interpolated linearly.

    Returns None if `second` is faster at all sizes or not at the largest, or with fewer than two common sizes.
    """
    both = first.merge(second, on="size_bytes", suffixes=("_first", "_second")).sort_values("size_bytes")
    sizes = both["size_bytes"].tolist()
    gains = (both["latency_cycles_first"] - both["latency_cycles_second"]).tolist()
    behind = [position for position, gain in enumerate(gains) if gain <= 0]
    if len(sizes) < 2 or not behind or behind[-1] == len(sizes) - 1:
        return None
    last = behind[-1]
    share = -gains[last] / (gains[last + 1] - gains[last])
    return float(sizes[last] + share * (sizes[last + 1] - sizes[last]))


def bytes_moved_in(curve: pandas.DataFrame, cycles: float) -> float | None:
    """Returns the bytes moved in a given time, interpolated linearly; None outside the curve."""
    sizes, times = curve["size_bytes"].tolist(), curve["latency_cycles"].tolist()
    for position in range(1, len(sizes)):
        if times[position - 1] <= cycles < times[position]:
            share = (cycles - times[position - 1]) / (times[position] - times[position - 1])
            return float(sizes[position - 1] + share * (sizes[position] - sizes[position - 1]))
    return None


def knee_bytes(curve: pandas.DataFrame) -> float | None:
    """Returns the size where the two lines that fit a curve of time against size best meet.

    Returns None with too few points, or if the lines have similar slopes.
    """
    import numpy

    sizes = curve["size_bytes"].to_numpy(dtype=float)
    times = curve["latency_cycles"].to_numpy(dtype=float)
    best: tuple[float, float] | None = None
    for position in range(_LEAST_POINTS_OF_A_LINE, len(sizes) - _LEAST_POINTS_OF_A_LINE + 1):
        lines = [numpy.polyfit(sizes[part], times[part], 1) for part in (slice(position), slice(position, None))]
        (slope, start), (next_slope, next_start) = lines
        distance = sum(
            float(((numpy.polyval(line, sizes[part]) - times[part]) ** 2).sum())
            for line, part in zip(lines, (slice(position), slice(position, None)), strict=True)
        )
        is_bend = max(slope, next_slope) > _BEND * min(slope, next_slope)
        if is_bend and (best is None or distance < best[0]):
            best = (distance, float((start - next_start) / (next_slope - slope)))
    return None if best is None else best[1]


def jumps(curve: pandas.DataFrame) -> list[Jump]:
    """Returns the jumps of a curve of time against size: increments of more than twice the median."""
    sizes = [int(size) for size in curve["size_bytes"]]
    increments = curve["latency_cycles"].diff()
    if len(sizes) < 2 * _LEAST_POINTS_OF_A_LINE:
        return []
    usual = float(increments.median())
    found: list[Jump] = []
    for size, increment in zip(sizes[1:], increments.tolist()[1:], strict=True):
        if increment <= _JUMP * usual:
            continue
        if found and size - found[-1].last_bytes <= _SAME_JUMP_BYTES:
            found[-1] = Jump(found[-1].first_bytes, size, found[-1].cycles + increment - usual)
        else:
            found.append(Jump(size, size, increment - usual))
    return found


def cycles_per_dword(curve: pandas.DataFrame) -> float | None:
    """Returns the slope of a line through the second half of a curve, in cycles per 8 bytes."""
    import numpy

    rows = curve[curve["size_bytes"] >= curve["size_bytes"].max() / 2]
    if len(rows) < _LEAST_POINTS_OF_A_LINE:
        return None
    return 8 * float(numpy.polyfit(rows["size_bytes"], rows["latency_cycles"], 1)[0])
