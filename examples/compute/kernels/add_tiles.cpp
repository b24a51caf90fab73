// Adds the tiles of two circular buffers.
#include <cstdint>

#include "compute_kernel_api/eltwise_binary.h"

void kernel_main() {
    const uint32_t num_tiles = get_arg_val<uint32_t>(0);
    binary_op_init_common(tt::CBIndex::c_0, tt::CBIndex::c_1, tt::CBIndex::c_16);
    add_tiles_init(tt::CBIndex::c_0, tt::CBIndex::c_1);
    for (uint32_t tile = 0; tile < num_tiles; ++tile) {
        cb_wait_front(tt::CBIndex::c_0, 1);
        cb_wait_front(tt::CBIndex::c_1, 1);
        tile_regs_acquire();
        add_tiles(tt::CBIndex::c_0, tt::CBIndex::c_1, 0, 0, 0);
        tile_regs_commit();
        cb_pop_front(tt::CBIndex::c_0, 1);
        cb_pop_front(tt::CBIndex::c_1, 1);
        cb_reserve_back(tt::CBIndex::c_16, 1);
        tile_regs_wait();
        pack_tile(0, tt::CBIndex::c_16);
        tile_regs_release();
        cb_push_back(tt::CBIndex::c_16, 1);
    }
}
