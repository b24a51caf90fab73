// Enabled accelerators, and counts of their uses.
#pragma once

#include <array>
#include <cstdint>

#include "device_model/noc/accelerators.h"

namespace nocbench::engine {

/// Result for a window of a router: refused without any change, or stepped. After `asleep` the router sleeps until
/// something arrives.
enum class Outcome : std::uint8_t { refused, asleep, awake };

class AcceleratorUses {
public:
    /// Enables accelerators, except those whose prerequisite is not enabled.
    void enable(AcceleratorSet enabled) {
        if ((enabled & set_of(Accelerator::steady_state)) == 0) {
            enabled &= ~(set_of(Accelerator::round_robin) | set_of(Accelerator::conflict_free));
        }
        enabled_ = enabled;
    }
    [[nodiscard]] bool has(Accelerator accelerator) const { return (enabled_ & set_of(accelerator)) != 0; }
    [[nodiscard]] AcceleratorUse of(Accelerator accelerator) const {
        return uses_[static_cast<std::size_t>(accelerator)];
    }
    void count(Accelerator accelerator, bool is_taken) {
        AcceleratorUse& use = uses_[static_cast<std::size_t>(accelerator)];
        ++(is_taken ? use.taken : use.refused);
    }

private:
    AcceleratorSet enabled_ = kNoAccelerators;
    std::array<AcceleratorUse, kNumAccelerators> uses_{};
};

}  // namespace nocbench::engine
