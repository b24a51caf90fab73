// SPDX-License-Identifier: Apache-2.0
// Alternately writes to another core and reads from it. Common runtime argument: number of transactions. Compile-time
// arguments from 1 on: bytes per call; local and remote address of the written data; remote and local address of the
// read data; virtual channel of the writes.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t num_transactions = get_common_arg_val<uint32_t>(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t write_source = get_compile_time_arg_val(2);
    constexpr uint32_t write_destination = get_compile_time_arg_val(3);
    constexpr uint32_t read_source = get_compile_time_arg_val(4);
    constexpr uint32_t read_destination = get_compile_time_arg_val(5);
    constexpr uint32_t write_channel = get_compile_time_arg_val(6);
    const uint32_t other_x = get_arg_val<uint32_t>(0);
    const uint32_t other_y = get_arg_val<uint32_t>(1);

    DeviceZoneScopedN("RISCV0");
    const uint64_t written = get_noc_addr(other_x, other_y, write_destination);
    const uint64_t read = get_noc_addr(other_x, other_y, read_source);
    for (uint32_t i = 0; i < num_transactions; ++i) {
        noc_async_write(write_source, written, call_size_bytes, noc_index, write_channel);
        noc_async_read(read, read_destination, call_size_bytes);
    }
    noc_async_write_barrier();
    noc_async_read_barrier();
}
