// SPDX-License-Identifier: Apache-2.0
// Copies a block not before some time has passed, and says by three clocks that time goes on.

#include "c_tensix_core.h"
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    const uint32_t num_bytes = get_arg_val<uint32_t>(2);
    auto* later = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(3));
    constexpr uint32_t wait_cycles = get_compile_time_arg_val(0);

    const uint64_t begin = c_tensix_core::read_wall_clock();
    const uint64_t stamp = get_timestamp();
    const uint32_t low = get_timestamp_32b();
    riscv_wait(wait_cycles);
    noc_async_write(from, get_noc_addr(to), num_bytes);
    noc_async_write_barrier();
    later[0] = c_tensix_core::read_wall_clock() - begin >= wait_cycles ? 1 : 0;
    later[1] = get_timestamp() - stamp >= wait_cycles ? 1 : 0;
    later[2] = get_timestamp_32b() - low >= wait_cycles ? 1 : 0;
}
