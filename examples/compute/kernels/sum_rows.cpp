// Sums each row of a row of tiles: the sums are the first column of a tile.
#include <cstdint>

#include "compute_kernel_api/compute_kernel_hw_startup.h"
#include "compute_kernel_api/reduce.h"

void kernel_main() {
    constexpr uint32_t columns = get_compile_time_arg_val(0);  // tiles of a row
    const uint32_t rows = get_arg_val<uint32_t>(0);
    compute_kernel_hw_startup(tt::CBIndex::c_0, tt::CBIndex::c_1, tt::CBIndex::c_16);
    reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(tt::CBIndex::c_0, tt::CBIndex::c_1, tt::CBIndex::c_16);
    cb_wait_front(tt::CBIndex::c_1, 1);
    for (uint32_t row = 0; row < rows; ++row) {
        tile_regs_acquire();
        for (uint32_t column = 0; column < columns; ++column) {
            cb_wait_front(tt::CBIndex::c_0, 1);
            reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(tt::CBIndex::c_0, tt::CBIndex::c_1, 0, 0, 0);
            cb_pop_front(tt::CBIndex::c_0, 1);
        }
        tile_regs_commit();
        cb_reserve_back(tt::CBIndex::c_16, 1);
        tile_regs_wait();
        pack_tile(0, tt::CBIndex::c_16);
        tile_regs_release();
        cb_push_back(tt::CBIndex::c_16, 1);
    }
    cb_pop_front(tt::CBIndex::c_1, 1);
}
