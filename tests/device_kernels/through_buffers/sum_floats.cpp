// SPDX-License-Identifier: Apache-2.0
// Sums the floats of a page and multiplies by a factor that is passed as bits.

#include <algorithm>
#include <cstring>

#include "dataflow_api.h"

namespace {

float float_of(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

uint32_t bits_of(float value) {
    union {
        float f;
        uint32_t u;
    } both;
    both.f = value;
    return both.u;
}

}  // namespace

void kernel_main() {
    const float factor = float_of(get_arg_val<uint32_t>(0));
    const uint32_t page = get_arg_val<uint32_t>(1);
    const uint32_t count = std::min<uint32_t>(get_arg_val<uint32_t>(2), 64);
    const uint32_t outcome = get_arg_val<uint32_t>(3);
    float sum = 0.0f;
    auto* values = reinterpret_cast<volatile tt_l1_ptr float*>(page);
    for (uint32_t i = 0; i < count; ++i) {
        sum += values[i];
    }
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(outcome) = bits_of(sum * factor);
    *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(outcome + 4) = static_cast<uint32_t>(sum);
}
