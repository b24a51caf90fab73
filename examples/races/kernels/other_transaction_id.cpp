#include "dataflow_api.h"

void kernel_main() {
    const uint32_t buffer = get_arg_val<uint32_t>(0);
    const uint32_t source = get_arg_val<uint32_t>(1);
    const uint64_t owner = get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), source);
    volatile uint32_t* const sum = reinterpret_cast<volatile uint32_t*>(get_arg_val<uint32_t>(4));
    constexpr uint32_t half_bytes = 1024;
    noc_async_read_set_trid(1);
    noc_async_read(owner, buffer, half_bytes);
    noc_async_read_set_trid(2);
    noc_async_read(owner + half_bytes, buffer + half_bytes, half_bytes);
#if MENDED
    noc_async_read_barrier_with_trid(1);
#else
    noc_async_read_barrier_with_trid(2);
#endif
    *sum = *reinterpret_cast<volatile uint32_t*>(buffer);
    noc_async_read_barrier();
}
