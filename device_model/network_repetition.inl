// Blocks of a router that repeat. Where packets flow, alone or in turns, what links bring to a router is soon the same
// in each block, or in every other one, and so is the router's state, but for how much of the packets is left. What
// such a block does has then been found out two blocks ago, and is done again.
//
// A block of Network::step_undisturbed depends on what links bring and on a Repetition::State only. So if both are
// those of two blocks ago, the result is the same, flit by flit, as long as the block remains undisturbed.

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "device_model/network.h"

namespace nocbench {

/// The last two undisturbed blocks of a router.
template <int kPorts, int kVirtualChannels>
struct Network<kPorts, kVirtualChannels>::Repetition {
    /// What decides a router's next block, beside what links bring. Ticks count from its begin.
    struct State {
        struct WireState {
            std::uint8_t flits = 0;  // in the buffer
            std::uint8_t used = 0;   // flits downstream
        };
        std::array<WireState, kWiresMax> wires{};
        std::array<std::uint8_t, 8> last_sent{};  // virtual channel, by output port
        std::uint8_t in_buffer = 0;               // flits of the stream that is read
        std::uint8_t last_stream = 0;
        std::uint16_t unused = 0;
        std::uint32_t source_next_tick = 0;
        std::uint32_t stream_next_tick = 0;  // of the stream that is read
        std::uint32_t sink_next_tick = 0;

        bool operator==(const State& other) const { return std::memcmp(this, &other, sizeof(State)) == 0; }
    };
    static_assert(kPorts <= 8 && kQueueSize <= std::numeric_limits<std::uint8_t>::max());
    static_assert(std::has_unique_object_representations_v<State>);

    /// A packet of which flits have come or gone.
    struct Mover {
        std::uint8_t slot;
        std::uint8_t sent;
        std::uint16_t flits_needed;  // of the packet: if fewer are left, its tail may be sent
    };

    struct Block {
        // What links brought.
        std::uint32_t present = 0;
        std::array<LinkBlock, kPorts + kPorts * kPorts> words;  // those that are present, one after the other
        // What it did.
        Outcome outcome = Outcome::disturbed;
        std::uint8_t num_movers = 0;
        std::uint8_t num_sends = 0;
        std::uint8_t num_read = 0;  // flits of the stream
        std::array<Mover, kWiresMax> movers;
        std::array<Send, 2 * kWiresMax + 1> sends;
        State after;
    };

    std::array<Block, 2> blocks;
    Cycle end = 0;  // of the last one
};

/// Notes what a block has done, after it.
template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::remember_block(Step& step, const Undisturbed& block, Outcome outcome) {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    if (block.num_waiting + block.num_credits != 0 || repetition.end != step.start) {
        node.blocks_remembered = 0;  // more has changed than a State holds, or time has passed
    }
    repetition.end = step.start + parameters_.block_cycles;
    if (node.num_read > 1) {
        node.blocks_remembered = 0;
        return;
    }
    node.remembered = static_cast<std::uint8_t>(1 - node.remembered);
    auto& memory = repetition.blocks[node.remembered];

    typename Repetition::State state;
    const auto ticks_until = [end = ticks_from_cycles(repetition.end)](Tick tick) {
        return static_cast<std::uint32_t>(std::max<Tick>(tick - end, 0));
    };
    int num_movers = 0;
    int num_read = 0;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        state.wires[at(number)] = {static_cast<std::uint8_t>(lane.flits), static_cast<std::uint8_t>(lane.used)};
        if (wire.is_read_from_tile) {
            const Stream& stream = step.cold.streams[wire.slot];
            state.in_buffer = static_cast<std::uint8_t>(stream.in_buffer);
            state.stream_next_tick = ticks_until(stream.next_tick);
            num_read = lane.read;
        }
        if (lane.sent != 0 && wire.input_port == kNiuPort && !wire.is_read_from_tile) {
            node.blocks_remembered = 0;  // its stream is at an end, and becomes shorter from block to block
        }
        if ((lane.sent | lane.arriving) != 0) {
            const int sent = count_ones(lane.sent);
            // As may_advance() has it, with what there was before the block. All that has arrived has arrived from the
            // tile if it was read there.
            const int at_hand =
                lane.flits + sent + (wire.is_read_from_tile ? static_cast<int>(parameters_.block_cycles) : 0);
            memory.movers[at(num_movers++)] = {wire.slot, static_cast<std::uint8_t>(sent),
                                               static_cast<std::uint16_t>(at_hand)};
        }
    }
    for (int port = 0; port < kPorts; ++port) {
        state.last_sent[at(port)] = node.outputs[at(port)].last_sent;
    }
    state.last_stream = node.last_stream;
    state.source_next_tick = ticks_until(node.source_next_tick);
    state.sink_next_tick = ticks_until(node.sink_next_tick);

    memory.present = step.in.present;
    int num_words = 0;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        memory.words[at(num_words++)] = step.in.words[at(std::countr_zero(rest))];
    }
    // memory.after is still that of two blocks ago.
    node.repeats = node.blocks_remembered >= 2 && state == memory.after;
    node.blocks_remembered = std::min<std::uint8_t>(static_cast<std::uint8_t>(node.blocks_remembered + 1), 2);
    memory.after = state;
    memory.outcome = outcome;
    memory.num_movers = static_cast<std::uint8_t>(num_movers);
    memory.num_read = static_cast<std::uint8_t>(num_read);
}

/// Does what was done two blocks ago, if links bring the same and no tail can go. Changes nothing else.
template <int kPorts, int kVirtualChannels>
inline auto Network<kPorts, kVirtualChannels>::repeat_block(Step& step) -> Outcome {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    const int number = 1 - node.remembered;
    const auto& memory = repetition.blocks[at(number)];
    const Cycle end = step.start + parameters_.block_cycles;
    if (memory.present != step.in.present || repetition.end != step.start || !node.is_wired ||
        std::min(node.interface_wake, node.signal_wake) < end) {
        return Outcome::disturbed;
    }
    LinkBlock difference = 0;
    const LinkBlock* words = memory.words.data();
    for (std::uint32_t rest = memory.present; rest != 0; rest &= rest - 1) {
        difference |= *words++ ^ step.in.words[at(std::countr_zero(rest))];
    }
    bool may_end = difference != 0;
    for (int mover = 0; mover < memory.num_movers; ++mover) {
        const auto [slot, sent, flits_needed] = memory.movers[at(mover)];
        may_end = may_end || node.slots[slot].flits_left <= flits_needed;
    }
    if (may_end) {
        return Outcome::disturbed;
    }
    if (node.num_read != 0) {
        Stream& stream = step.cold.streams[node.stream_read];
        if (!stream_is_steady(stream, step.start)) {
            return Outcome::disturbed;
        }
        stream.issued = static_cast<std::uint16_t>(stream.issued + memory.num_read);
    }
    for (int mover = 0; mover < memory.num_movers; ++mover) {
        const auto [slot, sent, flits_needed] = memory.movers[at(mover)];
        node.slots[slot].flits_left = static_cast<std::uint16_t>(node.slots[slot].flits_left - sent);
    }
    for (int send = 0; send < memory.num_sends; ++send) {
        put_on_link(memory.sends[at(send)]);
    }
    node.remembered = static_cast<std::uint8_t>(number);
    repetition.end = end;
    return memory.outcome;
}

/// The state of a router whose blocks have repeated, which has not been kept up meanwhile.
template <int kPorts, int kVirtualChannels>
void Network<kPorts, kVirtualChannels>::end_repetition(Step& step) {
    Node& node = step.node;
    const Repetition& repetition = repetitions_[step.index];
    const auto& state = repetition.blocks[node.remembered].after;
    const Tick start = ticks_from_cycles(repetition.end);
    node.repeats = false;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        set_flits(node, wire, state.wires[at(number)].flits);
        if (wire.port != kNiuPort) {
            set_used(node.outputs[wire.port], wire.channel, state.wires[at(number)].used);
        }
        if (wire.is_read_from_tile) {
            Stream& stream = step.cold.streams[wire.slot];
            stream.in_buffer = state.in_buffer;
            stream.next_tick = start + state.stream_next_tick;
        }
    }
    for (int port = 0; port < kPorts; ++port) {
        node.outputs[at(port)].last_sent = state.last_sent[at(port)];
    }
    node.last_stream = state.last_stream;
    node.source_next_tick = start + state.source_next_tick;
    node.sink_next_tick = start + state.sink_next_tick;
}

}  // namespace nocbench
