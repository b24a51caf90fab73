// SPDX-License-Identifier: Apache-2.0
// Writes each buffer under a separate transaction id, and reads other data into the buffer when its data have left.
// Compile-time arguments: number of writes, bytes per call, address of the local buffers (one per id), address of the
// remote buffers, number of reads, whether each call is one packet. Runtime arguments: coordinates of the core that is
// written to, and of the core that is read from.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/endpoints.h"
#include "api/dataflow/noc.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t num_first = get_compile_time_arg_val(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t own_address = get_compile_time_arg_val(2);
    constexpr uint32_t other_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_second = get_compile_time_arg_val(4);
    constexpr uint32_t page_bytes_max = get_compile_time_arg_val(5) != 0 ? NOC_MAX_BURST_SIZE : NOC_MAX_BURST_SIZE + 1;
    const uint32_t written_x = get_arg_val<uint32_t>(0);
    const uint32_t written_y = get_arg_val<uint32_t>(1);
    const uint32_t read_x = get_arg_val<uint32_t>(2);
    const uint32_t read_y = get_arg_val<uint32_t>(3);

    DeviceZoneScopedN("RISCV0");
    Noc noc;
    const UnicastEndpoint other;
    for (uint32_t i = 0; i < num_first; ++i) {
        const uint32_t offset = i * call_size_bytes;
        noc.async_write<NocOptions::TXN_ID, page_bytes_max>(
            CoreLocalMem<uint32_t>(own_address + offset), other, call_size_bytes, {},
            {.noc_x = written_x, .noc_y = written_y, .addr = other_address + offset}, NocOptVals{.trid = i + 1});
    }
    for (uint32_t i = 0; i < num_second; ++i) {
        const uint32_t offset = i * call_size_bytes;
        noc.async_writes_flushed<NocOptions::TXN_ID>(i + 1);
        noc.async_read<NocOptions::DEFAULT, page_bytes_max>(
            other, CoreLocalMem<uint32_t>(own_address + offset), call_size_bytes,
            {.noc_x = read_x, .noc_y = read_y, .addr = other_address + offset}, {});
    }
    noc.async_read_barrier();
    noc.async_write_barrier();
}
