// SPDX-License-Identifier: Apache-2.0
// Multicasts the blocks of an operand to the other cores of a rectangle, each when all have space for it. Compile-time
// argument: bytes of a block. Runtime arguments: number of blocks, number of distinct blocks, address of the blocks on
// all cores, x and y of the first and of the last core, number of receivers, semaphore that receivers increment,
// semaphore that announces a block.

#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t block_bytes = get_compile_time_arg_val(0);
    const uint32_t num_blocks = get_arg_val<uint32_t>(0);
    const uint32_t num_places = get_arg_val<uint32_t>(1);
    const uint32_t address = get_arg_val<uint32_t>(2);
    const uint32_t first_x = get_arg_val<uint32_t>(3);
    const uint32_t first_y = get_arg_val<uint32_t>(4);
    const uint32_t last_x = get_arg_val<uint32_t>(5);
    const uint32_t last_y = get_arg_val<uint32_t>(6);
    const uint32_t num_receivers = get_arg_val<uint32_t>(7);
    const uint32_t ready = get_semaphore(get_arg_val<uint32_t>(8));
    const uint32_t arrived = get_semaphore(get_arg_val<uint32_t>(9));
    auto* const ready_word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(ready);
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(arrived) = 1;
    constexpr uint32_t stride_bytes = align_power_of_2(block_bytes, DRAM_ALIGNMENT);

    DeviceZoneScopedN("SEND");
    // The corners in the order of the NoC, which tt-metal leaves to programs: without comparisons at run time.
    const auto receivers = [&](uint32_t address) {
        return noc_index == 0 ? NOC_MULTICAST_ADDR(first_x, first_y, last_x, last_y, address)
                              : NOC_MULTICAST_ADDR(last_x, last_y, first_x, first_y, address);
    };
    const uint64_t flags = receivers(arrived);
    uint32_t place = 0;
    for (uint32_t block = 0; block < num_blocks; ++block) {
        const uint32_t block_address = address + place * stride_bytes;
        place = place + 1 == num_places ? 0 : place + 1;
        noc_semaphore_wait(ready_word, num_receivers);
        noc_semaphore_set(ready_word, 0);
        noc_async_write_multicast(block_address, receivers(block_address), block_bytes, num_receivers, true);
        noc_semaphore_set_multicast(arrived, flags, num_receivers);
        noc_async_write_barrier();
    }
}
