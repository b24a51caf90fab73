// SPDX-License-Identifier: Apache-2.0
// Waits until all cores are ready, and reads pages of one DRAM bank into L1 in several rounds, by stateful one-packet
// calls. Each round sets the state anew. Compile-time argument: bytes of a page. Runtime arguments: bank, address of
// the pages in the bank, number of pages, number of rounds, 0, address in L1, and the arguments of meet().

#include "dataflow_api.h"
#include "kernels/frame/device/meeting.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t page_bytes = get_compile_time_arg_val(0);
    const uint32_t bank = get_arg_val<uint32_t>(0);
    const uint32_t bank_address = get_arg_val<uint32_t>(1);
    const uint32_t num_pages = get_arg_val<uint32_t>(2);
    const uint32_t num_rounds = get_arg_val<uint32_t>(3);
    const uint32_t l1_address = get_arg_val<uint32_t>(5);

    meet(6);
    {
        DeviceZoneScopedN("READ");
        for (uint32_t round = 0; round < num_rounds; ++round) {
            uint64_t source = get_noc_addr_from_bank_id<true>(bank, bank_address);
            uint32_t target = l1_address;
            noc_async_read_one_packet_set_state(source, page_bytes);
            for (uint32_t page = 0; page < num_pages; ++page) {
                noc_async_read_one_packet_with_state(source, target);
                source += page_bytes;
                target += page_bytes;
            }
        }
        noc_async_read_barrier();
    }
}
