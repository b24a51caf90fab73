// Moves rows of at most a packet by stateful calls. Rows there lie `stride` bytes apart, and here side by side.
#include "measured.hpp"

void kernel_main() {
    constexpr bool reads = get_compile_time_arg_val(2) != 0;
    constexpr uint32_t stride = get_compile_time_arg_val(3);
    const uint32_t local = get_arg_val<uint32_t>(0);
    const uint32_t remote = get_arg_val<uint32_t>(1);
    const uint64_t there = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), remote);
    {
        TIMED_ZONE();
        if constexpr (reads) {
            noc_async_read_one_packet_set_state(there, bytes);
            for (uint32_t i = 0; i < count; ++i) {
                noc_async_read_one_packet_with_state(remote + i * stride, local + i * bytes);
            }
            noc_async_read_barrier();
        } else {
            noc_async_write_one_packet_set_state(there, bytes);
            for (uint32_t i = 0; i < count; ++i) {
                noc_async_write_one_packet_with_state(local + i * bytes, remote + i * stride);
            }
            noc_async_write_barrier();
        }
    }
    record();
}
