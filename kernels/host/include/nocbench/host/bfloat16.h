// Values of 16 bits with the exponent of a float, and vectors of them in 32-bit words. Names follow tt-metal.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iostream>
#include <random>
#include <utility>
#include <vector>

#include "nocbench/host/formatting.h"
#include "nocbench/host/log.h"

/// The upper half of a float, rounded to the nearest value, and to an even one of two.
class bfloat16 {
public:
    constexpr bfloat16() = default;
    constexpr bfloat16(float value) : bits_(rounded(value)) {}
    constexpr explicit bfloat16(double value) : bfloat16(static_cast<float>(value)) {}
    constexpr explicit bfloat16(int value) : bfloat16(static_cast<float>(value)) {}
    constexpr explicit bfloat16(std::uint16_t bits) : bits_(bits) {}
    /// Takes the upper half of a float's bits.
    constexpr explicit bfloat16(std::uint32_t bits) : bits_(static_cast<std::uint16_t>(bits >> 16U)) {}

    [[nodiscard]] static constexpr bfloat16 truncate(float value) {
        return bfloat16(std::bit_cast<std::uint32_t>(value));
    }
    [[nodiscard]] constexpr float to_float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16U); }
    [[nodiscard]] constexpr std::uint16_t to_packed() const { return bits_; }
    [[nodiscard]] constexpr std::uint16_t to_uint16() const { return bits_; }
    constexpr operator float() const { return to_float(); }

    constexpr bool operator==(bfloat16 other) const { return bits_ == other.bits_; }
    constexpr bfloat16& operator+=(bfloat16 other) { return *this = bfloat16(to_float() + other.to_float()); }

private:
    static constexpr std::uint16_t rounded(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        constexpr std::uint32_t kInfinity = 0x7F80'0000;
        constexpr std::uint32_t kQuiet = 0x40;
        if ((bits & ~0x8000'0000U) > kInfinity) {
            return static_cast<std::uint16_t>(bits >> 16U | kQuiet);
        }
        return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
    }

    std::uint16_t bits_ = 0;
};

template <>
struct fmt::formatter<bfloat16> : tt::host::FormattedAs {
    template <typename Context>
    auto format(bfloat16 value, Context& context) const {
        return write(value.to_float(), context);
    }
};
inline std::ostream& operator<<(std::ostream& stream, bfloat16 value) { return stream << value.to_float(); }

// Pairs: the first value is in the lower half of a word.

inline std::uint32_t pack_two_bfloat16_into_uint32(std::pair<bfloat16, bfloat16> two) {
    return two.first.to_packed() | std::uint32_t{two.second.to_packed()} << 16U;
}
inline std::pair<bfloat16, bfloat16> unpack_two_bfloat16_from_uint32(std::uint32_t word) {
    return {bfloat16(static_cast<std::uint16_t>(word)), bfloat16(static_cast<std::uint16_t>(word >> 16U))};
}

inline std::vector<std::uint32_t> pack_bfloat16_vec_into_uint32_vec(const std::vector<bfloat16>& values) {
    std::vector<std::uint32_t> words;
    words.reserve(values.size() / 2);
    for (std::size_t index = 0; index + 1 < values.size(); index += 2) {
        words.push_back(pack_two_bfloat16_into_uint32({values[index], values[index + 1]}));
    }
    return words;
}
inline std::vector<bfloat16> unpack_uint32_vec_into_bfloat16_vec(
    const std::vector<std::uint32_t>& words,
    const std::function<bfloat16(const bfloat16&)>& transform = [](const bfloat16& value) { return value; }) {
    std::vector<bfloat16> values;
    values.reserve(words.size() * 2);
    for (const std::uint32_t word : words) {
        const auto [first, second] = unpack_two_bfloat16_from_uint32(word);
        values.push_back(transform(first));
        values.push_back(transform(second));
    }
    return values;
}

// Vectors by their size in bytes.

inline std::vector<std::uint32_t> create_random_vector_of_bfloat16(std::uint32_t num_bytes, int rand_max_float,
                                                                   int seed, float offset = 0.0F) {
    std::mt19937 generator(static_cast<std::uint32_t>(seed));
    std::uniform_real_distribution<float> distribution(0.0F, static_cast<float>(rand_max_float));
    std::vector<std::uint32_t> words(num_bytes / sizeof(std::uint32_t));
    for (std::uint32_t& word : words) {
        const bfloat16 first(distribution(generator) + offset);
        word = pack_two_bfloat16_into_uint32({first, bfloat16(distribution(generator) + offset)});
    }
    return words;
}
inline std::vector<bfloat16> create_random_vector_of_bfloat16_native(std::uint32_t num_bytes, float rand_max_float,
                                                                     int seed, float offset = 0.0F) {
    std::mt19937 generator(static_cast<std::uint32_t>(seed));
    std::uniform_real_distribution<float> distribution(0.0F, rand_max_float);
    std::vector<bfloat16> values(num_bytes / sizeof(bfloat16));
    for (bfloat16& value : values) {
        value = bfloat16(distribution(generator) + offset);
    }
    return values;
}
inline std::vector<std::uint32_t> create_constant_vector_of_bfloat16(std::uint32_t num_bytes, float value) {
    const bfloat16 one(value);
    return std::vector<std::uint32_t>(num_bytes / sizeof(std::uint32_t), pack_two_bfloat16_into_uint32({one, one}));
}
inline std::vector<std::uint32_t> create_arange_vector_of_bfloat16(std::uint32_t num_bytes) {
    std::vector<bfloat16> values(num_bytes / sizeof(bfloat16));
    for (std::size_t index = 0; index < values.size(); ++index) {
        values[index] = bfloat16(static_cast<float>(index));
    }
    return pack_bfloat16_vec_into_uint32_vec(values);
}

/// Returns a matrix of zeros, row by row, with ones at the first places of its diagonal.
inline std::vector<bfloat16> create_identity_matrix(int rows, int columns, int num_ones) {
    std::vector<bfloat16> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), bfloat16(0.0F));
    for (int i = 0; i < std::min({rows, columns, num_ones}); ++i) {
        values[static_cast<std::size_t>(i) * static_cast<std::size_t>(columns + 1)] = bfloat16(1.0F);
    }
    return values;
}

// Comparisons.

inline bool is_close(float a, float b, float rtol = 0.01F, float atol = 0.001F) {
    const float largest = std::max(std::abs(a), std::abs(b));
    const float difference = std::abs(a - b);
    return difference < atol || difference < rtol * largest;
}

/// True if all pairs of values satisfy a comparison; otherwise, `first_different` gets the index of the first other
/// pair.
inline bool packed_uint32_t_vector_comparison(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                                              const std::function<bool(float, float)>& comparison,
                                              int* first_different = nullptr) {
    const std::vector<bfloat16> values_a = unpack_uint32_vec_into_bfloat16_vec(a);
    const std::vector<bfloat16> values_b = unpack_uint32_vec_into_bfloat16_vec(b);
    const auto [in_a, in_b] = std::ranges::mismatch(
        values_a, values_b, [&](bfloat16 x, bfloat16 y) { return comparison(x.to_float(), y.to_float()); });
    if (first_different != nullptr && in_a != values_a.end()) {
        *first_different = static_cast<int>(in_a - values_a.begin());
    }
    return in_a == values_a.end() && in_b == values_b.end();
}

/// Returns the correlation of two vectors (1: the same up to scale and offset; 1, too, for equal constants). A
/// template, so that a program may have a function of this name, as tt-metal has it no longer.
template <bool kIsOfProgram = false>
float check_bfloat16_vector_pcc(const std::vector<bfloat16>& a, const std::vector<bfloat16>& b) {
    TT_FATAL(a.size() == b.size(), "expected vectors of one size, found {} and {}", a.size(), b.size());
    double mean_a = 0;
    double mean_b = 0;
    for (std::size_t index = 0; index < a.size(); ++index) {
        mean_a += double{a[index].to_float()};
        mean_b += double{b[index].to_float()};
    }
    mean_a /= static_cast<double>(a.size());
    mean_b /= static_cast<double>(b.size());
    double both = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t index = 0; index < a.size(); ++index) {
        const double x = double{a[index].to_float()} - mean_a;
        const double y = double{b[index].to_float()} - mean_b;
        both += x * y;
        of_a += x * x;
        of_b += y * y;
    }
    if (of_a == 0 || of_b == 0) {
        return a == b ? 1.0F : 0.0F;
    }
    return static_cast<float>(both / std::sqrt(of_a * of_b));
}
inline float check_packed_bfloat16_vector_pcc(const std::vector<std::uint32_t>& a,
                                              const std::vector<std::uint32_t>& b) {
    return check_bfloat16_vector_pcc(unpack_uint32_vec_into_bfloat16_vec(a), unpack_uint32_vec_into_bfloat16_vec(b));
}
