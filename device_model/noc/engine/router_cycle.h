// The rules of a router, cycle by cycle, in the order of docs/engine_rules.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "device_model/noc/engine/accelerator_uses.h"
#include "device_model/noc/engine/adaptive_ways.h"
#include "device_model/noc/engine/multicasts.h"
#include "device_model/noc/engine/virtual_channel_grants.h"
#include "device_model/noc/engine/window_arithmetic.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class RouterCycle {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using ColdNode = State::ColdNode;
    using Step = State::Step;
    using Words = LinkWords<kPorts>;

    /// Throws InputError unless the round-robin order of input ports has each of them once.
    RouterCycle(Routers<kPorts, kVirtualChannels>& routers, Links<kPorts>& links, AcceleratorUses& accelerators)
        : routers_(routers),
          grants_(routers),
          adaptive_ways_(routers),
          multicasts_(routers, links),
          accelerators_(accelerators) {}

    [[nodiscard]] VirtualChannelGrants<kPorts, kVirtualChannels>& grants() { return grants_; }
    [[nodiscard]] const Multicasts<kPorts, kVirtualChannels>& multicasts() const { return multicasts_; }

    void step_cycles(Step& step) {
        // Cycles of arrivals are hard to predict. They are therefore noted for all cycles at once, without a branch.
        const int num_lanes = routers_.num_credit_lanes();
        LinkWindow credits = 0;
        for (int port = 0; port < kPorts; ++port) {
            step.flits_arriving |= nonzero_bytes(step.in.words[at(Words::flits(port))]) << port;
        }
        for (int byte = 0; byte < routers_.num_credit_bytes(); ++byte) {
            const int first_lane = byte * Words::kLanesOfByte;
            for (int lane = first_lane; lane < std::min(first_lane + Words::kLanesOfByte, num_lanes); ++lane) {
                for (int port = 1; port < kPorts; ++port) {
                    step.credits_arriving[at(byte)] |= nonzero_bytes(step.in.words[at(Words::credits(port, lane))])
                                                       << Words::credit_bit(port, lane);
                }
            }
            credits |= step.credits_arriving[at(byte)];
        }
        bool is_busy = true;
        for (Moment now{step.start, 0}; now.offset < routers_.parameters.window_cycles; ++now.cycle, ++now.offset) {
            if (is_busy || ((step.flits_arriving | credits) >> (8 * now.offset) & 0xff) != 0 ||
                step.node.interface_wake <= now.cycle || step.node.signal_wake <= now.cycle) {
                is_busy = router_cycle(step, now);
            }
        }
    }
    [[nodiscard]] bool can_make_progress(NodeIndex index, const Node& node) const {
        if (node.multicast != 0 && multicasts_.multicast_can_progress(index, node)) {
            return true;
        }
        // The interface unblocks ejection only in a cycle at which it asked to be called.
        bool can_progress = (node.ports_with_flits & kNiuBit) != 0 || node.ports_pending != 0;
        for (const int port : SetBits(node.ports_with_flits & ~kNiuBit)) {
            can_progress |= (node.outputs[at(port)].has_flit & routers_.channels_with_space(node, port)) != 0;
        }
        return can_progress;
    }
    /// Returns whether packets of one flit leave in the cycle in which they arrive if there is no conflict.
    [[nodiscard]] bool single_flits_bypass() const {
        return accelerators_.has(Accelerator::bypass) && !routers_.has_trees();
    }

private:
    /// Packets of one flit that leave a router in the cycle in which they arrive.
    struct Bypass {
        struct Single {
            PacketId packet;
            std::uint8_t input_vc;
            std::uint8_t channel;
        };
        std::uint32_t ports = 0;             // output ports of these packets
        std::uint32_t ports_asked = 0;       // output ports for which other packets may have arrived in the same cycle
        std::array<Single, kPorts> packets;  // by output port; not initialised
    };

    // Compilers do not inline this function without the attribute, which costs 10 % of the time with packets of one
    // flit.
    /// Steps a router through a cycle; numbers of rules are those of docs/engine_rules.md. Returns whether the router
    /// can act in another cycle even if nothing arrives.
    [[gnu::always_inline]] bool router_cycle(Step& step, const Moment& now) {
        Node& node = step.node;
        // 1, 2. Credits and flits arrive. The head of a packet requests a virtual channel of its output.
        take_credits(step, now);
        Bypass bypass;
        take_flits(step, now, bypass);
        // 3. Reservations of multicasts go on.
        if (node.signal_wake <= now.cycle) {
            multicasts_.handle_signals(step, now);
        }
        // 4. The network interface acts, and a flit is read from the tile.
        if (node.interface_wake <= now.cycle) {
            node.interface_wake = kNever;
            const Cycle next = routers_.client.interface_cycle(step.index, now.cycle);
            node.interface_wake = std::min(node.interface_wake, next);
        }
        if (node.active_streams != 0) {
            issue_flit(step, now);
        }
        // 5. Multicasts send flits through all their outputs at once.
        const unsigned used_by_multicasts = node.multicast != 0 ? multicasts_.send_multicast_flits(step, now) : 0;
        // 6. Free virtual channels are granted.
        if (node.ports_pending >= (State::kIsWide ? kUnroutedBit : kChangesBit)) {
            grants_.finish_changes(node, step.cold, now.cycle);
            if (State::kIsWide && (node.ports_pending & kUnroutedBit) != 0) {
                adaptive_ways_.choose(step.index, node);
            }
        }
        for (const int port : SetBits(node.ports_pending & ~(kChangesBit | kUnroutedBit))) {
            grants_.grant_virtual_channels(step.index, node, port, now.cycle);
        }
        // 7. Each remaining output sends a flit of a unicast.
        const bool has_sent = send_unicast_flits(step, used_by_multicasts, bypass, now);
        if ((node.ports_pending & kReleasedBit) != 0) {
            grants_.grant_released(step.index, node, step.cold, now.cycle,
                                   [&](int port) { return adaptive_ways_.need_room(node, port); });
        }
        // A flit for the tile waits only for arbitration or for the rate of the tile.
        return has_sent || used_by_multicasts != 0 || node.multicast != 0 || (node.ports_with_flits & kNiuBit) != 0 ||
               node.ports_pending != 0 || routers_.can_read_tile(step.index, node);
    }
    [[gnu::always_inline]] void take_credits(const Step& step, const Moment& now) {
        for (int byte = 0; byte < routers_.num_credit_bytes(); ++byte) {
            const auto credits = as_byte(step.credits_arriving[at(byte)] >> (8 * now.offset));
            for (const int bit : SetBits(credits)) {
                const int port = Words::port_of_credit_bit(bit);
                const int word = Words::credits(port, Words::lane_of_credit_bit(byte, bit));
                routers_.take_credit(step.node, port, channel_arriving(step, word, now.offset));
            }
        }
    }
    /// Takes arriving flits. Notes in `bypass` the packets that bypass the router.
    [[gnu::always_inline]] void take_flits(Step& step, const Moment& now, Bypass& bypass) {
        Node& node = step.node;
        const auto flits = as_byte(step.flits_arriving >> (8 * now.offset));
        for (const int port : SetBits(flits)) {
            const int channel = channel_arriving(step, Words::flits(port), now.offset);
            if (const int input_vc = port * kVirtualChannels + channel; take_flit(node, input_vc)) {
                take_head(step, input_vc, now, bypass);
            }
        }
        for (const int port : SetBits(bypass.ports & (bypass.ports_asked | node.ports_with_flits))) {
            if ((node.outputs[at(port)].waiting | node.outputs[at(port)].has_flit) != 0) {
                // Another packet requests the same output: an arbiter chooses.
                const auto [packet, input_vc, channel] = bypass.packets[at(port)];
                routers_.ask_for_channel(node, input_vc, routers_.packets[packet], {port, channel});
                bypass.ports &= ~(std::uint32_t{1} << port);
                accelerators_.count(Accelerator::bypass, false);
            }
        }
    }
    /// Sends flits of unicasts. Returns whether any flit has been sent, or may be sent in the next cycle.
    [[gnu::always_inline]] bool send_unicast_flits(Step& step, unsigned used_ports, const Bypass& bypass,
                                                   const Moment& now) {
        Node& node = step.node;
        bool is_busy = false;
        unsigned used_inputs = 0;
        for (const int port : SetBits((node.ports_with_flits & ~used_ports) | bypass.ports)) {
            if ((bypass.ports >> port & 1U) != 0) {
                const bool has_passed = bypass_router(step, port, bypass, used_inputs, now);
                is_busy = is_busy || !has_passed;
                used_inputs |= has_passed ? 1U << (bypass.packets[at(port)].input_vc / kVirtualChannels) : 0;
                continue;
            }
            const int channel = next_channel(node, port, used_inputs, now.cycle);
            // Flits that lost arbitration at their input port, or wait for an idling link, may go in the next cycle.
            is_busy = is_busy || channel >= 0 || used_inputs != 0 || routers_.link_idles(node, port, now.cycle);
            if (channel >= 0) {
                used_inputs |= 1U << (node.outputs[at(port)].owner[at(channel)] / kVirtualChannels);
                send_flit(step, port, channel, now);
            }
        }
        return is_busy;
    }
    /// Puts a flit into the buffer of `input_vc`. Returns whether the flit is a head that comes to the front.
    bool take_flit(Node& node, int input_vc_index) {
        InputVc& input_vc = node.input_vcs[at(input_vc_index)];
        ++input_vc.flits;
        if (input_vc.flits_left == 0) {
            return true;
        }
        if (input_vc.output_port != kNotGranted) {
            node.set_has_flit(input_vc.output_port, channel_bit(input_vc.output_channel));
        }
        return false;
    }
    /// Takes a head that has come to the front. A packet of one flit whose output is idle needs no virtual channel.
    void take_head(Step& step, int input_vc, const Moment& now, Bypass& bypass) {
        Node& node = step.node;
        const PacketId id = routers_.front_packet(node, step.cold, input_vc);
        const Packet& packet = routers_.packets[id];
        if (packet.flits != 1 || !single_flits_bypass()) {
            bypass.ports_asked = ~std::uint32_t{0};
            routers_.look_at_front(step.index, node, input_vc, now);
            return;
        }
        const Way way = routers_.way_of(step.index, packet, input_vc);
        const auto& output = node.outputs[at(way.port)];
        const bool is_idle = (output.waiting | output.has_flit) == 0;
        if (is_idle && ((output.owned >> way.channel | bypass.ports >> way.port) & 1U) == 0 &&
            (routers_.channels_served(node, way.port, now.cycle) >> way.channel & 1U) != 0) {
            bypass.ports |= std::uint32_t{1} << way.port;
            bypass.packets[at(way.port)] = {id, as_byte(input_vc), as_byte(way.channel)};
            return;
        }
        accelerators_.count(Accelerator::bypass, false);
        bypass.ports_asked |= std::uint32_t{1} << way.port;
        routers_.ask_for_channel(node, input_vc, packet, way);
    }
    /// Sends a packet of one flit through `port`. If it cannot be sent, grants it its virtual channel and returns
    /// false.
    [[gnu::always_inline]] bool bypass_router(Step& step, int port, const Bypass& bypass, unsigned used_inputs,
                                              const Moment& now) {
        Node& node = step.node;
        auto& output = node.outputs[at(port)];
        const auto [packet, input_vc_index, channel] = bypass.packets[at(port)];
        InputVc& input_vc = node.input_vcs[input_vc_index];
        if ((port == kNiuPort && (routers_.channels_served(node, port, now.cycle) >> channel & 1U) == 0) ||
            (routers_.parameters.one_flit_per_input_port &&
             (used_inputs >> input_vc_index / kVirtualChannels & 1U) != 0)) {
            input_vc.flits_left = 1;
            grants_.grant(step.index, node, port, channel, input_vc_index, now.cycle);
            accelerators_.count(Accelerator::bypass, false);
            return false;
        }
        accelerators_.count(Accelerator::bypass, true);
        output.owner[channel] = input_vc_index;
        node.last_sent[at(port)] = channel;
        routers_.take_from_buffer(step, input_vc_index, port, now);
        input_vc.pop_packet();
        ++step.cold.flits_sent[at(port)];
        // Packets may have come to the front since.
        if (output.waiting != 0) {
            node.set_pending(port, channel_bit(channel));
        }
        if (port != kNiuPort) {
            routers_.push_downstream(step.index, port, channel, packet);
            routers_.send_over_link(step, port, channel, now);
        } else {
            routers_.eject_flit(step, packet, channel, kTicksPerCycle, true, now.cycle);
            routers_.client.packet_ejected(step.index, packet, channel, now.cycle);
        }
        return true;
    }
    void issue_flit(Step& step, const Moment& now) {
        Node& node = step.node;
        ColdNode& cold = step.cold;
        const Tick tick = ticks_from_cycles(now.cycle);
        const int number = node.source.allows(tick) ? routers_.next_stream(node, cold, node.active_streams, tick) : -1;
        if (number < 0) {
            return;
        }
        Stream& stream = cold.streams[at(number)];
        const PacketId packet = stream.packet;
        if (stream.read.flits == 0) {
            routers_.push_packet(step.index, number, packet);
        }
        routers_.read_flit(node, number, stream, tick);
        if (now.offset + routers_.parameters.injection_cycles < routers_.parameters.window_cycles) {
            // Injection can take less than a window: flits that arrive in this window must be added to it.
            const int arrival = now.offset + static_cast<int>(routers_.parameters.injection_cycles);
            step.in.add(Words::flits(kNiuPort), in_cycle(arrival, number));
            step.flits_arriving |= LinkWindow{1} << (8 * arrival + kNiuPort);
        } else {
            step.sent.add(Words::flits(kNiuPort), in_cycle(now.offset, number));
        }
        if (stream.read.flits == stream.flits) {
            const FlitsRead read = stream.read;
            if (stream.next_flits != 0) {
                stream.begin(stream.next_packet, stream.next_flits, stream.next_start, stream.next_ticks_per_flit);
                stream.next_flits = 0;
            } else {
                stream.flits = 0;
                node.active_streams &= ~(1U << number);
            }
            routers_.client.stream_finished(step.index, number, packet, read);
        }
        if (routers_.can_start(stream)) {
            routers_.client.stream_can_start(step.index, number, now.cycle);
        }
    }
    /// Returns the virtual channel that sends the next unicast flit through `port`, or -1. Input ports of `used_inputs`
    /// have already sent a flit.
    [[nodiscard]] int next_channel(const Node& node, int port, unsigned used_inputs, Cycle cycle) const {
        const auto& output = node.outputs[at(port)];
        ChannelMask candidates = output.has_flit & routers_.channels_served(node, port, cycle);
        while (candidates != 0) {
            const int channel = next_round_robin(candidates, node.last_sent[at(port)]);
            const int input_port = output.owner[at(channel)] / kVirtualChannels;
            if (!routers_.parameters.one_flit_per_input_port || (used_inputs >> input_port & 1U) == 0) {
                return channel;
            }
            candidates &= ~channel_bit(channel);
        }
        return -1;
    }
    void send_flit(Step& step, int port, int channel, const Moment& now) {
        Node& node = step.node;
        auto& output = node.outputs[at(port)];
        const int input_vc_index = output.owner[at(channel)];
        InputVc& input_vc = node.input_vcs[at(input_vc_index)];
        node.last_sent[at(port)] = as_byte(channel);
        routers_.take_from_buffer(step, input_vc_index, port, now);
        node.clear_has_flit(port, ChannelMask{input_vc.flits == 0} << channel);
        if (port != kNiuPort) {
            routers_.send_over_link(step, port, channel, now);
        } else {
            const PacketId packet = routers_.front_packet(step.index, input_vc_index);
            const bool is_header = (node.heads_to_eject & channel_bit(channel)) != 0;
            node.heads_to_eject &= ~channel_bit(channel);
            routers_.eject_flit(step, packet, channel, node.sink_ticks_per_data_flit, is_header, now.cycle);
        }
        if (--input_vc.flits_left == 0) {
            finish_packet(step, port, channel, now);
        }
    }
    /// Ends a unicast packet whose tail has left.
    void finish_packet(Step& step, int port, int channel, const Moment& now) {
        auto& output = step.node.outputs[at(port)];
        const int input_vc_index = output.owner[at(channel)];
        InputVc& input_vc = step.node.input_vcs[at(input_vc_index)];
        const PacketId packet = routers_.take_front_packet(step, input_vc_index, port);
        input_vc.output_port = kNotGranted;
        step.node.clear_has_flit(port, channel_bit(channel));
        grants_.give_back(step.node, step.cold, port, channel, now.cycle);
        if (input_vc.flits != 0) {
            routers_.look_at_front(step.index, step.node, input_vc_index, now);
        }
        if (port == kNiuPort) {
            routers_.client.packet_ejected(step.index, packet, channel, now.cycle);
        }
    }

    /// Returns the virtual channel of the flit or credit of a word in a cycle.
    static int channel_arriving(const Step& step, int word, int offset) {
        return channel_in(step.in.words[at(word)], offset);
    }

    Routers<kPorts, kVirtualChannels>& routers_;
    VirtualChannelGrants<kPorts, kVirtualChannels> grants_;
    AdaptiveWays<kPorts, kVirtualChannels> adaptive_ways_;
    Multicasts<kPorts, kVirtualChannels> multicasts_;
    AcceleratorUses& accelerators_;
};

}  // namespace nocbench::engine
