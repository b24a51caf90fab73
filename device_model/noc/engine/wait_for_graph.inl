// Why nothing moves any more: packets that form a cycle in the wait-for graph. Datelines, a class of virtual channels
// for responses and the reservation of multicasts' trees are there to make that impossible; where one of these rules is
// broken, this names what holds what.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

/// The places that the packet at the front of `input_vc` waits for, one after the other of which has to give way.
template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::waits_for(const Place& place) const -> std::vector<Place> {
    const Node& node = nodes_[place.node];
    const InputVc& input_vc = node.input_vcs[at(place.input_vc)];
    std::vector<Place> places;
    const auto add_downstream = [&](int port, int channel) {
        if (port != kNiuPort && (channels_with_space(node, port) >> channel & 1U) == 0) {
            const LinkEnd end = downstream_[at(place.node * kPorts + port)];
            places.push_back({end.node, end.port * kVirtualChannels + channel});
        }
    };
    if (input_vc.flits == 0) {
        // The packet's flits are still where it comes from.
        const int input_port = place.input_vc / kVirtualChannels;
        if (input_port != kNiuPort) {
            const LinkEnd end = upstream_[at(place.node * kPorts + input_port)];
            const Output& output = nodes_[end.node].outputs[end.port];
            const int channel = place.input_vc % kVirtualChannels;
            if ((output.owned >> channel & 1U) != 0) {
                places.push_back({end.node, output.owner[at(channel)]});
            }
        }
        return places;
    }
    if ((node.multicast & bit(place.input_vc)) != 0) {
        for (unsigned rest = front_flit_ports(place.node, node, place.input_vc); rest != 0; rest &= rest - 1) {
            const int port = std::countr_zero(rest);
            add_downstream(port, multicast_channel(place.node, place.input_vc, port));
        }
    } else if (input_vc.output_port != kNotGranted) {
        add_downstream(input_vc.output_port, input_vc.output_channel);
    } else {
        for (const Output& output : node.outputs) {
            if ((output.waiting & bit(place.input_vc)) == 0) {
                continue;
            }
            for (ChannelMask rest = wanted_channels(input_vc) & output.owned; rest != 0; rest &= rest - 1) {
                places.push_back({place.node, output.owner[at(std::countr_zero(rest))]});
            }
        }
    }
    return places;
}

template <int kPorts, int kVirtualChannels>
std::vector<WaitingPacket> WindowNetwork<kPorts, kVirtualChannels>::find_wait_for_cycle() {
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        write_back_active_vcs(static_cast<NodeIndex>(index));
    }
    // Depth first; a place that is met again while it is on the way down closes a cycle.
    enum class Mark : std::uint8_t { unknown, on_way, done };
    std::vector<Mark> states(nodes_.size() * kNumInputVcs, Mark::unknown);
    struct Visit {
        Place place;
        std::vector<Place> next;
    };
    const auto state = [&](const Place& place) -> Mark& {
        return states[at(place.node * kNumInputVcs + place.input_vc)];
    };
    std::vector<Visit> way;
    for (std::size_t index = 0; index < states.size(); ++index) {
        const Place start{static_cast<NodeIndex>(index / kNumInputVcs), static_cast<int>(index % kNumInputVcs)};
        if (states[index] != Mark::unknown || nodes_[start.node].input_vcs[at(start.input_vc)].flits_left == 0) {
            continue;
        }
        way.push_back({start, waits_for(start)});
        state(start) = Mark::on_way;
        while (!way.empty()) {
            if (way.back().next.empty()) {
                state(way.back().place) = Mark::done;
                way.pop_back();
                continue;
            }
            const Place next = way.back().next.back();
            way.back().next.pop_back();
            if (state(next) == Mark::on_way) {
                const auto first = std::ranges::find(way, next, &Visit::place);
                std::vector<WaitingPacket> cycle;
                std::transform(first, way.end(), std::back_inserter(cycle),
                               [&](const Visit& visit) { return waiting_packet(visit.place); });
                return cycle;
            }
            if (state(next) == Mark::unknown) {
                state(next) = Mark::on_way;
                way.push_back({next, waits_for(next)});
            }
        }
    }
    return {};
}

template <int kPorts, int kVirtualChannels>
WaitingPacket WindowNetwork<kPorts, kVirtualChannels>::waiting_packet(const Place& place) const {
    const Node& node = nodes_[place.node];
    const InputVc& input_vc = node.input_vcs[at(place.input_vc)];
    WaitingPacket waiting;
    waiting.node = place.node;
    waiting.input_port = place.input_vc / kVirtualChannels;
    waiting.virtual_channel = place.input_vc % kVirtualChannels;
    waiting.packet = packets_[front_packet(place.node, place.input_vc)];
    waiting.has_output = input_vc.output_port != kNotGranted || (node.multicast & bit(place.input_vc)) != 0;
    for (int port = 0; port < kPorts; ++port) {
        if (input_vc.output_port == port || (node.outputs[at(port)].waiting & bit(place.input_vc)) != 0) {
            waiting.output_port = port;
        }
    }
    return waiting;
}

}  // namespace nocbench
