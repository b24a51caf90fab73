#include "device_model/noc/engine/window_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "device_model/noc/make_network.h"
#include "device_model/sim/error.h"

namespace nocbench {

namespace {

using network_detail::at;
using network_detail::bit;
using network_detail::next_round_robin;
using window_arithmetic::kLowBits;
using window_arithmetic::nonzero_bytes;

constexpr unsigned kNiuBit = 1U << kNiuPort;

constexpr std::uint32_t channel_bit(int channel) { return std::uint32_t{1} << channel; }

/// Where one window after the other is refused, the next ones are likely to be, too: it is not looked at each of them
/// whether it is. Half of this is the longest wait; one or two in a row are no reason to wait yet.
constexpr int kWindowsUntilTriedMax = 31;

constexpr bool is_one_bit(std::uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

/// A pool from which no virtual channel may take anything need not be watched for being full.
BufferSpace space_of(const NetworkParameters& parameters) {
    const bool matters = parameters.shared_flits_per_virtual_channel_max != 0;
    return {.private_flits = parameters.private_flits_per_virtual_channel,
            .pool_flits = matters ? parameters.shared_flits_per_input_port : std::numeric_limits<std::uint16_t>::max(),
            .pool_flits_of_channel_max = parameters.shared_flits_per_virtual_channel_max};
}

}  // namespace

template <int kPorts, int kVirtualChannels>
WindowNetwork<kPorts, kVirtualChannels>::WindowNetwork(const Topology& topology, const NetworkParameters& parameters,
                                                       PacketPool& packets, NetworkClient& client)
    : topology_(topology),
      parameters_(parameters),
      channels_(parameters, kVirtualChannels),
      space_(space_of(parameters)),
      packets_(packets),
      client_(client),
      nodes_(at(topology.num_nodes)),
      cold_(at(topology.num_nodes)),
      receivers_(at(topology.num_nodes)),
      upstream_(at(topology.num_nodes) * kPorts),
      downstream_(at(topology.num_nodes) * kPorts),
      skews_(parameters.skew_cycles),
      mask_words_((topology.num_nodes + 63) / 64),
      wake_masks_(at(mask_words_) * kWakeWindows) {
    set_stepping_order();
    const int buffered_packets =
        std::max(parameters.injection_buffer_flits,
                 parameters.private_flits_per_virtual_channel + parameters.shared_flits_per_virtual_channel_max + 1);
    if (buffered_packets > kQueueSize) {
        throw InputError(
            fmt::format("buffers of a network: expected at most {} packets of one flit in one of them, found {}",
                        kQueueSize, buffered_packets));
    }
    links_idle_ = parameters.link_flits_on_end_max != NetworkParameters::kNeverIdles;
    if (links_idle_ && !kLinksCanIdle) {
        throw InputError(
            fmt::format("links of a network that idle: expected a router of 2 links, found one of {}", kPorts - 1));
    }
    outputs_are_plain_ = parameters.outputs == OutputRules();
    set_turns();
    idles_once_ = parameters.link_flits_on_end_max >= parameters.window_cycles;
    set_accelerators(kAllAccelerators);
    shares_credit_lane_ = parameters.one_flit_per_input_port;
    window_mask_ = ~LinkWindow{0} >> (64 - 8 * parameters.window_cycles);
    for (Node& node : nodes_) {
        for (int port = 0; port < kPorts; ++port) {
            for (int channel = 0; channel < kVirtualChannels; ++channel) {
                set_used(node, port, channel, 0);
            }
        }
    }
    for (int node = 0; node < topology.num_nodes; ++node) {
        for (int port = 1; port < kPorts; ++port) {
            const Topology::Link& link = topology.link(node, port);
            if (link.exists) {
                std::uint8_t& datelines = nodes_[at(node)].datelines;
                datelines = static_cast<std::uint8_t>(datelines | (link.is_dateline ? 1U << port : 0));
                has_datelines_ = has_datelines_ || link.is_dateline;
                downstream_[at(node * kPorts + port)] = {link.neighbour, link.neighbour_port};
                upstream_[at(link.neighbour * kPorts + link.neighbour_port)] = {static_cast<NodeIndex>(node),
                                                                                static_cast<std::uint8_t>(port)};
            }
        }
    }
    set_receivers();
}

/// In which order routers are stepped, or what is wrong with the length of windows.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_stepping_order() {
    if (!skews_.empty() && skews_.size() != at(topology_.num_nodes)) {
        throw InputError(fmt::format("skews of the routers of a network: expected one for each of {}, found {}",
                                     topology_.num_nodes, skews_.size()));
    }
    skews_.resize(at(topology_.num_nodes));
    const Cycle most = std::ranges::max(skews_);
    const Cycle longest =
        std::max({parameters_.hop_cycles, parameters_.credit_return_cycles, parameters_.injection_cycles}) + most;
    const Cycle window = parameters_.window_cycles;
    if (window < 1 || window > kWindowCyclesMax || longest / window >= kLatencyWindowsMax) {
        throw InputError(fmt::format(
            "latencies of a network: expected at most {} times the shortest, which is {} cycles, found {} cycles",
            kLatencyWindowsMax, window, longest));
    }
    const LinkLatencies latencies = link_latencies(parameters_);
    order_ = stepping_order(topology_, latencies, skews_, window);
    if (order_.empty()) {
        const Cycle shorter = longest_window(topology_, latencies, skews_, window);
        throw InputError(
            shorter > 0
                ? fmt::format("windows of a network: expected at most {} cycles, found {} cycles", shorter, window)
                : fmt::format("skews of the routers of a network: expected neighbours that are no further "
                              "apart than {} cycles, the shortest latency between them, found skews of up "
                              "to {} cycles",
                              std::min(latencies.along, latencies.against), most));
    }
    rank_.resize(order_.size());
    for (std::size_t rank = 0; rank < order_.size(); ++rank) {
        rank_[order_[rank]] = static_cast<std::uint16_t>(rank);
    }
    ring_windows_ = static_cast<Cycle>(std::bit_ceil(static_cast<std::uint64_t>(longest / window) + 2));
    links_.resize(at(ring_windows_) * at(topology_.num_nodes));
}

/// Where what each router sends goes to, and how long it takes, counted in the windows of its receiver.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_receivers() {
    std::vector<Cycle> latencies;
    const auto delay_of = [&](Cycle latency) {
        const auto found = std::ranges::find(latencies, latency);
        const auto index = static_cast<std::uint8_t>(found - latencies.begin());
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
        receivers_[at(node)].of_word[at(word)] = {rank_[end.node], static_cast<std::uint8_t>(word_there),
                                                  delay_of(latency + skews_[end.node] - skews_[at(node)])};
    };
    for (int node = 0; node < topology_.num_nodes; ++node) {
        set_receiver(node, Traffic::flits(kNiuPort), parameters_.injection_cycles,
                     {static_cast<NodeIndex>(node), kNiuPort}, Traffic::flits(kNiuPort));
        for (int port = 1; port < kPorts; ++port) {
            if (topology_.link(node, port).exists) {
                const LinkEnd to = downstream_[at(node * kPorts + port)];
                set_receiver(node, Traffic::flits(port), parameters_.hop_cycles, to, Traffic::flits(to.port));
                for (int lane = 0; lane < kPorts; ++lane) {
                    set_receiver(to.node, Traffic::credits(to.port, lane), parameters_.credit_return_cycles,
                                 {static_cast<NodeIndex>(node), static_cast<std::uint8_t>(port)},
                                 Traffic::credits(port, lane));
                }
            }
        }
    }
}

template <int kPorts, int kVirtualChannels>
WindowNetwork<kPorts, kVirtualChannels>::~WindowNetwork() = default;

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_rates(NodeIndex node, Tick source_ticks_per_data_flit,
                                                        Tick sink_ticks_per_data_flit,
                                                        Tick multicast_sink_ticks_per_data_flit) {
    nodes_[node].source_ticks_per_data_flit = static_cast<std::uint32_t>(source_ticks_per_data_flit);
    nodes_[node].sink_ticks_per_data_flit = static_cast<std::uint32_t>(sink_ticks_per_data_flit);
    cold_[node].multicast_sink_ticks_per_data_flit = multicast_sink_ticks_per_data_flit;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_accelerators(AcceleratorSet enabled) {
    const auto needs = [&enabled](Accelerator accelerator, Accelerator needed) {
        enabled &= (enabled & set_of(needed)) != 0 ? ~AcceleratorSet{0} : ~set_of(accelerator);
    };
    needs(Accelerator::round_robin, Accelerator::steady_state);
    needs(Accelerator::conflict_free, Accelerator::steady_state);
    accelerators_ = idles_once_ && outputs_are_plain_ ? enabled : kNoAccelerators;
    single_flits_bypass_ = has(Accelerator::bypass) && trees_.empty();
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::meter_data_flits(NodeIndex node) {
    nodes_[node].metered = true;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::count_data_flits(NodeIndex node) {
    nodes_[node].counted = true;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::start_stream(NodeIndex node, int stream, PacketId packet, Cycle start,
                                                           Tick ticks_per_flit) {
    cold_[node].flits_injected += packets_[packet].flits;
    Stream& state = cold_[node].streams[at(stream)];
    if (state.flits != 0) {
        state.next_packet = packet;
        state.next_flits = packets_[packet].flits;
        state.next_start = start;
        state.next_ticks_per_flit = ticks_per_flit;
        return;
    }
    write_back_active_vcs(node);
    begin_stream(state, packet, start, ticks_per_flit);
    nodes_[node].active_streams |= 1U << stream;
    wake(node, start);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::begin_stream(Stream& stream, PacketId packet, Cycle start,
                                                           Tick ticks_per_flit) {
    stream.packet = packet;
    stream.flits = packets_[packet].flits;
    stream.issued = 0;
    stream.start = start;
    stream.pacer.next_tick = ticks_from_cycles(start);
    stream.ticks_per_flit = ticks_per_flit;
}

template <int kPorts, int kVirtualChannels>
bool WindowNetwork<kPorts, kVirtualChannels>::can_start_stream(NodeIndex node, int stream) const {
    const Stream& state = cold_[node].streams[at(stream)];
    return state.flits == 0 || (state.next_flits == 0 && is_near_its_end(state));
}

template <int kPorts, int kVirtualChannels>
TreeIndex WindowNetwork<kPorts, kVirtualChannels>::add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) {
    if (!outputs_are_plain_) {
        throw InputError("multicasts: expected a network whose outputs change hands in the cycle after a tail");
    }
    trees_.push_back({std::move(outputs), grant_cycles});
    single_flits_bypass_ = false;
    shares_credit_lane_ = false;
    return static_cast<TreeIndex>(trees_.size() - 1);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::block_request_ejection(NodeIndex node, std::uint32_t channels) {
    const ChannelMask blocked = channels & ~channels_.responses();
    if (nodes_[node].blocked_channels != blocked) {
        write_back_active_vcs(node);
        nodes_[node].blocked_channels = blocked;
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::take_data_from(NodeIndex node, int channel) {
    nodes_[node].data_channels = channel == kEveryChannel ? ~ChannelMask{0}
                                 : channel == kNoChannel  ? ChannelMask{0}
                                                          : channel_bit(channel);
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::wake_interface(NodeIndex node, Cycle cycle) {
    if (cycle < nodes_[node].interface_wake) {
        nodes_[node].interface_wake = cycle;
        wake(node, cycle);
    }
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::wake(NodeIndex node, Cycle cycle) {
    // A router that is stepped wakes itself, and those that have been stepped, in later windows only.
    const Cycle earliest = rank_[node] > stepped_rank_ ? stepped_window() : current_window_;
    wake_in_window(node, std::max((cycle + skews_[node]) / parameters_.window_cycles, earliest));
}

template <int kPorts, int kVirtualChannels>
Cycle WindowNetwork<kPorts, kVirtualChannels>::next_active_window() const {
    // What was far away when it was noted can have come near meanwhile.
    const Cycle far = far_wakes_.empty() ? kNever : far_wakes_.top().first;
    const Cycle end = std::min(last_woken_window_ + 1, far);
    for (Cycle window = current_window_; window < end; ++window) {
        const std::size_t row = wake_row(window);
        for (std::size_t word = 0; word < at(mask_words_); ++word) {
            if (wake_masks_[row + word] != 0) {
                return window * parameters_.window_cycles;
            }
        }
    }
    return far == kNever ? kNever : far * parameters_.window_cycles;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::step_window(Cycle window_start) {
    current_window_ = window_start / parameters_.window_cycles;
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
    arriving_ = &links_[at(current_window_ & (ring_windows_ - 1)) * nodes_.size()];
    wakes_in_next_window_ = &wake_masks_[wake_row(current_window_ + 1)];
    last_woken_window_ = std::max(last_woken_window_, current_window_ + kLatencyWindowsMax + 1);
    ++current_window_;
    for (std::size_t word = 0; word < at(mask_words_); ++word) {
        // Routers wake others that come later in the order.
        while (const std::uint64_t ranks = awake[word]) {
            const std::uint64_t rest = ranks & (ranks - 1);
            awake[word] = rest;
            if (rest != 0) {
                prefetch(word * 64 + at(std::countr_zero(rest)));
            }
            stepped_rank_ = static_cast<std::uint32_t>(word * 64 + at(std::countr_zero(ranks)));
            const NodeIndex node = order_[stepped_rank_];
            step_node(node, window_start - skews_[node]);
        }
    }
    stepped_rank_ = kNoRank;
}

/// Memory of the router that is stepped next.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::prefetch(std::size_t rank) const {
    const auto fetch = [](const auto* first, const auto* end) {
        constexpr std::size_t kLineBytes = 64;
        for (const char* line = reinterpret_cast<const char*>(first); line < reinterpret_cast<const char*>(end);
             line += kLineBytes) {
            __builtin_prefetch(line);
        }
    };
    const Node& node = nodes_[order_[rank]];
    fetch(&node, &node.outputs);  // what follows is not needed as long as packets just flow
    const Traffic& arriving = arriving_[rank];
    fetch(&arriving, &arriving.words[at(Traffic::credits(1, 1))]);
}

template <int kPorts, int kVirtualChannels>
auto WindowNetwork<kPorts, kVirtualChannels>::delay(Cycle latency) const -> Delay {
    Delay delay;
    delay.windows = latency / parameters_.window_cycles;
    delay.bits = 8 * static_cast<int>(latency % parameters_.window_cycles);
    delay.bits_before = 8 * static_cast<int>(parameters_.window_cycles) - delay.bits - 8;
    return delay;
}

template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::step_node(NodeIndex index, Cycle start) {
    if (nodes_[index].is_conflict_free) {
        const bool is_taken = step_conflict_free(index, start);
        count_use(Accelerator::conflict_free, is_taken);
        if (is_taken) {
            return;
        }
    }
    Traffic& arriving = arriving_[stepped_rank_];
    Sent sent;
    Step step{index, nodes_[index], cold_[index], start, arriving, sent};
    Outcome outcome = Outcome::refused;
    if (Node& node = step.node;
        has(Accelerator::steady_state) &&
        static_cast<std::int32_t>(static_cast<std::uint32_t>(stepped_window()) - node.steady_from) >= 0) {
        outcome = step_steady_state(step);
        count_use(Accelerator::steady_state, outcome != Outcome::refused);
        node.windows_until_tried = static_cast<std::uint8_t>(
            outcome == Outcome::refused ? std::min(2 * node.windows_until_tried + 1, kWindowsUntilTriedMax) : 0);
        node.steady_from = static_cast<std::uint32_t>(stepped_window()) + node.windows_until_tried / 2U;
    }
    if (outcome != Outcome::refused) {
        arriving.clear();
        if (outcome == Outcome::awake) {
            wakes_in_next_window_[stepped_rank_ / 64] |= bit(stepped_rank_ % 64);
        }
        return;
    }
    write_back_active_vcs(index);
    step_cycles(step);
    put_on_links(step);
    arriving.clear();

    const Node& node = step.node;
    const Cycle end = start + parameters_.window_cycles;
    if (can_make_progress(index, node)) {
        wake_in_window(index, current_window_);
    } else {
        for (std::uint32_t rest = node.active_streams; rest != 0; rest &= rest - 1) {
            const Stream& stream = cold_[index].streams[at(std::countr_zero(rest))];
            if (stream.in_buffer < parameters_.injection_buffer_flits) {
                wake(index, std::max(stream.start, end));
            }
        }
    }
    if (const Cycle next = std::min(node.interface_wake, node.signal_wake); next != kNever) {
        wake(index, std::max(next, end));
    }
}

/// Where what is sent in the current window is received.
template <int kPorts, int kVirtualChannels>
void WindowNetwork<kPorts, kVirtualChannels>::set_rows(Delay& delay) {
    for (Cycle later = 0; later < 2; ++later) {
        const Cycle window = current_window_ + delay.windows + later;
        delay.traffic[at(later)] = &links_[at(window & (ring_windows_ - 1)) * nodes_.size()];
        delay.wakes[at(later)] = &wake_masks_[wake_row(window)];
    }
}

/// Puts all that a router sends in the window that is being stepped where its receivers find it.
template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::put_on_links(const Step& step) {
    for (std::uint32_t rest = step.sent.present; rest != 0; rest &= rest - 1) {
        const int word = std::countr_zero(rest);
        put_on_link(step.index, word, step.sent.words[at(word)]);
    }
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::put_on_link(NodeIndex index, int word, LinkWindow bytes) {
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

template <int kPorts, int kVirtualChannels>
std::uint64_t WindowNetwork<kPorts, kVirtualChannels>::flits_sent(NodeIndex node, int port) const {
    return cold_[node].flits_sent[at(port)];
}

template <int kPorts, int kVirtualChannels>
std::uint64_t WindowNetwork<kPorts, kVirtualChannels>::flits_injected(NodeIndex node) const {
    return cold_[node].flits_injected;
}

template <int kPorts, int kVirtualChannels>
std::uint64_t WindowNetwork<kPorts, kVirtualChannels>::flit_hops() const {
    std::uint64_t sum = 0;
    for (const ColdNode& node : cold_) {
        for (const std::uint64_t flits : node.flits_sent) {
            sum += flits;
        }
    }
    return sum;
}

}  // namespace nocbench

// Further members, in files of their own; all are instantiated here.
#include "device_model/noc/engine/changing_outputs.inl"
#include "device_model/noc/engine/multicast.inl"
#include "device_model/noc/engine/router_cycle.inl"
#include "device_model/noc/engine/steady_state.inl"
// These use what the one above defines.
#include "device_model/noc/engine/round_robin.inl"
// The same.
#include "device_model/noc/engine/conflict_free.inl"
#include "device_model/noc/engine/wait_for_graph.inl"

namespace nocbench {

template class WindowNetwork<3, kTorusVirtualChannels>;
template class WindowNetwork<5, kMeshVirtualChannels>;

std::unique_ptr<Network> make_network(const Topology& topology, const NetworkParameters& parameters,
                                      PacketPool& packets, NetworkClient& client) {
    switch (topology.num_ports) {
        case 3:
            return std::make_unique<WindowNetwork<3, kTorusVirtualChannels>>(topology, parameters, packets, client);
        case 5:
            return std::make_unique<WindowNetwork<5, kMeshVirtualChannels>>(topology, parameters, packets, client);
        default:
            throw InputError(fmt::format("routers of a network: expected 3 or 5 ports, found {}", topology.num_ports));
    }
}

}  // namespace nocbench
