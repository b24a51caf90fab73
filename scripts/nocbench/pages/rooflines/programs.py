"""Programs that compute, below the roofs of their chip: arithmetic operations per cycle against operations per byte.

The roofs of a program are rates that it cannot exceed:

- compute: the matrix and the vector unit of its cores work without a pause and without overhead of calls.
- DRAM: all channels of the board move data all the time, at the faster of their rates of reads and writes.
- NoC: both ports of each core, to and from its routers, carry data on all NoCs all the time.

A program takes at least the longest of these three times.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from nocbench.architectures.machines_of_rows import machine_of_row
from nocbench.compiling.request import COMPUTE_RISCS, FIDELITIES
from nocbench.results.result_files import rows_of
from nocbench.support.columns import HOW_SIMULATED, PROGRAM, changed_values, params_of

if TYPE_CHECKING:
    import pandas

    from nocbench.architectures.description import Architecture

DRAM, NOC, COMPUTE = "DRAM", "NoC", "compute"
"""Roofs."""

_MATH = COMPUTE_RISCS[1]
_PORTS = 2  # to and from the router
_OPERATIONS = "program_operations"


@dataclass(frozen=True, slots=True)
class ProgramPoint:
    """A run of a program.

    Attributes:
        program: name of the program.
        arguments: its arguments or parameters, in words.
        num_cores: cores that compute.
        operations: arithmetic operations: a product of two tiles has 65,536, other commands 1,024 per tile.
        dram_bytes, noc_bytes: bytes of data that moved to and from DRAM, and over the NoCs.
        cycles: cycles of the whole program.
        limiter: limiter of the busiest kernel on a core.
        dram_cycles, noc_cycles, compute_cycles: the least time of each part.
    """

    program: str
    arguments: str
    num_cores: int
    operations: int
    dram_bytes: int
    noc_bytes: int
    cycles: int
    limiter: str
    dram_cycles: float
    noc_cycles: float
    compute_cycles: float

    @property
    def operations_per_cycle(self) -> float:
        """Arithmetic operations per cycle of the whole program."""
        return self.operations / self.cycles

    @property
    def roof(self) -> str:
        """The lowest roof: DRAM, NOC or COMPUTE."""
        return max(self._least_cycles, key=lambda name: self._least_cycles[name])

    @property
    def share_of_roof(self) -> float:
        """Operations per cycle as a share of the lowest roof."""
        return max(self._least_cycles.values()) / self.cycles

    def operations_per_byte(self, roof: str) -> float:
        """Returns the intensity below the roof of DRAM or NOC; 0 if no bytes moved."""
        moved = {DRAM: self.dram_bytes, NOC: self.noc_bytes}[roof]
        return self.operations / moved if moved else 0.0

    @property
    def _least_cycles(self) -> dict[str, float]:
        return {DRAM: self.dram_cycles, NOC: self.noc_cycles, COMPUTE: self.compute_cycles}


@dataclass(frozen=True, slots=True)
class ProgramRoofline:
    """Programs below the roofs of a board.

    Attributes:
        arch, board, clock_hz: columns of the result rows.
        num_cores: most cores of a program, for which the roofs are drawn.
        bytes_per_cycle: the roofs DRAM and NOC.
        operations_per_cycle: the roof of products by fidelity, and of additions element by element.
        points: points, in the order of the results.
    """

    arch: str
    board: str
    clock_hz: int
    num_cores: int
    bytes_per_cycle: dict[str, float]
    operations_per_cycle: dict[str, float]
    points: tuple[ProgramPoint, ...]

    @property
    def title(self) -> str:
        """Board in words."""
        return f"{self.arch} ({self.board}), roofs of {self.num_cores} core{'s' if self.num_cores > 1 else ''}"

    def table(self) -> list[dict[str, Any]]:
        """Returns a row per point."""
        return [
            {"arch": self.arch, "board": self.board}
            | asdict(point)
            | {
                "operations_per_cycle": point.operations_per_cycle,
                "operations_per_dram_byte": point.operations_per_byte(DRAM),
                "operations_per_noc_byte": point.operations_per_byte(NOC),
                "roof": point.roof,
                "share_of_roof": point.share_of_roof,
            }
            for point in self.points
        ]


def split_programs(frame: pandas.DataFrame) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    """Returns the rows of programs that compute, and the other rows."""
    if _OPERATIONS not in frame.columns:
        return frame[:0], frame
    computes = frame["program_cycles"] > 0
    return frame[computes], frame[~computes]


def program_rooflines_of(frame: pandas.DataFrame) -> list[ProgramRoofline]:
    """Returns a roofline for each board, from the rows of programs that compute."""
    boards: dict[tuple[str, str], dict[tuple[Any, ...], list[dict[str, Any]]]] = {}
    for row in rows_of(frame):
        work = tuple(value for name, value in row.items() if name.startswith("program_"))
        programs = boards.setdefault((row["arch"], row["board"]), {})
        programs.setdefault((row["test"], row["params"], *work), []).append(row)
    return [_roofline(list(programs.values())) for programs in boards.values()]


def _roofline(programs: list[list[dict[str, Any]]]) -> ProgramRoofline:
    first = programs[0][0]
    points = tuple(map(_point, programs))
    num_cores = max(point.num_cores for point in points)
    machine = machine_of_row(first["arch"], first["board"], "")
    rates = zip(FIDELITIES, machine.product_operations_per_cycle, strict=True)
    return ProgramRoofline(
        arch=first["arch"],
        board=first["board"],
        clock_hz=first["clock_hz"],
        num_cores=num_cores,
        bytes_per_cycle=_bytes_per_cycle(machine, num_cores),
        operations_per_cycle={
            **{fidelity: rate * num_cores for fidelity, rate in rates},
            "additions": machine.element_operations_per_cycle * num_cores,
        },
        points=points,
    )


def _bytes_per_cycle(machine: Architecture, num_cores: int) -> dict[str, float]:
    of_core = machine.num_nocs * _PORTS * machine.link_bytes_per_cycle
    return {DRAM: machine.dram_bytes_per_cycle, NOC: of_core * num_cores}


def _point(rows: list[dict[str, Any]]) -> ProgramPoint:
    row = rows[0]
    num_cores = sum(row["num_cores"] for row in rows if row["riscv"] == _MATH)
    roofs = _bytes_per_cycle(machine_of_row(row["arch"], row["board"], row["params"]), num_cores)
    named = changed_values(row["params"])
    program, _, arguments = named.pop(PROGRAM, "").partition(" ")
    parameters = params_of({name: value for name, value in named.items() if name not in HOW_SIMULATED})
    return ProgramPoint(
        program=program or row["test"],
        arguments=" ".join(filter(None, (arguments, parameters))),
        num_cores=num_cores,
        operations=row[_OPERATIONS],
        dram_bytes=row["program_dram_bytes"],
        noc_bytes=row["program_noc_bytes"],
        cycles=row["program_cycles"],
        limiter=row["program_limiter"],
        dram_cycles=row["program_dram_bytes"] / roofs[DRAM],
        noc_cycles=row["program_noc_bytes"] / roofs[NOC],
        compute_cycles=row["program_math_cycles"] / num_cores,
    )
