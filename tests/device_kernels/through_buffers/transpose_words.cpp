// SPDX-License-Identifier: Apache-2.0
// Transposes a square of words in L1 by loads and stores, and writes the result.

#include <array>
#include <cstdint>

#include "dataflow_api.h"

constexpr uint32_t side = get_compile_time_arg_val(0);

void kernel_main() {
    const std::array<uint32_t, 2> places{get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(1)};
    auto* source = reinterpret_cast<tt_l1_ptr uint32_t*>(places[0]);
    auto* turned = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(places[1]);
    for (uint32_t row = 0; row < side; ++row) {
        for (uint32_t column = 0; column < side; ++column) {
            turned[column * side + row] = source[row * side + column];
        }
    }
    noc_async_write(places[1], get_noc_addr(get_arg_val<uint32_t>(2), get_arg_val<uint32_t>(3), places[1]),
                    side * side * sizeof(uint32_t));
    noc_async_write_barrier();
}
