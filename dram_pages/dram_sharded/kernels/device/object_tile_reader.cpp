// SPDX-License-Identifier: Apache-2.0
// Equals tile_reader.cpp, but uses the object API.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t tile_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_tiles = get_compile_time_arg_val(1);
    const uint32_t num_transactions = get_arg_val<uint32_t>(0);
    const uint32_t num_banks = get_arg_val<uint32_t>(1);
    const uint32_t bank_address = get_arg_val<uint32_t>(2);
    const uint32_t l1_address = get_arg_val<uint32_t>(3);

    Noc noc;
    const AllocatorBank<AllocatorBankType::DRAM> banks;
    const CoreLocalMem<uint32_t> target(l1_address);
    {
        DeviceZoneScopedN("READ");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            uint32_t target_offset = 0;
            for (uint32_t bank = 0; bank < num_banks; ++bank) {
                noc.set_async_read_state<tile_bytes>(banks, tile_bytes, {.bank_id = bank, .addr = bank_address});
                for (uint32_t tile = 0; tile < num_tiles; ++tile) {
                    noc.async_read_with_state<tile_bytes>(banks, target, tile_bytes,
                                                          {.bank_id = bank, .addr = bank_address + tile * tile_bytes},
                                                          {.offset_bytes = target_offset});
                    target_offset += tile_bytes;
                }
            }
        }
        noc.async_read_barrier();
    }
}
