// Windows of routers without virtual channel allocation. Output ports are then independent of each other, and serve few
// packets. Most windows are steady, since a packet has hundreds of flits. A packet may begin if its own virtual channel
// is free and no packet requests the output. A packet may end if no packet requests its virtual channels, or if the
// packet behind it follows through the same output. The result equals that of RouterCycle, flit by flit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <type_traits>

#include "device_model/noc/engine/active_vcs.h"
#include "device_model/noc/engine/round_robin.h"
#include "device_model/noc/engine/router_cycle.h"

namespace nocbench::engine {

template <int kPorts, int kVirtualChannels>
class SteadyState {
public:
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using Step = State::Step;
    using Words = LinkWords<kPorts>;
    using SteadyWindow = engine::SteadyWindow<kPorts>;

    SteadyState(Routers<kPorts, kVirtualChannels>& routers, RouterCycle<kPorts, kVirtualChannels>& cycle,
                AcceleratorUses& accelerators, LinkWindow window_mask)
        : routers_(routers),
          parameters_(routers.parameters),
          space_(routers.space),
          cycle_(cycle),
          accelerators_(accelerators),
          active_vcs_(routers, accelerators),
          ports_(routers, window_mask),
          round_robin_(routers, ports_) {}

    [[nodiscard]] const ActiveVcs<kPorts, kVirtualChannels>& active_vcs() const { return active_vcs_; }
    [[nodiscard]] const PortWindows<kPorts, kVirtualChannels>& ports() const { return ports_; }

    /// Steps a router through a window. The result is in `step.sent`.
    Outcome try_window(Step& step) {
        Node& node = step.node;
        const Cycle end = step.start + parameters_.window_cycles;
        if (node.interface_wake < end || node.signal_wake < end || node.ports_pending != 0 ||
            (!node.tracks_active_vcs && !active_vcs_.find(step))) {
            return Outcome::refused;
        }
        SteadyWindow window;
        for (int number = 0; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            window.lanes[at(number)] = {0, 0, 0, active_vc.flits, active_vc.used, 0};
        }
        if (!sort_arrivals(step, window) || (window.num_heads != 0 && !begin_active_vcs(step, window))) {
            return Outcome::refused;
        }
        free_pool(node, window);
        if ((end > node.quiet_until || window.num_heads != 0) && !may_advance(step, window)) {
            remove_begun(step, window, window.num_heads);
            return Outcome::refused;
        }
        const unsigned together = node.active_vcs_interact ? ports_together(step, window) : 0;
        if (!accelerators_.has(Accelerator::round_robin) && (together != 0 || needs_round_robin(node, window))) {
            accelerators_.count(Accelerator::round_robin, false);
            remove_begun(step, window, window.num_heads);
            return Outcome::refused;
        }
        for (int number = 0; number < window.num_heads; ++number) {
            const int input_vc = window.heads[at(number)].input_vc;
            const ActiveVc& active_vc = node.active_vcs[node.active_vc_of[State::of_input_vc(input_vc)]];
            node.input_vcs[at(input_vc)].flits_left = active_vc.flits_left;
            cycle_.grants().grant(step.index, node, active_vc.port, active_vc.channel, input_vc, step.start);
        }
        bool takes_turns = together != 0;
        for (int first = 0, last = 0; first < node.num_active_vcs; first = last) {
            last = active_vcs_.end_of_port(node, first);
            if ((together >> node.active_vcs[at(first)].port & 1U) == 0) {
                takes_turns |= advance_port(step, window, first, last);
            }
        }
        if (together != 0) {
            round_robin_.advance_together(step, window, together);
        }
        if (takes_turns) {
            accelerators_.count(Accelerator::round_robin, true);
        }
        for (int number = 0; number < node.num_active_vcs; ++number) {
            finish_active_vc(step, node.active_vcs[at(number)], window.lanes[at(number)]);
        }
        if (node.counted) {
            count_flits(step, window);
        }
        if (window.injected != 0) {
            step.sent.add(Words::flits(kNiuPort), window.injected);
        }
        for (int number = 0; number < window.num_waiting; ++number) {
            const auto [input_vc, count] = window.waiting[at(number)];
            node.input_vcs[input_vc].flits = static_cast<std::uint16_t>(node.input_vcs[input_vc].flits + count);
        }
        for (int number = 0; number < window.num_returned; ++number) {
            const auto [port, channel, credits] = window.returned[at(number)];
            routers_.set_used(node, port, channel, node.outputs[port].used[channel] - count_ones(credits));
        }
        const bool can_progress =
            active_vcs_can_send(node) || (node.num_read != 0 && routers_.can_read_tile(step.index, node));
        if (window.may_end) {
            active_vcs_.end(step);
        }
        return can_progress || node.ports_pending != 0 ? Outcome::awake : Outcome::asleep;
    }
    /// Returns whether the window is steady: no tail leaves whose cycle matters, no flit must be reported to the tile,
    /// and streams neither begin nor end. Notes the cycle until which this is certain, at one flit per cycle.
    bool may_advance(const Step& step, SteadyWindow& window) const {
        Node& node = step.node;
        int quiet_cycles = std::numeric_limits<int>::max();
        for (int number = 0; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            const ActiveVcWindow& lane = window.lanes[at(number)];
            quiet_cycles =
                std::min(quiet_cycles, ports_.is_blocked(node, active_vc) ? quiet_cycles : active_vc.flits_left - 1);
            const int issued = active_vc.is_read_from_tile ? static_cast<int>(parameters_.window_cycles) : 0;
            const int at_hand = lane.flits + count_ones(lane.arriving) + issued;
            if (active_vc.port == kNiuPort) {
                // The tile does not accept flits of blocked requests, therefore neither heads nor tails leave.
                const bool is_reported = node.metered || (node.heads_to_eject >> active_vc.channel & 1U) != 0;
                if (!ports_.is_blocked(node, active_vc) && (is_reported || at_hand >= active_vc.flits_left)) {
                    return false;
                }
            } else if (at_hand >= active_vc.flits_left &&
                       ports_.room_in_window(node, window, number) >= active_vc.flits_left) {
                if (active_vc.is_read_from_tile || node.outputs[active_vc.port].waiting != 0 ||
                    (at_hand > active_vc.flits_left && !can_follow(step, window, number, at_hand))) {
                    // The tail would bring another packet to the front, or to the grant of a virtual channel.
                    return false;
                }
                window.may_end = true;
            }
        }
        for (const int number : SetBits(node.active_streams)) {
            const Stream& stream = step.cold.streams[at(number)];
            const int active_vc = node.active_vc_of[State::of_input_vc(number)];
            const bool is_read = active_vc != kNoActiveVc && node.active_vcs[at(active_vc)].is_read_from_tile;
            // The buffer of the stream is full and stays full.
            const bool is_stuck = stream.in_buffer >= parameters_.injection_buffer_flits &&
                                  (active_vc == kNoActiveVc || (!is_read && !ports_.can_go(node, window, active_vc)));
            if (!is_stuck && (!is_read || !stream_is_steady(stream, step.start))) {
                return false;
            }
            const int steady_cycles = stream.flits - stream.read.flits - parameters_.read_ahead_flits - 1;
            quiet_cycles = std::min(quiet_cycles, is_stuck ? 0 : steady_cycles);
        }
        node.quiet_until = step.start + quiet_cycles;
        return true;
    }

private:
    static constexpr int kNobody = -1;  // results of served() that are not active VCs
    static constexpr int kRoundRobin = -2;

    /// Sorts arrivals by active VC. Returns false for a head that may bypass, for more than kHeadsMax heads, and for
    /// two credits of a virtual channel in one cycle (possible after the last flit of a multicast).
    [[nodiscard]] bool sort_arrivals(const Step& step, SteadyWindow& window) const {
        using Index = std::conditional_t<State::kIsWide, std::uint16_t, std::uint8_t>;
        static constexpr auto kFirstOfWord = [] {
            std::array<Index, Words::kNumWords> first{};  // index in Node::active_vc_of
            for (int word = 0; word < Words::kNumWords; ++word) {
                const int port = Words::port(word);
                first[at(word)] = static_cast<Index>(word < kPorts ? State::of_input_vc(port * kVirtualChannels)
                                                                   : State::of_output(port, 0));
            }
            return first;
        }();
        const Node& node = step.node;
        for (const int word : SetBits(step.in.present)) {
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
    /// Sorts arrivals of a virtual channel without active VC.
    [[nodiscard]] bool sort_inactive(const Step& step, SteadyWindow& window, int word, int channel,
                                     LinkWindow present) const {
        if (word >= kPorts) {
            LinkWindow& credits = credits_returned(window, Words::port(word), channel);
            const bool has_two = (credits & present) != 0;
            credits |= present;
            return !has_two;
        }
        const int input_vc = word * kVirtualChannels + channel;
        const auto count = as_byte(count_ones(present));
        if (step.node.input_vcs[at(input_vc)].flits_left != 0) {
            window.waiting[at(window.num_waiting++)] = {as_byte(input_vc), count};
            return true;
        }
        if (window.num_heads == kHeadsMax || begins_single_flit(step, input_vc)) {
            return false;
        }
        window.heads[at(window.num_heads++)] = {as_byte(input_vc), count, present};
        return true;
    }
    /// Returns whether a packet of one flit comes to the front of `input_vc` and may bypass the router.
    [[nodiscard]] bool begins_single_flit(const Step& step, int input_vc) const {
        return cycle_.single_flits_bypass() && step.node.num_active_vcs == 0 &&
               routers_.packets[routers_.front_packet(step.node, step.cold, input_vc)].flits == 1;
    }
    /// Adds active VCs for packets whose heads arrive. Returns false, and changes nothing, unless their own virtual
    /// channels are free and no packet requests their outputs: the cycle of the grant then has no influence.
    bool begin_active_vcs(const Step& step, SteadyWindow& window) {
        Node& node = step.node;
        for (int number = 0; number < window.num_heads; ++number) {
            const auto& [input_vc, count, arriving] = window.heads[at(number)];
            const PacketId id = routers_.front_packet(node, step.cold, input_vc);
            const Packet& packet = routers_.packets[id];
            const Way way = packet.tree == kNoTree ? routers_.way_of(step.index, packet, input_vc) : Way{kNiuPort, 0};
            const auto& output = node.outputs[at(way.port)];
            if (way.port == kNiuPort || count > packet.flits || output.waiting != 0 ||
                (output.owned >> way.channel & 1U) != 0 ||
                node.active_vc_of[State::of_output(way.port, way.channel)] != kNoActiveVc ||
                !active_vcs_.has_room(node, way.port)) {
                remove_begun(step, window, number);
                return false;
            }
            ActiveVc active_vc = active_vcs_.make(step, input_vc, way);
            active_vc.flits_left = packet.flits;
            ActiveVcWindow* const last_lane = window.lanes.data() + node.num_active_vcs;
            const int place = active_vcs_.insert(node, active_vc);
            std::copy_backward(window.lanes.data() + place, last_lane, last_lane + 1);
            window.lanes[at(place)] = {arriving, take_returned(window, way.port, way.channel), 0, 0, active_vc.used, 0};
        }
        active_vcs_.relate(node);
        return true;
    }
    /// Removes the active VCs of the first `count` packets whose heads arrive.
    void remove_begun(const Step& step, const SteadyWindow& window, int count) const {
        Node& node = step.node;
        for (int number = 0; number < count; ++number) {
            active_vcs_.remove(node, node.active_vc_of[State::of_input_vc(window.heads[at(number)].input_vc)]);
        }
    }
    /// Notes the cycles in which credits of virtual channels without active VC free the pool: the first credits do.
    void free_pool(const Node& node, SteadyWindow& window) const {
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
    static auto find_returned(SteadyWindow& window, int port, int channel) {
        const auto first = window.returned.begin();
        return std::find_if(first, first + window.num_returned,
                            [&](const auto& returned) { return returned.port == port && returned.channel == channel; });
    }
    static LinkWindow take_returned(SteadyWindow& window, int port, int channel) {
        const auto found = find_returned(window, port, channel);
        if (found == window.returned.begin() + window.num_returned) {
            return 0;
        }
        const LinkWindow credits = found->credits;
        *found = window.returned[at(--window.num_returned)];
        return credits;
    }
    static LinkWindow& credits_returned(SteadyWindow& window, int port, int channel) {
        const auto found = find_returned(window, port, channel);
        if (found == window.returned.begin() + window.num_returned) {
            *found = {as_byte(port), as_byte(channel), 0};
            ++window.num_returned;
        }
        return found->credits;
    }
    /// Returns whether a stream neither begins nor ends in the window.
    [[nodiscard]] bool stream_is_steady(const Stream& stream, Cycle start) const {
        return stream.read.flits != 0 && stream.start <= start &&
               stream.read.flits + parameters_.window_cycles + parameters_.read_ahead_flits < stream.flits;
    }
    /// Returns whether the packet behind that of active VC `number` goes the same way, and notes its flits. `at_hand`
    /// counts flits of both. It is granted the virtual channel in the cycle after the tail, as if both were one packet.
    [[nodiscard]] bool can_follow(const Step& step, SteadyWindow& window, int number, int at_hand) const {
        const ActiveVc& active_vc = step.node.active_vcs[at(number)];
        if (active_vc.input_port == kNiuPort) {
            return false;
        }
        const PacketId id =
            step.cold.queue[(step.node.input_vcs[active_vc.input_vc].queue_head + 1U) % kQueueSize][active_vc.input_vc];
        const Packet& packet = routers_.packets[id];
        if (packet.tree != kNoTree || at_hand > active_vc.flits_left + packet.flits) {
            return false;
        }
        const Way way = routers_.way_of(step.index, packet, active_vc.input_vc);
        window.lanes[at(number)].next_flits = packet.flits;
        return way.port == active_vc.port && way.channel == active_vc.channel;
    }
    /// Returns the mask of ports that share an input port, or that send packets of which several are being read.
    [[nodiscard]] unsigned ports_together(const Step& step, const SteadyWindow& window) const {
        const Node& node = step.node;
        std::array<unsigned, kPorts> ports_of_input{};
        unsigned ports_read = 0;
        int num_read = 0;
        for (int number = 0; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            const ActiveVcWindow& lane = window.lanes[at(number)];
            const bool is_read = active_vc.is_read_from_tile && ports_.reads_tile(step, window, number);
            if (is_read) {
                ports_read |= 1U << active_vc.port;
                ++num_read;
            }
            if (is_read || ports_.may_go(node, active_vc, lane)) {
                ports_of_input[active_vc.input_port] |= 1U << active_vc.port;
            }
        }
        unsigned together = num_read > 1 ? ports_read : 0;
        for (const unsigned ports : ports_of_input) {
            together |= parameters_.one_flit_per_input_port && !is_one_bit(ports) ? ports : 0;
        }
        return together;
    }
    /// Returns the active VC that the port of active VCs [`first`, `last`) serves, kNobody, or kRoundRobin.
    [[nodiscard]] int served(const Node& node, const SteadyWindow& window, int first, int last) const {
        const int port = node.active_vcs[at(first)].port;
        const bool pool_may_fill = port != kNiuPort && ports_.pool_can_fill(node, port);
        if (last - first == 1 && !pool_may_fill) {
            return first;
        }
        // Most active VCs have no flits to send, or no space downstream, and only receive flits and credits.
        int served = kNobody;
        for (int number = first; number < last; ++number) {
            const ActiveVc& active_vc = node.active_vcs[at(number)];
            if (active_vc.is_read_from_tile || (ports_.may_go(node, active_vc, window.lanes[at(number)]) &&
                                                (!pool_may_fill || ports_.can_go(node, window, number)))) {
                served = served == kNobody && !pool_may_fill ? number : kRoundRobin;
            }
        }
        return served;
    }
    /// Returns whether any output port serves several packets round-robin.
    [[nodiscard]] bool needs_round_robin(const Node& node, const SteadyWindow& window) const {
        for (int first = 0; first < node.num_active_vcs; first = active_vcs_.end_of_port(node, first)) {
            if (served(node, window, first, active_vcs_.end_of_port(node, first)) == kRoundRobin) {
                return true;
            }
        }
        return false;
    }
    /// Steps the port of the active VCs [`first`, `last`). Returns whether it serves several of them round-robin.
    bool advance_port(Step& step, SteadyWindow& window, int first, int last) {
        const int one = served(step.node, window, first, last);
        if (one == kRoundRobin) {
            round_robin_.advance(step, window, first, last);
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
            ports_.advance(step.node, step.cold, step.start, window.injected, step.node.active_vcs[at(one)],
                           window.lanes[at(one)]);
        }
        return false;
    }
    /// Ends a packet. If the packet behind has been granted the virtual channel, it takes over the active VC.
    void follow(Step& step, ActiveVc& active_vc, const ActiveVcWindow& lane, int num_sent) {
        const int last_cycle = static_cast<int>(parameters_.window_cycles) - 1;
        const bool tail_goes_last = (lane.sent >> (8 * last_cycle) & 1) != 0;
        const int num_sent_of_next = num_sent - active_vc.flits_left;
        if (num_sent_of_next == 0 && (lane.flits == 0 || tail_goes_last)) {
            active_vc.flits_left = 0;
            return;
        }
        routers_.take_front_packet(step, active_vc.input_vc, active_vc.port);
        routers_.push_downstream(step.index, active_vc.port, active_vc.channel,
                                 routers_.front_packet(step.node, step.cold, active_vc.input_vc));
        active_vc.flits_left = static_cast<std::uint16_t>(lane.next_flits - num_sent_of_next);
    }
    /// Stores the changes of an active VC in the window.
    void finish_active_vc(Step& step, ActiveVc& active_vc, const ActiveVcWindow& lane) {
        if (lane.sent == 0 && lane.flits == active_vc.flits && lane.used == active_vc.used) {
            return;
        }
        if (active_vc.port != kNiuPort) {
            ports_.count_downstream(step.node, active_vc, lane.used);
        }
        active_vc.flits = as_byte(lane.flits);
        if (lane.sent == 0) {
            return;
        }
        const int num_sent = count_ones(lane.sent);
        if (lane.next_flits != 0 && num_sent >= active_vc.flits_left) {
            follow(step, active_vc, lane, num_sent);
        } else {
            active_vc.flits_left = static_cast<std::uint16_t>(active_vc.flits_left - num_sent);
        }
        ports_.send_and_free(step.cold, active_vc, lane.sent,
                             [&step](int word, LinkWindow bytes) { step.sent.add(word, bytes); });
    }
    /// Reports the number of data flits ejected to a tile that counts them. No header is ejected in steady windows.
    void count_flits(const Step& step, const SteadyWindow& window) {
        for (int number = 0; number < step.node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = step.node.active_vcs[at(number)];
            const int flits = active_vc.port == kNiuPort ? count_ones(window.lanes[at(number)].sent) : 0;
            if (flits != 0) {
                routers_.client.data_flits_counted(
                    step.index, routers_.front_packet(step.node, step.cold, active_vc.input_vc), flits);
            }
        }
    }
    /// Returns whether active VCs can act in another window even if nothing arrives.
    [[nodiscard]] bool active_vcs_can_send(const Node& node) const {
        return std::any_of(
            node.active_vcs.data(), node.active_vcs.data() + node.num_active_vcs, [&](const ActiveVc& active_vc) {
                const bool pool_is_full = space_.is_pool_full(node.pool_used[active_vc.port]);
                return ports_.may_send(node, active_vc) &&
                       (active_vc.port == kNiuPort || !pool_is_full || active_vc.used < space_.private_flits);
            });
    }

    Routers<kPorts, kVirtualChannels>& routers_;
    const NetworkParameters& parameters_;
    const BufferSpace space_;
    RouterCycle<kPorts, kVirtualChannels>& cycle_;
    AcceleratorUses& accelerators_;
    const ActiveVcs<kPorts, kVirtualChannels> active_vcs_;
    const PortWindows<kPorts, kVirtualChannels> ports_;
    const RoundRobinPorts<kPorts, kVirtualChannels> round_robin_;
};

}  // namespace nocbench::engine
