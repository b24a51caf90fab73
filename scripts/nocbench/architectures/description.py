"""Descriptions of architectures and their boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import require_architecture
from nocbench.extension import input_errors, kept

if TYPE_CHECKING:
    from collections.abc import Mapping

TENSIX_TORUS = "tensix_torus"
EPIPHANY_MESH = "epiphany_mesh"
PLAIN_MESH = "plain_mesh"
WISHBONE_BRIDGE = "wishbone_bridge"
"""Kinds of architectures."""

EMULATED = frozenset({"quasar"})
"""Architectures without silicon, whose published measurements are those of an emulator."""


@dataclass(frozen=True, slots=True)
class Architecture:
    """A modeled architecture, and facts of one of its boards.

    Attributes:
        name: its name.
        kind: one of those above.
        description: a sentence or two.
        default_board: name of its default board.
        boards: by name: description, clock_hz, compute_columns and compute_rows; parts of boards that are composed.
        board: name of the board of the remaining facts.
        clock_hz: cycles per second.
        flit_bytes: size of a flit.
        link_bytes_per_cycle: bandwidth of one link.
        launch_skew_cycles: delay between starts of successive cores, where a host starts them one by one.
        num_dram_banks: number of DRAM banks of a Tenstorrent chip.
        num_nocs: number of NoCs of such a chip.
        dram_bytes_per_cycle: bandwidth of all its DRAM, at the faster of the rates of reads and writes.
        product_operations_per_cycle: highest rate of the matrix unit of a core with products of tiles, for each number
            of phases from 1 (LoFi) on; empty without units that compute.
        element_operations_per_cycle: the same with additions element by element.
        core_memory_bytes: memory of a core of an Epiphany.
    """

    name: str
    kind: str
    description: str
    default_board: str
    boards: Mapping[str, Mapping[str, Any]]
    board: str
    clock_hz: int
    flit_bytes: int
    link_bytes_per_cycle: float
    launch_skew_cycles: int
    num_dram_banks: int = 0
    num_nocs: int = 0
    dram_bytes_per_cycle: float = 0.0
    product_operations_per_cycle: tuple[float, ...] = ()
    element_operations_per_cycle: float = 0.0
    core_memory_bytes: int = 0

    @property
    def published_source(self) -> str:
        """Source of published measurements: "silicon", "RTL" for plain meshes, or "emulator" for Quasar."""
        if self.kind == PLAIN_MESH:
            return "RTL"
        return "emulator" if self.name in EMULATED else "silicon"


@kept
def describe_architecture(arch: str, board: str = "", settings: tuple[tuple[str, str], ...] = ()) -> Architecture:
    """Describes an architecture. Raises InputError if there is no such architecture, board or setting."""
    require_architecture(arch)
    with input_errors() as core:
        facts = core.describe_architecture(arch, board, list(settings))
    return Architecture(**(facts | {"boards": {of["name"]: of for of in facts["boards"]}}))


@kept
def floor_plan(arch: str, board: str = "", settings: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    """Describes the grid: columns, rows, flit_bytes, per place x, y, kind and logical coordinate, and networks.

    Each network has a name, directions of its links by name, as a step along x and y, whether they wrap around the
    edges, and the flits that a link carries per cycle.
    """
    with input_errors() as core:
        return dict(core.describe_floor_plan(arch, board, list(settings)))
