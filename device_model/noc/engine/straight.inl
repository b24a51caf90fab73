// Blocks of routers of which each input port and each output port has one packet at most, while none of these begins or
// ends: in all to all on the chips, two blocks in three. All that comes is flits of these packets and their credits, so
// there is little to look at, and what is sent is put on links at once. Where blocks are remembered, as
// repetition.inl has it, that is not worth while.
//
// The result is that of Network::step_undisturbed, flit by flit.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

/// Steps a router through the block that begins at `start`. Returns false, and changes nothing, if anything else comes
/// than is expected, or a packet may end.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::step_straight(NodeIndex index, Cycle start) {
    Node& node = nodes_[index];
    Traffic& in = arriving_[stepped_rank_];
    const Cycle end = start + parameters_.block_cycles;
    if (std::min(node.interface_wake, node.signal_wake) < end || node.ports_pending != 0) {
        return false;
    }
    const int num_wires = node.num_wires;
    Undisturbed block;
    std::uint32_t expected = 0;    // words
    LinkBlock other_channels = 0;  // not 0 if links bring anything of another virtual channel
    bool pool_may_fill = false;
    for (int number = 0; number < num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        const LinkBlock flits = in.words[at(Traffic::flits(wire.input_port))];
        const LinkBlock arriving = nonzero_bytes(flits);
        other_channels |= flits ^ arriving * (wire.slot % kVirtualChannels + 1U);
        expected |= std::uint32_t{1} << Traffic::flits(wire.input_port);
        LinkBlock credits = 0;
        if (wire.port != kNiuPort) {
            // Those of one output downstream are expected, whichever that is.
            const std::uint32_t words = in.present & Traffic::credit_words(wire.port);
            expected |= words & (~words + 1);
            if (words != 0) {
                const LinkBlock bytes = in.words[at(std::countr_zero(words))];
                credits = nonzero_bytes(bytes);
                other_channels |= bytes ^ credits * (wire.channel + 1U);
            }
            pool_may_fill = pool_may_fill || pool_can_fill(node, wire.port);
        }
        block.lanes[at(number)] = {arriving, credits, 0, wire.flits, wire.used, 0, 0};
    }
    if (pool_may_fill || other_channels != 0 || (in.present & ~expected) != 0) {
        return false;
    }
    if (end > node.quiet_until) {
        Sent sent;
        if (!may_advance({index, node, cold_[index], start, in, sent}, block) || block.may_end) {
            return false;
        }
    }
    in.clear();
    bool can_progress = false;
    for (int number = 0; number < num_wires; ++number) {
        Wire& wire = node.wires[at(number)];
        WireBlock& lane = block.lanes[at(number)];
        if (wire.is_read_from_tile) {
            LinkBlock injected = 0;
            Stream& stream = cold_[index].streams[wire.slot];
            send_from_tile(node, stream, start, injected, wire, lane);
            can_progress = can_progress || stream.in_buffer < parameters_.injection_buffer_flits;
            if (injected != 0) {
                put_on_link(index, Traffic::flits(kNiuPort), injected);
            }
        } else if (wire.port == kNiuPort) {
            eject(node, start, wire, lane);
        } else {
            send_through(node, start, wire, lane);
        }
        wire.flits = static_cast<std::uint8_t>(lane.flits);
        if (wire.port != kNiuPort) {
            count_downstream(node, wire, lane.used);
        }
        if (lane.sent != 0) {
            wire.flits_left = static_cast<std::uint16_t>(wire.flits_left - count_ones(lane.sent));
            send_and_free(cold_[index], wire, lane.sent,
                          [&](int word, LinkBlock bytes) { put_on_link(index, word, bytes); });
        }
        can_progress = can_progress || may_send(node, wire);
    }
    if (can_progress) {
        wakes_in_next_block_[stepped_rank_ / 64] |= bit(stepped_rank_ % 64);
    }
    return true;
}

}  // namespace nocbench
