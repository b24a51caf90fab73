// Virtual channels on which requests reach a tile. A channel is blocked while as many of its requests as the tile takes
// are in service, and all are while the tile's memory is full. Requests of blocked channels wait in the network.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device_model/noc/network.h"
#include "device_model/sim/simulated_time.h"
#include "device_model/tenstorrent/niu/niu_environment.h"

namespace nocbench {

class RequestChannels {
public:
    RequestChannels(NiuEnvironment& environment, NodeIndex node, std::int64_t requests_per_channel_max)
        : environment_(environment), node_(node), requests_per_channel_max_(requests_per_channel_max) {}

    /// Takes a request of `channel` into service.
    void hold(int channel, Cycle cycle);
    /// Ends the service of a request, as far as the next one waits for it.
    void release(int channel, Cycle cycle);
    void set_memory_full(bool is_full, Cycle cycle);

    // Return the cycle in which `channel` was last unblocked, and the cycles for which it was blocked until then.

    [[nodiscard]] Cycle unblocked_at(int channel) const { return channels_[at(channel)].unblocked_at; }
    [[nodiscard]] Cycle blocked_cycles(int channel) const { return channels_[at(channel)].blocked_cycles; }

private:
    struct Channel {
        std::int64_t requests_held = 0;
        Cycle blocked_since = 0;
        Cycle blocked_cycles = 0;
        Cycle unblocked_at = 0;
    };

    static std::size_t at(int channel) { return static_cast<std::size_t>(channel); }
    void update_blocking(Cycle cycle);

    NiuEnvironment& environment_;
    NodeIndex node_;
    std::int64_t requests_per_channel_max_;
    std::array<Channel, kVirtualChannelsMax> channels_{};
    bool memory_is_full_ = false;
    std::uint32_t channels_in_service_ = 0;  // bit mask of channels with as many requests in service as the tile takes
    std::uint32_t blocked_channels_ = 0;
};

}  // namespace nocbench
