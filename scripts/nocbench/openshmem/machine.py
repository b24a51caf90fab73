"""Machines that OpenSHMEM programs can run on, and the routines of their library."""

from __future__ import annotations

from nocbench import extension
from nocbench.architectures.description import EPIPHANY_MESH, Architecture, describe_architecture
from nocbench.support.errors import InputError


def shmem_machine(arch: str, board: str = "", settings: tuple[tuple[str, str], ...] = ()) -> Architecture:
    """Returns the machine of a board. Raises InputError if there is none, or if OpenSHMEM programs cannot run on it."""
    machine = describe_architecture(arch, board, settings)
    if machine.kind != EPIPHANY_MESH:
        raise InputError(f"{arch}: expected an Epiphany machine, which programs of OpenSHMEM run on")
    return machine


@extension.kept
def shmem_routines() -> tuple[str, ...]:
    """Returns the names of all OpenSHMEM routines of the simulator, in the order of their addresses."""
    return tuple(extension.core().describe_shmem_routines())
