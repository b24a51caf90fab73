// Outputs that change hands otherwise than in the cycle after a tail: they turn to an input port in a few cycles, are
// released later or earlier, and rest at the input port from which packets come straight.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "device_model/noc/engine/window_network.h"
#include "device_model/sim/error.h"

namespace nocbench {

/// In which order input ports take turns.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_turns() {
    const auto set = [](std::array<std::uint8_t, kPorts>& next, std::vector<int> turns) {
        std::vector<int> ports(kPorts);
        std::iota(ports.begin(), ports.end(), 0);
        if (turns.empty()) {
            turns = ports;
        }
        if (!std::ranges::is_permutation(turns, ports)) {
            throw InputError(fmt::format("turns of the input ports of a router: expected each of {} once, found {}",
                                         kPorts, fmt::join(turns, ", ")));
        }
        for (std::size_t turn = 0; turn < turns.size(); ++turn) {
            next[at(turns[turn])] = static_cast<std::uint8_t>(turns[(turn + 1) % turns.size()]);
        }
    };
    set(next_in_turn_[0], parameters_.outputs.turns_at_links);
    set(next_in_turn_[1], parameters_.outputs.turns_at_tile);
}

/// Whether an output would take a header in this cycle.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::header_can_leave(const Node& node, int port, int channel,
                                                               Cycle cycle) const {
    const ChannelMask served = port != kNiuPort ? channels_served(node, port, cycle)
                               : node.sink.allows(ticks_from_cycles(cycle))
                                   ? ~node.blocked_channels | channels_.responses()
                                   : 0;
    return (served >> channel & 1U) != 0;
}

/// A virtual channel has been granted: its owner sends at once if it comes straight, and otherwise when the output has
/// turned to it.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::turn_to(NodeIndex index, Node& node, int port, int channel, Cycle cycle) {
    const int input_port = node.outputs[at(port)].owner[at(channel)] / kVirtualChannels;
    const bool is_straight = parameters_.outputs.straight_input(port) == input_port;
    if (parameters_.outputs.turn_cycles == 0 || is_straight) {
        begin_flits(node, port, channel);
        return;
    }
    node.ports_pending |= kChangesBit;
    cold_[index].changes.push_back({.cycle = cycle + parameters_.outputs.turn_cycles,
                                    .port = static_cast<std::uint8_t>(port),
                                    .channel = static_cast<std::uint8_t>(channel),
                                    .is_turn = true});
}

/// Those that are done with in this cycle.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::finish_changes(Node& node, ColdNode& cold, Cycle cycle) {
    std::erase_if(cold.changes, [&](const Change& change) {
        if (change.cycle > cycle) {
            return false;
        }
        if (change.is_turn) {
            begin_flits(node, change.port, change.channel);
        } else {
            free_channel(node, change.port, change.channel);
        }
        return true;
    });
    if (cold.changes.empty()) {
        node.ports_pending &= static_cast<std::uint8_t>(~kChangesBit);
    }
}

/// The tail of the packet that owns a virtual channel has left. The channel is granted in this cycle, from the next one
/// on, or has its last owner for a while.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::release(Node& node, ColdNode& cold, int port, int channel,
                                                      Cycle cycle) const {
    if (parameters_.outputs.release_cycles > 1) {
        node.ports_pending |= kChangesBit;
        cold.changes.push_back({.cycle = cycle + parameters_.outputs.release_cycles,
                                .port = static_cast<std::uint8_t>(port),
                                .channel = static_cast<std::uint8_t>(channel)});
        return;
    }
    free_channel(node, port, channel);
    if (parameters_.outputs.release_cycles == 0) {
        node.ports_pending |= kReleasedBit;
        cold.released[at(port)] |= channel_bit(channel);
        cold.come_to_front |= bit(node.outputs[at(port)].owner[at(channel)]);
    }
}

/// Channels that tails of this cycle have released at once are granted to packets that have been waiting before the
/// flits of this cycle left.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::grant_released(NodeIndex index, Node& node, ColdNode& cold, Cycle cycle) {
    for (int port = 0; port < kPorts; ++port) {
        if (cold.released[at(port)] != 0) {
            grant_among(index, node, port, cold.released[at(port)], cold.come_to_front, cycle);
            cold.released[at(port)] = 0;
        }
    }
    cold.come_to_front = 0;
    node.ports_pending &= static_cast<std::uint8_t>(~kReleasedBit);
}

}  // namespace nocbench
