// SPDX-License-Identifier: Apache-2.0
// Writes its logical coordinates, its NoC coordinates, its NoC, and a macro of the program.

#include "dataflow_api.h"
#include "risc_common.h"

void kernel_main() {
    const uint32_t outcome = get_common_arg_val<uint32_t>(0);
    volatile tt_l1_ptr uint32_t* words = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(outcome);
    const uint32_t before = get_timestamp_32b();
    words[0] = get_absolute_logical_x();
    words[1] = get_absolute_logical_y();
    words[2] = my_x[noc_index] == get_arg_val<uint32_t>(0) && my_y[noc_index] == get_arg_val<uint32_t>(1) ? 1 : 0;
    words[3] = noc_index;
    words[4] = ANSWER;
    invalidate_l1_cache();
    words[5] = get_timestamp_32b() > before ? 1 : 0;
}
