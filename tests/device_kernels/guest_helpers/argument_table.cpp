// SPDX-License-Identifier: Apache-2.0
// Copies pieces in the order that the compile-time arguments give, which it takes as an array. The entry point is in an
// unnamed namespace.

#include <array>

#include "dataflow_api.h"

namespace {

constexpr uint32_t piece_bytes = 16;
constexpr std::array<uint32_t, kernel_compile_time_args.size()> order = kernel_compile_time_args;
static_assert(order.size() > 1 && order[0] < order.size());

void kernel_main() {
    const uint32_t from = get_arg_val<uint32_t>(0);
    uint32_t to = get_arg_val<uint32_t>(1);
    for (const uint32_t piece : order) {
        noc_async_read(get_noc_addr(from + piece * piece_bytes), to, piece_bytes);
        to += piece_bytes;
    }
    noc_async_read_barrier();
}

}  // namespace
