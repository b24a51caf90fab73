// SPDX-License-Identifier: Apache-2.0
// Each core of a row writes its piece to the first core of the grid, and says how far away it is.

#include "dataflow_api.h"
#include "noc/noc_parameters.h"

void kernel_main() {
    const uint32_t source = get_arg_val<uint32_t>(0);
    const uint32_t target = get_arg_val<uint32_t>(1);
    constexpr uint32_t piece_bytes = get_compile_time_arg_val(0);
    const uint32_t columns = my_x[noc_index] - VIRTUAL_TENSIX_START_X;
    const uint32_t rows = my_y[noc_index] - VIRTUAL_TENSIX_START_Y;
    reinterpret_cast<volatile tt_l1_ptr uint32_t*>(source)[0] = 10 * columns + rows;
    const uint64_t first_core = get_noc_addr(VIRTUAL_TENSIX_START_X, VIRTUAL_TENSIX_START_Y, target);
    noc_async_write(source, first_core + columns * piece_bytes, piece_bytes);
    noc_async_write_barrier();
}
