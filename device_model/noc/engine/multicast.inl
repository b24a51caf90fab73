// Multicasts in the network. A tree of routers is reserved by a flit that goes ahead of the packet: at each router it
// takes the virtual channel on every output that the tree uses there, all of them or none, and answers travel back from
// the leaves. The packet then goes down the tree in lock-step: a flit leaves a router through all outputs at once. The
// tail gives the outputs back, unless the packet is linked to the next one.
//
// A reservation that meets another tree fails. Its source then has what was reserved released, waits for a while that
// is longer the more often this has happened, and asks again; nobody holds a part of a tree while waiting for the rest.
// Source: Tenstorrent ISA documentation, NoC routing paths (path reservation) and memory map (ROUTER_CFG_0, back-off);
// what the documents leave open is said in docs/model.md.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

namespace {}  // namespace

template <int kPorts, int kVirtualChannels>
unsigned BlockNetwork<kPorts, kVirtualChannels>::tree_ports(NodeIndex index, const Packet& packet) const {
    return trees_[packet.tree].outputs[index];
}

template <int kPorts, int kVirtualChannels>
int BlockNetwork<kPorts, kVirtualChannels>::multicast_channel(NodeIndex index, int slot, int port) const {
    const int channel = slot % kVirtualChannels;
    if (port == kNiuPort) {
        return channel;
    }
    const bool stays_in_ring = slot / kVirtualChannels == port;
    const int software_channels = parameters_.software_virtual_channels;
    const bool second_set = topology_.link(index, port).is_dateline || (stays_in_ring && channel >= software_channels);
    return channel % software_channels + (second_set ? software_channels : 0);
}

template <int kPorts, int kVirtualChannels>
unsigned BlockNetwork<kPorts, kVirtualChannels>::front_flit_ports(NodeIndex index, const Node& node, int slot) const {
    const unsigned ports = tree_ports(index, packets_[front_packet(index, slot)]);
    return front_flit_reserves(index, node, slot) ? ports & ~kNiuBit : ports;  // tiles take no part in reservations
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::front_flit_reserves(NodeIndex index, const Node& node, int slot) const {
    return node.slots[at(slot)].flits_left > packets_[front_packet(index, slot)].flits_from_header();
}

/// Packet ids are known downstream before the first flit can arrive there.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::enqueue_downstream(NodeIndex index, int slot, unsigned ports) {
    const PacketId packet = front_packet(index, slot);
    for (unsigned rest = ports & ~kNiuBit; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        push_downstream(index, port, multicast_channel(index, slot, port), packet);
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::set_owned(NodeIndex index, Node& node, int slot, unsigned ports,
                                                       bool owned) {
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const int channel = multicast_channel(index, slot, port);
        Output& output = node.outputs[at(port)];
        if (owned) {
            output.owned |= 1U << channel;
            output.owner[at(channel)] = static_cast<std::uint8_t>(slot);
        } else {
            output.owned &= ~(1U << channel);
            if (output.waiting != 0) {
                set_pending(node, port, 1U << channel);
            }
        }
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::look_at_multicast(NodeIndex index, Node& node, int slot,
                                                               const Moment& now) {
    const Packet& packet = packets_[front_packet(index, slot)];
    node.slots[at(slot)].flits_left = packet.flits;
    node.multicast |= bit(slot);
    if (packet.reserves_path) {
        cold_[index].reservations[at(slot)] = {.requested = now.cycle};
    } else {
        enqueue_downstream(index, slot, tree_ports(index, packet));
    }
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::asks_for_path(NodeIndex index, const Node& node, int slot) const {
    return front_flit_reserves(index, node, slot) && !cold_[index].reservations[at(slot)].is_owned;
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::reserve_path(Step& step, int slot, const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    const unsigned ports = tree_ports(index, packets_[front_packet(index, slot)]);
    bool is_free = true;
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        is_free = is_free && (node.outputs[at(port)].owned >> multicast_channel(index, slot, port) & 1U) == 0;
    }
    InputSlot& input = node.slots[at(slot)];
    if (!is_free && slot / kVirtualChannels == kNiuPort) {
        node.multicast &= ~bit(slot);
        back_off(index, slot, now.cycle);
        return false;
    }
    if (is_free) {
        set_owned(index, node, slot, ports, true);
        enqueue_downstream(index, slot, ports);
        const unsigned next_ports = ports & ~kNiuBit;
        PathReservation& reservation = cold_[index].reservations[at(slot)];
        reservation.is_owned = true;
        reservation.has_failed = false;
        reservation.holding = 0;
        reservation.replies_missing = static_cast<std::uint8_t>(std::popcount(next_ports));
        if (next_ports != 0) {
            return true;
        }
        --input.flits_left;
    } else {
        input.flits_left = 0;
        pop_packet(input);
        node.multicast &= ~bit(slot);
    }
    // The flit ends here: at a leaf, or where another tree is in the way.
    --input.flits;
    const int input_port = slot / kVirtualChannels;
    if (input_port == kNiuPort) {
        --cold_[index].streams[at(slot)].in_buffer;
    } else {
        // Not over the link: several reservations can end in one cycle, besides the flits that outputs send.
        const LinkEnd& upstream = upstream_[at(index * kPorts + input_port)];
        Signal credit;
        credit.cycle = now.cycle + parameters_.credit_return_cycles;
        credit.kind = SignalKind::credit;
        credit.slot = upstream.port;
        credit.channel = static_cast<std::uint8_t>(slot % kVirtualChannels);
        signal(upstream.node, credit);
    }
    reply(index, slot, now.cycle, is_free, is_free);
    return false;
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::multicast_has_space(NodeIndex index, const Node& node, int slot,
                                                                 unsigned ports) const {
    for (unsigned rest = ports & ~kNiuBit; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        if ((channels_with_space(node, port) >> multicast_channel(index, slot, port) & 1U) == 0) {
            return false;
        }
    }
    return (ports & kNiuBit) == 0 || (node.blocked_channels >> multicast_channel(index, slot, kNiuPort) & 1U) == 0;
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::any_link_rests(const Node& node, unsigned ports, Cycle cycle) const {
    bool rests = false;
    for (int port = 1; port < kPorts; ++port) {
        rests = rests || ((ports >> port & 1U) != 0 && link_rests(node, port, cycle));
    }
    return rests;
}

template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::multicast_can_progress(NodeIndex index, const Node& node) const {
    for (SlotMask rest = node.multicast; rest != 0; rest &= rest - 1) {
        const int slot = std::countr_zero(rest);
        if (node.slots[at(slot)].flits != 0 &&
            (asks_for_path(index, node, slot) ||
             multicast_has_space(index, node, slot, front_flit_ports(index, node, slot)))) {
            return true;
        }
    }
    return false;
}

/// Whether it is a multicast's turn on all its outputs, and no response wants one of them.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::has_turn(NodeIndex index, const Node& node, int slot, unsigned ports,
                                                      Cycle cycle) const {
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const ChannelMask others = node.outputs[at(port)].has_flit & channels_served(node, port, cycle);
        const int channel = multicast_channel(index, slot, port);
        if ((others & response_channels_) != 0 ||
            next_round_robin(others | 1U << channel, node.last_sent[at(port)]) != channel) {
            return false;
        }
    }
    return true;
}

/// A multicast needs all its outputs in one cycle. It goes when it is its turn on each, and since its turns on several
/// outputs need not come together, at the latest when it has let others go first kTurnsGivenMax times. A flit that
/// reserves does not wait for a turn. Several multicasts take turns.
template <int kPorts, int kVirtualChannels>
unsigned BlockNetwork<kPorts, kVirtualChannels>::send_multicast_flits(Step& step, const Moment& now) {
    Node& node = step.node;
    unsigned used_ports = 0;
    SlotMask rest = node.multicast;
    int slot = node.last_multicast;
    while (rest != 0) {
        slot = next_round_robin(rest, slot);
        rest &= ~bit(slot);
        if (node.slots[at(slot)].flits == 0 ||
            (asks_for_path(step.index, node, slot) && !reserve_path(step, slot, now))) {
            continue;
        }
        const unsigned ports = front_flit_ports(step.index, node, slot);
        const bool tile_is_busy = (ports & kNiuBit) != 0 && node.sink_next_tick >= ticks_from_cycles(now.cycle + 1);
        if ((ports & used_ports) != 0 || tile_is_busy || any_link_rests(node, ports, now.cycle) ||
            !multicast_has_space(step.index, node, slot, ports)) {
            continue;
        }
        std::uint8_t& turns_given = cold_[step.index].turns_given[at(slot)];
        if (turns_given < kTurnsGivenMax && !front_flit_reserves(step.index, node, slot) &&
            !has_turn(step.index, node, slot, ports, now.cycle)) {
            ++turns_given;
            continue;
        }
        turns_given = 0;
        used_ports |= ports;
        send_multicast_flit(step, slot, ports, now);
    }
    return used_ports;
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::send_multicast_flit(Step& step, int slot, unsigned ports,
                                                                 const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    InputSlot& input = node.slots[at(slot)];
    const PacketId packet_id = front_packet(index, slot);
    const Packet packet = packets_[packet_id];
    const bool is_reservation = front_flit_reserves(index, node, slot);
    node.last_multicast = static_cast<std::uint8_t>(slot);
    take_from_buffer(step, slot, std::countr_zero(ports), now);
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const int channel = multicast_channel(index, slot, port);
        ++cold_[index].flits_sent[at(port)];
        node.last_sent[at(port)] = static_cast<std::uint8_t>(channel);
        if (port == kNiuPort) {
            eject_flit(step, packet_id, channel, step.cold.multicast_sink_ticks_per_data_flit,
                       input.flits_left == packet.flits_from_header(), now.cycle);
        } else {
            send_over_link(step, port, channel, now);
        }
    }
    --input.flits_left;
    if (is_reservation && slot / kVirtualChannels == kNiuPort) {
        node.multicast &= ~bit(slot);  // the packet waits at its source for the answer
    }
    if (input.flits_left != 0) {
        return;
    }
    pop_packet(input);
    node.multicast &= ~bit(slot);
    if (!packet.keeps_path) {
        set_owned(index, node, slot, tree_ports(index, packet), false);
    }
    if (input.flits != 0) {
        look_at_front(index, node, slot, now);
    }
    if ((ports & kNiuBit) != 0) {
        client_.packet_ejected(index, packet_id, multicast_channel(index, slot, kNiuPort), now.cycle);
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::signal(NodeIndex node, const Signal& signal) {
    std::vector<Signal>& signals = cold_[node].signals;
    signals.insert(std::ranges::upper_bound(signals, signal), signal);
    nodes_[node].signal_wake = signals.front().cycle;
    wake(node, signals.front().cycle);
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::handle_signals(Step& step, const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    std::vector<Signal>& signals = cold_[index].signals;
    while (!signals.empty() && signals.front().cycle <= now.cycle) {
        const Signal signal = signals.front();
        signals.erase(signals.begin());
        const PathReservation& reservation = cold_[index].reservations[signal.slot];
        switch (signal.kind) {
            case SignalKind::credit:
                take_credit(node, signal.slot, signal.channel);
                break;
            case SignalKind::release:
                release_path(index, node, signal.slot, now.cycle);
                pop_packet(node.slots[signal.slot]);
                node.slots[signal.slot].flits_left = 0;
                if (node.slots[signal.slot].flits != 0) {
                    // The next reservation can come in the cycle in which this one is released.
                    look_at_front(index, node, signal.slot, now);
                }
                break;
            case SignalKind::reply:
                take_reply(index, node, signal);
                break;
            case SignalKind::granted:
                node.multicast |= bit(signal.slot);
                client_.path_reserved(index, front_packet(index, signal.slot), reservation.requested, now.cycle);
                break;
            case SignalKind::retry: {
                InputSlot& input = node.slots[signal.slot];
                if (!front_flit_reserves(index, node, signal.slot)) {
                    // The flit has gone and failed: the router makes another one.
                    ++input.flits_left;
                    ++cold_[index].streams[signal.slot].in_buffer;
                    ++input.flits;
                }
                node.multicast |= bit(signal.slot);
                break;
            }
        }
    }
    node.signal_wake = signals.empty() ? kNever : signals.front().cycle;
}

/// Sends the answer of everything from this router on to the router that the reservation came from.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::reply(NodeIndex index, int slot, Cycle cycle, bool is_reserved,
                                                   bool holds) {
    const LinkEnd& upstream = upstream_[at(index * kPorts + slot / kVirtualChannels)];
    Signal answer;
    answer.cycle = cycle + parameters_.reservation_reply_cycles;
    answer.kind = SignalKind::reply;
    answer.slot = upstream.port;
    answer.channel = static_cast<std::uint8_t>(slot % kVirtualChannels);
    answer.is_reserved = is_reserved;
    answer.holds = holds;
    signal(upstream.node, answer);
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::take_reply(NodeIndex index, Node& node, const Signal& signal) {
    const int slot = node.outputs[signal.slot].owner[signal.channel];
    PathReservation& reservation = cold_[index].reservations[at(slot)];
    reservation.has_failed = reservation.has_failed || !signal.is_reserved;
    if (signal.holds) {
        reservation.holding = static_cast<std::uint8_t>(reservation.holding | 1U << signal.slot);
    }
    if (--reservation.replies_missing != 0) {
        return;
    }
    if (slot / kVirtualChannels != kNiuPort) {
        reply(index, slot, signal.cycle, !reservation.has_failed, true);
    } else if (reservation.has_failed) {
        release_path(index, node, slot, signal.cycle);
        back_off(index, slot, signal.cycle);
    } else {
        const Cycle grant = trees_[packets_[front_packet(index, slot)].tree].grant_cycles;
        this->signal(index, {signal.cycle + grant, SignalKind::granted, static_cast<std::uint8_t>(slot)});
    }
}

/// Gives back the outputs of this router and of those behind it that hold theirs.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::release_path(NodeIndex index, Node& node, int slot, Cycle cycle) {
    const unsigned ports = tree_ports(index, packets_[front_packet(index, slot)]);
    set_owned(index, node, slot, ports, false);
    node.multicast &= ~bit(slot);
    cold_[index].reservations[at(slot)].is_owned = false;
    for (unsigned rest = cold_[index].reservations[at(slot)].holding; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const Topology::Link& link = topology_.link(index, port);
        Signal release;
        release.cycle = cycle + parameters_.hop_cycles;
        release.kind = SignalKind::release;
        release.slot =
            static_cast<std::uint8_t>(link.neighbour_port * kVirtualChannels + multicast_channel(index, slot, port));
        signal(link.neighbour, release);
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::back_off(NodeIndex index, int slot, Cycle cycle) {
    ColdNode& cold = cold_[index];
    PathReservation& reservation = cold.reservations[at(slot)];
    const int doublings = std::min<int>(reservation.attempts, parameters_.reservation_backoff_doublings_max);
    reservation.attempts = static_cast<std::uint8_t>(std::min(reservation.attempts + 1, 255));
    const auto range = static_cast<std::uint64_t>(parameters_.reservation_backoff_cycles << doublings);
    const std::uint64_t draw = network_detail::mixed((cold.num_backoffs++ << 16) + index);
    const auto wait = static_cast<Cycle>(draw % range) + 1;
    signal(index, {cycle + wait, SignalKind::retry, static_cast<std::uint8_t>(slot)});
}

}  // namespace nocbench
