// SPDX-License-Identifier: Apache-2.0
// Draws random numbers after each of several calls of a tried kernel, which sets their seed.

#include <cstdint>

#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_unary/rand.h"
#include "api/compute/pack.h"

#define kernel_main set_seed
#include NOCBENCH_TRIED_KERNEL
#undef kernel_main

constexpr uint32_t kNumbers = 16;
constexpr uint32_t kOne = 0x3F800000;

// Run-time arguments: calls of the kernel, tiles of numbers after each.
void kernel_main() {
    const uint32_t num_calls = get_arg_val<uint32_t>(0);
    const uint32_t num_tiles = get_arg_val<uint32_t>(1);
    compute_kernel_hw_startup(kNumbers, kNumbers);
    for (uint32_t call = 0; call < num_calls; ++call) {
        set_seed();
        for (uint32_t tile = 0; tile < num_tiles; ++tile) {
            tile_regs_acquire();
            rand_tile(0, 0, kOne);
            tile_regs_commit();
            cb_reserve_back(kNumbers, 1);
            tile_regs_wait();
            pack_tile(0, kNumbers);
            tile_regs_release();
            cb_push_back(kNumbers, 1);
        }
    }
}
