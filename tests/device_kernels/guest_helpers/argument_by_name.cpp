// SPDX-License-Identifier: Apache-2.0
// Copies a block some words further, as named compile-time arguments say; one of them has an empty name.

#include "compile_time_args.h"
#include "dataflow_api.h"

void kernel_main() {
    constexpr uint32_t num_words = get_named_ct_arg("num words");
    constexpr uint32_t shift_words = get_named_compile_time_arg_val("shift_words");
    constexpr uint32_t mark = get_named_ct_arg("");
    const auto* source = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0));
    auto* target = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));
    target[0] = mark;
    for (uint32_t i = 0; i < num_words; ++i) {
        target[i + shift_words] = source[i];
    }
}
