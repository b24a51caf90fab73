// SPDX-License-Identifier: Apache-2.0
// Writes words from registers into the L1 of another core. Common runtime argument: number of words. Compile-time
// arguments from 1 on: address of the first word, and flags for posted writes, for a common address of all words, and
// for a common value of all words. Runtime arguments: coordinates of the other core.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t address = get_compile_time_arg_val(1);
    constexpr bool is_posted = get_compile_time_arg_val(2) != 0;
    constexpr bool same_destination = get_compile_time_arg_val(3) != 0;
    constexpr bool same_value = get_compile_time_arg_val(4) != 0;
    const uint32_t other_x = get_arg_val<uint32_t>(0);
    const uint32_t other_y = get_arg_val<uint32_t>(1);

    DeviceZoneScopedN("RISCV0");
    const uint64_t destination = get_noc_addr(other_x, other_y, address);
    for (uint32_t i = 0; i < num_transactions; ++i) {
        const uint32_t value = same_value ? 1 : i + 1;
        const uint32_t offset = same_destination ? 0 : i * 16;  // byte enables cover 16 bytes
        noc_inline_dw_write<InlineWriteDst::DEFAULT, is_posted>(destination + offset, value);
    }
    if constexpr (is_posted) {
        noc_async_posted_writes_flushed();
    } else {
        noc_async_write_barrier();
    }
}
