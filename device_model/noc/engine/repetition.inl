// Blocks of a router that repeat. Where packets flow, alone or in turns, what links bring to a router is soon the same
// in each block, or in every other one, and so is the router's state, but for how much of the packets is left. What
// such a block does has then been found out two blocks ago, and is done again.
//
// A block of Network::step_undisturbed depends on what links bring, on the flits in the buffer and downstream of each
// wire, and on a Repetition::State only. So if these are those of two blocks ago, or of the last block, the result is
// the same, flit by flit, as long as the block remains undisturbed.
//
// Where tiles send or take a flit every 1.02 cycles, as on the chips, gaps come by so often that remembering blocks
// costs as much as it saves: there, none are.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

/// The last two undisturbed blocks of a router.
template <int kPorts, int kVirtualChannels>
struct BlockNetwork<kPorts, kVirtualChannels>::Repetition {
    /// What decides a router's next block, beside its wires and what links bring. Ticks count from its begin.
    struct State {
        std::array<std::uint8_t, 8> last_sent{};  // virtual channel, by output port
        std::uint8_t in_buffer = 0;               // flits of the stream that is read
        std::uint8_t last_stream = 0;
        std::uint16_t unused = 0;
        std::uint32_t source_next_tick = 0;
        std::uint32_t stream_next_tick = 0;  // of the stream that is read
        std::uint32_t sink_next_tick = 0;

        bool operator==(const State& other) const { return std::memcmp(this, &other, sizeof(State)) == 0; }
    };
    static_assert(std::has_unique_object_representations_v<State>);

    /// What a wire has done in a block.
    struct Move {
        std::uint8_t num_sent = 0;
        std::uint8_t flits = 0;  // in the buffer, after the block
        std::uint8_t used = 0;   // flits downstream, after the block
    };

    struct alignas(64) Block {
        std::uint32_t present = 0;  // of what links brought
        Outcome outcome = Outcome::disturbed;
        std::uint8_t num_read = 0;  // flits of the stream
        State after;
        std::array<Move, kWiresMax> moves;
        std::array<LinkBlock, Traffic::kNumWords> words;  // those that are present, one after the other
        Sent sent;

        /// What links brought in a word, or 0.
        [[nodiscard]] LinkBlock word(int number) const {
            const int place = std::popcount(present & ((std::uint32_t{1} << number) - 1));
            return (present >> number & 1U) != 0 ? words[at(place)] : 0;
        }
        void copy(const Block& other) {
            present = other.present;
            outcome = other.outcome;
            num_read = other.num_read;
            after = other.after;
            moves = other.moves;
            std::copy_n(other.words.data(), std::popcount(present), words.data());
            sent.present = other.sent.present;
            for (std::uint32_t rest = sent.present; rest != 0; rest &= rest - 1) {
                sent.words[at(std::countr_zero(rest))] = other.sent.words[at(std::countr_zero(rest))];
            }
        }
    };

    std::array<Block, 2> blocks;  // an even and an odd one
    Cycle end = 0;                // of the last one
    Cycle last_sent_block = -2;
};

/// Notes what a block has done, after it.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::remember_block(Step& step, const Undisturbed& block, Outcome outcome) {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    if (block.num_waiting + block.num_returned != 0 || repetition.end != step.start) {
        node.blocks_remembered = 0;  // more has changed than is remembered, or time has passed
    }
    repetition.end = step.start + parameters_.block_cycles;
    if (node.num_read > 1) {
        node.blocks_remembered = 0;
        return;
    }
    node.remembered = static_cast<std::uint8_t>(stepped_block() & 1);
    auto& memory = repetition.blocks[node.remembered];

    typename Repetition::State state;
    const auto ticks_until = [end = ticks_from_cycles(repetition.end)](Tick tick) {
        return static_cast<std::uint32_t>(std::max<Tick>(tick - end, 0));
    };
    // What is in memory is still that of two blocks ago.
    auto& last = repetition.blocks[1 - node.remembered];
    bool is_same = node.blocks_remembered >= 2;
    bool is_same_as_last = node.blocks_remembered >= 1;
    for (int number = 0; number < node.num_wires; ++number) {
        const Wire& wire = node.wires[at(number)];
        const WireBlock& lane = block.lanes[at(number)];
        if (wire.is_read_from_tile) {
            const Stream& stream = step.cold.streams[wire.slot];
            state.in_buffer = static_cast<std::uint8_t>(stream.in_buffer);
            state.stream_next_tick = ticks_until(stream.next_tick);
            memory.num_read = static_cast<std::uint8_t>(lane.read);
        } else if (lane.sent != 0 && wire.input_port == kNiuPort) {
            node.blocks_remembered = 0;  // its stream is at an end, and becomes shorter from block to block
        }
        auto& move = memory.moves[at(number)];
        is_same = is_same && move.flits == wire.flits && move.used == wire.used;
        const auto& last_move = last.moves[at(number)];
        is_same_as_last = is_same_as_last && last_move.flits == wire.flits && last_move.used == wire.used;
        move = {static_cast<std::uint8_t>(count_ones(lane.sent)), wire.flits, wire.used};
    }
    std::ranges::copy(node.last_sent, state.last_sent.begin());
    state.last_stream = node.last_stream;
    state.source_next_tick = ticks_until(node.source_next_tick);
    state.sink_next_tick = ticks_until(node.sink_next_tick);

    memory.present = step.in.present;
    int num_words = 0;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        memory.words[at(num_words++)] = step.in.words[at(std::countr_zero(rest))];
    }
    is_same_as_last = is_same_as_last && node.blocks_remembered >= 1 && state == last.after;
    node.repeats = node.blocks_remembered >= 2 && is_same && state == memory.after;
    node.blocks_remembered = std::min<std::uint8_t>(static_cast<std::uint8_t>(node.blocks_remembered + 1), 2);
    memory.after = state;
    memory.outcome = outcome;
    if (!node.repeats && is_same_as_last && memory.sent.present == last.sent.present &&
        words_alike(memory.sent, last.sent, memory.sent.present) == memory.sent.present) {
        // The next block is the same, too, if links bring the same: as if the last two had been.
        last.copy(memory);
        node.repeats = true;
        node.blocks_remembered = 2;
    }
}

/// Does what was done two blocks ago, if links bring the same and no tail can go. Changes nothing else.
template <int kPorts, int kVirtualChannels>
inline auto BlockNetwork<kPorts, kVirtualChannels>::repeat_block(Step& step) -> Outcome {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    const auto& memory = repetition.blocks[at(stepped_block() & 1)];
    const Cycle end = step.start + parameters_.block_cycles;
    if (memory.present != step.in.present || repetition.end != step.start ||
        std::min(node.interface_wake, node.signal_wake) < end) {
        return Outcome::disturbed;
    }
    LinkBlock difference = 0;
    const LinkBlock* words = memory.words.data();
    for (std::uint32_t rest = memory.present; rest != 0; rest &= rest - 1) {
        difference |= *words++ ^ step.in.words[at(std::countr_zero(rest))];
    }
    bool may_end = difference != 0;
    for (int number = 0; number < node.num_wires; ++number) {
        may_end = may_end || node.wires[at(number)].flits_left <= memory.moves[at(number)].num_sent;
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
    for (int number = 0; number < node.num_wires; ++number) {
        Wire& wire = node.wires[at(number)];
        const auto& move = memory.moves[at(number)];
        wire.flits_left = static_cast<std::uint16_t>(wire.flits_left - move.num_sent);
    }
    if (node.counted) {
        count_flits(step, [&memory](int wire) { return memory.moves[at(wire)].num_sent; });
    }
    const Sent& sent = memory.sent;
    const std::uint32_t to_promise = words_to_promise(step.index, sent, sent.present);
    for (std::uint32_t rest = sent.present & ~node.promises; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        put_on_link(step.index, word, sent.words[at(word)], to_promise);
    }
    repetition.last_sent_block = stepped_block();
    give_promises(step.index, to_promise);
    repetition.end = end;
    node.remembered = static_cast<std::uint8_t>(stepped_block() & 1);
    return memory.outcome;
}

/// The state of a router whose blocks have repeated, which has not been kept up meanwhile.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::end_repetition(NodeIndex index) {
    Node& node = nodes_[index];
    const Repetition& repetition = repetitions_[index];
    const auto& memory = repetition.blocks[node.remembered];
    const auto& state = memory.after;
    const Tick start = ticks_from_cycles(repetition.end);
    node.repeats = false;
    for (int number = 0; number < node.num_wires; ++number) {
        Wire& wire = node.wires[at(number)];
        const auto& move = memory.moves[at(number)];
        std::uint16_t& pool_used = node.pool_used[wire.port];
        pool_used = static_cast<std::uint16_t>(pool_used + flits_in_pool(move.used) - flits_in_pool(wire.used));
        wire.flits = move.flits;
        wire.used = move.used;
        if (wire.is_read_from_tile) {
            Stream& stream = cold_[index].streams[wire.slot];
            stream.in_buffer = state.in_buffer;
            stream.next_tick = start + state.stream_next_tick;
        }
    }
    std::copy_n(state.last_sent.begin(), kPorts, node.last_sent.begin());
    node.last_stream = state.last_stream;
    node.source_next_tick = start + state.source_next_tick;
    node.sink_next_tick = start + state.sink_next_tick;
}

}  // namespace nocbench
