// Grants of virtual channels. By default, an output VC can be granted in the cycle after a tail. With OutputRules,
// turns to other input ports take cycles, releases come earlier or later, and free VCs rest at the straight input.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "device_model/noc/engine/router.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class VirtualChannelGrants {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using ColdNode = State::ColdNode;
    using InputVcMask = State::InputVcMask;

    /// Throws InputError unless the round-robin order of input ports has each of them once.
    explicit VirtualChannelGrants(Routers<kPorts, kVirtualChannels>& routers)
        : routers_(routers),
          rules_(routers.parameters.outputs),
          next_in_turn_{next_in_turns(rules_.turns_at_links), next_in_turns(rules_.turns_at_tile)},
          outputs_are_plain_(rules_ == OutputRules()) {}

    /// Returns whether outputs change their owners in the cycle after a tail.
    [[nodiscard]] bool outputs_are_plain() const { return outputs_are_plain_; }

    /// Allocates free virtual channels of an output: first to packets whose own channel they are, then to dynamic
    /// packets.
    void grant_virtual_channels(NodeIndex index, Node& node, int port, Cycle cycle) {
        auto& output = node.outputs[at(port)];
        const ChannelMask free = std::exchange(output.pending, 0) & ~output.owned;
        node.ports_pending = as_byte(node.ports_pending & ~(1U << port));
        if (is_one_bit(output.waiting)) {
            const int input_vc = first_bit(output.waiting);
            const ChannelMask own = routers_.own_channel(node.input_vcs[at(input_vc)]);
            if (const ChannelMask channels = free & routers_.wanted_channels(node.input_vcs[at(input_vc)]);
                channels != 0) {
                const int channel =
                    (channels & own) != 0 ? std::countr_zero(own) : with_fewest_flits(channels, output.used);
                grant(index, node, port, channel, input_vc, cycle);
            }
            return;
        }
        grant_among(index, node, port, free, 0, cycle);
    }
    /// Grants a free virtual channel to the packet at the front of an input VC.
    void grant(NodeIndex index, Node& node, int port, int channel, int input_vc_index, Cycle cycle) {
        auto& output = node.outputs[at(port)];
        InputVc& input_vc = node.input_vcs[at(input_vc_index)];
        output.owned |= channel_bit(channel);
        output.owner[at(channel)] = as_byte(input_vc_index);
        output.waiting &= ~State::input_vc_bit(input_vc_index);
        input_vc.output_channel = as_byte(channel);
        if (outputs_are_plain_) {
            node.begin_flits(port, channel);
        } else {
            turn_to(index, node, port, channel, cycle);
        }
        if (port != kNiuPort) {
            routers_.push_downstream(index, port, channel, routers_.front_packet(index, input_vc_index));
        } else {
            node.heads_to_eject |= channel_bit(channel);
        }
    }
    /// Frees a virtual channel. The tail of its owner has left.
    void give_back(Node& node, ColdNode& cold, int port, int channel, Cycle cycle) const {
        if (outputs_are_plain_) {
            node.free_channel(port, channel);
        } else {
            release(node, cold, port, channel, cycle);
        }
    }
    /// Completes the changes that are due in this cycle.
    void finish_changes(Node& node, ColdNode& cold, Cycle cycle) {
        std::erase_if(cold.changes, [&](const Change& change) {
            if (change.cycle > cycle) {
                return false;
            }
            if (change.is_turn) {
                node.begin_flits(change.port, change.channel);
            } else {
                node.free_channel(change.port, change.channel);
            }
            return true;
        });
        if (cold.changes.empty()) {
            node.ports_pending &= as_byte(~kChangesBit);
        }
    }
    /// Grants channels that tails of this cycle have released at once, to packets that requested them before the tails
    /// left. `without(port)` are requests that must wait.
    template <class Without>
    void grant_released(NodeIndex index, Node& node, ColdNode& cold, Cycle cycle, const Without& without) {
        for (int port = 0; port < kPorts; ++port) {
            if (cold.released[at(port)] != 0) {
                grant_among(index, node, port, cold.released[at(port)], cold.come_to_front | without(port), cycle);
                cold.released[at(port)] = 0;
            }
        }
        cold.come_to_front = 0;
        node.ports_pending &= as_byte(~kReleasedBit);
    }

private:
    using InputPorts = std::array<std::uint8_t, kPorts>;

    /// Grants free virtual channels to requests, except those of the input VCs `without`.
    [[gnu::always_inline]] void grant_among(NodeIndex index, Node& node, int port, ChannelMask free,
                                            InputVcMask without, Cycle cycle) {
        auto& output = node.outputs[at(port)];
        const auto grant_to = [&](int channel, const auto& channels_of) {
            InputVcMask candidates = 0;
            for (const int input_vc : SetBits(output.waiting & ~without)) {
                const bool can_take = (channels_of(node.input_vcs[at(input_vc)]) & channel_bit(channel)) != 0;
                candidates |= can_take ? State::input_vc_bit(input_vc) : InputVcMask{0};
            }
            grant_round_robin(index, node, port, channel, candidates, cycle);
        };
        for (ChannelMask rest = free; rest != 0 && output.waiting != 0; rest &= rest - 1) {
            grant_to(std::countr_zero(rest),
                     [this](const InputVc& input_vc) { return routers_.own_channel(input_vc); });
        }
        free &= ~output.owned;
        while (free != 0 && output.waiting != 0) {
            const int channel =
                with_fewest_flits(free & routers_.channels.group_of(std::countr_zero(free)), output.used);
            free &= ~channel_bit(channel);
            grant_to(channel, [this](const InputVc& input_vc) { return routers_.wanted_channels(input_vc); });
        }
    }
    /// Grants a virtual channel round-robin over input ports, and over the virtual channels of a port.
    [[gnu::always_inline]] void grant_round_robin(NodeIndex index, Node& node, int port, int channel,
                                                  InputVcMask candidates, Cycle cycle) {
        if (candidates == 0) {
            return;
        }
        int last_owner = node.outputs[at(port)].owner[at(channel)];
        if (rests_at_straight_input(routers_.cold(index), port, channel)) {
            const int straight_input = rules_.straight_input(port);
            last_owner = straight_input * kVirtualChannels + channel;
            const InputVcMask straight = candidates & State::input_vcs_of(straight_input);
            if (straight != 0 && header_can_leave(node, port, channel, cycle)) {
                grant(index, node, port, channel, next_round_robin(straight, last_owner), cycle);
                return;
            }
        }
        const auto& next_port = next_in_turn_[at(port == kNiuPort)];
        const int winner = next_in_turn(candidates, last_owner, kVirtualChannels,
                                        [&next_port](int input_port) { return next_port[at(input_port)]; });
        grant(index, node, port, channel, winner, cycle);
    }
    /// Lets the new owner of a virtual channel send: at once if it comes straight, otherwise after turn_cycles.
    void turn_to(NodeIndex index, Node& node, int port, int channel, Cycle cycle) {
        const int input_port = node.outputs[at(port)].owner[at(channel)] / kVirtualChannels;
        const bool is_straight = rules_.straight_input(port) == input_port;
        if (rules_.turn_cycles == 0 || is_straight) {
            node.begin_flits(port, channel);
            return;
        }
        node.ports_pending |= kChangesBit;
        routers_.cold(index).changes.push_back({cycle + rules_.turn_cycles, as_byte(port), as_byte(channel), true});
    }
    /// Frees a virtual channel in this cycle, in the next one, or after release_cycles.
    void release(Node& node, ColdNode& cold, int port, int channel, Cycle cycle) const {
        if (rules_.release_cycles > 1) {
            node.ports_pending |= kChangesBit;
            cold.changes.push_back({cycle + rules_.release_cycles, as_byte(port), as_byte(channel), false});
            return;
        }
        node.free_channel(port, channel);
        if (rules_.release_cycles == 0) {
            node.ports_pending |= kReleasedBit;
            cold.released[at(port)] |= channel_bit(channel);
            cold.come_to_front |= State::input_vc_bit(node.outputs[at(port)].owner[at(channel)]);
        }
    }
    [[nodiscard]] bool rests_at_straight_input(const ColdNode& cold, int port, int channel) const {
        return rules_.rest_at_straight_input && rules_.straight_input(port) != OutputRules::kNoInputPort &&
               (cold.released[at(port)] >> channel & 1U) == 0;
    }
    /// Returns whether an output would accept a header in this cycle.
    [[nodiscard]] bool header_can_leave(const Node& node, int port, int channel, Cycle cycle) const {
        const ChannelMask served = port != kNiuPort ? routers_.channels_served(node, port, cycle)
                                   : node.sink.allows(ticks_from_cycles(cycle))
                                       ? ~node.blocked_channels | routers_.channels.responses()
                                       : 0;
        return (served >> channel & 1U) != 0;
    }

    /// Returns the next input port in round-robin order, by input port.
    static InputPorts next_in_turns(std::vector<int> turns) {
        std::vector<int> ports(kPorts);
        std::iota(ports.begin(), ports.end(), 0);
        if (turns.empty()) {
            turns = ports;
        }
        if (!std::ranges::is_permutation(turns, ports)) {
            throw InputError(fmt::format("turns of the input ports of a router: expected each of {} once, found {}",
                                         kPorts, fmt::join(turns, ", ")));
        }
        InputPorts next{};
        for (std::size_t turn = 0; turn < turns.size(); ++turn) {
            next[at(turns[turn])] = as_byte(turns[(turn + 1) % turns.size()]);
        }
        return next;
    }

    Routers<kPorts, kVirtualChannels>& routers_;
    const OutputRules& rules_;
    const std::array<InputPorts, 2> next_in_turn_;  // at links, and at the port to the tile
    const bool outputs_are_plain_;
};

}  // namespace nocbench::engine
