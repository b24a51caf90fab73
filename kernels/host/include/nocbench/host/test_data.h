// Data for tests, and comparisons of them. Names follow the test utilities of tt-metal.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <random>
#include <type_traits>
#include <vector>

#include "nocbench/host/bfloat16.h"
#include "nocbench/host/log.h"

namespace tt::test_utils {

namespace df {
using ::bfloat16;
}  // namespace df

/// Returns the same bytes as values of a larger type, and back.
template <typename Pack, typename Value>
std::vector<Pack> pack_vector(const std::vector<Value>& values) {
    TT_FATAL(values.size() * sizeof(Value) % sizeof(Pack) == 0, "expected values that fill words, found {} of {} bytes",
             values.size(), sizeof(Value));
    std::vector<Pack> packed(values.size() * sizeof(Value) / sizeof(Pack));
    std::memcpy(packed.data(), values.data(), values.size() * sizeof(Value));
    return packed;
}
template <typename Value, typename Pack>
std::vector<Value> unpack_vector(const std::vector<Pack>& packed) {
    std::vector<Value> values(packed.size() * sizeof(Pack) / sizeof(Value));
    std::memcpy(values.data(), packed.data(), packed.size() * sizeof(Pack));
    return values;
}

template <typename Value>
std::vector<Value> generate_uniform_random_vector(Value min, Value max, std::size_t count, std::uint32_t seed = 0) {
    std::mt19937 generator(seed);
    std::vector<Value> values(count);
    if constexpr (std::integral<Value>) {
        std::uniform_int_distribution<Value> distribution(min, max);
        std::ranges::generate(values, [&] { return distribution(generator); });
    } else {
        std::uniform_real_distribution<float> distribution(static_cast<float>(min), static_cast<float>(max));
        std::ranges::generate(values, [&] { return Value(distribution(generator)); });
    }
    return values;
}
template <typename Value>
std::vector<Value> generate_normal_random_vector(Value mean, Value deviation, std::size_t count,
                                                 std::uint32_t seed = 0) {
    std::mt19937 generator(seed);
    std::vector<Value> values(count);
    std::normal_distribution<float> distribution(static_cast<float>(mean), static_cast<float>(deviation));
    std::ranges::generate(values, [&] { return Value(distribution(generator)); });
    return values;
}
template <typename Value>
std::vector<Value> generate_constant_vector(const Value& constant, std::size_t count) {
    return std::vector<Value>(count, constant);
}
/// Returns values that rise by `increment`: in rows of `row_length`, each of which begins one increment later, or at
/// the same value without `slide`.
template <typename Value>
std::vector<Value> generate_increment_vector(const Value&, std::size_t count, float increment = 1.0F,
                                             float start = 0.0F, int row_length = 16, bool slide = true) {
    std::vector<Value> values(count);
    for (std::size_t index = 0; index < count; ++index) {
        const auto row = static_cast<float>(index / static_cast<std::size_t>(row_length));
        const auto column = static_cast<float>(index % static_cast<std::size_t>(row_length));
        values[index] = Value(start + increment * (column + (slide ? row : 0.0F)));
    }
    return values;
}

template <typename Pack, typename Value>
std::vector<Pack> generate_packed_uniform_random_vector(Value min, Value max, std::size_t count,
                                                        std::uint32_t seed = 0) {
    return pack_vector<Pack, Value>(generate_uniform_random_vector<Value>(min, max, count, seed));
}
template <typename Pack, typename Value>
std::vector<Pack> generate_packed_normal_random_vector(Value mean, Value deviation, std::size_t count,
                                                       std::uint32_t seed = 0) {
    return pack_vector<Pack, Value>(generate_normal_random_vector<Value>(mean, deviation, count, seed));
}
template <typename Pack, typename Value>
std::vector<Pack> generate_packed_constant_vector(const Value& constant, std::size_t count) {
    return pack_vector<Pack, Value>(generate_constant_vector(constant, count));
}
template <typename Pack, typename Value>
std::vector<Pack> generate_packed_increment_vector(const Value& first, std::size_t count, float increment = 1.0F,
                                                   float start = 0.0F, int row_length = 16, bool slide = true) {
    return pack_vector<Pack, Value>(generate_increment_vector(first, count, increment, start, row_length, slide));
}

template <typename Value>
bool is_close(const Value& a, const Value& b, float rtol = 0.01F, float atol = 0.001F) {
    return ::is_close(static_cast<float>(a), static_cast<float>(b), rtol, atol);
}
template <typename Value>
bool is_close_vectors(const std::vector<Value>& a, const std::vector<Value>& b,
                      const std::function<bool(Value, Value)>& comparison) {
    return std::ranges::equal(a, b, comparison);
}
template <typename Value, typename Pack>
bool is_close_packed_vectors(const std::vector<Pack>& a, const std::vector<Pack>& b,
                             const std::function<bool(Value, Value)>& comparison) {
    return is_close_vectors<Value>(unpack_vector<Value, Pack>(a), unpack_vector<Value, Pack>(b), comparison);
}

template <typename Value>
void print_vector_fixed_numel_per_row(const std::vector<Value>& values, std::size_t per_row) {
    for (std::size_t index = 0; index < values.size(); ++index) {
        std::cout << values[index] << ((index + 1) % per_row == 0 || index + 1 == values.size() ? '\n' : ' ');
    }
}
template <typename Value>
void print_vector(const std::vector<Value>& values) {
    constexpr std::size_t kPerRow = 32;
    print_vector_fixed_numel_per_row(values, kPerRow);
}

}  // namespace tt::test_utils
