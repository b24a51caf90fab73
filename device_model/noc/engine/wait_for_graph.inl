// Who waits for whom, where nothing moves any more.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::waits_for(const Place& place) const -> std::vector<Place> {
    const Node& node = nodes_[place.node];
    const int index = place.port * kVirtualChannels + place.channel;
    const InputVc& input_vc = node.input_vcs[at(index)];
    std::vector<Place> places;
    const auto add_owner = [&places](NodeIndex of, const Output& output, int channel) {
        const int owner = output.owner[at(channel)];
        places.push_back({of, owner / kVirtualChannels, owner % kVirtualChannels});
    };
    const auto add_downstream = [&](int port, int channel) {
        if (port != kNiuPort && (channels_with_space(node, port) >> channel & 1U) == 0) {
            const LinkEnd end = downstream_[at(place.node * kPorts + port)];
            places.push_back({end.node, end.port, channel});
        }
    };
    if (input_vc.flits == 0) {
        // The packet's flits are still where it comes from.
        if (place.port != kNiuPort) {
            const LinkEnd end = upstream_[at(place.node * kPorts + place.port)];
            const Output& output = nodes_[end.node].outputs[end.port];
            if ((output.owned >> place.channel & 1U) != 0) {
                add_owner(end.node, output, place.channel);
            }
        }
        return places;
    }
    if ((node.multicast & bit(index)) != 0) {
        for (unsigned rest = front_flit_ports(place.node, node, index); rest != 0; rest &= rest - 1) {
            const int port = std::countr_zero(rest);
            add_downstream(port, multicast_channel(place.node, index, port));
        }
    } else if (input_vc.output_port != kNotGranted) {
        add_downstream(input_vc.output_port, input_vc.output_channel);
    } else {
        for (const Output& output : node.outputs) {
            if ((output.waiting & bit(index)) == 0) {
                continue;
            }
            for (ChannelMask rest = wanted_channels(input_vc) & output.owned; rest != 0; rest &= rest - 1) {
                add_owner(place.node, output, std::countr_zero(rest));
            }
        }
    }
    return places;
}

template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::front_packets() -> std::vector<Place> {
    std::vector<Place> places;
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        const auto node = static_cast<NodeIndex>(index);
        write_back_active_vcs(node);
        for (int input_vc = 0; input_vc < kNumInputVcs; ++input_vc) {
            if (nodes_[index].input_vcs[at(input_vc)].flits_left != 0) {
                places.push_back({node, input_vc / kVirtualChannels, input_vc % kVirtualChannels});
            }
        }
    }
    return places;
}

template <int kPorts, int kVirtualChannels>
WaitingPacket WindowNetwork<kPorts, kVirtualChannels>::waiting_packet(const Place& place) const {
    const Node& node = nodes_[place.node];
    const int index = place.port * kVirtualChannels + place.channel;
    const InputVc& input_vc = node.input_vcs[at(index)];
    WaitingPacket waiting;
    waiting.node = place.node;
    waiting.input_port = place.port;
    waiting.virtual_channel = place.channel;
    waiting.packet = packets_[front_packet(place.node, index)];
    waiting.has_output = input_vc.output_port != kNotGranted || (node.multicast & bit(index)) != 0;
    for (int port = 0; port < kPorts; ++port) {
        if (input_vc.output_port == port || (node.outputs[at(port)].waiting & bit(index)) != 0) {
            waiting.output_port = port;
        }
    }
    return waiting;
}

}  // namespace nocbench
