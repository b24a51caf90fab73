#include "device_model/wishbone/devices/timing_devices.h"

#include <algorithm>

namespace nocbench::wishbone {

namespace {

constexpr std::int64_t kLatchNanoseconds = 8;

std::int64_t tai_ns(std::int64_t now_ns) { return kStartSeconds * kNanosecondsPerSecond + now_ns; }

std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

}  // namespace

Reply EventUnit::read(std::uint64_t offset, std::uint8_t /*select*/, std::int64_t now_ns) {
    constexpr std::uint64_t kTimeHigh = 0x18;
    constexpr std::uint64_t kTimeLow = 0x1c;
    const auto time = static_cast<std::uint64_t>(tai_ns(now_ns));
    if (offset == kTimeHigh) {
        high_ = high_word(time);
        return {.value = *high_};
    }
    if (offset == kTimeLow) {
        const bool has_carried = high_ && *high_ != high_word(time);
        high_.reset();
        return {.value = has_carried ? UINT32_MAX : low_word(time)};
    }
    return {};
}

Reply EventUnit::write(std::uint64_t /*offset*/, std::uint32_t /*value*/, std::uint8_t /*select*/,
                       std::int64_t /*now_ns*/) {
    return {};
}

Reply LatchUnit::read(std::uint64_t offset, std::uint8_t /*select*/, std::int64_t now_ns) {
    latch(now_ns);
    const std::deque<std::uint64_t>& fifo = channels_[selected_].latched;
    const std::uint64_t front = fifo.empty() ? 0 : fifo.front();
    switch (offset) {
        case 0x00: {  // channels whose FIFO has data
            std::uint32_t ready = 0;
            for (std::size_t index = 0; index < channels_.size(); ++index) {
                ready |= channels_[index].latched.empty() ? 0 : 1U << index;
            }
            return {.value = ready};
        }
        case 0x34:
            return {.value = kNumChannels};
        case 0x38:
            return {.value = kFifoEntries};
        case 0x50: {  // the low word is latched until it is read
            const auto time = static_cast<std::uint64_t>(tai_ns(now_ns) / kLatchNanoseconds);
            held_low_ = low_word(time);
            return {.value = high_word(time)};
        }
        case 0x54:
            return {.value = held_low_};
        case 0x58:
            return {.value = selected_};
        case 0x64:
            return {.value = static_cast<std::uint32_t>(fifo.size())};
        case 0x68:
            return {.value = high_word(front)};
        case 0x6c:
            return {.value = low_word(front)};
        default:
            return {};
    }
}

Reply LatchUnit::write(std::uint64_t offset, std::uint32_t value, std::uint8_t /*select*/, std::int64_t now_ns) {
    latch(now_ns);
    const auto for_each_in = [&](std::uint32_t channels, const auto& act) {
        for (std::size_t index = 0; index < channels_.size(); ++index) {
            if ((channels >> index & 1U) != 0) {
                act(channels_[index]);
            }
        }
    };
    switch (offset) {
        case 0x04:
            for_each_in(value, [](Channel& channel) { channel.latched.clear(); });
            break;
        case 0x10:
            for_each_in(value, [&](Channel& channel) {
                if (!channel.is_armed) {
                    channel.is_armed = true;
                    channel.next_second = now_ns / kNanosecondsPerSecond + 1;
                }
            });
            break;
        case 0x58:
            selected_ = value % kNumChannels;
            break;
        case 0x5c: {
            std::deque<std::uint64_t>& fifo = channels_[selected_].latched;
            if (fifo.empty()) {
                return {.is_acknowledged = false};
            }
            fifo.pop_front();
            break;
        }
        default:
            break;
    }
    return {};
}

void LatchUnit::latch(std::int64_t now_ns) {
    const std::int64_t last_second = now_ns / kNanosecondsPerSecond;
    for (Channel& channel : channels_) {
        if (!channel.is_armed || channel.next_second > last_second) {
            continue;
        }
        const auto room = static_cast<std::int64_t>(kFifoEntries - channel.latched.size());
        // a full FIFO drops further entries
        const std::int64_t end = std::min(last_second + 1, channel.next_second + room);
        for (std::int64_t second = channel.next_second; second < end; ++second) {
            channel.latched.push_back(
                static_cast<std::uint64_t>(tai_ns(second * kNanosecondsPerSecond) / kLatchNanoseconds));
        }
        channel.next_second = last_second + 1;
    }
}

Reply PulseGenerator::read(std::uint64_t offset, std::uint8_t /*select*/, std::int64_t now_ns) {
    const std::int64_t time = tai_ns(now_ns);
    const auto seconds = static_cast<std::uint64_t>(time / kNanosecondsPerSecond);
    switch (offset) {
        case 0x04:
            return {.value = static_cast<std::uint32_t>(time % kNanosecondsPerSecond)};
        case 0x08:
            return {.value = low_word(seconds)};
        case 0x0c:
            return {.value = high_word(seconds)};
        default:
            return {};
    }
}

Reply PulseGenerator::write(std::uint64_t /*offset*/, std::uint32_t /*value*/, std::uint8_t /*select*/,
                            std::int64_t /*now_ns*/) {
    return {};
}

Reply Endpoint::read(std::uint64_t offset, std::uint8_t /*select*/, std::int64_t /*now_ns*/) {
    constexpr std::uint64_t kMacHigh = 0x24;
    constexpr std::uint64_t kMacLow = 0x28;
    if (offset == kMacHigh) {
        return {.value = high_word(mac_address_)};
    }
    return {.value = offset == kMacLow ? low_word(mac_address_) : 0};
}

Reply Endpoint::write(std::uint64_t /*offset*/, std::uint32_t /*value*/, std::uint8_t /*select*/,
                      std::int64_t /*now_ns*/) {
    return {};
}

}  // namespace nocbench::wishbone
