// Choice among outputs, for topologies with adaptive routing (docs/engine_rules.md, "Adaptive routing"). Until a packet
// at the front of an input VC is granted a virtual channel, it chooses anew in each cycle.
#pragma once

#include <numeric>
#include <tuple>
#include <utility>

#include "device_model/noc/engine/router.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class AdaptiveWays {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using InputVcMask = State::InputVcMask;

    explicit AdaptiveWays(Routers<kPorts, kVirtualChannels>& routers) : routers_(routers) {}

    /// Lets each packet that has no virtual channel yet ask for the best one.
    void choose(NodeIndex index, Node& node) const {
        InputVcMask unrouted = 0;
        for (auto& output : node.outputs) {
            unrouted |= std::exchange(output.waiting, 0);
        }
        if (unrouted == 0) {
            node.ports_pending &= as_byte(~kUnroutedBit);
        }
        for (const int input_vc : SetBits(unrouted)) {
            const Packet& packet = routers_.front(index, input_vc);
            const Way way = best_way(index, node, packet, input_vc / kVirtualChannels);
            node.input_vcs[at(input_vc)].output_channel = as_byte(way.channel);
            node.outputs[at(way.port)].waiting |= State::input_vc_bit(input_vc);
            node.set_pending(way.port, channel_bit(way.channel) & ~node.outputs[at(way.port)].owned);
        }
    }
    /// Returns the packets that ask for a channel of `port` which they may only be granted with room for all their
    /// flits.
    [[nodiscard]] InputVcMask need_room(const Node& node, int port) const {
        InputVcMask need = 0;
        if (routers_.kCanAdapt && routers_.topology().adaptive == AdaptiveRouting::minimal && port != kNiuPort) {
            for (const int input_vc : SetBits(node.outputs[at(port)].waiting)) {
                const bool escapes = node.input_vcs[at(input_vc)].output_channel == kEscapeChannel;
                need |= escapes ? InputVcMask{0} : State::input_vc_bit(input_vc);
            }
        }
        return need;
    }

private:
    [[nodiscard]] Way best_way(NodeIndex index, const Node& node, const Packet& packet, int input_port) const {
        const Topology& topology = routers_.topology();
        const bool is_minimal = topology.adaptive == AdaptiveRouting::minimal;
        // If no other channel can be granted, the escape channel is asked for.
        Way best{topology.route(index, packet.destination), kEscapeChannel};
        std::tuple best_rank{true, std::numeric_limits<int>::max(), 0, 0};
        for (const int port : SetBits(topology.permitted_ports(index, packet.destination, input_port))) {
            const auto& output = node.outputs[at(port)];
            const bool needs_room = is_minimal && port != kNiuPort;
            const int used_of_port = std::accumulate(output.used.begin(), output.used.end(), 0);
            for (int channel = needs_room ? kEscapeChannel + 1 : 0;
                 channel < routers_.parameters.software_virtual_channels; ++channel) {
                const bool is_owned = (output.owned >> channel & 1U) != 0;
                const int used = output.used[at(channel)];
                if (needs_room && (is_owned || (used != 0 && used + packet.flits > routers_.space.private_flits))) {
                    continue;
                }
                if (const std::tuple rank{is_owned, used_of_port, port, used}; rank < best_rank) {
                    best_rank = rank;
                    best = {port, channel};
                }
            }
        }
        return best;
    }

    Routers<kPorts, kVirtualChannels>& routers_;
};

}  // namespace nocbench::engine
