// SPDX-License-Identifier: Apache-2.0
// Copies a piece of one DRAM bank to another bank.

#include "dataflow_api.h"
#include "experimental/core_local_mem.h"
#include "experimental/endpoints.h"
#include "experimental/noc.h"

void kernel_main() {
    constexpr uint32_t bytes = get_compile_time_arg_val(0);
    experimental::Noc noc;
    experimental::AllocatorBank<experimental::AllocatorBankType::DRAM> banks;
    experimental::CoreLocalMem<uint32_t> middle(get_arg_val<uint32_t>(2));
    noc.async_read(banks, middle, bytes, {.bank_id = get_arg_val<uint32_t>(3), .addr = get_arg_val<uint32_t>(0)}, {});
    noc.async_read_barrier();
    noc.async_write(middle, banks, bytes, {}, {.bank_id = get_arg_val<uint32_t>(4), .addr = get_arg_val<uint32_t>(1)});
    noc.async_write_barrier();
}
