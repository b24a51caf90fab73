// Computes the softmax of each row of a row of tiles: exponentials of differences from the maximum, over their sum.
#include <cstdint>

#include "compute_kernel_api/bcast.h"
#include "compute_kernel_api/compute_kernel_hw_startup.h"
#include "compute_kernel_api/eltwise_unary/exp.h"
#include "compute_kernel_api/eltwise_unary/recip.h"
#include "compute_kernel_api/reduce.h"

constexpr uint32_t source = tt::CBIndex::c_0;
constexpr uint32_t ones = tt::CBIndex::c_1;
constexpr uint32_t maximum = tt::CBIndex::c_24;
constexpr uint32_t exponentials = tt::CBIndex::c_25;
constexpr uint32_t factor = tt::CBIndex::c_26;
constexpr uint32_t result = tt::CBIndex::c_16;

/// Hands the first tile of Dst from math to pack, and passes it on in a buffer.
void put_into(uint32_t buffer) {
    tile_regs_commit();
    cb_reserve_back(buffer, 1);
    tile_regs_wait();
    pack_tile(0, buffer);
    tile_regs_release();
    cb_push_back(buffer, 1);
}

void kernel_main() {
    constexpr uint32_t columns = get_compile_time_arg_val(0);  // tiles of a row
    const uint32_t rows = get_arg_val<uint32_t>(0);
    compute_kernel_hw_startup(source, ones, maximum);
    cb_wait_front(ones, 1);
    for (uint32_t row = 0; row < rows; ++row) {
        cb_wait_front(source, columns);
        reduce_init<PoolType::MAX, ReduceDim::REDUCE_ROW>(source, ones, maximum);
        tile_regs_acquire();
        for (uint32_t column = 0; column < columns; ++column) {
            reduce_tile<PoolType::MAX, ReduceDim::REDUCE_ROW>(source, ones, column, 0, 0);
        }
        put_into(maximum);

        cb_wait_front(maximum, 1);
        sub_bcast_cols_init_short(source, maximum);
        exp_tile_init();
        for (uint32_t column = 0; column < columns; ++column) {
            tile_regs_acquire();
            sub_tiles_bcast_cols(source, maximum, column, 0, 0);
            exp_tile(0);
            put_into(exponentials);
        }
        cb_pop_front(maximum, 1);
        cb_pop_front(source, columns);

        cb_wait_front(exponentials, columns);
        reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(exponentials, ones, factor);
        tile_regs_acquire();
        for (uint32_t column = 0; column < columns; ++column) {
            reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(exponentials, ones, column, 0, 0);
        }
        recip_tile_init();
        recip_tile(0);
        put_into(factor);

        cb_wait_front(factor, 1);
        mul_bcast_cols_init_short(exponentials, factor);
        for (uint32_t column = 0; column < columns; ++column) {
            tile_regs_acquire();
            mul_tiles_bcast_cols(exponentials, factor, column, 0, 0);
            put_into(result);
        }
        cb_pop_front(factor, 1);
        cb_pop_front(exponentials, columns);
    }
    cb_pop_front(ones, 1);
}
