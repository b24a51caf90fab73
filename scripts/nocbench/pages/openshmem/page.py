"""The page of OpenSHMEM: numbers in the paper's text beside the model's, and the paper's figures redrawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, blocks_page, signed_percent
from nocbench.pages.openshmem.figures import figure_blocks
from nocbench.pages.origins import medians_in_words
from nocbench.published.fitted_rows import how_earned
from nocbench.published.shmem_calls import Calls
from nocbench.published.shmem_numbers import paper_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nocbench.drawing.pictures import Page
    from nocbench.pages.sections import Section
    from nocbench.published.shmem_numbers import PaperNumber

FOLDER = "openshmem_epiphany"
_COLUMNS = {"": LEFT, "paper": RIGHT, "model": RIGHT, "difference": RIGHT, "published row": LEFT}


def openshmem_page(sections: Sequence[Section]) -> Page | None:
    """Makes the page, from sections of an Epiphany; None without OpenSHMEM calls."""
    board = sections[0].architecture.default_board
    nothing_set = [section for section in sections if not section.params and section.board in (board, "")]
    calls = Calls(sections[0].arch, board, {section.test: section.results for section in nothing_set})
    if not calls:
        return None
    blocks = [_numbers(calls), *figure_blocks(calls), _doubts()]
    return blocks_page(FOLDER, "openshmem.md.j2", blocks, arch=calls.arch, board=calls.board)


def _numbers(calls: Calls) -> Block:
    numbers = paper_numbers(calls)
    errors = [
        (abs(number.difference_percent), bool(number.constants))
        for number in numbers
        if number.difference_percent is not None
    ]
    block = Block("Numbers of the text")
    block.parts.append(
        "The table compares the numbers in the text of the paper with the model. A number is *never seen* if no "
        "constant was fitted to it. The number of the model then follows only from instructions, links and memory, "
        "with the constants of `epiphany_iii`."
    )
    block.parts.append(Table(_COLUMNS, [_row(number) for number in numbers]))
    if errors:
        block.parts.append(f"Rows with a bound are not counted here. {medians_in_words(errors, 'number')}")
    return block


def _row(number: PaperNumber) -> list[str]:
    paper = f"{number.bound} {number.published:g} {number.unit}".strip()
    modeled = NOTHING if number.modeled is None else f"{number.modeled:.3g} {number.unit}".strip()
    difference = signed_percent(number.difference_percent)
    return [number.name, paper, modeled, difference, how_earned(number.constants)]


def _doubts() -> Block:
    block = Block("Where the paper and its library are not followed")
    block.parts.append(
        "The paper contradicts itself in some places, and its library differs from OpenSHMEM 1.3. In these cases, "
        "nocbench follows the specification."
    )
    rows = [
        [
            ("The limit for a get by interrupt is 64 bytes. In every public version of the library, it is 128 bytes."),
            "The default limit is 64 bytes. `--get-by-interrupt-above` sets another limit.",
        ],
        [
            "A dissemination barrier needs 8 log2 N bytes of memory.",
            "This is true for `barrier_all`. The array of `shmem_barrier` has 4 log2 N bytes.",
        ],
        [
            (
                "`fcollect` uses recursive doubling. In public versions since April 2017, every PE sends its block to "
                "all PEs."
            ),
            (
                "`fcollect` uses recursive doubling if the number of PEs is a power of two. `--algorithms later` "
                "selects the later algorithm."
            ),
        ],
        ["`quiet` and `fence` wait only for the DMA engines.", "`quiet` also waits for stores that are under way."],
        ["An atomic set is a store, and its value may be lost.", "An atomic set takes the lock of its type."],
        [
            "A second broadcast can overtake the first broadcast.",
            "The second broadcast waits until the flag of the first broadcast has been read.",
        ],
        ["`collect` hangs if the first PEs have no data.", "The PEs pass on the offset plus one, which is never zero."],
        ["`alltoall` sends its first block to all PEs.", "Each PE gets its own block."],
        [
            "A reduction in place has a wrong result if the number of PEs is not a power of two.",
            "The result is right. The reduction then uses a third of the work array at a time.",
        ],
        [
            "An allocation is not a barrier. Blocks must be freed in reverse order.",
            (
                "An allocation is a barrier, and blocks may be freed in any order. `--bump-heap` selects the heap of "
                "the paper, and prints a warning where its rule matters."
            ),
        ],
        [
            "A copy of misaligned blocks copies 4 bytes too many if bit 2 of the size is set.",
            "The copy is right for each alignment and size.",
        ],
    ]
    block.parts.append(Table({"paper or public source": LEFT, "nocbench": LEFT}, rows))
    return block
