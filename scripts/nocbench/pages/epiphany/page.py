"""The page of an Epiphany, whose published figures are speeds of transfers instead of tables of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.pages.epiphany.blocks import blocks_page
from nocbench.pages.epiphany.constants_blocks import constants_block, contradictions_block, what_if_block
from nocbench.pages.epiphany.mesh_blocks import active_block, busy_block, loads_block, traffic_block
from nocbench.pages.epiphany.published_block import published_block
from nocbench.pages.epiphany.runs import Runs
from nocbench.pages.epiphany.size_blocks import size_blocks
from nocbench.pages.epiphany.time_diagrams import time_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.drawing.pictures import Page
    from nocbench.pages.epiphany.blocks import Block
    from nocbench.pages.sections import Section


def transfers_page(arch: str, sections: Sequence[Section]) -> Page:
    """Returns the page of an architecture with published speeds of transfers."""
    runs = Runs.of(sections)
    description = runs.architecture.description
    return blocks_page(arch, "transfers.md.j2", blocks_of(runs), arch=arch, board=runs.board, description=description)


def blocks_of(runs: Runs) -> list[Block]:
    """Returns the blocks with sufficient results, in the order of the page."""
    found = [
        published_block(runs),
        *size_blocks(runs),
        time_block(runs),
        busy_block(runs),
        active_block(runs),
        loads_block(runs),
        traffic_block(runs),
    ]
    blocks = [block for block in found if block is not None]
    headings = [block.heading for block in blocks]
    blocks += [constants_block(runs, headings), contradictions_block(runs, headings)]
    what_if = what_if_block(runs)
    return blocks if what_if is None else [*blocks, what_if]
