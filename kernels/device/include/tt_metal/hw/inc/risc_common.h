// SPDX-License-Identifier: Apache-2.0
// Register access, the L0 cache, the wall clock.

#pragma once

#include <stdint.h>

#include "dev_mem_map.h"
#include "nocbench/firmware.h"
#include "risc_attribs.h"

FORCE_INLINE void reg_write(uint32_t address, uint32_t value) {
    *reinterpret_cast<volatile uint32_t tt_reg_ptr*>(address) = value;
}

FORCE_INLINE uint32_t reg_read(uint32_t address) { return *reinterpret_cast<volatile uint32_t tt_reg_ptr*>(address); }

/// Prevents the compiler from reusing loaded values.
FORCE_INLINE void clobber_all_memory() { __asm__ volatile("" : : : "memory"); }

/// Makes the next loads come from L1. Wormhole's RISCs have no cache in front of L1.
FORCE_INLINE void invalidate_l1_cache() {
#if defined(ARCH_BLACKHOLE)
    __asm__ volatile("fence" : : : "memory");
#endif
}

/// Switches the cache in front of L1 for this RISC until the kernel ends. Firmware leaves it off.
template <bool enable = true>
FORCE_INLINE void set_l1_data_cache() {
#if defined(ARCH_BLACKHOLE)
    if constexpr (enable) {
        __asm__ volatile("csrrci zero, 0x7c0, 8" : : : "memory");
    } else {
        __asm__ volatile("csrrsi zero, 0x7c0, 8" : : : "memory");
    }
#endif
}

/// Returns the wall clock: tile cycles since the device started. Reading the low word latches the high word.
FORCE_INLINE uint64_t get_timestamp() {
    const uint32_t low = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L);
    const uint32_t high = reg_read(RISCV_DEBUG_REG_WALL_CLOCK_H);
    return (static_cast<uint64_t>(high) << 32) | low;
}

/// Name of the wall clock before 2025.
struct c_tensix_core {
    FORCE_INLINE static uint64_t read_wall_clock() { return get_timestamp(); }
};

FORCE_INLINE uint32_t get_timestamp_32b() { return reg_read(RISCV_DEBUG_REG_WALL_CLOCK_L); }

inline void riscv_wait(uint32_t cycles) {
    const uint32_t start = get_timestamp_32b();
    while (get_timestamp_32b() - start < cycles) {
    }
}
