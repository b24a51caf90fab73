// SPDX-License-Identifier: Apache-2.0
// Reads the blocks of an operand interleaved over DRAM banks, and waits for each. Compile-time arguments: bytes of a
// block, layout of the operand. Runtime arguments: number of blocks, number of distinct blocks, address of the operand,
// the core's first block in the operand, address of the blocks in L1.

#include "accessor/tensor_accessor.h"
#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    constexpr auto layout = TensorAccessorArgs<1>();
    const uint32_t num_blocks = get_arg_val<uint32_t>(0);
    const uint32_t num_places = get_arg_val<uint32_t>(1);
    const uint32_t operand_address = get_arg_val<uint32_t>(2);
    const uint32_t first_block = get_arg_val<uint32_t>(3);
    const uint32_t address = get_arg_val<uint32_t>(4);
    constexpr uint32_t stride_bytes = align_power_of_2(block_bytes, DRAM_ALIGNMENT);

    DeviceZoneScopedN("READ");
    const auto operand = TensorAccessor(layout, operand_address, block_bytes);
    uint32_t place = 0;
    for (uint32_t block = 0; block < num_blocks; ++block) {
        noc_async_read_page(first_block + place, operand, address + place * stride_bytes);
        noc_async_read_barrier();
        place = place + 1 == num_places ? 0 : place + 1;
    }
}
