// Arithmetic on bit masks and indices for all networks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace nocbench::network_detail {

constexpr std::uint64_t bit(int index) { return std::uint64_t{1} << index; }

template <class Integer>
constexpr std::size_t at(Integer index) {
    return static_cast<std::size_t>(index);
}

/// Calls `act` with the number of each bit that is set.
template <class Act>
void for_each_bit(std::uint64_t bits, const Act& act) {
    for (; bits != 0; bits &= bits - 1) {
        act(std::countr_zero(bits));
    }
}

/// Numbers of the bits that are set, as a range.
class SetBits {
public:
    explicit constexpr SetBits(std::uint64_t bits) : bits_(bits) {}

    struct Iterator {
        using difference_type = std::ptrdiff_t;
        using value_type = int;

        std::uint64_t rest = 0;

        constexpr int operator*() const { return std::countr_zero(rest); }
        constexpr Iterator& operator++() {
            rest &= rest - 1;
            return *this;
        }
        constexpr Iterator operator++(int) { return {std::exchange(rest, rest & (rest - 1))}; }
        constexpr bool operator==(const Iterator&) const = default;
    };
    [[nodiscard]] constexpr Iterator begin() const { return {bits_}; }
    [[nodiscard]] static constexpr Iterator end() { return {}; }

private:
    std::uint64_t bits_;
};

/// Returns the next set bit of `mask` after `last`, round-robin. The mask must not be empty.
inline int next_round_robin(std::uint64_t mask, int last) {
    const std::uint64_t after = last >= 63 ? 0 : mask & (~std::uint64_t{0} << (last + 1));
    return std::countr_zero(after != 0 ? after : mask);
}

/// Clears the words of an array without a loop: compilers turn a loop over a few words into a call or a string
/// instruction, which is slow to start.
template <class Words, std::size_t... kWords>
void clear_words(Words& words, std::index_sequence<kWords...> /*which*/) {
    ((words[kWords] = 0), ...);
}

}  // namespace nocbench::network_detail
