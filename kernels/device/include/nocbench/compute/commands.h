// SPDX-License-Identifier: Apache-2.0
// Commands of a compute kernel's three threads to the units of the tile. Counterpart of
// device_model/tenstorrent/compute/compute_command.h.

#pragma once

#include <stdint.h>

#include "nocbench/watching/trap.h"

namespace nocbench::compute {

// Each thread compiles the whole kernel, and leaves out the calls of the others.
constexpr bool is_unpack = COMPILE_FOR_TRISC == 0;
constexpr bool is_math = COMPILE_FOR_TRISC == 1;
constexpr bool is_pack = COMPILE_FOR_TRISC == 2;

enum class Operation : uint32_t {
    any = 0,
    configure = 1,
    drain = 2,
    send = 3,
    receive = 4,
    prepare = 5,
    set_formats = 6,
    unpack = 8,
    pop = 9,
    expect = 10,
    acquire = 16,
    commit = 17,
    copy = 18,
    combine = 19,
    multiply_matrices = 20,
    reduce = 21,
    transpose = 22,
    unary = 23,
    binary = 24,
    ternary = 25,
    reduce_dst = 26,
    accumulate_rows = 27,
    seed = 28,
    gather = 29,
    sort = 30,
    wait = 40,
    release = 41,
    pack = 42,
    push = 43,
    reserve = 44,
};

// Flag of commit and release.
constexpr uint32_t without_dst = 1 << 0;

// Byte with the format of a tile: the data format, and from this bit on how often its 32 rows are halved.
constexpr uint32_t halved_rows_shift = 5;

// Flags of unpack.
constexpr uint32_t unpack_a = 1 << 0;
constexpr uint32_t unpack_b = 1 << 1;
constexpr uint32_t keep_a = 1 << 2;
constexpr uint32_t transpose_a = 1 << 4;
constexpr uint32_t transpose_b = 1 << 5;
constexpr uint32_t tilize_a = 1 << 6;
constexpr uint32_t exact_a = 1 << 7;

// Flags of calls that compute.
constexpr uint32_t broadcast_shift = 0;
constexpr uint32_t arithmetic_shift = 2;
constexpr uint32_t adds = 1 << 4;
constexpr uint32_t dst_as_a = 1 << 5;
constexpr uint32_t dst_as_b = 1 << 6;
constexpr uint32_t from_b = 1 << 7;
constexpr uint32_t continues = 1 << 12;
constexpr uint32_t pooling_shift = 8;
constexpr uint32_t dimension_shift = 10;
constexpr uint32_t transposes = 1 << 13;  // these of copies
constexpr uint32_t tilizes = 2 << 13;
constexpr uint32_t untilizes = 3 << 13;
constexpr uint32_t of_block = 1 << 13;  // of products

// Flag of accumulate_rows.
constexpr uint32_t is_first = 1 << 0;

// Flags of pack.
constexpr uint32_t adds_to_l1 = 1 << 0;
constexpr uint32_t untilize = 1 << 1;
constexpr uint32_t relu_shift = 2;
constexpr uint32_t by_packer = 1 << 4;

// Flags of functions of one tile.
constexpr uint32_t of_own_name = 1 << 0;
constexpr uint32_t in_pack = 1 << 1;

// Flags of sort.
constexpr uint32_t is_ascending = 1 << 0;
constexpr uint32_t has_no_indices = 1 << 1;
constexpr uint32_t ties_shift = 2;
constexpr uint32_t sort_shift = 4;

// Flag of prepare.
constexpr uint32_t below = 1 << 0;

// Flags of set_formats in pack.
constexpr uint32_t packs_tiles = 1 << 0;
constexpr uint32_t packs_rows = 1 << 1;

/// Gives a command with up to six words. Addresses are in units of 16 bytes. Returns the answer of those that have one.
template <Operation operation>
FORCE_INLINE uint32_t command(uint32_t flags = 0, uint32_t word_0 = 0, uint32_t word_1 = 0, uint32_t word_2 = 0,
                              uint32_t word_3 = 0, uint32_t word_4 = 0, uint32_t word_5 = 0) {
    register uint32_t a0 __asm__("a0") = static_cast<uint32_t>(operation) | flags << 8;
    register uint32_t a1 __asm__("a1") = word_0;
    register uint32_t a2 __asm__("a2") = word_1;
    register uint32_t a3 __asm__("a3") = word_2;
    register uint32_t a4 __asm__("a4") = word_3;
    register uint32_t a5 __asm__("a5") = word_4;
    register uint32_t a6 __asm__("a6") = word_5;
    register uint32_t a7 __asm__("a7") = static_cast<uint32_t>(Trap::compute);
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a6), "r"(a7) : "memory");
    return a0;
}

/// Sets the units up, before a kernel.
FORCE_INLINE void begin() { command<Operation::configure>(0, NOCBENCH_COMPUTE_CONFIGURATION); }

/// Tiles of Dst that math or pack has at a time: 16 of 16 bits in all, and in halves unless the configuration has them
/// whole. Counterpart of CallContract::tiles_of_section().
constexpr uint32_t tiles_of_dst =
    16 >> (NOCBENCH_COMPUTE_CONFIGURATION & 1) >> ((NOCBENCH_COMPUTE_CONFIGURATION >> 1 & 1) ^ 1);

/// Waits until all commands have ended, after a kernel.
FORCE_INLINE void end() { command<Operation::drain>(); }

}  // namespace nocbench::compute

#if COMPILE_FOR_TRISC == 0
#define UNPACK(...) __VA_ARGS__
#define MATH(...)
#define PACK(...)
#elif COMPILE_FOR_TRISC == 1
#define UNPACK(...)
#define MATH(...) __VA_ARGS__
#define PACK(...)
#else
#define UNPACK(...)
#define MATH(...)
#define PACK(...) __VA_ARGS__
#endif
