// Writes a block to another core and reads one from it at the same time.
#include "measured.hpp"

void kernel_main() {
    const uint32_t sent = get_arg_val<uint32_t>(0);
    const uint32_t received = get_arg_val<uint32_t>(1);
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(2));
    const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(4), get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(3));
    {
        TIMED_ZONE();
        for (uint32_t i = 0; i < count; ++i) {
            noc_async_write(sent + i * bytes, target + i * bytes, bytes);
            noc_async_read(source + i * bytes, received + i * bytes, bytes);
        }
        noc_async_write_barrier();
        noc_async_read_barrier();
    }
    record();
}
