// Active VCs: packets that own virtual channels of a router, with all state that changes from window to window.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/noc/engine/accelerator_uses.h"
#include "device_model/noc/engine/router.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class ActiveVcs {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using Step = State::Step;
    using Words = LinkWords<kPorts>;

    ActiveVcs(Routers<kPorts, kVirtualChannels>& routers, const AcceleratorUses& accelerators)
        : routers_(routers), accelerators_(accelerators) {}

    /// Finds the packets that own virtual channels. Returns false if there are too many, or if a multicast may move.
    bool find(const Step& step) const {
        Node& node = step.node;
        if (node.multicast != 0) {
            return false;
        }
        node.num_active_vcs = 0;
        node.active_vc_of.fill(kNoActiveVc);
        for (int port = 0; port < kPorts; ++port) {
            const auto& output = node.outputs[at(port)];
            const int first = node.num_active_vcs;
            for (const int channel : SetBits(output.owned)) {
                const int input_vc_index = output.owner[at(channel)];
                const InputVc& input_vc = node.input_vcs[at(input_vc_index)];
                if (input_vc.output_port != port || input_vc.output_channel != channel) {
                    continue;  // owned by a multicast
                }
                if (node.num_active_vcs == kActiveVcsMax || node.num_active_vcs - first == kActiveVcsOfPortMax) {
                    return false;
                }
                ActiveVc& added = node.active_vcs[node.num_active_vcs++];
                added = make(step, input_vc_index, {port, channel});
                added.flits = as_byte(input_vc.flits);
                added.flits_left = input_vc.flits_left;
            }
        }
        renumber(node, 0);
        relate(node);
        node.tracks_active_vcs = true;
        return true;
    }
    /// Returns the active VC of a packet that leaves by `way`, without its flits.
    [[nodiscard]] ActiveVc make(const Step& step, int input_vc, const Way& way) const {
        const int input_port = input_vc / kVirtualChannels;
        return {.input_vc = as_byte(input_vc),
                .port = as_byte(way.port),
                .channel = as_byte(way.channel),
                .input_port = as_byte(input_port),
                .is_read_from_tile = routers_.is_read(step, input_vc),
                .used = step.node.outputs[at(way.port)].used[at(way.channel)],
                .flits_word = as_byte(Words::flits(way.port)),
                .credits_word = as_byte(Words::credits(input_port, routers_.credit_lane(way.port)))};
    }
    /// Writes the counts of active VCs back to input VCs and outputs, and stops tracking active VCs.
    void write_back(NodeIndex index) const {
        Node& node = routers_.node(index);
        if (!node.tracks_active_vcs) {
            return;
        }
        node.tracks_active_vcs = node.is_conflict_free = false;
        for (int number = 0; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            InputVc& input_vc = node.input_vcs[active_vc.input_vc];
            input_vc.flits = active_vc.flits;
            input_vc.flits_left = active_vc.flits_left;
            auto& output = node.outputs[active_vc.port];
            const ChannelMask mask = channel_bit(active_vc.channel);
            if (active_vc.flits != 0) {
                node.set_has_flit(active_vc.port, mask);
            } else {
                node.clear_has_flit(active_vc.port, mask);
            }
            routers_.set_used_beside_pool(output, active_vc.channel, active_vc.used);
        }
    }
    /// Notes whether active VCs interact, whether none conflict, and how many are read from the tile.
    void relate(Node& node) const {
        int num_read = 0;
        unsigned inputs = 0;  // of the previous ports
        unsigned inputs_of_port = 0;
        int port = 0;
        bool share_input = false;
        unsigned ports = 0;
        for (int number = 0; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            ports |= 1U << active_vc.port;
            if (active_vc.port != port) {
                port = active_vc.port;
                inputs |= std::exchange(inputs_of_port, 0);
            }
            inputs_of_port |= 1U << active_vc.input_port;
            share_input = share_input || (inputs >> active_vc.input_port & 1U) != 0;
            if (active_vc.is_read_from_tile) {
                ++num_read;
            }
        }
        node.active_vcs_interact = (routers_.parameters.one_flit_per_input_port && share_input) || num_read > 1;
        node.num_read = as_byte(num_read);
        node.is_conflict_free = accelerators_.has(Accelerator::conflict_free) && !node.counted &&
                                std::popcount(ports) == node.num_active_vcs &&
                                std::popcount(inputs | inputs_of_port) == node.num_active_vcs;
    }
    /// Ends packets whose tails have left. Only the packets behind them request their virtual channels.
    void end(Step& step) const {
        Node& node = step.node;
        for (int number = node.num_active_vcs - 1; number >= 0; --number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            if (active_vc.flits_left != 0) {
                continue;
            }
            InputVc& input_vc = node.input_vcs[active_vc.input_vc];
            auto& output = node.outputs[active_vc.port];
            routers_.take_front_packet(step, active_vc.input_vc, active_vc.port);
            input_vc.flits = active_vc.flits;
            input_vc.flits_left = 0;
            input_vc.output_port = kNotGranted;
            node.clear_has_flit(active_vc.port, channel_bit(active_vc.channel));
            output.owned &= ~channel_bit(active_vc.channel);
            routers_.set_used_beside_pool(output, active_vc.channel, active_vc.used);
            const int input_vc_index = active_vc.input_vc;
            remove(node, number);
            if (input_vc.flits != 0) {
                routers_.look_at_front(step.index, node, input_vc_index,
                                       {step.start + routers_.parameters.window_cycles - 1, 0});
            }
        }
        relate(node);
    }
    static void remove(Node& node, int number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        node.active_vc_of[State::of_input_vc(active_vc.input_vc)] = kNoActiveVc;
        node.active_vc_of[State::of_output(active_vc.port, active_vc.channel)] = kNoActiveVc;
        ActiveVc* const removed = node.active_vcs.data() + number;
        std::copy(removed + 1, node.active_vcs.data() + node.num_active_vcs, removed);
        --node.num_active_vcs;
        renumber(node, number);
    }
    /// Inserts an active VC in order of output port and virtual channel. Returns its number.
    static int insert(Node& node, const ActiveVc& active_vc) {
        const auto is_before = [&active_vc](const ActiveVc& other) {
            return other.port < active_vc.port || (other.port == active_vc.port && other.channel < active_vc.channel);
        };
        ActiveVc* const last = node.active_vcs.data() + node.num_active_vcs;
        const auto place = std::count_if(node.active_vcs.data(), last, is_before);
        std::copy_backward(node.active_vcs.data() + place, last, last + 1);
        ++node.num_active_vcs;
        node.active_vcs[at(place)] = active_vc;
        renumber(node, static_cast<int>(place));
        return static_cast<int>(place);
    }
    [[nodiscard]] static bool has_room(const Node& node, int port) {
        const auto* const first = node.active_vcs.data();
        const auto is_of_port = [port](const ActiveVc& active_vc) { return active_vc.port == port; };
        return node.num_active_vcs < kActiveVcsMax &&
               std::count_if(first, first + node.num_active_vcs, is_of_port) < kActiveVcsOfPortMax;
    }
    /// Returns the number of the first active VC behind those of the port of `first`.
    [[nodiscard]] static int end_of_port(const Node& node, int first) {
        int last = first + 1;
        while (last < node.num_active_vcs && node.active_vcs[at(last)].port == node.active_vcs[at(first)].port) {
            ++last;
        }
        return last;
    }

private:
    /// Renumbers the active VCs from `first` on after an insertion or removal.
    static void renumber(Node& node, int first) {
        node.quiet_until = 0;
        for (int number = first; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            node.active_vc_of[State::of_input_vc(active_vc.input_vc)] = as_byte(number);
            node.active_vc_of[State::of_output(active_vc.port, active_vc.channel)] = as_byte(number);
        }
    }

    Routers<kPorts, kVirtualChannels>& routers_;
    const AcceleratorUses& accelerators_;
};

}  // namespace nocbench::engine
