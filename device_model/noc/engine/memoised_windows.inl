// Windows of a router that repeat. Where packets flow, alone or round-robin, what links bring to a router is soon
// the same in each window, or in every other one, and so is the router's state, but for how much of the packets is
// left. What such a window does has then been found out two windows ago, and is done again.
//
// A window of step_steady_state depends on what links bring, on the flits in the buffer and downstream of each
// active VC, and on a Repetition::State only. So if these are those of two windows ago, or of the last window, the
// result is the same, flit by flit, as long as the window remains steady.
//
// Where tiles send or take a flit every 1.02 cycles, as on the chips, gaps come by so often that remembering windows
// costs as much as it saves: there, none are.

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

/// The last two steady windows of a router.
template <int kPorts, int kVirtualChannels>
struct WindowNetwork<kPorts, kVirtualChannels>::Repetition {
    /// What decides a router's next window, beside its active VCs and what links bring. Ticks count from its begin.
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

    /// What an active VC has done in a window.
    struct Move {
        std::uint8_t num_sent = 0;
        std::uint8_t flits = 0;  // in the buffer, after the window
        std::uint8_t used = 0;   // flits downstream, after the window
    };

    struct alignas(64) Window {
        std::uint32_t present = 0;  // of what links brought
        Outcome outcome = Outcome::refused;
        std::uint8_t num_read = 0;  // flits of the stream
        State after;
        std::array<Move, kActiveVcsMax> moves;
        std::array<LinkWindow, Traffic::kNumWords> words;  // those that are present, one after the other
        Sent sent;

        /// What links brought in a word, or 0.
        [[nodiscard]] LinkWindow word(int number) const {
            const int place = std::popcount(present & ((std::uint32_t{1} << number) - 1));
            return (present >> number & 1U) != 0 ? words[at(place)] : 0;
        }
        void copy(const Window& other) {
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

    std::array<Window, 2> windows;  // an even and an odd one
    Cycle end = 0;                  // of the last one
    Cycle last_sent_window = -2;
};

/// Notes what a window has done, after it.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::remember_window(Step& step, const SteadyState& window, Outcome outcome) {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    if (window.num_waiting + window.num_returned != 0 || repetition.end != step.start) {
        node.windows_remembered = 0;  // more has changed than is remembered, or time has passed
    }
    repetition.end = step.start + parameters_.window_cycles;
    if (node.num_read > 1) {
        node.windows_remembered = 0;
        return;
    }
    node.remembered = static_cast<std::uint8_t>(stepped_window() & 1);
    auto& memory = repetition.windows[node.remembered];

    typename Repetition::State state;
    const auto ticks_until = [end = ticks_from_cycles(repetition.end)](Tick tick) {
        return static_cast<std::uint32_t>(std::max<Tick>(tick - end, 0));
    };
    // What is in memory is still that of two windows ago.
    auto& last = repetition.windows[1 - node.remembered];
    bool is_same = node.windows_remembered >= 2;
    bool is_same_as_last = node.windows_remembered >= 1;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        const ActiveVcWindow& lane = window.lanes[at(number)];
        if (active_vc.is_read_from_tile) {
            const Stream& stream = step.cold.streams[active_vc.input_vc];
            state.in_buffer = static_cast<std::uint8_t>(stream.in_buffer);
            state.stream_next_tick = ticks_until(stream.pacer.next_tick);
            memory.num_read = static_cast<std::uint8_t>(lane.read);
        } else if (lane.sent != 0 && active_vc.input_port == kNiuPort) {
            node.windows_remembered = 0;  // its stream is at an end, and becomes shorter from window to window
        }
        auto& move = memory.moves[at(number)];
        is_same = is_same && move.flits == active_vc.flits && move.used == active_vc.used;
        const auto& last_move = last.moves[at(number)];
        is_same_as_last = is_same_as_last && last_move.flits == active_vc.flits && last_move.used == active_vc.used;
        move = {static_cast<std::uint8_t>(count_ones(lane.sent)), active_vc.flits, active_vc.used};
    }
    std::ranges::copy(node.last_sent, state.last_sent.begin());
    state.last_stream = node.last_stream;
    state.source_next_tick = ticks_until(node.source.next_tick);
    state.sink_next_tick = ticks_until(node.sink.next_tick);

    memory.present = step.in.present;
    int num_words = 0;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        memory.words[at(num_words++)] = step.in.words[at(std::countr_zero(rest))];
    }
    is_same_as_last = is_same_as_last && node.windows_remembered >= 1 && state == last.after;
    node.repeats = node.windows_remembered >= 2 && is_same && state == memory.after;
    node.windows_remembered = std::min<std::uint8_t>(static_cast<std::uint8_t>(node.windows_remembered + 1), 2);
    memory.after = state;
    memory.outcome = outcome;
    if (!node.repeats && is_same_as_last && memory.sent.present == last.sent.present &&
        words_alike(memory.sent, last.sent, memory.sent.present) == memory.sent.present) {
        // The next window is the same, too, if links bring the same: as if the last two had been.
        last.copy(memory);
        node.repeats = true;
        node.windows_remembered = 2;
    }
}

/// Does what was done two windows ago, if links bring the same and no tail can go. Changes nothing else.
template <int kPorts, int kVirtualChannels>
inline auto WindowNetwork<kPorts, kVirtualChannels>::repeat_window(Step& step) -> Outcome {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    const auto& memory = repetition.windows[at(stepped_window() & 1)];
    const Cycle end = step.start + parameters_.window_cycles;
    if (memory.present != step.in.present || repetition.end != step.start ||
        std::min(node.interface_wake, node.signal_wake) < end) {
        return Outcome::refused;
    }
    LinkWindow difference = 0;
    const LinkWindow* words = memory.words.data();
    for (std::uint32_t rest = memory.present; rest != 0; rest &= rest - 1) {
        difference |= *words++ ^ step.in.words[at(std::countr_zero(rest))];
    }
    bool may_end = difference != 0;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        may_end = may_end || node.active_vcs[at(number)].flits_left <= memory.moves[at(number)].num_sent;
    }
    if (may_end) {
        return Outcome::refused;
    }
    if (node.num_read != 0) {
        Stream& stream = step.cold.streams[node.stream_read];
        if (!stream_is_steady(stream, step.start)) {
            return Outcome::refused;
        }
        stream.issued = static_cast<std::uint16_t>(stream.issued + memory.num_read);
    }
    for (int number = 0; number < node.num_active_vcs; ++number) {
        ActiveVc& active_vc = node.active_vcs[at(number)];
        const auto& move = memory.moves[at(number)];
        active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - move.num_sent);
    }
    if (node.counted) {
        count_flits(step, [&memory](int active_vc) { return memory.moves[at(active_vc)].num_sent; });
    }
    const Sent& sent = memory.sent;
    const std::uint32_t to_guarantee = words_to_guarantee(step.index, sent, sent.present);
    for (std::uint32_t rest = sent.present & ~node.guarantees; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        put_on_link(step.index, word, sent.words[at(word)], to_guarantee);
    }
    repetition.last_sent_window = stepped_window();
    give_guarantees(step.index, to_guarantee);
    repetition.end = end;
    node.remembered = static_cast<std::uint8_t>(stepped_window() & 1);
    return memory.outcome;
}

/// The state of a router whose windows have repeated, which has not been kept up meanwhile.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::end_repetition(NodeIndex index) {
    Node& node = nodes_[index];
    const Repetition& repetition = repetitions_[index];
    const auto& memory = repetition.windows[node.remembered];
    const auto& state = memory.after;
    const Tick start = ticks_from_cycles(repetition.end);
    node.repeats = false;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        ActiveVc& active_vc = node.active_vcs[at(number)];
        const auto& move = memory.moves[at(number)];
        fill_pool(node, active_vc.port, active_vc.used, move.used);
        active_vc.flits = move.flits;
        active_vc.used = move.used;
        if (active_vc.is_read_from_tile) {
            Stream& stream = cold_[index].streams[active_vc.input_vc];
            stream.in_buffer = state.in_buffer;
            stream.pacer.next_tick = start + state.stream_next_tick;
        }
    }
    std::copy_n(state.last_sent.begin(), kPorts, node.last_sent.begin());
    node.last_stream = state.last_stream;
    node.source.next_tick = start + state.source_next_tick;
    node.sink.next_tick = start + state.sink_next_tick;
}

}  // namespace nocbench
