// Windows of routers in which each input port and each output port has one packet at most, and no packet begins or
// ends: two windows in three in all to all on the chips. The result equals that of SteadyState, flit by flit.
#pragma once

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/steady_state.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class ConflictFree {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using ColdNode = State::ColdNode;
    using Step = State::Step;
    using Words = LinkWords<kPorts>;
    using SteadyWindow = engine::SteadyWindow<kPorts>;

    ConflictFree(Routers<kPorts, kVirtualChannels>& routers, const SteadyState<kPorts, kVirtualChannels>& steady_state)
        : routers_(routers),
          parameters_(routers.parameters),
          steady_state_(steady_state),
          ports_(steady_state.ports()) {}

    /// Steps a router through the window that begins at `start`. `in` holds the words that arrive; `send(word, bytes)`
    /// is called for each word sent. Refuses if an unexpected word arrives or a packet may end.
    template <class Send>
    Outcome try_window(NodeIndex index, Traffic<kPorts>& in, Cycle start, const Send& send) {
        Node& node = routers_.node(index);
        ColdNode& cold = routers_.cold(index);
        const Cycle end = start + parameters_.window_cycles;
        if (std::min(node.interface_wake, node.signal_wake) < end || node.ports_pending != 0) {
            return Outcome::refused;
        }
        const int num_active_vcs = node.num_active_vcs;
        SteadyWindow window;
        std::uint32_t expected = 0;     // words
        LinkWindow other_channels = 0;  // not 0 if a link brings a flit or credit of another virtual channel
        bool pool_may_fill = false;
        for (int number = 0; number < num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            const LinkWindow flits = in.words[at(Words::flits(active_vc.input_port))];
            const LinkWindow arriving = nonzero_bytes(flits);
            other_channels |= flits ^ arriving * (active_vc.input_vc % kVirtualChannels + 1U);
            expected |= std::uint32_t{1} << Words::flits(active_vc.input_port);
            LinkWindow credits = 0;
            if (active_vc.port != kNiuPort) {
                // Expects credits of any one output downstream.
                const std::uint32_t words = in.present & Words::credit_words(active_vc.port);
                expected |= words & (~words + 1);
                if (words != 0) {
                    const LinkWindow bytes = in.words[at(std::countr_zero(words))];
                    credits = nonzero_bytes(bytes);
                    other_channels |= bytes ^ credits * (active_vc.channel + 1U);
                }
                pool_may_fill = pool_may_fill || ports_.pool_can_fill(node, active_vc.port);
            }
            window.lanes[at(number)] = {arriving, credits, 0, active_vc.flits, active_vc.used, 0};
        }
        if (pool_may_fill || other_channels != 0 || (in.present & ~expected) != 0) {
            return Outcome::refused;
        }
        if (end > node.quiet_until) {
            Sent<kPorts> sent;
            if (!steady_state_.may_advance({index, node, cold, start, in, sent}, window) || window.may_end) {
                return Outcome::refused;
            }
        }
        in.clear();
        bool can_progress = false;
        for (int number = 0; number < num_active_vcs; ++number) {
            ActiveVc& active_vc = node.active_vcs[at(number)];
            ActiveVcWindow& lane = window.lanes[at(number)];
            LinkWindow injected = 0;
            ports_.advance(node, cold, start, injected, active_vc, lane);
            if (active_vc.is_read_from_tile) {
                can_progress =
                    can_progress || cold.streams[active_vc.input_vc].in_buffer < parameters_.injection_buffer_flits;
                if (injected != 0) {
                    send(Words::flits(kNiuPort), injected);
                }
            }
            active_vc.flits = as_byte(lane.flits);
            if (active_vc.port != kNiuPort) {
                ports_.count_downstream(node, active_vc, lane.used);
            }
            if (lane.sent != 0) {
                active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - count_ones(lane.sent));
                ports_.send_and_free(cold, active_vc, lane.sent, send);
            }
            can_progress = can_progress || ports_.may_send(node, active_vc);
        }
        return can_progress ? Outcome::awake : Outcome::asleep;
    }

private:
    Routers<kPorts, kVirtualChannels>& routers_;
    const NetworkParameters& parameters_;
    const SteadyState<kPorts, kVirtualChannels>& steady_state_;
    const PortWindows<kPorts, kVirtualChannels>& ports_;
};

}  // namespace nocbench::engine
