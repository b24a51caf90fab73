// Network simulated packet by packet: the rules of the exact engine for virtual channels, arbiters, datelines and
// buffers, with the flits of a packet in closed form. docs/packet_level.md states which results are exact.
//
// Events are the arrival of a head at a router, the grant of a virtual channel, the departure of a tail from an output,
// and the return of credits. Between events, the flits of a packet flow through each output that the packet holds, at
// the rate of its share of that output. A packet whose head is held up stops: its flits fill the buffers behind the
// head, and go on when credits have come back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "device_model/noc/buffer_space.h"
#include "device_model/noc/network.h"
#include "device_model/noc/network_rules.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/packet_level/cycle_wheel.h"
#include "device_model/noc/packet_level/queues.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/pool.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

class PacketLevelNetwork final : public Network {
public:
    /// Throws InputError for parameters that cannot be simulated.
    PacketLevelNetwork(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets,
                       NetworkClient& client);

    void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                   Tick multicast_sink_ticks_per_data_flit) override;
    void meter_data_flits(NodeIndex node) override;
    void count_data_flits(NodeIndex node) override;
    void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) override;
    [[nodiscard]] FlitsRead flits_read(NodeIndex node, int stream, PacketId packet) const override;
    [[nodiscard]] bool can_start_stream(NodeIndex node, int stream) const override;
    TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) override;
    void block_request_ejection(NodeIndex node, std::uint32_t channels) override;
    void take_data_from(NodeIndex node, int channel) override;
    void wake_interface(NodeIndex node, Cycle cycle) override;
    void step_window(Cycle window_start) override;
    [[nodiscard]] Cycle next_active_window() const override;
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override;
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    using WormIndex = std::uint32_t;
    using OutputIndex = std::uint32_t;
    using ChannelMask = std::uint32_t;
    static constexpr WormIndex kNoWorm = ~WormIndex{0};
    static constexpr std::size_t kChannels = kTorusVirtualChannels;

    /// Kinds of events. `tree`: a multicast requests its tree again or may enter it. `retry`: the packets of an output
    /// are tried again. `meter`: a tile accepts metered flits. `branch`: a head or tail of a multicast is at an output.
    enum class Due : std::uint8_t { head, interface, tree, credits, retry, meter, tail, branch };
    static constexpr std::size_t kKindsOfDue = 8;

    /// Phases of a cycle.
    enum class Phase : std::uint8_t { none, heads, interfaces, retries, grants, meters, tails };

    /// Output on the way of a packet. Stage 0 is the sending tile, the last stage is the port to the receiving tile.
    struct Stage {
        OutputIndex output = 0;
        std::uint8_t channel = 0;
        std::uint8_t standing_flits = 0;       // in the buffer behind the output, of a packet that is held up or short
        bool waits = false;                    // these flits are held up
        Tick ticks_per_flit = kTicksPerCycle;  // at the packet's share of the output
        Tick passes = 0;                       // tick at which the last flit leaves, if no other stage delays it
    };

    /// A packet's share of the pool behind an output.
    struct PoolShare {
        int flits = 0;                 // flits left for the packet
        Tick ticks_per_turn = kNever;  // interval of flits that others leave to the packet
    };

    /// Credits for flits of a virtual channel in the buffer behind an output.
    struct Credits {
        OutputIndex output = 0;
        int channel = 0;
        int flits = 0;
        bool waited = false;

        static constexpr unsigned kChannelBits = 4;
        static constexpr unsigned kFlitsBits = 8;  // the lowest bit is `waited`
        [[nodiscard]] std::uint32_t packed() const {
            return (output << kChannelBits | static_cast<unsigned>(channel)) << kFlitsBits |
                   static_cast<unsigned>(flits << 1 | (waited ? 1 : 0));
        }
        static Credits unpacked(std::uint32_t item) {
            return {item >> (kChannelBits + kFlitsBits),
                    static_cast<int>(item >> kFlitsBits & ((1U << kChannelBits) - 1)),
                    static_cast<int>(item & ((1U << kFlitsBits) - 1)) >> 1, (item & 1U) != 0};
        }
    };

    /// Output and virtual channel that a header requests.
    struct Want {
        OutputIndex output = 0;
        std::uint8_t channel = 0;
    };

    /// Output of a multicast's tree, in order of depth; the router of the source has depth 0.
    struct Branch {
        OutputIndex output = 0;
        bool is_second_set = false;  // set of virtual channels
        int depth = 0;
    };
    struct Tree {
        std::vector<std::uint8_t> outputs;  // [node], bit per output port
        Cycle grant_cycles = 0;
        std::vector<Branch> branches;  // found at the first use of the tree
        int depth = 0;
    };

    /// Head or tail of a multicast at one of the tree's outputs, later than at the source.
    struct BranchEvent {
        Cycle cycle = 0;
        PacketId packet = 0;
        OutputIndex output = 0;
        std::uint8_t channel = 0;
        int flits = 0;  // for the tail: flits of the packet; 0 for the head
    };

    /// Packet in flight. It reaches from stage `tail`, which its last flit has not left, to stage `head`, which its
    /// first flit has left. If tail is head + 1, the whole packet is between two stages.
    struct Worm {
        PacketId packet = 0;
        int flits = 0;
        NodeIndex destination = 0;
        std::uint8_t own_channel = 0;  // in the first set
        bool is_static = true;
        bool waits = false;       // does not flow
        bool is_granted = false;  // owns the virtual channel of stage head + 1
        int head = -1;
        int tail = 0;
        std::uint8_t wanted_channel = 0;  // of stage head + 1
        Tick packet_ticks_per_flit = 0;
        Tick head_ticks_left = 0;  // ticks from the last flit to stage `head`, while the packet is held up there
        Tick tail_arrives = 0;     // tick at which the last flit comes from the stage before `tail`
        Cycle event = kNever;      // cycle of the pending event
        int waits_at = 0;          // stage at which the flits are held up
        int stands_from = 0;       // first stage behind which flits stand
        int flits_gone = 0;        // flits that had left stage `waits_at` when the packet stopped
        TreeIndex tree = kNoTree;
        bool reserves_path = false;
        bool keeps_path = false;
        bool is_reserved = false;
        int headers = 0;   // headers that have delayed it
        int failures = 0;  // failed reservations of its tree
        Cycle requested = 0;
        Cycle asks_at = 0;          // cycle of the next reservation or, once reserved, of entering the tree
        bool is_backed_up = false;  // up to the tile: there is no space for the last flit
        int flits_ejected = 0;      // at a tile whose flits are metered
        std::vector<Stage> stages;
    };

    struct Output {
        std::uint64_t waiting = 0;  // bit per input VC of the router whose front packet requests this output
        ChannelMask owned = 0;
        ChannelMask flowing = 0;           // of the owned: packets of several flits that move
        ChannelMask waits_for_credit = 0;  // of the owned: heads without space behind the link
        int pool_used = 0;                 // flits of held-up packets in the shared pool behind the output
        int num_flowing = 0;
        Tick ticks_per_flit = kTicksPerCycle;  // of each packet that flows, or of the first one that will
        bool is_short_of_pool = false;         // a packet may get less because the pool is nearly full
        bool has_new_rate = false;             // not yet applied to its packets
        bool is_asked = false;                 // in asked_outputs_
        std::array<WormIndex, kChannels> owner{};
        std::array<std::uint8_t, kChannels> stage{};          // stage of the flowing owner
        std::array<std::uint8_t, kChannels> last_owner{};     // input virtual channel
        std::array<std::uint8_t, kChannels> waiting_flits{};  // flits in the buffer behind the output that are held up
        std::array<std::uint16_t, kChannels> headers{};       // headers of other packets that have passed while its
                                                              // multicast flows
        std::array<std::uint8_t, kChannels>
            standing{};  // flits in the buffer behind the output, of packets that are held up or short
        std::uint64_t flits_sent = 0;
        ChannelMask single_flits = 0;       // virtual channels on which packets of one flit have passed in this round
        Cycle single_flit = -1;             // cycle of the last such packet
        Cycle round_ends = 0;               // cycle from which the next one on the same virtual channel may pass
        std::uint8_t last_single_flit = 0;  // virtual channel of the last such packet
        Cycle retry = -1;                   // cycle of the last pending retry
    };

    /// Position of an output in the network, and its constants.
    enum class OutputKind : std::uint8_t { link, ejection, source, tree };
    struct OutputPlace {
        NodeIndex node = 0;
        NodeIndex next_node = 0;  // router that the output leads to
        std::uint8_t port = 0;
        std::uint8_t next_port = 0;  // input port of that router
        OutputKind kind = OutputKind::link;
        bool is_dateline = false;
        std::int16_t latency = 0;
        std::int16_t room = 0;
        Tick ticks_per_flit = kTicksPerCycle;  // for a packet that has the output alone
        Tick ticks_by_room = 0;                // per flit of a virtual channel: round trip of its credits / room
    };

    using Buffer = Queues::Queue;

    /// Packets that a tile sends on one virtual channel.
    struct Stream {
        WormIndex current = kNoWorm;
        WormIndex next = kNoWorm;
        Cycle next_start = 0;
        bool nearly_read = false;  // at most read_ahead_flits of the current packet are left
    };

    struct Tile {
        bool is_metered = false;
        bool is_counted = false;
        ChannelMask blocked = 0;
        int data_channel = kEveryChannel;
        std::uint64_t num_backoffs = 0;
        Cycle wake = kNever;
        std::uint64_t flits_injected = 0;
        // For tiles whose flits are metered:
        Tick next_sink_tick = 0;
        Cycle meter_event = kNever;
        int last_metered = 0;
    };

    [[nodiscard]] OutputIndex output_index(NodeIndex node, int port) const {
        return static_cast<OutputIndex>(node * num_ports_ + port);
    }
    [[nodiscard]] OutputIndex source_index(NodeIndex node) const { return first_source_ + node; }
    [[nodiscard]] bool is_source(OutputIndex output) const { return places_[output].kind == OutputKind::source; }
    [[nodiscard]] bool is_ejection(OutputIndex output) const { return places_[output].kind == OutputKind::ejection; }
    [[nodiscard]] bool is_tree(OutputIndex output) const { return places_[output].kind == OutputKind::tree; }
    [[nodiscard]] NodeIndex node_of(OutputIndex output) const { return places_[output].node; }
    [[nodiscard]] Buffer& buffer_behind(const Stage& stage) {
        return buffers_[std::size_t{stage.output} * kChannels + stage.channel];
    }
    [[nodiscard]] WormIndex front(const Buffer& buffer) const { return buffered_.front(buffer); }
    /// Returns the bit of an input VC in Output::waiting.
    [[nodiscard]] int input_behind(const Stage& stage) const {
        return places_[stage.output].next_port * bits_of_port_ + stage.channel;
    }
    [[nodiscard]] Cycle latency(OutputIndex output) const { return places_[output].latency; }
    /// Returns the cycles from a flit's departure from the buffer behind an output to the return of its credit.
    [[nodiscard]] Cycle credits_take(OutputIndex output) const {
        return is_source(output) ? 1 : parameters_.credit_return_cycles;
    }
    /// Returns the maximum number of flits of a virtual channel in the buffer behind an output.
    [[nodiscard]] int room(OutputIndex output) const { return places_[output].room; }

    /// Returns the flits of a virtual channel that fit into the buffers between two stages of a packet. The first of
    /// these buffers can be that of the tile.
    [[nodiscard]] int room_between(int from, int to) const {
        return from >= to ? 0 : (to - from) * space_.channel_flits_max() + (from == 0 ? injection_excess_flits_ : 0);
    }
    /// Returns the cycles of a flit from one stage to another; negative if `to` is before `from`.
    [[nodiscard]] Cycle latency_between(int from, int to) const {
        const Cycle injection = parameters_.injection_cycles - parameters_.hop_cycles;
        return (to - from) * parameters_.hop_cycles + (from == 0 ? injection : 0) - (to == 0 ? injection : 0);
    }

    // Multicasts: stage 0 is the tile, as for unicasts; stage 1 is the whole tree.
    [[nodiscard]] OutputIndex tree_index(NodeIndex node) const { return first_tree_ + node; }
    [[nodiscard]] bool is_multicast(WormIndex owner) const { return owner == kNoWorm || worms_[owner].tree != kNoTree; }
    [[nodiscard]] Cycle& frees_at(OutputIndex output, int channel) {
        return frees_at_[std::size_t{output} * kChannels + static_cast<std::size_t>(channel)];
    }
    void find_branches(Tree& tree, NodeIndex source);
    [[nodiscard]] std::uint8_t channel_of(const Worm& worm, const Branch& branch) const;
    void ask_for_tree(WormIndex index);
    void back_off(WormIndex index, Cycle from);
    void depart_into_tree(WormIndex index);
    void tail_leaves_into_tree(WormIndex index);
    void branch_event(std::uint32_t index);
    void update_rates_of_tree(const Worm& worm, WormIndex except);

    void step_cycle();
    void take_tails();
    void call_interface(NodeIndex node);
    void push_event(WormIndex index, Worm& worm) { push_event_at(index, worm, next_tick(worm)); }
    void push_event_at(WormIndex index, Worm& worm, Tick tick);
    /// Returns the tick of the next event at the tail of a packet.
    [[nodiscard]] Tick next_tick(const Worm& worm) const {
        return worm.tail == 0 ? tail_tick(worm) - read_ahead_ticks(worm) : tail_tick(worm);
    }
    /// Returns the tick at which the last flit of a packet leaves stage `tail`, if there is space downstream.
    [[nodiscard]] static Tick tail_tick(const Worm& worm) {
        return std::max(worm.tail_arrives, worm.stages[static_cast<std::size_t>(worm.tail)].passes);
    }
    [[nodiscard]] Tick read_ahead_ticks(const Worm& worm) const;
    void head_arrives(WormIndex index);
    [[nodiscard]] std::uint8_t channel_at(const Worm& worm, const Stage& stage, OutputIndex output) const;
    [[nodiscard]] bool pass_at_once(WormIndex index, Want want);
    [[nodiscard]] bool pass_free_links(WormIndex index, Want want);
    [[nodiscard]] Want next_output(const Worm& worm, const Stage& stage) const;
    void leave(Buffer& buffer);
    void look_at_front(const Buffer& buffer);
    void ask(OutputIndex index);
    void grant(OutputIndex index);
    void grant_to(OutputIndex index, int channel, int input, WormIndex owner);
    [[nodiscard]] bool can_depart(const Worm& worm, Want want) const;
    /// Returns whether a packet can depart through its last stage, which has been granted.
    [[nodiscard]] bool can_depart(const Worm& worm) const {
        return can_depart(worm, {worm.stages.back().output, worm.stages.back().channel});
    }
    void depart(WormIndex index);
    void stand(Stage& stage, int flits, bool waits, bool is_last = false);
    void fill_buffers(Worm& worm);
    void move_up(OutputIndex output, int channel);
    [[nodiscard]] int room_left(const Stage& place) const;
    void stop(WormIndex index, int stage);
    void go_on(WormIndex index);
    void worm_event(WormIndex index);
    void tail_leaves(WormIndex index, Tick tick);
    void end_of_stream(NodeIndex node, int stream, PacketId packet, Tick tail_tick);
    void begin_stream(NodeIndex node, int stream, Tick not_before);
    void begin_to_read(WormIndex index);
    [[nodiscard]] PoolShare pool_share(OutputIndex index, const Worm* worm) const;
    [[nodiscard]] Tick ticks_per_flit(const Worm& worm, OutputIndex index) const;
    void flow(OutputIndex index, int channel, int stage);
    void cease(OutputIndex index, int channel);
    void share(OutputIndex index);
    void share_pool(Output& output) const;
    void header_passes(OutputIndex index);
    void single_flit_passes(Output& output, std::uint8_t channel) const;
    [[nodiscard]] Cycle turn(const Worm& worm, const Output& output, int channel) const;
    void update_rate(WormIndex index, int stage);
    void set_rate(Stage& stage, Tick ticks_per_flit) const;
    void resume(Worm& worm, Cycle leaves) const;
    [[nodiscard]] static Tick slowest_ticks_per_flit(const Worm& worm);
    [[nodiscard]] Tick rate_at(const Worm& worm, int stage) const;
    void update_rates(OutputIndex number, WormIndex except);
    [[nodiscard]] static int flits_let_in(const Worm& worm, int stage);
    [[nodiscard]] Tick room_from(const Worm& worm, int stage) const;
    void take_room(OutputIndex index, int channel, int flits, bool waits);
    void take_pool(OutputIndex index, int channel, int flits);
    void credits_return(Credits credits);
    void retry(OutputIndex index);
    void retry_at(OutputIndex index, Cycle cycle);
    void meter(NodeIndex node);
    void report_data_flits(NodeIndex node, PacketId packet, int channel, int flits);
    void wake_meter(NodeIndex node, Cycle cycle);
    [[nodiscard]] int flits_at_meter(const Worm& worm, Cycle& next) const;
    /// Returns the first cycle whose `phase` has not begun.
    [[nodiscard]] Cycle next_cycle_of(Phase phase) const { return phase_ < phase ? now_ : now_ + 1; }

    Topology topology_;
    NetworkParameters parameters_;
    PacketPool& packets_;
    NetworkClient& client_;
    int num_ports_ = 0;
    int bits_of_port_ = 0;  // of Output::waiting
    VirtualChannels channels_;
    BufferSpace space_;
    int injection_excess_flits_ = 0;  // flits that the buffer of a tile holds beyond those of a link's buffer
    Cycle round_trip_ =
        0;  // from a flit's departure to the return of its credit, if the flit is not held up downstream
    Tick link_ticks_per_flit_ = kTicksPerCycle;
    OutputIndex first_source_ = 0;
    OutputIndex first_tree_ = 0;
    ChannelMask all_channels_ = 0;
    std::vector<Output> outputs_;        // [node * ports + port], then [node] of sources
    std::vector<OutputPlace> places_;    // of outputs_
    Queues buffered_;                    // packets
    std::vector<Buffer> buffers_;        // behind outputs, [output * kChannels + channel]
    std::vector<OutputIndex> upstream_;  // [node * ports + input port]
    std::vector<Stream> streams_;        // [node * kChannels + stream]
    std::vector<Tile> tiles_;            // [node]
    Pool<Worm> worms_;
    Cycle now_ = 0;              // cycle that is being stepped, or the first cycle not stepped yet
    Phase phase_ = Phase::none;  // of now_
    CycleWheel<Due, kKindsOfDue> due_;
    std::vector<Tree> trees_;
    std::vector<Cycle> frees_at_;  // [output * kChannels + channel]: cycle in which the tail of the owning multicast
                                   // leaves
    Pool<BranchEvent> branch_event_pool_;
    std::vector<OutputIndex> asked_outputs_;
    std::vector<OutputIndex> granting_;
    std::vector<std::pair<WormIndex, int>> new_fronts_;  // fronts that have made requests in this cycle, with their
                                                         // stage `head` at that time
};

}  // namespace nocbench
