// Makes tiles of 32 rows at a time.
#include <cstdint>

#include "compute_kernel_api/compute_kernel_hw_startup.h"
#include "compute_kernel_api/tilize.h"

void kernel_main() {
    constexpr uint32_t columns = get_compile_time_arg_val(0);  // tiles of a row
    const uint32_t rows = get_arg_val<uint32_t>(0);            // of tiles
    compute_kernel_hw_startup(tt::CBIndex::c_0, tt::CBIndex::c_16);
    tilize_init(tt::CBIndex::c_0, columns, tt::CBIndex::c_16);
    for (uint32_t row = 0; row < rows; ++row) {
        cb_wait_front(tt::CBIndex::c_0, columns);
        cb_reserve_back(tt::CBIndex::c_16, columns);
        tilize_block(tt::CBIndex::c_0, columns, tt::CBIndex::c_16);
        cb_push_back(tt::CBIndex::c_16, columns);
        cb_pop_front(tt::CBIndex::c_0, columns);
    }
}
