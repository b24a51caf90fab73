// SPDX-License-Identifier: Apache-2.0
// Reads a part of one DRAM bank by the bank's number.

#include "dataflow_api.h"

void kernel_main() {
    uint32_t offset = get_arg_val<uint32_t>(0);
    uint32_t bank = get_arg_val<uint32_t>(1);
    uint32_t target = get_arg_val<uint32_t>(2);
    constexpr uint32_t bytes = get_compile_time_arg_val(0);

    uint64_t address = get_noc_addr_from_bank_id<true>(bank, offset);
    noc_async_read(address, target, bytes);
    noc_async_read_barrier();
}
