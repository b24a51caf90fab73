"""Cycles of a kernel by line of the user's source."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.programs.own_files import OwnFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas

    from nocbench.compiling.source_map import Frame, SourceMap
    from nocbench.points.own_run import KernelsRun

START = "start and end of the kernel"
"""Label of cycles outside of the user's source lines."""


_Key = tuple[str, int]
_REST: _Key = ("", 0)


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source line, with the cycles that a kernel spent on the line and in headers that it calls.

    Attributes:
        file: file with its folder; empty for code without a line.
        line: number of the line, from 1; 0 for code without a line.
        text: text of the line, stripped.
        function: enclosing function.
        cycles: cycles of the line's instructions, including waits.
        share: share of all cycles of the kernel.
        waits: waits in cycles by cause, the longest first; all other cycles are computation. None if waits by line are
            unknown.
    """

    file: str
    line: int
    text: str
    function: str
    cycles: float
    share: float
    waits: dict[str, float] | None = None

    def values(self) -> dict[str, Any]:
        """Returns all fields that are known, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Wait(NamedTuple):
    """Waits of an instruction.

    Attributes:
        address: address of the instruction.
        last_call: address of the call to which the return address belongs, or None.
        cycles: waits in cycles, by cause.
    """

    address: int
    last_call: int | None
    cycles: Mapping[str, float]


def to_frame(lines: Sequence[SourceLine]) -> pandas.DataFrame:
    """Returns a frame of lines, with a column per cause of waits if these are known."""
    import pandas

    columns = [field.name for field in fields(SourceLine) if field.name != "waits"]
    frame = pandas.DataFrame([[getattr(line, name) for name in columns] for line in lines], columns=columns)
    for cause in causes_of(lines):
        frame[cause] = [(line.waits or {}).get(cause, 0.0) for line in lines]
    return frame


def causes_of(lines: Sequence[SourceLine]) -> list[str]:
    """Returns the causes of waits of lines, the longest first."""
    return list(_longest_first(_sum_of(line.waits or {} for line in lines)))


def _sum_of(waits: Iterable[Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = defaultdict(float)
    for each in waits:
        for cause, cycles in each.items():
            total[cause] += cycles
    return total


def _longest_first(waits: Mapping[str, float]) -> dict[str, float]:
    return dict(sorted(waits.items(), key=lambda item: (-item[1], item[0])))


def median_of(kernels: Sequence[Mapping[str, Any]], name: str, cores: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Returns the result of a kernel on the core with median latency, the lower median of an even number."""
    mine = sorted(
        (core for core in cores if core["kernel"] == name),
        key=lambda core: (core["latency_cycles"], core["y"], core["x"]),
    )
    median = mine[(len(mine) - 1) // 2]
    place = (name, median["x"], median["y"])
    return next(kernel for kernel in kernels if (kernel["name"], kernel["x"], kernel["y"]) == place)


def lines_of(run: KernelsRun, kernel: Mapping[str, Any]) -> list[SourceLine]:
    """Returns the source lines of a kernel on a core, in order; code without a line comes last."""
    own = str(run.source_of(kernel["name"]).absolute())
    source_map = run.source_map_of(kernel["name"])
    return lines_of_cycles(kernel["cycles_by_address"], source_map, OwnFiles(), own, START)


def lines_of_cycles(
    cycles_by_address: Iterable[tuple[int, float]],
    source_map: SourceMap,
    own: OwnFiles,
    first: str,
    rest: str,
    waits: Iterable[Wait] | None = None,
) -> list[SourceLine]:
    """Returns the source lines with their cycles, in order; code without a line comes last.

    Args:
        cycles_by_address: cycles of each instruction. Addresses may repeat.
        source_map: source map of the program.
        own: files of the user.
        first: file whose lines come first.
        rest: label of cycles outside of the user's source lines.
        waits: waits within these cycles; None if unknown. Waits of code without a line, such as library code, belong to
            the line of its last call.
    """
    frames = own_frames(source_map, own)
    functions: dict[_Key, str] = {}

    def key_of(address: int | None) -> _Key:
        frame = None if address is None else frames.get(address)
        key = (own.path_of(frame.file), frame.line) if frame is not None else _REST
        functions.setdefault(key, frame.function if frame is not None else rest)
        return key

    cycles: dict[_Key, float] = defaultdict(float)
    for address, spent in cycles_by_address:
        cycles[key_of(address)] += spent
    waits_by_key: dict[_Key, list[Mapping[str, float]]] = defaultdict(list)
    for wait in waits or ():
        here = key_of(wait.address)
        key = key_of(wait.last_call) if here == _REST else here
        waits_by_key[key].append(wait.cycles)
        waited = sum(wait.cycles.values())
        cycles[here] -= waited
        cycles[key] += waited
    total = sum(cycles.values()) or 1.0
    return [
        SourceLine(
            file=key[0],
            line=key[1],
            text=text_of_line(*key),
            function=functions[key],
            cycles=cycles[key],
            share=cycles[key] / total,
            waits=None if waits is None else _longest_first(_sum_of(waits_by_key[key])),
        )
        for key in sorted(cycles, key=lambda key: (not key[0], key[0] != first, key))
    ]


def own_frames(source_map: SourceMap, own: OwnFiles) -> dict[int, Frame]:
    """Returns the innermost frame of each instruction that is in one of the user's files."""
    frames = {}
    for address, chain in source_map:
        frame = next((frame for frame in chain if own.has(frame)), None)
        if frame is not None:
            frames[address] = frame
    return frames


@functools.lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return ()


def text_of_line(file: str, line: int) -> str:
    """Returns the text of a source line, stripped; empty if there is none."""
    lines = _lines(file) if file else ()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""


def lines_around(file: str, line: int, num_lines: int) -> list[tuple[int, str]]:
    """Returns a source line and `num_lines` before and behind it, each with its number; nothing without the line."""
    lines = _lines(file) if file else ()
    if not 0 < line <= len(lines):
        return []
    first = max(line - num_lines, 1)
    return list(enumerate(lines[first - 1 : line + num_lines], first))
