// Rules that the engine and the packet-level network share: sets and groups of virtual channels, round-robin grants at
// an output, and back-off after failed reservations. docs/engine_rules.md describes them in words. The specification
// has its own implementation.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <tuple>

#include "device_model/noc/bits.h"
#include "device_model/noc/network.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/random_numbers.h"

namespace nocbench {

/// Returns whether a packet leaves a router in the second set of virtual channels, which breaks the cyclic dependency
/// of a ring. A packet enters this set over the dateline and leaves it with a change of axis; tiles accept both sets.
constexpr bool leaves_in_second_set(bool is_in_second_set, int input_port, int output_port, bool crosses_dateline) {
    // Branches would be mispredicted.
    const unsigned keeps_set = unsigned{input_port == output_port} | unsigned{output_port == kNiuPort};
    return (unsigned{crosses_dateline} | (keeps_set & unsigned{is_in_second_set})) != 0;
}

/// Virtual channels of a link.
class VirtualChannels {
public:
    using Mask = std::uint32_t;

    VirtualChannels(const NetworkParameters& parameters, int num_channels)
        : num_software_(parameters.software_virtual_channels) {
        for (int channel = 0; channel < num_channels; ++channel) {
            const bool is_response = channel % num_software_ >= parameters.first_response_virtual_channel;
            responses_ |= Mask{is_response} << channel;
        }
        const auto group = [&](int channel) {
            const bool is_response = (responses_ >> channel & 1U) != 0;
            const int size = is_response ? parameters.dynamic_response_group : parameters.dynamic_group;
            return std::tuple(channel / num_software_, is_response, channel / size);
        };
        for (int channel = 0; channel < num_channels; ++channel) {
            for (int other = 0; other < num_channels; ++other) {
                groups_[network_detail::at(channel)] |= Mask{group(channel) == group(other)} << other;
            }
        }
    }

    [[nodiscard]] Mask responses() const { return responses_; }

    /// Returns the virtual channel of software's `channel` in one of the two sets.
    [[nodiscard]] int in_set(int channel, bool is_second_set) const {
        return channel + static_cast<int>(is_second_set) * num_software_;
    }

    /// Returns the virtual channel on which a packet of software's `channel` leaves a router.
    [[nodiscard]] int leaving(int channel, int input_port, int input_channel, int output_port,
                              bool crosses_dateline) const {
        // Input channels at the tile's port are numbers of streams.
        const unsigned is_in_second_set = unsigned{input_port != kNiuPort} & unsigned{input_channel >= num_software_};
        return in_set(channel, leaves_in_second_set(is_in_second_set != 0, input_port, output_port, crosses_dateline));
    }
    /// Returns the virtual channel on which a packet that came in by `input_channel` leaves a router.
    [[nodiscard]] int leaving(int input_port, int input_channel, int output_port, bool crosses_dateline) const {
        return leaving(input_channel % num_software_, input_port, input_channel, output_port, crosses_dateline);
    }

    /// Returns the virtual channels that a dynamic packet may take if its own one is `channel`, which is included.
    [[nodiscard]] Mask group_of(int channel) const { return groups_[network_detail::at(channel)]; }

private:
    int num_software_ = 0;
    Mask responses_ = 0;
    std::array<Mask, std::numeric_limits<Mask>::digits> groups_{};
};

/// Returns the virtual channel, of `channels`, with the fewest `flits` downstream. Grants prefer it.
template <class FlitsOfChannel>
int with_fewest_flits(VirtualChannels::Mask channels, const FlitsOfChannel& flits) {
    int first = std::countr_zero(channels);
    network_detail::for_each_bit(channels & (channels - 1), [&](int channel) {
        first = flits[network_detail::at(channel)] < flits[network_detail::at(first)] ? channel : first;
    });
    return first;
}

/// Returns the candidate that is granted a virtual channel of an output after `last`: round-robin over input ports, and
/// over the channels of a port. Candidates are a non-empty mask of input VCs, `num_channels` per port.
/// `next_port(port)` follows `port` in round-robin order.
template <class Mask, class NextPort>
int next_in_turn(const Mask& candidates, int last, int num_channels, const NextPort& next_port) {
    const Mask channels_of_port = (std::uint64_t{1} << num_channels) - 1;
    Mask of_port = 0;
    for (int port = last / num_channels; of_port == 0;) {
        port = next_port(port);
        of_port = candidates & (channels_of_port << (port * num_channels));
    }
    return network_detail::next_round_robin(of_port, last);
}

/// Returns the back-off of a source before its next reservation of a tree: random but reproducible, and longer after
/// each failure. `draw` counts the back-offs of the source.
inline Cycle backoff_cycles(const NetworkParameters& parameters, NodeIndex source, int failures, std::uint64_t draw) {
    const int doublings = std::min(failures, parameters.reservation_backoff_doublings_max);
    const auto range = static_cast<std::uint64_t>(parameters.reservation_backoff_cycles << doublings);
    return static_cast<Cycle>(splitmix64((draw << 16) + source) % range) + 1;
}

}  // namespace nocbench
