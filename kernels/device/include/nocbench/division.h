// SPDX-License-Identifier: Apache-2.0
// Division of numbers below 2^31 by constants, as a multiplication. The processor's own division takes up to 33 cycles,
// which compilers do not take into account.

#pragma once

#include <stdint.h>

#include "risc_attribs.h"

namespace nocbench {

struct Reciprocal {
    uint32_t factor;
    uint32_t shift;
};

/// Returns the factor and shift for which (n * factor) >> (32 + shift) equals n / divisor,
/// for all n below 2^31.
constexpr Reciprocal reciprocal_of(uint32_t divisor) {
    for (uint32_t shift = 0; shift < 31; ++shift) {
        const uint64_t power = 1ULL << (32 + shift);
        const uint64_t factor = (power + divisor - 1) / divisor;
        const bool is_exact = factor * divisor - power <= (2ULL << shift);
        if (is_exact && factor < (1ULL << 32)) {
            return {static_cast<uint32_t>(factor), shift};
        }
    }
    return {0, 0};
}

}  // namespace nocbench

template <uint32_t divisor>
FORCE_INLINE uint32_t udivsi3_const_divisor(uint32_t dividend) {
    if constexpr ((divisor & (divisor - 1)) == 0) {
        return dividend / divisor;
    } else {
        constexpr nocbench::Reciprocal reciprocal = nocbench::reciprocal_of(divisor);
        return static_cast<uint32_t>((static_cast<uint64_t>(dividend) * reciprocal.factor) >> 32) >> reciprocal.shift;
    }
}

template <uint32_t divisor>
FORCE_INLINE uint32_t umodsi3_const_divisor(uint32_t dividend) {
    return dividend - udivsi3_const_divisor<divisor>(dividend) * divisor;
}
