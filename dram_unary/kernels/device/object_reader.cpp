// SPDX-License-Identifier: Apache-2.0
// Equals dram_unary::reader, but uses the object API. Compile-time arguments: circular buffer, virtual channel. Runtime
// arguments: number of transactions, bytes per call, bank, address in the bank.

#include "api/dataflow/circular_buffer.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t circular_buffer = get_compile_time_arg_val(0);
    constexpr uint32_t virtual_channel = get_compile_time_arg_val(1);
    const uint32_t num_transactions = get_arg_val<uint32_t>(0);
    const uint32_t call_size_bytes = get_arg_val<uint32_t>(1);
    const uint32_t bank = get_arg_val<uint32_t>(2);
    const uint32_t bank_address = get_arg_val<uint32_t>(3);

    Noc noc;
    CircularBuffer page(circular_buffer);
    const AllocatorBank<AllocatorBankType::DRAM> banks;
    page.reserve_back(1);
    {
        DeviceZoneScopedN("RISCV1");
        for (uint32_t i = 0; i < num_transactions; ++i) {
            noc.async_read(banks, page, call_size_bytes, {.bank_id = bank, .addr = bank_address}, {},
                           NocOptVals{.vc = virtual_channel});
        }
        noc.async_read_barrier();
    }
    page.push_back(1);
}
