"""Descriptions of architectures and their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nocbench.architectures.files import require_architecture
from nocbench.extension import input_errors, kept

if TYPE_CHECKING:
    from collections.abc import Sequence

TENSIX_TORUS = "tensix_torus"
EPIPHANY_MESH = "epiphany_mesh"
PLAIN_MESH = "plain_mesh"
WISHBONE_BRIDGE = "wishbone_bridge"
"""Kinds of architectures."""


def describe_architecture(arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Describes an architecture and its boards.

    Returns:
        name, kind, description, default_board, boards, num_dram_banks, and of the board clock_hz, flit_bytes,
        link_bytes_per_cycle and launch_skew_cycles.

    Raises:
        InputError: no such architecture, board or setting.
    """
    require_architecture(arch)
    with input_errors() as core:
        return dict(core.describe_architecture(arch, board, list(settings)))


@kept
def kind_of(arch: str) -> str:
    """Returns the kind of an architecture."""
    return str(describe_architecture(arch)["kind"])


def published_source(arch: str) -> str:
    """Returns the source of published measurements of an architecture: "silicon", or "RTL" for plain meshes."""
    return "RTL" if kind_of(arch) == PLAIN_MESH else "silicon"


@kept
def floor_plan(arch: str, board: str = "", settings: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    """Describes the grid: columns, rows, flit_bytes, per place x, y, kind and logical coordinate, and networks.

    Each network has a name, directions of its links by name, as a step along x and y, whether they wrap around the
    edges, and the flits that a link carries per cycle.
    """
    with input_errors() as core:
        return dict(core.describe_floor_plan(arch, board, list(settings)))
