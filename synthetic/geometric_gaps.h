// How long a source waits from one packet to the next.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/sim/simulated_time.h"
#include "kernels/frame/random_numbers.h"

namespace nocbench::synthetic {

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
