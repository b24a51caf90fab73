// Multicasts a block to the cores of a rectangle, with or without this core.
#include "measured.hpp"

void kernel_main() {
    constexpr bool linked = get_compile_time_arg_val(2) != 0;
    constexpr bool with_source = get_compile_time_arg_val(3) != 0;
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint64_t targets =
        get_noc_multicast_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), get_arg_val<uint32_t>(4),
                               get_arg_val<uint32_t>(5), get_arg_val<uint32_t>(1));
    const uint32_t num_targets = get_arg_val<uint32_t>(6);
    const auto multicast = [&](uint32_t i, bool is_linked) {
        if constexpr (with_source) {
            noc_async_write_multicast_loopback_src(source + i * bytes, targets + i * bytes, bytes, num_targets,
                                                   is_linked);
        } else {
            noc_async_write_multicast(source + i * bytes, targets + i * bytes, bytes, num_targets, is_linked);
        }
    };
    {
        TIMED_ZONE();
        for (uint32_t i = 0; i + 1 < count; ++i) {
            multicast(i, linked);
        }
        multicast(count - 1, false);  // ends the chain
        noc_async_write_barrier();
    }
    record();
}
