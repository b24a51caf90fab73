// Moves blocks by transaction ids, in one of two ways:
// - It writes a block to one core. Once the block has left, it reads another one into its place.
// - It reads a block from the second core. Once the block has arrived, it writes it to the first one.
#include "measured.hpp"

void kernel_main() {
    constexpr bool write_first = get_compile_time_arg_val(2) != 0;
    const uint32_t local = get_arg_val<uint32_t>(0);
    const uint32_t remote = get_arg_val<uint32_t>(1);
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), remote);
    const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), remote);
    const auto write = [&](uint32_t i) { noc_async_write(local + i * bytes, target + i * bytes, bytes); };
    const auto read = [&](uint32_t i) { noc_async_read(source + i * bytes, local + i * bytes, bytes); };
    {
        TIMED_ZONE();
        for (uint32_t i = 0; i < count; ++i) {
            if constexpr (write_first) {
                noc_async_write_set_trid(i + 1);
                write(i);
            } else {
                noc_async_read_set_trid(i + 1);
                read(i);
            }
        }
        for (uint32_t i = 0; i < count; ++i) {
            if constexpr (write_first) {
                noc_async_write_flushed_with_trid(i + 1);
                read(i);
            } else {
                noc_async_read_barrier_with_trid(i + 1);
                write(i);
            }
        }
        noc_async_read_barrier();
        noc_async_write_barrier();
    }
    noc_async_write_set_trid(0);
    noc_async_read_set_trid(0);
    record();
}
