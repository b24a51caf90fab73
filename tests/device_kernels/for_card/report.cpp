// SPDX-License-Identifier: Apache-2.0
// Writes values from the firmware and from its own data to L1. Run-time argument: destination address.

#include "start.h"

uint32_t initialized[2] = {0x1234, 0x5678};
uint32_t cleared[2];

void kernel_main() {
    volatile uint32_t* out = reinterpret_cast<volatile uint32_t*>(rta_l1_base[0]);
    *out++ = rta_l1_base[1];
    *out++ = crta_l1_base[0];
    *out++ = *sem_l1_base[0];
    *out++ = my_x[1] | my_y[1] << 8;
    *out++ = worker_logical_col_to_virtual_col[my_logical_x_ + 1] | worker_logical_row_to_virtual_row[1] << 8;
    *out++ = cb_interface[3][2];
    *out++ = dram_bank_to_noc_xy[1][0];
    initialized[1] += cleared[1];
    cleared[0] += initialized[0];
    *out++ = cleared[0];
    *out++ = initialized[1];
}
