// Multiplies blocks of two matrices. Sums are kept in L1 in single precision, and packed at the end.
#include <cstdint>

#include "compute_kernel_api/matmul.h"
#include "compute_kernel_api/pack.h"
#include "compute_kernel_api/tile_move_copy.h"

void kernel_main() {
    constexpr uint32_t left = tt::CBIndex::c_0;
    constexpr uint32_t right = tt::CBIndex::c_1;
    constexpr uint32_t sums = tt::CBIndex::c_24;
    constexpr uint32_t result = tt::CBIndex::c_16;
    constexpr uint32_t rows = get_compile_time_arg_val(0);  // of the result, in tiles
    constexpr uint32_t columns = get_compile_time_arg_val(1);
    constexpr uint32_t inner = get_compile_time_arg_val(2);
    constexpr uint32_t num_blocks = get_compile_time_arg_val(3);
    constexpr uint32_t part_rows = get_compile_time_arg_val(4);
    constexpr uint32_t part_columns = get_compile_time_arg_val(5);
    constexpr uint32_t part_tiles = part_rows * part_columns;

    mm_block_init(left, right, sums, 0, part_columns, part_rows, inner);
    cb_reserve_back(sums, rows * columns);
    for (uint32_t block = 0; block < num_blocks; ++block) {
        cb_wait_front(left, rows * inner);
        cb_wait_front(right, inner * columns);
        pack_reconfig_l1_acc(block > 0);
        uint32_t part = 0;
        for (uint32_t row = 0; row < rows; row += part_rows) {
            for (uint32_t column = 0; column < columns; column += part_columns) {
                tile_regs_acquire();
                for (uint32_t k = 0; k < inner; ++k) {
                    matmul_block(left, right, row * inner + k, k * columns + column, 0, 0, part_columns, part_rows,
                                 inner);
                }
                tile_regs_commit();
                tile_regs_wait();
                for (uint32_t tile = 0; tile < part_tiles; ++tile) {
                    pack_tile<true>(tile, sums, part * part_tiles + tile);
                }
                tile_regs_release();
                ++part;
            }
        }
        cb_pop_front(left, rows * inner);
        cb_pop_front(right, inner * columns);
    }
    cb_push_back(sums, rows * columns);

    pack_reconfig_l1_acc(0);
    pack_reconfig_data_format(result);
    copy_tile_to_dst_init_short_with_dt(right, sums);
    cb_wait_front(sums, rows * columns);
    for (uint32_t part = 0; part < rows * columns / part_tiles; ++part) {
        tile_regs_acquire();
        for (uint32_t tile = 0; tile < part_tiles; ++tile) {
            copy_tile(sums, part * part_tiles + tile, tile);
        }
        tile_regs_commit();
        cb_reserve_back(result, part_tiles);
        tile_regs_wait();
        for (uint32_t tile = 0; tile < part_tiles; ++tile) {
            pack_tile(tile, result);
        }
        tile_regs_release();
        cb_push_back(result, part_tiles);
    }
    cb_pop_front(sums, rows * columns);
}
