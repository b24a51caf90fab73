// SPDX-License-Identifier: Apache-2.0
// Multicasts a row of immediate words, each from a place of its own in L1, so that none waits for another to leave.

#include "dataflow_api.h"

void kernel_main() {
    const uint32_t row = get_arg_val<uint32_t>(0);
    const uint32_t places = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_words = get_compile_time_arg_val(0);
    constexpr uint32_t num_receivers = get_compile_time_arg_val(1);
    const uint64_t target = get_noc_multicast_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3),
                                                   get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), row);
    for (uint32_t i = 0; i < num_words; ++i) {
        noc_inline_mcast_dw_write<InlineWriteDst::L1, false, false>(
            target + 4 * i, 3 * i + 1, 0xF, noc_index, NOC_MULTICAST_WRITE_VC, places + 16 * i, num_receivers);
    }
    noc_async_write_barrier();
}
