// The rules of a router, cycle by cycle, in the order in which they happen; docs/engine_rules.md has them in words, and
// device_model/noc/specification/ as plainly as can be. Multicasts have a file of their own (multicast.inl).

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::step_cycles(Step& step) {
    // What comes in which cycle is hard to foresee: it is noted for all cycles at once, without a branch.
    const int num_lanes = shares_credit_lane_ ? 1 : kPorts;
    LinkWindow credits = 0;
    for (int port = 0; port < kPorts; ++port) {
        step.flits_arriving |= nonzero_bytes(step.in.words[at(Traffic::flits(port))]) << port;
    }
    for (int byte = 0; byte < num_credit_bytes(); ++byte) {
        const int first_lane = byte * Traffic::kLanesOfByte;
        for (int lane = first_lane; lane < std::min(first_lane + Traffic::kLanesOfByte, num_lanes); ++lane) {
            for (int port = 1; port < kPorts; ++port) {
                step.credits_arriving[at(byte)] |= nonzero_bytes(step.in.words[at(Traffic::credits(port, lane))])
                                                   << Traffic::credit_bit(port, lane);
            }
        }
        credits |= step.credits_arriving[at(byte)];
    }
    bool is_busy = true;
    for (Moment now{step.start, 0}; now.offset < parameters_.window_cycles; ++now.cycle, ++now.offset) {
        if (is_busy || ((step.flits_arriving | credits) >> (8 * now.offset) & 0xff) != 0 ||
            step.node.interface_wake <= now.cycle || step.node.signal_wake <= now.cycle) {
            is_busy = router_cycle(step, now);
        }
    }
}

/// The rules of a cycle, numbered as in docs/engine_rules.md. Returns whether another cycle can do anything even if
/// nothing arrives in it.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::router_cycle(Step& step, const Moment& now) {
    Node& node = step.node;
    // 1, 2. Credits and flits arrive. The head of a packet asks for a virtual channel of its output.
    take_credits(step, now);
    Bypass bypass;
    take_flits(step, now, bypass);
    // 3. Reservations of multicasts go on.
    if (node.signal_wake <= now.cycle) {
        handle_signals(step, now);
    }
    // 4. The network interface acts, and a flit is read out of the tile.
    if (node.interface_wake <= now.cycle) {
        node.interface_wake = kNever;
        const Cycle next = client_.interface_cycle(step.index, now.cycle);
        node.interface_wake = std::min(node.interface_wake, next);
    }
    if (node.active_streams != 0) {
        issue_flit(step, now);
    }
    // 5. Multicasts send, through all their outputs at once.
    const unsigned used_by_multicasts = node.multicast != 0 ? send_multicast_flits(step, now) : 0;
    // 6. Free virtual channels are granted.
    if (node.ports_pending >= kChangesBit) {
        finish_changes(node, step.cold, now.cycle);
    }
    for (unsigned rest = node.ports_pending & ~kChangesBit; rest != 0; rest &= rest - 1) {
        grant_virtual_channels(step.index, node, std::countr_zero(rest), now.cycle);
    }
    // 7. Each output that is left sends a flit of a unicast.
    const bool has_sent = send_unicast_flits(step, used_by_multicasts, bypass, now);
    if ((node.ports_pending & kReleasedBit) != 0) {
        grant_released(step.index, node, step.cold, now.cycle);
    }
    // A flit for the tile can wait for nothing but its turn or the rate of the tile.
    return has_sent || used_by_multicasts != 0 || node.multicast != 0 || (node.ports_with_flits & kNiuBit) != 0 ||
           node.ports_pending != 0 || can_read_tile(step.index, node);
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::take_credits(const Step& step, const Moment& now) {
    for (int byte = 0; byte < num_credit_bytes(); ++byte) {
        const auto credits = static_cast<std::uint8_t>(step.credits_arriving[at(byte)] >> (8 * now.offset));
        for (unsigned rest = credits; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const int port = Traffic::port_of_credit_bit(bit);
            const int word = Traffic::credits(port, Traffic::lane_of_credit_bit(byte, bit));
            take_credit(step.node, port, channel_arriving(step, word, now.offset));
        }
    }
}

/// Notes in `bypass` which packets bypass the router.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::take_flits(Step& step, const Moment& now, Bypass& bypass) {
    Node& node = step.node;
    const auto flits = static_cast<std::uint8_t>(step.flits_arriving >> (8 * now.offset));
    for (unsigned rest = flits; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const int channel = channel_arriving(step, Traffic::flits(port), now.offset);
        if (const int input_vc = port * kVirtualChannels + channel; take_flit(node, input_vc)) {
            take_head(step, input_vc, now, bypass);
        }
    }
    for (std::uint32_t rest = bypass.ports & (bypass.ports_asked | node.ports_with_flits); rest != 0;
         rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        if ((node.outputs[at(port)].waiting | node.outputs[at(port)].has_flit) != 0) {
            // Others have come for the same output: an arbiter chooses.
            const auto [packet, input_vc, channel] = bypass.packets[at(port)];
            ask_for_channel(node, input_vc, packets_[packet], {port, channel});
            bypass.ports &= ~(std::uint32_t{1} << port);
            count_use(Accelerator::bypass, false);
        }
    }
}

/// Returns whether any flit has gone, or may go in the next cycle.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::send_unicast_flits(Step& step, unsigned used_ports,
                                                                        const Bypass& bypass, const Moment& now) {
    Node& node = step.node;
    bool is_busy = false;
    unsigned used_inputs = 0;
    for (unsigned rest = (node.ports_with_flits & ~used_ports) | bypass.ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        if ((bypass.ports >> port & 1U) != 0) {
            const bool has_passed = bypass_router(step, port, bypass, used_inputs, now);
            is_busy = is_busy || !has_passed;
            used_inputs |= has_passed ? 1U << (bypass.packets[at(port)].input_vc / kVirtualChannels) : 0;
            continue;
        }
        const int channel = next_channel(node, port, used_inputs, now.cycle);
        // What waits for its turn at its input port, or for a link that idles, may go in the next cycle.
        is_busy = is_busy || channel >= 0 || used_inputs != 0 || link_idles(node, port, now.cycle);
        if (channel >= 0) {
            used_inputs |= 1U << (node.outputs[at(port)].owner[at(channel)] / kVirtualChannels);
            send_flit(step, port, channel, now);
        }
    }
    return is_busy;
}

/// A flit arrives in the buffer of `input_vc`. Returns whether a packet begins with it that comes to the front.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::take_flit(Node& node, int input_vc_index) {
    InputVc& input_vc = node.input_vcs[at(input_vc_index)];
    ++input_vc.flits;
    if (input_vc.flits_left == 0) {
        return true;
    }
    if (input_vc.output_port != kNotGranted) {
        set_has_flit(node, input_vc.output_port, channel_bit(input_vc.output_channel));
    }
    return false;
}

/// The head of a packet has arrived, and come to the front of its buffer. A packet of one flit that finds its output
/// idle needs no virtual channel: it bypasses the router in the same cycle.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::take_head(Step& step, int input_vc, const Moment& now,
                                                               Bypass& bypass) {
    Node& node = step.node;
    const PacketId id = front_packet(node, step.cold, input_vc);
    const Packet& packet = packets_[id];
    if (packet.flits != 1 || !single_flits_bypass_) {
        bypass.ports_asked = ~std::uint32_t{0};
        look_at_front(step.index, node, input_vc, now);
        return;
    }
    const Way way = way_of(step.index, packet, input_vc);
    const Output& output = node.outputs[at(way.port)];
    const bool is_idle = (output.waiting | output.has_flit) == 0;
    if (is_idle && ((output.owned >> way.channel | bypass.ports >> way.port) & 1U) == 0 &&
        (channels_served(node, way.port, now.cycle) >> way.channel & 1U) != 0) {
        bypass.ports |= std::uint32_t{1} << way.port;
        bypass.packets[at(way.port)] = {id, static_cast<std::uint8_t>(input_vc),
                                        static_cast<std::uint8_t>(way.channel)};
        return;
    }
    count_use(Accelerator::bypass, false);
    bypass.ports_asked |= std::uint32_t{1} << way.port;
    ask_for_channel(node, input_vc, packet, way);
}

/// A packet of one flit goes through `port`. Returns false, and gives it its virtual channel, if something has come in
/// its way since it arrived.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::bypass_router(Step& step, int port, const Bypass& bypass,
                                                                   unsigned used_inputs, const Moment& now) {
    Node& node = step.node;
    Output& output = node.outputs[at(port)];
    const auto [packet, input_vc_index, channel] = bypass.packets[at(port)];
    InputVc& input_vc = node.input_vcs[input_vc_index];
    if ((port == kNiuPort && (channels_served(node, port, now.cycle) >> channel & 1U) == 0) ||
        (parameters_.one_flit_per_input_port && (used_inputs >> input_vc_index / kVirtualChannels & 1U) != 0)) {
        input_vc.flits_left = 1;
        grant(step.index, node, port, channel, input_vc_index, now.cycle);
        count_use(Accelerator::bypass, false);
        return false;
    }
    count_use(Accelerator::bypass, true);
    output.owner[channel] = input_vc_index;
    node.last_sent[at(port)] = channel;
    take_from_buffer(step, input_vc_index, port, now);
    pop_packet(input_vc);
    ++step.cold.flits_sent[at(port)];
    // Packets that have come to the front since.
    if (output.waiting != 0) {
        set_pending(node, port, channel_bit(channel));
    }
    if (port != kNiuPort) {
        push_downstream(step.index, port, channel, packet);
        send_over_link(step, port, channel, now);
    } else {
        eject_flit(step, packet, channel, kTicksPerCycle, true, now.cycle);
        client_.packet_ejected(step.index, packet, channel, now.cycle);
    }
    return true;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::issue_flit(Step& step, const Moment& now) {
    Node& node = step.node;
    ColdNode& cold = step.cold;
    const Tick tick = ticks_from_cycles(now.cycle);
    const int number = node.source.allows(tick) ? next_stream(node, cold, node.active_streams, tick) : -1;
    if (number < 0) {
        return;
    }
    Stream& stream = cold.streams[at(number)];
    const PacketId packet = stream.packet;
    if (stream.issued == 0) {
        push_packet(step.index, number, packet);
    }
    read_flit(node, number, stream, tick);
    if (now.offset + parameters_.injection_cycles < parameters_.window_cycles) {
        // The way into the router can be shorter than a window: what arrives in this one has to be seen.
        const int arrival = now.offset + static_cast<int>(parameters_.injection_cycles);
        step.in.add(Traffic::flits(kNiuPort), in_cycle(arrival, number));
        step.flits_arriving |= LinkWindow{1} << (8 * arrival + kNiuPort);
    } else {
        step.sent.add(Traffic::flits(kNiuPort), in_cycle(now.offset, number));
    }
    if (stream.issued == stream.flits) {
        if (stream.next_flits != 0) {
            begin_stream(stream, stream.next_packet, stream.next_start, stream.next_ticks_per_flit);
            stream.next_flits = 0;
        } else {
            stream.flits = 0;
            node.active_streams &= ~(1U << number);
        }
        client_.stream_finished(step.index, number, packet, now.cycle);
    }
    if (can_start_stream(step.index, number)) {
        client_.stream_can_start(step.index, number, now.cycle);
    }
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::can_read_tile(NodeIndex index, const Node& node) const {
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        if (cold_[index].streams[at(std::countr_zero(rest))].in_buffer < parameters_.injection_buffer_flits) {
            return true;
        }
    }
    return false;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::look_at_front(NodeIndex index, Node& node, int input_vc_index,
                                                            const Moment& now) {
    const Packet& packet = packets_[front_packet(index, input_vc_index)];
    if (packet.tree != kNoTree) {
        look_at_multicast(index, node, input_vc_index, now);
        return;
    }
    ask_for_channel(node, input_vc_index, packet, way_of(index, packet, input_vc_index));
}

/// The output of a unicast packet, and its own virtual channel there.
template <int kPorts, int kVirtualChannels>
inline auto WindowNetwork<kPorts, kVirtualChannels>::way_of(NodeIndex index, const Packet& packet, int input_vc) const
    -> Way {
    const int port = topology_.route(index, packet.destination);
    if (!has_datelines_) {
        return {port, packet.software_virtual_channel};
    }
    const bool crosses_dateline = (nodes_[index].datelines >> port & 1U) != 0;
    return {port, channels_.leaving(packet.software_virtual_channel, input_vc / kVirtualChannels,
                                    input_vc % kVirtualChannels, port, crosses_dateline)};
}

/// The packet at the front of an input VC waits for a virtual channel from now on.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::ask_for_channel(Node& node, int input_vc_index,
                                                                     const Packet& packet, const Way& way) {
    InputVc& input_vc = node.input_vcs[at(input_vc_index)];
    input_vc.flits_left = packet.flits;
    input_vc.output_channel = static_cast<std::uint8_t>(way.channel | (packet.is_static ? 0 : kDynamic));
    Output& output = node.outputs[at(way.port)];
    output.waiting |= bit(input_vc_index);
    set_pending(node, way.port, wanted_channels(input_vc) & ~output.owned);
}

/// Who waits for a free virtual channel of an output: first come those whose own it is. What is left then is for
/// dynamic packets whose own channel is taken.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::grant_virtual_channels(NodeIndex index, Node& node, int port,
                                                                     Cycle cycle) {
    Output& output = node.outputs[at(port)];
    const ChannelMask free = std::exchange(output.pending, 0) & ~output.owned;
    node.ports_pending = static_cast<std::uint8_t>(node.ports_pending & ~(1U << port));
    if (is_one_bit(output.waiting)) {
        const int input_vc = std::countr_zero(output.waiting);
        const ChannelMask own = own_channel(node.input_vcs[at(input_vc)]);
        if (const ChannelMask channels = free & wanted_channels(node.input_vcs[at(input_vc)]); channels != 0) {
            const int channel =
                (channels & own) != 0 ? std::countr_zero(own) : with_fewest_flits(channels, output.used);
            grant(index, node, port, channel, input_vc, cycle);
        }
        return;
    }
    grant_among(index, node, port, free, 0, cycle);
}

/// Grants free virtual channels to those that wait, but for the input VCs of `without`.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::grant_among(NodeIndex index, Node& node, int port, ChannelMask free,
                                                          InputVcMask without, Cycle cycle) {
    Output& output = node.outputs[at(port)];
    const auto grant_to = [&](int channel, const auto& channels_of) {
        InputVcMask candidates = 0;
        for (InputVcMask waiting = output.waiting & ~without; waiting != 0; waiting &= waiting - 1) {
            const int input_vc = std::countr_zero(waiting);
            const bool can_take = (channels_of(node.input_vcs[at(input_vc)]) & channel_bit(channel)) != 0;
            candidates |= can_take ? bit(input_vc) : 0;
        }
        grant_round_robin(index, node, port, channel, candidates, cycle);
    };
    for (ChannelMask rest = free; rest != 0 && output.waiting != 0; rest &= rest - 1) {
        grant_to(std::countr_zero(rest), [](const InputVc& input_vc) { return own_channel(input_vc); });
    }
    free &= ~output.owned;
    while (free != 0 && output.waiting != 0) {
        const int channel = with_fewest_flits(free & channels_.group_of(std::countr_zero(free)), output.used);
        free &= ~channel_bit(channel);
        grant_to(channel, [this](const InputVc& input_vc) { return wanted_channels(input_vc); });
    }
}

/// An arbiter per virtual channel: input ports are served round-robin, and so are the virtual channels of a port.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::grant_round_robin(NodeIndex index, Node& node, int port, int channel,
                                                                InputVcMask candidates, Cycle cycle) {
    if (candidates == 0) {
        return;
    }
    int last_owner = node.outputs[at(port)].owner[at(channel)];
    if (rests_at_straight_input(cold_[index], port, channel)) {
        const int straight_input = parameters_.outputs.straight_input(port);
        last_owner = straight_input * kVirtualChannels + channel;
        const InputVcMask straight = candidates & input_vcs_of(straight_input);
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

/// Gives a free virtual channel to the packet at the front of an input VC.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::grant(NodeIndex index, Node& node, int port, int channel,
                                                           int input_vc_index, Cycle cycle) {
    Output& output = node.outputs[at(port)];
    InputVc& input_vc = node.input_vcs[at(input_vc_index)];
    output.owned |= channel_bit(channel);
    output.owner[at(channel)] = static_cast<std::uint8_t>(input_vc_index);
    output.waiting &= ~bit(input_vc_index);
    input_vc.output_channel = static_cast<std::uint8_t>(channel);
    if (outputs_are_plain_) {
        begin_flits(node, port, channel);
    } else {
        turn_to(index, node, port, channel, cycle);
    }
    if (port != kNiuPort) {
        push_downstream(index, port, channel, front_packet(index, input_vc_index));
    } else {
        node.heads_to_eject |= channel_bit(channel);
    }
}

template <int kPorts, int kVirtualChannels>
inline auto WindowNetwork<kPorts, kVirtualChannels>::channels_served(const Node& node, int port, Cycle cycle) const
    -> ChannelMask {
    if (port != kNiuPort) {
        return link_idles(node, port, cycle) ? 0 : channels_with_space(node, port);
    }
    // The tile takes data a little slower than one flit per cycle: now and then it skips a cycle.
    if (!node.sink.allows(ticks_from_cycles(cycle))) {
        return 0;
    }
    return ((node.data_channels | node.heads_to_eject) & ~node.blocked_channels) | channels_.responses();
}

template <int kPorts, int kVirtualChannels>
inline int WindowNetwork<kPorts, kVirtualChannels>::next_channel(const Node& node, int port, unsigned used_inputs,
                                                                 Cycle cycle) const {
    const Output& output = node.outputs[at(port)];
    ChannelMask candidates = output.has_flit & channels_served(node, port, cycle);
    while (candidates != 0) {
        const int channel = next_round_robin(candidates, node.last_sent[at(port)]);
        const int input_port = output.owner[at(channel)] / kVirtualChannels;
        if (!parameters_.one_flit_per_input_port || (used_inputs >> input_port & 1U) == 0) {
            return channel;
        }
        candidates &= ~channel_bit(channel);
    }
    return -1;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::send_flit(Step& step, int port, int channel, const Moment& now) {
    Node& node = step.node;
    Output& output = node.outputs[at(port)];
    const int input_vc_index = output.owner[at(channel)];
    InputVc& input_vc = node.input_vcs[at(input_vc_index)];
    node.last_sent[at(port)] = static_cast<std::uint8_t>(channel);
    take_from_buffer(step, input_vc_index, port, now);
    clear_has_flit(node, port, ChannelMask{input_vc.flits == 0} << channel);
    if (port != kNiuPort) {
        send_over_link(step, port, channel, now);
    } else {
        const PacketId packet = front_packet(step.index, input_vc_index);
        const bool is_header = (node.heads_to_eject & channel_bit(channel)) != 0;
        node.heads_to_eject &= ~channel_bit(channel);
        eject_flit(step, packet, channel, node.sink_ticks_per_data_flit, is_header, now.cycle);
    }
    if (--input_vc.flits_left == 0) {
        finish_packet(step, port, channel, now);
    }
}

/// A flit leaves the buffer of `input_vc` through the output `port`.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::take_from_buffer(Step& step, int input_vc, int port,
                                                                      const Moment& now) {
    --step.node.input_vcs[at(input_vc)].flits;
    if (input_vc < kVirtualChannels) {
        --step.cold.streams[at(input_vc)].in_buffer;
    } else {
        step.sent.add(Traffic::credits(input_vc / kVirtualChannels, credit_lane(port)),
                      in_cycle(now.offset, input_vc % kVirtualChannels));
    }
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::send_over_link(Step& step, int port, int channel,
                                                                    const Moment& now) {
    step.sent.add(Traffic::flits(port), in_cycle(now.offset, channel));
    Node& node = step.node;
    if (links_idle()) {
        node.link_use[at(port - 1)].add(now.cycle);
    }
    set_used(node, port, channel, node.outputs[at(port)].used[at(channel)] + 1);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::eject_flit(Step& step, PacketId packet, int channel, Tick sink_ticks,
                                                         bool is_header, Cycle cycle) {
    Node& node = step.node;
    node.sink.take(ticks_from_cycles(cycle), is_header ? kTicksPerCycle : sink_ticks);
    if (is_header) {
        client_.head_ejected(step.index, packet, channel, cycle);
    } else if (node.metered) {
        client_.data_flit_ejected(step.index, packet, channel, cycle);
    } else if (node.counted) {
        client_.data_flits_counted(step.index, packet, 1);
    }
}

/// The tail of a unicast packet has gone: its virtual channel is free from the next cycle on.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::finish_packet(Step& step, int port, int channel, const Moment& now) {
    Output& output = step.node.outputs[at(port)];
    const int input_vc_index = output.owner[at(channel)];
    InputVc& input_vc = step.node.input_vcs[at(input_vc_index)];
    const PacketId packet = take_front_packet(step, input_vc_index, port);
    input_vc.output_port = kNotGranted;
    clear_has_flit(step.node, port, channel_bit(channel));
    if (outputs_are_plain_) {
        free_channel(step.node, port, channel);
    } else {
        release(step.node, step.cold, port, channel, now.cycle);
    }
    if (input_vc.flits != 0) {
        look_at_front(step.index, step.node, input_vc_index, now);
    }
    if (port == kNiuPort) {
        client_.packet_ejected(step.index, packet, channel, now.cycle);
    }
}

/// The packet at the front of `input_vc` has gone through `port`, its tail included.
template <int kPorts, int kVirtualChannels>
inline PacketId WindowNetwork<kPorts, kVirtualChannels>::take_front_packet(const Step& step, int input_vc, int port) {
    const PacketId packet = front_packet(step.node, step.cold, input_vc);
    step.cold.flits_sent[at(port)] += packets_[packet].flits;
    pop_packet(step.node.input_vcs[at(input_vc)]);
    return packet;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::push_packet(NodeIndex index, int input_vc, PacketId packet) {
    InputVc& input = nodes_[index].input_vcs[at(input_vc)];
    cold_[index].queue[input.queue_tail++ % kQueueSize][at(input_vc)] = packet;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::pop_packet(InputVc& input_vc) {
    // An empty queue begins anew, so that the same few lines of memory are used as long as packets are few. Whether it
    // is empty is hard to foresee: no branch.
    const auto head = static_cast<std::uint8_t>(input_vc.queue_head + 1);
    const auto keep = static_cast<std::uint8_t>(head == input_vc.queue_tail ? 0 : 0xff);
    input_vc.queue_head = head & keep;
    input_vc.queue_tail &= keep;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::can_make_progress(NodeIndex index, const Node& node) const {
    if (node.multicast != 0 && multicast_can_progress(index, node)) {
        return true;
    }
    // The interface unblocks ejection in a cycle that it asks to be called at.
    bool can_progress = (node.ports_with_flits & kNiuBit) != 0 || node.ports_pending != 0;
    for (unsigned rest = node.ports_with_flits & ~kNiuBit; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        can_progress = can_progress || (node.outputs[at(port)].has_flit & channels_with_space(node, port)) != 0;
    }
    return can_progress;
}

}  // namespace nocbench
