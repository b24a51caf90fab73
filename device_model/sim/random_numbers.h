// Random numbers that are equal on every machine, unlike those of the standard library's distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nocbench {

/// Returns the number after a state of generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014): a well-mixed number for each state.
constexpr std::uint64_t splitmix64(std::uint64_t state) {
    std::uint64_t number = state + 0x9e3779b97f4a7c15U;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31);
}

/// Generator SplitMix64.
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() { return splitmix64(std::exchange(state_, state_ + 0x9e3779b97f4a7c15U)); }

    /// Returns a number from 0 to `limit` - 1; `limit` must be far below 2^32.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>((next() >> 32) * std::uint64_t{limit} >> 32);
    }

private:
    std::uint64_t state_;
};

/// Returns bytes determined by the seed.
inline std::vector<std::byte> random_bytes(std::uint64_t seed, std::size_t size) {
    RandomNumbers numbers(seed);
    std::vector<std::byte> bytes(size);
    for (std::byte& byte : bytes) {
        byte = static_cast<std::byte>(numbers.next() >> 56U);
    }
    return bytes;
}

}  // namespace nocbench
