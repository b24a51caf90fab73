// SPDX-License-Identifier: Apache-2.0
// Copies forwards or backwards as selected by a named compile-time argument, in both generations of names.

#include "dataflow_api.h"
#include "experimental/kernel_args.h"

void kernel_main() {
    constexpr bool backwards = get_named_compile_time_arg_val("backwards") != 0;
    constexpr uint32_t num_pieces = get_named_compile_time_arg_val("num pieces");
    constexpr uint32_t piece_bytes = get_named_compile_time_arg_val("piece_bytes");
    static_assert(backwards == (get_arg(args::backwards) != 0));
    const uint32_t source = get_arg(args::source);
    const uint32_t target = get_arg(args::target);
    for (uint32_t piece = 0; piece < num_pieces; ++piece) {
        uint32_t from = piece;
        if constexpr (backwards) {
            from = num_pieces - 1 - piece;
        }
        noc_async_write(source + from * piece_bytes, get_noc_addr(target + piece * piece_bytes), piece_bytes);
    }
    noc_async_write_barrier();
}
