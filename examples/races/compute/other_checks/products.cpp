#include "compute_kernel_api/eltwise_binary.h"

// Packs the sums of the tiles of two circular buffers, and their products.
void kernel_main() {
    binary_op_init_common(0, 1, 16);
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    cb_reserve_back(16, 2);
    tile_regs_acquire();
    add_tiles_init(0, 1);
    add_tiles(0, 1, 0, 0, 0);
#if MENDED
    mul_tiles_init(0, 1);
#endif
    mul_tiles(0, 1, 0, 0, 1);
    tile_regs_commit();
    tile_regs_wait();
    pack_tile(0, 16);
    pack_tile(1, 16);
    tile_regs_release();
    cb_push_back(16, 2);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
}
