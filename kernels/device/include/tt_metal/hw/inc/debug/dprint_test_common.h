// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/debug/dprint.h"

/// Prints values of each type that can be printed.
inline void print_test_data() {
    DPRINT << "Basic Types:\n" << 101 << ' ' << -1.5F << ' ' << BF16(0x3dfb) << ENDL();
    DPRINT << static_cast<uint8_t>(101) << ' ' << static_cast<uint16_t>(555) << ' ' << 123456U << ' ' << 9123456789ULL
           << ENDL();
    DPRINT << static_cast<int8_t>(-17) << ' ' << static_cast<int16_t>(-343) << ' ' << -44444 << ' ' << -5123456789LL
           << ENDL();
    DPRINT << "HEX/DEC:\n" << HEX() << 123456U << ' ' << DEC() << 123456U << ENDL();
}
