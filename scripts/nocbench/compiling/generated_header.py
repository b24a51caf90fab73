"""Header with a kernel's compile-time values as macros and names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nocbench.compiling.request import COMPUTE_RISCS, COMPUTE_THREADS, DATA_FORMATS, NOC_MODES, NUM_BUFFERS, TILE_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nocbench.compiling.request import ComputeOptions, KernelRequest

_ARCHITECTURE_MACROS = {"wormhole_b0": "ARCH_WORMHOLE", "blackhole": "ARCH_BLACKHOLE"}
_RISC_MACROS = ("COMPILE_FOR_BRISC", "COMPILE_FOR_NCRISC")
_NO_FORMAT = 0xFF


def generated_header(request: KernelRequest) -> str:
    """Returns the text of the header that is included before the kernel.

    Macros and namespaces have the names of tt-metal.
    """
    if request.tt_metal is not None:
        return "\n".join([*_macros(request), ""])
    return "\n".join([*_macros(request), "", '#include "nocbench/tokens.h"', "", *_names(request), ""])


def _macros(request: KernelRequest) -> Iterator[str]:
    yield "#pragma once"
    yield f'#define NOCBENCH_KERNEL_FILE "{request.source.absolute()}"'
    yield "#define KERNEL_BUILD 1"
    if request.compute is None:
        yield f"#define {_RISC_MACROS[request.riscv]} 1"
    else:
        yield from _compute_macros(request.compute, COMPUTE_RISCS.index(request.riscv))
    yield f"#define {_ARCHITECTURE_MACROS[request.architecture]} 1"
    yield f"#define NOC_INDEX {request.noc}"
    yield f"#define NOC_MODE {NOC_MODES.index(request.noc_mode)}"
    for kind, number in (("DRAM", request.num_dram_banks), ("L1", request.num_l1_banks)):
        yield f"#define NUM_{kind}_BANKS {number}"
        if number & (number - 1):
            yield f"#define IS_NOT_POW2_NUM_{kind}_BANKS 1"
        else:
            yield f"#define LOG_BASE_2_OF_NUM_{kind}_BANKS {number.bit_length() - 1}"
    if request.pcie_noc is not None:
        yield f"#define PCIE_NOC_X {request.pcie_noc[0]}"
        yield f"#define PCIE_NOC_Y {request.pcie_noc[1]}"
    words = ", ".join(_word(value) for value in request.all_compile_time_args)
    yield f"#define KERNEL_COMPILE_TIME_ARGS {words}".rstrip()
    pairs = "".join(f'{{"{name}", {_word(value)}}}, ' for name, value in request.named_compile_time_args.items())
    yield f"#define KERNEL_COMPILE_TIME_ARG_MAP {pairs}".rstrip()
    tables = [request.buffers.get(id_) for id_ in range(NUM_BUFFERS)]
    tiles = ", ".join("0" if buffer is None else str(buffer.tile_bytes) for buffer in tables)
    formats = ", ".join(
        str(_NO_FORMAT if buffer is None or buffer.data_format is None else DATA_FORMATS[buffer.data_format])
        for buffer in tables
    )
    yield f"#define NOCBENCH_BUFFER_TILE_BYTES {tiles}"
    yield f"#define NOCBENCH_BUFFER_FORMATS {formats}"
    rows = ", ".join(str(TILE_ROWS[-1] if buffer is None else buffer.tile_rows) for buffer in tables)
    yield f"#define NOCBENCH_BUFFER_TILE_ROWS {rows}"
    yield f"#define NOCBENCH_NUMBER_OF_COMPILE_TIME_ARGUMENTS {len(request.compile_time_args)}"
    if request.page_bytes_in_layouts:
        yield "#define NOCBENCH_PAGE_BYTES_IN_LAYOUTS 1"
    yield f"#define NOCBENCH_NUMBER_OF_NAMED_ARGUMENTS {len(request.runtime_arg_names)}"
    yield f"#define NOCBENCH_NUMBER_OF_NAMED_COMMON_ARGUMENTS {request.num_named_common_args}"


def _compute_macros(compute: ComputeOptions, thread: int) -> Iterator[str]:
    name = COMPUTE_THREADS[thread].upper()
    yield f"#define COMPILE_FOR_TRISC {thread}"
    yield f"#define TRISC_{name} 1"
    yield f"#define UCK_CHLKC_{name} 1"
    # Kernels before 2026 have their entry in a namespace of the thread.
    yield "#define NAMESPACE"
    yield "#define MAIN kernel_main()"
    fidelity = {1: 0, 2: 2, 3: 3, 4: 4}[compute.fidelity_phases]
    # Constants, as in tt-metal: kernels ask by #ifdef whether a program defines a macro of the same name.
    yield f"constexpr int MATH_FIDELITY = {fidelity};"
    yield f"constexpr bool DST_ACCUM_MODE = {str(compute.has_wide_dst).lower()};"
    yield f"constexpr bool APPROX = {str(compute.approximates).lower()};"
    yield f"#define DST_SYNC_MODE DstSync::Sync{'Full' if compute.has_whole_dst else 'Half'}"
    word = int(compute.has_wide_dst) | int(compute.has_whole_dst) << 1 | compute.fidelity_phases << 2
    yield f"#define NOCBENCH_COMPUTE_CONFIGURATION {_word(word)}"
    yield f"#define NOCBENCH_EXACT_BUFFERS {_word(compute.exact_buffers)}"


def _names(request: KernelRequest) -> Iterator[str]:
    yield "namespace args {"
    for index, name in enumerate(request.runtime_arg_names):
        yield f"[[maybe_unused]] constexpr nocbench::RuntimeArgument<> {name}{{{4 * index}}};"
    for index, name in enumerate(request.common_arg_names):
        yield f"[[maybe_unused]] constexpr nocbench::CommonArgument<> {name}{{{4 * index}}};"
    for name, value in request.named_compile_time_args.items():
        if name.isidentifier():
            yield f"[[maybe_unused]] constexpr nocbench::CompileTimeArgument<> {name}{{{_word(value)}}};"
    yield "}"
    yield "namespace dfb {"
    for name, id_ in request.buffer_names.items():
        yield f"[[maybe_unused]] constexpr nocbench::BufferToken {name}{{{id_}}};"
    yield "}"
    yield "namespace sem {"
    for name, id_ in request.semaphore_names.items():
        yield f"[[maybe_unused]] constexpr nocbench::SemaphoreToken {name}{{{id_}}};"
    yield "}"
    yield "namespace tensor {"
    for name, layout in request.tensors.items():
        layout_argument = request.tensor_layout_argument(name)
        address_offset = 4 * request.tensor_address_argument(name)
        token = f"nocbench::TensorToken<{layout_argument}, {address_offset}, {layout.page_bytes}>"
        yield f"[[maybe_unused]] constexpr {token} {name}{{}};"
    yield "}"
    yield "namespace scratch {"
    for name, size in request.scratchpads.items():
        argument = request.scratchpad_argument(name)
        yield f"[[maybe_unused]] constexpr nocbench::ScratchpadToken {name}{{{argument}, {size}}};"
    yield "}"


def _word(value: int) -> str:
    return f"{value & 0xFFFFFFFF}u"
