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

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

template <int kPorts, int kVirtualChannels>
unsigned WindowNetwork<kPorts, kVirtualChannels>::tree_ports(NodeIndex index, const Packet& packet) const {
    return trees_[packet.tree].outputs[index];
}

template <int kPorts, int kVirtualChannels>
int WindowNetwork<kPorts, kVirtualChannels>::multicast_channel(NodeIndex index, int input_vc, int port) const {
    return channels_.leaving(input_vc / kVirtualChannels, input_vc % kVirtualChannels, port,
                             topology_.link(index, port).is_dateline);
}

template <int kPorts, int kVirtualChannels>
unsigned WindowNetwork<kPorts, kVirtualChannels>::front_flit_ports(NodeIndex index, const Node& node,
                                                                   int input_vc) const {
    const unsigned ports = tree_ports(index, packets_[front_packet(index, input_vc)]);
    return front_flit_reserves(index, node, input_vc) ? ports & ~kNiuBit : ports;  // tiles take no part in reservations
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::front_flit_reserves(NodeIndex index, const Node& node,
                                                                  int input_vc) const {
    return node.input_vcs[at(input_vc)].flits_left > packets_[front_packet(index, input_vc)].flits_from_header();
}

/// Packet ids are known downstream before the first flit can arrive there.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::enqueue_downstream(NodeIndex index, int input_vc, unsigned ports) {
    const PacketId packet = front_packet(index, input_vc);
    for (unsigned rest = ports & ~kNiuBit; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        push_downstream(index, port, multicast_channel(index, input_vc, port), packet);
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_owned(NodeIndex index, Node& node, int input_vc, unsigned ports,
                                                        bool owned) {
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const int channel = multicast_channel(index, input_vc, port);
        Output& output = node.outputs[at(port)];
        if (owned) {
            output.owned |= 1U << channel;
            output.owner[at(channel)] = static_cast<std::uint8_t>(input_vc);
        } else {
            output.owned &= ~(1U << channel);
            if (output.waiting != 0) {
                set_pending(node, port, 1U << channel);
            }
        }
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::look_at_multicast(NodeIndex index, Node& node, int input_vc,
                                                                const Moment& now) {
    const Packet& packet = packets_[front_packet(index, input_vc)];
    node.input_vcs[at(input_vc)].flits_left = packet.flits;
    node.multicast |= bit(input_vc);
    if (packet.reserves_path) {
        cold_[index].reservations[at(input_vc)] = {.requested = now.cycle};
    } else {
        enqueue_downstream(index, input_vc, tree_ports(index, packet));
    }
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::asks_for_path(NodeIndex index, const Node& node, int input_vc) const {
    return front_flit_reserves(index, node, input_vc) && !cold_[index].reservations[at(input_vc)].is_owned;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::reserve_path(Step& step, int input_vc, const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    const unsigned ports = tree_ports(index, packets_[front_packet(index, input_vc)]);
    bool is_free = true;
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        is_free = is_free && (node.outputs[at(port)].owned >> multicast_channel(index, input_vc, port) & 1U) == 0;
    }
    InputVc& input = node.input_vcs[at(input_vc)];
    if (!is_free && input_vc / kVirtualChannels == kNiuPort) {
        node.multicast &= ~bit(input_vc);
        back_off(index, input_vc, now.cycle);
        return false;
    }
    if (is_free) {
        set_owned(index, node, input_vc, ports, true);
        enqueue_downstream(index, input_vc, ports);
        const unsigned next_ports = ports & ~kNiuBit;
        PathReservation& reservation = cold_[index].reservations[at(input_vc)];
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
        node.multicast &= ~bit(input_vc);
    }
    // The flit ends here: at a leaf, or where another tree is in the way.
    --input.flits;
    const int input_port = input_vc / kVirtualChannels;
    if (input_port == kNiuPort) {
        --cold_[index].streams[at(input_vc)].in_buffer;
    } else {
        // Not over the link: several reservations can end in one cycle, besides the flits that outputs send.
        const LinkEnd& upstream = upstream_[at(index * kPorts + input_port)];
        Signal credit;
        credit.cycle = now.cycle + parameters_.credit_return_cycles;
        credit.kind = SignalKind::credit;
        credit.input_vc = upstream.port;
        credit.channel = static_cast<std::uint8_t>(input_vc % kVirtualChannels);
        signal(upstream.node, credit);
    }
    reply(index, input_vc, now.cycle, is_free, is_free);
    return false;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::multicast_has_space(NodeIndex index, const Node& node, int input_vc,
                                                                  unsigned ports) const {
    for (unsigned rest = ports & ~kNiuBit; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        if ((channels_with_space(node, port) >> multicast_channel(index, input_vc, port) & 1U) == 0) {
            return false;
        }
    }
    return (ports & kNiuBit) == 0 || (node.blocked_channels >> multicast_channel(index, input_vc, kNiuPort) & 1U) == 0;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::any_link_idles(const Node& node, unsigned ports, Cycle cycle) const {
    bool idles = false;
    for (int port = 1; port < kPorts; ++port) {
        idles = idles || ((ports >> port & 1U) != 0 && link_idles(node, port, cycle));
    }
    return idles;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::multicast_can_progress(NodeIndex index, const Node& node) const {
    for (InputVcMask rest = node.multicast; rest != 0; rest &= rest - 1) {
        const int input_vc = std::countr_zero(rest);
        if (node.input_vcs[at(input_vc)].flits != 0 &&
            (asks_for_path(index, node, input_vc) ||
             multicast_has_space(index, node, input_vc, front_flit_ports(index, node, input_vc)))) {
            return true;
        }
    }
    return false;
}

/// Whether it is a multicast's turn on all its outputs, and no response wants one of them.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::has_turn(NodeIndex index, const Node& node, int input_vc, unsigned ports,
                                                       Cycle cycle) const {
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const ChannelMask others = node.outputs[at(port)].has_flit & channels_served(node, port, cycle);
        const int channel = multicast_channel(index, input_vc, port);
        if ((others & channels_.responses()) != 0 ||
            next_round_robin(others | 1U << channel, node.last_sent[at(port)]) != channel) {
            return false;
        }
    }
    return true;
}

/// A multicast needs all its outputs in one cycle. It goes when it is its turn on each, and since its turns on
/// several outputs need not come together, at the latest when it has let others go first kPrecedencesGivenMax times. A
/// flit that reserves does not wait for a turn. Several multicasts are served round-robin.
template <int kPorts, int kVirtualChannels>
unsigned WindowNetwork<kPorts, kVirtualChannels>::send_multicast_flits(Step& step, const Moment& now) {
    Node& node = step.node;
    unsigned used_ports = 0;
    InputVcMask rest = node.multicast;
    int input_vc = node.last_multicast;
    while (rest != 0) {
        input_vc = next_round_robin(rest, input_vc);
        rest &= ~bit(input_vc);
        if (node.input_vcs[at(input_vc)].flits == 0 ||
            (asks_for_path(step.index, node, input_vc) && !reserve_path(step, input_vc, now))) {
            continue;
        }
        const unsigned ports = front_flit_ports(step.index, node, input_vc);
        const bool tile_is_busy = (ports & kNiuBit) != 0 && !node.sink.allows(ticks_from_cycles(now.cycle));
        if ((ports & used_ports) != 0 || tile_is_busy || any_link_idles(node, ports, now.cycle) ||
            !multicast_has_space(step.index, node, input_vc, ports)) {
            continue;
        }
        std::uint8_t& precedences_given = cold_[step.index].precedences_given[at(input_vc)];
        if (precedences_given < kPrecedencesGivenMax && !front_flit_reserves(step.index, node, input_vc) &&
            !has_turn(step.index, node, input_vc, ports, now.cycle)) {
            ++precedences_given;
            continue;
        }
        precedences_given = 0;
        used_ports |= ports;
        send_multicast_flit(step, input_vc, ports, now);
    }
    return used_ports;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::send_multicast_flit(Step& step, int input_vc, unsigned ports,
                                                                  const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    InputVc& input = node.input_vcs[at(input_vc)];
    const PacketId packet_id = front_packet(index, input_vc);
    const Packet packet = packets_[packet_id];
    const bool is_reservation = front_flit_reserves(index, node, input_vc);
    node.last_multicast = static_cast<std::uint8_t>(input_vc);
    take_from_buffer(step, input_vc, std::countr_zero(ports), now);
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const int channel = multicast_channel(index, input_vc, port);
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
    if (is_reservation && input_vc / kVirtualChannels == kNiuPort) {
        node.multicast &= ~bit(input_vc);  // the packet waits at its source for the answer
    }
    if (input.flits_left != 0) {
        return;
    }
    pop_packet(input);
    node.multicast &= ~bit(input_vc);
    if (!packet.keeps_path) {
        set_owned(index, node, input_vc, tree_ports(index, packet), false);
    }
    if (input.flits != 0) {
        look_at_front(index, node, input_vc, now);
    }
    if ((ports & kNiuBit) != 0) {
        client_.packet_ejected(index, packet_id, multicast_channel(index, input_vc, kNiuPort), now.cycle);
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::signal(NodeIndex node, const Signal& signal) {
    std::vector<Signal>& signals = cold_[node].signals;
    signals.insert(std::ranges::upper_bound(signals, signal), signal);
    nodes_[node].signal_wake = signals.front().cycle;
    wake(node, signals.front().cycle);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::handle_signals(Step& step, const Moment& now) {
    const NodeIndex index = step.index;
    Node& node = step.node;
    std::vector<Signal>& signals = cold_[index].signals;
    while (!signals.empty() && signals.front().cycle <= now.cycle) {
        const Signal signal = signals.front();
        signals.erase(signals.begin());
        const PathReservation& reservation = cold_[index].reservations[signal.input_vc];
        switch (signal.kind) {
            case SignalKind::credit:
                take_credit(node, signal.input_vc, signal.channel);
                break;
            case SignalKind::release:
                release_path(index, node, signal.input_vc, now.cycle);
                pop_packet(node.input_vcs[signal.input_vc]);
                node.input_vcs[signal.input_vc].flits_left = 0;
                if (node.input_vcs[signal.input_vc].flits != 0) {
                    // The next reservation can come in the cycle in which this one is released.
                    look_at_front(index, node, signal.input_vc, now);
                }
                break;
            case SignalKind::reply:
                take_reply(index, node, signal);
                break;
            case SignalKind::granted:
                node.multicast |= bit(signal.input_vc);
                client_.path_reserved(index, front_packet(index, signal.input_vc), reservation.requested, now.cycle);
                break;
            case SignalKind::retry: {
                InputVc& input = node.input_vcs[signal.input_vc];
                if (!front_flit_reserves(index, node, signal.input_vc)) {
                    // The flit has gone and failed: the router makes another one.
                    ++input.flits_left;
                    ++cold_[index].streams[signal.input_vc].in_buffer;
                    ++input.flits;
                }
                node.multicast |= bit(signal.input_vc);
                break;
            }
        }
    }
    node.signal_wake = signals.empty() ? kNever : signals.front().cycle;
}

/// Sends the answer of everything from this router on to the router that the reservation came from.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::reply(NodeIndex index, int input_vc, Cycle cycle, bool is_reserved,
                                                    bool holds) {
    const LinkEnd& upstream = upstream_[at(index * kPorts + input_vc / kVirtualChannels)];
    Signal answer;
    answer.cycle = cycle + parameters_.reservation_reply_cycles;
    answer.kind = SignalKind::reply;
    answer.input_vc = upstream.port;
    answer.channel = static_cast<std::uint8_t>(input_vc % kVirtualChannels);
    answer.is_reserved = is_reserved;
    answer.holds = holds;
    signal(upstream.node, answer);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::take_reply(NodeIndex index, Node& node, const Signal& signal) {
    const int input_vc = node.outputs[signal.input_vc].owner[signal.channel];
    PathReservation& reservation = cold_[index].reservations[at(input_vc)];
    reservation.has_failed = reservation.has_failed || !signal.is_reserved;
    if (signal.holds) {
        reservation.holding = static_cast<std::uint8_t>(reservation.holding | 1U << signal.input_vc);
    }
    if (--reservation.replies_missing != 0) {
        return;
    }
    if (input_vc / kVirtualChannels != kNiuPort) {
        reply(index, input_vc, signal.cycle, !reservation.has_failed, true);
    } else if (reservation.has_failed) {
        release_path(index, node, input_vc, signal.cycle);
        back_off(index, input_vc, signal.cycle);
    } else {
        const Cycle grant = trees_[packets_[front_packet(index, input_vc)].tree].grant_cycles;
        this->signal(index, {signal.cycle + grant, SignalKind::granted, static_cast<std::uint8_t>(input_vc)});
    }
}

/// Gives back the outputs of this router and of those behind it that hold theirs.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::release_path(NodeIndex index, Node& node, int input_vc, Cycle cycle) {
    const unsigned ports = tree_ports(index, packets_[front_packet(index, input_vc)]);
    set_owned(index, node, input_vc, ports, false);
    node.multicast &= ~bit(input_vc);
    cold_[index].reservations[at(input_vc)].is_owned = false;
    for (unsigned rest = cold_[index].reservations[at(input_vc)].holding; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        const Topology::Link& link = topology_.link(index, port);
        Signal release;
        release.cycle = cycle + parameters_.hop_cycles;
        release.kind = SignalKind::release;
        release.input_vc = static_cast<std::uint8_t>(link.neighbour_port * kVirtualChannels +
                                                     multicast_channel(index, input_vc, port));
        signal(link.neighbour, release);
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::back_off(NodeIndex index, int input_vc, Cycle cycle) {
    ColdNode& cold = cold_[index];
    PathReservation& reservation = cold.reservations[at(input_vc)];
    const Cycle wait = backoff_cycles(parameters_, index, reservation.attempts, cold.num_backoffs++);
    reservation.attempts = static_cast<std::uint8_t>(std::min(reservation.attempts + 1, 255));
    signal(index, {cycle + wait, SignalKind::retry, static_cast<std::uint8_t>(input_vc)});
}

}  // namespace nocbench
