// Element-wise combinations of arrays by reductions, for all types.
#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "kernels/shmem/library_costs.h"
#include "kernels/shmem/pe.h"

namespace nocbench::shmem {

/// Type of `long double` in programs: IEEE 754 with 128 bits.
#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

enum class ReductionOperation : std::uint8_t {
    and_operation,
    or_operation,
    xor_operation,
    max_operation,
    min_operation,
    sum_operation,
    prod_operation,
};

template <ReductionOperation kOperation, class Value>
Value combined(Value a, Value b) {
    constexpr bool kIsInteger = std::is_integral_v<Value>;
    if constexpr (kOperation == ReductionOperation::and_operation) {
        return static_cast<Value>(a & b);
    } else if constexpr (kOperation == ReductionOperation::or_operation) {
        return static_cast<Value>(a | b);
    } else if constexpr (kOperation == ReductionOperation::xor_operation) {
        return static_cast<Value>(a ^ b);
    } else if constexpr (kOperation == ReductionOperation::max_operation) {
        return a < b ? b : a;
    } else if constexpr (kOperation == ReductionOperation::min_operation) {
        return b < a ? b : a;
    } else if constexpr (kIsInteger) {
        // Overflow wraps, as programs expect.
        const auto left = static_cast<std::uint64_t>(a);
        const auto right = static_cast<std::uint64_t>(b);
        return static_cast<Value>(kOperation == ReductionOperation::sum_operation ? left + right : left * right);
    } else if constexpr (kOperation == ReductionOperation::sum_operation) {
        return a + b;
    } else if constexpr (std::is_same_v<Value, std::complex<float>> || std::is_same_v<Value, std::complex<double>>) {
        // Written out: the standard library's handling of infinities differs between machines.
        return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
    } else {
        return a * b;
    }
}

template <ReductionOperation kOperation, class Value>
void combine_arrays(std::span<std::byte> into, std::span<const std::byte> with) {
    for (std::size_t offset = 0; offset < into.size(); offset += sizeof(Value)) {
        Value a{};
        Value b{};
        std::memcpy(&a, &into[offset], sizeof(Value));
        std::memcpy(&b, &with[offset], sizeof(Value));
        const Value result = combined<kOperation>(a, b);
        std::memcpy(&into[offset], &result, sizeof(Value));
    }
}

template <ReductionOperation kOperation, class Value>
Combination combination(const LibraryCosts& costs) {
    constexpr std::size_t kWordBytes = 4;
    constexpr bool kIsSoftware =
        std::is_same_v<Value, double> || std::is_same_v<Value, Quad> || std::is_same_v<Value, std::complex<double>>;
    const int words = static_cast<int>((sizeof(Value) + kWordBytes - 1) / kWordBytes);
    constexpr std::size_t kDwordBytes = 8;
    return {sizeof(Value), std::min(alignof(Value), kDwordBytes),
            kIsSoftware ? costs.combine_double * words / 2 : costs.combine * words, combine_arrays<kOperation, Value>};
}

}  // namespace nocbench::shmem
