// SPDX-License-Identifier: Apache-2.0
// Calls of the vector unit on tiles of Dst. Template arguments (approximation, rounding) and parts of a tile
// (VectorMode) are taken and ignored: functions have full precision, on the whole tile.

#pragma once

#include <string_view>

#include "nocbench/compute/tiles.h"

enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

namespace nocbench::compute {

/// Returns the number of a function of the vector unit. Counterpart of function_number() in
/// device_model/tenstorrent/compute/vector_functions.h.
constexpr uint32_t function_number(std::string_view name) {
    uint32_t hash = 2166136261u;
    for (const char letter : name) {
        hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619u;
    }
    return hash;
}

template <uint32_t function>
FORCE_INLINE void unary(uint32_t dst, uint32_t first = 0, uint32_t second = 0) {
    if constexpr (is_math) {
        command<Operation::unary>(0, dst, function, first, second);
    }
}

template <uint32_t function>
FORCE_INLINE void binary(uint32_t left, uint32_t right, uint32_t result) {
    if constexpr (is_math) {
        command<Operation::binary>(0, left, right, result, function);
    }
}

FORCE_INLINE uint32_t word_of(float value) { return __builtin_bit_cast(uint32_t, value); }

}  // namespace nocbench::compute

#define NOCBENCH_FUNCTION_NUMBER(name) nocbench::compute::function_number(#name)

#define NOCBENCH_UNARY(name)                                           \
    NOCBENCH_NO_COMMAND(name##_tile_init)                              \
    template <auto... options, typename... Modes>                      \
    FORCE_INLINE void name##_tile(uint32_t dst, Modes...) {            \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name)>(dst); \
    }
NOCBENCH_UNARY(exp)
NOCBENCH_UNARY(exp2)
NOCBENCH_UNARY(expm1)
NOCBENCH_UNARY(log)
NOCBENCH_UNARY(log1p)
NOCBENCH_UNARY(sqrt)
NOCBENCH_UNARY(rsqrt)
NOCBENCH_UNARY(recip)
NOCBENCH_UNARY(cbrt)
NOCBENCH_UNARY(sin)
NOCBENCH_UNARY(cos)
NOCBENCH_UNARY(tan)
NOCBENCH_UNARY(asin)
NOCBENCH_UNARY(acos)
NOCBENCH_UNARY(atan)
NOCBENCH_UNARY(sinh)
NOCBENCH_UNARY(cosh)
NOCBENCH_UNARY(asinh)
NOCBENCH_UNARY(acosh)
NOCBENCH_UNARY(atanh)
NOCBENCH_UNARY(tanh)
NOCBENCH_UNARY(tanh_derivative)
NOCBENCH_UNARY(erf)
NOCBENCH_UNARY(erfc)
NOCBENCH_UNARY(gelu)
NOCBENCH_UNARY(sigmoid)
NOCBENCH_UNARY(logsigmoid)
NOCBENCH_UNARY(silu)
NOCBENCH_UNARY(mish)
NOCBENCH_UNARY(softsign)
NOCBENCH_UNARY(hardsigmoid)
NOCBENCH_UNARY(square)
NOCBENCH_UNARY(abs)
NOCBENCH_UNARY(abs_int32)
NOCBENCH_UNARY(floor)
NOCBENCH_UNARY(ceil)
NOCBENCH_UNARY(trunc)
NOCBENCH_UNARY(frac)
NOCBENCH_UNARY(negative)
NOCBENCH_UNARY(negative_int32)
NOCBENCH_UNARY(identity)
NOCBENCH_UNARY(relu)
NOCBENCH_UNARY(sign)
NOCBENCH_UNARY(signbit)
NOCBENCH_UNARY(eqz)
NOCBENCH_UNARY(nez)
NOCBENCH_UNARY(ltz)
NOCBENCH_UNARY(gtz)
NOCBENCH_UNARY(lez)
NOCBENCH_UNARY(gez)
NOCBENCH_UNARY(logical_not)
NOCBENCH_UNARY(logical_not_unary)
NOCBENCH_UNARY(isnan)
NOCBENCH_UNARY(isinf)
NOCBENCH_UNARY(isposinf)
NOCBENCH_UNARY(isneginf)
NOCBENCH_UNARY(isfinite)
NOCBENCH_UNARY(bitwise_not)
#undef NOCBENCH_UNARY

#define NOCBENCH_UNARY_OF_ONE(name)                                               \
    NOCBENCH_NO_COMMAND(name##_tile_init)                                         \
    template <auto... options, typename... Modes>                                 \
    FORCE_INLINE void name##_tile(uint32_t dst, uint32_t parameter, Modes...) {   \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name)>(dst, parameter); \
    }
NOCBENCH_UNARY_OF_ONE(log_with_base)
NOCBENCH_UNARY_OF_ONE(relu_max)
NOCBENCH_UNARY_OF_ONE(relu_min)
NOCBENCH_UNARY_OF_ONE(leaky_relu)
NOCBENCH_UNARY_OF_ONE(prelu)
NOCBENCH_UNARY_OF_ONE(elu)
NOCBENCH_UNARY_OF_ONE(heaviside)
NOCBENCH_UNARY_OF_ONE(add_unary)
NOCBENCH_UNARY_OF_ONE(sub_unary)
NOCBENCH_UNARY_OF_ONE(rsub_unary)
NOCBENCH_UNARY_OF_ONE(mul_unary)
NOCBENCH_UNARY_OF_ONE(div_unary)
NOCBENCH_UNARY_OF_ONE(add_unary_int32)
NOCBENCH_UNARY_OF_ONE(rdiv)
NOCBENCH_UNARY_OF_ONE(unary_max)
NOCBENCH_UNARY_OF_ONE(unary_min)
NOCBENCH_UNARY_OF_ONE(unary_eq)
NOCBENCH_UNARY_OF_ONE(unary_ne)
NOCBENCH_UNARY_OF_ONE(unary_gt)
NOCBENCH_UNARY_OF_ONE(unary_ge)
NOCBENCH_UNARY_OF_ONE(unary_lt)
NOCBENCH_UNARY_OF_ONE(unary_le)
NOCBENCH_UNARY_OF_ONE(power)
NOCBENCH_UNARY_OF_ONE(power_iterative)
NOCBENCH_UNARY_OF_ONE(rpow)
NOCBENCH_UNARY_OF_ONE(bitwise_and)
NOCBENCH_UNARY_OF_ONE(bitwise_or)
NOCBENCH_UNARY_OF_ONE(bitwise_xor)
NOCBENCH_UNARY_OF_ONE(left_shift)
NOCBENCH_UNARY_OF_ONE(right_shift)
#undef NOCBENCH_UNARY_OF_ONE

#define NOCBENCH_UNARY_OF_TWO(name)                                                          \
    NOCBENCH_NO_COMMAND(name##_tile_init)                                                    \
    template <auto... options, typename... Modes>                                            \
    FORCE_INLINE void name##_tile(uint32_t dst, uint32_t first, uint32_t second, Modes...) { \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name)>(dst, first, second);        \
    }
NOCBENCH_UNARY_OF_TWO(clamp)
NOCBENCH_UNARY_OF_TWO(hardtanh)
NOCBENCH_UNARY_OF_TWO(threshold)
NOCBENCH_UNARY_OF_TWO(softplus)
NOCBENCH_UNARY_OF_TWO(fmod)
NOCBENCH_UNARY_OF_TWO(remainder)
#undef NOCBENCH_UNARY_OF_TWO

#define NOCBENCH_BINARY(name)                                                           \
    NOCBENCH_NO_COMMAND(name##_tile_init)                                               \
    template <auto... options>                                                          \
    FORCE_INLINE void name##_tile(uint32_t left, uint32_t right, uint32_t result) {     \
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(name)>(left, right, result); \
    }                                                                                   \
    template <auto... options>                                                          \
    FORCE_INLINE void name##_tile(uint32_t left, uint32_t right) {                      \
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(name)>(left, right, left);   \
    }
NOCBENCH_BINARY(add_binary)
NOCBENCH_BINARY(sub_binary)
NOCBENCH_BINARY(rsub_binary)
NOCBENCH_BINARY(mul_binary)
NOCBENCH_BINARY(div_binary)
NOCBENCH_BINARY(power_binary)
NOCBENCH_BINARY(binary_max)
NOCBENCH_BINARY(binary_min)
NOCBENCH_BINARY(binary_max_int32)
NOCBENCH_BINARY(binary_min_int32)
NOCBENCH_BINARY(eq_binary)
NOCBENCH_BINARY(ne_binary)
NOCBENCH_BINARY(gt_binary)
NOCBENCH_BINARY(ge_binary)
NOCBENCH_BINARY(lt_binary)
NOCBENCH_BINARY(le_binary)
NOCBENCH_BINARY(add_int)
NOCBENCH_BINARY(sub_int)
NOCBENCH_BINARY(rsub_int)
NOCBENCH_BINARY(mul_int)
NOCBENCH_BINARY(bitwise_and_binary)
NOCBENCH_BINARY(bitwise_or_binary)
NOCBENCH_BINARY(bitwise_xor_binary)
NOCBENCH_BINARY(binary_left_shift)
NOCBENCH_BINARY(binary_right_shift)
#undef NOCBENCH_BINARY

// Names of integers by their width, which the function does not depend on.
#define NOCBENCH_SAME(name, other)                    \
    NOCBENCH_NO_COMMAND(name##_tile_init)             \
    template <auto... options, typename... Values>    \
    FORCE_INLINE void name##_tile(Values... values) { \
        other##_tile(values...);                      \
    }
NOCBENCH_SAME(add_int32, add_int)
NOCBENCH_SAME(add_uint16, add_int)
NOCBENCH_SAME(add_uint32, add_int)
NOCBENCH_SAME(sub_int32, sub_int)
NOCBENCH_SAME(sub_uint16, sub_int)
NOCBENCH_SAME(mul_int32, mul_int)
NOCBENCH_SAME(mul_uint16, mul_int)
NOCBENCH_SAME(bitwise_and_uint16, bitwise_and)
NOCBENCH_SAME(bitwise_or_uint16, bitwise_or)
NOCBENCH_SAME(bitwise_xor_uint16, bitwise_xor)
#undef NOCBENCH_SAME

NOCBENCH_NO_COMMAND(add_binary_int_tile_init)
NOCBENCH_NO_COMMAND(binop_with_scalar_tile_init)
NOCBENCH_NO_COMMAND(eltwise_binop_with_scalar_init)
NOCBENCH_NO_COMMAND(where_tile_init)
NOCBENCH_NO_COMMAND(typecast_tile_init)
NOCBENCH_NO_COMMAND(fill_tile_init)
NOCBENCH_NO_COMMAND(copy_dest_values_init)

template <auto... options>
FORCE_INLINE void fill_tile(uint32_t dst, float value) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(fill)>(dst, nocbench::compute::word_of(value));
}
template <auto... options>
FORCE_INLINE void fill_tile_bitcast(uint32_t dst, uint32_t word) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(fill)>(dst, word);
}
template <auto... options>
FORCE_INLINE void fill_tile_int(uint32_t dst, uint32_t value) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(fill_int)>(dst, value);
}

/// Selects values of the tile `chosen` where `condition` is not 0, and of the tile `other` elsewhere.
template <auto... options>
FORCE_INLINE void where_tile(uint32_t condition, uint32_t chosen, uint32_t other, uint32_t result) {
    using namespace nocbench::compute;
    if constexpr (is_math) {
        command<Operation::select>(0, condition, chosen, other, result);
    }
}

template <auto... options>
FORCE_INLINE void copy_dest_values(uint32_t target, uint32_t source) {
    nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(copy_dest_values)>(target, source, target);
}

namespace nocbench::compute {

constexpr bool is_signed_integer(uint32_t format) {
    return format == static_cast<uint32_t>(DataFormat::Int32) || format == static_cast<uint32_t>(DataFormat::Int8);
}
constexpr bool is_integer(uint32_t format) {
    return is_signed_integer(format) || format == static_cast<uint32_t>(DataFormat::UInt32) ||
           format == static_cast<uint32_t>(DataFormat::UInt16) || format == static_cast<uint32_t>(DataFormat::UInt8);
}

}  // namespace nocbench::compute

/// Converts the values of a tile between the formats with these numbers.
template <uint32_t from, uint32_t to>
FORCE_INLINE void typecast_tile(uint32_t dst) {
    using namespace nocbench::compute;
    if constexpr (is_integer(from) && !is_integer(to)) {
        unary<is_signed_integer(from) ? function_number("int_to_float") : function_number("word_to_float")>(dst);
    } else if constexpr (!is_integer(from) && is_integer(to)) {
        unary<is_signed_integer(to) ? function_number("float_to_int") : function_number("float_to_word")>(dst);
    } else {
        unary<function_number("identity")>(dst);
    }
}
