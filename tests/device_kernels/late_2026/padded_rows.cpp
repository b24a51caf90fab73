// SPDX-License-Identifier: Apache-2.0
// Reads rows into wider rows, and fills the rest of each row with zeros.

#include "api/core_local_mem.h"
#include "api/dataflow/dataflow_api.h"
#include "api/dataflow/noc.h"
#include "api/debug/assert.h"
#include "api/tensor/noc_traits.h"

void kernel_main() {
    constexpr uint32_t row_bytes = get_compile_time_arg_val(0);
    constexpr uint32_t padded_bytes = get_compile_time_arg_val(1);
    constexpr auto source_args = TensorAccessorArgs<2>();
    static_assert(padded_bytes > row_bytes);
    const auto source = TensorAccessor(source_args, get_arg_val<uint32_t>(0), row_bytes);
    const uint32_t num_rows = get_arg_val<uint32_t>(2);
    ASSERT(num_rows > 0);

    Noc noc;
    CoreLocalMem<uint8_t> target(get_arg_val<uint32_t>(1));
    noc.async_write_zeros(target, num_rows * padded_bytes, {});
    noc.write_zeros_l1_barrier();
    for (uint32_t row = 0; row < num_rows; ++row) {
        noc.async_read(source, target, row_bytes, {.page_id = row}, {.offset_bytes = row * padded_bytes});
    }
    noc.async_read_barrier();
}
