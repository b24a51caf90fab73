// Multicasts in the specification: sending of their flits, and reservation and release of their trees.
#include <algorithm>
#include <utility>

#include "device_model/noc/specification/flit_by_flit_network.h"
#include "device_model/sim/random_numbers.h"

namespace nocbench::specification {

namespace {

using network_detail::at;

/// Maximum number of times in a row that a multicast gives way to other packets; afterwards, it sends its flit without
/// precedence. Without a limit, a multicast could starve: it may never have precedence on all outputs simultaneously.
constexpr int kPrecedencesGivenMax = 2;

}  // namespace

// Phase of multicasts.

/// Sends flits of multicasts. A flit leaves through all outputs of the tree in the same cycle, and needs on each of
/// them everything that a flit of a unicast needs. Returns the output ports used.
std::set<int> FlitByFlitNetwork::send_multicast_flits(Router& router) {
    std::set<int> used;
    for (const ChannelPlace& input : movable_multicasts(router)) {
        FrontPacket& packet = router.front(input);
        const bool is_reservation = router.input(input).buffer.front().reserves;
        if (is_reservation && !packet.reservation.has_outputs && !reserve_outputs(router, input)) {
            continue;
        }
        std::vector<ChannelPlace> outputs = tree_outputs(router, input, packet.packet);
        if (is_reservation) {
            // Reservations do not include tiles.
            std::erase_if(outputs, [](const ChannelPlace& output) { return output.port == kNiuPort; });
        }
        const bool all_can_take = std::ranges::all_of(outputs, [&](const ChannelPlace& output) {
            return !used.contains(output.port) &&
                   (output.port == kNiuPort ? tile_can_take(router, output.channel)
                                            : !link_idles(router, output.port) && has_space(router, output));
        });
        if (!all_can_take) {
            continue;
        }
        // A reservation is a single flit that others wait for: it needs no precedence.
        if (!is_reservation && !is_its_turn(router, outputs) && packet.precedences_given < kPrecedencesGivenMax) {
            ++packet.precedences_given;
            something_happened();
            continue;
        }
        packet.precedences_given = 0;
        router.last_multicast = input;
        for (const ChannelPlace& output : outputs) {
            used.insert(output.port);
        }
        send_multicast_flit(router, input, outputs);
    }
    return used;
}

/// Returns the input VCs with a flit of a multicast at their front, in round-robin order. A flit that comes to the
/// front in this phase is not included: it must wait for the next cycle.
auto FlitByFlitNetwork::movable_multicasts(const Router& router) const -> std::vector<ChannelPlace> {
    std::vector<ChannelPlace> places;
    for (int port = 0; port < topology_.num_ports; ++port) {
        for (int channel = 0; channel < num_channels_; ++channel) {
            const InputChannel& input = router.input({port, channel});
            if (input.front && input.front->is_multicast() && input.front->reservation.may_move &&
                !input.buffer.empty()) {
                places.push_back({port, channel});
            }
        }
    }
    std::ranges::rotate(places, std::ranges::upper_bound(places, router.last_multicast));
    return places;
}

/// Returns whether a multicast has precedence on all outputs: no response requests an output, since responses make
/// space for requests and must not be delayed, and the multicast's virtual channel is the next in round-robin order.
bool FlitByFlitNetwork::is_its_turn(const Router& router, const std::vector<ChannelPlace>& outputs) const {
    return std::ranges::all_of(outputs, [&](const ChannelPlace& output) {
        std::set<int> candidates = unicast_candidates(router, output.port);
        if (std::ranges::any_of(candidates, [&](int channel) { return is_response(channel); })) {
            return false;
        }
        candidates.insert(output.channel);
        return next_in_turn(candidates, router.outputs[at(output.port)].last_sent) == output.channel;
    });
}

void FlitByFlitNetwork::send_multicast_flit(Router& router, const ChannelPlace& input,
                                            const std::vector<ChannelPlace>& outputs) {
    FrontPacket& front = router.front(input);
    const Packet packet = front.packet;
    const Flit flit = take_flit(router, input);
    if (flit.reserves && input.port == kNiuPort) {
        front.reservation.may_move = false;  // the packet waits at its source for the reply
    }
    if (flit.is_tail) {
        // A linked packet leaves the tree reserved for the next packet, which comes through the same inputs.
        if (!packet.keeps_path) {
            for (const ChannelPlace& output : tree_outputs(router, input, packet)) {
                router.output(output).owner.reset();
            }
        }
        finish_front_packet(router, input);
    }
    for (const ChannelPlace& output : outputs) {
        if (output.port != kNiuPort) {
            send_over_link(router, output, flit);
        }
    }
    // Ejection comes last: the client can release the packet.
    for (const ChannelPlace& output : outputs) {
        if (output.port == kNiuPort) {
            eject(router, output, flit, router.tile.multicast_sink_ticks_per_data_flit);
        }
    }
}

// Reservations of multicasts' trees. The reservation flit goes down the tree ahead of the packet. In each router it
// takes all outputs of the tree or none, and goes on through all links. A reply starts in the router in which the flit
// ends. Each router forwards the reply upstream when all replies from downstream have arrived. After a failure, the
// source releases all outputs and tries again later. Two trees therefore never block each other with partial
// reservations.

/// Returns the outputs of this router that the packet goes to. Their virtual channel is that of the packet: multicasts
/// are static.
auto FlitByFlitNetwork::tree_outputs(const Router& router, const ChannelPlace& input, const Packet& packet) const
    -> std::vector<ChannelPlace> {
    std::vector<ChannelPlace> outputs;
    const unsigned ports = trees_[packet.tree].outputs[router.index];
    for (int port = 0; port < topology_.num_ports; ++port) {
        if ((ports >> port & 1U) != 0) {
            outputs.push_back({port, output_channel(router, input, packet, port)});
        }
    }
    return outputs;
}

/// Tries to reserve outputs for the reservation flit at the front. Returns whether the flit goes on downstream.
bool FlitByFlitNetwork::reserve_outputs(Router& router, const ChannelPlace& input) {
    something_happened();
    FrontPacket& packet = router.front(input);
    const std::vector<ChannelPlace> outputs = tree_outputs(router, input, packet.packet);
    const bool all_are_free = std::ranges::none_of(
        outputs, [&](const ChannelPlace& output) { return router.output(output).owner.has_value(); });
    if (all_are_free) {
        for (const ChannelPlace& output : outputs) {
            take_output(router, output, input);
        }
        packet.reservation.has_outputs = true;
        packet.reservation.has_failed = false;
        packet.reservation.holding_outputs.clear();
        packet.reservation.answers_missing = static_cast<int>(
            std::ranges::count_if(outputs, [](const ChannelPlace& output) { return output.port != kNiuPort; }));
        if (packet.reservation.answers_missing > 0) {
            return true;
        }
        // A leaf of the tree: the header follows.
        take_flit(router, input);
        answer(router, input, true, true);
        return false;
    }
    if (input.port == kNiuPort) {
        back_off(router, input);  // the reservation flit stays here
        return false;
    }
    take_flit(router, input);
    answer(router, input, false, false);
    finish_front_packet(router, input);
    return false;
}

void FlitByFlitNetwork::answer(Router& router, const ChannelPlace& input, bool is_reserved, bool holds_outputs) {
    const InputPort& port = router.inputs[at(input.port)];
    Signal signal;
    signal.cycle = now_ + parameters_.reservation_reply_cycles;
    signal.kind = SignalKind::answer;
    signal.place = {port.upstream_port, input.channel};
    signal.is_reserved = is_reserved;
    signal.holds_outputs = holds_outputs;
    routers_[port.upstream_node].signals.insert(signal);
}

void FlitByFlitNetwork::take_answer(Router& router, const Signal& signal) {
    const ChannelPlace input = router.owner(signal.place);
    FrontPacket& packet = router.front(input);
    Reservation& reservation = packet.reservation;
    reservation.has_failed = reservation.has_failed || !signal.is_reserved;
    if (signal.holds_outputs) {
        reservation.holding_outputs.push_back(signal.place.port);
    }
    if (--reservation.answers_missing > 0) {
        return;
    }
    if (input.port != kNiuPort) {
        answer(router, input, !reservation.has_failed, true);
    } else if (reservation.has_failed) {
        release_outputs(router, input);
        back_off(router, input);
    } else {
        Signal granted;
        granted.cycle = now_ + trees_[packet.packet.tree].grant_cycles;
        granted.kind = SignalKind::granted;
        granted.place = input;
        router.signals.insert(granted);
    }
}

/// Releases the outputs of this router, and has reserved outputs downstream released. The release travels as fast as a
/// flit: flits sent there later find the outputs free.
void FlitByFlitNetwork::release_outputs(Router& router, const ChannelPlace& input) {
    FrontPacket& packet = router.front(input);
    packet.reservation.has_outputs = false;
    for (const ChannelPlace& output : tree_outputs(router, input, packet.packet)) {
        router.output(output).owner.reset();
        if (std::ranges::count(packet.reservation.holding_outputs, output.port) != 0) {
            const Topology::Link& link = topology_.link(router.index, output.port);
            Signal release;
            release.cycle = now_ + parameters_.hop_cycles;
            release.kind = SignalKind::release;
            release.place = {link.neighbour_port, output.channel};
            routers_[link.neighbour].signals.insert(release);
        }
    }
}

/// Schedules another reservation after a random wait that grows with each failure, so that competing sources do not
/// collide again and again. A hash replaces randomness: all runs are equal.
void FlitByFlitNetwork::back_off(Router& router, const ChannelPlace& input) {
    Reservation& reservation = router.front(input).reservation;
    reservation.may_move = false;
    const int doublings = std::min(reservation.failures++, parameters_.reservation_backoff_doublings_max);
    const Cycle longest = parameters_.reservation_backoff_cycles << doublings;
    const std::uint64_t draw = splitmix64((router.num_backoffs++ << 16) + router.index);
    Signal retry;
    retry.cycle = now_ + 1 + static_cast<Cycle>(draw % static_cast<std::uint64_t>(longest));
    retry.kind = SignalKind::retry;
    retry.place = input;
    router.signals.insert(retry);
}

void FlitByFlitNetwork::ask_again(Router& router, const ChannelPlace& input) {
    InputChannel& channel = router.input(input);
    FrontPacket& packet = router.front(input);
    packet.reservation.may_move = true;
    const Flit reservation_flit = flit_of(packet.id, 0);
    if (channel.buffer.empty() || channel.buffer.front() != reservation_flit) {
        // The reservation flit has been consumed: the router makes a new one.
        channel.buffer.push_front(reservation_flit);
        ++router.tile.streams[at(input.channel)].flits_in_buffer;
        if (observer_ != nullptr) {
            observer_->flit_buffered(router.index, input, reservation_flit, now_);
        }
    }
}

}  // namespace nocbench::specification
