"""Request to run an OpenSHMEM program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nocbench.programs.execution import CYCLES_MAX, Machine
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from nocbench.compiling.shmem_program import ShmemProgramRequest

ARCHITECTURE = "epiphany_iii"
"""Default architecture of programs."""

ALGORITHMS = ("paper", "later")
"""Public versions of the library: that of the paper of 2016, and those since 2017."""

_TURNOVER_BYTES = 64


@dataclass(frozen=True, slots=True)
class LibraryOptions:
    """Options of the OpenSHMEM library.

    Attributes:
        algorithms: one of :data:`ALGORITHMS`.
        wand_barrier: True if shmem_barrier_all uses the wired AND of the chip.
        get_by_interrupt: True if a get interrupts the core that has the data, which then puts them.
        get_by_interrupt_above_bytes: size of the largest get without interrupt.
        bump_heap: True for the symmetric heap of the paper, in which freeing a block sets the heap's end to the block.
        warns_of_overruns: True if transfers beyond a block or variable give a warning instead of ending the program.
        heap_start: address of the heap; 0: after the program.
        charges_routines: True if the library's routines take as much memory of a core as their code would.
    """

    algorithms: str = ALGORITHMS[0]
    wand_barrier: bool = False
    get_by_interrupt: bool = False
    get_by_interrupt_above_bytes: int = _TURNOVER_BYTES
    bump_heap: bool = False
    warns_of_overruns: bool = False
    heap_start: int = 0
    charges_routines: bool = True


@dataclass(frozen=True, slots=True)
class ShmemRequest:
    """Request to run a program.

    Attributes:
        program: the program and its compiler options.
        machine: machine to run on.
        num_pes: number of processing elements; None: all of the machine.
        arguments: arguments of `main`, without the program's name.
        library: options of the library.
        cycles_max: limit of the modeled run time.
    """

    program: ShmemProgramRequest
    machine: Machine = field(default_factory=lambda: Machine(ARCHITECTURE))
    num_pes: int | None = None
    arguments: tuple[str, ...] = ()
    library: LibraryOptions = field(default_factory=LibraryOptions)
    cycles_max: int = CYCLES_MAX

    def require_sense(self, num_cores: int, memory_bytes: int) -> None:
        """Raises InputError for an impossible request.

        Args:
            num_cores: number of cores of the machine.
            memory_bytes: memory of a core.
        """
        if self.num_pes is not None and not 1 <= self.num_pes <= num_cores:
            raise InputError(f"-n: expected 1 to {num_cores} PEs, found {self.num_pes}")
        library = self.library
        if library.algorithms not in ALGORITHMS:
            raise InputError(f"algorithms: expected {' or '.join(ALGORITHMS)}, found '{library.algorithms}'")
        if not 0 <= library.heap_start < memory_bytes or library.heap_start % 8:
            raise InputError(
                f"heap start: expected a multiple of 8 below {memory_bytes:#x}, "
                f"found {library.heap_start:#x} ({library.heap_start})"
            )
        if any("\0" in argument for argument in self.arguments):
            raise InputError("expected arguments of a program without zero bytes")
