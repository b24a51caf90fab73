"""Programs of tests/device_kernels: their descriptions, and compilation requests for their kernels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from nocbench.compiling.request import BufferFormat, KernelRequest, TensorLayout

DIRECTORY = Path(__file__).resolve().parents[1] / "device_kernels"
DRAM_BANKS = {"wormhole_b0": 12, "blackhole": 8}
L1_BANKS = {"wormhole_b0": 64, "blackhole": 110}

MakeRequest = Callable[..., KernelRequest]

_SHARDED = 1
_IN_DRAM = 2


def program_files() -> list[Path]:
    return sorted(DIRECTORY.glob("*/*.yaml"))


def read_program(path: Path) -> dict[str, Any]:
    program: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return program


def layout_words(tensor: dict[str, Any], coordinates: list[tuple[int, int]]) -> tuple[int, ...]:
    """Returns the words that `TensorAccessorArgs` reads for a tensor; `coordinates` belong to its `shard_cores`."""
    kind = _IN_DRAM if tensor["memory"] == "dram" else 0
    if "shards" not in tensor:
        return (kind,)
    banks = [x << 8 | y for x, y in coordinates] + [0]
    pairs = [banks[index] | banks[index + 1] << 16 for index in range(0, len(coordinates), 2)]
    return (kind | _SHARDED, 1, len(coordinates), tensor["pages"], tensor["shards"], *pairs)


def kernel_requests(path: Path, architecture: str) -> list[KernelRequest]:
    """Returns requests for a program's kernels. NoC coordinates equal the logical ones, beginning with 1."""
    program = read_program(path)
    buffers = program.get("buffers", {})
    semaphores = program.get("semaphores", {})

    def layout(name: str) -> tuple[int, ...]:
        tensor = program["tensors"][name]
        return layout_words(tensor, [(x + 1, y + 1) for x, y in tensor.get("shard_cores", ())])

    requests = []
    for kernel in program["kernels"]:
        words: list[int] = []
        for word in kernel.get("compile_time_args", ()):
            words += [word] if isinstance(word, int) else layout(word.removeprefix("layout "))
        requests.append(
            KernelRequest(
                source=path.parent / kernel["file"],
                architecture=architecture,
                riscv=kernel["riscv"],
                noc=kernel.get("noc", kernel["riscv"]),
                num_dram_banks=DRAM_BANKS[architecture],
                num_l1_banks=L1_BANKS[architecture],
                compile_time_args=tuple(words),
                named_compile_time_args=kernel.get("named_compile_time_args", {}),
                runtime_arg_names=tuple(kernel.get("runtime_arg_names", ())),
                common_arg_names=tuple(kernel.get("common_arg_names", ())),
                buffers={id_: BufferFormat(said["page_bytes"], said.get("format")) for id_, said in buffers.items()},
                buffer_names={said["name"]: id_ for id_, said in buffers.items() if "name" in said},
                semaphore_names={said["name"]: id_ for id_, said in semaphores.items() if "name" in said},
                tensors={
                    name: TensorLayout(layout(name), program["tensors"][name]["page_bytes"])
                    for name in kernel.get("tensors", ())
                },
                defines=kernel.get("defines", {}),
            )
        )
    return requests


def write_request(directory: Path, text: str, **changes: object) -> KernelRequest:
    """Writes a source into a directory and returns a request for it, for Wormhole's riscv_0 unless changed."""
    source = directory / "kernel.cpp"
    source.write_text(text, encoding="utf-8")
    architecture = str(changes.get("architecture", "wormhole_b0"))
    settings: dict[str, object] = {
        "source": source,
        "architecture": architecture,
        "riscv": 0,
        "noc": 0,
        "num_dram_banks": DRAM_BANKS.get(architecture, 1),
        "num_l1_banks": L1_BANKS.get(architecture, 1),
    }
    return KernelRequest(**(settings | changes))  # type: ignore[arg-type]
