#include "synthetic/geometric_gaps.h"

namespace nocbench::synthetic {

GeometricGaps::GeometricGaps(double probability) {
    double power = 1 - probability;  // q^(2^i)
    while (num_digits_ < kDigitsMax) {
        const double scaled = power / (1 + power) * static_cast<double>(std::uint64_t{1} << kProbabilityBits);
        if (scaled < 1) {
            break;
        }
        thresholds_[static_cast<std::size_t>(num_digits_++)] = static_cast<std::uint64_t>(scaled);
        power *= power;
    }
}

Cycle GeometricGaps::next(RandomNumbers& random) const {
    Cycle empty_cycles = 0;
    for (int digit = 0; digit < num_digits_; ++digit) {
        const bool is_set = random.next() >> (64 - kProbabilityBits) < thresholds_[static_cast<std::size_t>(digit)];
        empty_cycles |= static_cast<Cycle>(is_set) << digit;
    }
    return 1 + empty_cycles;
}

}  // namespace nocbench::synthetic
