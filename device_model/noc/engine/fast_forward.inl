// Windows of a router that need not even be repeated one by one. What goes over a link is soon the same in each window,
// or in every other one. Its sender then guarantees the receiver that it will go on: that is noted where it arrives,
// once, and nothing is put on the link any more. A router whose windows repeat, to which nothing comes but what has
// been guaranteed, and which sends nothing else, fast-forwards over windows, until the first tail of its packets comes
// near or anything is put on its links. Where whole streams repeat, no router is stepped at all.
//
// Guarantees go round in circles: flits one way, credits the other. That is right by induction over time, since
// whatever is sent arrives in a later window.
//
// The result is that of sending each window, flit by flit: a sender compares what it sends with what it has guaranteed,
// and takes the guarantee back in the window in which they differ, before any of that can have arrived.

#include <algorithm>
#include <utility>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

namespace {

/// A router that has guaranteed in vain waits so long at most before it guarantees again.
constexpr int kWindowsWithoutGuaranteeMax = 63;

}  // namespace

/// Repeats a window. If that cannot be done, the state of the router is brought up to date.
template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::repeat_or_fast_forward(Step& step) -> Outcome {
    Node& node = step.node;
    if (node.fast_forwards) {
        catch_up(step);
    }
    const Outcome outcome = repeat_window(step);
    if (outcome == Outcome::refused) {
        end_repetition(step.index);
    } else if (node.guarantees != 0) {
        const Cycle windows = can_fast_forward(step.index) ? windows_to_repeat(step.index) : 0;
        count_use(Accelerator::fast_forward, windows > 0);
        if (windows > 0) {
            node.fast_forwards = node.has_fast_forwarded = true;
            wake_in_window(step.index, current_window_ + windows);
            return Outcome::asleep;
        }
    }
    return outcome;
}

/// Adds what has been guaranteed to what links bring.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::take_guaranteed(Step& step) {
    const Cycle window = stepped_window();
    for (std::uint32_t rest = step.node.guaranteed; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const Guarantee& guarantee = guarantees_[at(step.index) * Traffic::kNumWords + at(word)];
        if (window >= guarantee.end_window) {
            step.node.guaranteed &= ~(std::uint32_t{1} << word);
        } else if (const LinkWindow bytes = guarantee.words[at(window & 1)];
                   window >= guarantee.first_window && bytes != 0) {
            step.in.add(word, bytes);
        }
    }
}

/// Puts what a router sends on its links, but for what it has guaranteed, and guarantees what has been the same for a
/// while.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::send_or_guarantee(Step& step) {
    if (!windows_repeat_ || !has(Accelerator::memoised_windows)) {
        put_on_links(step);
        return;
    }
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    const Cycle window = stepped_window();
    Sent& before = repetition.windows[at(window & 1)].sent;
    if (repetition.last_sent_window != window - 1) {
        repetition.windows[at((window + 1) & 1)].sent.present = 0;
        node.words_repeated = 0;
    }
    repetition.last_sent_window = window;
    const std::uint32_t same = words_alike(step.sent, before, step.sent.present);
    // Guaranteed, and neither sent now nor two windows ago.
    const std::uint32_t kept = node.guarantees & (same | ~(step.sent.present | before.present));
    for (std::uint32_t rest = node.guarantees & ~kept; rest != 0; rest &= rest - 1) {
        withdraw_guarantee(step.index, std::countr_zero(rest));
    }
    const std::uint32_t to_guarantee = words_to_guarantee(step.index, step.sent, same);
    for (std::uint32_t rest = step.sent.present & ~kept; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        put_on_link(step.index, word, step.sent.words[at(word)], to_guarantee);
        before.words[at(word)] = step.sent.words[at(word)];
    }
    before.present = step.sent.present;
    give_guarantees(step.index, to_guarantee);
}

/// Of `words`, those that are the same in both windows.
template <int kPorts, int kVirtualChannels>
std::uint32_t WindowNetwork<kPorts, kVirtualChannels>::words_alike(const Sent& one, const Sent& other,
                                                                   std::uint32_t words) {
    std::uint32_t same = words & one.present & other.present;
    for (std::uint32_t rest = same; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        same &= ~(std::uint32_t{one.words[at(word)] != other.words[at(word)]} << word);
    }
    return same;
}

/// Of what a router sends, `same` is what it sent two windows ago. What has been like that for two windows, an even and
/// an odd one, is to be guaranteed, and so is what it has sent in the window before already.
template <int kPorts, int kVirtualChannels>
inline std::uint32_t WindowNetwork<kPorts, kVirtualChannels>::words_to_guarantee(NodeIndex index, const Sent& sent,
                                                                                 std::uint32_t same) {
    Node& node = nodes_[index];
    const std::uint32_t before = std::exchange(node.words_repeated, same);
    const std::uint32_t words = sent.present & ~node.guarantees;
    if (words == 0 || stepped_window() < node.guarantees_from || !has(Accelerator::fast_forward)) {
        return 0;
    }
    const Sent& last = repetitions_[index].windows[at((stepped_window() + 1) & 1)].sent;
    return (words & before & same) | words_alike(sent, last, words);
}

/// From the next window on, what goes over some links need not be put on them.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::give_guarantees(NodeIndex index, std::uint32_t words) {
    Node& node = nodes_[index];
    node.guarantees |= words;
    for (; words != 0; words &= words - 1) {
        guarantee(index, std::countr_zero(words));
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::guarantee(NodeIndex index, int word) {
    const Receiver& receiver = receivers_[index].of_word[at(word)];
    const Delay& delay = delays_[receiver.delay];
    Guarantee& guarantee = guarantees_[at(order_[receiver.rank]) * Traffic::kNumWords + receiver.word];
    guarantee = {{}, current_window_ + delay.windows, kNever};
    for (Cycle parity = 0; parity < 2; ++parity) {
        const LinkWindow bytes = repetitions_[index].windows[at(parity)].sent.of_word(word);
        guarantee.words[at((parity + delay.windows) & 1)] |= bytes << delay.bits & window_mask_;
        guarantee.words[at((parity + delay.windows + 1) & 1)] |= delay.in_later(bytes);
    }
    nodes_[order_[receiver.rank]].guaranteed |= std::uint32_t{1} << receiver.word;
    wake_receiver(receiver);
}

/// In the window in which the first of what is sent in this one arrives.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::wake_receiver(const Receiver& receiver) {
    const Delay& delay = delays_[receiver.delay];
    if (delay.windows != 0 || receiver.rank != stepped_rank_) {  // itself, which is awake
        delay.wakes[0][receiver.rank / 64] |= bit(receiver.rank % 64);
    }
}

/// From the window that is being stepped on, what goes over the link is put on it again.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::withdraw_guarantee(NodeIndex index, int word) {
    Node& node = nodes_[index];
    const Receiver& receiver = receivers_[index].of_word[at(word)];
    const Delay& delay = delays_[receiver.delay];
    const Cycle window = stepped_window();
    node.guarantees &= ~(std::uint32_t{1} << word);
    guarantees_[at(order_[receiver.rank]) * Traffic::kNumWords + receiver.word].end_window = window + delay.windows;
    // In that window arrives the rest of what was sent last, with the first of what is not guaranteed any more.
    const LinkWindow sent_last = repetitions_[index].windows[at((window + 1) & 1)].sent.of_word(word);
    if (const LinkWindow rest = delay.in_later(sent_last); rest != 0) {
        delay.traffic[0][receiver.rank].add(receiver.word, rest);
    }
    wake_receiver(receiver);
    if (node.guarantees == 0) {
        node.windows_without_guarantee =
            windows_to_wait(node.windows_without_guarantee, !node.has_fast_forwarded, kWindowsWithoutGuaranteeMax);
        node.has_fast_forwarded = false;
    }
    node.guarantees_from =
        std::max(node.guarantees_from, window + std::max<Cycle>(delay.windows, node.windows_without_guarantee));
}

/// Whether a router whose windows repeat has guaranteed all that it sends, and all that it gets has been guaranteed.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::can_fast_forward(NodeIndex index) const {
    const Node& node = nodes_[index];
    const auto& [even, odd] = repetitions_[index].windows;
    if (((even.present | odd.present) & ~node.guaranteed) != 0 ||
        ((even.sent.present | odd.sent.present) & ~node.guarantees) != 0) {
        return false;
    }
    for (std::uint32_t rest = node.guaranteed; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const Guarantee& guarantee = guarantees_[at(index) * Traffic::kNumWords + at(word)];
        if (guarantee.first_window > stepped_window() + 1 || guarantee.end_window != kNever ||
            guarantee.words[0] != even.word(word) || guarantee.words[1] != odd.word(word)) {
            return false;
        }
    }
    for (Cycle later = 1; later < ring_windows_; ++later) {
        if (links_[at((stepped_window() + later) & (ring_windows_ - 1)) * nodes_.size() + stepped_rank_].present != 0) {
            return false;
        }
    }
    return true;
}

/// How many windows can be repeated, beginning with the next one, before a tail can go or the stream that is read comes
/// near its end.
template <int kPorts, int kVirtualChannels>
Cycle WindowNetwork<kPorts, kVirtualChannels>::windows_to_repeat(NodeIndex index) const {
    constexpr Cycle kWindowsMax = 1'000'000;
    const Node& node = nodes_[index];
    const auto& [even, odd] = repetitions_[index].windows;
    const bool begins_odd = (stepped_window() & 1) == 0;
    const auto& first = begins_odd ? odd : even;
    const auto& second = begins_odd ? even : odd;
    Cycle windows = kWindowsMax;
    // Of `left`, the two windows use up so many. Before each of them, more than so many must be left.
    const auto limit = [&windows](int left, int used_first, int used_second, int needed_first, int needed_second) {
        const int used_up = used_first + used_second;
        const int needed = std::max(needed_first, used_first + needed_second);
        int pairs = 0;
        if (left > needed) {
            if (used_up == 0) {
                return;
            }
            pairs = (left - 1 - needed) / used_up + 1;
        }
        const int one_more = left - pairs * used_up > needed_first ? 1 : 0;
        windows = std::min<Cycle>(windows, 2 * pairs + one_more);
    };
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const int sent_first = first.moves[at(number)].num_sent;
        const int sent_second = second.moves[at(number)].num_sent;
        limit(node.active_vcs[at(number)].flits_left, sent_first, sent_second, sent_first, sent_second);
    }
    if (node.num_read != 0) {
        const Stream& stream = cold_[index].streams[node.stream_read];
        const int needed = static_cast<int>(parameters_.window_cycles) + parameters_.read_ahead_flits;
        limit(stream.flits - stream.issued, first.num_read, second.num_read, needed, needed);
    }
    return windows;
}

/// Counts what has been sent in the windows that were fast-forwarded over.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::catch_up(Step& step) {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    node.fast_forwards = false;
    const auto windows = static_cast<int>((step.start - repetition.end) / parameters_.window_cycles);
    const auto& first = repetition.windows[1 - node.remembered];
    const auto& second = repetition.windows[node.remembered];
    const int num_second = windows / 2;
    const int num_first = windows - num_second;
    const auto num_sent = [&](int active_vc) {
        return num_first * first.moves[at(active_vc)].num_sent + num_second * second.moves[at(active_vc)].num_sent;
    };
    for (int number = 0; number < node.num_active_vcs; ++number) {
        ActiveVc& active_vc = node.active_vcs[at(number)];
        active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - num_sent(number));
    }
    if (node.counted) {
        count_flits(step, num_sent);
    }
    if (node.num_read != 0) {
        Stream& stream = step.cold.streams[node.stream_read];
        stream.issued =
            static_cast<std::uint16_t>(stream.issued + num_first * first.num_read + num_second * second.num_read);
    }
    repetition.end = step.start;
    node.remembered = static_cast<std::uint8_t>(1 - (stepped_window() & 1));
    repetition.last_sent_window = stepped_window() - 1;
}

}  // namespace nocbench
