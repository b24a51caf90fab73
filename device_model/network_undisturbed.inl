// A shorter way through Network::step_cycle for blocks of cycles in which no packet begins or ends in a router: no head
// arrives, no virtual channel is granted and no tail leaves. Then output ports have nothing to do with each other, and
// each one's block is a loop over the few packets that it serves. Most blocks of most routers are like that, even where
// packets block each other, because a packet is hundreds of flits long.
//
// The result is that of Network::step_cycle, flit by flit, which tests make sure of.

#include <algorithm>
#include <bit>

#include "device_model/network.h"

namespace nocbench {

namespace {

constexpr std::uint64_t kLowBits = 0x0101010101010101;

/// A 1 in each byte that is not zero. Bytes are below 0x80.
constexpr std::uint64_t nonzero_bytes(std::uint64_t bytes) { return ((bytes + 0x7f * kLowBits) >> 7) & kLowBits; }

/// The number of bytes that are 1 in a word whose bytes are 0 or 1.
constexpr int count_ones(std::uint64_t bytes) { return static_cast<int>((bytes * kLowBits) >> 56); }

/// The smaller byte at each place. Bytes are below 0x80.
constexpr std::uint64_t smaller_bytes(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t left_is_not_less = ((left | 0x80 * kLowBits) - right) >> 7 & kLowBits;
    const std::uint64_t mask = left_is_not_less * 0xff;
    return (right & mask) | (left & ~mask);
}

/// A 1 in the byte of each cycle in which a flit is sent, where nothing but flits and space downstream can be missing:
/// `flits` are at hand and `space` is there, and one more of each for every 1 in `arriving` and in `credits`. Since
/// none of them grows by more than one in a cycle, the flits sent until a cycle are as many as the least of the flits
/// until then, the space until then, and the cycles.
constexpr std::uint64_t flits_sent_in_block(int flits, std::uint64_t arriving, int space, std::uint64_t credits) {
    constexpr std::uint64_t kCycles = 0x0807060504030201;
    const std::uint64_t flits_until = (static_cast<std::uint64_t>(flits) + arriving) * kLowBits;
    const std::uint64_t space_until = (static_cast<std::uint64_t>(space) + credits) * kLowBits;
    const std::uint64_t sent_until = smaller_bytes(smaller_bytes(flits_until, space_until), kCycles);
    return sent_until - (sent_until << 8);
}

/// The virtual channel of the first flit or credit that a link brings; there must be one.
constexpr int first_channel(std::uint64_t bytes) {
    return static_cast<int>(bytes >> (std::countr_zero(bytes) / 8 * 8) & 0xff) - 1;
}

/// Calls `visit(channel, present)` for each virtual channel of which a link brings something, with a 1 in the byte of
/// each cycle in which it does.
template <class Visit>
void for_each_channel(std::uint64_t bytes, const Visit& visit) {
    while (bytes != 0) {
        const int channel = first_channel(bytes);
        const auto same = static_cast<std::uint64_t>(channel + 1) * kLowBits;
        const std::uint64_t present = nonzero_bytes(bytes ^ same) ^ kLowBits;
        visit(channel, present);
        bytes &= ~(present * 0xff);
    }
}

}  // namespace

/// A virtual channel of an output port in the block: the packet that owns it, or only credits that come for it. Not
/// initialised by itself: there is room for many, and few are used.
template <int kPorts, int kVirtualChannels>
struct Network<kPorts, kVirtualChannels>::Flow {
    int port;
    int channel;
    int slot;  // the input slot that sends; -1: none does
    bool is_read_from_tile;
    int flits;           // in the buffer
    int used;            // flits downstream
    LinkBlock arriving;  // a 1 in the byte of each cycle in which a flit arrives
    LinkBlock credits;   // ... in which a credit arrives
    LinkBlock sent;      // ... in which a flit is sent
};

template <int kPorts, int kVirtualChannels>
struct Network<kPorts, kVirtualChannels>::FlowsOfBlock {
    static constexpr int kFlowsMax = 4 * kPorts;
    std::array<Flow, kFlowsMax> flows;
    int num_flows = 0;
    /// Slots that receive flits of a packet that waits for a virtual channel, and how many.
    std::array<std::pair<int, int>, at(kPorts* kBlockCyclesMax)> waiting;
    int num_waiting = 0;

    /// The flow of a virtual channel, a new one if need be; null if there are too many.
    Flow* find(int port, int channel, const Node& node) {
        for (int number = 0; number < num_flows; ++number) {
            if (flows[at(number)].channel == channel && flows[at(number)].port == port) {
                return &flows[at(number)];
            }
        }
        if (num_flows == kFlowsMax) {
            return nullptr;
        }
        Flow& flow = flows[at(num_flows++)];
        flow = {port, channel, -1, false, 0, node.outputs[at(port)].used[at(channel)], 0, 0, 0};
        return &flow;
    }

    /// The flow of the packet at the front of `slot`, which has a virtual channel.
    Flow* find(int slot_index, const Node& node) {
        const InputSlot& slot = node.slots[at(slot_index)];
        Flow* flow = find(slot.output_port, slot.output_channel, node);
        if (flow != nullptr) {
            flow->slot = slot_index;
            flow->flits = slot.flits;
        }
        return flow;
    }
};

template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_undisturbed(Step& step) {
    Node& node = step.node;
    const Cycle end = step.start + parameters_.block_cycles;
    if (node.interface_wake < end || node.signal_wake < end) {
        return false;
    }
    if ((!node.is_wired || (step.in.present & ~node.wired_words) != 0) && !find_wires(step)) {
        return step_undisturbed_flows(step);
    }
    std::array<LinkBlock, kPorts> arriving;  // by wire
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire wire = node.wires[at(number)];
        const int input_port = wire.slot / kVirtualChannels;
        const LinkBlock flits = step.in.words[at(Traffic::flits(input_port))];
        const LinkBlock present = nonzero_bytes(flits);
        arriving[at(number)] = present;
        if (flits != present * static_cast<LinkBlock>(wire.slot % kVirtualChannels + 1) ||
            (wire.port != kNiuPort && pool_can_fill(node.outputs[wire.port]))) {
            return step_undisturbed_flows(step);
        }
        const InputSlot& slot = node.slots[wire.slot];
        int flits_at_hand = slot.flits + count_ones(present);
        if (wire.is_read_from_tile) {
            flits_at_hand += static_cast<int>(parameters_.block_cycles);
            if (!stream_is_steady(cold_[step.index].streams[wire.slot], step.start)) {
                return false;
            }
        }
        if (flits_at_hand >= slot.flits_left) {
            return false;  // the tail could go
        }
        if (wire.port == kNiuPort && (node.metered || (node.heads_to_eject >> wire.channel & 1U) != 0)) {
            return false;
        }
    }

    std::array<LinkBlock, kPorts> credits{};  // by output port, for its wire
    constexpr std::uint32_t kFlitWords = (1U << kPorts) - 1;
    for (std::uint32_t rest = step.in.present & ~kFlitWords; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const int port = word / kPorts - 1;
        Output& output = node.outputs[at(port)];
        for_each_channel(step.in.words[at(word)], [&](int channel, LinkBlock present) {
            if (channel == output.wired_channel) {
                credits[at(port)] |= present;
            } else {
                take_credits(output, channel, count_ones(present));
            }
        });
    }
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire wire = node.wires[at(number)];
        if (wire.port == kNiuPort) {
            eject_undisturbed(step, wire, arriving[at(number)]);
        } else {
            send_undisturbed(step, wire, arriving[at(number)], credits[wire.port]);
        }
    }
    return true;
}

/// Finds the packets that outputs serve in this block, and until something else comes: one of each output at most.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::find_wires(const Step& step) {
    Node& node = step.node;
    node.is_wired = false;
    if (node.multicast != 0) {
        return false;
    }
    node.num_wires = 0;
    node.wired_words = ~((1U << kPorts) - 1);  // all credits
    unsigned wired_inputs = 0;
    for (int port = 0; port < kPorts; ++port) {
        Output& output = node.outputs[at(port)];
        output.wired_channel = -1;
        if (output.pending != 0 || (output.has_flit & (output.has_flit - 1)) != 0) {
            return false;
        }
    }
    const auto add = [&](int slot_index, bool is_read_from_tile) {
        const InputSlot& slot = node.slots[at(slot_index)];
        Output& output = node.outputs[slot.output_port];
        if (output.wired_channel >= 0 && output.wired_channel != slot.output_channel) {
            return false;
        }
        if (output.wired_channel < 0) {
            const unsigned input = 1U << (slot_index / kVirtualChannels);
            if (parameters_.one_flit_per_input_port && (wired_inputs & input) != 0) {
                return false;
            }
            wired_inputs |= input;
            node.wires[node.num_wires++] = {static_cast<std::uint8_t>(slot_index), slot.output_port,
                                            slot.output_channel, is_read_from_tile};
            output.wired_channel = static_cast<std::int8_t>(slot.output_channel);
        }
        node.wired_words |= 1U << (slot_index / kVirtualChannels);
        return true;
    };
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        const int number = std::countr_zero(rest);
        const InputSlot& slot = node.slots[at(number)];
        if (slot.output_port != kNotGranted) {
            // One is enough, and to its own tile is seldom.
            if (node.num_wires != 0 || slot.output_port == kNiuPort) {
                return false;
            }
            add(number, true);
        } else if (cold_[step.index].streams[at(number)].in_buffer < parameters_.injection_buffer_flits) {
            return false;
        }
    }
    for (Output& output : node.outputs) {
        if (output.has_flit != 0 && !add(output.owner[at(std::countr_zero(output.has_flit))], false)) {
            return false;
        }
    }
    for (int port = 0; port < kPorts; ++port) {
        const LinkBlock flits = step.in.words[at(Traffic::flits(port))];
        if (flits == 0) {
            continue;
        }
        const int slot_index = port * kVirtualChannels + first_channel(flits);
        const InputSlot& slot = node.slots[at(slot_index)];
        if (slot.flits_left == 0 || slot.output_port == kNotGranted || !add(slot_index, false)) {
            return false;
        }
    }
    node.is_wired = true;
    return true;
}

/// Whether a stream neither begins nor ends in the block.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::stream_is_steady(const Stream& stream, Cycle start) const {
    return stream.issued != 0 && stream.start <= start &&
           stream.issued + parameters_.block_cycles + parameters_.read_ahead_flits < stream.flits;
}

/// The block of the port to the tile, which serves one packet.
template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::eject_undisturbed(Step& step, const Wire& wire, LinkBlock arriving) {
    Node& node = step.node;
    Output& output = node.outputs[kNiuPort];
    const int channel = wire.channel;
    const int slot_index = wire.slot;
    InputSlot& slot = node.slots[at(slot_index)];
    int flits = slot.flits;
    LinkBlock sent = 0;
    if (node.request_ejection_blocked && (response_channels_ >> channel & 1U) == 0) {
        flits += count_ones(arriving);
    } else {
        const auto cycles = static_cast<int>(parameters_.block_cycles);
        Tick tick = ticks_from_cycles(step.start);
        Tick next_tick = node.sink_next_tick;
        for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle, arriving >>= 8) {
            flits += static_cast<int>(arriving & 1);
            if (flits > 0 && next_tick < tick + kTicksPerCycle) {
                next_tick = std::max(next_tick, tick) + node.sink_ticks_per_data_flit;
                --flits;
                sent |= LinkBlock{1} << (8 * offset);
            }
        }
        node.sink_next_tick = next_tick;
    }
    set_flits(output, slot, channel, flits);
    if (sent != 0) {
        slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - count_ones(sent));
        output.last_sent = static_cast<std::uint8_t>(channel);
        free_buffer(step, slot_index, kNiuPort, sent);
    }
}

/// The block of a port to a link, which serves one packet.
template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::send_undisturbed(Step& step, const Wire& wire, LinkBlock arriving,
                                                                LinkBlock credits) {
    const int port = wire.port;
    const int channel = wire.channel;
    const int slot_index = wire.slot;
    Output& output = step.node.outputs[at(port)];
    InputSlot& slot = step.node.slots[at(slot_index)];
    const int limit = parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    const int used = output.used[at(channel)];
    LinkBlock sent = 0;
    if (wire.is_read_from_tile) {
        Flow flow{port, channel, slot_index, true, slot.flits, used, arriving, credits, 0};
        Flow* const flows = &flow;
        LinkBlock arriving_later = 0;
        advance_port(step, std::span(&flows, 1), port, arriving_later);
        put_arriving_later(step, arriving_later);
        sent = flow.sent;
        arriving = flow.arriving;
    } else {
        sent = flits_sent_in_block(slot.flits, arriving, limit - used, credits) & block_mask_;
    }
    const int num_sent = count_ones(sent);
    set_flits(output, slot, channel, slot.flits + count_ones(arriving) - num_sent);
    if (const int used_now = used + num_sent - count_ones(credits); used_now != used) {
        set_used(output, channel, used_now);
    }
    if (num_sent == 0) {
        return;
    }
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - num_sent);
    output.last_sent = static_cast<std::uint8_t>(channel);
    put_flits(step.index, port, sent * static_cast<LinkBlock>(channel + 1));
    if (!wire.is_read_from_tile) {
        free_buffer(step, slot_index, port, sent);
    }
}

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::set_flits(Output& output, InputSlot& slot, int channel, int flits) {
    slot.flits = static_cast<std::uint16_t>(flits);
    const ChannelMask mask = ChannelMask{1} << channel;
    output.has_flit = flits != 0 ? output.has_flit | mask : output.has_flit & ~mask;
}

/// Flits have left the buffer of `slot` through `port`.
template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::free_buffer(Step& step, int slot, int port, LinkBlock sent) {
    const int input_port = slot / kVirtualChannels;
    if (input_port != kNiuPort) {
        put_credits(step.index, input_port, port, sent * static_cast<LinkBlock>(slot % kVirtualChannels + 1));
    } else {
        Stream& stream = cold_[step.index].streams[at(slot)];
        stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count_ones(sent));
    }
}

/// The same where an output port serves several packets, a shared pool can fill, or several streams are read.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_undisturbed_flows(Step& step) {
    Node& node = step.node;
    node.is_wired = false;
    ChannelMask pending = 0;
    for (const Output& output : node.outputs) {
        pending |= output.pending;
    }
    FlowsOfBlock block;
    if (pending != 0 || node.multicast != 0 || !find_flows(step, block) || !may_advance(step, block)) {
        return false;
    }
    std::array<std::array<Flow*, FlowsOfBlock::kFlowsMax>, kPorts> flows_of_port;
    std::array<std::size_t, kPorts> num_flows{};
    for (int number = 0; number < block.num_flows; ++number) {
        Flow& flow = block.flows[at(number)];
        flows_of_port[at(flow.port)][num_flows[at(flow.port)]++] = &flow;
    }
    LinkBlock arriving_later = 0;
    for (int port = 0; port < kPorts; ++port) {
        advance_port(step, std::span(flows_of_port[at(port)]).first(num_flows[at(port)]), port, arriving_later);
    }
    put_arriving_later(step, arriving_later);
    for (int number = 0; number < block.num_flows; ++number) {
        finish_flow(step, block.flows[at(number)]);
    }
    for (int number = 0; number < block.num_waiting; ++number) {
        const auto [slot, flits] = block.waiting[at(number)];
        node.slots[at(slot)].flits = static_cast<std::uint16_t>(node.slots[at(slot)].flits + flits);
    }
    return true;
}

/// Packets that have a virtual channel and flits at hand or arriving, and none whose head has still to be looked at;
/// streams that neither begin nor end; and credits.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::find_flows(const Step& step, FlowsOfBlock& block) const {
    const Node& node = step.node;
    bool has_room = true;
    bool has_stream = false;
    for (const Output& output : node.outputs) {
        for (ChannelMask rest = output.has_flit; rest != 0; rest &= rest - 1) {
            has_room = block.find(output.owner[at(std::countr_zero(rest))], node) != nullptr && has_room;
        }
    }
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        const int number = std::countr_zero(rest);
        const Stream& stream = cold_[step.index].streams[at(number)];
        const bool is_granted = node.slots[at(number)].output_port != kNotGranted;
        if (!is_granted && stream.in_buffer >= parameters_.injection_buffer_flits) {
            continue;  // stuck
        }
        if (!is_granted || has_stream || !stream_is_steady(stream, step.start)) {
            return false;
        }
        has_stream = true;
        if (Flow* flow = block.find(number, node); flow != nullptr) {
            flow->is_read_from_tile = true;
        } else {
            has_room = false;
        }
    }
    bool has_heads = false;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        for_each_channel(step.in.words[at(word)], [&](int channel, LinkBlock present) {
            if (word >= kPorts) {
                if (Flow* flow = block.find(word / kPorts - 1, channel, node); flow != nullptr) {
                    flow->credits |= present;
                } else {
                    has_room = false;
                }
                return;
            }
            const int slot_index = word * kVirtualChannels + channel;
            const InputSlot& slot = node.slots[at(slot_index)];
            if (slot.flits_left == 0) {
                has_heads = true;
            } else if (slot.output_port == kNotGranted) {
                block.waiting[at(block.num_waiting++)] = {slot_index, count_ones(present)};
            } else if (Flow* flow = block.find(slot_index, node); flow != nullptr) {
                flow->arriving = present;
            } else {
                has_room = false;
            }
        });
    }
    return has_room && !has_heads;
}

/// No tail can go, nothing has to be reported about what the tile gets, and outputs do not take turns at an input.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::may_advance(const Step& step, const FlowsOfBlock& block) const {
    std::array<int, kPorts> output_of_input;
    output_of_input.fill(-1);
    for (int number = 0; number < block.num_flows; ++number) {
        const Flow& flow = block.flows[at(number)];
        if (flow.slot < 0) {
            continue;
        }
        int& output = output_of_input[at(flow.slot / kVirtualChannels)];
        if (parameters_.one_flit_per_input_port && output >= 0 && output != flow.port) {
            return false;
        }
        output = flow.port;
        const int issued = flow.is_read_from_tile ? static_cast<int>(parameters_.block_cycles) : 0;
        if (flow.flits + count_ones(flow.arriving) + issued >= step.node.slots[at(flow.slot)].flits_left ||
            (flow.port == kNiuPort && (step.node.metered || (step.node.heads_to_eject >> flow.channel & 1U) != 0))) {
            return false;
        }
    }
    return true;
}

/// The block of an output port. Flits of one packet go as there are flits and space; those of several in turns.
template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::advance_port(Step& step, std::span<Flow* const> flows, int port,
                                                     LinkBlock& arriving_later) {
    if (flows.empty()) {
        return;
    }
    Node& node = step.node;
    Output& output = node.outputs[at(port)];
    const int own = parameters_.private_flits_per_virtual_channel;
    const int limit = own + parameters_.shared_flits_per_virtual_channel_max;
    const bool is_tile = port == kNiuPort;
    if (flows.size() == 1 && !is_tile && !flows[0]->is_read_from_tile && !pool_can_fill(output)) {
        Flow& flow = *flows[0];
        flow.sent = flits_sent_in_block(flow.flits, flow.arriving, limit - flow.used, flow.credits) & block_mask_;
        const int num_sent = count_ones(flow.sent);
        flow.flits += count_ones(flow.arriving) - num_sent;
        flow.used += num_sent - count_ones(flow.credits);
        if (num_sent != 0) {
            output.last_sent = static_cast<std::uint8_t>(flow.channel);
        }
        return;
    }
    const int cycles = static_cast<int>(parameters_.block_cycles);
    int pool_used = output.pool_used;
    int last_sent = output.last_sent;
    Tick sink_next_tick = node.sink_next_tick;
    Tick tick = ticks_from_cycles(step.start);
    for (int bits = 0; bits < 8 * cycles; bits += 8, tick += kTicksPerCycle) {
        const bool tile_is_ready = sink_next_tick < tick + kTicksPerCycle;
        for (Flow* const flow : flows) {
            if ((flow->credits >> bits & 1) != 0) {
                pool_used -= flow->used-- > own ? 1 : 0;
            }
            if (flow->is_read_from_tile) {
                issue_for_flow(step, *flow, bits, tick, arriving_later);
            }
            flow->flits += static_cast<int>(flow->arriving >> bits & 1);
        }
        const bool pool_is_full = pool_used >= parameters_.shared_flits_per_input_port;
        Flow* next = nullptr;
        int next_turn = kVirtualChannels;
        for (Flow* const flow : flows) {
            const int turn = (flow->channel - last_sent - 1) & (kVirtualChannels - 1);
            if (flow->flits == 0 || turn >= next_turn) {
                continue;
            }
            const bool can_send = is_tile ? tile_is_ready && (!node.request_ejection_blocked ||
                                                              (response_channels_ >> flow->channel & 1U) != 0)
                                          : flow->used < own || (flow->used < limit && !pool_is_full);
            if (can_send) {
                next = flow;
                next_turn = turn;
            }
        }
        if (next == nullptr) {
            continue;
        }
        last_sent = next->channel;
        --next->flits;
        next->sent |= LinkBlock{1} << bits;
        if (is_tile) {
            sink_next_tick = std::max(sink_next_tick, tick) + node.sink_ticks_per_data_flit;
        } else {
            pool_used += ++next->used > own ? 1 : 0;
        }
        if (next->is_read_from_tile) {
            --cold_[step.index].streams[at(next->slot)].in_buffer;
        }
    }
    output.last_sent = static_cast<std::uint8_t>(last_sent);
    node.sink_next_tick = sink_next_tick;
}

/// Reads a flit of the one stream there is out of the tile, if one may be.
template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::issue_for_flow(Step& step, Flow& flow, int bits, Tick tick,
                                                              LinkBlock& arriving_later) {
    Node& node = step.node;
    Stream& stream = cold_[step.index].streams[at(flow.slot)];
    const Tick next_cycle = tick + kTicksPerCycle;
    if (stream.in_buffer >= parameters_.injection_buffer_flits || node.source_next_tick >= next_cycle ||
        stream.next_tick >= next_cycle) {
        return;
    }
    node.source_next_tick = std::max(node.source_next_tick, tick) + node.source_ticks_per_data_flit;
    stream.next_tick = std::max(stream.next_tick, tick) + stream.ticks_per_flit;
    ++stream.issued;
    ++stream.in_buffer;
    node.last_stream = static_cast<std::uint8_t>(flow.slot);
    const int arrival = bits + 8 * static_cast<int>(parameters_.injection_cycles);
    if (arrival < 8 * static_cast<int>(parameters_.block_cycles)) {
        flow.arriving |= LinkBlock{1} << arrival;
    } else {
        arriving_later |= static_cast<LinkBlock>(flow.slot + 1) << bits;
    }
}

/// What was read out of the tile in this block and arrives in the router in a later one.
template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::put_arriving_later(const Step& step, LinkBlock flits) {
    if (flits != 0) {
        put_on_link(injection_, flits, step.index, Traffic::flits(kNiuPort));
    }
}

template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::finish_flow(Step& step, const Flow& flow) {
    Output& output = step.node.outputs[at(flow.port)];
    if (flow.port != kNiuPort) {
        set_used(output, flow.channel, flow.used);
    }
    if (flow.slot < 0) {
        return;
    }
    InputSlot& slot = step.node.slots[at(flow.slot)];
    set_flits(output, slot, flow.channel, flow.flits);
    if (flow.sent == 0) {
        return;
    }
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - count_ones(flow.sent));
    if (flow.port != kNiuPort) {
        put_flits(step.index, flow.port, flow.sent * static_cast<LinkBlock>(flow.channel + 1));
    }
    if (!flow.is_read_from_tile) {
        free_buffer(step, flow.slot, flow.port, flow.sent);
    }
}

/// The same for a router in which all flits are of one multicast, which neither begins nor ends.
template <int kPorts, int kVirtualChannels>
bool Network<kPorts, kVirtualChannels>::step_single_multicast(Step& step) {
    Node& node = step.node;
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    node.is_wired = false;
    if (!std::has_single_bit(node.multicast) || node.active_streams != 0 || node.metered ||
        std::min(node.interface_wake, node.signal_wake) < step.start + cycles) {
        return false;
    }
    const int slot_index = std::countr_zero(node.multicast);
    const int input_port = slot_index / kVirtualChannels;
    InputSlot& slot = node.slots[at(slot_index)];
    const Packet& packet = packets_[front_packet(step.index, slot_index)];
    const unsigned ports = tree_ports(step.index, packet);
    const bool ejects = (ports & kNiuBit) != 0;

    // All that arrives is its own.
    LinkBlock arriving = 0;
    for (int port = 0; port < kPorts; ++port) {
        const LinkBlock flits = step.in.words[at(Traffic::flits(port))];
        if (flits == 0) {
            continue;
        }
        arriving = nonzero_bytes(flits);
        if (port != input_port || flits != arriving * static_cast<LinkBlock>(slot_index % kVirtualChannels + 1)) {
            return false;
        }
    }
    if (input_port == kNiuPort || slot.flits + count_ones(arriving) >= slot.flits_left ||
        slot.flits_left >= packet.flits_from_header() || (ejects && node.request_ejection_blocked)) {
        return false;
    }
    std::array<Flow, kPorts> links;
    int num_links = 0;
    for (int port = 0; port < kPorts; ++port) {
        const Output& output = node.outputs[at(port)];
        if (output.has_flit != 0 || output.pending != 0) {
            return false;
        }
        const bool is_link = port != kNiuPort && (ports >> port & 1U) != 0;
        Flow* const link = is_link ? &links[at(num_links++)] : nullptr;
        if (is_link) {
            const int channel = multicast_channel(step.index, slot_index, port);
            *link = {port, channel, slot_index, false, 0, output.used[at(channel)], 0, 0, 0};
            if (output.pool_used + cycles >= parameters_.shared_flits_per_input_port) {
                return false;
            }
        }
        for (int lane = 0; lane < kPorts; ++lane) {
            const LinkBlock credits = step.in.words[at(Traffic::credits(port, lane))];
            const LinkBlock present = nonzero_bytes(credits);
            if (credits != 0 && (!is_link || credits != present * static_cast<LinkBlock>(link->channel + 1))) {
                return false;
            }
            if (is_link) {
                link->credits |= present;
            }
        }
    }

    const int limit = parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    LinkBlock sent = 0;
    int flits = slot.flits;
    Tick tick = ticks_from_cycles(step.start);
    for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle) {
        flits += static_cast<int>(arriving >> (8 * offset) & 1);
        bool can_send = flits > 0 && (!ejects || node.sink_next_tick < tick + kTicksPerCycle);
        for (int number = 0; number < num_links; ++number) {
            Flow& link = links[at(number)];
            link.used -= static_cast<int>(link.credits >> (8 * offset) & 1);
            can_send = can_send && link.used < limit;
        }
        if (!can_send) {
            continue;
        }
        --flits;
        sent |= LinkBlock{1} << (8 * offset);
        for (int number = 0; number < num_links; ++number) {
            ++links[at(number)].used;
        }
        if (ejects) {
            node.sink_next_tick = std::max(node.sink_next_tick, tick) + node.multicast_sink_ticks_per_data_flit;
        }
    }

    const int num_sent = count_ones(sent);
    slot.flits = static_cast<std::uint16_t>(flits);
    slot.flits_left = static_cast<std::uint16_t>(slot.flits_left - num_sent);
    for (int number = 0; number < num_links; ++number) {
        const Flow& link = links[at(number)];
        set_used(node.outputs[at(link.port)], link.channel, link.used);
        if (num_sent != 0) {
            put_flits(step.index, link.port, sent * static_cast<LinkBlock>(link.channel + 1));
        }
    }
    if (num_sent == 0) {
        return true;
    }
    ColdNode& cold = cold_[step.index];
    for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
        const int port = std::countr_zero(rest);
        node.outputs[at(port)].last_sent = static_cast<std::uint8_t>(multicast_channel(step.index, slot_index, port));
        cold.flits_sent[at(port)] += static_cast<std::uint64_t>(num_sent);
    }
    cold.turns_given[at(slot_index)] = 0;
    node.last_multicast = static_cast<std::uint8_t>(slot_index);
    free_buffer(step, slot_index, std::countr_zero(ports), sent);
    return true;
}

}  // namespace nocbench
