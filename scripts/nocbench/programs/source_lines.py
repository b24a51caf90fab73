"""Where the cycles of a kernel went, by line of its user's own source."""

from __future__ import annotations

import functools
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nocbench.programs.own_files import OwnFiles

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from nocbench.compiling.source_map import Frame, SourceMap
    from nocbench.programs.execution import ProgramRun

START = "start and end of the kernel"
"""What cycles are called that no line of the user's took."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line, and what a kernel spent on it and on what it calls in headers that are not its user's.

    Attributes:
        file: with its folder; empty for code that no line stands for.
        line: from 1 on; 0 for code that no line stands for.
        text: of the line, without spaces around it.
        function: that it is in.
        cycles: spent on its instructions, with all that they waited for.
        share: of all cycles of the kernel.
    """

    file: str
    line: int
    text: str
    function: str
    cycles: float
    share: float


def median_of(kernels: Sequence[Mapping[str, Any]], name: str, cores: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What a kernel did on the core whose latency is the median: the lower middle one of an even number."""
    mine = sorted(
        (core for core in cores if core["kernel"] == name),
        key=lambda core: (core["latency_cycles"], core["y"], core["x"]),
    )
    median = mine[(len(mine) - 1) // 2]
    place = (name, median["x"], median["y"])
    return next(kernel for kernel in kernels if (kernel["name"], kernel["x"], kernel["y"]) == place)


def lines_of(run: ProgramRun, kernel: Mapping[str, Any]) -> list[SourceLine]:
    """The lines of what a kernel did on a core, in the order of the source; what no line stands for is last."""
    own = str(next(k.source for k in run.program.kernels if k.name == kernel["name"]).absolute())
    source_map = run.compiled[kernel["name"]].source_map
    return lines_of_cycles(kernel["cycles_by_address"], source_map, OwnFiles(), own, START)


def lines_of_cycles(
    cycles_by_address: Iterable[tuple[int, float]], source_map: SourceMap, own: OwnFiles, first: str, rest: str
) -> list[SourceLine]:
    """The lines that instructions come from, in the order of the source; what no line stands for is last.

    Args:
        cycles_by_address: what each instruction took. The same address may come several times.
        source_map: of the program.
        own: the user's files.
        first: the one whose lines come first.
        rest: what cycles are called that no line of the user's took.
    """
    frames = _own_frames(source_map, own)
    cycles: dict[tuple[str, int], float] = defaultdict(float)
    functions: dict[tuple[str, int], str] = {}
    for address, spent in cycles_by_address:
        frame = frames.get(address)
        key = (own.path_of(frame.file), frame.line) if frame is not None else ("", 0)
        cycles[key] += spent
        functions.setdefault(key, frame.function if frame is not None else rest)
    total = sum(cycles.values()) or 1.0
    order = sorted(cycles, key=lambda key: (not key[0], key[0] != first, key))
    return [
        SourceLine(file, line, _text(file, line), functions[file, line], cycles[file, line], cycles[file, line] / total)
        for file, line in order
    ]


def _own_frames(source_map: SourceMap, own: OwnFiles) -> dict[int, Frame]:
    """The innermost place of each instruction that is in a file of the user's."""
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


def _text(file: str, line: int) -> str:
    lines = _lines(file) if file else ()
    return lines[line - 1].strip() if 0 < line <= len(lines) else ""
