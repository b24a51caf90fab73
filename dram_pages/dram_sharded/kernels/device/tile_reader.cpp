// SPDX-License-Identifier: Apache-2.0
// Reads tiles from one DRAM bank after another into L1, repeatedly, by stateful one-packet calls. Compile-time
// arguments: bytes of a tile, tiles of a bank. Runtime arguments: number of transactions, number of banks, address of
// the tiles in each bank, address in L1.

#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t tile_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_tiles = get_compile_time_arg_val(1);
    const uint32_t num_transactions = get_arg_val<uint32_t>(0);
    const uint32_t num_banks = get_arg_val<uint32_t>(1);
    const uint32_t bank_address = get_arg_val<uint32_t>(2);
    const uint32_t l1_address = get_arg_val<uint32_t>(3);

    {
        DeviceZoneScopedN("READ");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            uint32_t target = l1_address;
            for (uint32_t bank = 0; bank < num_banks; ++bank) {
                const uint64_t bank_start = get_noc_addr_from_bank_id<true>(bank, bank_address);
                noc_async_read_one_packet_set_state(bank_start, tile_bytes);
                uint32_t source = static_cast<uint32_t>(bank_start);
                for (uint32_t tile = 0; tile < num_tiles; ++tile) {
                    noc_async_read_one_packet_with_state(source, target);
                    source += tile_bytes;
                    target += tile_bytes;
                }
            }
        }
        noc_async_read_barrier();
    }
}
