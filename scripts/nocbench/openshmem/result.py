"""The result of a program for OpenSHMEM."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.points.point import Point
from nocbench.points.simulator import PointResult
from nocbench.programs.own_files import OwnFiles
from nocbench.programs.source_lines import Wait, lines_of_cycles, to_frame
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas

    from nocbench.compiling.shmem_program import ShmemProgram
    from nocbench.openshmem.request import ShmemRequest
    from nocbench.points.simulator import PointTrace, ShmemMachine
    from nocbench.programs.source_lines import SourceLine

START = "start, end and C library"
"""The name of cycles that no line of the user's took."""


class Printed(NamedTuple):
    """Something that a PE printed.

    Attributes:
        cycle: when.
        pe: who.
        stream: "stdout" or "stderr".
        text: what.
    """

    cycle: float
    pe: int
    stream: str
    text: bytes


class PeResult(NamedTuple):
    """The part of one PE.

    Attributes:
        pe: its number.
        core: that it ran on.
        exit_status: None: it did not end of itself.
        cycles: from its start to its end.
        instructions: that it carried out; those of the library are not among them.
        waits: what its cycles went to by cause, in cycles, the longest first. "issue" is its own instructions.
    """

    pe: int
    core: tuple[int, int]
    exit_status: int | None
    cycles: float
    instructions: int
    waits: dict[str, float]


class ShmemResult:
    """The result of a program on a modeled machine."""

    def __init__(
        self,
        request: ShmemRequest,
        name: str,
        compiled: ShmemProgram,
        result: Mapping[str, Any],
        folder: Path,
        machine: ShmemMachine,
        trace: PointTrace | None,
    ) -> None:
        """Takes the result of one run.

        Args:
            request: what ran, and how.
            name: of the program.
            compiled: what ran.
            result: all that the simulator said: see run_shmem_program in nocbench/_core.pyi.
            folder: that it was compiled in.
            machine: that it ran on.
            trace: what happened when, if that was recorded.
        """
        self.request = request
        self.name = name
        self.machine = machine
        self.trace = trace
        self._compiled = compiled
        self._result = result
        self._own_files = OwnFiles(folder)

    @property
    def printed(self) -> list[Printed]:
        """The output of all PEs, in the order of modeled time."""
        return [Printed(*each) for each in self._result["printed"]]

    @property
    def stdout(self) -> str:
        """The standard output of all PEs."""
        return self._text("stdout")

    @property
    def stderr(self) -> str:
        """The standard error of all PEs."""
        return self._text("stderr")

    def _text(self, stream: str) -> str:
        return b"".join(each.text for each in printed_lines(self.printed) if each.stream == stream).decode(
            errors="replace"
        )

    @property
    def exit_status(self) -> int | None:
        """The status of shmem_global_exit, or the highest of all PEs; None: the program did not end."""
        ended = self._result["exit_status"]
        return None if ended is None else int(ended)

    @property
    def error(self) -> str:
        """Why the program did not end: a fault, PEs that wait for each other, or one that runs away; empty: it did."""
        return str(self._result["error"])

    @property
    def warnings(self) -> list[str]:
        """Warnings to the user although the program ran."""
        return list(self._result["warnings"])

    @property
    def compiler_messages(self) -> str:
        """Warnings of the compiler."""
        return self._compiled.messages

    @property
    def cycles(self) -> int:
        """From the start of the program until nothing moves any more."""
        return int(self._result["elapsed_cycles"])

    @property
    def clock_hz(self) -> int:
        """Cycles per second."""
        return self.machine.clock_hz

    @property
    def microseconds(self) -> float:
        """The same in time."""
        return self.cycles * 1e6 / self.clock_hz

    @property
    def num_pes(self) -> int:
        """On how many it ran."""
        return len(self._result["pes"])

    @property
    def pes(self) -> list[PeResult]:
        """The part of each PE, by number."""
        return [
            PeResult(
                number,
                (core["x"], core["y"]),
                pe["exit_status"],
                core["latency_cycles"],
                pe["instructions"],
                dict(sorted(core["waits"].items(), key=lambda item: (-item[1], item[0]))),
            )
            for number, (pe, core) in enumerate(zip(self._result["pes"], self._result["cores"], strict=True))
        ]

    @property
    def memory(self) -> dict[str, int]:
        """Bytes of each core's memory, in all and by what takes them."""
        return dict(self._result["memory"])

    @property
    def section_bytes(self) -> dict[str, int]:
        """Bytes of the parts of the program."""
        return dict(self._compiled.section_bytes)

    @property
    def routines(self) -> tuple[str, ...]:
        """The routines of the library that it is linked with."""
        return self._compiled.routines

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A result row of all PEs, whose latency is the median of theirs; none if the program did not end."""
        return list(self._result["rows"])

    @property
    def frame(self) -> pandas.DataFrame:
        """The same with the columns of the results files."""
        from nocbench.results.result_files import to_frame

        return to_frame(self.rows)

    def source_lines(self, pe: int | None = None) -> list[SourceLine]:
        """The cycles of a PE by line of its source, and the waits among them; of all PEs if None.

        Raises:
            InputError: no such PE.
        """
        if pe is not None and not 0 <= pe < self.num_pes:
            raise InputError(f"expected a PE from 0 to {self.num_pes - 1}, found {pe}")
        some = self._result["pes"] if pe is None else [self._result["pes"][pe]]
        first = self._own_files.path_of(str(self.request.program.sources[0]))
        cycles = (entry for one in some for entry in one["cycles_by_address"])
        waits = [Wait(*wait) for one in some for wait in one["waits"]]
        return lines_of_cycles(cycles, self._compiled.source_map, self._own_files, first, START, waits)

    def lines(self, pe: int | None = None) -> pandas.DataFrame:
        """The same as a frame, with a column for each cause of waits."""
        return to_frame(self.source_lines(pe))

    def point(self) -> Point:
        """The run as a point of a test of the program's name."""
        machine = self.request.machine
        return Point(machine.arch, machine.board, self.name, (("num_pes", str(self.num_pes)),), machine.settings)

    def point_result(self) -> PointResult:
        """The result in the form of a point of a test. Raises InputError if the program did not end."""
        if not self.rows:
            raise InputError(f"{self.name}: expected a program that ended, found one that did not")
        return PointResult(**{field.name: self._result[field.name] for field in fields(PointResult)})


def printed_lines(printed: list[Printed]) -> Iterator[Printed]:
    """Whole lines: a line of a PE comes when its last piece does, and what ends in no line end comes last."""
    begun: dict[tuple[int, str], Printed] = {}
    for each in printed:
        key = (each.pe, each.stream)
        before = begun.pop(key).text if key in begun else b""
        *lines, rest = (before + each.text).split(b"\n")
        for line in lines:
            yield each._replace(text=line + b"\n")
        if rest:
            begun[key] = each._replace(text=rest)
    yield from begun.values()
