// Network on chip, flit by flit: routers with virtual channels, credits and wormhole switching, stepped in windows of
// cycles. Each router steps through a window by the fastest accelerator that accepts it; results do not depend on that
// choice. docs/engine_rules.md describes the rules, docs/engine_acceleration.md the accelerators.
#pragma once

#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/noc/engine/conflict_free.h"
#include "device_model/noc/engine/links.h"
#include "device_model/noc/engine/router.h"
#include "device_model/noc/engine/router_cycle.h"
#include "device_model/noc/engine/steady_state.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/error.h"

namespace nocbench::engine {

// Internal to each file that includes this: compilers inline more of what no other file can call.
namespace {  // NOLINT(google-build-namespaces)

template <int kPorts, int kVirtualChannels>
class WindowNetwork final : public AcceleratedNetwork, public WaitForGraph {
    using State = RouterState<kPorts, kVirtualChannels>;
    using Node = State::Node;
    using Output = State::Output;

public:
    WindowNetwork(Topology topology, NetworkParameters parameters, PacketPool& packets, NetworkClient& client)
        : topology_(std::move(topology)),
          parameters_(std::move(parameters)),
          routers_(topology_, parameters_, packets, client),
          links_(topology_, parameters_),
          cycle_(routers_, links_, accelerators_),
          steady_state_(routers_, cycle_, accelerators_, links_.window_mask()),
          conflict_free_(routers_, steady_state_) {
        set_accelerators(kAllAccelerators);
    }

    void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                   Tick multicast_sink_ticks_per_data_flit) override {
        routers_.node(node).source_ticks_per_data_flit = static_cast<std::uint32_t>(source_ticks_per_data_flit);
        routers_.node(node).sink_ticks_per_data_flit = static_cast<std::uint32_t>(sink_ticks_per_data_flit);
        routers_.cold(node).multicast_sink_ticks_per_data_flit = multicast_sink_ticks_per_data_flit;
    }
    void meter_data_flits(NodeIndex node) override { routers_.node(node).metered = true; }
    void count_data_flits(NodeIndex node) override { routers_.node(node).counted = true; }
    void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) override {
        const std::uint16_t flits = routers_.packets[packet].flits;
        routers_.cold(node).flits_injected += flits;
        Stream& state = routers_.cold(node).streams[at(stream)];
        if (state.flits != 0) {
            state.next_packet = packet;
            state.next_flits = flits;
            state.next_start = start;
            state.next_ticks_per_flit = ticks_per_flit;
            return;
        }
        steady_state_.active_vcs().write_back(node);
        state.begin(packet, flits, start, ticks_per_flit);
        routers_.node(node).active_streams |= 1U << stream;
        links_.wake(node, start);
    }
    [[nodiscard]] bool can_start_stream(NodeIndex node, int stream) const override {
        return routers_.can_start(routers_.cold(node).streams[at(stream)]);
    }
    [[nodiscard]] FlitsRead flits_read(NodeIndex node, int stream, PacketId packet) const override {
        const Stream& state = routers_.cold(node).streams[at(stream)];
        return state.flits != 0 && state.packet == packet ? state.read : FlitsRead{};
    }
    TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) override {
        if (!cycle_.grants().outputs_are_plain() || topology_.adaptive != AdaptiveRouting::none) {
            throw InputError(
                "multicasts: expected a network with fixed routes, whose outputs change hands in the cycle after a "
                "tail");
        }
        return routers_.add_tree({std::move(outputs), grant_cycles});
    }
    void block_request_ejection(NodeIndex node, std::uint32_t channels) override {
        const ChannelMask blocked = channels & ~routers_.channels.responses();
        if (routers_.node(node).blocked_channels != blocked) {
            steady_state_.active_vcs().write_back(node);
            routers_.node(node).blocked_channels = blocked;
        }
    }
    void take_data_from(NodeIndex node, int channel) override {
        routers_.node(node).data_channels = channel == kEveryChannel ? ~ChannelMask{0}
                                            : channel == kNoChannel  ? ChannelMask{0}
                                                                     : channel_bit(channel);
    }
    void wake_interface(NodeIndex node, Cycle cycle) override {
        if (cycle < routers_.node(node).interface_wake) {
            routers_.node(node).interface_wake = cycle;
            links_.wake(node, cycle);
        }
    }
    void step_window(Cycle window_start) override {
        links_.step_window(
            window_start,
            [this](NodeIndex node, Traffic<kPorts>& arriving, Cycle start) { step_node(node, arriving, start); },
            [this](NodeIndex next) {
                const Node& node = routers_.node(next);
                links_.prefetch_lines(&node, &node.outputs);  // the rest is not used while packets only flow
            });
    }
    [[nodiscard]] Cycle next_active_window() const override { return links_.next_active_window(); }
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override {
        return routers_.cold(node).flits_sent[at(port)];
    }
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override {
        return routers_.cold(node).flits_injected;
    }
    [[nodiscard]] std::uint64_t flit_hops() const override {
        std::uint64_t sum = 0;
        for (std::size_t node = 0; node < routers_.size(); ++node) {
            const auto& flits = routers_.cold(static_cast<NodeIndex>(node)).flits_sent;
            sum = std::accumulate(flits.begin(), flits.end(), sum);
        }
        return sum;
    }

    void set_accelerators(AcceleratorSet enabled) override {
        // Accelerators require that links idle at most once per window, that outputs change owners after a tail, and
        // that routes are fixed.
        const bool idles_once = parameters_.link_flits_on_end_max >= parameters_.window_cycles;
        const bool has_fixed_routes = topology_.adaptive == AdaptiveRouting::none;
        accelerators_.enable(idles_once && has_fixed_routes && cycle_.grants().outputs_are_plain() ? enabled
                                                                                                   : kNoAccelerators);
    }
    [[nodiscard]] AcceleratorUse accelerator_use(Accelerator accelerator) const override {
        return accelerators_.of(accelerator);
    }

    [[nodiscard]] std::vector<Place> front_packets() override {
        std::vector<Place> places;
        for (std::size_t index = 0; index < routers_.size(); ++index) {
            const auto node = static_cast<NodeIndex>(index);
            steady_state_.active_vcs().write_back(node);
            for (int input_vc = 0; input_vc < State::kNumInputVcs; ++input_vc) {
                if (routers_.node(node).input_vcs[at(input_vc)].flits_left != 0) {
                    places.push_back({node, input_vc / kVirtualChannels, input_vc % kVirtualChannels});
                }
            }
        }
        return places;
    }
    [[nodiscard]] std::vector<Place> waits_for(const Place& place) const override {
        const Node& node = routers_.node(place.node);
        const int index = place.port * kVirtualChannels + place.channel;
        const InputVc& input_vc = node.input_vcs[at(index)];
        std::vector<Place> places;
        const auto add_owner = [&places](NodeIndex of, const Output& output, int channel) {
            const int owner = output.owner[at(channel)];
            places.push_back({of, owner / kVirtualChannels, owner % kVirtualChannels});
        };
        const auto add_downstream = [&](int port, int channel) {
            if (port != kNiuPort && (routers_.channels_with_space(node, port) >> channel & 1U) == 0) {
                const LinkEnd end = routers_.downstream(place.node, port);
                places.push_back({end.node, end.port, channel});
            }
        };
        if (input_vc.flits == 0) {
            // The packet's flits are still in the upstream router.
            const LinkEnd end = routers_.upstream(place.node, place.port);
            const Output& output = routers_.node(end.node).outputs[end.port];
            if (place.port != kNiuPort && (output.owned >> place.channel & 1U) != 0) {
                add_owner(end.node, output, place.channel);
            }
        } else if ((node.multicast & State::input_vc_bit(index)) != 0) {
            for (const int port : SetBits(cycle_.multicasts().front_flit_ports(place.node, node, index))) {
                add_downstream(port, routers_.multicast_channel(place.node, index, port));
            }
        } else if (input_vc.output_port != kNotGranted) {
            add_downstream(input_vc.output_port, input_vc.output_channel);
        } else {
            for (const Output& output : node.outputs) {
                const bool waits = (output.waiting & State::input_vc_bit(index)) != 0;
                for (const int channel : SetBits(waits ? routers_.wanted_channels(input_vc) & output.owned : 0)) {
                    add_owner(place.node, output, channel);
                }
            }
        }
        return places;
    }
    [[nodiscard]] WaitingPacket waiting_packet(const Place& place) const override {
        const Node& node = routers_.node(place.node);
        const int index = place.port * kVirtualChannels + place.channel;
        const InputVc& input_vc = node.input_vcs[at(index)];
        WaitingPacket waiting{.node = place.node,
                              .input_port = place.port,
                              .virtual_channel = place.channel,
                              .packet = routers_.front(place.node, index)};
        waiting.has_output = input_vc.output_port != kNotGranted || (node.multicast & State::input_vc_bit(index)) != 0;
        for (int port = 0; port < kPorts; ++port) {
            if (input_vc.output_port == port || (node.outputs[at(port)].waiting & State::input_vc_bit(index)) != 0) {
                waiting.output_port = port;
            }
        }
        return waiting;
    }

private:
    /// Twice the longest wait after refused windows: the following windows are likely to be refused, too. One or two
    /// refused windows cause no wait.
    static constexpr int kWindowsUntilTriedMax = 31;

    void step_node(NodeIndex index, Traffic<kPorts>& arriving, Cycle start) {
        Node& node = routers_.node(index);
        if (node.is_conflict_free) {
            const auto send = [this, index](int word, LinkWindow bytes) { links_.put_on_link(index, word, bytes); };
            if (is_taken(Accelerator::conflict_free, conflict_free_.try_window(index, arriving, start, send))) {
                return;
            }
        }
        Sent<kPorts> sent;
        typename State::Step step{index, node, routers_.cold(index), start, arriving, sent};
        const auto window = static_cast<std::uint32_t>(links_.stepped_window());
        if (accelerators_.has(Accelerator::steady_state) && static_cast<std::int32_t>(window - node.steady_from) >= 0) {
            const bool has_taken = is_taken(Accelerator::steady_state, steady_state_.try_window(step));
            node.windows_until_tried =
                as_byte(has_taken ? 0 : std::min(2 * node.windows_until_tried + 1, kWindowsUntilTriedMax));
            node.steady_from = window + node.windows_until_tried / 2U;
            if (has_taken) {
                links_.put_on_links(index, sent);
                arriving.clear();
                return;
            }
        }
        steady_state_.active_vcs().write_back(index);
        cycle_.step_cycles(step);
        links_.put_on_links(index, sent);
        arriving.clear();
        wake_again(step);
    }
    /// Counts the use of an accelerator. After a taken window, wakes the router again if the outcome demands it.
    /// Returns whether the window was taken.
    bool is_taken(Accelerator accelerator, Outcome outcome) {
        accelerators_.count(accelerator, outcome != Outcome::refused);
        if (outcome == Outcome::awake) {
            links_.wake_in_next_window();
        }
        return outcome != Outcome::refused;
    }
    /// Wakes a router that has been stepped cycle by cycle for the next window in which it can act.
    void wake_again(const State::Step& step) {
        const Cycle end = step.start + parameters_.window_cycles;
        if (cycle_.can_make_progress(step.index, step.node)) {
            links_.wake_in_next_window();
        } else {
            for (const int number : SetBits(step.node.active_streams)) {
                const Stream& stream = step.cold.streams[at(number)];
                if (stream.in_buffer < parameters_.injection_buffer_flits) {
                    links_.wake(step.index, std::max(stream.start, end));
                }
            }
        }
        if (const Cycle next = std::min(step.node.interface_wake, step.node.signal_wake); next != kNever) {
            links_.wake(step.index, std::max(next, end));
        }
    }

    const Topology topology_;
    const NetworkParameters parameters_;
    AcceleratorUses accelerators_;
    Routers<kPorts, kVirtualChannels> routers_;
    Links<kPorts> links_;
    RouterCycle<kPorts, kVirtualChannels> cycle_;
    SteadyState<kPorts, kVirtualChannels> steady_state_;
    ConflictFree<kPorts, kVirtualChannels> conflict_free_;
};

}  // namespace

/// Makes a mesh with up to kMeshVirtualChannelsMax virtual channels, or with adaptive routing. In a file of its own:
/// what compilers inline into the usual routers does not depend on it.
std::unique_ptr<Network> make_wide_mesh(const Topology& topology, const NetworkParameters& parameters,
                                        PacketPool& packets, NetworkClient& client);

}  // namespace nocbench::engine
