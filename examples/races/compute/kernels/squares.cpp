#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/tile_move_copy.h"

void kernel_main() {
    constexpr uint32_t num_tiles = get_compile_time_arg_val(0);
    init_sfpu(0, 16);
    square_tile_init();
    for (uint32_t tile = 0; tile < num_tiles; ++tile) {
#if WAITS
        cb_wait_front(0, 1);
#endif
        tile_regs_acquire();
        copy_tile(0, 0, 0);
        square_tile(0);
        tile_regs_commit();
        cb_pop_front(0, 1);
        cb_reserve_back(16, 1);
        tile_regs_wait();
        pack_tile(0, 16);
        tile_regs_release();
        cb_push_back(16, 1);
    }
}
