// SPDX-License-Identifier: Apache-2.0
// Passes a block to the next core of the column, which it finds by its own logical place.

#include "dataflow_api.h"
#include "internal/firmware_common.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    constexpr uint32_t num_bytes = get_compile_time_arg_val(0);
    const coord_t next =
        get_virtual_coord_from_worker_logical_coord(get_absolute_logical_x(), get_absolute_logical_y() + 1);
    noc_async_write(source, get_noc_addr(next.x, next.y, target), num_bytes);
    noc_async_write_barrier();
}
