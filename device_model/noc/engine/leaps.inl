// Blocks of a router that need not even be repeated one by one. What goes over a link is soon the same in each block,
// or in every other one. Its sender then promises the receiver that it will go on: that is noted where it arrives,
// once, and nothing is put on the link any more. A router whose blocks repeat, to which nothing comes but what has been
// promised, and which sends nothing else, leaps over blocks, until the first tail of its packets comes near or anything
// is put on its links. Where whole streams repeat, no router is stepped at all.
//
// Promises go round in circles: flits one way, credits the other. That is right by induction over time, since whatever
// is sent arrives in a later block.
//
// The result is that of sending each block, flit by flit: a sender compares what it sends with what it has promised,
// and takes the promise back in the block in which they differ, before any of that can have arrived.

#include <algorithm>
#include <utility>

#include "device_model/noc/engine/block_network.h"

namespace nocbench {

namespace {

/// A router that has promised in vain waits so long at most before it promises again.
constexpr int kBlocksWithoutPromiseMax = 63;

}  // namespace

/// Repeats a block. If that cannot be done, the state of the router is brought up to date.
template <int kPorts, int kVirtualChannels>
auto BlockNetwork<kPorts, kVirtualChannels>::pass_repeated_block(Step& step) -> Outcome {
    Node& node = step.node;
    if (node.leaps) {
        make_up_for_leap(step);
    }
    const Outcome outcome = repeat_block(step);
    if (outcome == Outcome::disturbed) {
        end_repetition(step.index);
    } else if (node.promises != 0 && can_leap(step.index)) {
        if (const Cycle blocks = blocks_to_repeat(step.index); blocks > 0) {
            node.leaps = node.has_leapt = true;
            wake_in_block(step.index, current_block_ + blocks);
            return Outcome::asleep;
        }
    }
    return outcome;
}

/// Adds what has been promised to what links bring.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::take_promised(Step& step) {
    const Cycle block = stepped_block();
    for (std::uint32_t rest = step.node.promised; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const Promise& promise = promises_[at(step.index) * Traffic::kNumWords + at(word)];
        if (block >= promise.end_block) {
            step.node.promised &= ~(std::uint32_t{1} << word);
        } else if (const LinkBlock bytes = promise.words[at(block & 1)]; block >= promise.first_block && bytes != 0) {
            step.in.add(word, bytes);
        }
    }
}

/// Puts what a router sends on its links, but for what it has promised, and promises what has been the same for a
/// while.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::send_or_promise(Step& step) {
    if (!blocks_repeat_) {
        put_on_links(step);
        return;
    }
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    const Cycle block = stepped_block();
    Sent& before = repetition.blocks[at(block & 1)].sent;
    if (repetition.last_sent_block != block - 1) {
        repetition.blocks[at((block + 1) & 1)].sent.present = 0;
        node.words_repeated = 0;
    }
    repetition.last_sent_block = block;
    const std::uint32_t same = words_alike(step.sent, before, step.sent.present);
    // Promised, and neither sent now nor two blocks ago.
    const std::uint32_t kept = node.promises & (same | ~(step.sent.present | before.present));
    for (std::uint32_t rest = node.promises & ~kept; rest != 0; rest &= rest - 1) {
        take_back_promise(step.index, std::countr_zero(rest));
    }
    const std::uint32_t to_promise = words_to_promise(step.index, step.sent, same);
    for (std::uint32_t rest = step.sent.present & ~kept; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        put_on_link(step.index, word, step.sent.words[at(word)], to_promise);
        before.words[at(word)] = step.sent.words[at(word)];
    }
    before.present = step.sent.present;
    give_promises(step.index, to_promise);
}

/// Of `words`, those that are the same in both blocks.
template <int kPorts, int kVirtualChannels>
std::uint32_t BlockNetwork<kPorts, kVirtualChannels>::words_alike(const Sent& one, const Sent& other,
                                                                  std::uint32_t words) {
    std::uint32_t same = words & one.present & other.present;
    for (std::uint32_t rest = same; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        same &= ~(std::uint32_t{one.words[at(word)] != other.words[at(word)]} << word);
    }
    return same;
}

/// Of what a router sends, `same` is what it sent two blocks ago. What has been like that for two blocks, an even and
/// an odd one, is to be promised, and so is what it has sent in the block before already.
template <int kPorts, int kVirtualChannels>
inline std::uint32_t BlockNetwork<kPorts, kVirtualChannels>::words_to_promise(NodeIndex index, const Sent& sent,
                                                                              std::uint32_t same) {
    Node& node = nodes_[index];
    const std::uint32_t before = std::exchange(node.words_repeated, same);
    const std::uint32_t words = sent.present & ~node.promises;
    if (words == 0 || stepped_block() < node.promises_from) {
        return 0;
    }
    const Sent& last = repetitions_[index].blocks[at((stepped_block() + 1) & 1)].sent;
    return (words & before & same) | words_alike(sent, last, words);
}

/// From the next block on, what goes over some links need not be put on them.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::give_promises(NodeIndex index, std::uint32_t words) {
    Node& node = nodes_[index];
    node.promises |= words;
    for (; words != 0; words &= words - 1) {
        promise(index, std::countr_zero(words));
    }
}

template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::promise(NodeIndex index, int word) {
    const Receiver& receiver = receivers_[index].of_word[at(word)];
    const Delay& delay = delays_[receiver.delay];
    Promise& promise = promises_[at(order_[receiver.rank]) * Traffic::kNumWords + receiver.word];
    promise = {{}, current_block_ + delay.blocks, kNever};
    for (Cycle parity = 0; parity < 2; ++parity) {
        const LinkBlock bytes = repetitions_[index].blocks[at(parity)].sent.of_word(word);
        promise.words[at((parity + delay.blocks) & 1)] |= bytes << delay.bits & block_mask_;
        promise.words[at((parity + delay.blocks + 1) & 1)] |= delay.in_later(bytes);
    }
    nodes_[order_[receiver.rank]].promised |= std::uint32_t{1} << receiver.word;
    wake_receiver(receiver);
}

/// In the block in which the first of what is sent in this one arrives.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::wake_receiver(const Receiver& receiver) {
    const Delay& delay = delays_[receiver.delay];
    if (delay.blocks != 0 || receiver.rank != stepped_rank_) {  // itself, which is awake
        delay.wakes[0][receiver.rank / 64] |= bit(receiver.rank % 64);
    }
}

/// From the block that is being stepped on, what goes over the link is put on it again.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::take_back_promise(NodeIndex index, int word) {
    Node& node = nodes_[index];
    const Receiver& receiver = receivers_[index].of_word[at(word)];
    const Delay& delay = delays_[receiver.delay];
    const Cycle block = stepped_block();
    node.promises &= ~(std::uint32_t{1} << word);
    promises_[at(order_[receiver.rank]) * Traffic::kNumWords + receiver.word].end_block = block + delay.blocks;
    // In that block arrives the rest of what was sent last, with the first of what is not promised any more.
    const LinkBlock sent_last = repetitions_[index].blocks[at((block + 1) & 1)].sent.of_word(word);
    if (const LinkBlock rest = delay.in_later(sent_last); rest != 0) {
        delay.traffic[0][receiver.rank].add(receiver.word, rest);
    }
    wake_receiver(receiver);
    if (node.promises == 0) {
        node.blocks_without_promise =
            blocks_to_wait(node.blocks_without_promise, !node.has_leapt, kBlocksWithoutPromiseMax);
        node.has_leapt = false;
    }
    node.promises_from =
        std::max(node.promises_from, block + std::max<Cycle>(delay.blocks, node.blocks_without_promise));
}

/// Whether a router whose blocks repeat has promised all that it sends, and all that it gets has been promised.
template <int kPorts, int kVirtualChannels>
bool BlockNetwork<kPorts, kVirtualChannels>::can_leap(NodeIndex index) const {
    const Node& node = nodes_[index];
    const auto& [even, odd] = repetitions_[index].blocks;
    if (((even.present | odd.present) & ~node.promised) != 0 ||
        ((even.sent.present | odd.sent.present) & ~node.promises) != 0) {
        return false;
    }
    for (std::uint32_t rest = node.promised; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const Promise& promise = promises_[at(index) * Traffic::kNumWords + at(word)];
        if (promise.first_block > stepped_block() + 1 || promise.end_block != kNever ||
            promise.words[0] != even.word(word) || promise.words[1] != odd.word(word)) {
            return false;
        }
    }
    for (Cycle later = 1; later < ring_blocks_; ++later) {
        if (links_[at((stepped_block() + later) & (ring_blocks_ - 1)) * nodes_.size() + stepped_rank_].present != 0) {
            return false;
        }
    }
    return true;
}

/// How many blocks can be repeated, beginning with the next one, before a tail can go or the stream that is read comes
/// near its end.
template <int kPorts, int kVirtualChannels>
Cycle BlockNetwork<kPorts, kVirtualChannels>::blocks_to_repeat(NodeIndex index) const {
    constexpr Cycle kBlocksMax = 1'000'000;
    const Node& node = nodes_[index];
    const auto& [even, odd] = repetitions_[index].blocks;
    const bool begins_odd = (stepped_block() & 1) == 0;
    const auto& first = begins_odd ? odd : even;
    const auto& second = begins_odd ? even : odd;
    Cycle blocks = kBlocksMax;
    // Of `left`, the two blocks use up so many. Before each of them, more than so many must be left.
    const auto limit = [&blocks](int left, int used_first, int used_second, int needed_first, int needed_second) {
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
        blocks = std::min<Cycle>(blocks, 2 * pairs + one_more);
    };
    for (int number = 0; number < node.num_wires; ++number) {
        const int sent_first = first.moves[at(number)].num_sent;
        const int sent_second = second.moves[at(number)].num_sent;
        limit(node.wires[at(number)].flits_left, sent_first, sent_second, sent_first, sent_second);
    }
    if (node.num_read != 0) {
        const Stream& stream = cold_[index].streams[node.stream_read];
        const int needed = static_cast<int>(parameters_.block_cycles) + parameters_.read_ahead_flits;
        limit(stream.flits - stream.issued, first.num_read, second.num_read, needed, needed);
    }
    return blocks;
}

/// Counts what has been sent in the blocks that were leapt over.
template <int kPorts, int kVirtualChannels>
void BlockNetwork<kPorts, kVirtualChannels>::make_up_for_leap(Step& step) {
    Node& node = step.node;
    Repetition& repetition = repetitions_[step.index];
    node.leaps = false;
    const auto blocks = static_cast<int>((step.start - repetition.end) / parameters_.block_cycles);
    const auto& first = repetition.blocks[1 - node.remembered];
    const auto& second = repetition.blocks[node.remembered];
    const int num_second = blocks / 2;
    const int num_first = blocks - num_second;
    const auto num_sent = [&](int wire) {
        return num_first * first.moves[at(wire)].num_sent + num_second * second.moves[at(wire)].num_sent;
    };
    for (int number = 0; number < node.num_wires; ++number) {
        Wire& wire = node.wires[at(number)];
        wire.flits_left = static_cast<std::uint16_t>(wire.flits_left - num_sent(number));
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
    node.remembered = static_cast<std::uint8_t>(1 - (stepped_block() & 1));
    repetition.last_sent_block = stepped_block() - 1;
}

}  // namespace nocbench
