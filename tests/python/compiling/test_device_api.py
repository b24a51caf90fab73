"""Headers offer everything under the paths and names used by kernels, in any order of includes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from nocbench.compiling.compiler import compile_kernel
from nocbench.compiling.request import ARCHITECTURES, COMPUTE_RISCS, BufferFormat, ComputeOptions
from nocbench.support.device_files import device_directory

if TYPE_CHECKING:
    from device_programs import MakeRequest

# Paths by which public kernels of both generations include headers.
_PATH_LIST = """
    accessor/tensor_accessor.h api/compile_time_args.h api/core_local_mem.h api/dataflow/circular_buffer.h
    api/dataflow/dataflow_api.h api/dataflow/dataflow_buffer.h api/dataflow/endpoints.h api/dataflow/noc.h
    api/dataflow/noc_semaphore.h api/debug/assert.h api/debug/dprint.h api/debug/dprint_pages.h api/debug/waypoint.h
    api/scratchpad.h api/tensor/noc_traits.h api/tensor/tensor_accessor.h ckernel.h dataflow_api.h debug/assert.h
    debug/dprint.h debug/dprint_pages.h debug/waypoint.h experimental/circular_buffer.h experimental/endpoints.h
    experimental/kernel_args.h experimental/noc.h experimental/noc_semaphore.h hostdevcommon/common_values.hpp
    internal/dataflow/dataflow_api_common.h internal/risc_attribs.h noc_nonblocking_api.h noc_parameters.h
    risc_attribs.h risc_common.h tensix_types.h tools/profiler/kernel_profiler.hpp tt-metalium/constants.hpp
    stdint.h stddef.h string.h stdlib.h
    algorithm array bit climits concepts cstddef cstdint cstdlib cstring functional initializer_list iterator limits
    numeric optional span tuple type_traits utility
"""
PATHS = _PATH_LIST.split()

# Names unused in the kernels of tests/device_kernels.
FURTHER_CALLS = """
    ALWI_FUNCTION();
    static_assert(tt::constants::TILE_HEIGHT * tt::constants::TILE_WIDTH == tt::constants::TILE_HW);
    static_assert(NUM_CIRCULAR_BUFFERS == 32 && get_tile_hw(0) == 1024 && get_tile_size(0) == 2048);
    static_assert(get_dataformat(0) == DataFormat::Float16_b);
    const uint32_t l1 = *reinterpret_cast<tt_l1_ptr uint32_t*>(get_arg_addr(3));
    const uint64_t tile = get_noc_addr(my_x[noc_index], my_y[noc_index], l1);
    const uint64_t rectangle = get_noc_multicast_addr(1, 2, 3, 4, l1);
    noc_async_read_one_packet(tile, l1, 64);
    noc_async_read_barrier();
    noc_inline_dw_write_set_state<false, true>(tile, 5);
    noc_inline_dw_write_with_state<true, true, false, false, true>(6, l1);
    noc_inline_dw_write<InlineWriteDst::REG>(tile, 7);
    noc_semaphore_set_multicast_loopback_src(get_semaphore(1), rectangle, 4);
    noc_semaphore_inc_multicast(rectangle, 1, 3);
    noc_semaphore_inc<true>(tile, 2);
    noc_async_full_barrier();
    reset_noc_trid_barrier_counter();
    while (!cb_pages_reservable_at_back(0, 1)) {
    }
    get_local_cb_interface(0).fifo_wr_ptr += 16;
    const auto pages = TensorAccessor(TensorAccessorArgs<0>(), l1, 100);
    static_assert(TensorAccessorArgs<0>::is_dram && !TensorAccessorArgs<0>::is_sharded);
    const uint32_t bytes = pages.get_aligned_page_size() + pages.get_bank_base_address();
    const auto shards = TensorAccessor(TensorAccessorArgs<1>(), l1, 64);
    noc_async_write_shard(1, shards, l1);
    const uint32_t local = shards.is_local_page(3) || shards.is_local_shard(1) ? 1 : 0;
    const uint32_t place = get_relative_logical_x() + get_relative_logical_y();
    Semaphore first(1);
    Semaphore second(2);
    Noc noc;
    first.relay_multicast<Noc::McastMode::INCLUDE_SRC>(noc, second, 1, 2, 3, 4, 4);
    first.inc_multicast(noc, 1, 2, 3, 4, 1, 3);
    first.set_remote(noc, 1, 2);
    noc.set_inline_dw_write_state(UnicastEndpoint{}, 1, {.noc_x = 1, .noc_y = 2, .addr = l1});
    noc.inline_dw_write_with_state(UnicastEndpoint{}, 2, {.noc_x = 1, .noc_y = 2, .addr = l1});
    noc.inline_dw_write<InlineWriteDst::L1>(UnicastEndpoint{}, 3, {.noc_x = 1, .noc_y = 2, .addr = l1});
    noc.async_writes_flushed<Noc::ResponseMode::POSTED>();
    noc.async_full_barrier();
    volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(l1);
    words[0] = bytes + local + place;
    std::memcpy(reinterpret_cast<void*>(l1 + 64), reinterpret_cast<void*>(l1), bytes);
    std::memset(reinterpret_cast<void*>(l1), 0, bytes);
    riscv_wait(100);
    DPRINT("{} of {}\\n", words[0], bytes);
    DPRINT << TSLICE(0, 0, SliceRange::h0_w0_32()) << BF16(3) << ENDL();
"""


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("backwards", [False, True])
def test_all_headers_in_any_order(architecture: str, backwards: bool, make_request: MakeRequest) -> None:
    headers = device_directory() / "include"
    own = sorted(str(path.relative_to(headers)) for path in headers.rglob("*.h*") if path.parent.name != "compute")
    paths = sorted({*own, *PATHS}, reverse=backwards)
    text = "".join(f'#include "{path}"\n' if "." in path else f"#include <{path}>\n" for path in paths)
    kernel = compile_kernel(make_request(text + "void kernel_main() {}\n", architecture=architecture))
    assert kernel.messages == ""


@pytest.mark.parametrize("riscv", COMPUTE_RISCS)
@pytest.mark.parametrize("backwards", [False, True])
def test_all_headers_of_compute_kernels_in_any_order(riscv: int, backwards: bool, make_request: MakeRequest) -> None:
    names = [
        name
        for name in (device_directory() / "compute_headers.txt").read_text().splitlines()
        if not name.startswith("#")
    ]
    paths = [f"{folder}/{name}" for folder in ("compute_kernel_api", "api/compute") for name in names]
    text = "".join(f'#include "{path}"\n' for path in sorted([*paths, "compute_kernel_api.h"], reverse=backwards))
    request = make_request(text + "void kernel_main() {}\n", riscv=riscv, noc=0, compute=ComputeOptions())
    assert compile_kernel(request).messages == ""


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("riscv", "optimisation"), [(0, "-O2"), (1, "-O2"), (0, "-O1"), (0, "-O3"), (1, "-Os")])
def test_names_that_few_kernels_use(
    architecture: str, riscv: int, optimisation: str, make_request: MakeRequest
) -> None:
    text = "".join(f'#include "{path}"\n' if "." in path else f"#include <{path}>\n" for path in PATHS)
    text += "ALWI void ALWI_FUNCTION() {}\nvoid kernel_main() {" + FURTHER_CALLS + "}\n"
    request = make_request(
        text,
        architecture=architecture,
        riscv=riscv,
        noc=riscv,
        optimisation=optimisation,
        compile_time_args=(2, 1, 1, 2, 8, 4, 0x0102_0101),
        buffers={0: BufferFormat(2048, "Float16_b")},
    )
    assert compile_kernel(request).messages == ""


@pytest.mark.parametrize(
    "header", ["dataflow_api.h", "api/dataflow/noc.h", "api/tensor/noc_traits.h", "experimental/noc.h"]
)
def test_a_header_stands_alone(header: str, make_request: MakeRequest) -> None:
    assert compile_kernel(make_request(f'#include "{header}"\nvoid kernel_main() {{}}\n')).messages == ""


def test_asserts_can_be_left_out(make_request: MakeRequest) -> None:
    text = (
        '#include "api/debug/assert.h"\nvoid kernel_main() {\n'
        "    ASSERT(*reinterpret_cast<volatile unsigned*>(0x10000) == 3);\n}\n"
    )
    checked = compile_kernel(make_request(text))
    unchecked = compile_kernel(make_request(text, defines={"NOCBENCH_ASSERTS": "0"}))
    assert checked.section_bytes[".text"] > unchecked.section_bytes[".text"]
    assert b"== 3" in checked.elf
    assert f"{make_request(text).source}:3".encode() in checked.elf


def test_a_macro_can_have_parameters(make_request: MakeRequest) -> None:
    text = "void kernel_main() { static_assert(PRODUCT(3, 2) == 6); }\n"
    assert compile_kernel(make_request(text, defines={"PRODUCT(i, j)": "(i) * (j)"})).messages == ""


def test_constructors_of_globals_run_first(make_request: MakeRequest) -> None:
    text = (
        "struct Counter {\n    unsigned start;\n"
        "    Counter() : start(*reinterpret_cast<volatile unsigned*>(0x10000)) {}\n};\n"
        "Counter counter;\nvoid kernel_main() { *reinterpret_cast<volatile unsigned*>(0x10004) = counter.start; }\n"
    )
    assert compile_kernel(make_request(text)).section_bytes[".init_array"] == 4


def test_without_optimisation(make_request: MakeRequest) -> None:
    text = (
        '#include "dataflow_api.h"\nvoid kernel_main() {\n    DeviceZoneScopedN("copy");\n'
        "    noc_async_write(get_arg_val<uint32_t>(0), get_noc_addr(1, 2, 0x10000), 64);\n"
        "    noc_async_write_barrier();\n}\n"
    )
    assert compile_kernel(make_request(text, optimisation="-O0")).messages == ""


def test_no_header_includes_itself() -> None:
    """A name in quotes is first looked up in the header's own folder: forwarding to the same name takes <>."""
    headers = sorted(device_directory().rglob("*.h*"))
    assert len(headers) > 50
    for header in headers:
        for name in re.findall(r'^#include "([^"]+)"', header.read_text(), re.MULTILINE):
            assert (header.parent / name).resolve() != header.resolve(), f"{header}: {name}"
