"""The page of OpenSHMEM: numbers of the paper's text beside the model's, and its figures made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.drawing.pictures import Page, Picture
from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, signed_percent
from nocbench.pages.openshmem.figures import figure_blocks
from nocbench.pages.origins import medians_in_words
from nocbench.points import simulator
from nocbench.published.fitted_rows import how_earned
from nocbench.published.shmem_calls import Calls
from nocbench.published.shmem_numbers import paper_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2

    from nocbench.pages.sections import Section
    from nocbench.published.shmem_numbers import PaperNumber

FOLDER = "openshmem_epiphany"
_COLUMNS = {"": LEFT, "paper": RIGHT, "model": RIGHT, "difference": RIGHT, "published row": LEFT}


def openshmem_page(sections: Sequence[Section]) -> Page | None:
    """The page, from sections of an Epiphany; None if they hold no calls of OpenSHMEM."""
    arch = sections[0].arch
    board = str(simulator.describe_architecture(arch)["default_board"])
    nothing_set = [section for section in sections if not section.params and section.board in (board, "")]
    calls = Calls(arch, board, {section.test: section.results for section in nothing_set})
    if not calls:
        return None
    blocks = [_numbers(calls), *figure_blocks(calls), _doubts()]

    def render(environment: jinja2.Environment) -> str:
        return environment.get_template("openshmem.md.j2").render(
            arch=calls.arch, board=calls.board, blocks=[block.describe() for block in blocks]
        )

    pictures = [part for block in blocks for part in block.parts if isinstance(part, Picture)]
    return Page(FOLDER, pictures, render)


def _numbers(calls: Calls) -> Block:
    numbers = paper_numbers(calls)
    errors = [
        (abs(number.difference_percent), bool(number.constants))
        for number in numbers
        if number.difference_percent is not None
    ]
    block = Block("Numbers of the text")
    block.parts.append(
        "This table has the numbers of the paper's text. No constant was fitted to a number that was never seen. The "
        "model's figure follows from instructions, links and memory, with the constants of `epiphany_iii`."
    )
    block.parts.append(Table(_COLUMNS, [_row(number) for number in numbers]))
    if errors:
        block.parts.append(f"Bounds do not count here. {medians_in_words(errors, 'number')}")
    return block


def _row(number: PaperNumber) -> list[str]:
    paper = f"{number.bound} {number.published:g} {number.unit}".strip()
    modeled = NOTHING if number.modeled is None else f"{number.modeled:.3g} {number.unit}".strip()
    difference = signed_percent(number.difference_percent)
    return [number.name, paper, modeled, difference, how_earned(number.constants)]


def _doubts() -> Block:
    block = Block("Where the paper and its library are not followed")
    block.parts.append(
        "The document does not say everything the same way twice, and its library differs from what OpenSHMEM 1.3 asks "
        "for. Here the specification counts."
    )
    rows = [
        ["Get by interrupt turns over at 64 bytes", "128 bytes in every public version of the library"],
        [
            "Memory of a dissemination barrier, 8 log2 N bytes",
            ("that of `barrier_all`; an array of `shmem_barrier` has 4 log2 N bytes"),
        ],
        [
            "fcollect by recursive doubling",
            (
                "the first public version has it for powers of two; since April 2017 every PE "
                "sends its block to all (`--algorithms later`)"
            ),
        ],
        ["`quiet` and `fence` look at the DMA engines only", "`quiet` waits for stores that are under way, too"],
        ["An atomic set is a store, and may get lost", "it takes the lock of its type"],
        ["A second broadcast can overtake the first", "it waits until the flag before has been seen"],
        ["`collect` hangs if the first PEs have nothing", "what is passed on is one more than the offset"],
        ["`alltoall` sends its first block to all", "each PE gets its own"],
        [
            "In place, a reduction of another number of PEs than a power of two is wrong",
            ("it is right, and takes a third of the work array at a time"),
        ],
        [
            "Memory is allocated without a barrier, and freed in reverse order",
            ("a barrier, and any order; `--bump-heap` has the paper's heap, with a warning where its rule matters"),
        ],
        [
            "A copy of misaligned blocks copies 4 bytes too many when bit 2 of the size is set",
            ("right for each alignment and size"),
        ],
    ]
    block.parts.append(Table({"paper or public source": LEFT, "here": LEFT}, rows))
    return block
