"""Memory layouts of machines, for programs of compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from nocbench.architectures.files import require_architecture
from nocbench.extension import input_errors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Memories:
    """Memory layout of a machine.

    Attributes:
        arch: architecture.
        board: name of its board.
        translated: logical to translated coordinate, which kernels use, of each core of the compute grid, row by row.
        l1_banks: logical coordinate of the core of each bank in L1 that interleaved tensors go round.
        l1_begin: first address of L1 that programs may use.
        l1_bytes: end of L1.
        l1_alignment: alignment of pages.
        semaphores: address of each semaphore, by id.
        dram_banks: number of banks.
        dram_begin, dram_bank_bytes, dram_alignment: as for L1, of each bank.
        packet_bytes: most bytes of one packet.
        bank_of_tile: the bank behind a DRAM tile, by its physical coordinate.
        pcie_noc: coordinate, as kernels use it, of the PCIe tile before the host's memory; None: there is none.
        bank_tiles: for each NoC, the coordinate of each DRAM bank, as kernels on this NoC use it.
        bank_offsets: the address in its tile at which each DRAM bank begins.
        next_to_banks: for each NoC, the logical coordinate of the core next to each DRAM bank.
    """

    arch: str
    board: str
    translated: Mapping[tuple[int, int], tuple[int, int]]
    l1_banks: tuple[tuple[int, int], ...]
    l1_begin: int
    l1_bytes: int
    l1_alignment: int
    semaphores: Sequence[int]
    dram_banks: int
    dram_begin: int
    dram_bank_bytes: int
    dram_alignment: int
    packet_bytes: int
    bank_of_tile: Mapping[tuple[int, int], int]
    pcie_noc: tuple[int, int] | None
    bank_tiles: tuple[tuple[tuple[int, int], ...], ...]
    bank_offsets: Sequence[int]
    next_to_banks: tuple[tuple[tuple[int, int], ...], ...]

    @property
    def cores(self) -> tuple[tuple[int, int], ...]:
        """Logical coordinates, row by row."""
        return tuple(self.translated)


def memories_of(arch: str, board: str = "", settings: Sequence[tuple[str, str]] = ()) -> Memories:
    """Returns the memory layout of a machine.

    Raises:
        InputError: no such architecture, board or setting, or one that kernels cannot be compiled for.
    """
    require_architecture(arch)
    with input_errors() as core:
        facts = dict(core.describe_memories(arch, board, list(settings)))
    cores = {(x, y): (translated_x, translated_y) for x, y, translated_x, translated_y in facts.pop("cores")}
    banks = {(x, y): bank for x, y, bank in facts.pop("dram_tiles")}
    l1_banks = tuple(facts.pop("l1_banks"))
    facts["bank_tiles"] = tuple(map(tuple, facts["bank_tiles"]))
    facts["next_to_banks"] = tuple(map(tuple, facts["next_to_banks"]))
    return Memories(translated=cores, l1_banks=l1_banks, bank_of_tile=banks, **facts)
