// One network on chip, flit by flit: routers with virtual channels, credits and wormhole switching, stepped in windows
// of cycles.
//
// Routers are stepped in an order in which whatever reaches a router in a window has been sent before
// (stepping_order.h). So each can be stepped through a whole window on its own, with the same result as stepping all of
// them cycle by cycle. docs/engine_rules.md has the rules, docs/engine_acceleration.md how they are made fast, and
// docs/engine_lab_notes.md what was tried and what it cost.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "device_model/noc/accelerators.h"
#include "device_model/noc/bits.h"
#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/engine/router_state.h"
#include "device_model/noc/engine/window_arithmetic.h"
#include "device_model/noc/network.h"
#include "device_model/noc/network_rules.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

template <int kPorts, int kVirtualChannels>
class WindowNetwork final : public AcceleratedNetwork,
                            public WaitForGraph,
                            private RouterState<kPorts, kVirtualChannels> {
public:
    using Place = WaitForGraph::Place;
    /// NetworkParameters::link_flits_on_end_max. No modeled chip has both more links and links that idle; meshes would
    /// be 3 % slower for looking.
    static constexpr bool kLinksCanIdle = kPorts == 3;

    WindowNetwork(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets,
                  NetworkClient& client);
    ~WindowNetwork() override;
    WindowNetwork(const WindowNetwork&) = delete;
    WindowNetwork& operator=(const WindowNetwork&) = delete;

    void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                   Tick multicast_sink_ticks_per_data_flit) override;
    void meter_data_flits(NodeIndex node) override;
    void count_data_flits(NodeIndex node) override;
    void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) override;
    [[nodiscard]] bool can_start_stream(NodeIndex node, int stream) const override;
    TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) override;
    void block_request_ejection(NodeIndex node, std::uint32_t channels) override;
    void take_data_from(NodeIndex node, int channel) override;
    void wake_interface(NodeIndex node, Cycle cycle) override;
    void step_window(Cycle window_start) override;
    void set_accelerators(AcceleratorSet enabled) override;
    [[nodiscard]] AcceleratorUse accelerator_use(Accelerator accelerator) const override {
        return uses_[static_cast<std::size_t>(accelerator)];
    }
    [[nodiscard]] Cycle next_active_window() const override;
    [[nodiscard]] std::vector<Place> front_packets() override;
    [[nodiscard]] std::vector<Place> waits_for(const Place& place) const override;
    [[nodiscard]] WaitingPacket waiting_packet(const Place& place) const override;
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override;
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    using State = RouterState<kPorts, kVirtualChannels>;
    using State::kActiveVcsMax;
    using State::kActiveVcsOfPortMax;
    using State::kChangesBit;
    using State::kDynamic;
    using State::kHeadsMax;
    using State::kNoActiveVc;
    using State::kNotGranted;
    using State::kNumInputVcs;
    using State::kPrecedencesGivenMax;
    using State::kQueueSize;
    using State::kReleasedBit;
    using typename State::ActiveVc;
    using typename State::Bypass;
    using typename State::Change;
    using typename State::ChannelMask;
    using typename State::ColdNode;
    using typename State::Delay;
    using typename State::InputVc;
    using typename State::InputVcMask;
    using typename State::LinkEnd;
    using typename State::LinkWindow;
    using typename State::Moment;
    using typename State::Node;
    using typename State::Output;
    using typename State::PathReservation;
    using typename State::Receiver;
    using typename State::Receivers;
    using typename State::Sent;
    using typename State::Signal;
    using typename State::SignalKind;
    using typename State::Step;
    using typename State::Stream;
    using typename State::Traffic;
    using typename State::Tree;
    using typename State::Way;
    static constexpr int kWakeWindows = 64;  // windows ahead that a wake-up can be noted for without a heap
    static constexpr std::uint32_t kNoRank = UINT32_MAX;
    static constexpr int kDelaysMax = 16;  // of what is sent, between routers of different time skews

    void step_node(NodeIndex index, Cycle start);
    [[nodiscard]] bool has(Accelerator accelerator) const { return (accelerators_ & set_of(accelerator)) != 0; }
    void count_use(Accelerator accelerator, bool is_taken) {
        AcceleratorUse& use = uses_[static_cast<std::size_t>(accelerator)];
        ++(is_taken ? use.taken : use.refused);
    }
    void prefetch(std::size_t rank) const;
    /// The lane of credits for flits that leave through `port`: the last one for those that leave for the tile. Where
    /// an input port sends one flit per cycle, and multicasts, which need not care, send none, all share one: there is
    /// less memory to look at.
    [[nodiscard]] int credit_lane(int port) const { return shares_credit_lane_ ? 0 : (port + kPorts - 1) % kPorts; }
    [[nodiscard]] int num_credit_bytes() const { return shares_credit_lane_ ? 1 : Traffic::kCreditBytes; }
    void put_on_links(const Step& step);
    void put_on_link(NodeIndex index, int word, LinkWindow bytes);
    /// What a word of `in` brings in a cycle.
    [[nodiscard]] static int channel_arriving(const Step& step, int word, int offset) {
        return static_cast<int>(step.in.words[network_detail::at(word)] >> (8 * offset) & 0xff) - 1;
    }
    /// A flit or a credit of `channel`, in a cycle of a window.
    [[nodiscard]] static LinkWindow in_cycle(int offset, int channel) {
        return static_cast<LinkWindow>(channel + 1) << (8 * offset);
    }
    void set_rows(Delay& delay);
    [[nodiscard]] Delay delay(Cycle latency) const;
    void set_stepping_order();
    void set_receivers();

    void step_cycles(Step& step);
    /// Compilers do not inline these by themselves, nor bypass_router(): a tenth more time with packets of one flit.
    [[gnu::always_inline]] inline bool router_cycle(Step& step, const Moment& now);
    void take_credit(Node& node, int port, int channel) {
        using network_detail::at;
        set_used(node, port, channel, node.outputs[at(port)].used[at(channel)] - 1);
    }
    [[gnu::always_inline]] inline void take_credits(const Step& step, const Moment& now);
    [[gnu::always_inline]] inline void take_flits(Step& step, const Moment& now, Bypass& bypass);
    [[gnu::always_inline]] inline bool send_unicast_flits(Step& step, unsigned used_ports, const Bypass& bypass,
                                                          const Moment& now);
    bool take_flit(Node& node, int input_vc);
    void take_head(Step& step, int input_vc, const Moment& now, Bypass& bypass);
    [[gnu::always_inline]] inline bool bypass_router(Step& step, int port, const Bypass& bypass, unsigned used_inputs,
                                                     const Moment& now);
    void begin_stream(Stream& stream, PacketId packet, Cycle start, Tick ticks_per_flit);
    /// Whether the stream has come to where it can be given another packet.
    [[nodiscard]] bool is_near_its_end(const Stream& stream) const {
        return stream.issued + parameters_.read_ahead_flits >= stream.flits;
    }
    /// The channel whose turn it is to send a unicast flit through `port`, or -1. Input ports of `used_inputs` have
    /// sent one already.
    [[nodiscard]] int next_channel(const Node& node, int port, unsigned used_inputs, Cycle cycle) const;
    /// Whether a flit of a stream can be read out of the tile in the cycle that begins at `tick`: the buffer before the
    /// router has room, and neither the tile's rate nor the stream's own is exceeded.
    [[nodiscard]] bool can_read(const Node& node, const Stream& stream, Tick tick) const {
        return stream.in_buffer < parameters_.injection_buffer_flits && node.source.allows(tick) &&
               stream.pacer.allows(tick);
    }
    /// It is read. Headers go at one per cycle.
    static void read_flit(Node& node, int number, Stream& stream, Tick tick) {
        const bool is_header = stream.issued == 0;
        node.source.take(tick, is_header ? kTicksPerCycle : node.source_ticks_per_data_flit);
        if (!is_header) {
            stream.pacer.take(tick, stream.ticks_per_flit);
        }
        ++stream.issued;
        ++stream.in_buffer;
        node.last_stream = static_cast<std::uint8_t>(number);
    }
    /// The stream, of `streams`, whose turn it is to be read, or -1. One flit per cycle is.
    [[nodiscard]] int next_stream(const Node& node, const ColdNode& cold, std::uint64_t streams, Tick tick) const {
        int number = node.last_stream;
        for (; streams != 0; streams &= ~network_detail::bit(number)) {
            number = network_detail::next_round_robin(streams, number);
            if (can_read(node, cold.streams[network_detail::at(number)], tick)) {
                return number;
            }
        }
        return -1;
    }
    [[nodiscard]] bool can_read_tile(NodeIndex index, const Node& node) const;
    void issue_flit(Step& step, const Moment& now);
    void look_at_front(NodeIndex index, Node& node, int input_vc, const Moment& now);
    [[nodiscard]] Way way_of(NodeIndex index, const Packet& packet, int input_vc) const;
    void ask_for_channel(Node& node, int input_vc, const Packet& packet, const Way& way);
    void grant_virtual_channels(NodeIndex index, Node& node, int port, Cycle cycle);
    /// Compilers do not inline this by themselves, nor grant_round_robin(): a hundredth more time with short packets.
    [[gnu::always_inline]] inline void grant_among(NodeIndex index, Node& node, int port, ChannelMask free,
                                                   InputVcMask without, Cycle cycle);
    void grant(NodeIndex index, Node& node, int port, int channel, int input_vc, Cycle cycle);
    static constexpr InputVcMask input_vcs_of(int input_port) {
        return (network_detail::bit(kVirtualChannels) - 1) << (input_port * kVirtualChannels);
    }
    /// Flits of the packet that owns a virtual channel may leave from now on.
    static void begin_flits(Node& node, int port, int channel) {
        using network_detail::at;
        InputVc& input_vc = node.input_vcs[at(node.outputs[at(port)].owner[at(channel)])];
        input_vc.output_port = static_cast<std::uint8_t>(port);
        if (input_vc.flits != 0) {
            set_has_flit(node, port, ChannelMask{1} << channel);
        }
    }
    /// A virtual channel has no owner any more.
    static void free_channel(Node& node, int port, int channel) {
        Output& output = node.outputs[network_detail::at(port)];
        output.owned &= ~(ChannelMask{1} << channel);
        if (output.waiting != 0) {
            set_pending(node, port, ChannelMask{1} << channel);
        }
    }

    // Outputs that change hands otherwise than in the cycle after a tail; changing_outputs.inl.
    [[nodiscard]] bool rests_at_straight_input(const ColdNode& cold, int port, int channel) const {
        return parameters_.outputs.rest_at_straight_input &&
               parameters_.outputs.straight_input(port) != OutputRules::kNoInputPort &&
               (cold.released[network_detail::at(port)] >> channel & 1U) == 0;
    }
    [[nodiscard]] bool header_can_leave(const Node& node, int port, int channel, Cycle cycle) const;
    void turn_to(NodeIndex index, Node& node, int port, int channel, Cycle cycle);
    void finish_changes(Node& node, ColdNode& cold, Cycle cycle);
    void release(Node& node, ColdNode& cold, int port, int channel, Cycle cycle) const;
    void grant_released(NodeIndex index, Node& node, ColdNode& cold, Cycle cycle);
    void set_turns();
    void send_flit(Step& step, int port, int channel, const Moment& now);
    void finish_packet(Step& step, int port, int channel, const Moment& now);
    /// The virtual channels that a packet which waits for one can take.
    [[nodiscard]] ChannelMask wanted_channels(const InputVc& input_vc) const {
        const int channel = input_vc.output_channel & ~kDynamic;
        return (input_vc.output_channel & kDynamic) == 0 ? ChannelMask{1} << channel : channels_.group_of(channel);
    }
    /// The virtual channel that a packet which waits for one has if it is free.
    [[nodiscard]] static ChannelMask own_channel(const InputVc& input_vc) {
        return ChannelMask{1} << (input_vc.output_channel & ~kDynamic);
    }
    /// Gives a free virtual channel of an output to one of the packets that wait for it, if there are any.
    [[gnu::always_inline]] inline void grant_round_robin(NodeIndex index, Node& node, int port, int channel,
                                                         InputVcMask candidates, Cycle cycle);
    [[nodiscard]] PacketId front_packet(NodeIndex index, int input_vc) const {
        return front_packet(nodes_[index], cold_[index], input_vc);
    }
    [[nodiscard]] static PacketId front_packet(const Node& node, const ColdNode& cold, int input_vc) {
        using network_detail::at;
        return cold.queue[node.input_vcs[at(input_vc)].queue_head % kQueueSize][at(input_vc)];
    }
    void push_packet(NodeIndex index, int input_vc, PacketId packet);
    /// A packet goes over the link of `port` next, on `channel`.
    void push_downstream(NodeIndex index, int port, int channel, PacketId packet) {
        const LinkEnd end = downstream_[network_detail::at(index * kPorts + port)];
        push_packet(end.node, end.port * kVirtualChannels + channel, packet);
    }
    void pop_packet(InputVc& input_vc);
    PacketId take_front_packet(const Step& step, int input_vc, int port);
    void take_from_buffer(Step& step, int input_vc, int port, const Moment& now);
    void send_over_link(Step& step, int port, int channel, const Moment& now);
    void eject_flit(Step& step, PacketId packet, int channel, Tick sink_ticks, bool is_header, Cycle cycle);
    static void set_has_flit(Node& node, int port, ChannelMask channels) {
        node.outputs[network_detail::at(port)].has_flit |= channels;
        node.ports_with_flits = static_cast<std::uint8_t>(node.ports_with_flits | 1U << port);
    }
    static void clear_has_flit(Node& node, int port, ChannelMask channels) {
        Output& output = node.outputs[network_detail::at(port)];
        output.has_flit &= ~channels;
        node.ports_with_flits =
            static_cast<std::uint8_t>(node.ports_with_flits & ~(std::uint32_t{output.has_flit == 0} << port));
    }
    /// `channels` are free, and perhaps wanted.
    static void set_pending(Node& node, int port, ChannelMask channels) {
        Output& output = node.outputs[network_detail::at(port)];
        output.pending |= channels;
        if (output.pending != 0) {
            node.ports_pending = static_cast<std::uint8_t>(node.ports_pending | 1U << port);
        }
    }
    /// Virtual channels of which `port` would take a unicast flit in this cycle.
    [[nodiscard]] ChannelMask channels_served(const Node& node, int port, Cycle cycle) const;
    [[nodiscard]] ChannelMask channels_with_space(const Node& node, int port) const {
        const Output& output = node.outputs[network_detail::at(port)];
        return space_.is_pool_full(node.pool_used[network_detail::at(port)])
                   ? output.below_private
                   : output.below_private | output.below_limit;
    }
    [[nodiscard]] bool links_idle() const { return kLinksCanIdle && links_idle_; }
    /// Cycles, from `start` on, in which a link can pass flits before it idles, if it passes one in each of them.
    [[nodiscard]] int cycles_until_idle(const Node& node, int port, Cycle start) const {
        return links_idle() && port != kNiuPort
                   ? parameters_.link_flits_on_end_max - node.link_use[network_detail::at(port - 1)].until(start)
                   : NetworkParameters::kNeverIdles;
    }
    [[nodiscard]] bool link_idles(const Node& node, int port, Cycle cycle) const {
        return cycles_until_idle(node, port, cycle) == 0;
    }
    /// Notes how many flits of a virtual channel are downstream.
    void set_used(Node& node, int port, int channel, int used);
    /// Those of a virtual channel go from `before` to `after`: the pool, most often, has to do with neither.
    void fill_pool(Node& node, int port, int before, int after) const {
        if (std::max(before, after) > space_.private_flits) {
            std::uint16_t& pool_used = node.pool_used[network_detail::at(port)];
            pool_used = static_cast<std::uint16_t>(pool_used + space_.pool_change(before, after));
        }
    }
    void set_used_beside_pool(Output& output, int channel, int used);
    [[nodiscard]] bool can_make_progress(NodeIndex index, const Node& node) const;
    void wake(NodeIndex node, Cycle cycle);
    void wake_in_window(NodeIndex node, Cycle window);
    /// The first word of wake_masks_ of a window.
    [[nodiscard]] std::size_t wake_row(Cycle window) const {
        return network_detail::at(window) % kWakeWindows * network_detail::at(mask_words_);
    }

    // Windows in which nobody is chosen for a virtual channel; steady_state.inl.
    enum class Outcome : std::uint8_t { refused, asleep, awake };
    struct ActiveVcWindow;
    struct SteadyState;
    Outcome step_steady_state(Step& step);
    bool find_active_vcs(const Step& step);
    void add_active_vc(NodeIndex index, const ActiveVc& active_vc);
    /// Writes what active VCs have counted back to input VCs and outputs. The router does not track active VCs then.
    void write_back_active_vcs(NodeIndex index);
    [[nodiscard]] bool may_send(const Node& node, const ActiveVc& active_vc) const;
    [[nodiscard]] bool has_full_pool(const Node& node) const;
    [[nodiscard]] bool active_vcs_can_send(const Node& node) const;
    /// Whether the packet at the front of `input_vc` is still being read out of the tile.
    [[nodiscard]] static bool is_read(const Step& step, int input_vc) {
        using network_detail::at;
        return input_vc < kVirtualChannels && (step.node.active_streams >> input_vc & 1U) != 0 &&
               step.cold.streams[at(input_vc)].packet == front_packet(step.node, step.cold, input_vc);
    }
    void relate_active_vcs(Node& node) const;
    bool begin_active_vcs(const Step& step, SteadyState& window);
    static void remove_begun(const Step& step, const SteadyState& window, int count);
    static void remove_active_vc(Node& node, int number);
    void end_active_vcs(Step& step);
    void set_words(ActiveVc& active_vc) const {
        active_vc.flits_word = static_cast<std::uint8_t>(Traffic::flits(active_vc.port));
        active_vc.credits_word =
            static_cast<std::uint8_t>(Traffic::credits(active_vc.input_port, credit_lane(active_vc.port)));
    }
    /// Indices of Node::active_vc_of.
    static constexpr std::size_t of_input_vc(int input_vc) { return network_detail::at(input_vc); }
    static constexpr std::size_t of_output(int port, int channel) {
        return network_detail::at(kNumInputVcs + port * kVirtualChannels + channel);
    }
    /// Those from `first` on have been added, or have moved.
    static void number_active_vcs(Node& node, int first) {
        node.quiet_until = 0;
        for (int number = first; number < node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = node.active_vcs[network_detail::at(number)];
            node.active_vc_of[of_input_vc(active_vc.input_vc)] = static_cast<std::uint8_t>(number);
            node.active_vc_of[of_output(active_vc.port, active_vc.channel)] = static_cast<std::uint8_t>(number);
        }
    }
    [[nodiscard]] static bool has_room_for_active_vc(const Node& node, int port) {
        const auto* const first = node.active_vcs.data();
        const auto is_of_port = [port](const ActiveVc& active_vc) { return active_vc.port == port; };
        return node.num_active_vcs < kActiveVcsMax &&
               std::count_if(first, first + node.num_active_vcs, is_of_port) < kActiveVcsOfPortMax;
    }
    [[nodiscard]] bool begins_single_flit(const Step& step, int input_vc) const;
    void free_pool(const Node& node, SteadyState& window) const;
    static LinkWindow take_returned(SteadyState& window, int port, int channel);
    static LinkWindow& credits_returned(SteadyState& window, int port, int channel);
    bool sort_arrivals(const Step& step, SteadyState& window) const;
    bool sort_inactive(const Step& step, SteadyState& window, int word, int channel, LinkWindow present) const;
    bool may_advance(const Step& step, SteadyState& window) const;
    bool can_follow(const Step& step, SteadyState& window, int number, int at_hand) const;
    [[nodiscard]] bool may_go(const Node& node, const ActiveVc& active_vc, const ActiveVcWindow& lane) const;
    void follow(Step& step, ActiveVc& active_vc, const ActiveVcWindow& lane, int num_sent);
    /// Whether flits of an active VC are for a tile that does not take any.
    [[nodiscard]] bool is_blocked(const Node& node, const ActiveVc& active_vc) const {
        return active_vc.port == kNiuPort && (node.blocked_channels >> active_vc.channel & 1U) != 0;
    }
    [[nodiscard]] int room_in_window(const Node& node, const SteadyState& window, int number) const;
    [[nodiscard]] unsigned ports_together(const Step& step, const SteadyState& window) const;
    [[nodiscard]] bool can_go(const Node& node, const SteadyState& window, int number) const;
    [[nodiscard]] bool reads_tile(const Step& step, const SteadyState& window, int number) const;
    void note_read(int stream, LinkWindow& injected, LinkWindow read) const;
    // Whom an output port serves in such a window, beside the number of an active VC.
    static constexpr int kNobody = -1;
    static constexpr int kRoundRobin = -2;  // several
    [[nodiscard]] int served(const Node& node, const SteadyState& window, int first, int last) const;
    [[nodiscard]] bool needs_round_robin(const Node& node, const SteadyState& window) const;
    /// The first active VC behind those of the port of `first`.
    [[nodiscard]] static int end_of_port(const Node& node, int first) {
        int last = first + 1;
        while (last < node.num_active_vcs &&
               node.active_vcs[network_detail::at(last)].port == node.active_vcs[network_detail::at(first)].port) {
            ++last;
        }
        return last;
    }
    bool advance_port(Step& step, SteadyState& window, int first, int last);
    void advance_one(Step& step, SteadyState& window, const ActiveVc& active_vc, ActiveVcWindow& lane);
    void send_from_tile(Node& node, Stream& stream, Cycle start, LinkWindow& injected, const ActiveVc& active_vc,
                        ActiveVcWindow& lane) const;
    void eject(Node& node, Cycle start, const ActiveVc& active_vc, ActiveVcWindow& lane) const;
    void send_through(Node& node, Cycle start, const ActiveVc& active_vc, ActiveVcWindow& lane) const;
    void note_sent_on_end(Node& node, int port, Cycle start, LinkWindow sent) const;
    LinkWindow idle_in_window(Node& node, Cycle start, int port, const ActiveVcWindow& lane, int space) const;
    void count_downstream(Node& node, ActiveVc& active_vc, int used) const;
    void finish_active_vc(Step& step, ActiveVc& active_vc, const ActiveVcWindow& lane);
    template <class Send>
    static void send_and_free(ColdNode& cold, const ActiveVc& active_vc, LinkWindow sent, const Send& send);
    /// Tells how many flits have gone to a tile that counts them, by `num_sent(active_vc)`. In windows that are not
    /// stepped cycle by cycle, no header does.
    template <class NumSent>
    void count_flits(const Step& step, const NumSent& num_sent) {
        for (int number = 0; number < step.node.num_active_vcs; ++number) {
            const ActiveVc& active_vc = step.node.active_vcs[network_detail::at(number)];
            if (const int flits = active_vc.port == kNiuPort ? num_sent(number) : 0; flits != 0) {
                client_.data_flits_counted(step.index, front_packet(step.node, step.cold, active_vc.input_vc), flits);
            }
        }
    }
    [[nodiscard]] bool stream_is_steady(const Stream& stream, Cycle start) const;
    /// Whether the shared pool downstream can become full within a window.
    [[nodiscard]] bool pool_can_fill(const Node& node, int port) const {
        return space_.is_pool_full(node.pool_used[network_detail::at(port)] +
                                   static_cast<int>(parameters_.window_cycles));
    }

    // Ports whose packets are served round-robin in such windows; round_robin.inl.
    enum class PortKind : std::uint8_t {
        tile,
        link,
        link_with_full_pool,  // the pool downstream may become full
    };
    struct RoundRobin;
    void advance_round_robin(Step& step, SteadyState& window, int first, int last);
    void advance_together(Step& step, SteadyState& window, unsigned together);
    [[nodiscard]] RoundRobin begin_round_robin(const Node& node, const SteadyState& window, int first, int last,
                                               Cycle start) const;
    [[nodiscard]] PortKind port_kind(const Node& node, int port) const {
        return port == kNiuPort            ? PortKind::tile
               : pool_can_fill(node, port) ? PortKind::link_with_full_pool
                                           : PortKind::link;
    }
    template <PortKind kKind>
    int serve_cycle(RoundRobin& round_robin, Node& node, int cycle, Tick tick, LinkWindow excluded) const;
    template <PortKind kKind>
    void serve_round_robin(RoundRobin& round_robin, Step& step, SteadyState& window, int read) const;
    void end_round_robin(const RoundRobin& round_robin, const Step& step, SteadyState& window) const;

    // Where each port has one packet at most; conflict_free.inl.
    bool step_conflict_free(NodeIndex index, Cycle start);

    /// The window that is being stepped.
    [[nodiscard]] Cycle stepped_window() const { return current_window_ - 1; }

    // Multicasts; multicast.inl.
    void look_at_multicast(NodeIndex index, Node& node, int input_vc, const Moment& now);
    /// Whether the front flit is one that reserves, and this router has not been asked yet.
    [[nodiscard]] bool asks_for_path(NodeIndex index, const Node& node, int input_vc) const;
    /// Whether the front flit of a multicast is one that reserves.
    [[nodiscard]] bool front_flit_reserves(NodeIndex index, const Node& node, int input_vc) const;
    /// Returns whether the flit that asks for the path goes on.
    bool reserve_path(Step& step, int input_vc, const Moment& now);
    /// Returns the ports that were used.
    unsigned send_multicast_flits(Step& step, const Moment& now);
    void send_multicast_flit(Step& step, int input_vc, unsigned ports, const Moment& now);
    [[nodiscard]] bool has_turn(NodeIndex index, const Node& node, int input_vc, unsigned ports, Cycle cycle) const;
    void enqueue_downstream(NodeIndex index, int input_vc, unsigned ports);
    void set_owned(NodeIndex index, Node& node, int input_vc, unsigned ports, bool owned);
    [[nodiscard]] unsigned tree_ports(NodeIndex index, const Packet& packet) const;
    /// The ports that the front flit of a multicast goes to.
    [[nodiscard]] unsigned front_flit_ports(NodeIndex index, const Node& node, int input_vc) const;
    /// The virtual channel that a multicast in `input_vc` has on the output `port`.
    [[nodiscard]] int multicast_channel(NodeIndex index, int input_vc, int port) const;
    [[nodiscard]] bool any_link_idles(const Node& node, unsigned ports, Cycle cycle) const;
    [[nodiscard]] bool multicast_has_space(NodeIndex index, const Node& node, int input_vc, unsigned ports) const;
    [[nodiscard]] bool multicast_can_progress(NodeIndex index, const Node& node) const;
    void signal(NodeIndex node, const Signal& signal);
    void reply(NodeIndex index, int input_vc, Cycle cycle, bool is_reserved, bool holds);
    void handle_signals(Step& step, const Moment& now);
    void take_reply(NodeIndex index, Node& node, const Signal& signal);
    void release_path(NodeIndex index, Node& node, int input_vc, Cycle cycle);
    void back_off(NodeIndex index, int input_vc, Cycle cycle);

    std::array<Delay, kDelaysMax> delays_;  // num_delays_ different ones
    std::size_t num_delays_ = 0;
    const Topology topology_;
    const NetworkParameters parameters_;
    const VirtualChannels channels_;
    const BufferSpace space_;  // downstream
    PacketPool& packets_;
    NetworkClient& client_;
    std::vector<Node> nodes_;
    std::vector<ColdNode> cold_;
    std::vector<Receivers> receivers_;  // [node]
    std::vector<LinkEnd> upstream_;     // [node * kPorts + input port]
    std::vector<LinkEnd> downstream_;   // [node * kPorts + output port]
    std::vector<Tree> trees_;
    std::vector<Cycle> skews_;         // [node]: cycles
    std::vector<NodeIndex> order_;     // in which routers are stepped
    std::vector<std::uint16_t> rank_;  // [node]: its place in that order
    LinkWindow window_mask_ = 0;       // the bytes of a LinkWindow that are cycles
    Cycle ring_windows_ = 0;           // windows of cycles that links hold, a power of two
    std::vector<Traffic> links_;       // what arrives, [window % ring_windows_][rank]

    int mask_words_ = 0;
    std::vector<std::uint64_t> wake_masks_;  // [window % kWakeWindows][word]: nodes to step in that window, by rank
    using FarWake = std::pair<Cycle, NodeIndex>;  // (window, node)
    std::priority_queue<FarWake, std::vector<FarWake>, std::greater<>> far_wakes_;
    Traffic* arriving_ = nullptr;                    // what arrives in the window that is being stepped, [rank]
    std::uint64_t* wakes_in_next_window_ = nullptr;  // [word]
    Cycle current_window_ = 0;
    std::uint32_t stepped_rank_ = kNoRank;  // of the router that is being stepped
    Cycle last_woken_window_ = 0;           // no router is to be stepped in later ones
    AcceleratorSet accelerators_ = kAllAccelerators;
    std::array<AcceleratorUse, kNumAccelerators> uses_{};
    bool links_idle_ = false;  // now and then
    bool idles_once_ = true;   // in a window at most: accelerators count on it
    bool single_flits_bypass_ =
        true;  // packets of one flit, in the cycle in which they arrive, where nothing hinders them
    bool has_datelines_ = false;
    bool shares_credit_lane_ = false;  // see credit_lane()
    bool outputs_are_plain_ = true;    // see NetworkParameters
    /// The input port that has its turn after each: at links, and at the port to the tile.
    std::array<std::array<std::uint8_t, kPorts>, 2> next_in_turn_{};
};

// Defined here, since they are called from several files for nearly every flit.

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::wake_in_window(NodeIndex node, Cycle window) {
    if (window >= current_window_ + kWakeWindows - 1) {  // the row of the window that is being stepped is in use
        far_wakes_.emplace(window, node);
        return;
    }
    last_woken_window_ = std::max(last_woken_window_, window);
    const int rank = rank_[node];
    wake_masks_[wake_row(window) + network_detail::at(rank / 64)] |= network_detail::bit(rank % 64);
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::set_used(Node& node, int port, int channel, int used) {
    Output& output = node.outputs[network_detail::at(port)];
    fill_pool(node, port, output.used[network_detail::at(channel)], used);
    set_used_beside_pool(output, channel, used);
}

template <int kPorts, int kVirtualChannels>
inline void WindowNetwork<kPorts, kVirtualChannels>::set_used_beside_pool(Output& output, int channel, int used) {
    output.used[network_detail::at(channel)] = static_cast<std::uint8_t>(used);
    const ChannelMask mask = ChannelMask{1} << channel;
    output.below_private = (output.below_private & ~mask) | ChannelMask{used < space_.private_flits} << channel;
    output.below_limit = (output.below_limit & ~mask) | ChannelMask{used < space_.channel_flits_max()} << channel;
}

}  // namespace nocbench
