// SPDX-License-Identifier: Apache-2.0
// Writes pages from a circular buffer object.

#include <cstdint>

#include "dataflow_api.h"
#include "experimental/circular_buffer.h"
#include "experimental/noc.h"
#include "experimental/tensor.h"

void kernel_main() {
    const uint32_t address = get_arg_val<uint32_t>(0);
    const uint32_t num_pages = get_arg_val<uint32_t>(1);
    constexpr uint32_t cb_id = get_compile_time_arg_val(0);
    constexpr auto target_args = TensorAccessorArgs<1>();

    experimental::Noc noc;
    experimental::CircularBuffer cb(cb_id);
    const auto target = TensorAccessor(target_args, address, get_tile_size(cb_id));
    for (uint32_t page = 0; page < num_pages; ++page) {
        cb.wait_front(1);
        noc.async_write(experimental::use<experimental::CircularBuffer::AddrSelector::READ_PTR>(cb), target,
                        get_tile_size(cb_id), {}, {.page_id = page});
        noc.async_write_barrier();
        cb.pop_front(1);
    }
}
