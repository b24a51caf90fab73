// Windows of routers of which each input port and each output port has one packet at most, while none of these begins
// or ends: in all to all on the chips, two windows in three. All that comes is flits of these packets and their
// credits, so there is little to look at, and what is sent is put on links at once.
//
// The result is that of step_steady_state, flit by flit.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

/// Steps a router through the window that begins at `start`. Returns false, and changes nothing, if anything else comes
/// than is expected, or a packet may end.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::step_conflict_free(NodeIndex index, Cycle start) {
    Node& node = nodes_[index];
    Traffic& in = arriving_[stepped_rank_];
    const Cycle end = start + parameters_.window_cycles;
    if (std::min(node.interface_wake, node.signal_wake) < end || node.ports_pending != 0) {
        return false;
    }
    const int num_active_vcs = node.num_active_vcs;
    SteadyState window;
    std::uint32_t expected = 0;     // words
    LinkWindow other_channels = 0;  // not 0 if links bring anything of another virtual channel
    bool pool_may_fill = false;
    for (int number = 0; number < num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        const LinkWindow flits = in.words[at(Traffic::flits(active_vc.input_port))];
        const LinkWindow arriving = nonzero_bytes(flits);
        other_channels |= flits ^ arriving * (active_vc.input_vc % kVirtualChannels + 1U);
        expected |= std::uint32_t{1} << Traffic::flits(active_vc.input_port);
        LinkWindow credits = 0;
        if (active_vc.port != kNiuPort) {
            // Those of one output downstream are expected, whichever that is.
            const std::uint32_t words = in.present & Traffic::credit_words(active_vc.port);
            expected |= words & (~words + 1);
            if (words != 0) {
                const LinkWindow bytes = in.words[at(std::countr_zero(words))];
                credits = nonzero_bytes(bytes);
                other_channels |= bytes ^ credits * (active_vc.channel + 1U);
            }
            pool_may_fill = pool_may_fill || pool_can_fill(node, active_vc.port);
        }
        window.lanes[at(number)] = {arriving, credits, 0, active_vc.flits, active_vc.used, 0};
    }
    if (pool_may_fill || other_channels != 0 || (in.present & ~expected) != 0) {
        return false;
    }
    if (end > node.quiet_until) {
        Sent sent;
        if (!may_advance({index, node, cold_[index], start, in, sent}, window) || window.may_end) {
            return false;
        }
    }
    in.clear();
    bool can_progress = false;
    for (int number = 0; number < num_active_vcs; ++number) {
        ActiveVc& active_vc = node.active_vcs[at(number)];
        ActiveVcWindow& lane = window.lanes[at(number)];
        if (active_vc.is_read_from_tile) {
            LinkWindow injected = 0;
            Stream& stream = cold_[index].streams[active_vc.input_vc];
            send_from_tile(node, stream, start, injected, active_vc, lane);
            can_progress = can_progress || stream.in_buffer < parameters_.injection_buffer_flits;
            if (injected != 0) {
                put_on_link(index, Traffic::flits(kNiuPort), injected);
            }
        } else if (active_vc.port == kNiuPort) {
            eject(node, start, active_vc, lane);
        } else {
            send_through(node, start, active_vc, lane);
        }
        active_vc.flits = static_cast<std::uint8_t>(lane.flits);
        if (active_vc.port != kNiuPort) {
            count_downstream(node, active_vc, lane.used);
        }
        if (lane.sent != 0) {
            active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - count_ones(lane.sent));
            send_and_free(cold_[index], active_vc, lane.sent,
                          [&](int word, LinkWindow bytes) { put_on_link(index, word, bytes); });
        }
        can_progress = can_progress || may_send(node, active_vc);
    }
    if (can_progress) {
        wakes_in_next_window_[stepped_rank_ / 64] |= bit(stepped_rank_ % 64);
    }
    return true;
}

}  // namespace nocbench
