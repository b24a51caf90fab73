// SPDX-License-Identifier: Apache-2.0
// Waits for two blocks and adds them up.

#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_words = get_compile_time_arg_val(0);
    auto* arrived = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(get_compile_time_arg_val(1)));
    noc_semaphore_wait_min(arrived, 2);
    const auto* first = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
    const auto* second = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));
    auto* sum = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(2));
    for (uint32_t i = 0; i < num_words; ++i) {
        sum[i] = first[i] + second[i];
    }
}
