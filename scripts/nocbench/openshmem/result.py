"""The result of an OpenSHMEM program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.points.point import Point
from nocbench.points.point_results import PointResult
from nocbench.programs.own_files import OwnFiles
from nocbench.programs.source_lines import Wait, lines_of_cycles, to_frame
from nocbench.support.errors import InputError
from nocbench.support.extras import needs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import pandas

    from nocbench.architectures.description import Architecture
    from nocbench.compiling.shmem_program import ShmemProgram
    from nocbench.openshmem.request import ShmemRequest
    from nocbench.points.point_results import PointTrace
    from nocbench.programs.source_lines import SourceLine

START = "start, end and C library"
"""Label of cycles outside of the user's source lines."""


class Printed(NamedTuple):
    """A piece of output of a PE.

    Attributes:
        cycle: time of output.
        pe: number of the PE.
        stream: "stdout" or "stderr".
        text: bytes of the output.
    """

    cycle: float
    pe: int
    stream: str
    text: bytes


class PeResult(NamedTuple):
    """Result of one PE.

    Attributes:
        pe: number of the PE.
        core: core of the PE.
        exit_status: exit status; None if the PE did not end by itself.
        cycles: duration from start to end of the PE.
        instructions: executed instructions, without those of the library.
        waits: cycles by cause, the longest first; "issue" is the execution of instructions.
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
        machine: Architecture,
        trace: PointTrace | None,
    ) -> None:
        """Takes the result of one run.

        Args:
            request: the request.
            name: name of the program.
            compiled: the compiled program.
            result: complete result of the simulator: see run_shmem_program in nocbench/_core.pyi.
            folder: folder in which the program was compiled.
            machine: machine that ran the program.
            trace: recorded events; None without recording.
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
        """Status of shmem_global_exit, or the highest of all PEs; None if the program did not end."""
        ended = self._result["exit_status"]
        return None if ended is None else int(ended)

    @property
    def error(self) -> str:
        """Reason why the program did not end: a fault, a deadlock, or a runaway PE; empty if the program ended."""
        return str(self._result["error"])

    @property
    def was_interrupted(self) -> bool:
        """True if Ctrl-C ended the run; the error then has the source line of each PE."""
        return bool(self._result["was_interrupted"])

    @property
    def warnings(self) -> list[str]:
        """Warnings about a program that ran nevertheless."""
        return list(self._result["warnings"])

    @property
    def compiler_messages(self) -> str:
        """Warnings of the compiler."""
        return self._compiled.messages

    @property
    def cycles(self) -> int:
        """Cycles from the start of the program to the last event."""
        return int(self._result["elapsed_cycles"])

    @property
    def clock_hz(self) -> int:
        """Cycles per second."""
        return self.machine.clock_hz

    @property
    def microseconds(self) -> float:
        """Modeled time from the start of the program to the last event, in microseconds."""
        return self.cycles * 1e6 / self.clock_hz

    @property
    def num_pes(self) -> int:
        """Number of PEs."""
        return len(self._result["pes"])

    @property
    def pes(self) -> list[PeResult]:
        """The result of each PE, by number."""
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
        """Bytes of each core's memory: total, and by use."""
        return dict(self._result["memory"])

    @property
    def section_bytes(self) -> dict[str, int]:
        """Sizes of the program's sections."""
        return dict(self._compiled.section_bytes)

    @property
    def routines(self) -> tuple[str, ...]:
        """Library routines that the program uses."""
        return self._compiled.routines

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Result row over all PEs, with their median latency; empty if the program did not end."""
        return list(self._result["rows"])

    @property
    @needs("pandas")
    def frame(self) -> pandas.DataFrame:
        """Result row as a frame, with the columns of results files."""
        from nocbench.results.result_files import to_frame

        return to_frame(self.rows)

    def source_lines(self, pe: int | None = None) -> list[SourceLine]:
        """Returns the cycles and waits of a PE by source line; None: of all PEs together.

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

    @needs("pandas")
    def lines(self, pe: int | None = None) -> pandas.DataFrame:
        """Returns the source lines as a frame, with a column per cause of waits."""
        return to_frame(self.source_lines(pe))

    def point(self) -> Point:
        """Returns the run as a point of a test named after the program."""
        machine = self.request.machine
        return Point(machine.arch, machine.board, self.name, (("num_pes", str(self.num_pes)),), machine.settings)

    def point_result(self) -> PointResult:
        """Returns the result as the result of a point. Raises InputError if the program did not end."""
        if not self.rows:
            raise InputError(f"{self.name}: expected a program that ended, found one that did not")
        return PointResult.of(self._result)


class OutputLines:
    """Output as it comes, in pieces, put together to lines of one PE and stream each."""

    def __init__(self) -> None:
        """Begins without output."""
        self._begun: dict[tuple[int, str], Printed] = {}

    def add(self, piece: Printed) -> Iterator[Printed]:
        """Yields the lines that a piece completes."""
        key = (piece.pe, piece.stream)
        before = self._begun.pop(key).text if key in self._begun else b""
        *lines, rest = (before + piece.text).split(b"\n")
        if rest:
            self._begun[key] = piece._replace(text=rest)
        for line in lines:
            yield piece._replace(text=line + b"\n")

    def rest(self) -> Iterator[Printed]:
        """Yields text without a line end."""
        yield from self._begun.values()


def printed_lines(printed: list[Printed]) -> Iterator[Printed]:
    """Yields complete lines of output, sorted by the time of their last piece; text without a line end comes last."""
    lines = OutputLines()
    for piece in printed:
        yield from lines.add(piece)
    yield from lines.rest()
