// SPDX-License-Identifier: Apache-2.0
// Prints by the names of headers that were in use until early 2026, as much as a buffer of lines takes.

#include "dataflow_api.h"
#include "debug/dprint_test_common.h"
#include "dprint.h"

namespace {

constexpr uint32_t line_bytes = 17;
constexpr uint32_t most_lines = DPRINT_BUFFER_SIZE / line_bytes;

}  // namespace

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    const uint32_t to = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_bytes = get_compile_time_arg_val(0);
    print_test_data();
    uint32_t lines = 0;
    for (uint32_t offset = 0; offset < num_bytes; offset += 16) {
        noc_async_read(get_noc_addr(from + offset), to + offset, 16);
        if (lines++ < most_lines) {
            DPRINT << FIXED() << SETPRECISION(2) << "line " << OCT() << lines << DEC() << ' ' << offset << ENDL();
        }
    }
    noc_async_read_barrier();
}
