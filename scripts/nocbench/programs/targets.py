"""Machines for programs, and programs as points of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.architectures.description import TENSIX_TORUS, describe_architecture
from nocbench.architectures.files import architecture_names, root_of
from nocbench.compiling.request import ARCHITECTURES
from nocbench.points.point import Point
from nocbench.points.selection import select_architectures
from nocbench.programs.execution import Machine
from nocbench.programs.program_file import read_machines
from nocbench.support.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from nocbench.programs.program import ProgramDescription


def machines_for(
    path: Path | None, arch: str, board: str, settings: Sequence[tuple[str, str]], *, compiles: bool = True
) -> list[Machine]:
    """Returns the machines to run a program on: the chosen machines, else those named in its file, else all.

    Args:
        path: file of the program; None: there is none.
        arch: chosen architecture, or empty.
        board: chosen board, or empty.
        settings: fields of the board or architecture to change.
        compiles: False if no kernels are compiled, so that the program can run on any Tenstorrent chip.

    Raises:
        InputError: no such file, architecture, board or setting, or an architecture that kernels cannot be compiled
            for.
    """
    named, own_board = read_machines(path) if path is not None else ([], "")
    if arch:
        named = [arch]
    elif not named and (board or own_board):
        named = [name for name in select_architectures([], board or own_board) if root_of(name) in ARCHITECTURES]
    for name in named:
        runs_natively = not compiles and name in architecture_names() and is_tensix(name)
        if root_of(name) not in ARCHITECTURES and not runs_natively:
            raise InputError(
                f"architecture: expected one that kernels are compiled for, {' or '.join(ARCHITECTURES)}, found "
                f"'{name}'{did_you_mean(name, ARCHITECTURES)}"
            )
    own = [] if arch and board else [own_board]  # the file's board may not exist on a chosen architecture
    machines = [Machine(name, board or next(iter(own), ""), tuple(settings)) for name in named or ARCHITECTURES]
    for machine in machines:
        machine.memories()  # raises InputError for a missing machine
    return machines


def is_tensix(arch: str) -> bool:
    """True for architectures of Tenstorrent chips."""
    return describe_architecture(arch).kind == TENSIX_TORUS


def point_of(program: ProgramDescription, machine: Machine) -> Point:
    """Returns a program with its parameters as a point of the test named after it."""
    parameters = tuple((name, str(program.parameters[name])) for name in program.own_parameters)
    return Point(machine.arch, machine.board, program.name, parameters, machine.settings)
