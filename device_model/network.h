// One network on chip, flit by flit: routers with virtual channels, credits and wormhole switching, stepped in blocks
// of cycles that are shorter than any latency between routers.
//
// There are no flit objects. A link carries one byte per cycle (which virtual channel the flit is on); an input virtual
// channel is a count of flits, a count of flits left of the packet at its front, and a queue of packet ids. The id is
// pushed into the downstream queue when the output virtual channel is granted, which is before its first flit can
// arrive; a virtual channel has one owner at a time, so the order of ids is the order of flits.
//
// Since nothing that a router does reaches another router in less than `block_cycles`, each router can be stepped
// through a whole block on its own, in any order, with the same result as stepping all routers cycle by cycle.
// docs/engine.md has the rules, what was tried and what it cost.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <queue>
#include <span>
#include <vector>

#include "device_model/packet.h"
#include "device_model/simulated_time.h"
#include "device_model/topology.h"

namespace nocbench {

/// What lies behind the network's ports: the network interfaces. Called at most a few times per packet.
class NetworkClient {
public:
    virtual ~NetworkClient() = default;

    /// The network interface of `node` asked to be called at this cycle. Returns the next cycle it wants to be called
    /// at.
    virtual Cycle interface_cycle(NodeIndex node, Cycle cycle) = 0;

    /// Injection stream `stream` of `node` can be given another packet; see Network::can_start_stream.
    virtual void stream_can_start(NodeIndex node, int stream, Cycle cycle) = 0;

    /// The last flit of `packet` has been read out of the tile.
    virtual void stream_finished(NodeIndex node, int stream, PacketId packet, Cycle cycle) = 0;

    /// The head of `packet` went through the router's port to the tile of `node`.
    virtual void head_ejected(NodeIndex node, PacketId packet, Cycle cycle) = 0;

    /// A data flit of `packet` did, at a node whose flits are metered.
    virtual void data_flit_ejected(NodeIndex node, PacketId packet, Cycle cycle) = 0;

    /// The last flit of `packet` did. The network has no further use for a unicast packet; nor for a multicast packet
    /// once it has been ejected at all its receivers.
    virtual void packet_ejected(NodeIndex node, PacketId packet, Cycle cycle) = 0;

    /// The tree of a multicast packet that asked for it in cycle `requested` is reserved: the packet goes on.
    virtual void path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) = 0;
};

namespace network_detail {

constexpr std::uint64_t bit(int index) { return std::uint64_t{1} << index; }

template <class Integer>
constexpr std::size_t at(Integer index) {
    return static_cast<std::size_t>(index);
}

/// The next set bit of `mask` after `last`, round about. The mask must not be empty.
inline int next_round_robin(std::uint64_t mask, int last) {
    const std::uint64_t after = last >= 63 ? 0 : mask & (~std::uint64_t{0} << (last + 1));
    return std::countr_zero(after != 0 ? after : mask);
}

}  // namespace network_detail

struct NetworkParameters {
    Cycle hop_cycles = 0;
    Cycle credit_return_cycles = 0;
    int private_flits_per_virtual_channel = 0;
    int shared_flits_per_input_port = 0;
    int shared_flits_per_virtual_channel_max = 0;
    Cycle injection_cycles = 0;          // tile to router
    int injection_buffer_flits = 0;      // per stream: flits between tile and router
    int read_ahead_flits = 0;            // of a stream's packet left when the tile begins to read the next one
    Cycle block_cycles = 0;              // at most the least of all latencies between routers and to the client
    Cycle reservation_reply_cycles = 0;  // per hop: the answer to a reservation, back to the source
    Cycle reservation_backoff_cycles =
        0;  // mean wait of a source after its first reservation that failed is half of it
    int reservation_backoff_doublings_max = 0;  // it doubles with each failure, so many times at most
};

inline constexpr Cycle kNever = INT64_MAX;

/// Ports and virtual channels are compile-time constants of a shape, so that all input virtual channels of a router fit
/// into one 64-bit mask.
template <int kPorts, int kVirtualChannels>
class Network {
    static_assert(kPorts * kVirtualChannels <= 64);

public:
    static constexpr int kNumStreams = kVirtualChannels;

    Network(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets, NetworkClient& client);

    /// Rates at which the tile of `node` sends and receives data flits (headers go at one per cycle), in ticks per
    /// flit.
    void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                   Tick multicast_sink_ticks_per_data_flit);

    /// Asks for NetworkClient::data_flit_ejected for packets to `node`.
    void meter_data_flits(NodeIndex node);

    /// Begins to send `packet` through `stream` of `node`, not before `start`. `ticks_per_flit` limits the rate of this
    /// packet's data flits beyond what the tile's source does (0: it does not). The stream must be able to start one;
    /// the packet follows the one that it is still sending.
    void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit);

    /// A stream can be given a packet while it sends none, or only the last flits of one: those that the tile's memory
    /// has been asked for already.
    [[nodiscard]] bool can_start_stream(NodeIndex node, int stream) const;

    /// Makes a multicast tree known. `outputs` has for each node a bit per output port that the tree uses there;
    /// `grant_cycles` pass at the source from the answer to a reservation to the header.
    TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles);

    /// While set, no flit of a request leaves the router of `node` for its tile.
    void block_request_ejection(NodeIndex node, bool blocked);

    /// Calls NetworkClient::interface_cycle for `node` at `cycle` (or earlier, if it is already to be called earlier).
    void wake_interface(NodeIndex node, Cycle cycle);

    /// Longest latency that a link can have, in blocks of cycles.
    static constexpr int kLatencyBlocksMax = 14;

    /// Simulates the block of cycles that begins at `block_start`, a multiple of block_cycles.
    void step_block(Cycle block_start);

    /// Whether routers that only pass packets on, undisturbed, are stepped by a shorter code path (on by default). The
    /// result is the same; tests compare the two.
    void set_shortcuts(bool enabled) { shortcuts_ = enabled; }

    /// The first cycle of the next block in which anything can happen, or kNever.
    [[nodiscard]] Cycle next_active_block() const;

    /// Flits sent over the output `port` of `node` so far.
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const;

    /// Flits of the packets that the tile of `node` began to send so far.
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const;

    /// Flits that went through any router so far, ejections included.
    [[nodiscard]] std::uint64_t flit_hops() const;

private:
    using SlotMask = std::uint64_t;
    static constexpr int kNumSlots = kPorts * kVirtualChannels;  // input virtual channels of a router
    static constexpr int kRingBlocks = 16;                       // blocks of cycles that a link can hold
    static constexpr Cycle kBlockCyclesMax = 8;                  // bytes in a LinkBlock
    static constexpr int kQueueSize = 32;                        // packet ids in one input virtual channel
    static constexpr int kWakeBlocks = 64;  // blocks ahead that a wake-up can be noted for without a heap
    static constexpr std::uint8_t kDynamic = 0x80;
    static constexpr int kTurnsGivenMax = 2;  // by a multicast, one after the other

    /// Slots of virtual channels that responses use.
    static constexpr SlotMask response_slots() {
        SlotMask slots = 0;
        for (int slot = 0; slot < kNumSlots; ++slot) {
            slots |= slot % kNumSoftwareVirtualChannels >= kFirstResponseVirtualChannel ? network_detail::bit(slot) : 0;
        }
        return slots;
    }

    /// What a link brings in one block of cycles: a byte per cycle, 0 or the virtual channel + 1.
    using LinkBlock = std::uint64_t;

    struct InputSlot {
        std::uint16_t flits = 0;          // in the buffer
        std::uint16_t flits_left = 0;     // of the packet at the front; 0: no packet has been looked at
        std::uint8_t output_channel = 0;  // wanted (with kDynamic) until granted, then owned
        std::uint8_t queue_head = 0;
        std::uint8_t queue_tail = 0;
    };

    struct Stream {
        PacketId packet = 0;
        std::uint16_t flits = 0;      // of the packet; 0: free
        std::uint16_t issued = 0;     // read out of the tile
        std::uint16_t in_buffer = 0;  // issued and not yet sent by the router, of this packet and earlier ones
        Cycle start = 0;
        Tick next_tick = 0;
        Tick ticks_per_flit = 0;
        // The packet that follows.
        PacketId next_packet = 0;
        std::uint16_t next_flits = 0;  // 0: there is none
        Cycle next_start = 0;
        Tick next_ticks_per_flit = 0;
    };

    struct alignas(64) Node {
        // Masks over input slots (port * kVirtualChannels + virtual channel).
        SlotMask nonempty = 0;
        std::array<SlotMask, kPorts> granted{};  // per output: slots that own a virtual channel of it
        std::array<SlotMask, kPorts>
            has_space{};                         // per output: granted slots whose virtual channel has space downstream
        std::array<SlotMask, kPorts> waiting{};  // per output: slots whose front packet wants a virtual channel of it
        std::array<std::uint32_t, kPorts> owned{};  // per output: virtual channels that have an owner
        std::array<std::uint16_t, kPorts> pool_used{};
        std::array<std::uint8_t, kPorts> last_sent{};
        std::array<std::uint8_t, kPorts> last_granted{};
        std::array<std::uint8_t, kNumSlots> turns_given{};  // by a multicast to others, since its last flit
        SlotMask multicast = 0;      // slots whose front packet is a multicast that owns its outputs and may move
        Cycle signal_wake = kNever;  // when the first of ColdNode::signals is due
        std::uint8_t allocation_pending = 0;  // bit per output
        bool request_ejection_blocked = false;
        bool metered = false;
        std::uint8_t last_stream = 0;
        std::uint8_t last_multicast = 0;  // slot of the multicast that sent a flit last
        std::uint32_t active_streams = 0;
        Cycle interface_wake = kNever;
        Tick source_next_tick = 0;
        Tick sink_next_tick = 0;
        Tick source_ticks_per_data_flit = kTicksPerCycle;
        Tick sink_ticks_per_data_flit = kTicksPerCycle;
        Tick multicast_sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<InputSlot, kNumSlots> slots{};
        std::array<std::array<std::uint8_t, kVirtualChannels>, kPorts> used{};   // flits downstream, per output channel
        std::array<std::array<std::uint8_t, kVirtualChannels>, kPorts> owner{};  // slot that owns it
        std::array<std::array<LinkBlock, kRingBlocks>, kPorts> arriving_flits{};    // by input port and block
        std::array<std::array<LinkBlock, kRingBlocks>, kPorts> arriving_credits{};  // by output port and block
    };

    /// What routers tell each other about the reservation of a tree, beside the links. In the order in which signals of
    /// one cycle are handled.
    enum class SignalKind : std::uint8_t {
        release,  // from upstream: give the outputs back
        reply,    // from downstream: reserved up to the leaves, or not
        granted,  // at the source: the packet may go
        retry,    // at the source: ask again
    };

    struct Signal {
        Cycle cycle = 0;
        SignalKind kind = SignalKind::release;
        std::uint8_t slot = 0;     // of the receiving router; of a reply: the output port and ...
        std::uint8_t channel = 0;  // ... the virtual channel it concerns
        bool is_reserved = false;  // a reply: all of the tree from there on
        bool holds = false;        // a reply: the router's own outputs, at least

        auto operator<=>(const Signal&) const = default;
    };

    /// A reservation that passed an input slot on its way down the tree.
    struct PathReservation {
        std::uint8_t replies_missing = 0;
        std::uint8_t holding = 0;  // bit per output port: what comes after holds outputs
        bool is_owned = false;     // of this router
        bool has_failed = false;
        std::uint8_t attempts = 0;  // at the source
        Cycle requested = 0;        // at the source: first attempt
    };

    struct Tree {
        std::vector<std::uint8_t> outputs;  // [node], bit per output port
        Cycle grant_cycles = 0;
    };

    struct alignas(64) ColdNode {
        std::array<std::array<PacketId, kQueueSize>, kNumSlots> queue{};
        std::array<Stream, kNumStreams> streams{};
        std::array<std::uint64_t, kPorts> flits_sent{};
        std::uint64_t flits_injected = 0;
        std::vector<Signal> signals;  // in order
        std::array<PathReservation, kNumSlots> reservations{};
        std::uint64_t num_backoffs = 0;
    };

    struct Upstream {
        NodeIndex node = 0;
        std::uint8_t port = 0;
        bool exists = false;
    };

    /// The cycle that a router is being stepped through.
    struct Moment {
        Cycle cycle = 0;
        int offset = 0;  // within its block

        /// A 1 in its byte of a LinkBlock.
        [[nodiscard]] LinkBlock in_block() const { return LinkBlock{1} << (8 * offset); }
    };

    /// What a router receives in the block that is being stepped.
    struct Arrivals {
        std::array<LinkBlock, kPorts> flits{};    // by input port
        std::array<LinkBlock, kPorts> credits{};  // by output port
    };

    /// A latency, cut into whole blocks and the cycles that are left.
    struct Delay {
        int blocks = 0;
        int cycles = 0;
    };

    /// A packet whose flits an output port sends in the block, with nothing in its way; network_undisturbed.cpp.
    struct Flow {
        int slot = -1;           // the input slot that it comes from; -1: the output port sends nothing
        int stream = -1;         // the stream that reads it out of the tile meanwhile, if any
        LinkBlock arriving = 0;  // a 1 in the byte of each cycle in which a flit arrives
        LinkBlock credits = 0;   // ... in which a credit arrives
        LinkBlock issued = 0;    // ... in which a flit is read out of the tile
        LinkBlock sent = 0;      // ... in which a flit is sent
    };

    /// A link that a packet goes out through in the block.
    struct Outgoing {
        int port = 0;
        int channel = 0;
        int used = 0;           // flits downstream
        LinkBlock credits = 0;  // a 1 in the byte of each cycle in which a credit arrives
    };

    /// The packets in a router in which, for a block, nothing has to be arbitrated, granted or reported.
    struct UndisturbedBlock {
        std::array<Flow, kPorts> flows{};  // by output port
        std::array<int, kPorts>
            waiting_slot{};  // by input port: receives flits of a packet that is not being sent, or -1
        std::array<LinkBlock, kPorts> arriving{};
        int active_stream = -1;
    };

    void step_node(NodeIndex index, Cycle start);
    bool step_undisturbed(NodeIndex index, Node& node, const Arrivals& arrivals, Cycle start);
    bool step_passing_packet(NodeIndex index, Node& node, const Arrivals& arrivals, Cycle start);
    bool step_single_packet(NodeIndex index, Node& node, const Arrivals& arrivals, Cycle start);
    [[nodiscard]] bool has_space_for(LinkBlock arriving, std::span<const Outgoing> links) const;
    bool find_arriving(const Node& node, const Arrivals& arrivals, UndisturbedBlock& block) const;
    bool find_stream(NodeIndex index, const Node& node, Cycle start, UndisturbedBlock& block) const;
    bool find_flows(NodeIndex index, const Node& node, const Arrivals& arrivals, UndisturbedBlock& block) const;
    [[nodiscard]] SlotMask owners_of_credits(const Node& node, int port, LinkBlock credits) const;
    void take_credits(Node& node, int port, LinkBlock credits, Flow& flow);
    template <bool kEjects, bool kReadsTile>
    void advance_flow(NodeIndex index, Node& node, int port, Flow& flow, Cycle start);
    void finish_flow(NodeIndex index, Node& node, int port, const Flow& flow);
    /// One cycle of a router. Returns whether another one can do anything even if nothing arrives in it.
    bool step_cycle(NodeIndex index, Node& node, Arrivals& arrivals, const Moment& now);
    [[nodiscard]] bool can_read_tile(NodeIndex index, const Node& node) const;
    void take_credit(Node& node, int port, int channel);
    [[nodiscard]] Delay delay(Cycle latency) const;
    /// Puts flits or credits of `channel` on a link to `receiver`, `delay` after the cycles of this block that have a 1
    /// in their byte of `present`.
    void put_on_link(NodeIndex receiver, std::array<LinkBlock, kRingBlocks>& ring, int channel, LinkBlock present,
                     const Delay& delay);
    /// Flits go to the router behind `port`.
    void put_flits_on_link(NodeIndex index, int port, int channel, LinkBlock present);
    /// Credits go back to the router that the flits in `slot` came from.
    void return_credits(NodeIndex index, int slot, LinkBlock present);
    void begin_stream(Stream& stream, PacketId packet, Cycle start, Tick ticks_per_flit);
    /// Whether the stream has come to where it can be given another packet.
    [[nodiscard]] bool is_near_its_end(const Stream& stream) const {
        return stream.issued + parameters_.read_ahead_flits >= stream.flits;
    }
    void issue_flit(NodeIndex index, Node& node, Arrivals& arrivals, const Moment& now);
    void look_at_front(NodeIndex index, Node& node, int slot, const Moment& now);
    void grant_virtual_channels(NodeIndex index, Node& node, int port);
    void send_flit(NodeIndex index, Node& node, int port, int slot, const Moment& now);
    [[nodiscard]] PacketId front_packet(NodeIndex index, int slot) const;
    void take_from_buffer(NodeIndex index, Node& node, int slot, const Moment& now);
    void send_over_link(NodeIndex index, Node& node, int port, int channel, const Moment& now);
    void eject_flit(NodeIndex index, Node& node, PacketId packet, Tick sink_ticks, bool is_header, Cycle cycle);
    /// Slots that could send a unicast flit through `port` in this cycle.
    [[nodiscard]] SlotMask unicast_candidates(const Node& node, int port, Cycle cycle) const;
    void update_space(Node& node, int port);
    /// Notes that the packet of `slot` has `used` flits downstream, in a pool that is not full.
    void set_used(Node& node, int port, int channel, int slot, int used);

    // Multicasts; network_multicast.cpp.
    void look_at_multicast(NodeIndex index, Node& node, int slot, const Moment& now);
    /// Whether the front flit is one that reserves, and this router has not been asked yet.
    [[nodiscard]] bool asks_for_path(NodeIndex index, const Node& node, int slot) const;
    /// Whether the front flit of a multicast is one that reserves.
    [[nodiscard]] bool front_flit_reserves(NodeIndex index, const Node& node, int slot) const;
    /// Returns whether the flit that asks for the path goes on.
    bool reserve_path(NodeIndex index, Node& node, int slot, const Moment& now);
    void send_multicast_flits(NodeIndex index, Node& node, const Moment& now, SlotMask& used_input_ports,
                              unsigned& used_outputs);
    void send_multicast_flit(NodeIndex index, Node& node, int slot, unsigned ports, const Moment& now);
    void enqueue_downstream(NodeIndex index, int slot, unsigned ports);
    void set_owned(NodeIndex index, Node& node, int slot, unsigned ports, bool owned);
    [[nodiscard]] unsigned tree_ports(NodeIndex index, const Packet& packet) const;
    /// The ports that the front flit of a multicast goes to.
    [[nodiscard]] unsigned front_flit_ports(NodeIndex index, const Node& node, int slot) const;
    /// The virtual channel that a multicast in `slot` has on the output `port`.
    [[nodiscard]] int multicast_channel(NodeIndex index, int slot, int port) const;
    [[nodiscard]] bool multicast_has_space(NodeIndex index, const Node& node, int slot, unsigned ports) const;
    [[nodiscard]] bool multicast_can_progress(NodeIndex index, const Node& node) const;
    void signal(NodeIndex node, const Signal& signal);
    void reply(NodeIndex index, int slot, Cycle cycle, bool is_reserved, bool holds);
    void handle_signals(NodeIndex index, Node& node, const Moment& now);
    void take_reply(NodeIndex index, Node& node, const Signal& signal);
    void release_path(NodeIndex index, Node& node, int slot, Cycle cycle);
    void back_off(NodeIndex index, int slot, Cycle cycle);
    [[nodiscard]] bool channel_has_space(const Node& node, int port, int channel) const;
    [[nodiscard]] bool can_make_progress(NodeIndex index, const Node& node) const;
    void wake(NodeIndex node, Cycle cycle);
    void wake_in_block(NodeIndex node, Cycle block);

    const Topology topology_;
    const NetworkParameters parameters_;
    PacketPool& packets_;
    NetworkClient& client_;
    std::vector<Node> nodes_;
    std::vector<ColdNode> cold_;
    std::vector<Upstream> upstream_;  // [node * kPorts + input port]
    std::vector<Tree> trees_;
    Delay hop_;
    Delay credit_return_;
    Delay injection_;
    LinkBlock block_mask_ = 0;  // the bytes of a LinkBlock that are cycles

    int mask_words_ = 0;
    std::vector<std::uint64_t> wake_masks_;  // [block % kWakeBlocks][word]: nodes to step in that block
    std::array<std::uint32_t, kWakeBlocks> wake_counts_{};
    std::uint32_t num_woken_ = 0;                 // sum of wake_counts_
    using FarWake = std::pair<Cycle, NodeIndex>;  // (block, node)
    std::priority_queue<FarWake, std::vector<FarWake>, std::greater<>> far_wakes_;
    Cycle current_block_ = 0;
    bool shortcuts_ = true;
};

// Defined here, since they are called for every link in every block from several files.

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::wake_in_block(NodeIndex node, Cycle block) {
    if (block >= current_block_ + kWakeBlocks) {
        far_wakes_.emplace(block, node);
        return;
    }
    const std::size_t row = network_detail::at(block) % kWakeBlocks;
    std::uint64_t& word = wake_masks_[row * network_detail::at(mask_words_) + node / 64];
    if ((word & network_detail::bit(node % 64)) == 0) {
        word |= network_detail::bit(node % 64);
        ++wake_counts_[row];
        ++num_woken_;
    }
}

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::put_on_link(NodeIndex receiver, std::array<LinkBlock, kRingBlocks>& ring,
                                                           int channel, LinkBlock present, const Delay& delay) {
    const Cycle block = current_block_ - 1 + delay.blocks;
    const LinkBlock bytes = present * static_cast<LinkBlock>(channel + 1);
    if (const LinkBlock first = bytes << (8 * delay.cycles) & block_mask_; first != 0) {
        ring[network_detail::at(block) % kRingBlocks] |= first;
        wake_in_block(receiver, block);
    }
    if (delay.cycles == 0) {
        return;
    }
    if (const LinkBlock second = bytes >> (8 * (parameters_.block_cycles - delay.cycles)); second != 0) {
        ring[network_detail::at(block + 1) % kRingBlocks] |= second;
        wake_in_block(receiver, block + 1);
    }
}

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::put_flits_on_link(NodeIndex index, int port, int channel,
                                                                 LinkBlock present) {
    const Topology::Link& link = topology_.link(index, port);
    put_on_link(link.neighbour, nodes_[link.neighbour].arriving_flits[link.neighbour_port], channel, present, hop_);
}

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::return_credits(NodeIndex index, int slot, LinkBlock present) {
    const Upstream& upstream = upstream_[network_detail::at(index * kPorts + slot / kVirtualChannels)];
    put_on_link(upstream.node, nodes_[upstream.node].arriving_credits[upstream.port], slot % kVirtualChannels, present,
                credit_return_);
}

template <int kPorts, int kVirtualChannels>
inline void Network<kPorts, kVirtualChannels>::set_used(Node& node, int port, int channel, int slot, int used) {
    const int own = parameters_.private_flits_per_virtual_channel;
    std::uint8_t& used_before = node.used[network_detail::at(port)][network_detail::at(channel)];
    node.pool_used[network_detail::at(port)] =
        static_cast<std::uint16_t>(node.pool_used[network_detail::at(port)] + std::max(0, used - own) - std::max(0, used_before - own));
    used_before = static_cast<std::uint8_t>(used);
    if (used < own + parameters_.shared_flits_per_virtual_channel_max) {
        node.has_space[network_detail::at(port)] |= network_detail::bit(slot);
    } else {
        node.has_space[network_detail::at(port)] &= ~network_detail::bit(slot);
    }
}

/// Tenstorrent's routers: a port to the tile and one per axis; 8 software virtual channels, doubled by the dateline
/// bit.
using TorusNetwork = Network<3, 16>;
extern template class Network<3, 16>;

}  // namespace nocbench
