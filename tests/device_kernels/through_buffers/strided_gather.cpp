// SPDX-License-Identifier: Apache-2.0
// Gathers pieces by a helper from a header next to this file.

#include "strided_copy.hpp"

void kernel_main() {
    const uint64_t source = get_noc_addr(get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1), get_arg_val<uint32_t>(2));
    const uint32_t target = get_arg_val<uint32_t>(3);
    constexpr uint32_t count = get_compile_time_arg_val(0);
    constexpr uint32_t piece_bytes = get_compile_time_arg_val(1);
    constexpr uint32_t stride_bytes = get_compile_time_arg_val(2);

    helpers::gather(count, piece_bytes, stride_bytes, [&](uint32_t from, uint32_t to) {
        noc_async_read<piece_bytes>(source + from, target + to, piece_bytes);
    });
    noc_async_read_barrier();
}
