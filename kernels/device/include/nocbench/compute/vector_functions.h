// SPDX-License-Identifier: Apache-2.0
// Calls of the vector unit on tiles of Dst. Template arguments (approximation, rounding) and parts of a tile
// (VectorMode) are taken and ignored: functions have full precision, on the whole tile.

#pragma once

#include <string_view>
#include <tuple>
#include <type_traits>

#include "nocbench/compute/tiles.h"

namespace ckernel {

enum class RsqrtMode : uint8_t { Default, Fast };
enum class InputClamping : uint8_t { None = 0, ClampToNegative = 1 };
enum class RoundingMode : uint8_t { None, Trunc, Floor };
enum class ReciprocalDestAcc : uint8_t { BF16, FP32 };
enum class ReciprocalApproxMode : uint8_t { Default, Precise, Approximate };
enum VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6, Invalid = 0xFF };

}  // namespace ckernel

namespace nocbench::compute {

using namespace ckernel;

/// Returns the number of a function of the vector unit. Counterpart of function_number() in
/// device_model/tenstorrent/compute/vector_functions.h.
constexpr uint32_t function_number(std::string_view name) {
    uint32_t hash = 2166136261u;
    for (const char letter : name) {
        hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619u;
    }
    return hash;
}

/// Applies a function with up to three parameters; further ones, such as parts of a tile, are ignored.
template <uint32_t function, uint32_t flags = 0, typename... Values>
FORCE_INLINE void unary(uint32_t dst, Values... values) {
    if constexpr ((flags & in_pack) != 0 ? is_pack : is_math) {
        const uint32_t words[] = {static_cast<uint32_t>(values)..., 0, 0, 0};
        command<Operation::unary>(flags, dst, function, words[0], words[1], words[2]);
    }
}

template <uint32_t function, BroadcastType broadcast = BroadcastType::NONE>
FORCE_INLINE void binary(uint32_t left, uint32_t right, uint32_t result, uint32_t first = 0, uint32_t second = 0) {
    if constexpr (is_math) {
        command<Operation::binary>(static_cast<uint32_t>(broadcast) << broadcast_shift, left, right, result, function,
                                   first, second);
    }
}

constexpr bool is_signed_integer(uint32_t format) {
    return format == static_cast<uint32_t>(DataFormat::Int32) || format == static_cast<uint32_t>(DataFormat::Int8);
}
constexpr bool is_integer(uint32_t format) {
    return is_signed_integer(format) || format == static_cast<uint32_t>(DataFormat::UInt32) ||
           format == static_cast<uint32_t>(DataFormat::UInt16) || format == static_cast<uint32_t>(DataFormat::UInt8);
}

/// Returns the only number among options that are truth values and enumerations; `usual` if there is none.
template <auto... options>
constexpr uint32_t number_among(uint32_t usual) {
    const auto one = [&usual](auto option) {
        if constexpr (std::is_integral_v<decltype(option)> && !std::is_same_v<decltype(option), bool>) {
            usual = static_cast<uint32_t>(option);
        }
    };
    (one(options), ...);
    return usual;
}

/// Parameters that an initialisation leaves for later calls.
struct CallParameters {
    uint32_t first = 0;
    uint32_t second = 0;
};
inline CallParameters call_parameters;
inline uint32_t scale_of_exp = 0x3F800000;

/// Returns the tile of a result: the first number of further arguments, else `left`.
template <typename... Values>
constexpr uint32_t result_of(uint32_t left, [[maybe_unused]] Values... values) {
    if constexpr (sizeof...(values) == 0) {
        return left;
    } else {
        const auto first = std::get<0>(std::tuple(values...));
        return std::is_integral_v<decltype(first)> ? static_cast<uint32_t>(first) : left;
    }
}

template <uint32_t function>
FORCE_INLINE void ternary(uint32_t first, uint32_t second, uint32_t third, uint32_t result, uint32_t parameter = 0) {
    if constexpr (is_math) {
        command<Operation::ternary>(0, first, second, third, result, function, parameter);
    }
}

/// Tells the model that the vector unit is set up, for a function if it has a number.
template <bool by_pack = false>
FORCE_INLINE void prepare_vector_unit(uint32_t function = 0) {
    prepare<Call{Operation::unary}, by_pack>(function);
}

FORCE_INLINE uint32_t word_of(float value) { return __builtin_bit_cast(uint32_t, value); }

}  // namespace nocbench::compute

namespace ckernel {

#define NOCBENCH_FUNCTION_NUMBER(name) nocbench::compute::function_number(#name)

/// Declares the initialisation of a function.
#define NOCBENCH_INIT(init, name)                                               \
    template <auto... options, typename... Values>                              \
    FORCE_INLINE void init(Values...) {                                         \
        nocbench::compute::prepare_vector_unit(NOCBENCH_FUNCTION_NUMBER(name)); \
    }

/// Declares a call of one tile, and its initialisation.
#define NOCBENCH_UNARY_CALL(call, name)                                                                              \
    NOCBENCH_INIT(call##_init, name)                                                                                 \
    template <auto... options, typename... Values>                                                                   \
    FORCE_INLINE void call(uint32_t dst, Values... values) {                                                         \
        constexpr bool has_own_name = std::string_view(#call) == #name "_tile";                                      \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name), has_own_name ? nocbench::compute::of_own_name : 0>( \
            dst, values...);                                                                                         \
    }
#define NOCBENCH_UNARY(name) NOCBENCH_UNARY_CALL(name##_tile, name)
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
NOCBENCH_UNARY(log_with_base)
NOCBENCH_UNARY(relu_max)
NOCBENCH_UNARY(relu_min)
NOCBENCH_UNARY(leaky_relu)
NOCBENCH_UNARY(prelu)
NOCBENCH_UNARY(elu)
NOCBENCH_UNARY(heaviside)
NOCBENCH_UNARY(add_unary)
NOCBENCH_UNARY(sub_unary)
NOCBENCH_UNARY(rsub_unary)
NOCBENCH_UNARY(mul_unary)
NOCBENCH_UNARY(div_unary)
NOCBENCH_UNARY(add_unary_int32)
NOCBENCH_UNARY(unary_max)
NOCBENCH_UNARY(unary_min)
NOCBENCH_UNARY(unary_eq)
NOCBENCH_UNARY(unary_ne)
NOCBENCH_UNARY(unary_gt)
NOCBENCH_UNARY(unary_ge)
NOCBENCH_UNARY(unary_lt)
NOCBENCH_UNARY(unary_le)
NOCBENCH_UNARY(power)
NOCBENCH_UNARY(power_iterative)
NOCBENCH_UNARY(rpow)
NOCBENCH_UNARY(bitwise_and)
NOCBENCH_UNARY(bitwise_or)
NOCBENCH_UNARY(bitwise_xor)
NOCBENCH_UNARY(left_shift)
NOCBENCH_UNARY(clamp)
NOCBENCH_UNARY(hardtanh)
NOCBENCH_UNARY(threshold)
NOCBENCH_UNARY(softplus)
NOCBENCH_UNARY(celu)
NOCBENCH_UNARY(selu)
NOCBENCH_UNARY(hardshrink)
NOCBENCH_UNARY(softshrink)
NOCBENCH_UNARY(softcap)
NOCBENCH_UNARY(xielu)
NOCBENCH_UNARY(round)
NOCBENCH_UNARY(gelu_tanh)
NOCBENCH_UNARY(gelu_derivative)
NOCBENCH_UNARY(hardmish)
NOCBENCH_UNARY(tanhshrink)
NOCBENCH_UNARY(erfinv)
NOCBENCH_UNARY(i0)
NOCBENCH_UNARY(i1)
NOCBENCH_UNARY(lgamma_stirling)
NOCBENCH_UNARY(digamma)
NOCBENCH_UNARY(polygamma)
NOCBENCH_UNARY(unary_max_int32)
NOCBENCH_UNARY(unary_min_int32)
NOCBENCH_UNARY(unary_max_uint32)
NOCBENCH_UNARY(unary_min_uint32)
#undef NOCBENCH_UNARY

// Names with the type of integers behind `tile`.
NOCBENCH_UNARY_CALL(eqz_tile_int32, unary_eq_int32)
NOCBENCH_UNARY_CALL(eqz_tile_uint16, unary_eq_int32)
NOCBENCH_UNARY_CALL(eqz_tile_uint32, unary_eq_int32)
NOCBENCH_UNARY_CALL(nez_tile_int32, unary_ne_int32)
NOCBENCH_UNARY_CALL(nez_tile_uint16, unary_ne_int32)
NOCBENCH_UNARY_CALL(nez_tile_uint32, unary_ne_int32)
NOCBENCH_UNARY_CALL(gtz_tile_int32, unary_gt_int32)
NOCBENCH_UNARY_CALL(ltz_tile_int32, unary_lt_int32)
NOCBENCH_UNARY_CALL(gez_tile_int32, unary_ge_int32)
NOCBENCH_UNARY_CALL(lez_tile_int32, unary_le_int32)
NOCBENCH_UNARY_CALL(unary_eq_tile_int32, unary_eq_int32)
NOCBENCH_UNARY_CALL(unary_ne_tile_int32, unary_ne_int32)
NOCBENCH_UNARY_CALL(unary_gt_tile_int32, unary_gt_int32)
NOCBENCH_UNARY_CALL(unary_ge_tile_int32, unary_ge_int32)
NOCBENCH_UNARY_CALL(unary_lt_tile_int32, unary_lt_int32)
NOCBENCH_UNARY_CALL(unary_le_tile_int32, unary_le_int32)
NOCBENCH_UNARY_CALL(abs_tile_int32, abs_int32)
NOCBENCH_UNARY_CALL(negative_tile_int32, negative_int32)
NOCBENCH_UNARY_CALL(signbit_tile_int32, unary_lt_int32)
NOCBENCH_UNARY_CALL(clamp_tile_int32, clamp_int32)
NOCBENCH_UNARY_CALL(relu_tile_int32, unary_max_int32)
NOCBENCH_UNARY_CALL(relu_max_tile_int32, relu_max_int32)
NOCBENCH_UNARY_CALL(relu_max_tile_uint32, unary_min_uint32)
NOCBENCH_UNARY_CALL(relu_max_tile_uint16, unary_min_uint32)
NOCBENCH_UNARY_CALL(relu_min_tile_int32, relu_min_int32)
NOCBENCH_UNARY_CALL(relu_min_tile_uint32, relu_min_int32)
NOCBENCH_UNARY_CALL(relu_min_tile_uint16, relu_min_int32)
NOCBENCH_UNARY_CALL(add_unary_tile_int32, add_unary_int32)
NOCBENCH_UNARY_CALL(sub_unary_tile_int32, sub_unary_int32)
NOCBENCH_UNARY_CALL(mul_unary_tile_int32, mul_unary_int32)
NOCBENCH_UNARY_CALL(rsub_unary_int32_tile, rsub_int32)
NOCBENCH_UNARY_CALL(rsub_tile, rsub_unary)
NOCBENCH_UNARY_CALL(remainder_tile_uint32, remainder_uint32)
NOCBENCH_UNARY_CALL(identity_tile_uint32, identity)
NOCBENCH_UNARY_CALL(stochastic_round_tile, identity)
#undef NOCBENCH_UNARY_CALL

#define NOCBENCH_BINARY(name)                                                                                     \
    NOCBENCH_INIT(name##_tile_init, name)                                                                         \
    template <auto... options, typename... Values>                                                                \
    FORCE_INLINE void name##_tile(uint32_t left, uint32_t right, Values... values) {                              \
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(name)>(left, right,                                    \
                                                                  nocbench::compute::result_of(left, values...)); \
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
NOCBENCH_BINARY(lgamma_stirling_float)
NOCBENCH_BINARY(fmod_binary)
NOCBENCH_BINARY(remainder_binary)
NOCBENCH_BINARY(xlogy_binary)
NOCBENCH_BINARY(atan2_binary)
NOCBENCH_BINARY(logaddexp_binary)
NOCBENCH_BINARY(logaddexp2_binary)
NOCBENCH_BINARY(nextafter_binary)
NOCBENCH_BINARY(mask)
NOCBENCH_BINARY(mask_posinf)
NOCBENCH_BINARY(eq_int)
NOCBENCH_BINARY(ne_int)
NOCBENCH_BINARY(div_int32)
NOCBENCH_BINARY(div_int32_floor)
NOCBENCH_BINARY(div_int32_trunc)
NOCBENCH_BINARY(fmod_int32)
NOCBENCH_BINARY(remainder_int32)
NOCBENCH_BINARY(remainder_uint32)
NOCBENCH_BINARY(gcd)
NOCBENCH_BINARY(lcm)
NOCBENCH_BINARY(binary_max_uint32)
NOCBENCH_BINARY(binary_min_uint32)
NOCBENCH_BINARY(binary_logical_right_shift)
NOCBENCH_BINARY(situ_glu)
NOCBENCH_BINARY(clamped_silu_glu)
#undef NOCBENCH_BINARY

/// Declares the exponential. The initialisation leaves the scale among its options to calls that approximate. Others
/// have theirs, as the upper half of a float.
#define NOCBENCH_EXP(call, flags)                                                                                   \
    template <bool approximates = false, auto... options>                                                           \
    FORCE_INLINE void call##_init() {                                                                               \
        using namespace nocbench::compute;                                                                          \
        prepare_vector_unit<((flags) & in_pack) != 0>(NOCBENCH_FUNCTION_NUMBER(exp));                               \
        scale_of_exp = number_among<options...>(word_of(1));                                                        \
    }                                                                                                               \
    template <bool approximates = false, auto... options>                                                           \
    FORCE_INLINE void call(uint32_t dst, int = VectorMode::RC) {                                                    \
        using namespace nocbench::compute;                                                                          \
        unary<NOCBENCH_FUNCTION_NUMBER(exp), of_own_name | (flags)>(dst, approximates ? scale_of_exp : word_of(1)); \
    }                                                                                                               \
    template <auto... options>                                                                                      \
    FORCE_INLINE void call(uint32_t dst, int, uint32_t scale) {                                                     \
        using namespace nocbench::compute;                                                                          \
        unary<NOCBENCH_FUNCTION_NUMBER(exp), of_own_name | (flags)>(dst, scale << 16);                              \
    }
NOCBENCH_EXP(exp_tile, 0)

// Functions that pack has the vector unit compute, on tiles of Dst that math has handed on.
NOCBENCH_EXP(exp_packthread_tile, in_pack)
#undef NOCBENCH_EXP
#define NOCBENCH_UNARY_IN_PACK(name)                                                  \
    template <auto... options, typename... Values>                                    \
    FORCE_INLINE void name##_tile_init_pack(Values...) {                              \
        nocbench::compute::prepare_vector_unit<true>(NOCBENCH_FUNCTION_NUMBER(name)); \
    }                                                                                 \
    template <auto... options, typename... Values>                                    \
    FORCE_INLINE void name##_tile_pack(uint32_t dst, Values... values) {              \
        using namespace nocbench::compute;                                            \
        unary<NOCBENCH_FUNCTION_NUMBER(name), of_own_name | in_pack>(dst, values...); \
    }
NOCBENCH_UNARY_IN_PACK(gelu)
NOCBENCH_UNARY_IN_PACK(gelu_tanh)
NOCBENCH_UNARY_IN_PACK(hardsigmoid)
NOCBENCH_UNARY_IN_PACK(hardtanh)
NOCBENCH_UNARY_IN_PACK(relu_max)
NOCBENCH_UNARY_IN_PACK(selu)
NOCBENCH_UNARY_IN_PACK(sigmoid)
NOCBENCH_UNARY_IN_PACK(silu)
NOCBENCH_UNARY_IN_PACK(softplus)
NOCBENCH_UNARY_IN_PACK(tanh)
#undef NOCBENCH_UNARY_IN_PACK

/// Declares a call of one tile by a divisor, which its initialisation has, or before 2026 the call.
#define NOCBENCH_DIVISION(name)                                                                                  \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tile_init(uint32_t divisor = 0, uint32_t = 0) {                                     \
        nocbench::compute::prepare_vector_unit(NOCBENCH_FUNCTION_NUMBER(name));                                  \
        nocbench::compute::call_parameters = {divisor};                                                          \
    }                                                                                                            \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tile(uint32_t dst) {                                                                \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name)>(dst, nocbench::compute::call_parameters.first); \
    }                                                                                                            \
    template <auto... options>                                                                                   \
    FORCE_INLINE void name##_tile(uint32_t dst, uint32_t divisor, uint32_t = 0) {                                \
        nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(name)>(dst, divisor);                                  \
    }
NOCBENCH_DIVISION(fmod)
NOCBENCH_DIVISION(remainder)
#undef NOCBENCH_DIVISION

NOCBENCH_INIT(rdiv_tile_init, rdiv)
template <RoundingMode rounding = RoundingMode::None, auto... options>
FORCE_INLINE void rdiv_tile(uint32_t dst, uint32_t numerator, int = VectorMode::RC) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(rdiv)>(dst, numerator, rounding);
}

NOCBENCH_INIT(isclose_binary_tile_init, isclose_binary)
template <bool nan_is_close_to_nan = false>
FORCE_INLINE void isclose_binary_tile(uint32_t left, uint32_t right, uint32_t result, uint32_t relative,
                                      uint32_t absolute) {
    using nocbench::compute::function_number;
    nocbench::compute::binary<function_number(nan_is_close_to_nan ? "isclose_binary_equal_nan" : "isclose_binary")>(
        left, right, result, relative, absolute);
}

// Quantization of a tile by a tile of scales, with a zero point that the initialisation has. Signed bytes lie in
// buffers of UInt8.

/// Declares an initialisation of calls with results from `lowest` to the highest value of a byte.
#define NOCBENCH_QUANTIZATION_INIT(call, lowest)                                          \
    FORCE_INLINE void call##_tile_init(uint32_t zero_point) {                             \
        nocbench::compute::prepare_vector_unit();                                         \
        nocbench::compute::call_parameters = {zero_point, static_cast<uint32_t>(lowest)}; \
    }
#define NOCBENCH_QUANTIZATION(call, name)                                                                \
    FORCE_INLINE void call##_tile(uint32_t left, uint32_t scale, uint32_t result) {                      \
        const auto& parameters = nocbench::compute::call_parameters;                                     \
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(name)>(left, scale, result, parameters.first, \
                                                                  parameters.second);                    \
    }
NOCBENCH_QUANTIZATION_INIT(quant, -127)
NOCBENCH_QUANTIZATION_INIT(quant_int8, -128)
NOCBENCH_QUANTIZATION_INIT(quant_uint8, 0)
NOCBENCH_QUANTIZATION_INIT(requant, -127)
NOCBENCH_QUANTIZATION_INIT(requant_int8, -128)
NOCBENCH_QUANTIZATION_INIT(requant_uint8, 0)
NOCBENCH_QUANTIZATION_INIT(requant_int8_in, -127)
NOCBENCH_QUANTIZATION_INIT(requant_int8_in_int8_out, -128)
NOCBENCH_QUANTIZATION_INIT(requant_int8_in_uint8_out, 0)
NOCBENCH_QUANTIZATION_INIT(dequant, 0)
NOCBENCH_QUANTIZATION_INIT(dequant_int8, 0)
#undef NOCBENCH_QUANTIZATION_INIT
NOCBENCH_QUANTIZATION(quant, quant)
NOCBENCH_QUANTIZATION(quant_int8, quant)
NOCBENCH_QUANTIZATION(requant, requant)
NOCBENCH_QUANTIZATION(requant_int8, requant)
NOCBENCH_QUANTIZATION(requant_int8_in, requant_int8_in)
NOCBENCH_QUANTIZATION(requant_int8_in_int8_out, requant_int8_in)
NOCBENCH_QUANTIZATION(dequant, dequant)
NOCBENCH_QUANTIZATION(dequant_int8, dequant_int8)
#undef NOCBENCH_QUANTIZATION

/// Declares a call of two tiles of integers, which in UInt32 is another function. The first template argument is the
/// format of the values.
#define NOCBENCH_BINARY_OF_INTEGERS(name, of_words)                                                            \
    NOCBENCH_INIT(name##_tile_init, name)                                                                      \
    template <DataFormat format = DataFormat::Int32, auto... options, typename... Values>                      \
    FORCE_INLINE void name##_tile(uint32_t left, uint32_t right, Values... values) {                           \
        using namespace nocbench::compute;                                                                     \
        binary<function_number(format == DataFormat::UInt32 ? #of_words : #name)>(left, right,                 \
                                                                                  result_of(left, values...)); \
    }
NOCBENCH_BINARY_OF_INTEGERS(gt_int, gt_word)
NOCBENCH_BINARY_OF_INTEGERS(ge_int, ge_word)
NOCBENCH_BINARY_OF_INTEGERS(lt_int, lt_word)
NOCBENCH_BINARY_OF_INTEGERS(le_int, le_word)
NOCBENCH_BINARY_OF_INTEGERS(binary_right_shift, right_shift_word)
#undef NOCBENCH_BINARY_OF_INTEGERS

NOCBENCH_INIT(right_shift_tile_init, right_shift)
template <DataFormat format = DataFormat::Int32, auto... options>
FORCE_INLINE void right_shift_tile(uint32_t dst, uint32_t count) {
    using namespace nocbench::compute;
    unary<function_number(format == DataFormat::UInt32 ? "right_shift_word" : "right_shift")>(dst, count);
}

// Names of integers by their width, which the function does not depend on.
#define NOCBENCH_SAME(name, other)                    \
    NOCBENCH_INIT(name##_tile_init, other)            \
    template <auto... options, typename... Values>    \
    FORCE_INLINE void name##_tile(Values... values) { \
        other##_tile(values...);                      \
    }
NOCBENCH_SAME(add_int32, add_int)
NOCBENCH_SAME(add_uint16, add_int)
NOCBENCH_SAME(add_uint32, add_int)
NOCBENCH_SAME(sub_int32, sub_int)
NOCBENCH_SAME(ge_int32, ge_int)
NOCBENCH_SAME(gt_int32, gt_int)
NOCBENCH_SAME(le_int32, le_int)
NOCBENCH_SAME(lt_int32, lt_int)
NOCBENCH_SAME(nextafter_bf16_binary, nextafter_binary)
NOCBENCH_SAME(sub_uint16, sub_int)
NOCBENCH_SAME(mul_int32, mul_int)
NOCBENCH_SAME(mul_uint16, mul_int)
NOCBENCH_SAME(bitwise_and_uint16, bitwise_and)
NOCBENCH_SAME(bitwise_or_uint16, bitwise_or)
NOCBENCH_SAME(bitwise_xor_uint16, bitwise_xor)
#undef NOCBENCH_SAME

NOCBENCH_INIT(add_binary_int_tile_init, add_int)
NOCBENCH_INIT(binop_with_scalar_tile_init, add_unary)
NOCBENCH_INIT(eltwise_binop_with_scalar_init, add_unary)
NOCBENCH_INIT(binary_bitwise_tile_init, bitwise_and_binary)
NOCBENCH_INIT(binary_shift_tile_init, binary_left_shift)
NOCBENCH_INIT(rounding_op_tile_init, round)
NOCBENCH_INIT(typecast_tile_init, identity)
NOCBENCH_INIT(fill_tile_init, fill)
NOCBENCH_INIT(copy_dest_values_init, copy_dest_values)

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

/// Copies a tile of Dst. Kernels of 2025 name the target first.
template <auto... options>
FORCE_INLINE void copy_dest_values(uint32_t source, uint32_t target) {
    nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(copy_dest_values)>(target, source, target);
}

/// Declares a call of three tiles, and its initialisation. The first template argument is the format of the values.
#define NOCBENCH_TERNARY(name, of_integers)                                                             \
    NOCBENCH_INIT(name##_tile_init, name)                                                               \
    template <DataFormat format = DataFormat::Float16_b, auto... options>                               \
    FORCE_INLINE void name##_tile(uint32_t first, uint32_t second, uint32_t third, uint32_t result,     \
                                  uint32_t parameter = 0) {                                             \
        using namespace nocbench::compute;                                                              \
        constexpr bool has_integers = is_integer(static_cast<uint32_t>(format));                        \
        ternary<has_integers ? NOCBENCH_FUNCTION_NUMBER(of_integers) : NOCBENCH_FUNCTION_NUMBER(name)>( \
            first, second, third, result, parameter);                                                   \
    }
NOCBENCH_TERNARY(where, where)
NOCBENCH_TERNARY(addcmul, addcmul_int)
NOCBENCH_TERNARY(addcdiv, addcdiv)
NOCBENCH_TERNARY(lerp, lerp)
NOCBENCH_TERNARY(mac, mac)
NOCBENCH_TERNARY(snake_beta, snake_beta)
NOCBENCH_TERNARY(lgamma_adjusted, lgamma_adjusted)
#undef NOCBENCH_TERNARY

// Functions with random numbers. They are not those of the device.

template <auto... options>
FORCE_INLINE void rand_tile_init(uint32_t seed = 0, uint32_t stream = 0) {
    using namespace nocbench::compute;
    prepare_vector_unit(NOCBENCH_FUNCTION_NUMBER(rand));
    if constexpr (is_math) {
        command<Operation::seed>(0, seed + stream);
    }
}
FORCE_INLINE void init_sfpu_random(uint32_t seed) { rand_tile_init(seed); }
FORCE_INLINE void rand_tile(uint32_t dst, uint32_t begin, uint32_t length) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(rand)>(dst, begin, length);
}
FORCE_INLINE void dropout_kernel_init(uint32_t seed = 0) { rand_tile_init(seed); }
FORCE_INLINE void dropout_tile(uint32_t dst, uint32_t probability, uint32_t scale) {
    nocbench::compute::unary<NOCBENCH_FUNCTION_NUMBER(dropout)>(dst, probability, scale);
}

// Functions of several values of a tile.

NOCBENCH_INIT(cumsum_tile_init, cumsum)

/// Adds up the rows of a tile, and of the tiles since the one that was the first.
FORCE_INLINE void cumsum_tile(uint32_t dst, bool first = true) {
    using namespace nocbench::compute;
    if constexpr (is_math) {
        command<Operation::accumulate_rows>(first ? is_first : 0, dst);
    }
}

NOCBENCH_INIT(sfpu_reduce_init, sfpu_reduce)

/// Joins the values of a tile of Dst.
template <PoolType type, DataFormat format, ReduceDim dimension = ReduceDim::REDUCE_COL, auto... options>
FORCE_INLINE void sfpu_reduce(uint32_t dst, uint32_t columns = 1, uint32_t rows = 1) {
    using namespace nocbench::compute;
    static_assert(!is_integer(static_cast<uint32_t>(format)), "sfpu_reduce of integers is not modeled");
    if constexpr (is_math) {
        for (uint32_t tile = 0; tile < columns * rows; ++tile) {
            command<Operation::reduce_dst>(
                static_cast<uint32_t>(type) << pooling_shift | static_cast<uint32_t>(dimension) << dimension_shift,
                dst + tile);
        }
    }
}

/// Declares calls of a tile and of another one whose first row or column is repeated.
#define NOCBENCH_DST_BROADCAST(name)          \
    NOCBENCH_DST_BROADCAST_OF(name, row, ROW) \
    NOCBENCH_DST_BROADCAST_OF(name, col, COL)
#define NOCBENCH_DST_BROADCAST_OF(name, part, kind)                                                                  \
    NOCBENCH_INIT(sfpu_##name##_bcast_##part##_init, name##_binary)                                                  \
    template <auto... options>                                                                                       \
    FORCE_INLINE void sfpu_##name##_bcast_##part(uint32_t dst, uint32_t repeated) {                                  \
        nocbench::compute::binary<NOCBENCH_FUNCTION_NUMBER(name##_binary), BroadcastType::kind>(dst, repeated, dst); \
    }
NOCBENCH_DST_BROADCAST(add)
NOCBENCH_DST_BROADCAST(sub)
NOCBENCH_DST_BROADCAST(mul)
#undef NOCBENCH_DST_BROADCAST
#undef NOCBENCH_DST_BROADCAST_OF
NOCBENCH_INIT(sfpu_bcast_col_init, sfpu_bcast)
NOCBENCH_INIT(sfpu_bcast_row_init, sfpu_bcast)
NOCBENCH_INIT(sfpu_bcast_init, sfpu_bcast)
NOCBENCH_INIT(sfpu_normalize_bcast_scalar_init, sfpu_bcast)
template <BroadcastType kind, EltwiseBinaryType type, auto... options>
FORCE_INLINE void sfpu_bcast(uint32_t dst, uint32_t repeated) {
    constexpr uint32_t function = type == ELWADD   ? NOCBENCH_FUNCTION_NUMBER(add_binary)
                                  : type == ELWSUB ? NOCBENCH_FUNCTION_NUMBER(sub_binary)
                                                   : NOCBENCH_FUNCTION_NUMBER(mul_binary);
    nocbench::compute::binary<function, kind>(dst, repeated, dst);
}

/// Subtracts a mean from a tile, and multiplies it by a factor: the first column or value of two other tiles.
template <BroadcastType kind = BroadcastType::COL>
FORCE_INLINE void sfpu_normalize_bcast_col(uint32_t dst, uint32_t mean, uint32_t factor) {
    sfpu_bcast<kind, ELWSUB>(dst, mean);
    sfpu_bcast<kind, ELWMUL>(dst, factor);
}
FORCE_INLINE void sfpu_normalize_bcast_scalar(uint32_t dst, uint32_t mean, uint32_t factor) {
    sfpu_normalize_bcast_col<BroadcastType::SCALAR>(dst, mean, factor);
}
FORCE_INLINE void sfpu_normalize_bcast_col_two_tiles(uint32_t dst, uint32_t other, uint32_t mean, uint32_t factor) {
    sfpu_normalize_bcast_col(dst, mean, factor);
    sfpu_normalize_bcast_col(other, mean, factor);
}
FORCE_INLINE void sfpu_residual_normalize_bcast_col(uint32_t dst, uint32_t added, uint32_t mean, uint32_t factor) {
    sfpu_bcast<BroadcastType::NONE, ELWADD>(dst, added);
    sfpu_normalize_bcast_col(dst, mean, factor);
}

/// Converts the values of a tile between the formats with these numbers. Signed bytes come as the lowest 8 bits.
template <uint32_t from, uint32_t to>
FORCE_INLINE void typecast_tile(uint32_t dst) {
    using namespace nocbench::compute;
    constexpr bool is_of_int8 = from == static_cast<uint32_t>(DataFormat::Int8);
    if constexpr (is_integer(from) && !is_integer(to)) {
        unary<function_number(is_of_int8                ? "int8_to_float"
                              : is_signed_integer(from) ? "int_to_float"
                                                        : "word_to_float")>(dst);
    } else if constexpr (!is_integer(from) && is_integer(to)) {
        unary<is_signed_integer(to) ? function_number("float_to_int") : function_number("float_to_word")>(dst);
    } else {
        unary<function_number(is_of_int8 ? "int8_to_int" : is_integer(from) ? "identity_int" : "identity")>(dst);
    }
}

}  // namespace ckernel
