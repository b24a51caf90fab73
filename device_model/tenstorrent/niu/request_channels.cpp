#include "device_model/tenstorrent/niu/request_channels.h"

#include <bit>

namespace nocbench {

namespace {

constexpr std::uint32_t kEveryRequestChannel = (std::uint32_t{1} << kVirtualChannelsMax) - 1;

}  // namespace

void RequestChannels::hold(int channel, Cycle cycle) {
    if (++channels_[at(channel)].requests_held == requests_per_channel_max_) {
        channels_in_service_ |= std::uint32_t{1} << channel;
        update_blocking(cycle);
    }
}

void RequestChannels::release(int channel, Cycle cycle) {
    --channels_[at(channel)].requests_held;
    channels_in_service_ &= ~(std::uint32_t{1} << channel);
    update_blocking(cycle);
}

void RequestChannels::set_memory_full(bool is_full, Cycle cycle) {
    if (memory_is_full_ != is_full) {
        memory_is_full_ = is_full;
        update_blocking(cycle);
    }
}

void RequestChannels::update_blocking(Cycle cycle) {
    const std::uint32_t blocked = memory_is_full_ ? kEveryRequestChannel : channels_in_service_;
    for (std::uint32_t changed = blocked ^ blocked_channels_; changed != 0; changed &= changed - 1) {
        const int number = std::countr_zero(changed);
        Channel& channel = channels_[at(number)];
        if ((blocked >> number & 1U) != 0) {
            channel.blocked_since = cycle;
        } else {
            channel.blocked_cycles += cycle - channel.blocked_since;
            channel.unblocked_at = cycle;
        }
    }
    if (blocked != blocked_channels_) {
        blocked_channels_ = blocked;
        environment_.network->block_request_ejection(node_, blocked);
    }
}

}  // namespace nocbench
