// Writes words that count up from the number of the first one, each by a call without a source in L1.
#include "measured.hpp"

void kernel_main() {
    constexpr bool stateful = get_compile_time_arg_val(2) != 0;
    const uint32_t first = get_arg_val<uint32_t>(0);
    const uint32_t remote = get_arg_val<uint32_t>(1);
    const uint64_t target = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), remote);
    {
        TIMED_ZONE();
        if constexpr (stateful) {
            noc_inline_dw_write_set_state(target);
        }
        for (uint32_t i = 0; i < count; ++i) {
            if constexpr (stateful) {
                noc_inline_dw_write_with_state<true, true, false, false, true>(first + i, remote + i * bytes);
            } else {
                noc_inline_dw_write(target + i * bytes, first + i);
            }
        }
        noc_async_write_barrier();
    }
    record();
}
