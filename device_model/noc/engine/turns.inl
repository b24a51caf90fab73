// Output ports whose packets take turns, in blocks of cycles in which nobody is chosen for a virtual channel: several
// of them have flits, the pool that their virtual channels share downstream is about to fill, an input port sends one
// flit per cycle, streams are read out of the tile in turn. Such a block is gone through cycle by cycle, but all
// packets of a port at once: each one's flits, and those downstream, are a byte of a 64-bit word.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

namespace {

constexpr std::uint64_t kHighBits = 0x80 * kLowBits;

/// The highest bit of each byte that is not less than `least`. Bytes are below 0x80, and so is `least`, or equal to it.
constexpr std::uint64_t bytes_from(std::uint64_t bytes, int least) {
    return (bytes + static_cast<std::uint64_t>(0x80 - least) * kLowBits) & kHighBits;
}

/// The bytes of a word, which are 0 or 1, as bits of a byte.
constexpr std::uint64_t bits_of_bytes(std::uint64_t bytes) { return (bytes * 0x0102040810204080) >> 56; }

/// The bits of a byte as bytes, 0 or 1, of a word.
constexpr std::uint64_t bytes_of_bits(std::uint64_t bits) {
    return nonzero_bytes(bits * kLowBits & 0x8040201008040201);
}

}  // namespace

/// The wires of an output port. Of a word, each of them has a byte, in the order of their virtual channels. Not
/// initialised, since there is one for each port, and few are used.
template <int kPorts, int kVirtualChannels>
struct BlockNetwork<kPorts, kVirtualChannels>::Turns {
    int port;
    int first;               // its first wire
    int last;                // the one after the last
    int last_sent;           // lowest bit of the wire that has sent a flit last in the block, or -1
    int pool_used;           // downstream
    int until_rest;          // cycles, if the link passes flits in all of them
    LinkBlock inputs;        // a bit for the input port
    LinkBlock flits;         // in buffers
    LinkBlock used;          // flits downstream
    LinkBlock arriving;      // a bit for each cycle in which a flit arrives
    LinkBlock credits;       // ... in which a credit arrives
    LinkBlock sent;          // ... in which a flit is sent
    LinkBlock pool_credits;  // those of other virtual channels that free room of the pool, by cycle
    LinkBlock served;        // wires whose flits the port takes
    LinkBlock after_last;    // all bits of the wires whose turn is after that of the one that sent last
};

template <int kPorts, int kVirtualChannels>
inline auto BlockNetwork<kPorts, kVirtualChannels>::begin_turns(const Node& node, const Undisturbed& block, int first,
                                                                int last, Cycle start) const -> Turns {
    const int port = node.wires[at(first)].port;
    const int last_sent = node.last_sent[at(port)];
    Turns turns{.port = port,
                .first = first,
                .last = last,
                .last_sent = -1,
                .pool_used = node.pool_used[at(port)],
                .until_rest = cycles_until_rest(node, port, start),
                .inputs = 0,
                .flits = 0,
                .used = 0,
                .arriving = 0,
                .credits = 0,
                .sent = 0,
                .pool_credits = block.pool_credits[at(port)],
                .served = kHighBits,
                .after_last = 0};
    for (int number = first; number < last; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        const int bits = 8 * (number - first);
        turns.inputs |= LinkBlock{1} << (bits + wire.input_port);
        turns.flits |= static_cast<LinkBlock>(lane.flits) << bits;
        turns.used |= static_cast<LinkBlock>(lane.used) << bits;
        turns.arriving |= bits_of_bytes(lane.arriving) << bits;
        turns.credits |= bits_of_bytes(lane.credits) << bits;
        turns.after_last |= wire.channel > last_sent ? LinkBlock{0xff} << bits : 0;
        turns.served &= is_blocked(node, wire) ? ~(LinkBlock{0xff} << bits) : ~LinkBlock{0};
    }
    return turns;
}

/// A cycle of a port. Returns the wire that sends a flit, or -1. Those of the wires `excluded` do not.
template <int kPorts, int kVirtualChannels>
template <BlockNetwork<kPorts, kVirtualChannels>::PortKind kKind>
inline int BlockNetwork<kPorts, kVirtualChannels>::take_turn(Turns& turns, Node& node, int cycle, Tick tick,
                                                             LinkBlock excluded) const {
    const int own = parameters_.private_flits_per_virtual_channel;
    turns.flits += turns.arriving >> cycle & kLowBits;
    LinkBlock ready = bytes_from(turns.flits, 1) & ~excluded;
    if constexpr (kKind == PortKind::tile) {
        ready &= node.sink_next_tick < tick + kTicksPerCycle ? turns.served : 0;
    } else {
        // Credits come before flits go, of all virtual channels.
        const LinkBlock credits = turns.credits >> cycle & kLowBits;
        const auto fills_pool = [&] {
            turns.pool_used -= static_cast<int>(turns.pool_credits >> (8 * cycle) & 0xff) +
                               count_ones(credits & bytes_from(turns.used, own + 1) >> 7);
            return turns.pool_used >= parameters_.shared_flits_per_input_port;
        };
        const bool pool_is_full = kKind == PortKind::link_with_full_pool && fills_pool();
        turns.used -= credits;
        ready &= ~bytes_from(turns.used, pool_is_full ? own : flits_downstream_max());
        if (cycle == turns.until_rest && std::popcount(turns.sent) == cycle) {
            return -1;
        }
    }
    if (ready == 0) {
        return -1;
    }
    const LinkBlock later = ready & turns.after_last;
    const int bits = std::countr_zero(later != 0 ? later : ready) & ~7;
    const LinkBlock one = LinkBlock{1} << bits;
    turns.after_last = ~LinkBlock{0xff} << bits;
    turns.last_sent = bits;
    turns.flits -= one;
    turns.sent |= one << cycle;
    if constexpr (kKind == PortKind::tile) {
        node.sink_next_tick = std::max(node.sink_next_tick, tick) + node.sink_ticks_per_data_flit;
    } else {
        if constexpr (kKind == PortKind::link_with_full_pool) {
            turns.pool_used += static_cast<int>(turns.used >> bits & 0xff) >= own ? 1 : 0;
        }
        turns.used += one;
    }
    return turns.first + bits / 8;
}

/// The block of a port that has to do with no other one. The packet of the wire `read`, if there is one, is read out of
/// the tile.
template <int kPorts, int kVirtualChannels>
template <BlockNetwork<kPorts, kVirtualChannels>::PortKind kKind>
inline void BlockNetwork<kPorts, kVirtualChannels>::take_turns(Turns& turns, Step& step, Undisturbed& block,
                                                               int read) const {
    Node& node = step.node;
    Turns now = turns;
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    Tick tick = ticks_from_cycles(step.start);
    if (read < 0) {
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            take_turn<kKind>(now, node, cycle, tick, 0);
        }
    } else {
        const int slot = node.wires[at(read)].slot;
        const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
        Reading reading(node, step.cold.streams[at(slot)]);
        for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
            if (reading.read_flit(parameters_.injection_buffer_flits, cycle, tick) &&
                cycle + injection_cycles < cycles) {
                now.arriving |= LinkBlock{1} << (8 * (read - now.first) + cycle + injection_cycles);
            }
            reading.in_buffer -= take_turn<kKind>(now, node, cycle, tick, 0) == read ? 1 : 0;
        }
        end_reading(node, step.cold.streams[at(slot)], slot, block.lanes[at(read)], block.injected, reading);
    }
    turns = now;
}

template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::end_turns(const Turns& turns, const Step& step,
                                                              Undisturbed& block) const {
    Node& node = step.node;
    if (links_rest() && turns.port != kNiuPort) {
        LinkBlock bits = turns.sent;
        for (const int bytes : {4, 2, 1}) {
            bits |= bits >> (8 * bytes);
        }
        note_sent_on_end(node, turns.port, step.start, bytes_of_bits(bits & 0xff));
    }
    for (int number = turns.first; number < turns.last; ++number) {
        WireBlock& lane = block.lanes[at(number)];
        const int bits = 8 * (number - turns.first);
        lane.flits = static_cast<int>(turns.flits >> bits & 0xff);
        lane.used = static_cast<int>(turns.used >> bits & 0xff);
        lane.sent = bytes_of_bits(turns.sent >> bits & 0xff);
    }
    if (turns.last_sent >= 0) {
        node.last_sent[at(turns.port)] = node.wires[at(turns.first + turns.last_sent / 8)].channel;
    }
}

/// The block of the output port whose wires are those from `first` to before `last`. Flits of one of them at most are
/// read out of the tile.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::advance_in_turn(Step& step, Undisturbed& block, int first, int last) {
    Node& node = step.node;
    int read = -1;
    for (int number = first; number < last && node.num_read != 0; ++number) {
        if (node.wires[at(number)].is_read_from_tile && reads_tile(step, block, number)) {
            read = number;
        }
    }
    Turns turns = begin_turns(node, block, first, last, step.start);
    switch (port_kind(node, turns.port)) {
        case PortKind::tile:
            take_turns<PortKind::tile>(turns, step, block, read);
            break;
        case PortKind::link:
            take_turns<PortKind::link>(turns, step, block, read);
            break;
        case PortKind::link_with_full_pool:
            take_turns<PortKind::link_with_full_pool>(turns, step, block, read);
            break;
    }
    end_turns(turns, step, block);
}

/// The same for ports of which each cycle's flits depend on each other. `together`: bit per port.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::advance_together(Step& step, Undisturbed& block, unsigned together) {
    Node& node = step.node;
    std::array<Turns, kPorts> ports;
    std::array<std::uint8_t, kWiresMax> port_of_wire;
    int num_ports = 0;
    std::uint64_t read = 0;  // streams
    for (int number = 0; number < node.num_wires;) {
        const int first = number;
        const int port = node.wires[at(first)].port;
        const bool is_one_of_them = (together >> port & 1U) != 0;
        for (; number < node.num_wires && node.wires[at(number)].port == port; ++number) {
            const Wire& wire = node.wires[at(number)];
            port_of_wire[at(number)] = static_cast<std::uint8_t>(num_ports);
            read |= is_one_of_them && wire.is_read_from_tile ? bit(wire.slot) : 0;
        }
        if (is_one_of_them) {
            ports[at(num_ports++)] = begin_turns(node, block, first, number, step.start);
        }
    }
    const auto cycles = static_cast<int>(parameters_.block_cycles);
    const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
    Tick tick = ticks_from_cycles(step.start);
    for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
        const Tick next_cycle = tick + kTicksPerCycle;
        if (read != 0 && node.source_next_tick < next_cycle) {
            // One flit per cycle, streams in turn.
            std::uint64_t rest = read;
            for (int number = node.last_stream; rest != 0;) {
                number = next_round_robin(rest, number);
                rest &= ~bit(number);
                Stream& stream = step.cold.streams[at(number)];
                if (stream.in_buffer >= parameters_.injection_buffer_flits || stream.next_tick >= next_cycle) {
                    continue;
                }
                node.source_next_tick = std::max(node.source_next_tick, tick) + node.source_ticks_per_data_flit;
                stream.next_tick = std::max(stream.next_tick, tick) + stream.ticks_per_flit;
                ++stream.issued;
                ++stream.in_buffer;
                node.last_stream = static_cast<std::uint8_t>(number);
                const int wire = node.wire_of[of_slot(number)];
                ++block.lanes[at(wire)].read;
                if (const int arrival = cycle + injection_cycles; arrival < cycles) {
                    Turns& turns = ports[port_of_wire[at(wire)]];
                    turns.arriving |= LinkBlock{1} << (8 * (wire - turns.first) + arrival);
                } else {
                    block.injected |= in_cycle(cycle, number);
                }
                break;
            }
        }
        unsigned used_inputs = 0;
        for (int port = 0; port < num_ports; ++port) {
            Turns& turns = ports[at(port)];
            const LinkBlock excluded =
                parameters_.one_flit_per_input_port ? nonzero_bytes(turns.inputs & used_inputs * kLowBits) * 0xff : 0;
            const int sender = turns.port == kNiuPort
                                   ? take_turn<PortKind::tile>(turns, node, cycle, tick, excluded)
                                   : take_turn<PortKind::link_with_full_pool>(turns, node, cycle, tick, excluded);
            if (sender < 0) {
                continue;
            }
            const Wire& wire = node.wires[at(sender)];
            used_inputs |= 1U << wire.input_port;
            if (wire.is_read_from_tile) {
                --step.cold.streams[wire.slot].in_buffer;
            }
        }
    }
    for (int port = 0; port < num_ports; ++port) {
        end_turns(ports[at(port)], step, block);
    }
}

}  // namespace nocbench
