// A shorter way through router_cycle for windows of cycles in which nobody has to be chosen for a virtual
// channel in a router. Then output ports have nothing to do with each other, and each one's window is a loop over the
// few packets that it serves. Most windows of most routers are like that, even where packets block each other, because
// a packet is hundreds of flits long.
//
// In such a window a packet may begin whose own virtual channel is free, while nobody waits for the output; one may end
// for whose channels nobody waits; and the one behind it may follow through the same output.
//
// The result is that of router_cycle, flit by flit, which tests make sure of.

#include <algorithm>
#include <bit>

#include "device_model/noc/engine/window_network.h"

namespace nocbench {

using window_arithmetic::bytes_of_channel;
using window_arithmetic::count_ones;
using window_arithmetic::first_channel;
using window_arithmetic::sent_in_window;

/// What an active VC does in a window.
template <int kPorts, int kVirtualChannels>
struct WindowNetwork<kPorts, kVirtualChannels>::ActiveVcWindow {
    LinkWindow arriving;  // a 1 in the byte of each cycle in which a flit arrives
    LinkWindow credits;   // ... in which a credit arrives
    LinkWindow sent;      // ... in which a flit is sent
    int flits;            // in the buffer
    int used;             // flits downstream
    int next_flits;       // of the packet behind it, if that may follow in the window; or 0
};

/// A steady window of a router, by active_vc. Nothing is changed until it is known to be one.
/// There is room for many, and few are used: arrays are not initialised.
template <int kPorts, int kVirtualChannels>
struct WindowNetwork<kPorts, kVirtualChannels>::SteadyState {
    /// Flits of a packet that waits for a virtual channel.
    struct Waiting {
        std::uint8_t input_vc;
        std::uint8_t count;
    };

    /// A packet that begins to arrive, and comes to the front of its buffer.
    struct Head {
        std::uint8_t input_vc;
        std::uint8_t count;   // of its flits
        LinkWindow arriving;  // a 1 in the byte of each cycle in which one arrives
    };

    /// Credits of a virtual channel that has no active_vc.
    struct Returned {
        std::uint8_t port;
        std::uint8_t channel;
        LinkWindow credits;  // a 1 in the byte of each cycle in which one arrives
    };

    std::array<ActiveVcWindow, kActiveVcsMax> lanes;
    std::array<LinkWindow, kPorts> pool_credits{};  // how many of them free room of the shared pool, by cycle
    // Bit per output port: whether the shared pool downstream stays full, and whether that is known.
    mutable unsigned pools_that_stay_full = 0;
    mutable unsigned pools_known = 0;
    std::array<Waiting, at(kPorts) * at(kWindowCyclesMax)> waiting;
    std::array<Returned, at(kPorts) * at(kPorts) * at(kWindowCyclesMax)> returned;
    std::array<Head, kHeadsMax> heads;
    bool may_end = false;  // a packet
    int num_waiting = 0;
    int num_returned = 0;
    int num_heads = 0;
    LinkWindow injected = 0;  // read out of the tile, with the stream; arrives in a later window
};

template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::step_steady_state(Step& step) -> Outcome {
    Node& node = step.node;
    const Cycle end = step.start + parameters_.window_cycles;
    if (node.interface_wake < end || node.signal_wake < end || node.ports_pending != 0 ||
        (!node.tracks_active_vcs && !find_active_vcs(step))) {
        return Outcome::refused;
    }
    SteadyState window;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        window.lanes[at(number)] = {0, 0, 0, active_vc.flits, active_vc.used, 0};
    }
    if (!sort_arrivals(step, window) || (window.num_heads != 0 && !begin_active_vcs(step, window))) {
        return Outcome::refused;
    }
    if (window.num_returned != 0) {
        free_pool(node, window);
    }
    if ((end > node.quiet_until || window.num_heads != 0) && !may_advance(step, window)) {
        remove_begun(step, window, window.num_heads);
        return Outcome::refused;
    }
    const unsigned together = node.active_vcs_interact ? ports_together(step, window) : 0;
    if (!has(Accelerator::round_robin) && (together != 0 || needs_round_robin(node, window))) {
        count_use(Accelerator::round_robin, false);
        remove_begun(step, window, window.num_heads);
        return Outcome::refused;
    }
    for (int number = 0; number < window.num_heads; ++number) {
        const int input_vc = window.heads[at(number)].input_vc;
        const ActiveVc& active_vc = node.active_vcs[node.active_vc_of[of_input_vc(input_vc)]];
        node.input_vcs[at(input_vc)].flits_left = active_vc.flits_left;
        grant(step.index, node, active_vc.port, active_vc.channel, input_vc, step.start);
    }
    bool takes_turns = together != 0;
    for (int first = 0; first < node.num_active_vcs;) {
        const int last = end_of_port(node, first);
        if ((together >> node.active_vcs[at(first)].port & 1U) == 0) {
            takes_turns |= advance_port(step, window, first, last);
        }
        first = last;
    }
    if (together != 0) {
        advance_together(step, window, together);
    }
    if (takes_turns) {
        count_use(Accelerator::round_robin, true);
    }
    bool can_progress = false;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        ActiveVc& active_vc = node.active_vcs[at(number)];
        finish_active_vc(step, active_vc, window.lanes[at(number)]);
        can_progress = can_progress || may_send(node, active_vc);
    }
    if (node.counted) {
        count_flits(step, [&window](int active_vc) { return count_ones(window.lanes[at(active_vc)].sent); });
    }
    if (window.injected != 0) {
        step.sent.add(Traffic::flits(kNiuPort), window.injected);
    }
    put_on_links(step);
    for (int number = 0; number < window.num_waiting; ++number) {
        const auto [input_vc, count] = window.waiting[at(number)];
        node.input_vcs[input_vc].flits = static_cast<std::uint16_t>(node.input_vcs[input_vc].flits + count);
    }
    for (int number = 0; number < window.num_returned; ++number) {
        const auto [port, channel, credits] = window.returned[at(number)];
        set_used(node, port, channel, node.outputs[port].used[channel] - count_ones(credits));
    }
    can_progress = (can_progress && (!has_full_pool(node) || active_vcs_can_send(node))) ||
                   (node.num_read != 0 && can_read_tile(step.index, node));
    const Outcome outcome = can_progress ? Outcome::awake : Outcome::asleep;
    const auto ends = [](const ActiveVc& active_vc) { return active_vc.flits_left == 0; };
    const bool has_ended =
        window.may_end && std::any_of(node.active_vcs.data(), node.active_vcs.data() + node.num_active_vcs, ends);
    if (has_ended || window.num_heads != 0) {
        if (has_ended) {
            end_active_vcs(step);
        }
        return node.ports_pending != 0 ? Outcome::awake : outcome;
    }
    return outcome;
}

/// The output ports that have to do with each other in a window: input ports send one flit for several of them, or
/// streams are read in turn.
template <int kPorts, int kVirtualChannels>
unsigned WindowNetwork<kPorts, kVirtualChannels>::ports_together(const Step& step, const SteadyState& window) const {
    const Node& node = step.node;
    std::array<unsigned, kPorts> ports_of_input{};
    unsigned ports_read = 0;
    int num_read = 0;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        const ActiveVcWindow& lane = window.lanes[at(number)];
        const bool is_read = active_vc.is_read_from_tile && reads_tile(step, window, number);
        if (is_read) {
            ports_read |= 1U << active_vc.port;
            ++num_read;
        }
        if (is_read || may_go(node, active_vc, lane)) {
            ports_of_input[active_vc.input_port] |= 1U << active_vc.port;
        }
    }
    unsigned together = num_read > 1 ? ports_read : 0;
    for (const unsigned ports : ports_of_input) {
        together |= parameters_.one_flit_per_input_port && !is_one_bit(ports) ? ports : 0;
    }
    return together;
}

/// Whether an active VC can do anything in another window even if nothing arrives in it, unless a pool is full.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::may_send(const Node& node, const ActiveVc& active_vc) const {
    if (active_vc.flits == 0) {
        return false;
    }
    return active_vc.port == kNiuPort ? !is_blocked(node, active_vc) : active_vc.used < space_.channel_flits_max();
}

/// Whether the shared pool behind an output port is full.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::has_full_pool(const Node& node) const {
    bool is_full = false;
    for (int port = 1; port < kPorts; ++port) {
        is_full = is_full || space_.is_pool_full(node.pool_used[at(port)]);
    }
    return is_full;
}

/// Whether active VCs can do anything in another window even if nothing arrives in it.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::active_vcs_can_send(const Node& node) const {
    return std::any_of(
        node.active_vcs.data(), node.active_vcs.data() + node.num_active_vcs, [&](const ActiveVc& active_vc) {
            const bool pool_is_full = space_.is_pool_full(node.pool_used[active_vc.port]);
            return may_send(node, active_vc) &&
                   (active_vc.port == kNiuPort || !pool_is_full || active_vc.used < space_.private_flits);
        });
}

/// Finds the packets that own virtual channels, whether they have flits at hand or not.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::find_active_vcs(const Step& step) {
    Node& node = step.node;
    if (node.multicast != 0) {
        return false;
    }
    node.num_active_vcs = 0;
    node.quiet_until = 0;
    node.active_vc_of.fill(kNoActiveVc);
    for (int port = 0; port < kPorts; ++port) {
        const Output& output = node.outputs[at(port)];
        const int first = node.num_active_vcs;
        for (ChannelMask rest = output.owned; rest != 0; rest &= rest - 1) {
            const int channel = std::countr_zero(rest);
            const std::uint8_t input_vc_index = output.owner[at(channel)];
            const InputVc& input_vc = node.input_vcs[input_vc_index];
            if (input_vc.output_port != port || input_vc.output_channel != channel) {
                continue;  // of a multicast
            }
            if (node.num_active_vcs == kActiveVcsMax || node.num_active_vcs - first == kActiveVcsOfPortMax) {
                return false;
            }
            add_active_vc(step.index, {.input_vc = input_vc_index,
                                       .port = static_cast<std::uint8_t>(port),
                                       .channel = static_cast<std::uint8_t>(channel),
                                       .input_port = static_cast<std::uint8_t>(input_vc_index / kVirtualChannels),
                                       .is_read_from_tile = is_read(step, input_vc_index)});
        }
    }
    relate_active_vcs(node);
    node.tracks_active_vcs = true;
    return true;
}

/// Notes what active VCs have to do with each other.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::relate_active_vcs(Node& node) const {
    int num_read = 0;
    unsigned inputs = 0;  // of the ports before
    unsigned inputs_of_port = 0;
    int port = 0;
    bool share_input = false;
    unsigned ports = 0;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        ports |= 1U << active_vc.port;
        if (active_vc.port != port) {
            port = active_vc.port;
            inputs |= std::exchange(inputs_of_port, 0);
        }
        inputs_of_port |= 1U << active_vc.input_port;
        share_input = share_input || (inputs >> active_vc.input_port & 1U) != 0;
        if (active_vc.is_read_from_tile) {
            ++num_read;
        }
    }
    node.active_vcs_interact = (parameters_.one_flit_per_input_port && share_input) || num_read > 1;
    node.num_read = static_cast<std::uint8_t>(num_read);
    node.is_conflict_free = has(Accelerator::conflict_free) && !node.counted &&
                            std::popcount(ports) == node.num_active_vcs &&
                            std::popcount(inputs | inputs_of_port) == node.num_active_vcs;
}

/// Adds active VCs for packets whose heads arrive in a window, where each one's own virtual channel is free, so that it
/// is granted at once, and nobody waits for any: then it makes no difference that it is granted before. Returns false
/// if it is not like that, and changes nothing.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::begin_active_vcs(const Step& step, SteadyState& window) {
    Node& node = step.node;
    for (int number = 0; number < window.num_heads; ++number) {
        const auto& [input_vc, count, arriving] = window.heads[at(number)];
        const PacketId id = front_packet(node, step.cold, input_vc);
        const Packet& packet = packets_[id];
        const Way way = packet.tree == kNoTree ? way_of(step.index, packet, input_vc) : Way{kNiuPort, 0};
        const Output& output = node.outputs[at(way.port)];
        const auto is_before = [&way](const ActiveVc& active_vc) {
            return active_vc.port < way.port || (active_vc.port == way.port && active_vc.channel < way.channel);
        };
        const auto place =
            std::count_if(node.active_vcs.data(), node.active_vcs.data() + node.num_active_vcs, is_before);
        if (way.port == kNiuPort || count > packet.flits || output.waiting != 0 ||
            (output.owned >> way.channel & 1U) != 0 ||
            node.active_vc_of[of_output(way.port, way.channel)] != kNoActiveVc ||
            !has_room_for_active_vc(node, way.port)) {
            remove_begun(step, window, number);
            return false;
        }
        ActiveVc active_vc{.input_vc = input_vc,
                           .port = static_cast<std::uint8_t>(way.port),
                           .channel = static_cast<std::uint8_t>(way.channel),
                           .input_port = static_cast<std::uint8_t>(input_vc / kVirtualChannels),
                           .is_read_from_tile = is_read(step, input_vc)};
        set_words(active_vc);
        active_vc.used = output.used[at(way.channel)];
        active_vc.flits_left = packet.flits;
        ActiveVc* const last_active_vc = node.active_vcs.data() + node.num_active_vcs;
        std::copy_backward(node.active_vcs.data() + place, last_active_vc, last_active_vc + 1);
        ActiveVcWindow* const last_lane = window.lanes.data() + node.num_active_vcs;
        std::copy_backward(window.lanes.data() + place, last_lane, last_lane + 1);
        ++node.num_active_vcs;
        node.active_vcs[at(place)] = active_vc;
        window.lanes[at(place)] = {arriving, take_returned(window, way.port, way.channel), 0, 0, active_vc.used, 0};
        number_active_vcs(node, static_cast<int>(place));
    }
    relate_active_vcs(node);
    return true;
}

/// The first `count` of the packets whose heads arrive have no active VCs any more.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::remove_begun(const Step& step, const SteadyState& window, int count) {
    Node& node = step.node;
    for (int number = 0; number < count; ++number) {
        remove_active_vc(node, node.active_vc_of[of_input_vc(window.heads[at(number)].input_vc)]);
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::remove_active_vc(Node& node, int number) {
    const ActiveVc& active_vc = node.active_vcs[at(number)];
    node.active_vc_of[of_input_vc(active_vc.input_vc)] = kNoActiveVc;
    node.active_vc_of[of_output(active_vc.port, active_vc.channel)] = kNoActiveVc;
    ActiveVc* const removed = node.active_vcs.data() + number;
    std::copy(removed + 1, node.active_vcs.data() + node.num_active_vcs, removed);
    --node.num_active_vcs;
    number_active_vcs(node, number);
}

/// Packets whose tails have gone give their virtual channels back; nobody waits for these but what comes behind one.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::end_active_vcs(Step& step) {
    Node& node = step.node;
    for (int number = node.num_active_vcs - 1; number >= 0; --number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        if (active_vc.flits_left != 0) {
            continue;
        }
        InputVc& input_vc = node.input_vcs[active_vc.input_vc];
        Output& output = node.outputs[active_vc.port];
        take_front_packet(step, active_vc.input_vc, active_vc.port);
        input_vc.flits = active_vc.flits;
        input_vc.flits_left = 0;
        input_vc.output_port = kNotGranted;
        clear_has_flit(node, active_vc.port, channel_bit(active_vc.channel));
        output.owned &= ~channel_bit(active_vc.channel);
        set_used_beside_pool(output, active_vc.channel, active_vc.used);
        const int input_vc_index = active_vc.input_vc;
        remove_active_vc(node, number);
        if (input_vc.flits != 0) {
            look_at_front(step.index, node, input_vc_index, {step.start + parameters_.window_cycles - 1, 0});
        }
    }
    relate_active_vcs(node);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::add_active_vc(NodeIndex index, const ActiveVc& active_vc) {
    Node& node = nodes_[index];
    const InputVc& input_vc = node.input_vcs[active_vc.input_vc];
    node.active_vc_of[of_input_vc(active_vc.input_vc)] = node.num_active_vcs;
    node.active_vc_of[of_output(active_vc.port, active_vc.channel)] = node.num_active_vcs;
    ActiveVc& added = node.active_vcs[node.num_active_vcs++];
    added = active_vc;
    added.flits = static_cast<std::uint8_t>(input_vc.flits);
    added.flits_left = input_vc.flits_left;
    added.used = node.outputs[active_vc.port].used[active_vc.channel];
    set_words(added);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::write_back_active_vcs(NodeIndex index) {
    Node& node = nodes_[index];
    if (!node.tracks_active_vcs) {
        return;
    }
    node.tracks_active_vcs = node.is_conflict_free = false;
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        InputVc& input_vc = node.input_vcs[active_vc.input_vc];
        input_vc.flits = active_vc.flits;
        input_vc.flits_left = active_vc.flits_left;
        Output& output = node.outputs[active_vc.port];
        const ChannelMask mask = channel_bit(active_vc.channel);
        if (active_vc.flits != 0) {
            set_has_flit(node, active_vc.port, mask);
        } else {
            clear_has_flit(node, active_vc.port, mask);
        }
        set_used_beside_pool(output, active_vc.channel, active_vc.used);
    }
}

/// Sorts what links bring by active VC. Returns false if the window has to be stepped cycle by cycle: if a head is
/// among it that may pass, or more heads than there is room for, or two credits of a virtual channel in a cycle, since
/// the first flit of a unicast can leave a buffer with the last one of the multicast before it.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::sort_arrivals(const Step& step, SteadyState& window) const {
    static constexpr auto kFirstOfWord = [] {
        std::array<std::uint8_t, Traffic::kNumWords> first{};  // of Node::active_vc_of
        for (int word = 0; word < Traffic::kNumWords; ++word) {
            const int port = Traffic::port(word);
            first[at(word)] =
                static_cast<std::uint8_t>(word < kPorts ? of_input_vc(port * kVirtualChannels) : of_output(port, 0));
        }
        return first;
    }();
    const Node& node = step.node;
    for (std::uint32_t rest = step.in.present; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        const bool has_flits = word < kPorts;
        const std::uint8_t* const active_vcs = node.active_vc_of.data() + kFirstOfWord[at(word)];
        LinkWindow bytes = step.in.words[at(word)];
        do {
            const int channel = first_channel(bytes);
            const LinkWindow present = bytes_of_channel(bytes, channel);
            bytes &= ~(present * 0xff);
            if (const int active_vc = active_vcs[channel]; active_vc != kNoActiveVc) {
                ActiveVcWindow& lane = window.lanes[at(active_vc)];
                LinkWindow& sum = has_flits ? lane.arriving : lane.credits;
                if ((sum & present) != 0) {
                    return false;
                }
                sum |= present;
            } else if (!sort_inactive(step, window, word, channel, present)) {
                return false;
            }
        } while (bytes != 0);
    }
    return true;
}

/// The same of a virtual channel that has no active_vc.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::sort_inactive(const Step& step, SteadyState& window, int word,
                                                            int channel, LinkWindow present) const {
    if (word >= kPorts) {
        LinkWindow& credits = credits_returned(window, Traffic::port(word), channel);
        const bool has_two = (credits & present) != 0;
        credits |= present;
        return !has_two;
    }
    const int input_vc = word * kVirtualChannels + channel;
    const auto count = static_cast<std::uint8_t>(count_ones(present));
    if (step.node.input_vcs[at(input_vc)].flits_left != 0) {
        window.waiting[at(window.num_waiting++)] = {static_cast<std::uint8_t>(input_vc), count};
        return true;
    }
    if (window.num_heads == kHeadsMax || begins_single_flit(step, input_vc)) {
        return false;
    }
    window.heads[at(window.num_heads++)] = {static_cast<std::uint8_t>(input_vc), count, present};
    return true;
}

/// Whether a packet of one flit comes to the front of `input_vc`: it may pass, see take_head().
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::begins_single_flit(const Step& step, int input_vc) const {
    return single_flits_bypass_ && step.node.num_active_vcs == 0 &&
           packets_[front_packet(step.node, step.cold, input_vc)].flits == 1;
}

/// Of the credits of virtual channels that have no active VC, the first ones free room of the shared pool.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::free_pool(const Node& node, SteadyState& window) const {
    for (int number = 0; number < window.num_returned; ++number) {
        const auto& [port, channel, credits] = window.returned[at(number)];
        LinkWindow freed = credits;
        const int num_freed = node.outputs[port].used[channel] - space_.private_flits;
        for (int kept = count_ones(credits) - num_freed; kept > 0 && freed != 0; --kept) {
            freed &= ~(LinkWindow{0xff} << (63 - std::countl_zero(freed)) / 8 * 8);
        }
        window.pool_credits[port] += freed;
    }
}

/// The credits of a virtual channel that has an active VC from now on.
template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::take_returned(SteadyState& window, int port, int channel) -> LinkWindow {
    for (int number = 0; number < window.num_returned; ++number) {
        auto& returned = window.returned[at(number)];
        if (returned.port == port && returned.channel == channel) {
            const LinkWindow credits = returned.credits;
            returned = window.returned[at(--window.num_returned)];
            return credits;
        }
    }
    return 0;
}

/// The credits of a virtual channel that has no active_vc. They can come from several outputs of the router downstream.
template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::credits_returned(SteadyState& window, int port, int channel)
    -> LinkWindow& {
    for (int number = 0; number < window.num_returned; ++number) {
        auto& returned = window.returned[at(number)];
        if (returned.port == port && returned.channel == channel) {
            return returned.credits;
        }
    }
    auto& returned = window.returned[at(window.num_returned++)];
    returned = {static_cast<std::uint8_t>(port), static_cast<std::uint8_t>(channel), 0};
    return returned.credits;
}

/// No tail can go for which it matters when, nothing has to be reported about what the tile gets, and streams neither
/// begin nor end. Notes until when this is so anyway, since a packet sends, and a stream reads, a flit per cycle at
/// most.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::may_advance(const Step& step, SteadyState& window) const {
    Node& node = step.node;
    int quiet_cycles = std::numeric_limits<int>::max();
    for (int number = 0; number < node.num_active_vcs; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        const ActiveVcWindow& lane = window.lanes[at(number)];
        quiet_cycles = std::min(quiet_cycles, is_blocked(node, active_vc) ? quiet_cycles : active_vc.flits_left - 1);
        const int issued = active_vc.is_read_from_tile ? static_cast<int>(parameters_.window_cycles) : 0;
        const int at_hand = lane.flits + count_ones(lane.arriving) + issued;
        if (active_vc.port == kNiuPort) {
            // Of requests that the tile does not take, neither heads nor tails go.
            const bool is_reported = node.metered || (node.heads_to_eject >> active_vc.channel & 1U) != 0;
            if (!is_blocked(node, active_vc) && (is_reported || at_hand >= active_vc.flits_left)) {
                return false;
            }
        } else if (at_hand >= active_vc.flits_left && room_in_window(node, window, number) >= active_vc.flits_left) {
            if (active_vc.is_read_from_tile || node.outputs[active_vc.port].waiting != 0 ||
                (at_hand > active_vc.flits_left && !can_follow(step, window, number, at_hand))) {
                // With the tail, something else comes to the front, or is granted a virtual channel.
                return false;
            }
            window.may_end = true;
        }
    }
    for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
        const int number = std::countr_zero(rest);
        const Stream& stream = step.cold.streams[at(number)];
        const int active_vc = node.active_vc_of[of_input_vc(number)];
        const bool is_read = active_vc != kNoActiveVc && node.active_vcs[at(active_vc)].is_read_from_tile;
        // Its buffer is full, and stays so.
        const bool is_stuck = stream.in_buffer >= parameters_.injection_buffer_flits &&
                              (active_vc == kNoActiveVc || (!is_read && !can_go(node, window, active_vc)));
        if (!is_stuck && (!is_read || !stream_is_steady(stream, step.start))) {
            return false;
        }
        const int steady_cycles = stream.flits - stream.issued - parameters_.read_ahead_flits - 1;
        quiet_cycles = std::min(quiet_cycles, is_stuck ? 0 : steady_cycles);
    }
    node.quiet_until = step.start + quiet_cycles;
    return true;
}

/// Whether a flit of an active VC, if there is one, may go in the course of a window.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::can_go(const Node& node, const SteadyState& window,
                                                            int number) const {
    const ActiveVc& active_vc = node.active_vcs[at(number)];
    return active_vc.port == kNiuPort ? !is_blocked(node, active_vc) : room_in_window(node, window, number) > 0;
}

/// The same, as far as flits at hand and its own virtual channel are concerned, and not the pool.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::may_go(const Node& node, const ActiveVc& active_vc,
                                                            const ActiveVcWindow& lane) const {
    if (lane.flits == 0 && lane.arriving == 0) {
        return false;
    }
    return active_vc.port == kNiuPort ? !is_blocked(node, active_vc)
                                      : lane.used - count_ones(lane.credits) < space_.channel_flits_max();
}

/// Whether flits may be read out of the tile in a window for an active VC whose packet is.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::reads_tile(const Step& step, const SteadyState& window,
                                                                int number) const {
    const Stream& stream = step.cold.streams[step.node.active_vcs[at(number)].input_vc];
    return stream.in_buffer < parameters_.injection_buffer_flits || can_go(step.node, window, number);
}

/// Flits of a stream have been read out of the tile, in those cycles of a window whose byte of `read` is 1.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::note_read(int stream, LinkWindow& injected,
                                                               LinkWindow read) const {
    const int late = 8 * static_cast<int>(std::max<Cycle>(parameters_.window_cycles - parameters_.injection_cycles, 0));
    injected |= (read >> late << late) * (static_cast<LinkWindow>(stream) + 1);
}

/// Whether what comes behind a packet, of `at_hand` flits of both, is one packet that goes the same way, and is noted.
/// In the cycle after the tail, it is granted the virtual channel that the tail has given back, and may send a flit: as
/// if the two were one.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::can_follow(const Step& step, SteadyState& window, int number,
                                                         int at_hand) const {
    const ActiveVc& active_vc = step.node.active_vcs[at(number)];
    if (active_vc.input_port == kNiuPort) {
        return false;
    }
    const PacketId id =
        step.cold.queue[(step.node.input_vcs[active_vc.input_vc].queue_head + 1U) % kQueueSize][active_vc.input_vc];
    const Packet& packet = packets_[id];
    if (packet.tree != kNoTree || at_hand > active_vc.flits_left + packet.flits) {
        return false;
    }
    const Way way = way_of(step.index, packet, active_vc.input_vc);
    window.lanes[at(number)].next_flits = packet.flits;
    return way.port == active_vc.port && way.channel == active_vc.channel;
}

/// Flits of an active VC that there is room for downstream in the course of a window, at most.
template <int kPorts, int kVirtualChannels>
int WindowNetwork<kPorts, kVirtualChannels>::room_in_window(const Node& node, const SteadyState& window,
                                                            int number) const {
    const ActiveVc& active_vc = node.active_vcs[at(number)];
    const ActiveVcWindow& lane = window.lanes[at(number)];
    if ((window.pools_known >> active_vc.port & 1U) == 0) {
        // Whatever comes back, of any virtual channel, may free room of the shared pool.
        int pool_used = node.pool_used[active_vc.port] - count_ones(window.pool_credits[active_vc.port]);
        for (int other = 0; other < node.num_active_vcs; ++other) {
            pool_used -=
                node.active_vcs[at(other)].port == active_vc.port ? count_ones(window.lanes[at(other)].credits) : 0;
        }
        window.pools_known |= 1U << active_vc.port;
        window.pools_that_stay_full |= space_.is_pool_full(pool_used) ? 1U << active_vc.port : 0;
    }
    const bool pool_stays_full = (window.pools_that_stay_full >> active_vc.port & 1U) != 0;
    const int flits_max = pool_stays_full ? std::max(lane.used, space_.private_flits) : space_.channel_flits_max();
    return flits_max - lane.used + count_ones(lane.credits);
}

/// Whether a stream neither begins nor ends in the window.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::stream_is_steady(const Stream& stream, Cycle start) const {
    return stream.issued != 0 && stream.start <= start &&
           stream.issued + parameters_.window_cycles + parameters_.read_ahead_flits < stream.flits;
}

/// Whom an output port serves whose active VCs are those from `first` to before `last`: the number of one of them, or
/// nobody, or several.
template <int kPorts, int kVirtualChannels>
inline int WindowNetwork<kPorts, kVirtualChannels>::served(const Node& node, const SteadyState& window, int first,
                                                           int last) const {
    const bool pool_may_fill = port_kind(node, node.active_vcs[at(first)].port) == PortKind::link_with_full_pool;
    if (last - first == 1 && !pool_may_fill) {
        return first;
    }
    // Most active VCs have nothing to send, or no room for it downstream: only flits and credits come for them.
    int served = kNobody;
    for (int number = first; number < last; ++number) {
        const ActiveVc& active_vc = node.active_vcs[at(number)];
        if (active_vc.is_read_from_tile ||
            (may_go(node, active_vc, window.lanes[at(number)]) && (!pool_may_fill || can_go(node, window, number)))) {
            served = served == kNobody && !pool_may_fill ? number : kRoundRobin;
        }
    }
    return served;
}

/// Whether any output port, those of `together` left out, serves several packets round-robin.
template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::needs_round_robin(const Node& node, const SteadyState& window) const {
    for (int first = 0; first < node.num_active_vcs; first = end_of_port(node, first)) {
        if (served(node, window, first, end_of_port(node, first)) == kRoundRobin) {
            return true;
        }
    }
    return false;
}

/// The window of an output port, whose active VCs are those from `first` to before `last`. Returns whether it serves
/// several of them round-robin.
template <int kPorts, int kVirtualChannels>
inline bool WindowNetwork<kPorts, kVirtualChannels>::advance_port(Step& step, SteadyState& window, int first,
                                                                  int last) {
    const int one = served(step.node, window, first, last);
    if (one == kRoundRobin) {
        advance_round_robin(step, window, first, last);
        return true;
    }
    for (int number = first; number < last; ++number) {
        ActiveVcWindow& lane = window.lanes[at(number)];
        if (number != one) {
            lane.flits += count_ones(lane.arriving);
            lane.used -= count_ones(lane.credits);
        }
    }
    if (one != kNobody) {
        advance_one(step, window, step.node.active_vcs[at(one)], window.lanes[at(one)]);
    }
    return false;
}

/// The window of an output port that sends flits of one packet, if any.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::advance_one(Step& step, SteadyState& window,
                                                                 const ActiveVc& active_vc, ActiveVcWindow& lane) {
    if (active_vc.is_read_from_tile) {
        send_from_tile(step.node, step.cold.streams[active_vc.input_vc], step.start, window.injected, active_vc, lane);
    } else if (active_vc.port == kNiuPort) {
        eject(step.node, step.start, active_vc, lane);
    } else {
        send_through(step.node, step.start, active_vc, lane);
    }
}

/// The window of an output port to another router that sends flits of one packet, which comes from another router, or
/// from the tile but is not read any more. Its pool downstream does not become full.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::send_through(Node& node, Cycle start, const ActiveVc& active_vc,
                                                                  ActiveVcWindow& lane) const {
    const int space = space_.channel_flits_max() - lane.used;
    lane.sent = sent_in_window(lane.flits, lane.arriving, space, lane.credits) & window_mask_;
    if (links_idle() && lane.sent != 0) {
        lane.sent = idle_in_window(node, start, active_vc.port, lane, space);
    }
    const int num_sent = count_ones(lane.sent);
    lane.flits += count_ones(lane.arriving) - num_sent;
    lane.used += num_sent - count_ones(lane.credits);
    std::uint8_t& last_sent = node.last_sent[active_vc.port];
    last_sent = lane.sent != 0 ? active_vc.channel : last_sent;
}

/// A link has passed flits in those cycles of a window whose byte of `sent` is 1. If there are none, whatever has been
/// noted before is over.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::note_sent_on_end(Node& node, int port, Cycle start,
                                                                      LinkWindow sent) const {
    if (!links_idle() || sent == 0) {
        return;
    }
    const auto cycles = static_cast<int>(parameters_.window_cycles);
    const int last = window_arithmetic::sent_last(sent, cycles);
    ConsecutiveFlits& link = node.link_use[at(port - 1)];
    link.set(start + cycles, last == cycles ? cycles + link.until(start) : last);
}

/// What is sent over a link in a window if `lane.sent` would be were it not to idle, which is noted. With the `space`
/// downstream.
template <int kPorts, int kVirtualChannels>
inline auto WindowNetwork<kPorts, kVirtualChannels>::idle_in_window(Node& node, Cycle start, int port,
                                                                    const ActiveVcWindow& lane, int space) const
    -> LinkWindow {
    const int until_idle = cycles_until_idle(node, port, start);
    LinkWindow sent = lane.sent;
    if (until_idle < parameters_.window_cycles) {
        // It idles in this cycle if flits go in all those before, and one could in this one.
        if (window_arithmetic::sends_through(sent, until_idle)) {
            sent = sent_in_window(lane.flits, lane.arriving, space, lane.credits,
                                  window_arithmetic::cycles_until_without(until_idle)) &
                   window_mask_;
        }
    }
    note_sent_on_end(node, port, start, sent);
    return sent;
}

/// Flits of an active VC that are downstream now.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::count_downstream(Node& node, ActiveVc& active_vc, int used) const {
    fill_pool(node, active_vc.port, active_vc.used, used);
    active_vc.used = static_cast<std::uint8_t>(used);
}

/// The window of an output port that sends flits of one packet, which is read out of the tile meanwhile. No other
/// stream is.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::send_from_tile(Node& node, Stream& stream, Cycle start,
                                                             LinkWindow& injected, const ActiveVc& active_vc,
                                                             ActiveVcWindow& lane) const {
    const bool is_tile = active_vc.port == kNiuPort;
    const int limit = is_blocked(node, active_vc) ? 0 : space_.channel_flits_max();
    const auto cycles = static_cast<int>(parameters_.window_cycles);
    const auto injection_cycles = static_cast<int>(parameters_.injection_cycles);
    if (stream.in_buffer >= parameters_.injection_buffer_flits && lane.used - count_ones(lane.credits) >= limit) {
        // Nothing can go, and so nothing can be read.
        lane.flits += count_ones(lane.arriving);
        lane.used -= count_ones(lane.credits);
        return;
    }
    int flits = lane.flits;
    int used = is_tile ? 0 : lane.used;
    LinkWindow arriving = lane.arriving;
    LinkWindow sent = 0;
    LinkWindow read = 0;
    const int until_idle = cycles_until_idle(node, active_vc.port, start);
    Tick tick = ticks_from_cycles(start);
    for (int cycle = 0; cycle < cycles; ++cycle, tick += kTicksPerCycle) {
        if (can_read(node, stream, tick)) {
            read_flit(node, active_vc.input_vc, stream, tick);
            read |= LinkWindow{1} << (8 * cycle);
            if (cycle + injection_cycles < cycles) {
                arriving |= LinkWindow{1} << (8 * (cycle + injection_cycles));
            }
        }
        flits += static_cast<int>(arriving >> (8 * cycle) & 1);
        used -= static_cast<int>(lane.credits >> (8 * cycle) & 1);
        const bool idles = idles_in_window(cycle, until_idle, [sent] { return count_ones(sent); });
        if (flits > 0 && used < limit && !idles && (!is_tile || node.sink.allows(tick))) {
            --flits;
            --stream.in_buffer;
            sent |= LinkWindow{1} << (8 * cycle);
            if (is_tile) {
                node.sink.take(tick, node.sink_ticks_per_data_flit);
            } else {
                ++used;
            }
        }
    }
    if (!is_tile) {
        note_sent_on_end(node, active_vc.port, start, sent);
    }
    note_read(active_vc.input_vc, injected, read);
    node.last_sent[active_vc.port] = sent != 0 ? active_vc.channel : node.last_sent[active_vc.port];
    lane.arriving = arriving;
    lane.flits = flits;
    lane.used = used;
    lane.sent = sent;
}

/// The window of the port to the tile, which serves one packet.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::eject(Node& node, Cycle start, const ActiveVc& active_vc,
                                                           ActiveVcWindow& lane) const {
    if (is_blocked(node, active_vc)) {
        lane.flits += count_ones(lane.arriving);
        return;
    }
    const auto cycles = static_cast<int>(parameters_.window_cycles);
    LinkWindow arriving = lane.arriving;
    Tick tick = ticks_from_cycles(start);
    for (int offset = 0; offset < cycles; ++offset, tick += kTicksPerCycle, arriving >>= 8) {
        lane.flits += static_cast<int>(arriving & 1);
        if (lane.flits > 0 && node.sink.allows(tick)) {
            node.sink.take(tick, node.sink_ticks_per_data_flit);
            --lane.flits;
            lane.sent |= LinkWindow{1} << (8 * offset);
        }
    }
    if (lane.sent != 0) {
        node.last_sent[kNiuPort] = active_vc.channel;
    }
}

/// The tail of a packet has gone. If the one behind it has been granted the virtual channel in the window, the active
/// VC is that one's.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::follow(Step& step, ActiveVc& active_vc, const ActiveVcWindow& lane,
                                                     int num_sent) {
    const int last_cycle = static_cast<int>(parameters_.window_cycles) - 1;
    const bool tail_goes_last = (lane.sent >> (8 * last_cycle) & 1) != 0;
    const int num_sent_of_next = num_sent - active_vc.flits_left;
    if (num_sent_of_next == 0 && (lane.flits == 0 || tail_goes_last)) {
        active_vc.flits_left = 0;
        return;
    }
    take_front_packet(step, active_vc.input_vc, active_vc.port);
    push_downstream(step.index, active_vc.port, active_vc.channel,
                    front_packet(step.node, step.cold, active_vc.input_vc));
    active_vc.flits_left = static_cast<std::uint16_t>(lane.next_flits - num_sent_of_next);
}

/// What an active VC has done in the window.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::finish_active_vc(Step& step, ActiveVc& active_vc,
                                                                      const ActiveVcWindow& lane) {
    if (lane.sent == 0 && lane.flits == active_vc.flits && lane.used == active_vc.used) {
        return;
    }
    if (active_vc.port != kNiuPort) {
        count_downstream(step.node, active_vc, lane.used);
    }
    active_vc.flits = static_cast<std::uint8_t>(lane.flits);
    if (lane.sent == 0) {
        return;
    }
    const int num_sent = count_ones(lane.sent);
    if (lane.next_flits != 0 && num_sent >= active_vc.flits_left) {
        follow(step, active_vc, lane, num_sent);
    } else {
        active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - num_sent);
    }
    send_and_free(step.cold, active_vc, lane.sent, [&step](int word, LinkWindow bytes) { step.sent.add(word, bytes); });
}

/// Flits of an active VC go out and leave room in its buffer. `send(word, bytes)` sends a word of Sent.
template <int kPorts, int kVirtualChannels>
template <class Send>
inline void WindowNetwork<kPorts, kVirtualChannels>::send_and_free(ColdNode& cold, const ActiveVc& active_vc,
                                                                   LinkWindow sent, const Send& send) {
    if (active_vc.port != kNiuPort) {
        send(active_vc.flits_word, sent * (active_vc.channel + 1U));
    }
    if (active_vc.input_port != kNiuPort) {
        send(active_vc.credits_word, sent * (active_vc.input_vc % kVirtualChannels + 1U));
    } else if (!active_vc.is_read_from_tile) {
        Stream& stream = cold.streams[active_vc.input_vc];
        stream.in_buffer = static_cast<std::uint16_t>(stream.in_buffer - count_ones(sent));
    }
}

}  // namespace nocbench
