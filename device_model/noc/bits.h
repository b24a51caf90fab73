// Arithmetic on bit masks and indices for all networks.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace nocbench::network_detail {

constexpr std::uint64_t bit(int index) { return std::uint64_t{1} << index; }

template <class Integer>
constexpr std::size_t at(Integer index) {
    return static_cast<std::size_t>(index);
}

/// Mask of 64 * kWords bits, with those operators of an unsigned integer that masks of input VCs need.
template <int kWords>
class WideBits {
public:
    constexpr WideBits() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): as from an integer to a wider one
    constexpr WideBits(std::uint64_t low) : words_{low} {}

    static constexpr WideBits of_bit(int index) {
        WideBits mask;
        mask.words_[at(index / 64)] = bit(index % 64);
        return mask;
    }
    /// Returns all bits from `index` on.
    static constexpr WideBits from(int index) {
        WideBits mask;
        for (int word = index / 64; word < kWords; ++word) {
            mask.words_[at(word)] = ~std::uint64_t{0} << (word == index / 64 ? index % 64 : 0);
        }
        return mask;
    }
    friend constexpr bool operator==(const WideBits&, const WideBits&) = default;
    constexpr WideBits& operator|=(const WideBits& other) {
        for (int word = 0; word < kWords; ++word) {
            words_[at(word)] |= other.words_[at(word)];
        }
        return *this;
    }
    constexpr WideBits& operator&=(const WideBits& other) {
        for (int word = 0; word < kWords; ++word) {
            words_[at(word)] &= other.words_[at(word)];
        }
        return *this;
    }
    friend constexpr WideBits operator|(WideBits left, const WideBits& right) { return left |= right; }
    friend constexpr WideBits operator&(WideBits left, const WideBits& right) { return left &= right; }
    friend constexpr WideBits operator~(WideBits mask) {
        for (std::uint64_t& word : mask.words_) {
            word = ~word;
        }
        return mask;
    }
    friend constexpr WideBits operator<<(const WideBits& mask, int bits) {
        WideBits shifted;
        for (int word = kWords - 1; word >= bits / 64; --word) {
            const int from = word - bits / 64;
            shifted.words_[at(word)] = mask.words_[at(from)] << (bits % 64);
            if (bits % 64 != 0 && from > 0) {
                shifted.words_[at(word)] |= mask.words_[at(from - 1)] >> (64 - bits % 64);
            }
        }
        return shifted;
    }
    /// Returns the number of the first bit that is set; there must be one.
    [[nodiscard]] constexpr int first() const {
        int word = 0;
        while (words_[at(word)] == 0) {
            ++word;
        }
        return 64 * word + std::countr_zero(words_[at(word)]);
    }

private:
    std::array<std::uint64_t, kWords> words_{};
};

/// Returns the number of the first bit that is set; there must be one.
constexpr int first_bit(std::uint64_t mask) { return std::countr_zero(mask); }
template <int kWords>
constexpr int first_bit(const WideBits<kWords>& mask) {
    return mask.first();
}

constexpr std::uint64_t without_first_bit(std::uint64_t mask) { return mask & (mask - 1); }
template <int kWords>
constexpr WideBits<kWords> without_first_bit(const WideBits<kWords>& mask) {
    return mask & ~WideBits<kWords>::of_bit(mask.first());
}

/// Calls `act` with the number of each bit that is set.
template <class Act>
void for_each_bit(std::uint64_t bits, const Act& act) {
    for (; bits != 0; bits &= bits - 1) {
        act(std::countr_zero(bits));
    }
}

/// Numbers of the bits that are set, as a range.
template <class Mask>
class SetBits {
public:
    explicit constexpr SetBits(Mask bits) : bits_(bits) {}

    struct Iterator {
        using difference_type = std::ptrdiff_t;
        using value_type = int;

        Mask rest = 0;

        constexpr int operator*() const { return first_bit(rest); }
        constexpr Iterator& operator++() {
            rest = without_first_bit(rest);
            return *this;
        }
        constexpr Iterator operator++(int) { return {std::exchange(rest, without_first_bit(rest))}; }
        constexpr bool operator==(const Iterator&) const = default;
    };
    [[nodiscard]] constexpr Iterator begin() const { return {bits_}; }
    [[nodiscard]] static constexpr Iterator end() { return {}; }

private:
    Mask bits_;
};
template <std::integral Integer>
SetBits(Integer) -> SetBits<std::uint64_t>;

/// Returns the next set bit of `mask` after `last`, round-robin. The mask must not be empty.
inline int next_round_robin(std::uint64_t mask, int last) {
    const std::uint64_t after = last >= 63 ? 0 : mask & (~std::uint64_t{0} << (last + 1));
    return std::countr_zero(after != 0 ? after : mask);
}
template <int kWords>
int next_round_robin(const WideBits<kWords>& mask, int last) {
    const WideBits<kWords> after = mask & WideBits<kWords>::from(last + 1);
    return (after != 0 ? after : mask).first();
}

/// Clears the words of an array without a loop: compilers turn a loop over a few words into a call or a string
/// instruction, which is slow to start.
template <class Words, std::size_t... kWords>
void clear_words(Words& words, std::index_sequence<kWords...> /*which*/) {
    ((words[kWords] = 0), ...);
}

}  // namespace nocbench::network_detail
