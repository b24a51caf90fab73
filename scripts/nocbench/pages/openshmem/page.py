"""The page of OpenSHMEM: numbers of the paper's text beside the model's, and its figures made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nocbench.drawing.pictures import Page, Picture
from nocbench.pages.epiphany.blocks import LEFT, NOTHING, RIGHT, Block, Table, signed_percent
from nocbench.pages.openshmem import calls as tests
from nocbench.pages.openshmem.calls import Calls, straight_line
from nocbench.pages.openshmem.figures import figure_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import jinja2
    import pandas

    from nocbench.pages.sections import Section

FOLDER = "openshmem_epiphany"
_COLUMNS = {"": LEFT, "paper": RIGHT, "model": RIGHT, "difference": RIGHT, "what it is": LEFT}
_LARGEST_BYTES = 8192
_PREDICTED = "prediction"


class _Claim(NamedTuple):
    """A number of the paper's text; `bound` says that the model is to be on this side of it."""

    name: str
    paper: float
    modeled: float | None
    unit: str
    what: str = _PREDICTED
    bound: str = ""

    def row(self) -> list[str]:
        paper = f"{self.bound} {self.paper:g} {self.unit}".strip()
        modeled = NOTHING if self.modeled is None else f"{self.modeled:.3g} {self.unit}".strip()
        difference = None
        if self.modeled is not None and not self.bound:
            difference = 100 * (self.modeled - self.paper) / self.paper
        return [self.name, paper, modeled, signed_percent(difference), self.what]


def openshmem_page(sections: Sequence[Section]) -> Page | None:
    """The page, from sections of an Epiphany; None if they hold no calls of OpenSHMEM."""
    calls = Calls(sections)
    if not calls:
        return None
    blocks = [_numbers(calls), *figure_blocks(calls), _doubts()]

    def render(environment: jinja2.Environment) -> str:
        return environment.get_template("openshmem.md.j2").render(
            arch=calls.arch, board=calls.board, blocks=[block.describe() for block in blocks]
        )

    pictures = [part for block in blocks for part in block.parts if isinstance(part, Picture)]
    return Page(FOLDER, pictures, render)


def _at(rows: pandas.DataFrame, size_bytes: int) -> float | None:
    """The time of a call of so many bytes, in ns."""
    found = rows.loc[rows["size_bytes"] == size_bytes, "nanoseconds"]
    return float(found.iloc[0]) if len(found) else None


def _numbers(calls: Calls) -> Block:
    put = _at(calls.of(tests.PUT), _LARGEST_BYTES)
    get = _at(calls.of(tests.GET, by="loads"), _LARGEST_BYTES)
    dma = _at(calls.of(tests.PUT_NBI, parts="1"), _LARGEST_BYTES)
    halves = _at(calls.of(tests.PUT_NBI, parts="2"), _LARGEST_BYTES)
    barriers = calls.of(tests.BARRIER)
    many = barriers.loc[barriers["pes"].astype(str).isin([str(number) for number in range(9, 17)]), "nanoseconds"]
    of_all = {kind: calls.of(tests.BARRIER_OF_ALL, barrier=kind)["nanoseconds"] for kind in ("vendor", "wand")}
    claims = [
        _Claim("put, 8 KiB", 2.4, None if put is None else _LARGEST_BYTES / put, "GB/s"),
        _Claim("put over get, 8 KiB", 10, None if put is None or get is None else get / put, ""),
        _Claim("non-blocking put, 8 KiB", 2.4, None if dma is None else _LARGEST_BYTES / dma, "GB/s", bound="<"),
        _Claim(
            "two halves over one call, 8 KiB (marginal, often worse)", 1,
            None if dma is None or halves is None else dma / halves, "", bound="about",
        ),
        _Claim(
            "dissemination barrier, mean of 9 to 16 PEs", 0.23, float(many.mean()) / 1000 if len(many) else None, "µs",
            "the work of a round, 16 instructions, is fitted to it",
        ),
        _Claim(
            "vendor's barrier, 16 cores", 2.0,
            float(of_all["vendor"].iloc[0]) / 1000 if len(of_all["vendor"]) else None, "µs",
            "a turn of its loops, 24 cycles beyond the access, is fitted to it",
        ),
        _Claim(
            "barrier by WAND", 0.1, float(of_all["wand"].iloc[0]) / 1000 if len(of_all["wand"]) else None, "µs",
            "input, with the call and the quiet around it",
        ),
    ]  # fmt: skip
    for number, rounds in ((2, 1), (4, 2), (8, 3), (16, 4)):
        fit = straight_line(calls.of(tests.BROADCAST, pes=str(number)))
        claims.append(
            _Claim(f"broadcast, slope with {number} PEs", round(2.4 / rounds, 3),
                   None if fit is None else fit.gigabytes_per_second[0], "GB/s")
        )  # fmt: skip
    block = Block("Numbers of the text")
    block.parts.append(
        "What the text of the paper says in numbers. A prediction comes of instructions, links and memory as the "
        "constants of `epiphany_iii` have them; an input has been put in."
    )
    block.parts.append(Table(_COLUMNS, [claim.row() for claim in claims]))
    return block


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
