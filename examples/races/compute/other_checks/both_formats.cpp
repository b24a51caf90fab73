#include "compute_kernel_api/eltwise_unary/eltwise_unary.h"
#include "compute_kernel_api/reconfig_data_format.h"
#include "compute_kernel_api/tile_move_copy.h"

// Copies a tile of each of two circular buffers, which have other data formats.
void kernel_main() {
    init_sfpu(0, 16);
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    cb_reserve_back(16, 2);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
#if MENDED
    reconfig_data_format_srca(0, 1);
#endif
    copy_tile(1, 0, 1);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    pack_tile(1, 16);
    tile_regs_release();
    cb_push_back(16, 2);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
}
