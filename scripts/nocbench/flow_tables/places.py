"""Tiles by physical coordinates, which files of other tools contain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from nocbench.architectures.description import floor_plan
from nocbench.flow_tables.cells import BANK, CORE, DRAM_TILE, RECTANGLE, Partner
from nocbench.programs.execution import Machine
from nocbench.support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection

    from nocbench.flow_tables.flow_table import Core

_DRAM = "DRAM"
_LIVE = "Tensix"
_TENSIX = (_LIVE, "harvested")


class _Axis(NamedTuple):
    """Rows or columns, which a board may have harvested.

    Attributes:
        number: index of the coordinate in (x, y).
        harvested: field of the board that lists harvested rows or columns.
        live: field of the board with the number of remaining rows or columns in the compute grid.
    """

    number: int
    harvested: str
    live: str


_AXES = (
    _Axis(1, "board.harvested_rows", "board.compute_rows"),
    _Axis(0, "board.harvested_columns", "board.compute_columns"),
)


def with_live_tiles(machine: Machine, used: Collection[tuple[int, int]]) -> Machine:
    """Returns a machine with all used Tensix tiles in its compute grid.

    Harvested rows or columns differ from card to card. If the board has harvested a used row or column, the returned
    machine has harvested an unused one instead, or none if all are used. Settings that choose harvested rows or columns
    stay unchanged.
    """
    plan = _tiles_of(machine)
    missing = [
        place for place in used if place in plan and plan[place]["kind"] in _TENSIX and not plan[place]["logical"]
    ]
    given = {name for name, _ in machine.settings}
    if not missing or given & {field for axis in _AXES for field in (axis.harvested, axis.live)}:
        return machine
    whole = _tiles_of(_whole(machine))
    tensix = [place for place, tile in whole.items() if tile["kind"] == _LIVE]
    settings = list(machine.settings)
    for axis in _AXES:
        lines = sorted({place[axis.number] for place in tensix})
        harvested = [
            line
            for line in lines
            if all(plan[place]["kind"] != _LIVE for place in tensix if place[axis.number] == line)
        ]
        unused = [line for line in lines if all(place[axis.number] != line for place in used)]
        chosen = [*(line for line in harvested if line in unused), *(line for line in unused if line not in harvested)]
        chosen = sorted(chosen[: len(harvested)])
        settings += [(axis.harvested, str(chosen).replace(" ", "")), (axis.live, str(len(lines) - len(chosen)))]
    return replace(machine, settings=tuple(settings))


def _whole(machine: Machine) -> Machine:
    """Returns the machine without harvested rows or columns."""
    return replace(machine, settings=(*machine.settings, *((axis.harvested, "[]") for axis in _AXES)))


def _tiles_of(machine: Machine) -> dict[tuple[int, int], dict[str, Any]]:
    plan = floor_plan(machine.arch, machine.board, machine.settings)
    return {(tile["x"], tile["y"]): tile for tile in plan["tiles"]}


def may_be_of(arch: str, cores: Collection[tuple[int, int]]) -> bool:
    """Returns True if a card of the architecture can have Tensix tiles at all of these coordinates."""
    tiles = _tiles_of(_whole(Machine(arch)))
    return all(place in tiles and tiles[place]["kind"] == _LIVE for place in cores)


class Places:
    """The tiles of a machine by their coordinates on NoC 0."""

    def __init__(self, machine: Machine, on: Machine | None = None) -> None:
        """Reads the floor plan of a machine.

        Args:
            machine: machine that the coordinates refer to.
            on: machine that runs the flows; None: `machine`. Cores keep their logical coordinates, and DRAM tiles their
                bank modulo the number of banks.
        """
        self._tiles = _tiles_of(machine)
        self._board = machine.memories().board
        self._banks = machine.memories().bank_of_tile
        self._on = None if on is None else on.memories()

    def is_dram(self, place: tuple[int, int]) -> bool:
        """Returns True for the coordinates of a DRAM tile."""
        return place in self._tiles and self._tiles[place]["kind"] == _DRAM

    def core(self, place: tuple[int, int]) -> Core:
        """Returns the logical coordinate of the core at physical coordinates.

        Raises:
            InputError: no core has these coordinates.
        """
        tile = self._tile(place)
        if tile["logical"] is None:
            raise InputError(f"expected a core of the compute grid of {self._board}, found {tile['kind']} at {place}")
        core = int(tile["logical"][0]), int(tile["logical"][1])
        if self._on is not None and core not in self._on.translated:
            last = max(self._on.cores)
            raise InputError(
                f"expected a core from (0, 0) to {last} of {self._on.board}, found {core}, which is {place} of "
                f"{self._board}"
            )
        return core

    def partner(self, place: tuple[int, int]) -> Partner:
        """Returns the tile at physical coordinates as partner of a flow.

        Raises:
            InputError: the tile is neither a core nor DRAM.
        """
        if self.is_dram(place):
            if self._on is None:
                return Partner(DRAM_TILE, (place, place))
            if place not in self._banks:
                raise InputError(f"expected DRAM of {self._board} that is in use, found {place}")
            return Partner(BANK, bank=self._banks[place] % self._on.dram_banks)
        tile = self._tile(place)
        if tile["logical"] is None:
            raise InputError(f"expected a core or DRAM of {self._board}, found {tile['kind']} at {place}")
        core = self.core(place)
        return Partner(CORE, (core, core))

    def rectangle(self, corner: tuple[int, int], other: tuple[int, int]) -> Partner:
        """Returns the rectangle of cores with two opposite corners, given in any order.

        Raises:
            InputError: a corner is no core.
        """
        first, last = self.core(corner), self.core(other)
        upper_left = min(first[0], last[0]), min(first[1], last[1])
        lower_right = max(first[0], last[0]), max(first[1], last[1])
        return Partner(RECTANGLE, (upper_left, lower_right))

    def _tile(self, place: tuple[int, int]) -> dict[str, Any]:
        tile = self._tiles.get(place)
        if tile is None:
            raise InputError(f"expected a tile from (0, 0) to {max(self._tiles)} of {self._board}, found {place}")
        return tile
