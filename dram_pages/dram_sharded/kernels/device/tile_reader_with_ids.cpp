// SPDX-License-Identifier: Apache-2.0
// Equals tile_reader.cpp, but has a transaction id for the tiles of each bank. An id is reused when all its tiles have
// arrived.

#include "dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t tile_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t num_tiles = get_compile_time_arg_val(1);
    constexpr uint32_t last_id = 15;  // id 0 stands for calls without id
    const uint32_t num_transactions = get_arg_val<uint32_t>(0);
    const uint32_t num_banks = get_arg_val<uint32_t>(1);
    const uint32_t bank_address = get_arg_val<uint32_t>(2);
    const uint32_t l1_address = get_arg_val<uint32_t>(3);

    {
        DeviceZoneScopedN("READ");
        uint32_t id = 1;
        for (uint32_t i = 0; i < num_transactions; ++i) {
            uint32_t target = l1_address;
            for (uint32_t bank = 0; bank < num_banks; ++bank) {
                noc_async_read_barrier_with_trid(id);
                const uint64_t bank_start = get_noc_addr_from_bank_id<true>(bank, bank_address);
                noc_async_read_one_packet_set_state(bank_start, tile_bytes);
                noc_async_read_set_trid(id);
                uint32_t source = 0;
                for (uint32_t tile = 0; tile < num_tiles; ++tile) {
                    noc_async_read_one_packet_with_state_with_trid(static_cast<uint32_t>(bank_start), source, target,
                                                                   id);
                    source += tile_bytes;
                    target += tile_bytes;
                }
                id = id == last_id ? 1 : id + 1;
            }
        }
        for (uint32_t last = 1; last <= last_id; ++last) {
            noc_async_read_barrier_with_trid(last);
        }
        noc_async_read_set_trid(0);
    }
}
