// SPDX-License-Identifier: Apache-2.0
// Operations on bfloat16 and float32 values held in integers.

#pragma once

#include <stdint.h>
#include <string.h>

#include "risc_attribs.h"

inline constexpr uint16_t NEG_INF_BFLOAT16 = 0xFF80;
inline constexpr uint16_t POS_INF_BFLOAT16 = 0x7F80;
inline constexpr uint16_t NAN_BFLOAT16 = 0x7FFF;
inline constexpr uint16_t BFLOAT16_EXPONENT_MASK = 0x7F80;
inline constexpr uint16_t BFLOAT16_MANTISSA_MASK = 0x007F;
inline constexpr uint16_t BFLOAT16_MAGNITUDE_MASK = 0x7FFF;
inline constexpr uint32_t FLOAT32_EXPONENT_MASK = 0x7F800000;
inline constexpr uint32_t FLOAT32_MANTISSA_MASK = 0x007FFFFF;
inline constexpr uint32_t NEG_INF_FLOAT32 = 0xFF800000;
inline constexpr uint32_t POS_INF_FLOAT32 = 0x7F800000;
inline constexpr uint32_t NAN_FLOAT32 = 0x7FFFFFFF;
inline constexpr int32_t NEG_INF_INT32 = INT32_MIN;
inline constexpr int32_t POS_INF_INT32 = INT32_MAX;

namespace nocbench {

FORCE_INLINE uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

FORCE_INLINE float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/// Maps the bits of a float to an unsigned integer in the same order.
constexpr uint32_t ordered(uint32_t bits, uint32_t sign) { return (bits & sign) != 0 ? ~bits : bits | sign; }

}  // namespace nocbench

FORCE_INLINE float bf16_to_fp32(uint16_t value) { return nocbench::float_of(static_cast<uint32_t>(value) << 16); }

/// Rounds to nearest, ties to even.
FORCE_INLINE uint16_t fp32_to_bf16(float value) {
    const uint32_t bits = nocbench::bits_of(value);
    return static_cast<uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}

FORCE_INLINE uint16_t fp32_to_bf16_truncate(float value) {
    return static_cast<uint16_t>(nocbench::bits_of(value) >> 16);
}

/// Halves of a float.
struct FloatBits {
    uint16_t high16;
    uint16_t low16;
    FORCE_INLINE explicit FloatBits(float value)
        : high16(static_cast<uint16_t>(nocbench::bits_of(value) >> 16)),
          low16(static_cast<uint16_t>(nocbench::bits_of(value))) {}
};

inline bool bfloat16_greater(uint16_t first, uint16_t second) {
    return static_cast<uint16_t>(nocbench::ordered(first, 0x8000)) >
           static_cast<uint16_t>(nocbench::ordered(second, 0x8000));
}

/// Compares floats. NaN is neither greater nor less; zeros are equal.
inline bool float32_greater(uint32_t first, uint32_t second) {
    const bool are_numbers = (first << 1) <= 0xFF000000 && (second << 1) <= 0xFF000000;
    const bool are_zero = (first << 1) == 0 && (second << 1) == 0;
    return are_numbers && !are_zero && nocbench::ordered(first, 1U << 31) > nocbench::ordered(second, 1U << 31);
}

inline bool int32_greater(int32_t first, int32_t second) { return first > second; }
