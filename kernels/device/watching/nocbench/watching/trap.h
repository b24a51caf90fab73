// SPDX-License-Identifier: Apache-2.0
// Traps: messages of a kernel to its observers. `ecall` with a function number in a7 changes nothing in the core.

#pragma once

#include <stdint.h>

#ifndef FORCE_INLINE
#define FORCE_INLINE inline __attribute__((always_inline))
#endif

namespace nocbench {

enum class Trap : uint32_t {
    zone_begin = 1,
    zone_end = 2,
    timestamped_value = 3,
    print_text = 4,
    print_number = 5,
    assertion_failed = 6,
    compute = 7,
};

enum class NumberKind : uint32_t {
    unsigned_decimal = 0,
    signed_decimal = 1,
    hexadecimal = 2,
    float_bits = 3,
    character = 4,
    unsigned_64_bit = 5,
    signed_64_bit = 6,
};

template <Trap function>
FORCE_INLINE void trap(uint32_t first = 0, uint32_t second = 0, uint32_t third = 0) {
    register uint32_t a0 __asm__("a0") = first;
    register uint32_t a1 __asm__("a1") = second;
    register uint32_t a2 __asm__("a2") = third;
    register uint32_t a7 __asm__("a7") = static_cast<uint32_t>(function);
    // The clobber forces text at the passed address into memory.
    if constexpr (function == Trap::zone_end) {
        __asm__ volatile("ecall" : : "r"(a7) : "memory");
    } else if constexpr (function == Trap::zone_begin || function == Trap::print_text ||
                         function == Trap::assertion_failed) {
        __asm__ volatile("ecall" : : "r"(a7), "r"(a0) : "memory");
    } else {
        __asm__ volatile("ecall" : : "r"(a7), "r"(a0), "r"(a1), "r"(a2) : "memory");
    }
}

FORCE_INLINE uint32_t address_of(const char* text) { return reinterpret_cast<uint32_t>(text); }

}  // namespace nocbench
