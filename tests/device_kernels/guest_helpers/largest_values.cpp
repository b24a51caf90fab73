// SPDX-License-Identifier: Apache-2.0
// Finds the largest value of a row, read as bfloat16, as float32 and as integers.

#include "dataflow_api.h"
#include "utils/bfloat16.h"
#include "utils/float32.h"
#include "utils/int32.h"

void kernel_main() {
    const uint32_t row = get_arg_val<uint32_t>(0);
    constexpr uint32_t num_words = get_compile_time_arg_val(0);
    const auto* halves = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(row);
    const auto* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(row);
    uint16_t largest_half = NEG_INF_BFLOAT16;
    uint32_t largest_float = NEG_INF_FLOAT32;
    int32_t largest_number = NEG_INF_INT32;
    for (uint32_t i = 0; i < num_words; ++i) {
        for (uint32_t half = 0; half < 2; ++half) {
            const uint16_t value = halves[2 * i + half];
            largest_half = bfloat16_greater(value, largest_half) ? value : largest_half;
        }
        const uint32_t word = words[i];
        largest_float = float32_greater(word, largest_float) ? word : largest_float;
        largest_number =
            int32_greater(static_cast<int32_t>(word), largest_number) ? static_cast<int32_t>(word) : largest_number;
    }
    auto* largest = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(1));
    largest[0] = largest_half;
    largest[1] = largest_float;
    largest[2] = static_cast<uint32_t>(largest_number);
}
