// SPDX-License-Identifier: Apache-2.0
// A timed copy with debug output.

#include "dataflow_api.h"
#include "debug/assert.h"
#include "debug/dprint.h"
#include "debug/dprint_pages.h"
#include "debug/waypoint.h"
#include "tools/profiler/kernel_profiler.hpp"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_calls = get_compile_time_arg_val(0);
    constexpr uint32_t call_bytes = get_compile_time_arg_val(1);
    ASSERT(source != target);
    WAYPOINT("COPY");
    DeviceTimestampedData("Number of transactions", num_calls);
    DeviceTimestampedData("Transaction size in bytes", call_bytes);
    {
        DeviceZoneScopedN("RISCV0");
        for (uint32_t i = 0; i < num_calls; ++i) {
            noc_async_write(source + i * call_bytes, get_noc_addr(target + i * call_bytes), call_bytes);
        }
        noc_async_write_barrier();
    }
    DPRINT << "copied " << num_calls << " x " << call_bytes << " at " << HEX() << source << DEC() << ENDL();
    DPRINT_DATA0(DPRINT << F32(1.5f) << " " << -3 << ENDL());
    print_bf16_pages(target, 4, 1);
}
