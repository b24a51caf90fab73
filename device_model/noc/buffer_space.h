// Space downstream of an output: the rule of docs/engine_rules.md for all networks.
#pragma once

#include <algorithm>

namespace nocbench {

/// Buffers behind an output port, in flits: a private one for each virtual channel, and a shared pool.
struct BufferSpace {
    int private_flits = 0;  // of a virtual channel
    int pool_flits = 0;
    int pool_flits_of_channel_max = 0;

    [[nodiscard]] int channel_flits_max() const { return private_flits + pool_flits_of_channel_max; }

    /// Returns the flits in the pool if a virtual channel has `used` flits downstream.
    [[nodiscard]] int in_pool(int used) const { return std::max(0, used - private_flits); }

    /// Returns the change of the pool, in flits, when the flits of a virtual channel go from `before` to `after`.
    [[nodiscard]] int pool_change(int before, int after) const { return in_pool(after) - in_pool(before); }

    [[nodiscard]] bool is_pool_full(int pool_used) const { return pool_used >= pool_flits; }

    /// Returns the maximum number of flits of a virtual channel downstream.
    [[nodiscard]] int limit(bool pool_is_full) const { return pool_is_full ? private_flits : channel_flits_max(); }
};

}  // namespace nocbench
