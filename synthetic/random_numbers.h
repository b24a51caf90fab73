// Random numbers that are the same on every machine, which those of the standard library's distributions are not.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/simulated_time.h"

namespace nocbench::synthetic {

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
class RandomNumbers {
public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        std::uint64_t number = state_;
        number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9U;
        number = (number ^ (number >> 27)) * 0x94d049bb133111ebU;
        return number ^ (number >> 31);
    }

    /// A number from 0 to `limit` - 1, which is far below 2^32.
    std::uint32_t below(std::uint32_t limit) {
        return static_cast<std::uint32_t>((next() >> 32) * std::uint64_t{limit} >> 32);
    }

private:
    std::uint64_t state_;
};

/// The cycles from one packet of a source to the next, if it creates one in each cycle with a fixed probability. Costs
/// the same however long they are.
class GeometricGaps {
public:
    /// `probability` is above 0 and at most 1.
    explicit GeometricGaps(double probability);

    /// At least 1.
    Cycle next(RandomNumbers& random) const;

private:
    // A cycle passes without a packet with probability q. The binary digits of the number of those in a row are
    // independent of each other; digit i is 1 with probability q^(2^i) / (1 + q^(2^i)). That takes multiplications and
    // divisions only, which are the same on every machine, while a logarithm may not be.
    static constexpr int kDigitsMax = 40;
    static constexpr int kProbabilityBits = 53;

    std::array<std::uint64_t, kDigitsMax> thresholds_{};  // probability of a 1, times 2^kProbabilityBits
    int num_digits_ = 0;
};

}  // namespace nocbench::synthetic
