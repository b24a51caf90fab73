"""The folders of primitives in the repository."""

from __future__ import annotations

_FOLDERS_OF_KINDS = {
    "dram_pages": ("dram_sharded", "interleaved_pages", "multi_interleaved"),
    "epiphany": ("block_copy", "host_transfer", "mesh_traffic"),
    "openshmem": ("shmem_collectives", "shmem_transfers"),
    "single_words": ("atomic_semaphore", "inline_direct_write"),
    "tensor_operations": (
        "conv_halo",
        "deinterleave",
        "interleaved_to_sharded",
        "matmul_movement",
        "reshard",
        "row_copies",
    ),
}
_KINDS = {name: kind for kind, names in _FOLDERS_OF_KINDS.items() for name in names}


def folder_of(primitive: str) -> str:
    """Returns the path of a primitive in the repository: at the top, or in the folder of its kind."""
    kind = _KINDS.get(primitive)
    return primitive if kind is None else f"{kind}/{primitive}"
