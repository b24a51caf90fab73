#include "device_model/noc/specification/flit_by_flit_network.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "device_model/sim/error.h"

namespace nocbench::specification {

namespace {

using network_detail::at;

}  // namespace

// Cycles.

void FlitByFlitNetwork::step_window(Cycle window_start) {
    const Cycle end = window_start + parameters_.window_cycles;
    for (Cycle cycle = next_active_cycle(); cycle < end; cycle = next_active_cycle()) {
        step_cycle(cycle);
    }
}

/// Steps all routers through a cycle. Actions of a router affect routers only from the next cycle on. The order of
/// routers within a cycle is therefore irrelevant; the order of a router's own actions is not.
void FlitByFlitNetwork::step_cycle(Cycle cycle) {
    now_ = cycle;
    is_at_rest_ = true;
    for (Router& router : routers_) {
        step_router(router);
    }
}

void FlitByFlitNetwork::step_router(Router& router) {
    // Arrivals come first: a flit without obstacles leaves in the cycle in which it arrives. The latency of a hop is
    // therefore that of its link.
    receive_flits(router);
    receive_credits(router);
    handle_signals(router);

    let_interface_act(router);
    read_flit_out_of_tile(router);

    if (router.num_front_packets == 0) {
        return;  // optimization: the remaining phases would do nothing
    }
    // Multicasts come before unicasts, since they need several outputs at once; they yield by their own rule. Unicasts
    // can use outputs that multicasts release in this cycle.
    const std::set<int> outputs_of_multicasts = send_multicast_flits(router);

    // Output ports are independent of each other: flits of one input port can leave through several outputs in a cycle.
    // (With one_flit_per_input_port, outputs with lower numbers choose first.) All grants come before all unicast
    // flits. A virtual channel released by a tail, and the packet behind the tail, therefore take part in grants from
    // the next cycle on, independent of port numbers. A flit can leave in the cycle in which its packet is granted a
    // virtual channel.
    choose_adaptively(router);
    for (int port = 0; port < topology_.num_ports; ++port) {
        grant_channels(router, port, inputs_that_wait(router, port), free_channels_in_order(router, port));
    }
    // A tail that passes on its virtual channel in the same cycle passes it to a packet that has already requested it.
    const bool releases_at_once = parameters_.outputs.release_cycles == 0;
    std::vector<std::set<ChannelPlace>> waiting;
    for (int port = 0; releases_at_once && port < topology_.num_ports; ++port) {
        waiting.push_back(inputs_that_wait(router, port));
        // The room that a packet found for all its flits may be gone.
        std::erase_if(waiting.back(), [&](const ChannelPlace& input) {
            return needs_room({port, router.front(input).wanted_channel});
        });
    }
    std::set<int> inputs_used;
    for (int port = 0; port < topology_.num_ports; ++port) {
        if (outputs_of_multicasts.contains(port)) {
            continue;
        }
        const std::optional<int> released = send_unicast_flit(router, port, inputs_used);
        if (released && releases_at_once) {
            grant_channels(router, port, waiting[at(port)], {*released});
        }
    }
}

// Phases: arrivals.

void FlitByFlitNetwork::receive_flits(Router& router) {
    for (int port = 0; port < topology_.num_ports; ++port) {
        auto& link = router.inputs[at(port)].link;
        while (!link.empty() && link.front().cycle == now_) {
            const ChannelPlace place{port, link.front().channel};
            const Flit flit = link.front().thing;
            link.pop_front();
            something_happened();
            if (observer_ != nullptr) {
                observer_->flit_buffered(router.index, place, flit, now_);
            }
            router.input(place).buffer.push_back(flit);
            if (!router.input(place).front) {
                look_at_front(router, place);
            }
        }
    }
}

void FlitByFlitNetwork::receive_credits(Router& router) {
    for (OutputPort& port : router.outputs) {
        // One cycle brings as many credits as flits have left the buffers behind the link in one cycle.
        while (!port.credits.empty() && port.credits.front().cycle == now_) {
            --port.channels[at(port.credits.front().channel)].flits_downstream;
            port.credits.pop_front();
            something_happened();
        }
    }
}

void FlitByFlitNetwork::handle_signals(Router& router) {
    while (!router.signals.empty() && router.signals.begin()->cycle <= now_) {
        const Signal signal = *router.signals.begin();
        router.signals.erase(router.signals.begin());
        something_happened();
        switch (signal.kind) {
            case SignalKind::release:
                release_outputs(router, signal.place);
                // The packet itself has not been here. Its reservation will come again, or that of another packet
                // before.
                finish_front_packet(router, signal.place);
                break;
            case SignalKind::answer:
                take_answer(router, signal);
                break;
            case SignalKind::granted: {
                FrontPacket& packet = router.front(signal.place);
                packet.reservation.may_move = true;
                client_.path_reserved(router.index, packet.id, packet.reservation.requested, now_);
                break;
            }
            case SignalKind::retry:
                ask_again(router, signal.place);
                break;
        }
    }
}

// Phases: the tile.

void FlitByFlitNetwork::let_interface_act(Router& router) {
    if (router.tile.interface_wake > now_) {
        return;
    }
    something_happened();
    router.tile.interface_wake = kNever;
    const Cycle next = client_.interface_cycle(router.index, now_);
    wake_interface(router.index, next);
}

/// Reads at most one flit per cycle over all streams, round-robin.
void FlitByFlitNetwork::read_flit_out_of_tile(Router& router) {
    Tile& tile = router.tile;
    if (is_later(tile.source_next_tick)) {
        return;
    }
    std::set<int> ready;
    for (int number = 0; number < num_channels_; ++number) {
        const Stream& stream = tile.streams[at(number)];
        if (!stream.packets.empty() && stream.packets.front().start <= now_ &&
            !is_later(stream.packets.front().next_tick) &&
            stream.flits_in_buffer < parameters_.injection_buffer_flits) {
            ready.insert(number);
        }
    }
    if (ready.empty()) {
        return;
    }
    something_happened();
    const int number = next_in_turn(ready, tile.last_stream);
    tile.last_stream = number;
    Stream& stream = tile.streams[at(number)];
    StreamPacket& packet = stream.packets.front();
    const Flit flit = flit_of(packet.id, packet.read.flits);
    packet.read.read_in(now_);

    // The tick of the next flit is not rounded to cycles, so that rates are exact. The first flit has a
    // rate of its own, since no memory is read for it, and is exempt from the packet's own rate.
    const Tick tick = ticks_from_cycles(now_);
    const bool is_first = flit.number == 0;
    tile.source_next_tick = std::max(tile.source_next_tick, tick) +
                            (is_first ? parameters_.source_ticks_per_header : tile.source_ticks_per_data_flit);
    if (!is_first) {
        packet.next_tick = std::max(packet.next_tick, tick) + packet.ticks_per_flit;
    }
    if (observer_ != nullptr) {
        observer_->flit_read(router.index, flit, now_);
    }
    ++stream.flits_in_buffer;
    router.inputs[kNiuPort].link.push_back({now_ + parameters_.injection_cycles, number, flit});

    // Reports the end of the packet before the free stream: the next packet has then taken its place.
    if (packet.read.flits == packet.flits) {
        const FlitsRead read = packet.read;
        stream.packets.pop_front();
        client_.stream_finished(router.index, number, flit.packet, read);
    }
    if (can_start_stream(router.index, number)) {
        client_.stream_can_start(router.index, number, now_);
    }
}

// Phases: an output port.

/// Lets each front packet without an output VC ask for the best one that it may use. Free ones come first, then those
/// of the port with the fewest flits downstream, then those of the port with the lower number (along x). Within a port,
/// the fewest flits downstream decide, and then the lower number.
///
/// With minimal adaptive routing, a channel other than the escape channel counts only while it is free, and empty or
/// with room for the whole packet. A head then never waits behind another packet in such a channel, and can always ask
/// for the escape channel.
void FlitByFlitNetwork::choose_adaptively(Router& router) {
    if (topology_.adaptive == AdaptiveRouting::none) {
        return;
    }
    for (int input_port = 0; input_port < topology_.num_ports; ++input_port) {
        for (InputChannel& input : router.inputs[at(input_port)].channels) {
            if (input.front && !input.front->granted_channel) {
                const ChannelPlace choice = best_output(router, input.front->packet, input_port);
                input.front->output_port = choice.port;
                input.front->wanted_channel = choice.channel;
            }
        }
    }
}

ChannelPlace FlitByFlitNetwork::best_output(const Router& router, const Packet& packet, int input_port) const {
    std::map<std::tuple<bool, int, int, int, int>, ChannelPlace> by_rank;
    const unsigned permitted = topology_.permitted_ports(router.index, packet.destination, input_port);
    for (int port = 0; port < topology_.num_ports; ++port) {
        if ((permitted >> port & 1U) == 0) {
            continue;
        }
        const std::vector<OutputChannel>& channels = router.outputs[at(port)].channels;
        int flits_of_port = 0;
        for (const OutputChannel& channel : channels) {
            flits_of_port += channel.flits_downstream;
        }
        for (int number = 0; number < num_software_channels_; ++number) {
            const OutputChannel& channel = channels[at(number)];
            const bool is_free = !channel.owner && channel.free_from <= now_;
            const bool has_room = channel.flits_downstream == 0 || channel.flits_downstream + packet.flits <=
                                                                       parameters_.private_flits_per_virtual_channel;
            if (needs_room({port, number}) && !(is_free && has_room)) {
                continue;
            }
            if (topology_.adaptive == AdaptiveRouting::minimal && port != kNiuPort && number == kEscapeChannel) {
                continue;  // only if there is nothing else
            }
            by_rank[{!is_free, flits_of_port, port, channel.flits_downstream, number}] = {port, number};
        }
    }
    return by_rank.empty() ? ChannelPlace{topology_.route(router.index, packet.destination), kEscapeChannel}
                           : by_rank.begin()->second;
}

/// Returns whether a packet is granted an output VC only with room for all its flits.
bool FlitByFlitNetwork::needs_room(const ChannelPlace& output) const {
    return topology_.adaptive == AdaptiveRouting::minimal && output.port != kNiuPort &&
           output.channel != kEscapeChannel;
}

/// Grants free virtual channels: first to packets whose own they are, then the remaining ones to dynamic packets whose
/// own channel is taken.
void FlitByFlitNetwork::grant_channels(Router& router, int port, std::set<ChannelPlace> waiting,
                                       const std::vector<int>& free) {
    for (const bool is_own : {true, false}) {
        if (waiting.empty()) {
            return;
        }
        for (const int channel : free) {
            if (router.output({port, channel}).owner) {
                continue;  // granted to a packet whose own channel it is
            }
            std::set<ChannelPlace> candidates;
            for (const ChannelPlace& input : waiting) {
                const FrontPacket& front = router.front(input);
                if (is_own ? front.wanted_channel == channel : can_take(front, channel)) {
                    candidates.insert(input);
                }
            }
            if (!candidates.empty()) {
                waiting.erase(grant_channel(router, {port, channel}, candidates));
            }
        }
    }
}

/// Grants an output VC. Returns the new owner. A packet that does not come straight waits turn_cycles for the switch.
ChannelPlace FlitByFlitNetwork::grant_channel(Router& router, const ChannelPlace& output,
                                              const std::set<ChannelPlace>& candidates) {
    const ChannelPlace winner = next_owner(router, output, candidates);
    take_output(router, output, winner);
    FrontPacket& front = router.front(winner);
    front.granted_channel = output.channel;
    front.first_flit_from = now_ + (is_straight(winner.port, output.port) ? 0 : parameters_.outputs.turn_cycles);
    something_happened();
    return winner;
}

/// Returns the next owner of an output VC. Each virtual channel has its own arbiter: round-robin over input ports, so
/// that an input port with many packets gets no more than one with few, and round-robin over the virtual channels of a
/// port. A virtual channel that rests at its straight input goes to a packet from there, regardless of the round-robin
/// order, if its header can leave now.
ChannelPlace FlitByFlitNetwork::next_owner(const Router& router, const ChannelPlace& output,
                                           const std::set<ChannelPlace>& candidates) const {
    std::map<int, std::set<ChannelPlace>> candidates_of_turn;
    for (const ChannelPlace& input : candidates) {
        candidates_of_turn[turn_of(input.port, output.port)].insert(input);
    }
    ChannelPlace last = router.output(output).last_owner;
    const int straight_port = parameters_.outputs.straight_input(output.port);
    // A channel whose tail has left in this cycle does not rest yet.
    const bool rests = parameters_.outputs.rest_at_straight_input && router.output(output).last_tail < now_;
    if (rests && straight_port != OutputRules::kNoInputPort) {
        last = {straight_port, output.channel};
        const auto straight = candidates_of_turn.find(turn_of(straight_port, output.port));
        if (straight != candidates_of_turn.end() && header_can_leave(router, output)) {
            return next_in_turn(straight->second, last);
        }
    }
    const auto next = candidates_of_turn.upper_bound(turn_of(last.port, output.port));
    return next_in_turn((next != candidates_of_turn.end() ? *next : *candidates_of_turn.begin()).second, last);
}

int FlitByFlitNetwork::turn_of(int input_port, int output_port) const {
    const std::vector<int>& turns =
        output_port == kNiuPort ? parameters_.outputs.turns_at_tile : parameters_.outputs.turns_at_links;
    return turns.empty() ? input_port : static_cast<int>(std::ranges::find(turns, input_port) - turns.begin());
}

bool FlitByFlitNetwork::header_can_leave(const Router& router, const ChannelPlace& output) const {
    return output.port == kNiuPort ? tile_can_take(router, output.channel)
                                   : !link_idles(router, output.port) && has_space(router, output);
}

/// Returns the input VCs whose front packet requests a virtual channel of the output `port`.
std::set<ChannelPlace> FlitByFlitNetwork::inputs_that_wait(const Router& router, int port) const {
    std::set<ChannelPlace> places;
    for (int input_port = 0; input_port < topology_.num_ports; ++input_port) {
        for (int channel = 0; channel < num_channels_; ++channel) {
            const std::optional<FrontPacket>& front = router.input({input_port, channel}).front;
            if (front && front->waits_for(port)) {
                places.insert({input_port, channel});
            }
        }
    }
    return places;
}

bool FlitByFlitNetwork::can_take(const FrontPacket& unicast, int channel) const {
    const bool wants_one = unicast.packet.is_static || topology_.adaptive != AdaptiveRouting::none;
    return wants_one ? channel == unicast.wanted_channel : group_of(channel) == group_of(unicast.wanted_channel);
}

/// Returns free virtual channels in ascending order, except that in a group for dynamic packets, channels with fewer
/// flits downstream come first, to balance the load.
std::vector<int> FlitByFlitNetwork::free_channels_in_order(const Router& router, int port) const {
    const std::vector<OutputChannel>& channels = router.outputs[at(port)].channels;
    std::vector<int> free;
    for (int channel = 0; channel < num_channels_; ++channel) {
        if (!channels[at(channel)].owner && channels[at(channel)].free_from <= now_) {
            free.push_back(channel);
        }
    }
    std::ranges::stable_sort(free, [&](int left, int right) {
        return std::pair(group_of(left), channels[at(left)].flits_downstream) <
               std::pair(group_of(right), channels[at(right)].flits_downstream);
    });
    return free;
}

/// Sends at most one unicast flit through `port`. Virtual channels are served round-robin, so that packets share a link
/// evenly, flit by flit. `inputs_used` holds the input ports that unicasts left in this cycle: with
/// one_flit_per_input_port, each port may only be left once, and output ports with lower numbers choose first. Returns
/// the virtual channel released by a tail.
std::optional<int> FlitByFlitNetwork::send_unicast_flit(Router& router, int port, std::set<int>& inputs_used) {
    std::set<int> candidates = unicast_candidates(router, port);
    if (parameters_.one_flit_per_input_port) {
        std::erase_if(candidates,
                      [&](int channel) { return inputs_used.contains(router.owner({port, channel}).port); });
    }
    if (candidates.empty()) {
        return std::nullopt;
    }
    const int channel = next_in_turn(candidates, router.outputs[at(port)].last_sent);
    const ChannelPlace output{port, channel};
    const ChannelPlace input = router.owner(output);
    inputs_used.insert(input.port);
    const Flit flit = take_flit(router, input);
    if (flit.is_tail) {
        router.output(output).owner.reset();
        router.output(output).last_tail = now_;
        router.output(output).free_from = now_ + parameters_.outputs.release_cycles;
        finish_front_packet(router, input);
    }
    if (port == kNiuPort) {
        eject(router, output, flit, router.tile.sink_ticks_per_data_flit);
    } else {
        send_over_link(router, output, flit);
    }
    return flit.is_tail ? std::optional(channel) : std::nullopt;
}

/// Returns the virtual channels whose packet could send a unicast flit through `port` in this cycle.
std::set<int> FlitByFlitNetwork::unicast_candidates(const Router& router, int port) const {
    std::set<int> candidates;
    for (int channel = 0; channel < num_channels_; ++channel) {
        const ChannelPlace output{port, channel};
        const std::optional<ChannelPlace>& owner = router.output(output).owner;
        if (!owner) {
            continue;
        }
        const InputChannel& input = router.input(*owner);
        // Reserved trees also own outputs, possibly before their packet has come.
        const bool is_unicast = input.front && !input.front->is_multicast() && input.front->output_port == port &&
                                input.front->granted_channel == channel && input.front->first_flit_from <= now_;
        if (is_unicast && !input.buffer.empty() &&
            (port == kNiuPort ? tile_can_take_unicast(router, channel)
                              : !link_idles(router, port) && has_space(router, output))) {
            candidates.insert(channel);
        }
    }
    return candidates;
}

// Packets at the front.

/// Handles a head that has come to the front of its buffer in this cycle.
void FlitByFlitNetwork::look_at_front(Router& router, const ChannelPlace& input) {
    InputChannel& channel = router.input(input);
    FrontPacket front;
    front.id = channel.buffer.front().packet;
    front.packet = packets_[front.id];
    if (front.is_multicast()) {
        front.reservation.requested = now_;
    } else {
        front.output_port = topology_.route(router.index, front.packet.destination);
        front.wanted_channel = output_channel(router, input, front.packet, front.output_port);
    }
    channel.front = front;
    ++router.num_front_packets;
}

void FlitByFlitNetwork::finish_front_packet(Router& router, const ChannelPlace& input) {
    router.input(input).front.reset();
    --router.num_front_packets;
    if (!router.input(input).buffer.empty()) {
        look_at_front(router, input);
    }
}

Flit FlitByFlitNetwork::flit_of(PacketId packet_id, int number) const {
    const Packet& packet = packets_[packet_id];
    const int header = packet.flits - packet.flits_from_header();
    return {packet_id, number, number < header, number == header, number + 1 == packet.flits};
}

/// Takes a flit out of its buffer, and returns a credit upstream.
Flit FlitByFlitNetwork::take_flit(Router& router, const ChannelPlace& input) {
    something_happened();
    const Flit flit = router.input(input).buffer.front();
    router.input(input).buffer.pop_front();
    if (observer_ != nullptr) {
        observer_->flit_taken(router.index, input, flit, now_);
    }
    if (input.port == kNiuPort) {
        --router.tile.streams[at(input.channel)].flits_in_buffer;
    } else {
        const InputPort& port = router.inputs[at(input.port)];
        routers_[port.upstream_node].outputs[at(port.upstream_port)].credits.push_back(
            {now_ + parameters_.credit_return_cycles, input.channel, Credit{}});
    }
    return flit;
}

void FlitByFlitNetwork::send_over_link(Router& router, const ChannelPlace& output, const Flit& flit) {
    OutputPort& port = router.outputs[at(output.port)];
    port.last_sent = output.channel;
    ++port.flits_sent;
    port.flits_on_end = port.last_sent_in == now_ - 1 ? port.flits_on_end + 1 : 1;
    port.last_sent_in = now_;
    ++router.output(output).flits_downstream;
    if (observer_ != nullptr) {
        observer_->flit_sent(router.index, output, flit, now_);
    }
    const Topology::Link& link = topology_.link(router.index, output.port);
    routers_[link.neighbour].inputs[link.neighbour_port].link.push_back(
        {now_ + parameters_.hop_cycles, output.channel, flit});
}

void FlitByFlitNetwork::eject(Router& router, const ChannelPlace& output, const Flit& flit, Tick data_flit_ticks) {
    router.outputs[kNiuPort].last_sent = output.channel;
    ++router.outputs[kNiuPort].flits_sent;
    if (observer_ != nullptr) {
        observer_->flit_sent(router.index, output, flit, now_);
    }
    Tile& tile = router.tile;
    // Rates are exact, as for reading. A header takes a cycle, since it is not written to memory.
    tile.sink_next_tick =
        std::max(tile.sink_next_tick, ticks_from_cycles(now_)) + (flit.is_header ? kTicksPerCycle : data_flit_ticks);
    if (flit.is_header) {
        client_.head_ejected(router.index, flit.packet, output.channel, now_);
    } else if (tile.is_metered) {
        client_.data_flit_ejected(router.index, flit.packet, output.channel, now_);
    } else if (tile.is_counted) {
        client_.data_flits_counted(router.index, flit.packet, 1);
    }
    if (flit.is_tail) {
        client_.packet_ejected(router.index, flit.packet, output.channel, now_);
    }
}

// Virtual channels.

bool FlitByFlitNetwork::is_response(int channel) const {
    return channel % num_software_channels_ >= parameters_.first_response_virtual_channel;
}

/// Returns whether a packet leaves in the second set of virtual channels. Packets that wait for each other around a
/// ring would deadlock. The dateline breaks the ring: it moves packets from the first set to the second, in which no
/// packet gets as far as the dateline again. A change of axis leads back to the first set. At the port to the tile,
/// which is in no ring, packets keep their set.
bool FlitByFlitNetwork::leaves_in_second_set(const Router& router, const ChannelPlace& input, int output_port) const {
    // Input channels at the tile's port are numbers of streams.
    const bool arrives_in_second_set = input.port != kNiuPort && is_second_set(input.channel);
    if (output_port == kNiuPort) {
        return arrives_in_second_set;
    }
    // Ports are numbered by direction: straight on means the same number.
    return topology_.link(router.index, output_port).is_dateline ||
           (input.port == output_port && arrives_in_second_set);
}

int FlitByFlitNetwork::output_channel(const Router& router, const ChannelPlace& input, const Packet& packet,
                                      int output_port) const {
    return packet.software_virtual_channel +
           (leaves_in_second_set(router, input, output_port) ? num_software_channels_ : 0);
}

void FlitByFlitNetwork::take_output(Router& router, const ChannelPlace& output, const ChannelPlace& input) {
    router.output(output).owner = input;
    router.output(output).last_owner = input;
}

/// Returns whether a link idles in this cycle, after link_flits_on_end_max consecutive flits.
bool FlitByFlitNetwork::link_idles(const Router& router, int port) const {
    const OutputPort& output = router.outputs[at(port)];
    return output.last_sent_in == now_ - 1 && output.flits_on_end >= parameters_.link_flits_on_end_max;
}

/// Returns whether the buffer behind a link has space: in the private part of the virtual channel, or in the pool of
/// the input port.
bool FlitByFlitNetwork::has_space(const Router& router, const ChannelPlace& output) const {
    const auto shared_flits = [&](const OutputChannel& channel) {
        return std::max(0, channel.flits_downstream - parameters_.private_flits_per_virtual_channel);
    };
    const OutputChannel& channel = router.output(output);
    if (channel.flits_downstream < parameters_.private_flits_per_virtual_channel) {
        return true;
    }
    int shared_flits_used = 0;
    for (const OutputChannel& other : router.outputs[at(output.port)].channels) {
        shared_flits_used += shared_flits(other);
    }
    return shared_flits_used < parameters_.shared_flits_per_input_port &&
           shared_flits(channel) < parameters_.shared_flits_per_virtual_channel_max;
}

bool FlitByFlitNetwork::tile_can_take(const Router& router, int channel) const {
    const bool is_blocked = (router.tile.blocked_channels >> channel & 1U) != 0;
    return !is_later(router.tile.sink_next_tick) && (is_response(channel) || !is_blocked);
}

/// Returns whether the tile accepts a unicast flit of this virtual channel: it may accept only headers, and data of one
/// virtual channel.
bool FlitByFlitNetwork::tile_can_take_unicast(const Router& router, int channel) const {
    const int data_channel = router.tile.data_channel;
    const bool is_header = router.input(router.owner({kNiuPort, channel})).buffer.front().is_header;
    return tile_can_take(router, channel) &&
           (is_response(channel) || is_header || data_channel == kEveryChannel || data_channel == channel);
}

// Public interface.

FlitByFlitNetwork::FlitByFlitNetwork(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets,
                                     NetworkClient& client)
    : topology_(topology),
      parameters_(parameters),
      num_software_channels_(parameters.software_virtual_channels),
      num_channels_(2 * parameters.software_virtual_channels),
      packets_(packets),
      client_(client),
      routers_(at(topology.num_nodes)) {
    if (std::min({parameters.hop_cycles, parameters.credit_return_cycles, parameters.injection_cycles,
                  parameters.window_cycles}) < 1) {
        throw InputError("latencies and windows of a network: expected at least 1 cycle each");
    }
    for (int node = 0; node < topology.num_nodes; ++node) {
        Router& router = routers_[at(node)];
        router.index = static_cast<NodeIndex>(node);
        router.inputs.resize(at(topology.num_ports));
        router.outputs.resize(at(topology.num_ports));
        router.tile.streams.resize(at(num_channels_));
        for (int port = 0; port < topology.num_ports; ++port) {
            router.inputs[at(port)].channels.resize(at(num_channels_));
            router.outputs[at(port)].channels.resize(at(num_channels_));
        }
    }
    for (int node = 0; node < topology.num_nodes; ++node) {
        for (int port = kNiuPort + 1; port < topology.num_ports; ++port) {
            const Topology::Link& link = topology.link(node, port);
            if (link.exists) {
                InputPort& input = routers_[link.neighbour].inputs[link.neighbour_port];
                input.upstream_node = static_cast<NodeIndex>(node);
                input.upstream_port = port;
            }
        }
    }
}

auto FlitByFlitNetwork::Router::front(const ChannelPlace& place) -> FrontPacket& {
    std::optional<FrontPacket>& packet = input(place).front;
    if (!packet) {
        throw std::logic_error("no packet at the front of an input virtual channel");
    }
    return *packet;
}

ChannelPlace FlitByFlitNetwork::Router::owner(const ChannelPlace& place) const {
    const std::optional<ChannelPlace>& input = output(place).owner;
    if (!input) {
        throw std::logic_error("no owner of an output virtual channel");
    }
    return *input;
}

void FlitByFlitNetwork::set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                                  Tick multicast_sink_ticks_per_data_flit) {
    Tile& tile = routers_[node].tile;
    tile.source_ticks_per_data_flit = source_ticks_per_data_flit;
    tile.sink_ticks_per_data_flit = sink_ticks_per_data_flit;
    tile.multicast_sink_ticks_per_data_flit = multicast_sink_ticks_per_data_flit;
}

void FlitByFlitNetwork::meter_data_flits(NodeIndex node) { routers_[node].tile.is_metered = true; }

void FlitByFlitNetwork::count_data_flits(NodeIndex node) { routers_[node].tile.is_counted = true; }

void FlitByFlitNetwork::start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) {
    Tile& tile = routers_[node].tile;
    const int flits = packets_[packet].flits;
    tile.flits_injected += static_cast<std::uint64_t>(flits);
    tile.streams[at(stream)].packets.push_back({packet, flits, {}, start, ticks_from_cycles(start), ticks_per_flit});
}

bool FlitByFlitNetwork::can_start_stream(NodeIndex node, int stream) const {
    const std::deque<StreamPacket>& packets = routers_[node].tile.streams[at(stream)].packets;
    return packets.empty() ||
           (packets.size() == 1 && packets.front().read.flits + parameters_.read_ahead_flits >= packets.front().flits);
}

FlitsRead FlitByFlitNetwork::flits_read(NodeIndex node, int stream, PacketId packet) const {
    const std::deque<StreamPacket>& packets = routers_[node].tile.streams[at(stream)].packets;
    return !packets.empty() && packets.front().id == packet ? packets.front().read : FlitsRead{};
}

TreeIndex FlitByFlitNetwork::add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) {
    trees_.push_back({std::move(outputs), grant_cycles});
    return static_cast<TreeIndex>(trees_.size() - 1);
}

void FlitByFlitNetwork::take_data_from(NodeIndex node, int channel) {
    routers_[node].tile.data_channel = channel;
    something_happened();
}

void FlitByFlitNetwork::block_request_ejection(NodeIndex node, std::uint32_t channels) {
    routers_[node].tile.blocked_channels = channels;
}

void FlitByFlitNetwork::wake_interface(NodeIndex node, Cycle cycle) {
    Cycle& wake = routers_[node].tile.interface_wake;
    wake = std::min(wake, cycle);
}

std::uint64_t FlitByFlitNetwork::flits_sent(NodeIndex node, int port) const {
    return routers_[node].outputs[at(port)].flits_sent;
}

std::uint64_t FlitByFlitNetwork::flits_injected(NodeIndex node) const { return routers_[node].tile.flits_injected; }

std::uint64_t FlitByFlitNetwork::flit_hops() const {
    std::uint64_t sum = 0;
    for (const Router& router : routers_) {
        for (const OutputPort& port : router.outputs) {
            sum += port.flits_sent;
        }
    }
    return sum;
}

Cycle FlitByFlitNetwork::next_active_window() const {
    const Cycle next = next_active_cycle();
    return next == kNever ? kNever : next - next % parameters_.window_cycles;
}

Cycle FlitByFlitNetwork::next_active_cycle() const {
    if (!is_at_rest_) {
        return now_ + 1;
    }
    // After a cycle without changes, nothing happens until the next due cycle.
    Cycle next = kNever;
    const auto note = [&](Cycle due) { next = due > now_ ? std::min(next, due) : next; };
    for (const Router& router : routers_) {
        const Tile& tile = router.tile;
        if (tile.interface_wake != kNever) {
            note(std::max(tile.interface_wake, now_ + 1));
        }
        note(cycle_containing(tile.source_next_tick));
        note(cycle_containing(tile.sink_next_tick));
        for (const Stream& stream : tile.streams) {
            if (!stream.packets.empty()) {
                note(stream.packets.front().start);
                note(cycle_containing(stream.packets.front().next_tick));
            }
        }
        for (const InputPort& port : router.inputs) {
            if (!port.link.empty()) {
                note(port.link.front().cycle);
            }
            for (const InputChannel& channel : port.channels) {
                note(channel.front ? channel.front->first_flit_from : now_);
            }
        }
        for (const OutputPort& port : router.outputs) {
            if (!port.credits.empty()) {
                note(port.credits.front().cycle);
            }
            note(port.last_sent_in + 2);  // end of the idle cycle
            for (const OutputChannel& channel : port.channels) {
                note(channel.free_from);
            }
        }
        if (!router.signals.empty()) {
            note(router.signals.begin()->cycle);
        }
    }
    return next;
}

// Wait-for graph.

auto FlitByFlitNetwork::front_packets() -> std::vector<Place> {
    std::vector<Place> places;
    for (const Router& router : routers_) {
        for (int port = 0; port < topology_.num_ports; ++port) {
            for (int channel = 0; channel < num_channels_; ++channel) {
                if (router.input({port, channel}).front) {
                    places.push_back({router.index, port, channel});
                }
            }
        }
    }
    return places;
}

auto FlitByFlitNetwork::waits_for(const Place& place) const -> std::vector<Place> {
    const Router& router = routers_[place.node];
    const ChannelPlace here{place.port, place.channel};
    const InputChannel& input = router.input(here);
    std::vector<Place> places;
    const auto add_owner = [&places](const Router& of, const ChannelPlace& output) {
        if (const std::optional<ChannelPlace>& owner = of.output(output).owner) {
            places.push_back({of.index, owner->port, owner->channel});
        }
    };
    const auto add_downstream = [&](const ChannelPlace& output) {
        if (output.port != kNiuPort && !has_space(router, output)) {
            const Topology::Link& link = topology_.link(router.index, output.port);
            places.push_back({link.neighbour, link.neighbour_port, output.channel});
        }
    };
    if (input.buffer.empty()) {
        // The packet's flits are still in the upstream router.
        if (place.port != kNiuPort) {
            const InputPort& port = router.inputs[at(place.port)];
            add_owner(routers_[port.upstream_node], {port.upstream_port, place.channel});
        }
    } else if (!input.front) {
        return places;
    } else if (input.front->is_multicast()) {
        if (input.front->reservation.may_move) {
            for (const ChannelPlace& output : tree_outputs(router, here, input.front->packet)) {
                add_downstream(output);
            }
        }
    } else if (input.front->granted_channel) {
        add_downstream({input.front->output_port, *input.front->granted_channel});
    } else {
        for (int channel = 0; channel < num_channels_; ++channel) {
            if (can_take(*input.front, channel)) {
                add_owner(router, {input.front->output_port, channel});
            }
        }
    }
    return places;
}

WaitingPacket FlitByFlitNetwork::waiting_packet(const Place& place) const {
    const InputChannel& input = routers_[place.node].input({place.port, place.channel});
    WaitingPacket waiting;
    waiting.node = place.node;
    waiting.input_port = place.port;
    waiting.virtual_channel = place.channel;
    if (input.front) {
        const bool is_multicast = input.front->is_multicast();
        waiting.packet = input.front->packet;
        waiting.has_output =
            is_multicast ? input.front->reservation.may_move : input.front->granted_channel.has_value();
        waiting.output_port = is_multicast ? -1 : input.front->output_port;
    }
    return waiting;
}

}  // namespace nocbench::specification
