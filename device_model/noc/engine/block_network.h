// One network on chip, flit by flit: routers with virtual channels, credits and wormhole switching, stepped in blocks
// of cycles.
//
// There are no flit objects. A link carries one byte per cycle (which virtual channel the flit is on); an input virtual
// channel is a count of flits, a count of flits left of the packet at its front, and a queue of packet ids. The id is
// pushed into the downstream queue when the output virtual channel is granted, which is before its first flit can
// arrive; a virtual channel has one owner at a time, so the order of ids is the order of flits.
//
// Routers are stepped in an order in which whatever reaches a router in a block has been sent before
// (stepping_order.h). So each can be stepped through a whole block on its own, with the same result as stepping all of
// them cycle by cycle. docs/engine.md has the rules, what was tried and what it cost.
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

#include "device_model/noc/bits.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Ports and virtual channels are compile-time constants of a shape, so that all input virtual channels of a router fit
/// into one 64-bit mask.
template <int kPorts, int kVirtualChannels>
class BlockNetwork final : public Network {
    static_assert(kPorts * kVirtualChannels <= 64);

public:
    static constexpr int kNumStreams = kVirtualChannels;
    /// NetworkParameters::link_flits_on_end_max. No modeled chip has both more links and links that rest; meshes would
    /// be 3 % slower for looking.
    static constexpr bool kLinksCanRest = kPorts == 3;

    BlockNetwork(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets,
                 NetworkClient& client);
    ~BlockNetwork() override;
    BlockNetwork(const BlockNetwork&) = delete;
    BlockNetwork& operator=(const BlockNetwork&) = delete;

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
    void step_block(Cycle block_start) override;
    void set_shortcuts(bool enabled) override {
        shortcuts_ = enabled && rests_once_;
        singles_pass_ = shortcuts_ && trees_.empty();
    }
    [[nodiscard]] Cycle next_active_block() const override;
    [[nodiscard]] std::vector<WaitingPacket> find_circle_of_waiting() override;
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override;
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    using SlotMask = std::uint64_t;
    using ChannelMask = std::uint32_t;
    static constexpr int kNumSlots = kPorts * kVirtualChannels;  // input virtual channels of a router
    static constexpr int kQueueSize = 32;                        // packet ids in one input virtual channel
    static constexpr int kWakeBlocks = 64;  // blocks ahead that a wake-up can be noted for without a heap
    static constexpr std::uint8_t kDynamic = 0x80;
    static constexpr std::uint8_t kNotGranted = 0xff;
    static constexpr std::uint32_t kNoRank = UINT32_MAX;
    static constexpr int kDelaysMax = 16;     // of what is sent, between routers that lag by different times
    static constexpr int kTurnsGivenMax = 2;  // by a multicast, one after the other

    /// What a link brings in one block of cycles: a byte per cycle, 0 or the virtual channel + 1.
    using LinkBlock = std::uint64_t;
    static_assert(kBlockCyclesMax == sizeof(LinkBlock));

    struct InputSlot {
        std::uint16_t flits = 0;                 // in the buffer
        std::uint16_t flits_left = 0;            // of the packet at the front; 0: no packet has been looked at
        std::uint8_t output_port = kNotGranted;  // of a unicast, once a virtual channel has been granted
        std::uint8_t output_channel = 0;         // wanted (with kDynamic) until granted, then owned
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

    static constexpr int kWiresMax = 12;
    static constexpr int kWiresOfPortMax = 8;
    static constexpr int kHeadsMax = 4;  // of packets that begin in a block, unless it is stepped cycle by cycle
    static constexpr std::uint8_t kNoWire = 0xff;

    /// An output port of a router. Masks are over its virtual channels. While the router is wired, flits of packets
    /// that own a virtual channel, and those downstream, are counted in their Wire instead.
    struct Output {
        ChannelMask has_flit = 0;       // owned by a unicast that has a flit in its buffer
        ChannelMask below_private = 0;  // fewer flits downstream than fit into the private buffer ...
        ChannelMask below_limit = 0;    // ... and than one virtual channel may have, the shared pool included
        ChannelMask owned = 0;
        ChannelMask pending = 0;                            // free, or freed, and perhaps wanted by a packet that waits
        SlotMask waiting = 0;                               // slots whose front packet waits for a virtual channel
        std::array<std::uint8_t, kVirtualChannels> used{};  // flits downstream
        std::array<std::uint8_t, kVirtualChannels> owner{};  // slot that owns it, or was the last to do so
    };

    /// A packet that owns a virtual channel of an output, with all that changes while it flows and where its flits and
    /// credits go: a few bytes, one after the other, where slots and outputs are spread over many lines of memory.
    struct Wire {
        std::uint8_t slot = 0;
        std::uint8_t port = 0;
        std::uint8_t channel = 0;
        std::uint8_t input_port = 0;
        bool is_read_from_tile = false;  // meanwhile
        std::uint8_t flits = 0;          // in the buffer
        std::uint8_t used = 0;           // flits downstream
        std::uint8_t flits_word = 0;     // of Sent, unless it goes to the tile
        std::uint8_t credits_word = 0;   // the same, unless it comes from the tile
        std::uint16_t flits_left = 0;    // of the packet
    };

    struct alignas(64) Node {
        SlotMask multicast = 0;      // slots whose front packet is a multicast that owns its outputs and may move
        Cycle signal_wake = kNever;  // when the first of ColdNode::signals is due
        Cycle interface_wake = kNever;
        Cycle quiet_until = 0;  // while wired: blocks that end by then are undisturbed, unless a head arrives
        std::uint32_t undisturbed_from = 0;  // the block, modulo 2^32, from which on it is looked whether blocks are
        std::uint32_t active_streams = 0;
        ChannelMask heads_to_eject = 0;  // virtual channels to the tile whose packet's header has not gone yet
        ChannelMask data_channels = ~ChannelMask{0};  // to the tile: whose data flits go, at a metered node
        ChannelMask blocked_channels = 0;             // to the tile, which takes no flits of them
        std::uint8_t ports_with_flits = 0;            // bit per output that has flits of unicasts
        std::uint8_t ports_pending = 0;               // ... of which virtual channels are pending
        std::uint8_t datelines = 0;                   // ... that crosses a dateline
        bool metered = false;
        bool counted = false;
        std::uint8_t last_stream = 0;
        std::uint8_t last_multicast = 0;                // slot of the multicast that sent a flit last
        std::array<std::uint8_t, kPorts> last_sent{};   // virtual channel, by output port
        std::array<std::uint16_t, kPorts> pool_used{};  // flits downstream beyond private buffers, by output port
        // The packets that own virtual channels, by output port; see undisturbed.inl.
        bool is_wired = false;                // the following are up to date, and slots and outputs are not
        bool wires_interact = false;          // of different ports
        bool is_straight = false;             // each input port has one at most, and so has each output port
        std::uint8_t blocks_until_tried = 0;  // twice the wait before undisturbed_from
        std::uint8_t num_wires = 0;
        std::uint8_t num_read = 0;     // wires that are read from the tile
        std::uint8_t stream_read = 0;  // for the last of them
        // See repetition.inl.
        bool repeats = false;                // blocks repeat: the state is not kept up meanwhile
        std::uint8_t remembered = 0;         // which of its blocks is the last one
        std::uint8_t blocks_remembered = 0;  // 2 at most
        // See leaps.inl.
        bool leaps = false;      // over blocks, which are made up for when it is stepped again
        bool has_leapt = false;  // since it has given the first of its promises
        std::uint8_t blocks_without_promise = 0;
        std::uint32_t promised = 0;        // bit per word of Traffic: its sender has, or had until lately, promised it
        std::uint32_t promises = 0;        // bit per word of Sent that it has promised
        std::uint32_t words_repeated = 0;  // of Sent: in the last block as in the one two blocks before it
        Cycle promises_from = 0;           // the block from which on it gives some
        Tick source_next_tick = 0;
        Tick sink_next_tick = 0;
        std::uint32_t source_ticks_per_data_flit = kTicksPerCycle;
        std::uint32_t sink_ticks_per_data_flit = kTicksPerCycle;
        /// By output port to another router, while links rest: flits that have gone on end, and, 2^16 times, the cycle
        /// after the last of them.
        std::array<std::uint64_t, kPorts - 1> sent_on_end{};
        std::array<Wire, kWiresMax> wires{};
        /// By input virtual channel and, from kNumSlots on, by output virtual channel; see of_slot() and of_output().
        std::array<std::uint8_t, 2 * network_detail::at(kNumSlots)> wire_of{};
        std::array<Output, kPorts> outputs{};
        std::array<InputSlot, kNumSlots> slots{};
    };
    // At such a distance from each other, routers would have the same places of a cache.
    static_assert(sizeof(Node) % 1024 != 0);
    static_assert(kPorts <= 8 && kQueueSize <= std::numeric_limits<std::uint8_t>::max());

    /// What links bring to a router in a block of cycles, or what it sends. Flits that leave a router in the same cycle
    /// through several outputs may come from one input port, so credits have a lane for each of them.
    struct alignas(64) Traffic {
        static constexpr int flits(int port) { return port; }
        /// None come for the port to the tile. Those of the first lanes are in the line of memory that flits are in.
        static constexpr int credits(int port, int lane) { return kPorts + lane * (kPorts - 1) + port - 1; }
        /// The words of the credits of a port, a bit each.
        static constexpr std::uint32_t credit_words(int port) {
            constexpr std::uint32_t kOfPort1 = [] {
                std::uint32_t words = 0;
                for (int lane = 0; lane < kPorts; ++lane) {
                    words |= std::uint32_t{1} << credits(1, lane);
                }
                return words;
            }();
            return kOfPort1 << (port - 1);
        }
        /// Of a word of flits or of credits.
        static constexpr int port(int word) { return word < kPorts ? word : (word - kPorts) % (kPorts - 1) + 1; }
        static constexpr int kNumWords = kPorts + kPorts * (kPorts - 1);

        // Credits of a cycle as bits of a few bytes: those of the first lanes are in the first one. None come for the
        // port to the tile.
        static constexpr int kLanesOfByte = std::min(8 / (kPorts - 1), kPorts);
        static constexpr int kCreditBytes = (kPorts + kLanesOfByte - 1) / kLanesOfByte;
        static constexpr int credit_bit(int port, int lane) { return lane % kLanesOfByte * (kPorts - 1) + port - 1; }
        static constexpr int port_of_credit_bit(int bit) { return bit % (kPorts - 1) + 1; }
        static constexpr int lane_of_credit_bit(int byte, int bit) { return byte * kLanesOfByte + bit / (kPorts - 1); }

        std::uint32_t present = 0;  // bit per word that is not 0
        std::array<LinkBlock, kNumWords> words;

        /// Most words that come or are sent are before this one, and whether one of them is there is hard to foresee.
        static constexpr int kOften = kPorts + 4;

        Traffic() { words.fill(0); }
        void add(int word, LinkBlock bytes) {
            words[network_detail::at(word)] |= bytes;
            present |= std::uint32_t{1} << word;
        }
        void clear() {
            network_detail::clear_words(words, std::make_index_sequence<kOften>());
            for (std::uint32_t rest = present >> kOften; rest != 0; rest &= rest - 1) {
                words[network_detail::at(kOften + std::countr_zero(rest))] = 0;
            }
            present = 0;
        }
    };
    static_assert(Traffic::kNumWords <= 32);

    /// What a router sends in a block, in words of which those that are not 0 are there at all: numbered as those of
    /// Traffic, by its own ports. Flits of port 0 are those read out of the tile, which it receives itself.
    struct Sent {
        std::uint32_t present = 0;
        std::array<LinkBlock, Traffic::kNumWords> words;  // of those from kOften on, only those present are initialised

        Sent() { network_detail::clear_words(words, std::make_index_sequence<Traffic::kOften>()); }
        void add(int word, LinkBlock bytes) {
            LinkBlock& sent = words[network_detail::at(word)];
            sent = (word < Traffic::kOften ? sent : of_word(word)) | bytes;
            present |= std::uint32_t{1} << word;
        }
        [[nodiscard]] LinkBlock of_word(int word) const {
            return (present >> word & 1U) != 0 ? words[network_detail::at(word)] : 0;
        }
    };

    /// Where a word of Sent goes.
    struct Receiver {
        std::uint16_t rank = 0;
        std::uint8_t word = 0;   // of its Traffic
        std::uint8_t delay = 0;  // of delays_
    };

    struct alignas(64) Receivers {
        std::array<Receiver, Traffic::kNumWords> of_word;  // of Sent
    };

    /// What a link will bring in each block, or in every other one, until its sender says otherwise.
    struct Promise {
        std::array<LinkBlock, 2> words{};  // in even and in odd blocks
        Cycle first_block = 0;
        Cycle end_block = 0;
    };

    /// What routers tell each other about the reservation of a tree, beside the links. In the order in which signals of
    /// one cycle are handled.
    enum class SignalKind : std::uint8_t {
        credit,   // from downstream: a reservation that ended there has left its buffer
        release,  // from upstream: give the outputs back
        reply,    // from downstream: reserved up to the leaves, or not
        granted,  // at the source: the packet may go
        retry,    // at the source: ask again
    };

    struct Signal {
        Cycle cycle = 0;
        SignalKind kind = SignalKind::release;
        std::uint8_t slot = 0;     // of the receiving router; of a credit or a reply: the output port and ...
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
        /// [place][slot]: most queues are short, so that few lines of memory are used.
        std::array<std::array<PacketId, kNumSlots>, kQueueSize> queue{};
        std::array<Stream, kNumStreams> streams{};
        std::array<std::uint64_t, kPorts> flits_sent{};
        std::uint64_t flits_injected = 0;
        std::vector<Signal> signals;  // in order
        Tick multicast_sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<PathReservation, kNumSlots> reservations{};
        std::array<std::uint8_t, kNumSlots> turns_given{};  // by a multicast to others, since its last flit
        std::uint64_t num_backoffs = 0;
    };

    /// The other end of a link.
    struct LinkEnd {
        NodeIndex node = 0;
        std::uint8_t port = 0;
    };

    /// The cycle that a router is being stepped through.
    struct Moment {
        Cycle cycle = 0;
        int offset = 0;  // within its block
    };

    /// Where a unicast packet leaves a router.
    struct Way {
        int port = 0;
        int channel = 0;
    };

    /// Packets of one flit that leave a router in the cycle in which they arrive.
    struct Passing {
        struct Single {
            PacketId packet;
            std::uint8_t slot;
            std::uint8_t channel;
        };
        std::uint32_t ports = 0;             // output ports that they go through
        std::uint32_t ports_asked = 0;       // output ports for which others may have come in the same cycle
        std::array<Single, kPorts> packets;  // by output port; not initialised
    };

    /// A latency, cut into whole blocks and the cycles that are left; and where that is: what a router sends in a block
    /// is received in one or two later ones.
    struct alignas(64) Delay {
        Cycle blocks = 0;
        int bits = 0;         // of a LinkBlock: the cycles that are left
        int bits_before = 0;  // those that are not, but for one
        std::array<Traffic*, 2> traffic{};
        std::array<std::uint64_t*, 2> wakes{};

        /// What is received in the later block, of what has been sent in one.
        [[nodiscard]] LinkBlock in_later(LinkBlock bytes) const { return bytes >> 8 >> bits_before; }
    };

    /// A router while it is stepped through a block of cycles.
    struct Step {
        NodeIndex index;
        Node& node;
        ColdNode& cold;
        Cycle start;
        Traffic& in;  // arrives in the block
        Sent& sent;   // leaves in it
        // Where cycles are stepped one by one, a byte for each of them: bit per port at which a flit arrives; and bit
        // per port and lane at which a credit does.
        LinkBlock flits_arriving = 0;
        std::array<LinkBlock, Traffic::kCreditBytes> credits_arriving{};
    };

    void step_node(NodeIndex index, Cycle start);
    void prefetch(std::size_t rank) const;
    /// The lane of credits for flits that leave through `port`: the last one for those that leave for the tile. Where
    /// an input port sends one flit per cycle, and multicasts, which need not care, send none, all share one: there is
    /// less memory to look at.
    [[nodiscard]] int credit_lane(int port) const { return shares_credit_lane_ ? 0 : (port + kPorts - 1) % kPorts; }
    [[nodiscard]] int num_credit_bytes() const { return shares_credit_lane_ ? 1 : Traffic::kCreditBytes; }
    void put_on_links(const Step& step);
    /// Of words that are promised from this block on, what arrives in the later one is promised already.
    void put_on_link(NodeIndex index, int word, LinkBlock bytes, std::uint32_t words_promised = 0);
    /// What a word of `in` brings in a cycle.
    [[nodiscard]] static int channel_arriving(const Step& step, int word, int offset) {
        return static_cast<int>(step.in.words[network_detail::at(word)] >> (8 * offset) & 0xff) - 1;
    }
    /// A flit or a credit of `channel`, in a cycle of a block.
    [[nodiscard]] static LinkBlock in_cycle(int offset, int channel) {
        return static_cast<LinkBlock>(channel + 1) << (8 * offset);
    }
    void set_rows(Delay& delay);
    [[nodiscard]] Delay delay(Cycle latency) const;
    void set_stepping_order();
    void set_receivers();

    void step_cycles(Step& step);
    /// One cycle of a router. Returns whether another one can do anything even if nothing arrives in it. Compilers do
    /// not inline this by themselves, nor pass_on(): a twentieth more instructions with packets of one flit.
    [[gnu::always_inline]] inline bool step_cycle(Step& step, const Moment& now);
    bool take_flit(Node& node, int slot);
    void take_head(Step& step, int slot, const Moment& now, Passing& passing);
    [[gnu::always_inline]] inline bool pass_on(Step& step, int port, const Passing& passing, unsigned used_inputs,
                                               const Moment& now);
    void take_credit(Node& node, int port, int channel);
    void begin_stream(Stream& stream, PacketId packet, Cycle start, Tick ticks_per_flit);
    /// Whether the stream has come to where it can be given another packet.
    [[nodiscard]] bool is_near_its_end(const Stream& stream) const {
        return stream.issued + parameters_.read_ahead_flits >= stream.flits;
    }
    /// The channel whose turn it is to send a unicast flit through `port`, or -1. Input ports of `used_inputs` have
    /// sent one already.
    [[nodiscard]] int next_channel(const Node& node, int port, unsigned used_inputs, Cycle cycle) const;
    [[nodiscard]] bool can_read_tile(NodeIndex index, const Node& node) const;
    void issue_flit(Step& step, const Moment& now);
    void look_at_front(NodeIndex index, Node& node, int slot, const Moment& now);
    [[nodiscard]] Way way_of(NodeIndex index, const Packet& packet, int slot) const;
    void ask_for_channel(Node& node, int slot, const Packet& packet, const Way& way);
    void grant_virtual_channels(NodeIndex index, Node& node, int port);
    void grant(NodeIndex index, Node& node, int port, int channel, int slot);
    /// The virtual channel, of `channels`, that is served first of those that a packet can take.
    [[nodiscard]] int first_served(const Output& output, ChannelMask channels) const;
    void send_flit(Step& step, int port, int channel, const Moment& now);
    void finish_packet(Step& step, int port, int channel, const Moment& now);
    /// The virtual channels that dynamic packets can take besides `channel`, and that one.
    [[nodiscard]] ChannelMask group_of(int channel) const {
        const bool is_response = (response_channels_ >> channel & 1U) != 0;
        const int group_size = is_response ? parameters_.dynamic_response_group : parameters_.dynamic_group;
        const ChannelMask group = ((ChannelMask{1} << group_size) - 1) << (channel & ~(group_size - 1));
        return group & (is_response ? response_channels_ : ~response_channels_);
    }
    /// The virtual channels that a packet which waits for one can take.
    [[nodiscard]] ChannelMask wanted_channels(const InputSlot& slot) const {
        const int channel = slot.output_channel & ~kDynamic;
        return (slot.output_channel & kDynamic) == 0 ? ChannelMask{1} << channel : group_of(channel);
    }
    /// The virtual channel that a packet which waits for one has if it is free.
    [[nodiscard]] static ChannelMask own_channel(const InputSlot& slot) {
        return ChannelMask{1} << (slot.output_channel & ~kDynamic);
    }
    /// Gives a free virtual channel of an output to one of the packets that wait for it, if there are any.
    void grant_in_turn(NodeIndex index, Node& node, int port, int channel, SlotMask candidates);
    [[nodiscard]] PacketId front_packet(NodeIndex index, int slot) const {
        return front_packet(nodes_[index], cold_[index], slot);
    }
    [[nodiscard]] static PacketId front_packet(const Node& node, const ColdNode& cold, int slot) {
        using network_detail::at;
        return cold.queue[node.slots[at(slot)].queue_head % kQueueSize][at(slot)];
    }
    void push_packet(NodeIndex index, int slot, PacketId packet);
    /// A packet goes over the link of `port` next, on `channel`.
    void push_downstream(NodeIndex index, int port, int channel, PacketId packet) {
        const LinkEnd end = downstream_[network_detail::at(index * kPorts + port)];
        push_packet(end.node, end.port * kVirtualChannels + channel, packet);
    }
    void pop_packet(InputSlot& slot);
    PacketId take_front_packet(const Step& step, int slot, int port);
    void take_from_buffer(Step& step, int slot, int port, const Moment& now);
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
        const bool pool_is_full = node.pool_used[network_detail::at(port)] >= parameters_.shared_flits_per_input_port;
        return pool_is_full ? output.below_private : output.below_private | output.below_limit;
    }
    /// Flits that a link has passed on end when a cycle begins.
    [[nodiscard]] static int flits_on_end(const Node& node, int port, Cycle cycle) {
        const std::uint64_t sent = node.sent_on_end[network_detail::at(port - 1)];
        return sent >> 16 == static_cast<std::uint64_t>(cycle) ? static_cast<int>(sent & 0xffff) : 0;
    }
    static void set_flits_on_end(Node& node, int port, Cycle cycle, int flits) {
        node.sent_on_end[network_detail::at(port - 1)] =
            static_cast<std::uint64_t>(cycle) << 16 | static_cast<unsigned>(flits);
    }
    [[nodiscard]] bool links_rest() const { return kLinksCanRest && links_rest_; }
    /// Cycles, from `start` on, in which a link can pass flits before it rests, if it passes one in each of them.
    [[nodiscard]] int cycles_until_rest(const Node& node, int port, Cycle start) const {
        return links_rest() && port != kNiuPort ? parameters_.link_flits_on_end_max - flits_on_end(node, port, start)
                                                : NetworkParameters::kNoRest;
    }
    [[nodiscard]] bool link_rests(const Node& node, int port, Cycle cycle) const {
        return cycles_until_rest(node, port, cycle) == 0;
    }
    /// Of so many flits of a virtual channel downstream, those in the shared pool.
    [[nodiscard]] int flits_in_pool(int used) const {
        return std::max(0, used - parameters_.private_flits_per_virtual_channel);
    }
    /// Notes how many flits of a virtual channel are downstream.
    void set_used(Node& node, int port, int channel, int used);
    void set_used_beside_pool(Output& output, int channel, int used);
    [[nodiscard]] bool can_make_progress(NodeIndex index, const Node& node) const;
    void wake(NodeIndex node, Cycle cycle);
    void wake_in_block(NodeIndex node, Cycle block);
    /// The first word of wake_masks_ of a block.
    [[nodiscard]] std::size_t wake_row(Cycle block) const {
        return network_detail::at(block) % kWakeBlocks * network_detail::at(mask_words_);
    }

    // Blocks in which nobody is chosen for a virtual channel; undisturbed.inl.
    enum class Outcome : std::uint8_t { disturbed, asleep, awake };
    struct WireBlock;
    struct Undisturbed;
    Outcome step_undisturbed(Step& step);
    bool find_wires(const Step& step);
    void add_wire(NodeIndex index, const Wire& wire);
    /// Writes what wires have counted back to slots and outputs. The router is not wired then.
    void unwire(NodeIndex index);
    [[nodiscard]] bool may_send(const Node& node, const Wire& wire) const;
    [[nodiscard]] bool has_full_pool(const Node& node) const;
    [[nodiscard]] bool wires_can_send(const Node& node) const;
    /// Whether the packet at the front of `slot` is still being read out of the tile.
    [[nodiscard]] static bool is_read(const Step& step, int slot) {
        using network_detail::at;
        return slot < kVirtualChannels && (step.node.active_streams >> slot & 1U) != 0 &&
               step.cold.streams[at(slot)].packet == front_packet(step.node, step.cold, slot);
    }
    void relate_wires(Node& node) const;
    bool begin_wires(const Step& step, Undisturbed& block);
    static void remove_begun(const Step& step, const Undisturbed& block, int count);
    static void remove_wire(Node& node, int number);
    void end_wires(Step& step);
    void set_words(Wire& wire) const {
        wire.flits_word = static_cast<std::uint8_t>(Traffic::flits(wire.port));
        wire.credits_word = static_cast<std::uint8_t>(Traffic::credits(wire.input_port, credit_lane(wire.port)));
    }
    /// Indices of Node::wire_of.
    static constexpr std::size_t of_slot(int slot) { return network_detail::at(slot); }
    static constexpr std::size_t of_output(int port, int channel) {
        return network_detail::at(kNumSlots + port * kVirtualChannels + channel);
    }
    /// Those from `first` on have been added, or have moved.
    static void number_wires(Node& node, int first) {
        node.quiet_until = 0;
        for (int number = first; number < node.num_wires; ++number) {
            const Wire& wire = node.wires[network_detail::at(number)];
            node.wire_of[of_slot(wire.slot)] = static_cast<std::uint8_t>(number);
            node.wire_of[of_output(wire.port, wire.channel)] = static_cast<std::uint8_t>(number);
        }
    }
    [[nodiscard]] static bool has_room_for_wire(const Node& node, int port) {
        const auto* const first = node.wires.data();
        const auto is_of_port = [port](const Wire& wire) { return wire.port == port; };
        return node.num_wires < kWiresMax && std::count_if(first, first + node.num_wires, is_of_port) < kWiresOfPortMax;
    }
    [[nodiscard]] bool begins_single(const Step& step, int slot) const;
    void free_pool(const Node& node, Undisturbed& block) const;
    static LinkBlock take_returned(Undisturbed& block, int port, int channel);
    static LinkBlock& credits_returned(Undisturbed& block, int port, int channel);
    bool sort_arrivals(const Step& step, Undisturbed& block) const;
    bool sort_unwired(const Step& step, Undisturbed& block, int word, int channel, LinkBlock present) const;
    bool may_advance(const Step& step, Undisturbed& block) const;
    bool can_follow(const Step& step, Undisturbed& block, int number, int at_hand) const;
    [[nodiscard]] bool may_go(const Node& node, const Wire& wire, const WireBlock& lane) const;
    void follow(Step& step, Wire& wire, const WireBlock& lane, int num_sent);
    /// Whether flits of a wire are for a tile that does not take any.
    [[nodiscard]] bool is_blocked(const Node& node, const Wire& wire) const {
        return wire.port == kNiuPort && (node.blocked_channels >> wire.channel & 1U) != 0;
    }
    [[nodiscard]] int room_in_block(const Node& node, const Undisturbed& block, int number) const;
    struct Reading;
    [[nodiscard]] unsigned ports_together(const Step& step, const Undisturbed& block) const;
    [[nodiscard]] bool can_go(const Node& node, const Undisturbed& block, int number) const;
    [[nodiscard]] bool reads_tile(const Step& step, const Undisturbed& block, int number) const;
    void end_reading(Node& node, Stream& stream, int slot, WireBlock& lane, LinkBlock& injected,
                     const Reading& reading) const;
    void advance_port(Step& step, Undisturbed& block, int first, int last);
    void advance_one(Step& step, Undisturbed& block, const Wire& wire, WireBlock& lane);
    void send_from_tile(Node& node, Stream& stream, Cycle start, LinkBlock& injected, const Wire& wire,
                        WireBlock& lane) const;
    void eject(Node& node, Cycle start, const Wire& wire, WireBlock& lane) const;
    void send_through(Node& node, Cycle start, const Wire& wire, WireBlock& lane) const;
    void note_sent_on_end(Node& node, int port, Cycle start, LinkBlock sent) const;
    LinkBlock rest_in_block(Node& node, Cycle start, int port, const WireBlock& lane, int space) const;
    void count_downstream(Node& node, Wire& wire, int used) const;
    void finish_wire(Step& step, Wire& wire, const WireBlock& lane);
    template <class Send>
    static void send_and_free(ColdNode& cold, const Wire& wire, LinkBlock sent, const Send& send);
    /// Tells how many flits have gone to a tile that counts them, by `num_sent(wire)`. In blocks that are not stepped
    /// cycle by cycle, no header does.
    template <class NumSent>
    void count_flits(const Step& step, const NumSent& num_sent) {
        for (int number = 0; number < step.node.num_wires; ++number) {
            const Wire& wire = step.node.wires[network_detail::at(number)];
            if (const int flits = wire.port == kNiuPort ? num_sent(number) : 0; flits != 0) {
                client_.data_flits_counted(step.index, front_packet(step.node, step.cold, wire.slot), flits);
            }
        }
    }
    [[nodiscard]] bool stream_is_steady(const Stream& stream, Cycle start) const;
    void free_buffer(Step& step, int slot, int port, LinkBlock sent);
    /// Flits of a virtual channel that there is room for downstream.
    [[nodiscard]] int flits_downstream_max() const {
        return parameters_.private_flits_per_virtual_channel + parameters_.shared_flits_per_virtual_channel_max;
    }
    /// Whether the shared pool downstream can become full within a block.
    [[nodiscard]] bool pool_can_fill(const Node& node, int port) const {
        return node.pool_used[network_detail::at(port)] + parameters_.block_cycles >=
               parameters_.shared_flits_per_input_port;
    }

    // Ports whose packets take turns in such blocks; turns.inl.
    enum class PortKind : std::uint8_t {
        tile,
        link,
        link_with_full_pool,  // the pool downstream may become full
    };
    struct Turns;
    void advance_in_turn(Step& step, Undisturbed& block, int first, int last);
    void advance_together(Step& step, Undisturbed& block, unsigned together);
    [[nodiscard]] Turns begin_turns(const Node& node, const Undisturbed& block, int first, int last, Cycle start) const;
    [[nodiscard]] PortKind port_kind(const Node& node, int port) const {
        return port == kNiuPort            ? PortKind::tile
               : pool_can_fill(node, port) ? PortKind::link_with_full_pool
                                           : PortKind::link;
    }
    template <PortKind kKind>
    int take_turn(Turns& turns, Node& node, int cycle, Tick tick, LinkBlock excluded) const;
    template <PortKind kKind>
    void take_turns(Turns& turns, Step& step, Undisturbed& block, int read) const;
    void end_turns(const Turns& turns, const Step& step, Undisturbed& block) const;

    // Where each port has one packet at most; straight.inl.
    bool step_straight(NodeIndex index, Cycle start);

    // Blocks that repeat; repetition.inl.
    struct Repetition;
    Outcome repeat_block(Step& step);
    void remember_block(Step& step, const Undisturbed& block, Outcome outcome);
    void end_repetition(NodeIndex index);

    // Blocks that need not even be repeated; leaps.inl.
    Outcome pass_repeated_block(Step& step);
    void take_promised(Step& step);
    void send_or_promise(Step& step);
    std::uint32_t words_to_promise(NodeIndex index, const Sent& sent, std::uint32_t same);
    [[nodiscard]] static std::uint32_t words_alike(const Sent& one, const Sent& other, std::uint32_t words);
    void give_promises(NodeIndex index, std::uint32_t words);
    void promise(NodeIndex index, int word);
    void wake_receiver(const Receiver& receiver);
    void take_back_promise(NodeIndex index, int word);
    [[nodiscard]] bool can_leap(NodeIndex index) const;
    [[nodiscard]] Cycle blocks_to_repeat(NodeIndex index) const;
    void make_up_for_leap(Step& step);
    /// The block that is being stepped.
    [[nodiscard]] Cycle stepped_block() const { return current_block_ - 1; }

    // Multicasts; multicast.inl.
    void look_at_multicast(NodeIndex index, Node& node, int slot, const Moment& now);
    /// Whether the front flit is one that reserves, and this router has not been asked yet.
    [[nodiscard]] bool asks_for_path(NodeIndex index, const Node& node, int slot) const;
    /// Whether the front flit of a multicast is one that reserves.
    [[nodiscard]] bool front_flit_reserves(NodeIndex index, const Node& node, int slot) const;
    /// Returns whether the flit that asks for the path goes on.
    bool reserve_path(Step& step, int slot, const Moment& now);
    /// Returns the ports that were used.
    unsigned send_multicast_flits(Step& step, const Moment& now);
    void send_multicast_flit(Step& step, int slot, unsigned ports, const Moment& now);
    [[nodiscard]] bool has_turn(NodeIndex index, const Node& node, int slot, unsigned ports, Cycle cycle) const;
    void enqueue_downstream(NodeIndex index, int slot, unsigned ports);
    void set_owned(NodeIndex index, Node& node, int slot, unsigned ports, bool owned);
    [[nodiscard]] unsigned tree_ports(NodeIndex index, const Packet& packet) const;
    /// The ports that the front flit of a multicast goes to.
    [[nodiscard]] unsigned front_flit_ports(NodeIndex index, const Node& node, int slot) const;
    /// The virtual channel that a multicast in `slot` has on the output `port`.
    [[nodiscard]] int multicast_channel(NodeIndex index, int slot, int port) const;
    [[nodiscard]] bool any_link_rests(const Node& node, unsigned ports, Cycle cycle) const;
    [[nodiscard]] bool multicast_has_space(NodeIndex index, const Node& node, int slot, unsigned ports) const;
    [[nodiscard]] bool multicast_can_progress(NodeIndex index, const Node& node) const;
    void signal(NodeIndex node, const Signal& signal);
    void reply(NodeIndex index, int slot, Cycle cycle, bool is_reserved, bool holds);
    void handle_signals(Step& step, const Moment& now);
    void take_reply(NodeIndex index, Node& node, const Signal& signal);
    void release_path(NodeIndex index, Node& node, int slot, Cycle cycle);
    void back_off(NodeIndex index, int slot, Cycle cycle);

    // waiting.inl.
    struct Place {
        NodeIndex node = 0;
        int slot = 0;

        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] std::vector<Place> waits_for(const Place& place) const;
    [[nodiscard]] WaitingPacket waiting_packet(const Place& place) const;

    std::array<Delay, kDelaysMax> delays_;  // num_delays_ different ones
    std::size_t num_delays_ = 0;
    const Topology topology_;
    const NetworkParameters parameters_;
    PacketPool& packets_;
    NetworkClient& client_;
    std::vector<Node> nodes_;
    std::vector<ColdNode> cold_;
    std::vector<Repetition> repetitions_;
    std::vector<Receivers> receivers_;  // [node]
    std::vector<Promise> promises_;     // [node * Traffic::kNumWords + word of Traffic]
    std::vector<LinkEnd> upstream_;     // [node * kPorts + input port]
    std::vector<LinkEnd> downstream_;   // [node * kPorts + output port]
    std::vector<Tree> trees_;
    std::vector<Cycle> lags_;            // [node]: cycles
    std::vector<NodeIndex> order_;       // in which routers are stepped
    std::vector<std::uint16_t> rank_;    // [node]: its place in that order
    LinkBlock block_mask_ = 0;           // the bytes of a LinkBlock that are cycles
    ChannelMask response_channels_ = 0;  // virtual channels of responses
    Cycle ring_blocks_ = 0;              // blocks of cycles that links hold, a power of two
    std::vector<Traffic> links_;         // what arrives, [block % ring_blocks_][rank]

    int mask_words_ = 0;
    std::vector<std::uint64_t> wake_masks_;       // [block % kWakeBlocks][word]: nodes to step in that block, by rank
    using FarWake = std::pair<Cycle, NodeIndex>;  // (block, node)
    std::priority_queue<FarWake, std::vector<FarWake>, std::greater<>> far_wakes_;
    Traffic* arriving_ = nullptr;                   // what arrives in the block that is being stepped, [rank]
    std::uint64_t* wakes_in_next_block_ = nullptr;  // [word]
    Cycle current_block_ = 0;
    std::uint32_t stepped_rank_ = kNoRank;  // of the router that is being stepped
    Cycle last_woken_block_ = 0;            // no router is to be stepped in later ones
    bool shortcuts_ = true;
    bool links_rest_ = false;   // now and then
    bool rests_once_ = true;    // in a block at most: shortcuts count on it
    bool singles_pass_ = true;  // packets of one flit, in the cycle in which they arrive, where nothing hinders them
    bool has_datelines_ = false;
    bool shares_credit_lane_ = false;  // see credit_lane()
    bool blocks_repeat_ = true;        // for long: tiles send and take a flit in each cycle; see repetition.inl
};

// Defined here, since they are called from several files for nearly every flit.

template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::wake_in_block(NodeIndex node, Cycle block) {
    if (block >= current_block_ + kWakeBlocks - 1) {  // the row of the block that is being stepped is in use
        far_wakes_.emplace(block, node);
        return;
    }
    last_woken_block_ = std::max(last_woken_block_, block);
    const int rank = rank_[node];
    wake_masks_[wake_row(block) + network_detail::at(rank / 64)] |= network_detail::bit(rank % 64);
}

template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::set_used(Node& node, int port, int channel, int used) {
    Output& output = node.outputs[network_detail::at(port)];
    std::uint16_t& pool_used = node.pool_used[network_detail::at(port)];
    const int used_before = output.used[network_detail::at(channel)];
    pool_used = static_cast<std::uint16_t>(pool_used + flits_in_pool(used) - flits_in_pool(used_before));
    set_used_beside_pool(output, channel, used);
}

template <int kPorts, int kVirtualChannels>
inline void BlockNetwork<kPorts, kVirtualChannels>::set_used_beside_pool(Output& output, int channel, int used) {
    output.used[network_detail::at(channel)] = static_cast<std::uint8_t>(used);
    const ChannelMask mask = ChannelMask{1} << channel;
    const bool is_below_private = used < parameters_.private_flits_per_virtual_channel;
    output.below_private = is_below_private ? output.below_private | mask : output.below_private & ~mask;
    output.below_limit = used < flits_downstream_max() ? output.below_limit | mask : output.below_limit & ~mask;
}

}  // namespace nocbench
