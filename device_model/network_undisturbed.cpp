// A shorter way through Network::step_node for routers in which, for a block of cycles, nothing has to be arbitrated,
// granted or reported: each output port sends flits of one packet at most, no input port serves two of them, and no
// packet begins or ends. Most routers are like that most of the time, even where packets block each other, because a
// packet is hundreds of flits long.
//
// Shorter still is the way through routers in which all flits are of one packet, unicast or multicast, that comes from
// another router.
//
// The result is that of Network::step_cycle, flit by flit, which tests make sure of. What saves time is that a block of
// a packet's flits is a loop over a few registers.

#include <algorithm>
#include <bit>
#include <span>

#include "device_model/network.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::bit;

constexpr std::uint64_t kLowBits = 0x0101010101010101;

/// A 1 in each byte that is not zero. Bytes are below 0x80.
constexpr std::uint64_t nonzero_bytes(std::uint64_t bytes) { return ((bytes + 0x7f * kLowBits) >> 7) & kLowBits; }

/// The number of bytes that are 1 in a word whose bytes are 0 or 1.
constexpr int count_ones(std::uint64_t bytes) { return static_cast<int>((bytes * kLowBits) >> 56); }

/// The virtual channel that what a link brings belongs to, or -1 if it belongs to several. There must be something.
constexpr int only_channel(std::uint64_t bytes) {
    const std::uint64_t first = bytes >> (std::countr_zero(bytes) / 8 * 8) & 0xff;
    return bytes == nonzero_bytes(bytes) * first ? static_cast<int>(first) - 1 : -1;
}

}  // namespace

/// Whether flits that leave in the cycles in which they arrive find space on all links.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::has_space_for(LinkBlock arriving, std::span<const Outgoing> links) const {
    const int limit = parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    constexpr int kByteMax = 0x7f;
    const auto in_all_bytes = [](int value) { return static_cast<LinkBlock>(value) * kLowBits; };
    return std::ranges::all_of(links, [&](const Outgoing& link) {
        // In each byte the flits downstream at the end of that cycle: products with kLowBits are sums up to each byte.
        const LinkBlock level = in_all_bytes(link.used) + arriving * kLowBits - link.credits * kLowBits;
        return ((level + in_all_bytes(kByteMax - limit)) & in_all_bytes(kByteMax + 1) & block_mask_) == 0;
    });
}

/// The middle of a unicast packet that passes from link to link and does not wait: most blocks of most routers. All of
/// it is step_single_packet() without what does not happen.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_passing_packet(NodeIndex index, Node& node, const Arrivals& arrivals,
                                                            Cycle start) {
    static_assert(kPorts == 3, "a port to the tile, and two links");
    const bool only_x_arrives = arrivals.flits[kYPort] == 0;
    const LinkBlock flits = arrivals.flits[kXPort] | arrivals.flits[kYPort];
    if ((node.nonempty | node.multicast | node.active_streams | node.allocation_pending) != 0 || flits == 0 ||
        (!only_x_arrives && arrivals.flits[kXPort] != 0) || arrivals.flits[kNiuPort] != 0 || node.metered ||
        std::min(node.interface_wake, node.signal_wake) < start + parameters_.block_cycles) {
        return false;
    }
    const LinkBlock arriving = nonzero_bytes(flits);
    const int input_channel = only_channel(flits);
    if (input_channel < 0) {
        return false;
    }
    const int slot_index = (only_x_arrives ? kXPort : kYPort) * kVirtualChannels + input_channel;
    InputSlot& slot = node.slots[at(slot_index)];
    const int num_flits = count_ones(arriving);
    const int port = (node.granted[kXPort] & bit(slot_index)) != 0   ? kXPort
                     : (node.granted[kYPort] & bit(slot_index)) != 0 ? kYPort
                                                                     : kNiuPort;
    if (port == kNiuPort || num_flits >= slot.flits_left || arrivals.credits[at(kXPort + kYPort - port)] != 0) {
        return false;
    }
    const int channel = slot.output_channel;
    Outgoing link;
    link.used = node.used[at(port)][at(channel)];
    link.credits = nonzero_bytes(arrivals.credits[at(port)]);
    if (arrivals.credits[at(port)] != link.credits * static_cast<LinkBlock>(channel + 1) ||
        node.pool_used[at(port)] + parameters_.block_cycles >= parameters_.shared_flits_per_input_port ||
        !has_space_for(arriving, std::span(&link, 1))) {
        return false;
    }
    set_used(node, port, channel, slot_index, link.used + num_flits - count_ones(link.credits));
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - num_flits);
    node.last_sent[at(port)] = static_cast<std::uint8_t>(slot_index);
    put_flits_on_link(index, port, channel, arriving);
    return_credits(index, slot_index, arriving);
    return true;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_single_packet(NodeIndex index, Node& node, const Arrivals& arrivals,
                                                           Cycle start) {
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    if (node.allocation_pending != 0 || node.active_streams != 0 || node.metered || arrivals.flits[kNiuPort] != 0 ||
        std::min(node.interface_wake, node.signal_wake) < start + cycles) {
        return false;
    }
    // Whose flits they are.
    SlotMask with_flits = node.nonempty;
    LinkBlock arriving = 0;
    for (int port = 1; port < kPorts; ++port) {
        const LinkBlock flits = arrivals.flits[at(port)];
        if (flits == 0) {
            continue;
        }
        const int channel = only_channel(flits);
        if (arriving != 0 || channel < 0) {
            return false;
        }
        arriving = nonzero_bytes(flits);
        with_flits |= bit(port * kVirtualChannels + channel);
    }
    if (with_flits == 0 || (with_flits & (with_flits - 1)) != 0) {
        return false;
    }
    const int slot_index = std::countr_zero(with_flits);
    InputSlot& slot = node.slots[at(slot_index)];
    if (slot_index / kVirtualChannels == kNiuPort || slot.flits + count_ones(arriving) >= slot.flits_left) {
        return false;  // the tail could go, or a head could come
    }

    // Where they go.
    const bool is_multicast = (node.multicast & with_flits) != 0;
    unsigned ports = 0;
    if (is_multicast) {
        ports = tree_ports(index, packets_[front_packet(index, slot_index)]);
    } else {
        for (int port = 0; port < kPorts; ++port) {
            ports |= (node.granted[at(port)] & with_flits) != 0 ? 1U << port : 0;
        }
    }
    if (ports == 0) {
        return false;
    }
    std::array<Outgoing, kPorts> outgoing{};
    int num_outgoing = 0;
    for (int port = 1; port < kPorts; ++port) {
        const LinkBlock credits = arrivals.credits[at(port)];
        if ((ports >> port & 1U) == 0) {
            if (credits != 0) {
                return false;
            }
            continue;
        }
        const int channel =
            is_multicast ? multicast_channel(index, slot_index, port) : static_cast<int>(slot.output_channel);
        const LinkBlock present = nonzero_bytes(credits);
        if (credits != present * static_cast<LinkBlock>(channel + 1) ||
            node.pool_used[at(port)] + cycles >= parameters_.shared_flits_per_input_port) {
            return false;
        }
        Outgoing& link = outgoing[at(num_outgoing++)];
        link.port = port;
        link.channel = channel;
        link.used = node.used[at(port)][at(channel)];
        link.credits = present;
    }
    const bool ejects = (ports & 1U) != 0;
    Tick sink_ticks = 0;
    if (ejects || is_multicast) {
        const Packet& packet = packets_[front_packet(index, slot_index)];
        if (slot.flits_left >= packet.flits_from_header() || (ejects && node.request_ejection_blocked)) {
            return false;
        }
        sink_ticks = is_multicast ? node.multicast_sink_ticks_per_data_flit : node.sink_ticks_per_data_flit;
    }

    const int limit = parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    LinkBlock sent = 0;
    int flits = slot.flits;
    Tick sink_next_tick = node.sink_next_tick;
    if (flits == 0 && !ejects && has_space_for(arriving, std::span(outgoing).first(at(num_outgoing)))) {
        // Flits leave as they come.
        sent = arriving;
        for (int number = 0; number < num_outgoing; ++number) {
            Outgoing& link = outgoing[at(number)];
            link.used += count_ones(arriving) - count_ones(link.credits);
        }
    } else {
        Tick tick = ticks_from_cycles(start);
        for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle) {
            flits += static_cast<int>(arriving >> (8 * offset) & 1);
            bool can_send = flits > 0 && (!ejects || sink_next_tick < tick + kTicksPerCycle);
            for (int number = 0; number < num_outgoing; ++number) {
                Outgoing& link = outgoing[at(number)];
                link.used -= static_cast<int>(link.credits >> (8 * offset) & 1);
                can_send = can_send && link.used < limit;
            }
            const int count = can_send ? 1 : 0;
            flits -= count;
            sent |= static_cast<LinkBlock>(count) << (8 * offset);
            for (int number = 0; number < num_outgoing; ++number) {
                outgoing[at(number)].used += count;
            }
            if (ejects && can_send) {
                sink_next_tick = std::max(sink_next_tick, tick) + sink_ticks;
            }
        }
    }

    slot.flits = static_cast<std::uint16_t>(flits);
    node.nonempty = flits > 0 ? with_flits : 0;
    for (int number = 0; number < num_outgoing; ++number) {
        const Outgoing& link = outgoing[at(number)];
        set_used(node, link.port, link.channel, slot_index, link.used);
    }
    if (sent == 0) {
        return true;
    }
    const int num_sent = count_ones(sent);
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - num_sent);
    for (int number = 0; number < num_outgoing; ++number) {
        const Outgoing& link = outgoing[at(number)];
        node.last_sent[at(link.port)] = static_cast<std::uint8_t>(slot_index);
        put_flits_on_link(index, link.port, link.channel, sent);
    }
    if (ejects) {
        node.sink_next_tick = sink_next_tick;
        node.last_sent[kNiuPort] = static_cast<std::uint8_t>(slot_index);
    }
    if (is_multicast) {
        node.turns_given[at(slot_index)] = 0;
        node.last_multicast = static_cast<std::uint8_t>(slot_index);
        for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
            cold_[index].flits_sent[at(std::countr_zero(rest))] += static_cast<std::uint64_t>(num_sent);
        }
    }
    return_credits(index, slot_index, sent);
    return true;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_undisturbed(NodeIndex index, Node& node, const Arrivals& arrivals,
                                                         Cycle start) {
    if (node.allocation_pending != 0 || node.metered || node.multicast != 0 ||
        std::min(node.interface_wake, node.signal_wake) < start + parameters_.block_cycles) {
        return false;
    }
    UndisturbedBlock block;
    if (!find_arriving(node, arrivals, block) || !find_stream(index, node, start, block) ||
        !find_flows(index, node, arrivals, block)) {
        return false;
    }
    for (int port = 1; port < kPorts; ++port) {
        if (arrivals.credits[at(port)] != 0 && node.pool_used[at(port)] >= parameters_.shared_flits_per_input_port) {
            return false;
        }
    }

    for (int port = 0; port < kPorts; ++port) {
        Flow& flow = block.flows[at(port)];
        if (arrivals.credits[at(port)] != 0) {
            take_credits(node, port, arrivals.credits[at(port)], flow);
        }
        if (flow.slot < 0) {
            continue;
        }
        if (port == kNiuPort) {
            advance_flow<true, false>(index, node, port, flow, start);
        } else if (flow.stream < 0) {
            advance_flow<false, false>(index, node, port, flow, start);
        } else {
            advance_flow<false, true>(index, node, port, flow, start);
        }
        finish_flow(index, node, port, flow);
    }
    for (int port = 0; port < kPorts; ++port) {
        if (const int slot_index = block.waiting_slot[at(port)]; slot_index >= 0) {
            InputSlot& slot = node.slots[at(slot_index)];
            slot.flits = static_cast<std::uint16_t>(slot.flits + count_ones(block.arriving[at(port)]));
            node.nonempty |= bit(slot_index);
        }
    }
    return true;
}

/// Flits arrive on one virtual channel of each port only, and belong to packets that have been looked at.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::find_arriving(const Node& node, const Arrivals& arrivals,
                                                      UndisturbedBlock& block) const {
    for (int port = 0; port < kPorts; ++port) {
        const LinkBlock flits = arrivals.flits[at(port)];
        block.waiting_slot[at(port)] = -1;
        if (flits == 0) {
            continue;
        }
        const int channel = only_channel(flits);
        const int slot = port * kVirtualChannels + channel;
        if (channel < 0 || node.slots[at(slot)].flits_left == 0) {
            return false;
        }
        block.waiting_slot[at(port)] = slot;  // unless find_flows() finds that it is being sent
        block.arriving[at(port)] = nonzero_bytes(flits);
    }
    return true;
}

/// At most one stream is read out of the tile, and it neither begins nor ends.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::find_stream(NodeIndex index, const Node& node, Cycle start,
                                                    UndisturbedBlock& block) const {
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        const int number = std::countr_zero(rest);
        const Stream& stream = cold_[index].streams[at(number)];
        bool is_granted = false;
        for (int port = 0; port < kPorts; ++port) {
            is_granted = is_granted || (node.granted[at(port)] & bit(number)) != 0;
        }
        if (!is_granted && stream.in_buffer >= parameters_.injection_buffer_flits) {
            continue;  // stuck
        }
        if (!is_granted || block.active_stream >= 0 || stream.issued == 0 || stream.start > start ||
            stream.ticks_per_flit != 0 ||
            stream.issued + parameters_.block_cycles + parameters_.read_ahead_flits >= stream.flits ||
            injection_.blocks > 0) {
            return false;
        }
        block.active_stream = number;
    }
    return true;
}

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::find_flows(NodeIndex index, const Node& node, const Arrivals& arrivals,
                                                   UndisturbedBlock& block) const {
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    SlotMask with_flits = node.nonempty;
    for (const int slot : block.waiting_slot) {
        with_flits |= slot >= 0 ? bit(slot) : 0;
    }
    with_flits |= block.active_stream >= 0 ? bit(block.active_stream) : 0;
    int used_input_ports = 0;
    for (int port = 0; port < kPorts; ++port) {
        // Packets that have no flits here, or no space there, stay as they are.
        SlotMask granted = node.granted[at(port)] & with_flits;
        if (port != kNiuPort && granted != 0) {
            SlotMask with_space = node.has_space[at(port)];
            if ((granted & ~with_space) != 0) {
                with_space |= owners_of_credits(node, port, arrivals.credits[at(port)]);
            }
            granted &= with_space;
        }
        if (granted == 0) {
            continue;
        }
        const int slot_index = std::countr_zero(granted);
        const int input_port = slot_index / kVirtualChannels;
        if ((granted & (granted - 1)) != 0 || (used_input_ports >> input_port & 1) != 0) {
            return false;
        }
        used_input_ports |= 1 << input_port;
        Flow& flow = block.flows[at(port)];
        flow.slot = slot_index;
        if (block.waiting_slot[at(input_port)] == slot_index) {
            flow.arriving = block.arriving[at(input_port)];
            block.waiting_slot[at(input_port)] = -1;
        }
        const InputSlot& slot = node.slots[at(slot_index)];
        int flits_at_hand = slot.flits + count_ones(flow.arriving);
        if (slot_index == block.active_stream) {
            flow.stream = block.active_stream;
            flits_at_hand += cycles;
        }
        if (flits_at_hand >= slot.flits_left) {
            return false;  // the tail could go
        }
        if (port == kNiuPort) {
            if (node.request_ejection_blocked || flow.stream >= 0 ||
                slot.flits_left == packets_[front_packet(index, slot_index)].flits) {
                return false;
            }
        } else if (node.pool_used[at(port)] + cycles >= parameters_.shared_flits_per_input_port) {
            return false;  // the pool could become full, which concerns every virtual channel
        }
    }
    // A stream whose packet cannot be sent fills its buffer; that is left to step_cycle.
    const bool fills_buffer =
        block.active_stream >= 0 && (used_input_ports >> kNiuPort & 1) == 0 &&
        cold_[index].streams[at(block.active_stream)].in_buffer < parameters_.injection_buffer_flits;
    return !fills_buffer;
}

/// The slots whose packets get credits.
template <int kPorts, int kVirtualChannels>
std::uint64_t Network<kPorts, kVirtualChannels>::owners_of_credits(const Node& node, int port,
                                                                   LinkBlock credits) const {
    SlotMask owners = 0;
    while (credits != 0) {
        const int shift = std::countr_zero(credits) / 8 * 8;
        const auto channel = static_cast<int>(credits >> shift & 0xff) - 1;
        credits &= ~(LinkBlock{0xff} << shift);
        if ((node.owned[at(port)] >> channel & 1U) != 0) {
            owners |= bit(node.owner[at(port)][at(channel)]);
        }
    }
    return owners;
}

/// Credits of the packet being sent are kept for it, since the cycle in which they come matters; the others are
/// counted.
template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::take_credits(Node& node, int port, LinkBlock credits, Flow& flow) {
    const int own_channel = flow.slot >= 0 ? node.slots[at(flow.slot)].output_channel : -1;
    while (credits != 0) {
        const int shift = std::countr_zero(credits) / 8 * 8;
        const int channel = static_cast<int>(credits >> shift & 0xff) - 1;
        credits &= ~(LinkBlock{0xff} << shift);
        if (channel == own_channel) {
            flow.credits |= LinkBlock{1} << shift;
        } else {
            take_credit(node, port, channel);
        }
    }
}

template <int kPorts, int kVirtualChannels>
template <bool kEjects, bool kReadsTile>
void Network<kPorts, kVirtualChannels>::advance_flow(NodeIndex index, Node& node, int port, Flow& flow, Cycle start) {
    InputSlot& slot = node.slots[at(flow.slot)];
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    const int limit = parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    int used = node.used[at(port)][slot.output_channel];
    int flits = slot.flits;
    int in_buffer = kReadsTile ? cold_[index].streams[at(flow.stream)].in_buffer : 0;
    Tick tick = ticks_from_cycles(start);
    for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle) {
        flits += static_cast<int>(flow.arriving >> (8 * offset) & 1);
        bool can_send = flits > 0;
        if constexpr (kEjects) {
            can_send = can_send && node.sink_next_tick < tick + kTicksPerCycle;
        } else {
            used -= static_cast<int>(flow.credits >> (8 * offset) & 1);
        }
        if constexpr (kReadsTile) {
            if (in_buffer < parameters_.injection_buffer_flits && node.source_next_tick < tick + kTicksPerCycle) {
                node.source_next_tick = std::max(node.source_next_tick, tick) + node.source_ticks_per_data_flit;
                ++in_buffer;
                flow.issued |= LinkBlock{1} << (8 * offset);
                if (offset + injection_.cycles < cycles) {
                    flow.arriving |= LinkBlock{1} << (8 * (offset + injection_.cycles));
                }
            }
        }
        if constexpr (!kEjects) {
            can_send = can_send && used < limit;
        }
        const int sent = can_send ? 1 : 0;
        flits -= sent;
        used += sent;
        in_buffer -= sent;
        flow.sent |= static_cast<LinkBlock>(sent) << (8 * offset);
        if constexpr (kEjects) {
            if (can_send) {
                node.sink_next_tick = std::max(node.sink_next_tick, tick) + node.sink_ticks_per_data_flit;
            }
        }
    }
    slot.flits = static_cast<std::uint16_t>(flits);
    if constexpr (!kEjects) {
        set_used(node, port, slot.output_channel, flow.slot, used);
    }
    if constexpr (kReadsTile) {
        Stream& stream = cold_[index].streams[at(flow.stream)];
        stream.in_buffer = static_cast<std::uint16_t>(in_buffer);
        if (flow.issued != 0) {
            stream.issued = static_cast<std::uint16_t>(stream.issued + count_ones(flow.issued));
            stream.next_tick =
                std::max(stream.next_tick, ticks_from_cycles(start + (63 - std::countl_zero(flow.issued)) / 8));
            node.last_stream = static_cast<std::uint8_t>(flow.stream);
            const LinkBlock later = injection_.cycles == 0 ? 0 : flow.issued >> (8 * (cycles - injection_.cycles));
            if (later != 0) {
                node.arriving_flits[kNiuPort][at(current_block_) % kRingBlocks] |=
                    later * static_cast<LinkBlock>(flow.stream + 1);
                wake_in_block(index, current_block_);
            }
        }
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::finish_flow(NodeIndex index, Node& node, int port, const Flow& flow) {
    InputSlot& slot = node.slots[at(flow.slot)];
    node.nonempty = slot.flits > 0 ? node.nonempty | bit(flow.slot) : node.nonempty & ~bit(flow.slot);
    if (flow.sent == 0) {
        return;
    }
    const int count = count_ones(flow.sent);
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - count);
    node.last_sent[at(port)] = static_cast<std::uint8_t>(flow.slot);
    if (port != kNiuPort) {
        put_flits_on_link(index, port, slot.output_channel, flow.sent);
    }
    if (flow.slot / kVirtualChannels != kNiuPort) {
        return_credits(index, flow.slot, flow.sent);
    } else if (flow.stream < 0) {
        Stream& stream = cold_[index].streams[at(flow.slot)];
        stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count);
    }
}

template bool Network<3, 16>::has_space_for(LinkBlock, std::span<const Outgoing>) const;
template bool Network<3, 16>::step_passing_packet(NodeIndex, Node&, const Arrivals&, Cycle);
template bool Network<3, 16>::step_single_packet(NodeIndex, Node&, const Arrivals&, Cycle);
template bool Network<3, 16>::step_undisturbed(NodeIndex, Node&, const Arrivals&, Cycle);
template bool Network<3, 16>::find_arriving(const Node&, const Arrivals&, UndisturbedBlock&) const;
template bool Network<3, 16>::find_stream(NodeIndex, const Node&, Cycle, UndisturbedBlock&) const;
template bool Network<3, 16>::find_flows(NodeIndex, const Node&, const Arrivals&, UndisturbedBlock&) const;
template std::uint64_t Network<3, 16>::owners_of_credits(const Node&, int, LinkBlock) const;
template void Network<3, 16>::take_credits(Node&, int, LinkBlock, Flow&);
template void Network<3, 16>::finish_flow(NodeIndex, Node&, int, const Flow&);

}  // namespace nocbench
