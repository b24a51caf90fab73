// Reads pages of a buffer into L1, or writes them from there.
#include "measured.hpp"

void kernel_main() {
    constexpr bool reads = get_compile_time_arg_val(2) != 0;
    constexpr auto turn = static_cast<Turn>(get_compile_time_arg_val(3));
    constexpr auto layout = TensorAccessorArgs<4>();
    const uint32_t semaphore = get_arg_val<uint32_t>(0);
    const uint32_t local = get_arg_val<uint32_t>(1);
    const auto buffer = TensorAccessor(layout, get_arg_val<uint32_t>(2), bytes);
    const uint32_t first = get_arg_val<uint32_t>(3);
    const uint32_t step = get_arg_val<uint32_t>(4);

    await_turn<turn>(semaphore);
    {
        TIMED_ZONE();
        for (uint32_t i = 0; i < count; ++i) {
            if constexpr (reads) {
                noc_async_read_page(first + i * step, buffer, local + i * bytes);
            } else {
                noc_async_write_page(first + i * step, buffer, local + i * bytes);
            }
        }
        if constexpr (reads) {
            noc_async_read_barrier();
        } else {
            noc_async_write_barrier();
        }
    }
    end_turn<turn>(semaphore);
    record();
}
