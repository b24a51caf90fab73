// A shorter way through Network::step_cycle for blocks of cycles in which nobody has to be chosen for a virtual channel
// in a router. Then output ports have nothing to do with each other, and each one's block is a loop over the few
// packets that it serves. Most blocks of most routers are like that, even where packets block each other, because a
// packet is hundreds of flits long.
//
// In such a block a packet may begin whose own virtual channel is free, while nobody waits for the output; one may end
// for whose channels nobody waits; and the one behind it may follow through the same output.
//
// The result is that of Network::step_cycle, flit by flit, which tests make sure of.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

namespace {

/// The number of bytes that are 1 in a word whose bytes are 0 or 1.
constexpr int count_ones(std::uint64_t bytes) { return static_cast<int>((bytes * kLowBits) >> 56); }

/// The smaller byte at each place. Bytes are below 0x80.
constexpr std::uint64_t smaller_bytes(std::uint64_t left, std::uint64_t right) {
    const std::uint64_t left_is_not_less = ((left | 0x80 * kLowBits) - right) >> 7 & kLowBits;
    const std::uint64_t mask = left_is_not_less * 0xff;
    return (right & mask) | (left & ~mask);
}

/// The cycles until each cycle of a block, it included.
constexpr std::uint64_t kCyclesUntil = 0x0807060504030201;

/// A 1 in the byte of each cycle in which a flit is sent, where nothing but flits and space downstream can be missing:
/// `flits` are at hand and `space` is there, and one more of each for every 1 in `arriving` and in `credits`. Since
/// none of them grows by more than one in a cycle, the flits sent until a cycle are as many as the least of the flits
/// until then, the space until then, and the cycles.
constexpr std::uint64_t flits_sent_in_block(int flits, std::uint64_t arriving, int space, std::uint64_t credits,
                                            std::uint64_t cycles_until = kCyclesUntil) {
    const std::uint64_t flits_until = (static_cast<std::uint64_t>(flits) + arriving) * kLowBits;
    const std::uint64_t space_until = (static_cast<std::uint64_t>(space) + credits) * kLowBits;
    const std::uint64_t sent_until = smaller_bytes(smaller_bytes(flits_until, space_until), cycles_until);
    return sent_until - (sent_until << 8);
}

/// The virtual channel of the first flit or credit that a link brings; there must be one.
constexpr int first_channel(std::uint64_t bytes) {
    return static_cast<int>(bytes >> (std::countr_zero(bytes) / 8 * 8) & 0xff) - 1;
}

/// A 1 in the byte of each cycle in which a link brings something of a virtual channel.
constexpr std::uint64_t bytes_of_channel(std::uint64_t bytes, int channel) {
    return nonzero_bytes(bytes ^ static_cast<std::uint64_t>(channel + 1) * kLowBits) ^ kLowBits;
}

}  // namespace

/// What a wire does in a block.
template <int kPorts, int kVirtualChannels>
struct BlockNetwork<kPorts, kVirtualChannels>::WireBlock {
    LinkBlock arriving;  // a 1 in the byte of each cycle in which a flit arrives
    LinkBlock credits;   // ... in which a credit arrives
    LinkBlock sent;      // ... in which a flit is sent
    int flits;           // in the buffer
    int used;            // flits downstream
    int read;            // flits read from the tile
    int next_flits;      // of the packet behind it, if that may follow in the block; or 0
};

/// An undisturbed block of a router, by wire. Nothing is changed until it is known to be one.
/// There is room for many, and few are used: arrays are not initialised.
template <int kPorts, int kVirtualChannels>
struct BlockNetwork<kPorts, kVirtualChannels>::Undisturbed {
    /// Flits of a packet that waits for a virtual channel.
    struct Waiting {
        std::uint8_t slot;
        std::uint8_t count;
    };

    /// A packet that begins to arrive, and comes to the front of its buffer.
    struct Head {
        std::uint8_t slot;
        std::uint8_t count;  // of its flits
        LinkBlock arriving;  // a 1 in the byte of each cycle in which one arrives
    };

    /// Credits of a virtual channel that has no wire.
    struct Returned {
        std::uint8_t port;
        std::uint8_t channel;
        LinkBlock credits;  // a 1 in the byte of each cycle in which one arrives
    };

    std::array<WireBlock, kWiresMax> lanes;
    std::array<LinkBlock, kPorts> pool_credits{};  // how many of them free room of the shared pool, by cycle
    // Bit per output port: whether the shared pool downstream stays full, and whether that is known.
    mutable unsigned pools_that_stay_full = 0;
    mutable unsigned pools_known = 0;
    std::array<Waiting, at(kPorts) * at(kBlockCyclesMax)> waiting;
    std::array<Returned, at(kPorts) * at(kPorts) * at(kBlockCyclesMax)> returned;
    std::array<Head, kHeadsMax> heads;
    bool may_end = false;  // a packet
    int num_waiting = 0;
    int num_returned = 0;
    int num_heads = 0;
    LinkBlock injected = 0;  // read out of the tile, with the stream; arrives in a later block
};

template <int kPorts, int kVirtualChannels>
auto BlockNetwork<kPorts, kVirtualChannels>::step_undisturbed(Step& step) -> Outcome {
    Node& node = step.node;
    const Cycle end = step.start + parameters_.block_cycles;
    if (node.interface_wake < end || node.signal_wake < end || node.ports_pending != 0 ||
        (!node.is_wired && !find_wires(step))) {
        return Outcome::disturbed;
    }
    Undisturbed block;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        block.lanes[at(number)] = {0, 0, 0, wire.flits, wire.used, 0, 0};
    }
    if (!sort_arrivals(step, block) || (block.num_heads != 0 && !begin_wires(step, block))) {
        return Outcome::disturbed;
    }
    if (block.num_returned != 0) {
        free_pool(node, block);
    }
    if ((end > node.quiet_until || block.num_heads != 0) && !may_advance(step, block)) {
        remove_begun(step, block, block.num_heads);
        return Outcome::disturbed;
    }
    for (int number = 0; number < block.num_heads; ++number) {
        const int slot = block.heads[at(number)].slot;
        const Wire& wire = node.wires[node.wire_of[of_slot(slot)]];
        node.slots[at(slot)].flits_left = wire.flits_left;
        grant(step.index, node, wire.port, wire.channel, slot);
    }
    const unsigned together = node.wires_interact ? ports_together(step, block) : 0;
    for (int first = 0; first < node.num_wires;) {
        const int port = node.wires[at(first)].port;
        int last = first + 1;
        while (last < node.num_wires && node.wires[at(last)].port == port) {
            ++last;
        }
        if ((together >> port & 1U) == 0) {
            advance_port(step, block, first, last);
        }
        first = last;
    }
    if (together != 0) {
        advance_together(step, block, together);
    }
    bool can_progress = false;
    for (int number = 0; number < node.num_wires; ++number) {
        Wire& wire = node.wires[at(number)];
        finish_wire(step, wire, block.lanes[at(number)]);
        can_progress = can_progress || may_send(node, wire);
    }
    if (node.counted) {
        count_flits(step, [&block](int wire) { return count_ones(block.lanes[at(wire)].sent); });
    }
    if (block.injected != 0) {
        step.sent.add(Traffic::flits(kNiuPort), block.injected);
    }
    send_or_promise(step);
    for (int number = 0; number < block.num_waiting; ++number) {
        const auto [slot, count] = block.waiting[at(number)];
        node.slots[slot].flits = static_cast<std::uint16_t>(node.slots[slot].flits + count);
    }
    for (int number = 0; number < block.num_returned; ++number) {
        const auto [port, channel, credits] = block.returned[at(number)];
        set_used(node, port, channel, node.outputs[port].used[channel] - count_ones(credits));
    }
    can_progress = (can_progress && (!has_full_pool(node) || wires_can_send(node))) ||
                   (node.num_read != 0 && can_read_tile(step.index, node));
    const Outcome outcome = can_progress ? Outcome::awake : Outcome::asleep;
    const auto ends = [](const Wire& wire) { return wire.flits_left == 0; };
    const bool has_ended = block.may_end && std::any_of(node.wires.data(), node.wires.data() + node.num_wires, ends);
    if (has_ended || block.num_heads != 0) {
        node.blocks_remembered = 0;
        repetitions_[step.index].end = step.start + parameters_.block_cycles;
        if (has_ended) {
            end_wires(step);
        }
        return node.ports_pending != 0 ? Outcome::awake : outcome;
    }
    if (blocks_repeat_) {
        remember_block(step, block, outcome);
    }
    return outcome;
}

/// The output ports that have to do with each other in a block: input ports send one flit for several of them, or
/// streams are read in turn.
template <int kPorts, int kVirtualChannels>
unsigned BlockNetwork<kPorts, kVirtualChannels>::ports_together(const Step& step, const Undisturbed& block) const {
    const Node& node = step.node;
    std::array<unsigned, kPorts> ports_of_input{};
    unsigned ports_read = 0;
    int num_read = 0;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        const bool is_read = wire.is_read_from_tile && reads_tile(step, block, number);
        if (is_read) {
            ports_read |= 1U << wire.port;
            ++num_read;
        }
        if (is_read || may_go(node, wire, lane)) {
            ports_of_input[wire.input_port] |= 1U << wire.port;
        }
    }
    unsigned together = num_read > 1 ? ports_read : 0;
    for (const unsigned ports : ports_of_input) {
        together |= parameters_.one_flit_per_input_port && !is_one_bit(ports) ? ports : 0;
    }
    return together;
}

/// Whether a wire can do anything in another block even if nothing arrives in it, unless a pool is full.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::may_send(const Node& node, const Wire& wire) const {
    if (wire.flits == 0) {
        return false;
    }
    return wire.port == kNiuPort ? !is_blocked(node, wire) : wire.used < flits_downstream_max();
}

/// Whether the shared pool behind an output port is full.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::has_full_pool(const Node& node) const {
    bool is_full = false;
    for (int port = 1; port < kPorts; ++port) {
        is_full = is_full || node.pool_used[at(port)] >= parameters_.shared_flits_per_input_port;
    }
    return is_full;
}

/// Whether wires can do anything in another block even if nothing arrives in it.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::wires_can_send(const Node& node) const {
    return std::any_of(node.wires.data(), node.wires.data() + node.num_wires, [&](const Wire& wire) {
        const bool pool_is_full = node.pool_used[wire.port] >= parameters_.shared_flits_per_input_port;
        return may_send(node, wire) &&
               (wire.port == kNiuPort || !pool_is_full || wire.used < parameters_.private_flits_per_virtual_channel);
    });
}

/// Finds the packets that own virtual channels, whether they have flits at hand or not.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::find_wires(const Step& step) {
    Node& node = step.node;
    if (node.multicast != 0) {
        return false;
    }
    node.num_wires = 0;
    node.quiet_until = 0;
    node.wire_of.fill(kNoWire);
    for (int port = 0; port < kPorts; ++port) {
        const Output& output = node.outputs[at(port)];
        const int first = node.num_wires;
        for (ChannelMask rest = output.owned; rest != 0; rest &= rest - 1) {
            const int channel = std::countr_zero(rest);
            const std::uint8_t slot_index = output.owner[at(channel)];
            const InputSlot& slot = node.slots[slot_index];
            if (slot.output_port != port || slot.output_channel != channel) {
                continue;  // of a multicast
            }
            if (node.num_wires == kWiresMax || node.num_wires - first == kWiresOfPortMax) {
                return false;
            }
            add_wire(step.index, {.slot = slot_index,
                                  .port = static_cast<std::uint8_t>(port),
                                  .channel = static_cast<std::uint8_t>(channel),
                                  .input_port = static_cast<std::uint8_t>(slot_index / kVirtualChannels),
                                  .is_read_from_tile = is_read(step, slot_index)});
        }
    }
    relate_wires(node);
    node.blocks_remembered = 0;
    node.is_wired = true;
    return true;
}

/// Notes what wires have to do with each other.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::relate_wires(Node& node) const {
    int num_read = 0;
    unsigned inputs = 0;  // of the ports before
    unsigned inputs_of_port = 0;
    int port = 0;
    bool share_input = false;
    unsigned ports = 0;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        ports |= 1U << wire.port;
        if (wire.port != port) {
            port = wire.port;
            inputs |= std::exchange(inputs_of_port, 0);
        }
        inputs_of_port |= 1U << wire.input_port;
        share_input = share_input || (inputs >> wire.input_port & 1U) != 0;
        if (wire.is_read_from_tile) {
            ++num_read;
            node.stream_read = wire.slot;
        }
    }
    node.wires_interact = (parameters_.one_flit_per_input_port && share_input) || num_read > 1;
    node.num_read = static_cast<std::uint8_t>(num_read);
    node.is_straight = !blocks_repeat_ && !node.counted && std::popcount(ports) == node.num_wires &&
                       std::popcount(inputs | inputs_of_port) == node.num_wires;
}

/// Adds wires for packets whose heads arrive in a block, where each one's own virtual channel is free, so that it is
/// granted at once, and nobody waits for any: then it makes no difference that it is granted before. Returns false if
/// it is not like that, and changes nothing.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::begin_wires(const Step& step, Undisturbed& block) {
    Node& node = step.node;
    for (int number = 0; number < block.num_heads; ++number) {
        const auto& [slot, count, arriving] = block.heads[at(number)];
        const PacketId id = front_packet(node, step.cold, slot);
        const Packet& packet = packets_[id];
        const Way way = packet.tree == kNoTree ? way_of(step.index, packet, slot) : Way{kNiuPort, 0};
        const Output& output = node.outputs[at(way.port)];
        const auto is_before = [&way](const Wire& wire) {
            return wire.port < way.port || (wire.port == way.port && wire.channel < way.channel);
        };
        const auto place = std::count_if(node.wires.data(), node.wires.data() + node.num_wires, is_before);
        if (way.port == kNiuPort || count > packet.flits || output.waiting != 0 ||
            (output.owned >> way.channel & 1U) != 0 || node.wire_of[of_output(way.port, way.channel)] != kNoWire ||
            !has_room_for_wire(node, way.port)) {
            remove_begun(step, block, number);
            return false;
        }
        Wire wire{.slot = slot,
                  .port = static_cast<std::uint8_t>(way.port),
                  .channel = static_cast<std::uint8_t>(way.channel),
                  .input_port = static_cast<std::uint8_t>(slot / kVirtualChannels),
                  .is_read_from_tile = is_read(step, slot)};
        set_words(wire);
        wire.used = output.used[at(way.channel)];
        wire.flits_left = packet.flits;
        Wire* const last_wire = node.wires.data() + node.num_wires;
        std::copy_backward(node.wires.data() + place, last_wire, last_wire + 1);
        WireBlock* const last_lane = block.lanes.data() + node.num_wires;
        std::copy_backward(block.lanes.data() + place, last_lane, last_lane + 1);
        ++node.num_wires;
        node.wires[at(place)] = wire;
        block.lanes[at(place)] = {arriving, take_returned(block, way.port, way.channel), 0, 0, wire.used, 0, 0};
        number_wires(node, static_cast<int>(place));
    }
    relate_wires(node);
    return true;
}

/// The first `count` of the packets whose heads arrive have no wires any more.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::remove_begun(const Step& step, const Undisturbed& block, int count) {
    Node& node = step.node;
    for (int number = 0; number < count; ++number) {
        remove_wire(node, node.wire_of[of_slot(block.heads[at(number)].slot)]);
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::remove_wire(Node& node, int number) {
    const Wire& wire = node.wires[at(number)];
    node.wire_of[of_slot(wire.slot)] = kNoWire;
    node.wire_of[of_output(wire.port, wire.channel)] = kNoWire;
    Wire* const removed = node.wires.data() + number;
    std::copy(removed + 1, node.wires.data() + node.num_wires, removed);
    --node.num_wires;
    number_wires(node, number);
}

/// Packets whose tails have gone give their virtual channels back; nobody waits for these but what comes behind one.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::end_wires(Step& step) {
    Node& node = step.node;
    for (int number = node.num_wires - 1; number >= 0; --number) {
        const Wire& wire = node.wires[at(number)];
        if (wire.flits_left != 0) {
            continue;
        }
        InputSlot& slot = node.slots[wire.slot];
        Output& output = node.outputs[wire.port];
        take_front_packet(step, wire.slot, wire.port);
        slot.flits = wire.flits;
        slot.flits_left = 0;
        slot.output_port = kNotGranted;
        clear_has_flit(node, wire.port, channel_bit(wire.channel));
        output.owned &= ~channel_bit(wire.channel);
        set_used_beside_pool(output, wire.channel, wire.used);
        const int slot_index = wire.slot;
        remove_wire(node, number);
        if (slot.flits != 0) {
            look_at_front(step.index, node, slot_index, {step.start + parameters_.block_cycles - 1, 0});
        }
    }
    relate_wires(node);
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::add_wire(NodeIndex index, const Wire& wire) {
    Node& node = nodes_[index];
    const InputSlot& slot = node.slots[wire.slot];
    node.wire_of[of_slot(wire.slot)] = node.num_wires;
    node.wire_of[of_output(wire.port, wire.channel)] = node.num_wires;
    Wire& added = node.wires[node.num_wires++];
    added = wire;
    added.flits = static_cast<std::uint8_t>(slot.flits);
    added.flits_left = slot.flits_left;
    added.used = node.outputs[wire.port].used[wire.channel];
    set_words(added);
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::unwire(NodeIndex index) {
    Node& node = nodes_[index];
    if (!node.is_wired) {
        return;
    }
    if (node.repeats) {
        end_repetition(index);
    }
    node.is_wired = node.is_straight = false;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        InputSlot& slot = node.slots[wire.slot];
        slot.flits = wire.flits;
        slot.flits_left = wire.flits_left;
        Output& output = node.outputs[wire.port];
        const ChannelMask mask = channel_bit(wire.channel);
        if (wire.flits != 0) {
            set_has_flit(node, wire.port, mask);
        } else {
            clear_has_flit(node, wire.port, mask);
        }
        set_used_beside_pool(output, wire.channel, wire.used);
    }
}

/// Sorts what links bring by wire. Returns false if the block has to be stepped cycle by cycle: if a head is among it
/// that may pass, or more heads than there is room for, or two credits of a virtual channel in a cycle, since the first
/// flit of a unicast can leave a buffer with the last one of the multicast before it.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::sort_arrivals(const Step& step, Undisturbed& block) const {
    static constexpr auto kFirstOfWord = [] {
        std::array<std::uint8_t, Traffic::kNumWords> first{};  // of Node::wire_of
        for (int word = 0; word < Traffic::kNumWords; ++word) {
            const int port = Traffic::port(word);
            first[at(word)] =
                static_cast<std::uint8_t>(word < kPorts ? of_slot(port * kVirtualChannels) : of_output(port, 0));
        }
        return first;
    }();
    const Node& node = step.node;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const bool has_flits = word < kPorts;
        const std::uint8_t* const wires = node.wire_of.data() + kFirstOfWord[at(word)];
        LinkBlock bytes = step.in.words[at(word)];
        do {
            const int channel = first_channel(bytes);
            const LinkBlock present = bytes_of_channel(bytes, channel);
            bytes &= ~(present * 0xff);
            if (const int wire = wires[channel]; wire != kNoWire) {
                WireBlock& lane = block.lanes[at(wire)];
                LinkBlock& sum = has_flits ? lane.arriving : lane.credits;
                if ((sum & present) != 0) {
                    return false;
                }
                sum |= present;
            } else if (!sort_unwired(step, block, word, channel, present)) {
                return false;
            }
        } while (bytes != 0);
    }
    return true;
}

/// The same of a virtual channel that has no wire.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::sort_unwired(const Step& step, Undisturbed& block, int word, int channel,
                                                          LinkBlock present) const {
    if (word >= kPorts) {
        LinkBlock& credits = credits_returned(block, Traffic::port(word), channel);
        const bool has_two = (credits & present) != 0;
        credits |= present;
        return !has_two;
    }
    const int slot = word * kVirtualChannels + channel;
    const auto count = static_cast<std::uint8_t>(count_ones(present));
    if (step.node.slots[at(slot)].flits_left != 0) {
        block.waiting[at(block.num_waiting++)] = {static_cast<std::uint8_t>(slot), count};
        return true;
    }
    if (block.num_heads == kHeadsMax || begins_single(step, slot)) {
        return false;
    }
    block.heads[at(block.num_heads++)] = {static_cast<std::uint8_t>(slot), count, present};
    return true;
}

/// Whether a packet of one flit comes to the front of `slot`: it may pass, see take_head().
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::begins_single(const Step& step, int slot) const {
    return singles_pass_ && step.node.num_wires == 0 && packets_[front_packet(step.node, step.cold, slot)].flits == 1;
}

/// Of the credits of virtual channels that have no wire, the first ones free room of the shared pool.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::free_pool(const Node& node, Undisturbed& block) const {
    for (int number = 0; number < block.num_returned; ++number) {
        const auto& [port, channel, credits] = block.returned[at(number)];
        LinkBlock freed = credits;
        const int num_freed = node.outputs[port].used[channel] - parameters_.private_flits_per_virtual_channel;
        for (int kept = count_ones(credits) - num_freed; kept > 0 && freed != 0; --kept) {
            freed &= ~(LinkBlock{0xff} << (63 - std::countl_zero(freed)) / 8 * 8);
        }
        block.pool_credits[port] += freed;
    }
}

/// The credits of a virtual channel that has a wire from now on.
template <int kPorts, int kVirtualChannels>
auto BlockNetwork<kPorts, kVirtualChannels>::take_returned(Undisturbed& block, int port, int channel) -> LinkBlock {
    for (int number = 0; number < block.num_returned; ++number) {
        auto& returned = block.returned[at(number)];
        if (returned.port == port && returned.channel == channel) {
            const LinkBlock credits = returned.credits;
            returned = block.returned[at(--block.num_returned)];
            return credits;
        }
    }
    return 0;
}

/// The credits of a virtual channel that has no wire. They can come from several outputs of the router downstream.
template <int kPorts, int kVirtualChannels>
auto BlockNetwork<kPorts, kVirtualChannels>::credits_returned(Undisturbed& block, int port, int channel) -> LinkBlock& {
    for (int number = 0; number < block.num_returned; ++number) {
        auto& returned = block.returned[at(number)];
        if (returned.port == port && returned.channel == channel) {
            return returned.credits;
        }
    }
    auto& returned = block.returned[at(block.num_returned++)];
    returned = {static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(channel), 0};
    return returned.credits;
}

/// No tail can go for which it matters when, nothing has to be reported about what the tile gets, and streams neither
/// begin nor end. Notes until when this is so anyway, since a packet sends, and a stream reads, a flit per cycle at
/// most.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::may_advance(const Step& step, Undisturbed& block) const {
    Node& node = step.node;
    int quiet_cycles = std::numeric_limits<int>::max();
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        quiet_cycles = std::min(quiet_cycles, is_blocked(node, wire) ? quiet_cycles : wire.flits_left - 1);
        const int issued = wire.is_read_from_tile ? static_cast<int>(parameters_.block_cycles) : 0;
        const int at_hand = lane.flits + count_ones(lane.arriving) + issued;
        if (wire.port == kNiuPort) {
            // Of requests that the tile does not take, neither heads nor tails go.
            const bool is_reported = node.metered || (node.heads_to_eject >> wire.channel & 1U) != 0;
            if (!is_blocked(node, wire) && (is_reported || at_hand >= wire.flits_left)) {
                return false;
            }
        } else if (at_hand >= wire.flits_left && room_in_block(node, block, number) >= wire.flits_left) {
            if (wire.is_read_from_tile || node.outputs[wire.port].waiting != 0 ||
                (at_hand > wire.flits_left && !can_follow(step, block, number, at_hand))) {
                // With the tail, something else comes to the front, or is granted a virtual channel.
                return false;
            }
            block.may_end = true;
        }
    }
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        const int number = std::countr_zero(rest);
        const Stream& stream = step.cold.streams[at(number)];
        const int wire = node.wire_of[of_slot(number)];
        const bool is_read = wire != kNoWire && node.wires[at(wire)].is_read_from_tile;
        // Its buffer is full, and stays so.
        const bool is_stuck = stream.in_buffer >= parameters_.injection_buffer_flits &&
                              (wire == kNoWire || (!is_read && !can_go(node, block, wire)));
        if (!is_stuck && (!is_read || !stream_is_steady(stream, step.start))) {
            return false;
        }
        const int steady_cycles = stream.flits - stream.issued - parameters_.read_ahead_flits - 1;
        quiet_cycles = std::min(quiet_cycles, is_stuck ? 0 : steady_cycles);
    }
    node.quiet_until = step.start + quiet_cycles;
    return true;
}

/// Whether a flit of a wire, if there is one, may go in the course of a block.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::can_go(const Node& node, const Undisturbed& block,
                                                           int number) const {
    const Wire& wire = node.wires[at(number)];
    return wire.port == kNiuPort ? !is_blocked(node, wire) : room_in_block(node, block, number) > 0;
}

/// The same, as far as flits at hand and its own virtual channel are concerned, and not the pool.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::may_go(const Node& node, const Wire& wire,
                                                           const WireBlock& lane) const {
    if (lane.flits == 0 && lane.arriving == 0) {
        return false;
    }
    return wire.port == kNiuPort ? !is_blocked(node, wire)
                                 : lane.used - count_ones(lane.credits) < flits_downstream_max();
}

/// Whether flits may be read out of the tile in a block for a wire whose packet is.
template <int kPorts, int kVirtualChannels>
inline bool BlockNetwork<kPorts, kVirtualChannels>::reads_tile(const Step& step, const Undisturbed& block,
                                                               int number) const {
    const Stream& stream = step.cold.streams[step.node.wires[at(number)].slot];
    return stream.in_buffer < parameters_.injection_buffer_flits || can_go(step.node, block, number);
}

/// A stream while it is read in a block, when no other one is.
template <int kPorts, int kVirtualChannels>
struct BlockNetwork<kPorts, kVirtualChannels>::Reading {
    int in_buffer;
    Tick source_next_tick;
    Tick stream_next_tick;
    Tick source_ticks;   // per flit
    Tick stream_ticks;   // the same
    LinkBlock read = 0;  // a 1 in the byte of each cycle in which a flit is read

    Reading(const Node& node, const Stream& stream)
        : in_buffer(stream.in_buffer),
          source_next_tick(node.source_next_tick),
          stream_next_tick(stream.next_tick),
          source_ticks(node.source_ticks_per_data_flit),
          stream_ticks(stream.ticks_per_flit) {}

    /// In the cycle of a block that begins at `tick`. Returns whether a flit is read.
    bool read_flit(int in_buffer_max, int cycle, Tick tick) {
        if (in_buffer >= in_buffer_max || std::max(source_next_tick, stream_next_tick) >= tick + kTicksPerCycle) {
            return false;
        }
        source_next_tick = std::max(source_next_tick, tick) + source_ticks;
        stream_next_tick = std::max(stream_next_tick, tick) + stream_ticks;
        ++in_buffer;
        read |= LinkBlock{1} << (8 * cycle);
        return true;
    }
};

/// Notes what has been read out of the tile for a wire.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::end_reading(Node& node, Stream& stream, int slot, WireBlock& lane,
                                                                LinkBlock& injected, const Reading& reading) const {
    if (reading.read != 0) {
        const int late =
            8 * static_cast<int>(std::max<Cycle>(parameters_.block_cycles - parameters_.injection_cycles, 0));
        lane.read = count_ones(reading.read);
        stream.issued = static_cast<std::uint16_t>(stream.issued + lane.read);
        node.last_stream = static_cast<std::uint8_t>(slot);
        injected |= (reading.read >> late << late) * (static_cast<LinkBlock>(slot) + 1);
    }
    stream.in_buffer = static_cast<std::uint16_t>(reading.in_buffer);
    stream.next_tick = reading.stream_next_tick;
    node.source_next_tick = reading.source_next_tick;
}

/// Whether what comes behind a packet, of `at_hand` flits of both, is one packet that goes the same way, and is noted.
/// In the cycle after the tail, it is granted the virtual channel that the tail has given back, and may send a flit: as
/// if the two were one.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::can_follow(const Step& step, Undisturbed& block, int number,
                                                        int at_hand) const {
    const Wire& wire = step.node.wires[at(number)];
    if (wire.input_port == kNiuPort) {
        return false;
    }
    const PacketId id = step.cold.queue[(step.node.slots[wire.slot].queue_head + 1U) % kQueueSize][wire.slot];
    const Packet& packet = packets_[id];
    if (packet.tree != kNoTree || at_hand > wire.flits_left + packet.flits) {
        return false;
    }
    const Way way = way_of(step.index, packet, wire.slot);
    block.lanes[at(number)].next_flits = packet.flits;
    return way.port == wire.port && way.channel == wire.channel;
}

/// Flits of a wire that there is room for downstream in the course of a block, at most.
template <int kPorts, int kVirtualChannels>
int BlockNetwork<kPorts, kVirtualChannels>::room_in_block(const Node& node, const Undisturbed& block,
                                                          int number) const {
    const Wire& wire = node.wires[at(number)];
    const WireBlock& lane = block.lanes[at(number)];
    if ((block.pools_known >> wire.port & 1U) == 0) {
        // Whatever comes back, of any virtual channel, may free room of the shared pool.
        int pool_used = node.pool_used[wire.port] - count_ones(block.pool_credits[wire.port]);
        for (int other = 0; other < node.num_wires; ++other) {
            pool_used -= node.wires[at(other)].port == wire.port ? count_ones(block.lanes[at(other)].credits) : 0;
        }
        block.pools_known |= 1U << wire.port;
        block.pools_that_stay_full |= pool_used >= parameters_.shared_flits_per_input_port ? 1U << wire.port : 0;
    }
    const bool pool_stays_full = (block.pools_that_stay_full >> wire.port & 1U) != 0;
    const int flits_max =
        pool_stays_full ? std::max(lane.used, parameters_.private_flits_per_virtual_channel) : flits_downstream_max();
    return flits_max - lane.used + count_ones(lane.credits);
}

/// Whether a stream neither begins nor ends in the block.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::stream_is_steady(const Stream& stream, Cycle start) const {
    return stream.issued != 0 && stream.start <= start &&
           stream.issued + parameters_.block_cycles + parameters_.read_ahead_flits < stream.flits;
}

/// Flits have left the buffer of `slot` through `port`.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::free_buffer(Step& step, int slot, int port, LinkBlock sent) {
    const int input_port = slot / kVirtualChannels;
    if (input_port != kNiuPort) {
        step.sent.add(Traffic::credits(input_port, credit_lane(port)),
                      sent * static_cast<LinkBlock>(slot % kVirtualChannels + 1));
    } else {
        Stream& stream = cold_[step.index].streams[at(slot)];
        stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count_ones(sent));
    }
}

/// The block of an output port, whose wires are those from `first` to before `last`.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::advance_port(Step& step, Undisturbed& block, int first, int last) {
    Node& node = step.node;
    const int port = node.wires[at(first)].port;
    const bool pool_may_fill = port_kind(node, port) == PortKind::link_with_full_pool;
    if (last - first == 1 && !pool_may_fill) {
        advance_one(step, block, node.wires[at(first)], block.lanes[at(first)]);
        return;
    }
    // Most wires have nothing to send, or no room for it downstream: only flits and credits come for them.
    int active = first;
    int num_active = 0;
    for (int number = first; number < last; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        if (wire.is_read_from_tile || (may_go(node, wire, lane) && (!pool_may_fill || can_go(node, block, number)))) {
            active = number;
            ++num_active;
        }
    }
    if (num_active > 1 || (num_active == 1 && pool_may_fill)) {
        advance_in_turn(step, block, first, last);
        return;
    }
    for (int number = first; number < last; ++number) {
        WireBlock& lane = block.lanes[at(number)];
        if (number != active || num_active == 0) {
            lane.flits += count_ones(lane.arriving);
            lane.used -= count_ones(lane.credits);
        }
    }
    if (num_active == 1) {
        advance_one(step, block, node.wires[at(active)], block.lanes[at(active)]);
    }
}

/// The block of an output port that sends flits of one packet, if any.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::advance_one(Step& step, Undisturbed& block, const Wire& wire,
                                                                WireBlock& lane) {
    if (wire.is_read_from_tile) {
        send_from_tile(step.node, step.cold.streams[wire.slot], step.start, block.injected, wire, lane);
    } else if (wire.port == kNiuPort) {
        eject(step.node, step.start, wire, lane);
    } else {
        send_through(step.node, step.start, wire, lane);
    }
}

/// The block of an output port to another router that sends flits of one packet, which comes from another router, or
/// from the tile but is not read any more. Its pool downstream does not become full.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::send_through(Node& node, Cycle start, const Wire& wire,
                                                                 WireBlock& lane) const {
    const int space = flits_downstream_max() - lane.used;
    lane.sent = flits_sent_in_block(lane.flits, lane.arriving, space, lane.credits) & block_mask_;
    if (links_rest() && lane.sent != 0) {
        lane.sent = rest_in_block(node, start, wire.port, lane, space);
    }
    const int num_sent = count_ones(lane.sent);
    lane.flits += count_ones(lane.arriving) - num_sent;
    lane.used += num_sent - count_ones(lane.credits);
    std::uint8_t& last_sent = node.last_sent[wire.port];
    last_sent = lane.sent != 0 ? wire.channel : last_sent;
}

/// A link has passed flits in those cycles of a block whose byte of `sent` is 1. If there are none, whatever has been
/// noted before is over.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::note_sent_on_end(Node& node, int port, Cycle start,
                                                                     LinkBlock sent) const {
    if (!links_rest() || sent == 0) {
        return;
    }
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    const LinkBlock gaps = (sent ^ kLowBits) << (64 - 8 * cycles);
    const int before = gaps == 0 ? flits_on_end(node, port, start) : 0;
    set_flits_on_end(node, port, start + cycles, std::min(std::countl_zero(gaps) / 8, cycles) + before);
}

/// What is sent over a link in a block if `lane.sent` would be were it not to rest, which is noted. With the `space`
/// downstream.
template <int kPorts, int kVirtualChannels>
inline auto BlockNetwork<kPorts, kVirtualChannels>::rest_in_block(Node& node, Cycle start, int port,
                                                                  const WireBlock& lane, int space) const -> LinkBlock {
    const int until_rest = cycles_until_rest(node, port, start);
    LinkBlock sent = lane.sent;
    if (until_rest < parameters_.block_cycles) {
        // It rests in this cycle if flits go in all those before, and one could in this one.
        const LinkBlock all_until = kLowBits >> (8 * (7 - until_rest));
        if ((sent & all_until) == all_until) {
            const LinkBlock cycles_until = kCyclesUntil - (kLowBits << (8 * until_rest));
            sent = flits_sent_in_block(lane.flits, lane.arriving, space, lane.credits, cycles_until) & block_mask_;
        }
    }
    note_sent_on_end(node, port, start, sent);
    return sent;
}

/// Flits of a wire that are downstream now.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::count_downstream(Node& node, Wire& wire, int used) const {
    if (std::max<int>(used, wire.used) > parameters_.private_flits_per_virtual_channel) {
        std::uint16_t& pool_used = node.pool_used[wire.port];
        pool_used = static_cast<std::uint16_t>(pool_used + flits_in_pool(used) - flits_in_pool(wire.used));
    }
    wire.used = static_cast<std::uint8_t>(used);
}

/// The block of an output port that sends flits of one packet, which is read out of the tile meanwhile. No other stream
/// is.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::send_from_tile(Node& node, Stream& stream, Cycle start,
                                                            LinkBlock& injected, const Wire& wire,
                                                            WireBlock& lane) const {
    const bool is_tile = wire.port == kNiuPort;
    const int limit = is_blocked(node, wire) ? 0 : flits_downstream_max();
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
    if (stream.in_buffer >= parameters_.injection_buffer_flits && lane.used - count_ones(lane.credits) >= limit) {
        // Nothing can go, and so nothing can be read.
        lane.flits += count_ones(lane.arriving);
        lane.used -= count_ones(lane.credits);
        return;
    }
    int flits = lane.flits;
    int used = is_tile ? 0 : lane.used;
    LinkBlock arriving = lane.arriving;
    LinkBlock sent = 0;
    Reading reading(node, stream);
    const int until_rest = cycles_until_rest(node, wire.port, start);
    Tick tick = ticks_from_cycles(start);
    for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
        if (reading.read_flit(parameters_.injection_buffer_flits, cycle, tick) && cycle + injection_cycles < cycles) {
            arriving |= LinkBlock{1} << (8 * (cycle + injection_cycles));
        }
        flits += static_cast<int>(arriving >> (8 * cycle) & 1);
        used -= static_cast<int>(lane.credits >> (8 * cycle) & 1);
        const bool rests = cycle == until_rest && count_ones(sent) == cycle;
        if (flits > 0 && used < limit && !rests && (!is_tile || node.sink_next_tick < tick + kTicksPerCycle)) {
            --flits;
            --reading.in_buffer;
            sent |= LinkBlock{1} << (8 * cycle);
            if (is_tile) {
                node.sink_next_tick = std::max(node.sink_next_tick, tick) + node.sink_ticks_per_data_flit;
            } else {
                ++used;
            }
        }
    }
    if (!is_tile) {
        note_sent_on_end(node, wire.port, start, sent);
    }
    end_reading(node, stream, wire.slot, lane, injected, reading);
    node.last_sent[wire.port] = sent != 0 ? wire.channel : node.last_sent[wire.port];
    lane.arriving = arriving;
    lane.flits = flits;
    lane.used = used;
    lane.sent = sent;
}

/// The block of the port to the tile, which serves one packet.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::eject(Node& node, Cycle start, const Wire& wire,
                                                          WireBlock& lane) const {
    if (is_blocked(node, wire)) {
        lane.flits += count_ones(lane.arriving);
        return;
    }
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    LinkBlock arriving = lane.arriving;
    Tick tick = ticks_from_cycles(start);
    for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle, arriving >>= 8) {
        lane.flits += static_cast<int>(arriving & 1);
        if (lane.flits > 0 && node.sink_next_tick < tick + kTicksPerCycle) {
            node.sink_next_tick = std::max(node.sink_next_tick, tick) + node.sink_ticks_per_data_flit;
            --lane.flits;
            lane.sent |= LinkBlock{1} << (8 * offset);
        }
    }
    if (lane.sent != 0) {
        node.last_sent[kNiuPort] = wire.channel;
    }
}

/// The tail of a packet has gone. If the one behind it has been granted the virtual channel in the block, the wire is
/// that one's.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::follow(Step& step, Wire& wire, const WireBlock& lane, int num_sent) {
    const int last_cycle = static_cast<int>(parameters_.block_cycles) - 1;
    const bool tail_goes_last = (lane.sent >> (8 * last_cycle) & 1) != 0;
    const int num_sent_of_next = num_sent - wire.flits_left;
    if (num_sent_of_next == 0 && (lane.flits == 0 || tail_goes_last)) {
        wire.flits_left = 0;
        return;
    }
    take_front_packet(step, wire.slot, wire.port);
    push_downstream(step.index, wire.port, wire.channel, front_packet(step.node, step.cold, wire.slot));
    wire.flits_left = static_cast<std::uint16_t>(lane.next_flits - num_sent_of_next);
}

/// What a wire has done in the block.
template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::finish_wire(Step& step, Wire& wire, const WireBlock& lane) {
    if (lane.sent == 0 && lane.flits == wire.flits && lane.used == wire.used) {
        return;
    }
    if (wire.port != kNiuPort) {
        count_downstream(step.node, wire, lane.used);
    }
    wire.flits = static_cast<std::uint8_t>(lane.flits);
    if (lane.sent == 0) {
        return;
    }
    const int num_sent = count_ones(lane.sent);
    if (lane.next_flits != 0 && num_sent >= wire.flits_left) {
        follow(step, wire, lane, num_sent);
    } else {
        wire.flits_left = static_cast<std::uint16_t>(wire.flits_left - num_sent);
    }
    send_and_free(step.cold, wire, lane.sent, [&step](int word, LinkBlock bytes) { step.sent.add(word, bytes); });
}

/// Flits of a wire go out and leave room in its buffer. `send(word, bytes)` sends a word of Sent.
template <int kPorts, int kVirtualChannels>
template <class Send>
inline void BlockNetwork<kPorts, kVirtualChannels>::send_and_free(ColdNode& cold, const Wire& wire, LinkBlock sent,
                                                                  const Send& send) {
    if (wire.port != kNiuPort) {
        send(wire.flits_word, sent * (wire.channel + 1U));
    }
    if (wire.input_port != kNiuPort) {
        send(wire.credits_word, sent * (wire.slot % kVirtualChannels + 1U));
    } else if (!wire.is_read_from_tile) {
        Stream& stream = cold.streams[wire.slot];
        stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count_ones(sent));
    }
}

}  // namespace nocbench
