// Gaps between the packets of a source.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/sim/random_numbers.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::synthetic {

/// Generator of the gaps, in cycles, between packets of a source that creates a packet in each cycle with a fixed
/// probability. The time to draw a gap does not grow with the gap.
class GeometricGaps {
public:
    /// Requires a `probability` above 0 and at most 1.
    explicit GeometricGaps(double probability);

    /// Returns the next gap, at least 1.
    Cycle next(RandomNumbers& random) const;

private:
    // The number of successive cycles without a packet is geometric: each has probability q. Its binary digits are
    // independent; digit i is 1 with probability q^(2^i) / (1 + q^(2^i)). Unlike a logarithm, this needs only
    // multiplications and divisions, whose results are equal on every machine.
    static constexpr int kDigitsMax = 40;
    static constexpr int kProbabilityBits = 53;

    std::array<std::uint64_t, kDigitsMax> thresholds_{};  // probability of digit 1, times 2^kProbabilityBits
    int num_digits_ = 0;
};

}  // namespace nocbench::synthetic
