// Multicasts. A reservation flit goes ahead of the packet. At each router it takes the virtual channel on all outputs
// of the tree, or on none; replies travel back from the leaves. The packet goes down the tree in lock-step. Its tail
// releases the outputs, unless the packet is linked to the next one.
//
// A reservation that meets another tree fails. Its source has the reservation released, backs off (longer after each
// failure), and tries again. No source holds a part of a tree while it waits for the rest.
// Source: Tenstorrent ISA documentation, NoC routing paths (path reservation) and memory map (ROUTER_CFG_0, back-off).
// docs/model.md covers points that the documentation leaves open.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "device_model/noc/engine/links.h"
#include "device_model/noc/engine/router.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class Multicasts {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using Step = State::Step;

    Multicasts(Routers<kPorts, kVirtualChannels>& routers, Links<kPorts>& links) : routers_(routers), links_(links) {}

    void handle_signals(Step& step, const Moment& now) {
        const NodeIndex index = step.index;
        Node& node = step.node;
        std::vector<Signal>& signals = routers_.cold(index).signals;
        while (!signals.empty() && signals.front().cycle <= now.cycle) {
            const Signal signal = signals.front();
            signals.erase(signals.begin());
            const PathReservation& reservation = routers_.cold(index).reservations[signal.input_vc];
            switch (signal.kind) {
                case SignalKind::credit:
                    routers_.take_credit(node, signal.input_vc, signal.channel);
                    break;
                case SignalKind::release:
                    release_path(index, node, signal.input_vc, now.cycle);
                    node.input_vcs[signal.input_vc].pop_packet();
                    node.input_vcs[signal.input_vc].flits_left = 0;
                    if (node.input_vcs[signal.input_vc].flits != 0) {
                        // The next reservation can arrive in the cycle in which this one is released.
                        routers_.look_at_front(index, node, signal.input_vc, now);
                    }
                    break;
                case SignalKind::reply:
                    take_reply(index, node, signal);
                    break;
                case SignalKind::granted:
                    node.multicast |= State::input_vc_bit(signal.input_vc);
                    routers_.client.path_reserved(index, routers_.front_packet(index, signal.input_vc),
                                                  reservation.requested, now.cycle);
                    break;
                case SignalKind::retry: {
                    InputVc& input = node.input_vcs[signal.input_vc];
                    if (!front_flit_reserves(index, node, signal.input_vc)) {
                        // The reservation flit has been consumed: the router makes a new one.
                        ++input.flits_left;
                        ++routers_.cold(index).streams[signal.input_vc].in_buffer;
                        ++input.flits;
                    }
                    node.multicast |= State::input_vc_bit(signal.input_vc);
                    break;
                }
            }
        }
        node.signal_wake = signals.empty() ? kNever : signals.front().cycle;
    }
    /// Sends flits of multicasts in round-robin order. Returns the mask of output ports used. A multicast sends when it
    /// has precedence on all its outputs, or has yielded kPrecedencesGivenMax times. A reservation flit does not wait
    /// for precedence.
    unsigned send_multicast_flits(Step& step, const Moment& now) {
        Node& node = step.node;
        unsigned used_ports = 0;
        auto rest = node.multicast;
        int input_vc = node.last_multicast;
        while (rest != 0) {
            input_vc = next_round_robin(rest, input_vc);
            rest &= ~State::input_vc_bit(input_vc);
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
            std::uint8_t& precedences_given = routers_.cold(step.index).precedences_given[at(input_vc)];
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
    /// Returns whether a multicast can act in the next cycle even if nothing arrives.
    [[nodiscard]] bool multicast_can_progress(NodeIndex index, const Node& node) const {
        return std::ranges::any_of(SetBits(node.multicast), [&](int input_vc) {
            return node.input_vcs[at(input_vc)].flits != 0 &&
                   (asks_for_path(index, node, input_vc) ||
                    multicast_has_space(index, node, input_vc, front_flit_ports(index, node, input_vc)));
        });
    }
    /// Returns the mask of output ports of the front flit of a multicast.
    [[nodiscard]] unsigned front_flit_ports(NodeIndex index, const Node& node, int input_vc) const {
        const unsigned ports = routers_.tree_ports(index, routers_.front(index, input_vc));
        return front_flit_reserves(index, node, input_vc) ? ports & ~kNiuBit
                                                          : ports;  // reservations do not include tiles
    }

private:
    static constexpr int kPrecedencesGivenMax = 2;  // times in a row that a multicast yields

    /// Returns whether the front flit of a multicast is a reservation flit.
    [[nodiscard]] bool front_flit_reserves(NodeIndex index, const Node& node, int input_vc) const {
        return node.input_vcs[at(input_vc)].flits_left > routers_.front(index, input_vc).flits_from_header();
    }
    /// Returns whether the front flit is a reservation flit that has not yet reserved outputs of this router.
    [[nodiscard]] bool asks_for_path(NodeIndex index, const Node& node, int input_vc) const {
        return front_flit_reserves(index, node, input_vc) && !routers_.cold(index).reservations[at(input_vc)].is_owned;
    }
    /// Tries to reserve outputs of this router. Returns whether the reservation flit goes on downstream.
    bool reserve_path(Step& step, int input_vc, const Moment& now) {
        const NodeIndex index = step.index;
        Node& node = step.node;
        const unsigned ports = routers_.tree_ports(index, routers_.front(index, input_vc));
        bool is_free = true;
        for (const int port : SetBits(ports)) {
            is_free = is_free &&
                      (node.outputs[at(port)].owned >> routers_.multicast_channel(index, input_vc, port) & 1U) == 0;
        }
        InputVc& input = node.input_vcs[at(input_vc)];
        if (!is_free && input_vc / kVirtualChannels == kNiuPort) {
            node.multicast &= ~State::input_vc_bit(input_vc);
            back_off(index, input_vc, now.cycle);
            return false;
        }
        if (is_free) {
            set_owned(index, node, input_vc, ports, true);
            routers_.enqueue_downstream(index, input_vc, ports);
            const unsigned next_ports = ports & ~kNiuBit;
            PathReservation& reservation = routers_.cold(index).reservations[at(input_vc)];
            reservation.is_owned = true;
            reservation.has_failed = false;
            reservation.holding = 0;
            reservation.replies_missing = as_byte(std::popcount(next_ports));
            if (next_ports != 0) {
                return true;
            }
            --input.flits_left;
        } else {
            input.flits_left = 0;
            input.pop_packet();
            node.multicast &= ~State::input_vc_bit(input_vc);
        }
        // The flit ends here: at a leaf, or at a router whose output belongs to another tree.
        --input.flits;
        const int input_port = input_vc / kVirtualChannels;
        if (input_port == kNiuPort) {
            --routers_.cold(index).streams[at(input_vc)].in_buffer;
        } else {
            // Credits bypass the link words: several reservations can end in one cycle, besides the flits that outputs
            // send.
            const LinkEnd upstream = routers_.upstream(index, input_port);
            signal(upstream.node, {now.cycle + routers_.parameters.credit_return_cycles, SignalKind::credit,
                                   upstream.port, as_byte(input_vc % kVirtualChannels)});
        }
        reply(index, input_vc, now.cycle, is_free, is_free);
        return false;
    }
    void set_owned(NodeIndex index, Node& node, int input_vc, unsigned ports, bool owned) {
        for (const int port : SetBits(ports)) {
            const int channel = routers_.multicast_channel(index, input_vc, port);
            if (owned) {
                node.outputs[at(port)].owned |= channel_bit(channel);
                node.outputs[at(port)].owner[at(channel)] = as_byte(input_vc);
            } else {
                node.free_channel(port, channel);
            }
        }
    }
    [[nodiscard]] bool multicast_has_space(NodeIndex index, const Node& node, int input_vc, unsigned ports) const {
        for (const int port : SetBits(ports & ~kNiuBit)) {
            if ((routers_.channels_with_space(node, port) >> routers_.multicast_channel(index, input_vc, port) & 1U) ==
                0) {
                return false;
            }
        }
        return (ports & kNiuBit) == 0 ||
               (node.blocked_channels >> routers_.multicast_channel(index, input_vc, kNiuPort) & 1U) == 0;
    }
    [[nodiscard]] bool any_link_idles(const Node& node, unsigned ports, Cycle cycle) const {
        bool idles = false;
        for (int port = 1; port < kPorts; ++port) {
            idles = idles || ((ports >> port & 1U) != 0 && routers_.link_idles(node, port, cycle));
        }
        return idles;
    }
    /// Returns whether a multicast has round-robin precedence on all its outputs, and no response requests one of them.
    [[nodiscard]] bool has_turn(NodeIndex index, const Node& node, int input_vc, unsigned ports, Cycle cycle) const {
        return std::ranges::all_of(SetBits(ports), [&](int port) {
            const ChannelMask others = node.outputs[at(port)].has_flit & routers_.channels_served(node, port, cycle);
            const int channel = routers_.multicast_channel(index, input_vc, port);
            return (others & routers_.channels.responses()) == 0 &&
                   next_round_robin(others | channel_bit(channel), node.last_sent[at(port)]) == channel;
        });
    }
    void send_multicast_flit(Step& step, int input_vc, unsigned ports, const Moment& now) {
        const NodeIndex index = step.index;
        Node& node = step.node;
        InputVc& input = node.input_vcs[at(input_vc)];
        const PacketId packet_id = routers_.front_packet(index, input_vc);
        const Packet packet = routers_.packets[packet_id];
        const bool is_reservation = front_flit_reserves(index, node, input_vc);
        node.last_multicast = as_byte(input_vc);
        routers_.take_from_buffer(step, input_vc, std::countr_zero(ports), now);
        for (const int port : SetBits(ports)) {
            const int channel = routers_.multicast_channel(index, input_vc, port);
            ++routers_.cold(index).flits_sent[at(port)];
            node.last_sent[at(port)] = as_byte(channel);
            if (port == kNiuPort) {
                routers_.eject_flit(step, packet_id, channel, step.cold.multicast_sink_ticks_per_data_flit,
                                    input.flits_left == packet.flits_from_header(), now.cycle);
            } else {
                routers_.send_over_link(step, port, channel, now);
            }
        }
        --input.flits_left;
        if (is_reservation && input_vc / kVirtualChannels == kNiuPort) {
            node.multicast &= ~State::input_vc_bit(input_vc);  // the packet waits at its source for the reply
        }
        if (input.flits_left != 0) {
            return;
        }
        input.pop_packet();
        node.multicast &= ~State::input_vc_bit(input_vc);
        if (!packet.keeps_path) {
            set_owned(index, node, input_vc, routers_.tree_ports(index, packet), false);
        }
        if (input.flits != 0) {
            routers_.look_at_front(index, node, input_vc, now);
        }
        if ((ports & kNiuBit) != 0) {
            routers_.client.packet_ejected(index, packet_id, routers_.multicast_channel(index, input_vc, kNiuPort),
                                           now.cycle);
        }
    }
    void signal(NodeIndex node, const Signal& signal) {
        std::vector<Signal>& signals = routers_.cold(node).signals;
        signals.insert(std::ranges::upper_bound(signals, signal), signal);
        routers_.node(node).signal_wake = signals.front().cycle;
        links_.wake(node, signals.front().cycle);
    }
    /// Sends the reservation's result, for the subtree from this router on, to the upstream router.
    void reply(NodeIndex index, int input_vc, Cycle cycle, bool is_reserved, bool holds) {
        const LinkEnd upstream = routers_.upstream(index, input_vc / kVirtualChannels);
        signal(upstream.node, {cycle + routers_.parameters.reservation_reply_cycles, SignalKind::reply, upstream.port,
                               as_byte(input_vc % kVirtualChannels), is_reserved, holds});
    }
    void take_reply(NodeIndex index, Node& node, const Signal& signal) {
        const int input_vc = node.outputs[signal.input_vc].owner[signal.channel];
        PathReservation& reservation = routers_.cold(index).reservations[at(input_vc)];
        reservation.has_failed = reservation.has_failed || !signal.is_reserved;
        if (signal.holds) {
            reservation.holding = as_byte(reservation.holding | 1U << signal.input_vc);
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
            const Cycle grant = routers_.tree(routers_.front(index, input_vc).tree).grant_cycles;
            this->signal(index, {signal.cycle + grant, SignalKind::granted, as_byte(input_vc)});
        }
    }
    /// Releases the outputs of this router, and of downstream routers that hold theirs.
    void release_path(NodeIndex index, Node& node, int input_vc, Cycle cycle) {
        const unsigned ports = routers_.tree_ports(index, routers_.front(index, input_vc));
        set_owned(index, node, input_vc, ports, false);
        node.multicast &= ~State::input_vc_bit(input_vc);
        routers_.cold(index).reservations[at(input_vc)].is_owned = false;
        for (const int port : SetBits(routers_.cold(index).reservations[at(input_vc)].holding)) {
            const LinkEnd end = routers_.downstream(index, port);
            const int there = end.port * kVirtualChannels + routers_.multicast_channel(index, input_vc, port);
            signal(end.node, {cycle + routers_.parameters.hop_cycles, SignalKind::release, as_byte(there)});
        }
    }
    void back_off(NodeIndex index, int input_vc, Cycle cycle) {
        auto& cold = routers_.cold(index);
        PathReservation& reservation = cold.reservations[at(input_vc)];
        const Cycle wait = backoff_cycles(routers_.parameters, index, reservation.attempts, cold.num_backoffs++);
        reservation.attempts = as_byte(std::min(reservation.attempts + 1, 255));
        signal(index, {cycle + wait, SignalKind::retry, as_byte(input_vc)});
    }

    Routers<kPorts, kVirtualChannels>& routers_;
    Links<kPorts>& links_;
};

}  // namespace nocbench::engine
