"""Machines that OpenSHMEM programs can run on, and the routines of their library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench import extension
from nocbench.architectures.description import EPIPHANY_MESH, describe_architecture, floor_plan
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class ShmemMachine:
    """A machine that OpenSHMEM programs can run on.

    Attributes:
        board: its name.
        num_cores: cores that can have a PE.
        memory_bytes: memory of a core.
        clock_hz: cycles per second.
    """

    board: str
    num_cores: int
    memory_bytes: int
    clock_hz: int


def shmem_machine(arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()) -> ShmemMachine:
    """Returns the machine of a board. Raises InputError if there is none, or if OpenSHMEM programs cannot run on it."""
    described = describe_architecture(arch, board, settings)
    if described["kind"] != EPIPHANY_MESH:
        raise InputError(f"{arch}: expected an Epiphany machine, which programs of OpenSHMEM run on")
    tiles = floor_plan(arch, board, tuple(settings))["tiles"]
    return ShmemMachine(
        str(described["board"]),
        sum(tile["logical"] is not None for tile in tiles),
        int(described["core_memory_bytes"]),
        int(described["clock_hz"]),
    )


@extension.kept
def shmem_routines() -> tuple[str, ...]:
    """Returns the names of all OpenSHMEM routines of the simulator, in the order of their addresses."""
    return tuple(extension.core().describe_shmem_routines())
