// Accelerators of a network: faster equivalents of its rules (docs/engine_acceleration.md).
#pragma once

#include <cstdint>

#include "device_model/noc/network.h"

namespace nocbench {

/// Accelerators. Each is tried on a window of cycles of a router (bypass: on a packet), and is taken or refused.
enum class Accelerator : std::uint8_t {
    bypass,         // a packet of one flit leaves in the cycle in which it arrives, without a virtual channel
    steady_state,   // window in which no arbiter chooses between packets
    round_robin,    // window in which outputs serve several packets; needs steady_state
    conflict_free,  // window in which each input and each output has one packet at most; needs steady_state
};
inline constexpr int kNumAccelerators = 4;

/// Set of accelerators, a bit each.
using AcceleratorSet = std::uint32_t;
inline constexpr AcceleratorSet kNoAccelerators = 0;
inline constexpr AcceleratorSet kAllAccelerators = (AcceleratorSet{1} << kNumAccelerators) - 1;
constexpr AcceleratorSet set_of(Accelerator accelerator) {
    return AcceleratorSet{1} << static_cast<unsigned>(accelerator);
}

struct AcceleratorUse {
    std::uint64_t taken = 0;
    std::uint64_t refused = 0;
};

/// Network with accelerators: the engine.
class AcceleratedNetwork : public Network {
public:
    /// Sets which accelerators are used; initially all. Results do not depend on the set.
    virtual void set_accelerators(AcceleratorSet enabled) = 0;

    /// Returns how often an accelerator was taken and how often it was refused.
    [[nodiscard]] virtual AcceleratorUse accelerator_use(Accelerator accelerator) const = 0;
};

/// Sets the accelerators of a network, if it has any.
inline void set_accelerators(Network& network, AcceleratorSet enabled) {
    if (auto* const accelerated = dynamic_cast<AcceleratedNetwork*>(&network)) {
        accelerated->set_accelerators(enabled);
    }
}

}  // namespace nocbench
