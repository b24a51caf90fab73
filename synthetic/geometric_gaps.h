// Gaps between the packets of a source.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/sim/simulated_time.h"
#include "kernels/frame/random_numbers.h"

namespace nocbench::synthetic {

/// Draws the gaps, in cycles, between packets of a source. In each cycle, the source creates a packet with a fixed
/// probability. The work to draw a gap does not grow with its length.
class GeometricGaps {
public:
    /// Takes a `probability` above 0 and at most 1.
    explicit GeometricGaps(double probability);

    /// Returns the next gap, at least 1.
    Cycle next(RandomNumbers& random) const;

private:
    // A cycle passes without a packet with probability q. The binary digits of the number of such cycles in a row are
    // independent; digit i is 1 with probability q^(2^i) / (1 + q^(2^i)). Unlike a logarithm, this takes only
    // multiplications and divisions, which are equal on every machine.
    static constexpr int kDigitsMax = 40;
    static constexpr int kProbabilityBits = 53;

    std::array<std::uint64_t, kDigitsMax> thresholds_{};  // probability of a 1, times 2^kProbabilityBits
    int num_digits_ = 0;
};

}  // namespace nocbench::synthetic
