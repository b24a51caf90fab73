// Routers of a network, and rules of a cycle that their parts share: which flits may be sent, through which output and
// virtual channel, and the changes of state by a sent flit. Independent of link latencies.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "device_model/noc/buffer_space.h"
#include "device_model/noc/engine/router_state.h"
#include "device_model/noc/network_rules.h"
#include "device_model/sim/error.h"

namespace nocbench::engine {

using network_detail::next_round_robin;

template <int kPorts, int kVirtualChannels>
class Routers {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using ColdNode = State::ColdNode;
    using Output = State::Output;
    using Step = State::Step;
    using Words = LinkWords<kPorts>;

    /// True if links of this router shape can idle. No modeled mesh has idling links, and the check would make meshes 3
    /// % slower.
    static constexpr bool kLinksCanIdle = kPorts == 3;
    /// True if packets of this router shape can choose among outputs: those with few virtual channels have no cost for
    /// it.
    static constexpr bool kCanAdapt = State::kIsWide;

    /// The arguments must outlive this object. Throws InputError for parameters that cannot be simulated.
    Routers(const Topology& topology, const NetworkParameters& network_parameters, PacketPool& packet_pool,
            NetworkClient& network_client)
        : parameters(network_parameters),
          channels(parameters, kVirtualChannels),
          space(space_of(parameters)),
          packets(packet_pool),
          client(network_client),
          topology_(topology),
          nodes_(at(topology.num_nodes)),
          cold_(at(topology.num_nodes)),
          upstream_(at(topology.num_nodes) * kPorts),
          downstream_(at(topology.num_nodes) * kPorts),
          links_idle_(parameters.link_flits_on_end_max != NetworkParameters::kNeverIdles),
          shares_credit_lane_(parameters.one_flit_per_input_port) {
        const int buffered_packets =
            std::max(parameters.injection_buffer_flits, parameters.private_flits_per_virtual_channel +
                                                            parameters.shared_flits_per_virtual_channel_max + 1);
        if (buffered_packets > kQueueSize) {
            throw InputError(
                fmt::format("buffers of a network: expected at most {} packets of one flit in one of them, found {}",
                            kQueueSize, buffered_packets));
        }
        if (links_idle_ && !kLinksCanIdle) {
            throw InputError(
                fmt::format("links of a network that idle: expected a router of 2 links, found one of {}", kPorts - 1));
        }
        for (Node& node : nodes_) {
            for (int port = 0; port < kPorts; ++port) {
                for (int channel = 0; channel < kVirtualChannels; ++channel) {
                    set_used(node, port, channel, 0);
                }
            }
        }
        for (int node = 0; node < topology.num_nodes; ++node) {
            for (int port = 1; port < kPorts; ++port) {
                const Topology::Link& link = topology.link(node, port);
                if (link.exists) {
                    std::uint8_t& datelines = nodes_[at(node)].datelines;
                    datelines = as_byte(datelines | (link.is_dateline ? 1U << port : 0));
                    has_datelines_ = has_datelines_ || link.is_dateline;
                    downstream_[at(node * kPorts + port)] = {link.neighbour, link.neighbour_port};
                    upstream_[at(link.neighbour * kPorts + link.neighbour_port)] = {static_cast<NodeIndex>(node),
                                                                                    as_byte(port)};
                }
            }
        }
    }

    const NetworkParameters& parameters;
    const VirtualChannels channels;
    const BufferSpace space;  // downstream
    PacketPool& packets;
    NetworkClient& client;

    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] Node& node(NodeIndex index) { return nodes_[index]; }
    [[nodiscard]] const Node& node(NodeIndex index) const { return nodes_[index]; }
    [[nodiscard]] ColdNode& cold(NodeIndex index) { return cold_[index]; }
    [[nodiscard]] const ColdNode& cold(NodeIndex index) const { return cold_[index]; }
    /// Returns the other end of a port's link: for an input port, the output port that feeds it; for an output port,
    /// the input port that it feeds.
    [[nodiscard]] LinkEnd upstream(NodeIndex index, int port) const { return upstream_[at(index * kPorts + port)]; }
    [[nodiscard]] LinkEnd downstream(NodeIndex index, int port) const { return downstream_[at(index * kPorts + port)]; }

    /// Returns whether the stream can accept another packet.
    [[nodiscard]] bool can_start(const Stream& stream) const {
        return stream.flits == 0 ||
               (stream.next_flits == 0 && stream.read.flits + parameters.read_ahead_flits >= stream.flits);
    }
    /// Returns whether a flit of a stream can be read from the tile in the cycle that begins at `tick`: the injection
    /// buffer has space, and neither the tile's rate nor the stream's is exceeded.
    [[nodiscard]] bool can_read(const Node& node, const Stream& stream, Tick tick) const {
        return stream.in_buffer < parameters.injection_buffer_flits && node.source.allows(tick) &&
               stream.pacer.allows(tick);
    }
    /// Reads a flit of a stream from the tile.
    void read_flit(Node& node, int number, Stream& stream, Tick tick) const {
        const bool is_header = stream.read.flits == 0;
        node.source.take(tick, is_header ? parameters.source_ticks_per_header : node.source_ticks_per_data_flit);
        if (!is_header) {
            stream.pacer.take(tick, stream.ticks_per_flit);
        }
        stream.read.read_in(cycle_containing(tick));
        ++stream.in_buffer;
        node.last_stream = as_byte(number);
    }
    /// Returns the next of `streams` to be read in round-robin order, or -1. One flit is read per cycle.
    [[nodiscard]] int next_stream(const Node& node, const ColdNode& cold, std::uint64_t streams, Tick tick) const {
        int number = node.last_stream;
        for (; streams != 0; streams &= ~bit(number)) {
            number = next_round_robin(streams, number);
            if (can_read(node, cold.streams[at(number)], tick)) {
                return number;
            }
        }
        return -1;
    }
    [[nodiscard]] bool can_read_tile(NodeIndex index, const Node& node) const {
        return std::ranges::any_of(SetBits(node.active_streams), [&](int stream) {
            return cold_[index].streams[at(stream)].in_buffer < parameters.injection_buffer_flits;
        });
    }

    [[nodiscard]] PacketId front_packet(NodeIndex index, int input_vc) const {
        return front_packet(nodes_[index], cold_[index], input_vc);
    }
    [[nodiscard]] const Packet& front(NodeIndex index, int input_vc) const {
        return packets[front_packet(index, input_vc)];
    }
    [[nodiscard]] static PacketId front_packet(const Node& node, const ColdNode& cold, int input_vc) {
        return cold.queue[node.input_vcs[at(input_vc)].queue_head % kQueueSize][at(input_vc)];
    }
    /// Returns whether the packet at the front of `input_vc` is still being read from the tile.
    [[nodiscard]] static bool is_read(const Step& step, int input_vc) {
        return input_vc < kVirtualChannels && (step.node.active_streams >> input_vc & 1U) != 0 &&
               step.cold.streams[at(input_vc)].packet == front_packet(step.node, step.cold, input_vc);
    }
    void push_packet(NodeIndex index, int input_vc, PacketId packet) {
        InputVc& input = nodes_[index].input_vcs[at(input_vc)];
        cold_[index].queue[input.queue_tail++ % kQueueSize][at(input_vc)] = packet;
    }
    /// Pushes a packet into the queue downstream of `port`, before its first flit can arrive.
    void push_downstream(NodeIndex index, int port, int channel, PacketId packet) {
        const LinkEnd end = downstream(index, port);
        push_packet(end.node, end.port * kVirtualChannels + channel, packet);
    }
    /// Removes the packet at the front of `input_vc`. Its tail has left through `port`.
    PacketId take_front_packet(const Step& step, int input_vc, int port) {
        const PacketId packet = front_packet(step.node, step.cold, input_vc);
        step.cold.flits_sent[at(port)] += packets[packet].flits;
        step.node.input_vcs[at(input_vc)].pop_packet();
        return packet;
    }
    void look_at_front(NodeIndex index, Node& node, int input_vc_index, const Moment& now) {
        const Packet& packet = front(index, input_vc_index);
        if (kCanAdapt && topology_.adaptive != AdaptiveRouting::none) {
            // Any output will do until it chooses, which is before the next grants.
            node.input_vcs[at(input_vc_index)].flits_left = packet.flits;
            node.outputs[kNiuPort].waiting |= State::input_vc_bit(input_vc_index);
            node.ports_pending |= kUnroutedBit;
            return;
        }
        if (packet.tree != kNoTree) {
            look_at_multicast(index, node, input_vc_index, now);
            return;
        }
        ask_for_channel(node, input_vc_index, packet, way_of(index, packet, input_vc_index));
    }
    [[nodiscard]] Way way_of(NodeIndex index, const Packet& packet, int input_vc) const {
        const int port = topology_.route(index, packet.destination);
        if (!has_datelines_) {
            return {port, packet.software_virtual_channel};
        }
        const bool crosses_dateline = (nodes_[index].datelines >> port & 1U) != 0;
        return {port, channels.leaving(packet.software_virtual_channel, input_vc / kVirtualChannels,
                                       input_vc % kVirtualChannels, port, crosses_dateline)};
    }
    /// Requests a virtual channel for the packet at the front of an input VC.
    void ask_for_channel(Node& node, int input_vc_index, const Packet& packet, const Way& way) {
        InputVc& input_vc = node.input_vcs[at(input_vc_index)];
        input_vc.flits_left = packet.flits;
        input_vc.output_channel = as_byte(way.channel | (packet.is_static ? 0 : kDynamic));
        Output& output = node.outputs[at(way.port)];
        output.waiting |= State::input_vc_bit(input_vc_index);
        node.set_pending(way.port, wanted_channels(input_vc) & ~output.owned);
    }
    /// Returns the virtual channels that a packet can be granted.
    [[nodiscard]] ChannelMask wanted_channels(const InputVc& input_vc) const {
        const int channel = input_vc.output_channel & ~kDynamic;
        return (input_vc.output_channel & kDynamic) == 0 ? channel_bit(channel) : channels.group_of(channel);
    }
    /// Returns the virtual channel that a packet is granted if free.
    [[nodiscard]] static ChannelMask own_channel(const InputVc& input_vc) {
        return channel_bit(input_vc.output_channel & ~kDynamic);
    }

    TreeIndex add_tree(Tree tree) {
        trees_.push_back(std::move(tree));
        shares_credit_lane_ = false;
        return static_cast<TreeIndex>(trees_.size() - 1);
    }
    [[nodiscard]] bool has_trees() const { return !trees_.empty(); }
    [[nodiscard]] const Tree& tree(TreeIndex index) const { return trees_[index]; }
    [[nodiscard]] unsigned tree_ports(NodeIndex index, const Packet& packet) const {
        return trees_[packet.tree].outputs[index];
    }
    /// Returns the virtual channel of the output `port` that a multicast in `input_vc` uses.
    [[nodiscard]] int multicast_channel(NodeIndex index, int input_vc, int port) const {
        return channels.leaving(input_vc / kVirtualChannels, input_vc % kVirtualChannels, port,
                                topology_.link(index, port).is_dateline);
    }
    void enqueue_downstream(NodeIndex index, int input_vc, unsigned ports) {
        const PacketId packet = front_packet(index, input_vc);
        for (const int port : SetBits(ports & ~kNiuBit)) {
            push_downstream(index, port, multicast_channel(index, input_vc, port), packet);
        }
    }
    void look_at_multicast(NodeIndex index, Node& node, int input_vc, const Moment& now) {
        const Packet& packet = front(index, input_vc);
        node.input_vcs[at(input_vc)].flits_left = packet.flits;
        node.multicast |= State::input_vc_bit(input_vc);
        if (packet.reserves_path) {
            cold_[index].reservations[at(input_vc)] = {.requested = now.cycle};
        } else {
            enqueue_downstream(index, input_vc, tree_ports(index, packet));
        }
    }

    /// Returns the virtual channels of which `port` would accept a unicast flit in this cycle.
    [[nodiscard]] ChannelMask channels_served(const Node& node, int port, Cycle cycle) const {
        if (port != kNiuPort) {
            return link_idles(node, port, cycle) ? 0 : channels_with_space(node, port);
        }
        // The tile accepts data a little slower than one flit per cycle, and skips a cycle now and then.
        if (!node.sink.allows(ticks_from_cycles(cycle))) {
            return 0;
        }
        return ((node.data_channels | node.heads_to_eject) & ~node.blocked_channels) | channels.responses();
    }
    [[nodiscard]] ChannelMask channels_with_space(const Node& node, int port) const {
        const Output& output = node.outputs[at(port)];
        return space.is_pool_full(node.pool_used[at(port)]) ? output.below_private
                                                            : output.below_private | output.below_limit;
    }
    [[nodiscard]] bool links_idle() const { return kLinksCanIdle && links_idle_; }
    /// Returns the number of cycles from `start` on in which a link can pass flits before it idles.
    [[nodiscard]] int cycles_until_idle(const Node& node, int port, Cycle start) const {
        return links_idle() && port != kNiuPort
                   ? parameters.link_flits_on_end_max - node.link_use[at(port - 1)].until(start)
                   : NetworkParameters::kNeverIdles;
    }
    [[nodiscard]] bool link_idles(const Node& node, int port, Cycle cycle) const {
        return cycles_until_idle(node, port, cycle) == 0;
    }
    /// Sets the number of flits of a virtual channel that are downstream.
    void set_used(Node& node, int port, int channel, int used) const {
        Output& output = node.outputs[at(port)];
        fill_pool(node, port, output.used[at(channel)], used);
        set_used_beside_pool(output, channel, used);
    }
    /// Updates the pool when the flits of a virtual channel downstream go from `before` to `after`.
    void fill_pool(Node& node, int port, int before, int after) const {
        if (std::max(before, after) > space.private_flits) {
            std::uint16_t& pool_used = node.pool_used[at(port)];
            pool_used = static_cast<std::uint16_t>(pool_used + space.pool_change(before, after));
        }
    }
    void set_used_beside_pool(Output& output, int channel, int used) const {
        output.used[at(channel)] = as_byte(used);
        const ChannelMask mask = ChannelMask{1} << channel;
        output.below_private = (output.below_private & ~mask) | ChannelMask{used < space.private_flits} << channel;
        output.below_limit = (output.below_limit & ~mask) | ChannelMask{used < space.channel_flits_max()} << channel;
    }
    void take_credit(Node& node, int port, int channel) const {
        set_used(node, port, channel, node.outputs[at(port)].used[at(channel)] - 1);
    }

    /// Returns the credit lane for flits that leave through `port`; the tile has the last one. One lane is enough if an
    /// input port sends one flit per cycle and there are no multicasts.
    [[nodiscard]] int credit_lane(int port) const { return shares_credit_lane_ ? 0 : (port + kPorts - 1) % kPorts; }
    [[nodiscard]] int num_credit_lanes() const { return shares_credit_lane_ ? 1 : kPorts; }
    [[nodiscard]] int num_credit_bytes() const { return shares_credit_lane_ ? 1 : Words::kCreditBytes; }
    /// Takes a flit out of the buffer of `input_vc`. It leaves through the output `port`.
    void take_from_buffer(Step& step, int input_vc, int port, const Moment& now) {
        --step.node.input_vcs[at(input_vc)].flits;
        if (input_vc < kVirtualChannels) {
            --step.cold.streams[at(input_vc)].in_buffer;
        } else {
            step.sent.add(Words::credits(input_vc / kVirtualChannels, credit_lane(port)),
                          in_cycle(now.offset, input_vc % kVirtualChannels));
        }
    }
    void send_over_link(Step& step, int port, int channel, const Moment& now) {
        step.sent.add(Words::flits(port), in_cycle(now.offset, channel));
        Node& node = step.node;
        if (links_idle()) {
            node.link_use[at(port - 1)].add(now.cycle);
        }
        set_used(node, port, channel, node.outputs[at(port)].used[at(channel)] + 1);
    }
    void eject_flit(Step& step, PacketId packet, int channel, Tick sink_ticks, bool is_header, Cycle cycle) {
        Node& node = step.node;
        node.sink.take(ticks_from_cycles(cycle), is_header ? kTicksPerCycle : sink_ticks);
        if (is_header) {
            client.head_ejected(step.index, packet, channel, cycle);
        } else if (node.metered) {
            client.data_flit_ejected(step.index, packet, channel, cycle);
        } else if (node.counted) {
            client.data_flits_counted(step.index, packet, 1);
        }
    }

private:
    /// Returns the buffer space. A pool that no virtual channel may use is made so large that it never counts as full.
    static BufferSpace space_of(const NetworkParameters& of) {
        const bool matters = of.shared_flits_per_virtual_channel_max != 0;
        return {.private_flits = of.private_flits_per_virtual_channel,
                .pool_flits = matters ? of.shared_flits_per_input_port : std::numeric_limits<std::uint16_t>::max(),
                .pool_flits_of_channel_max = of.shared_flits_per_virtual_channel_max};
    }

    const Topology& topology_;
    std::vector<Node> nodes_;
    std::vector<ColdNode> cold_;
    std::vector<LinkEnd> upstream_;    // [node * kPorts + input port]
    std::vector<LinkEnd> downstream_;  // [node * kPorts + output port]
    std::vector<Tree> trees_;
    bool links_idle_ = false;  // links idle now and then
    bool has_datelines_ = false;
    bool shares_credit_lane_ = false;
};

}  // namespace nocbench::engine
