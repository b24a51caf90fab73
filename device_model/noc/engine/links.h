// Words in flight between routers, their receivers, and wake-ups. Routers are stepped in an order in which all words
// that reach a router in a window have been sent before (stepping_order.h). Each router can therefore be stepped
// through a whole window at once.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "device_model/noc/engine/router_state.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/sim/error.h"

namespace nocbench::engine {

template <int kPorts>
class Links {
public:
    /// Throws InputError for latencies, skews and windows that cannot be simulated.
    Links(const Topology& topology, const NetworkParameters& parameters)
        : num_nodes_(at(topology.num_nodes)),
          order_(checked_stepping_order(topology, parameters)),
          window_cycles_(parameters.window_cycles),
          window_mask_(~LinkWindow{0} >> (64 - 8 * window_cycles_)),
          ring_windows_(static_cast<Cycle>(std::bit_ceil(at(longest_latency(parameters) / window_cycles_) + 2))),
          receivers_(num_nodes_),
          skews_(parameters.skew_cycles),
          mask_words_((num_nodes_ + 63) / 64),
          wake_masks_(mask_words_ * kWakeWindows) {
        skews_.resize(num_nodes_);
        rank_.resize(num_nodes_);
        for (std::size_t rank = 0; rank < num_nodes_; ++rank) {
            rank_[order_[rank]] = static_cast<std::uint16_t>(rank);
        }
        under_way_.resize(at(ring_windows_) * num_nodes_);
        set_receivers(topology, parameters);
    }

    /// Returns the bytes of a LinkWindow that stand for cycles.
    [[nodiscard]] LinkWindow window_mask() const { return window_mask_; }
    /// Returns the number of the window that is being stepped.
    [[nodiscard]] Cycle stepped_window() const { return current_window_ - 1; }

    [[gnu::always_inline]] void put_on_link(NodeIndex index, int word, LinkWindow bytes) {
        const Receiver receiver = receivers_[index].of_word[at(word)];
        const Delay& delay = delays_[receiver.delay];
        const std::uint64_t wake = bit(receiver.rank % 64);
        if (const LinkWindow first = bytes << delay.bits & window_mask_; first != 0) {
            delay.traffic[0][receiver.rank].add(receiver.word, first);
            delay.wakes[0][receiver.rank / 64] |= wake;
        }
        if (const LinkWindow second = delay.in_later(bytes); second != 0) {
            delay.traffic[1][receiver.rank].add(receiver.word, second);
            delay.wakes[1][receiver.rank / 64] |= wake;
        }
    }
    void put_on_links(NodeIndex index, const Sent<kPorts>& sent) {
        for (const int word : SetBits(sent.present)) {
            put_on_link(index, word, sent.words[at(word)]);
        }
    }
    /// Wakes a router in the window of `cycle`, or in the earliest window possible.
    void wake(NodeIndex node, Cycle cycle) {
        // The stepped router, and those stepped before it, can be woken in later windows only.
        const Cycle earliest = rank_[node] > stepped_rank_ ? stepped_window() : current_window_;
        wake_in_window(node, std::max((cycle + skews_[node]) / window_cycles_, earliest));
    }
    /// Wakes the stepped router for the next window, too.
    void wake_in_next_window() { wakes_in_next_window_[stepped_rank_ / 64] |= bit(stepped_rank_ % 64); }
    /// Returns the first cycle of the next window in which a router is to be stepped, or kNever.
    [[nodiscard]] Cycle next_active_window() const {
        // The window of a far wake-up may have come near since.
        const Cycle far = far_wakes_.empty() ? kNever : far_wakes_.top().first;
        const Cycle end = std::min(last_woken_window_ + 1, far);
        for (Cycle window = current_window_; window < end; ++window) {
            const std::size_t row = wake_row(window);
            for (std::size_t word = 0; word < mask_words_; ++word) {
                if (wake_masks_[row + word] != 0) {
                    return window * window_cycles_;
                }
            }
        }
        return far == kNever ? kNever : far * window_cycles_;
    }
    /// Steps all routers that are awake in a window: `step(node, arriving, start)` steps a router from its own first
    /// cycle on, and `prefetch(node)` fetches the memory of the router that follows.
    template <class StepRouter, class Prefetch>
    void step_window(Cycle window_start, const StepRouter& step, const Prefetch& prefetch) {
        current_window_ = window_start / window_cycles_;
        while (!far_wakes_.empty() && far_wakes_.top().first <= current_window_) {
            wake_in_window(far_wakes_.top().second, current_window_);
            far_wakes_.pop();
        }
        std::uint64_t* const awake = &wake_masks_[wake_row(current_window_)];
        if (current_window_ > last_woken_window_) {
            ++current_window_;
            return;
        }
        for (std::size_t index = 0; index < num_delays_; ++index) {
            set_rows(delays_[index]);
        }
        Traffic<kPorts>* const arriving = &under_way_[at(current_window_ & (ring_windows_ - 1)) * num_nodes_];
        wakes_in_next_window_ = &wake_masks_[wake_row(current_window_ + 1)];
        last_woken_window_ = std::max(last_woken_window_, current_window_ + Network::kLatencyWindowsMax + 1);
        ++current_window_;
        for (std::size_t word = 0; word < mask_words_; ++word) {
            // Routers wake routers later in the order.
            while (const std::uint64_t ranks = awake[word]) {
                const std::uint64_t rest = ranks & (ranks - 1);
                awake[word] = rest;
                if (rest != 0) {
                    const std::size_t next = word * 64 + at(std::countr_zero(rest));
                    prefetch_lines(&arriving[next], &arriving[next].words[at(Words::credits(1, 1))]);
                    prefetch(order_[next]);
                }
                stepped_rank_ = static_cast<std::uint32_t>(word * 64 + at(std::countr_zero(ranks)));
                const NodeIndex node = order_[stepped_rank_];
                step(node, arriving[stepped_rank_], window_start - skews_[node]);
            }
        }
        stepped_rank_ = kNoRank;
    }
    static void prefetch_lines(const void* first, const void* end) {
        constexpr std::size_t kLineBytes = 64;
        for (const auto* line = static_cast<const char*>(first); line < end; line += kLineBytes) {
            __builtin_prefetch(line);
        }
    }

private:
    using Words = LinkWords<kPorts>;
    static constexpr int kWakeWindows = 64;  // windows ahead for which wake-ups need no heap
    static constexpr std::uint32_t kNoRank = UINT32_MAX;
    static constexpr int kDelaysMax = 16;  // distinct delays between routers of different time skews

    /// A latency as whole windows and remaining cycles: a word is received in up to two later windows.
    struct alignas(64) Delay {
        Cycle windows = 0;
        int bits = 0;         // remaining cycles, as bits of a LinkWindow
        int bits_before = 0;  // bits of a window less `bits`, less one byte
        std::array<Traffic<kPorts>*, 2> traffic{};
        std::array<std::uint64_t*, 2> wakes{};

        /// Returns the part of a sent word that is received in the second of the two windows.
        [[nodiscard]] LinkWindow in_later(LinkWindow bytes) const { return bytes >> 8 >> bits_before; }
    };

    /// Receiver of a word of Sent.
    struct Receiver {
        std::uint16_t rank = 0;
        std::uint8_t word = 0;   // number in its Traffic
        std::uint8_t delay = 0;  // index in delays_
    };

    struct alignas(64) Receivers {
        std::array<Receiver, Words::kNumWords> of_word;  // by word of Sent
    };

    /// Sets the receivers of each router's words, and the latencies in windows of the receiver.
    void set_receivers(const Topology& topology, const NetworkParameters& parameters) {
        std::vector<Cycle> latencies;
        const auto delay_of = [&](Cycle latency) {
            const auto found = std::ranges::find(latencies, latency);
            const auto index = as_byte(found - latencies.begin());
            if (found == latencies.end()) {
                if (num_delays_ == delays_.size()) {
                    throw InputError(
                        fmt::format("skews of the routers of a network: expected at most {} different times between "
                                    "routers, found more",
                                    kDelaysMax));
                }
                latencies.push_back(latency);
                delays_[num_delays_++] = delay(latency);
            }
            return index;
        };
        const auto set_receiver = [&](int node, int word, Cycle latency, const LinkEnd& end, int word_there) {
            receivers_[at(node)].of_word[at(word)] = {rank_[end.node], as_byte(word_there),
                                                      delay_of(latency + skews_[end.node] - skews_[at(node)])};
        };
        for (int node = 0; node < topology.num_nodes; ++node) {
            set_receiver(node, Words::flits(kNiuPort), parameters.injection_cycles,
                         {static_cast<NodeIndex>(node), kNiuPort}, Words::flits(kNiuPort));
            for (int port = 1; port < kPorts; ++port) {
                if (const Topology::Link& link = topology.link(node, port); link.exists) {
                    const LinkEnd to{link.neighbour, link.neighbour_port};
                    set_receiver(node, Words::flits(port), parameters.hop_cycles, to, Words::flits(to.port));
                    for (int lane = 0; lane < kPorts; ++lane) {
                        set_receiver(to.node, Words::credits(to.port, lane), parameters.credit_return_cycles,
                                     {static_cast<NodeIndex>(node), as_byte(port)}, Words::credits(port, lane));
                    }
                }
            }
        }
    }
    [[nodiscard]] Delay delay(Cycle latency) const {
        Delay delay;
        delay.windows = latency / window_cycles_;
        delay.bits = 8 * static_cast<int>(latency % window_cycles_);
        delay.bits_before = 8 * static_cast<int>(window_cycles_) - delay.bits - 8;
        return delay;
    }
    /// Sets the rows in which words of the current window are received.
    void set_rows(Delay& delay) {
        for (Cycle later = 0; later < 2; ++later) {
            const Cycle window = current_window_ + delay.windows + later;
            delay.traffic[at(later)] = &under_way_[at(window & (ring_windows_ - 1)) * num_nodes_];
            delay.wakes[at(later)] = &wake_masks_[wake_row(window)];
        }
    }
    void wake_in_window(NodeIndex node, Cycle window) {
        if (window >= current_window_ + kWakeWindows - 1) {  // the row of the stepped window is in use
            far_wakes_.emplace(window, node);
            return;
        }
        last_woken_window_ = std::max(last_woken_window_, window);
        const int rank = rank_[node];
        wake_masks_[wake_row(window) + at(rank / 64)] |= bit(rank % 64);
    }
    /// Returns the first word of wake_masks_ of a window.
    [[nodiscard]] std::size_t wake_row(Cycle window) const { return at(window) % kWakeWindows * mask_words_; }

    std::array<Delay, kDelaysMax> delays_;  // the first num_delays_ are used
    std::size_t num_delays_ = 0;
    const std::size_t num_nodes_;
    const std::vector<NodeIndex> order_;  // order in which routers are stepped
    const Cycle window_cycles_;
    const LinkWindow window_mask_;
    const Cycle ring_windows_;                // windows of cycles that links hold, a power of two
    std::vector<Receivers> receivers_;        // [node]
    std::vector<Cycle> skews_;                // [node]: cycles
    std::vector<std::uint16_t> rank_;         // [node]: index in order_
    std::vector<Traffic<kPorts>> under_way_;  // arriving words, [window % ring_windows_][rank]
    const std::size_t mask_words_;
    std::vector<std::uint64_t> wake_masks_;  // [window % kWakeWindows][word]: routers to step in that window, by rank
    using FarWake = std::pair<Cycle, NodeIndex>;  // (window, node)
    std::priority_queue<FarWake, std::vector<FarWake>, std::greater<>> far_wakes_;
    std::uint64_t* wakes_in_next_window_ = nullptr;  // [word]
    Cycle current_window_ = 0;
    std::uint32_t stepped_rank_ = kNoRank;  // of the router that is being stepped
    Cycle last_woken_window_ = 0;           // last window for which a router has been woken, without far_wakes_
};

}  // namespace nocbench::engine
