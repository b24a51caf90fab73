#include "device_model/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "device_model/error.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::bit;
using network_detail::next_round_robin;

}  // namespace

template <int kPorts, int kVirtualChannels>
Network<kPorts, kVirtualChannels>::Network(const Topology& topology, const NetworkParameters& parameters,
                                           PacketPool& packets, NetworkClient& client)
    : topology_(topology),
      parameters_(parameters),
      packets_(packets),
      client_(client),
      nodes_(at(topology.num_nodes)),
      cold_(at(topology.num_nodes)),
      upstream_(at(topology.num_nodes) * kPorts),
      mask_words_((topology.num_nodes + 63) / 64),
      wake_masks_(at(mask_words_) * kWakeBlocks) {
    const Cycle longest =
        std::max({parameters.hop_cycles, parameters.credit_return_cycles, parameters.injection_cycles});
    if (parameters.block_cycles < 1 || parameters.block_cycles > kBlockCyclesMax ||
        longest / parameters.block_cycles >= kLatencyBlocksMax) {
        throw InputError(fmt::format(
            "latencies of a network: expected at most {} times the shortest, which is {} cycles, found {} cycles",
            kLatencyBlocksMax, parameters.block_cycles, longest));
    }
    const int buffered_packets =
        std::max(parameters.injection_buffer_flits,
                 parameters.private_flits_per_virtual_channel + parameters.shared_flits_per_virtual_channel_max + 1);
    if (buffered_packets > kQueueSize) {
        throw InputError(
            fmt::format("buffers of a network: expected at most {} packets of one flit in one of them, found {}",
                        kQueueSize, buffered_packets));
    }
    hop_ = delay(parameters.hop_cycles);
    credit_return_ = delay(parameters.credit_return_cycles);
    injection_ = delay(parameters.injection_cycles);
    block_mask_ = ~LinkBlock{0} >> (64 - 8 * parameters.block_cycles);
    for (int node = 0; node < topology.num_nodes; ++node) {
        for (int port = 1; port < kPorts; ++port) {
            const Topology::Link& link = topology.link(node, port);
            if (link.exists) {
                upstream_[at(link.neighbour * kPorts + link.neighbour_port)] = {static_cast<NodeIndex>(node),
                                                                                static_cast<std::uint8_t>(port), true};
            }
        }
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::set_rates(NodeIndex node, Tick source_ticks_per_data_flit,
                                                  Tick sink_ticks_per_data_flit,
                                                  Tick multicast_sink_ticks_per_data_flit) {
    nodes_[node].source_ticks_per_data_flit = source_ticks_per_data_flit;
    nodes_[node].sink_ticks_per_data_flit = sink_ticks_per_data_flit;
    nodes_[node].multicast_sink_ticks_per_data_flit = multicast_sink_ticks_per_data_flit;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::meter_data_flits(NodeIndex node) {
    nodes_[node].metered = true;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::start_stream(NodeIndex node, int stream, PacketId packet, Cycle start,
                                                     Tick ticks_per_flit) {
    cold_[node].flits_injected += packets_[packet].flits;
    Stream& state = cold_[node].streams[at(stream)];
    if (state.flits != 0) {
        state.next_packet = packet;
        state.next_flits = packets_[packet].flits;
        state.next_start = start;
        state.next_ticks_per_flit = ticks_per_flit;
        return;
    }
    begin_stream(state, packet, start, ticks_per_flit);
    nodes_[node].active_streams |= 1U << stream;
    wake(node, start);
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::begin_stream(Stream& stream, PacketId packet, Cycle start,
                                                     Tick ticks_per_flit) {
    stream.packet = packet;
    stream.flits = packets_[packet].flits;
    stream.issued = 0;
    stream.start = start;
    stream.next_tick = ticks_from_cycles(start);
    stream.ticks_per_flit = ticks_per_flit;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::can_start_stream(NodeIndex node, int stream) const {
    const Stream& state = cold_[node].streams[at(stream)];
    return state.flits == 0 || (state.next_flits == 0 && is_near_its_end(state));
}

template <int kPorts, int kVirtualChannels>
TreeIndex Network<kPorts, kVirtualChannels>::add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) {
    trees_.push_back({std::move(outputs), grant_cycles});
    return static_cast<TreeIndex>(trees_.size() - 1);
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::block_request_ejection(NodeIndex node, bool blocked) {
    nodes_[node].request_ejection_blocked = blocked;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::wake_interface(NodeIndex node, Cycle cycle) {
    if (cycle < nodes_[node].interface_wake) {
        nodes_[node].interface_wake = cycle;
        wake(node, cycle);
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::wake(NodeIndex node, Cycle cycle) {
    wake_in_block(node, std::max(cycle / parameters_.block_cycles, current_block_));
}

template <int kPorts, int kVirtualChannels>
Cycle Network<kPorts, kVirtualChannels>::next_active_block() const {
    // What was far away when it was noted can have come near meanwhile.
    const Cycle far = far_wakes_.empty() ? kNever : far_wakes_.top().first;
    const Cycle end = num_woken_ == 0 ? current_block_ : std::min(current_block_ + kWakeBlocks, far);
    for (Cycle block = current_block_; block < end; ++block) {
        if (wake_counts_[at(block % kWakeBlocks)] != 0) {
            return block * parameters_.block_cycles;
        }
    }
    return far == kNever ? kNever : far * parameters_.block_cycles;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::step_block(Cycle block_start) {
    current_block_ = block_start / parameters_.block_cycles;
    while (!far_wakes_.empty() && far_wakes_.top().first <= current_block_) {
        wake(far_wakes_.top().second, block_start);
        far_wakes_.pop();
    }
    const auto row = at(current_block_ % kWakeBlocks);
    if (wake_counts_[row] != 0) {
        // A router that is stepped wakes routers, itself included, in later blocks only.
        ++current_block_;
        num_woken_ -= wake_counts_[row];
        wake_counts_[row] = 0;
        for (int word = 0; word < mask_words_; ++word) {
            std::uint64_t mask = wake_masks_[row * at(mask_words_) + at(word)];
            wake_masks_[row * at(mask_words_) + at(word)] = 0;
            for (; mask != 0; mask &= mask - 1) {
                step_node(static_cast<NodeIndex>(word * 64 + std::countr_zero(mask)), block_start);
            }
        }
    } else {
        ++current_block_;
    }
}

template <int kPorts, int kVirtualChannels>
auto Network<kPorts, kVirtualChannels>::delay(Cycle latency) const -> Delay {
    return {static_cast<int>(latency / parameters_.block_cycles), static_cast<int>(latency % parameters_.block_cycles)};
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::step_node(NodeIndex index, Cycle start) {
    Node& node = nodes_[index];
    const Cycle end = start + parameters_.block_cycles;
    const std::size_t ring = at(current_block_ - 1) % kRingBlocks;
    Arrivals arrivals;
    for (int port = 0; port < kPorts; ++port) {
        arrivals.flits[at(port)] = std::exchange(node.arriving_flits[at(port)][ring], 0);
        arrivals.credits[at(port)] = std::exchange(node.arriving_credits[at(port)][ring], 0);
    }
    if (!shortcuts_ ||
        (!step_passing_packet(index, node, arrivals, start) && !step_single_packet(index, node, arrivals, start) &&
         !step_undisturbed(index, node, arrivals, start))) {
        bool is_busy = true;
        for (Moment now{start, 0}; now.cycle < end; ++now.cycle, ++now.offset) {
            LinkBlock arriving = 0;
            for (int port = 0; port < kPorts; ++port) {
                arriving |= arrivals.flits[at(port)] | arrivals.credits[at(port)];
            }
            if (is_busy || (arriving >> (8 * now.offset) & 0xff) != 0 || node.interface_wake <= now.cycle ||
                node.signal_wake <= now.cycle) {
                is_busy = step_cycle(index, node, arrivals, now);
            }
        }
    }

    if (can_make_progress(index, node)) {
        wake_in_block(index, current_block_);
    } else {
        for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
            const Stream& stream = cold_[index].streams[at(std::countr_zero(rest))];
            if (stream.in_buffer < parameters_.injection_buffer_flits) {
                wake(index, std::max(stream.start, end));
            }
        }
    }
    if (const Cycle next = std::min(node.interface_wake, node.signal_wake); next != kNever) {
        wake(index, std::max(next, end));
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::take_credit(Node& node, int port, int channel) {
    const bool pool_was_full = node.pool_used[at(port)] >= parameters_.shared_flits_per_input_port;
    if (node.used[at(port)][at(channel)]-- > parameters_.private_flits_per_virtual_channel) {
        --node.pool_used[at(port)];
    }
    if (pool_was_full) {
        update_space(node, port);
    } else if ((node.owned[at(port)] >> channel & 1U) != 0 && channel_has_space(node, port, channel)) {
        node.has_space[at(port)] |= bit(node.owner[at(port)][at(channel)]);
    }
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::can_read_tile(NodeIndex index, const Node& node) const {
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        if (cold_[index].streams[at(std::countr_zero(rest))].in_buffer < parameters_.injection_buffer_flits) {
            return true;
        }
    }
    return false;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_cycle(NodeIndex index, Node& node, Arrivals& arrivals, const Moment& now) {
    const int shift = 8 * now.offset;
    for (int port = 0; port < kPorts; ++port) {
        const auto arrival = static_cast<int>(arrivals.flits[at(port)] >> shift & 0xff);
        if (arrival != 0) {
            const int slot = port * kVirtualChannels + arrival - 1;
            if (node.slots[at(slot)].flits++ == 0) {
                node.nonempty |= bit(slot);
                if (node.slots[at(slot)].flits_left == 0) {
                    look_at_front(index, node, slot, now);
                }
            }
        }
    }
    for (int port = 1; port < kPorts; ++port) {
        const auto credit = static_cast<int>(arrivals.credits[at(port)] >> shift & 0xff);
        if (credit != 0) {
            take_credit(node, port, credit - 1);
        }
    }

    if (node.signal_wake <= now.cycle) {
        handle_signals(index, node, now);
    }
    if (node.interface_wake <= now.cycle) {
        node.interface_wake = kNever;
        const Cycle next = client_.interface_cycle(index, now.cycle);
        node.interface_wake = std::min(node.interface_wake, next);
    }
    if (node.active_streams != 0) {
        issue_flit(index, node, arrivals, now);
    }

    SlotMask used_input_ports = 0;
    unsigned used_outputs = 0;
    if (node.multicast != 0) {
        send_multicast_flits(index, node, now, used_input_ports, used_outputs);
    }
    for (int port = 0; port < kPorts; ++port) {
        if ((node.allocation_pending >> port & 1) != 0) {
            grant_virtual_channels(index, node, port);
        }
        if ((used_outputs >> port & 1U) != 0) {
            continue;
        }
        const SlotMask candidates = unicast_candidates(node, port, now.cycle) & ~used_input_ports;
        if (candidates == 0) {
            continue;
        }
        const int slot = next_round_robin(candidates, node.last_sent[at(port)]);
        node.last_sent[at(port)] = static_cast<std::uint8_t>(slot);
        used_input_ports |= ((bit(kVirtualChannels) - 1) << (slot / kVirtualChannels * kVirtualChannels));
        send_flit(index, node, port, slot, now);
    }
    // A flit for the tile can wait for nothing but its turn or the rate of the tile.
    const bool is_busy = node.multicast != 0 || (node.granted[kNiuPort] & node.nonempty) != 0;
    return is_busy || used_input_ports != 0 || node.allocation_pending != 0 || can_read_tile(index, node);
}

template <int kPorts, int kVirtualChannels>
auto Network<kPorts, kVirtualChannels>::unicast_candidates(const Node& node, int port, Cycle cycle) const -> SlotMask {
    SlotMask candidates = node.granted[at(port)] & node.nonempty;
    if (port != kNiuPort) {
        return candidates & node.has_space[at(port)];
    }
    if (candidates == 0) {
        return 0;
    }
    if (node.request_ejection_blocked) {
        for (SlotMask rest = candidates; rest != 0; rest &= rest - 1) {
            const int slot = std::countr_zero(rest);
            if (node.slots[at(slot)].output_channel % kNumSoftwareVirtualChannels < kFirstResponseVirtualChannel) {
                candidates &= ~bit(slot);
            }
        }
    }
    // The tile takes data a little slower than one flit per cycle: now and then it skips a cycle.
    return node.sink_next_tick >= ticks_from_cycles(cycle + 1) ? 0 : candidates;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::can_make_progress(NodeIndex index, const Node& node) const {
    if (node.allocation_pending != 0 || (node.multicast != 0 && multicast_can_progress(index, node))) {
        return true;
    }
    // The interface unblocks ejection in a cycle that it asks to be called at.
    SlotMask ready = node.granted[kNiuPort] & node.nonempty;
    for (int port = 1; port < kPorts; ++port) {
        ready |= node.granted[at(port)] & node.nonempty & node.has_space[at(port)];
    }
    return ready != 0;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::issue_flit(NodeIndex index, Node& node, Arrivals& arrivals, const Moment& now) {
    const Cycle cycle = now.cycle;
    ColdNode& cold = cold_[index];
    const std::uint64_t active = node.active_streams;
    const Tick next_cycle = ticks_from_cycles(cycle + 1);
    // One flit per cycle, streams in turn.
    std::uint64_t rest = active;
    int number = node.last_stream;
    while (rest != 0) {
        number = next_round_robin(rest, number);
        rest &= ~bit(number);
        Stream& stream = cold.streams[at(number)];
        if (cycle < stream.start || stream.in_buffer >= parameters_.injection_buffer_flits) {
            continue;
        }
        if (node.source_next_tick >= next_cycle || stream.next_tick >= next_cycle) {
            continue;
        }
        const bool is_header = stream.issued == 0;
        const Tick tick = ticks_from_cycles(cycle);
        node.source_next_tick =
            std::max(node.source_next_tick, tick) + (is_header ? kTicksPerCycle : node.source_ticks_per_data_flit);
        if (!is_header) {
            stream.next_tick = std::max(stream.next_tick, tick) + stream.ticks_per_flit;
        }
        if (is_header) {
            InputSlot& slot = node.slots[at(number)];
            cold.queue[at(number)][slot.queue_tail++ % kQueueSize] = stream.packet;
        }
        ++stream.issued;
        ++stream.in_buffer;
        node.last_stream = static_cast<std::uint8_t>(number);
        put_on_link(index, node.arriving_flits[kNiuPort], number, now.in_block(), injection_);
        if (injection_.blocks == 0) {
            // The way into the router can be shorter than a block: what arrives in this one has to be seen.
            const std::size_t ring = at(current_block_ - 1) % kRingBlocks;
            arrivals.flits[kNiuPort] |= std::exchange(node.arriving_flits[kNiuPort][ring], 0);
        }
        const PacketId packet = stream.packet;
        const bool is_finished = stream.issued == stream.flits;
        const bool can_start = stream.next_flits == 0 && is_near_its_end(stream);
        if (is_finished) {
            if (stream.next_flits != 0) {
                begin_stream(stream, stream.next_packet, stream.next_start, stream.next_ticks_per_flit);
                stream.next_flits = 0;
            } else {
                stream.flits = 0;
                node.active_streams &= ~(1U << number);
            }
            client_.stream_finished(index, number, packet, cycle);
        }
        if (can_start) {
            client_.stream_can_start(index, number, cycle);
        }
        return;
    }
}

template <int kPorts, int kVirtualChannels>
PacketId Network<kPorts, kVirtualChannels>::front_packet(NodeIndex index, int slot) const {
    return cold_[index].queue[at(slot)][nodes_[index].slots[at(slot)].queue_head % kQueueSize];
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::look_at_front(NodeIndex index, Node& node, int slot_index, const Moment& now) {
    InputSlot& slot = node.slots[at(slot_index)];
    const Packet& packet = packets_[front_packet(index, slot_index)];
    if (packet.tree != kNoTree) {
        look_at_multicast(index, node, slot_index, now);
        return;
    }
    const int port = topology_.route(index, packet.destination);
    slot.flits_left = packet.flits;
    // The second set of virtual channels breaks the cycle that a ring would otherwise close. It is entered over the
    // dateline and left on a turn.
    const int input_port = slot_index / kVirtualChannels;
    const bool stays_in_ring = input_port == port && port != kNiuPort;
    const bool crosses = port != kNiuPort && topology_.link(index, port).is_dateline;
    const bool second_set = crosses || (stays_in_ring && slot_index % kVirtualChannels >= kNumSoftwareVirtualChannels);
    slot.output_channel =
        static_cast<std::uint8_t>(packet.software_virtual_channel + (second_set ? kNumSoftwareVirtualChannels : 0) +
                                  (packet.is_static ? 0 : kDynamic));
    node.waiting[at(port)] |= bit(slot_index);
    node.allocation_pending = static_cast<std::uint8_t>(node.allocation_pending | 1 << port);
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::grant_virtual_channels(NodeIndex index, Node& node, int port) {
    node.allocation_pending = static_cast<std::uint8_t>(node.allocation_pending & ~(1 << port));
    SlotMask rest = node.waiting[at(port)];
    const Topology::Link& link = topology_.link(index, port);
    int slot_index = node.last_granted[at(port)];
    while (rest != 0) {
        slot_index = next_round_robin(rest, slot_index);
        rest &= ~bit(slot_index);
        InputSlot& slot = node.slots[at(slot_index)];
        int channel = slot.output_channel & ~kDynamic;
        if ((slot.output_channel & kDynamic) != 0) {
            // A dynamic packet takes the buddy that is free, or of two free ones the one with fewer flits downstream.
            const int buddy = channel ^ 1;
            const bool channel_is_free = (node.owned[at(port)] >> channel & 1U) == 0;
            const bool buddy_is_free = (node.owned[at(port)] >> buddy & 1U) == 0;
            if (buddy_is_free &&
                (!channel_is_free || node.used[at(port)][at(buddy)] < node.used[at(port)][at(channel)])) {
                channel = buddy;
            }
        }
        if ((node.owned[at(port)] >> channel & 1U) != 0) {
            continue;
        }
        node.owned[at(port)] |= 1U << channel;
        node.owner[at(port)][at(channel)] = static_cast<std::uint8_t>(slot_index);
        node.waiting[at(port)] &= ~bit(slot_index);
        node.granted[at(port)] |= bit(slot_index);
        node.last_granted[at(port)] = static_cast<std::uint8_t>(slot_index);
        slot.output_channel = static_cast<std::uint8_t>(channel);
        if (port != kNiuPort) {
            const PacketId packet = front_packet(index, slot_index);
            const int next_slot = link.neighbour_port * kVirtualChannels + channel;
            InputSlot& next = nodes_[link.neighbour].slots[at(next_slot)];
            cold_[link.neighbour].queue[at(next_slot)][next.queue_tail++ % kQueueSize] = packet;
            if (channel_has_space(node, port, channel)) {
                node.has_space[at(port)] |= bit(slot_index);
            }
        }
    }
}

/// A flit leaves the buffer of `slot`.
template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::take_from_buffer(NodeIndex index, Node& node, int slot_index,
                                                         const Moment& now) {
    if (--node.slots[at(slot_index)].flits == 0) {
        node.nonempty &= ~bit(slot_index);
    }
    if (slot_index / kVirtualChannels == kNiuPort) {
        --cold_[index].streams[at(slot_index)].in_buffer;
    } else {
        return_credits(index, slot_index, now.in_block());
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::send_over_link(NodeIndex index, Node& node, int port, int channel,
                                                       const Moment& now) {
    put_flits_on_link(index, port, channel, now.in_block());
    if (++node.used[at(port)][at(channel)] > parameters_.private_flits_per_virtual_channel &&
        ++node.pool_used[at(port)] >= parameters_.shared_flits_per_input_port) {
        update_space(node, port);
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::eject_flit(NodeIndex index, Node& node, PacketId packet, Tick sink_ticks,
                                                   bool is_header, Cycle cycle) {
    node.sink_next_tick =
        std::max(node.sink_next_tick, ticks_from_cycles(cycle)) + (is_header ? kTicksPerCycle : sink_ticks);
    if (is_header) {
        client_.head_ejected(index, packet, cycle);
    } else if (node.metered) {
        client_.data_flit_ejected(index, packet, cycle);
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::send_flit(NodeIndex index, Node& node, int port, int slot_index,
                                                  const Moment& now) {
    InputSlot& slot = node.slots[at(slot_index)];
    const int channel = slot.output_channel;
    const PacketId packet_id = front_packet(index, slot_index);
    take_from_buffer(index, node, slot_index, now);
    if (port != kNiuPort) {
        send_over_link(index, node, port, channel, now);
        if (!channel_has_space(node, port, channel)) {
            node.has_space[at(port)] &= ~bit(slot_index);
        }
    } else {
        eject_flit(index, node, packet_id, node.sink_ticks_per_data_flit, slot.flits_left == packets_[packet_id].flits,
                   now.cycle);
    }

    if (--slot.flits_left == 0) {
        cold_[index].flits_sent[at(port)] += packets_[packet_id].flits;
        ++slot.queue_head;
        node.granted[at(port)] &= ~bit(slot_index);
        node.has_space[at(port)] &= ~bit(slot_index);
        node.owned[at(port)] &= ~(1U << channel);
        if (node.waiting[at(port)] != 0) {
            node.allocation_pending = static_cast<std::uint8_t>(node.allocation_pending | 1 << port);
        }
        if (slot.flits != 0) {
            look_at_front(index, node, slot_index, now);
        }
        if (port == kNiuPort) {
            client_.packet_ejected(index, packet_id, now.cycle);
        }
    }
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::channel_has_space(const Node& node, int port, int channel) const {
    const int used = node.used[at(port)][at(channel)];
    if (used < parameters_.private_flits_per_virtual_channel) {
        return true;
    }
    return node.pool_used[at(port)] < parameters_.shared_flits_per_input_port &&
           used - parameters_.private_flits_per_virtual_channel < parameters_.shared_flits_per_virtual_channel_max;
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::update_space(Node& node, int port) {
    SlotMask space = 0;
    for (SlotMask rest = node.granted[at(port)]; rest != 0; rest &= rest - 1) {
        const int slot = std::countr_zero(rest);
        if (channel_has_space(node, port, node.slots[at(slot)].output_channel)) {
            space |= bit(slot);
        }
    }
    node.has_space[at(port)] = space;
}

template <int kPorts, int kVirtualChannels>
std::uint64_t Network<kPorts, kVirtualChannels>::flits_sent(NodeIndex node, int port) const {
    return cold_[node].flits_sent[at(port)];
}

template <int kPorts, int kVirtualChannels>
std::uint64_t Network<kPorts, kVirtualChannels>::flits_injected(NodeIndex node) const {
    return cold_[node].flits_injected;
}

template <int kPorts, int kVirtualChannels>
std::uint64_t Network<kPorts, kVirtualChannels>::flit_hops() const {
    std::uint64_t sum = 0;
    for (const ColdNode& node : cold_) {
        for (const std::uint64_t flits : node.flits_sent) {
            sum += flits;
        }
    }
    return sum;
}

template class Network<3, 16>;

}  // namespace nocbench
