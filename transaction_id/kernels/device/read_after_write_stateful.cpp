// SPDX-License-Identifier: Apache-2.0
// Equals read_after_write_one_packet.cpp, but uses stateful calls.

#include "api/dataflow/dataflow_api.h"
#include "api/debug/kernel_profiler.hpp"

void kernel_main() {
    constexpr uint32_t num_first = get_compile_time_arg_val(0);
    constexpr uint32_t call_size_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t own_address = get_compile_time_arg_val(2);
    constexpr uint32_t other_address = get_compile_time_arg_val(3);
    constexpr uint32_t num_second = get_compile_time_arg_val(4);
    const uint32_t written_x = get_arg_val<uint32_t>(0);
    const uint32_t written_y = get_arg_val<uint32_t>(1);
    const uint32_t read_x = get_arg_val<uint32_t>(2);
    const uint32_t read_y = get_arg_val<uint32_t>(3);

    DeviceZoneScopedN("RISCV0");
    noc_async_write_one_packet_with_trid_set_state(get_noc_addr(written_x, written_y, other_address));
    for (uint32_t i = 0; i < num_first; ++i) {
        const uint32_t offset = i * call_size_bytes;
        noc_async_write_one_packet_with_trid_with_state(own_address + offset, other_address + offset, call_size_bytes,
                                                        i + 1);
    }
    noc_async_read_one_packet_set_state(get_noc_addr(read_x, read_y, other_address), call_size_bytes);
    for (uint32_t i = 0; i < num_second; ++i) {
        const uint32_t offset = i * call_size_bytes;
        noc_async_write_flushed_with_trid(i + 1);
        noc_async_read_one_packet_with_state(other_address + offset, own_address + offset);
    }
    noc_async_read_barrier();
    noc_async_write_barrier();
}
