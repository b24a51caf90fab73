// SPDX-License-Identifier: Apache-2.0
// Writes under four transaction ids round-robin. A slot is refilled only when its last write has arrived.

#include "dataflow_api.h"

constexpr uint32_t num_slots = 4;
constexpr uint32_t slot_bytes = get_compile_time_arg_val(0);
constexpr uint32_t num_blocks = get_compile_time_arg_val(1);

void kernel_main() {
    const uint32_t slots = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    const uint32_t noc_x = get_arg_val<uint32_t>(2);
    const uint32_t noc_y = get_arg_val<uint32_t>(3);

    for (uint32_t block = 0; block < num_blocks; ++block) {
        const uint32_t slot = block % num_slots;
        const uint32_t id = slot + 1;
        const uint32_t source = slots + slot * slot_bytes;
        noc_async_write_barrier_with_trid(id);
        volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(source);
        for (uint32_t i = 0; i < slot_bytes / sizeof(uint32_t); ++i) {
            words[i] = block * (slot_bytes / sizeof(uint32_t)) + i;
        }
        noc_async_write_one_packet_with_trid(source, get_noc_addr(noc_x, noc_y, target + block * slot_bytes),
                                             slot_bytes, id);
    }
    for (uint32_t id = 1; id <= num_slots; ++id) {
        noc_async_write_flushed_with_trid(id);
        noc_async_write_barrier_with_trid(id);
    }
    noc_async_write_barrier();
}
