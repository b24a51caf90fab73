// SPDX-License-Identifier: Apache-2.0
// Splits bfloat16 values of a page into exponents, mantissas and magnitudes.

#include "api/numeric/bfloat16.h"
#include "dataflow_api.h"

void kernel_main() {
    const uint32_t page = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_values = get_compile_time_arg_val(0);
    constexpr auto layout = TensorAccessorArgs<1>();
    const auto source = TensorAccessor(layout, get_arg_val<uint32_t>(0), 2 * num_values);
    noc_async_read_page(0, source, page);
    noc_async_read_barrier();

    const auto* values = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(page);
    auto* parts = reinterpret_cast<volatile tt_l1_ptr uint16_t*>(get_arg_val<uint32_t>(2));
    for (uint32_t i = 0; i < num_values; ++i) {
        const uint16_t value = values[i];
        parts[i] = (value & BFLOAT16_EXPONENT_MASK) >> 7;
        parts[num_values + i] = value & BFLOAT16_MANTISSA_MASK;
        parts[2 * num_values + i] = value & BFLOAT16_MAGNITUDE_MASK;
    }
}
