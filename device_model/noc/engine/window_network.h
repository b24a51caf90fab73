// One network on chip, flit by flit: routers with virtual channels, credits and wormhole switching, stepped in windows
// of cycles.
//
// There are no flit objects. A link carries one byte per cycle (which virtual channel the flit is on); an input virtual
// channel is a count of flits, a count of flits left of the packet at its front, and a queue of packet ids. The id is
// pushed into the downstream queue when the output virtual channel is granted, which is before its first flit can
// arrive; a virtual channel has one owner at a time, so the order of ids is the order of flits.
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

#include "device_model/noc/bits.h"
#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/engine/window_arithmetic.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/stepping_order.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Ports and virtual channels are compile-time constants of a shape, so that all input virtual channels of a router fit
/// into one 64-bit mask.
template <int kPorts, int kVirtualChannels>
class WindowNetwork final : public Network {
    static_assert(kPorts * kVirtualChannels <= 64);

public:
    static constexpr int kNumStreams = kVirtualChannels;
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
    [[nodiscard]] std::vector<WaitingPacket> find_wait_for_cycle() override;
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override;
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

private:
    using InputVcMask = std::uint64_t;
    using ChannelMask = std::uint32_t;
    static constexpr int kNumInputVcs = kPorts * kVirtualChannels;  // input virtual channels of a router
    static constexpr int kQueueSize = 32;                           // packet ids in one input virtual channel
    static constexpr int kWakeWindows = 64;  // windows ahead that a wake-up can be noted for without a heap
    static constexpr std::uint8_t kDynamic = 0x80;
    static constexpr std::uint8_t kNotGranted = 0xff;
    static constexpr std::uint32_t kNoRank = UINT32_MAX;
    static constexpr int kDelaysMax = 16;           // of what is sent, between routers of different time skews
    static constexpr int kPrecedencesGivenMax = 2;  // by a multicast, one after the other

    /// What a link brings in one window of cycles: a byte per cycle, 0 or the virtual channel + 1.
    using LinkWindow = std::uint64_t;
    static_assert(kWindowCyclesMax == sizeof(LinkWindow));

    struct InputVc {
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
        Pacer pacer;
        Tick ticks_per_flit = 0;
        // The packet that follows.
        PacketId next_packet = 0;
        std::uint16_t next_flits = 0;  // 0: there is none
        Cycle next_start = 0;
        Tick next_ticks_per_flit = 0;
    };

    static constexpr int kActiveVcsMax = 12;
    static constexpr int kActiveVcsOfPortMax = 8;
    static constexpr int kHeadsMax = 4;  // of packets that begin in a window, unless it is stepped cycle by cycle
    static constexpr std::uint8_t kNoActiveVc = 0xff;

    /// An output port of a router. Masks are over its virtual channels. While the router tracks active VCs, flits of
    /// packets that own a virtual channel, and those downstream, are counted in their ActiveVc instead.
    struct Output {
        ChannelMask has_flit = 0;       // owned by a unicast that has a flit in its buffer
        ChannelMask below_private = 0;  // fewer flits downstream than fit into the private buffer ...
        ChannelMask below_limit = 0;    // ... and than one virtual channel may have, the shared pool included
        ChannelMask owned = 0;
        ChannelMask pending = 0;                            // free, or freed, and perhaps wanted by a packet that waits
        InputVcMask waiting = 0;                            // input VCs whose front packet waits for a virtual channel
        std::array<std::uint8_t, kVirtualChannels> used{};  // flits downstream
        std::array<std::uint8_t, kVirtualChannels> owner{};  // input VC that owns it, or was the last to do so
    };

    /// A packet that owns a virtual channel of an output, with all that changes while it flows and where its flits and
    /// credits go: a few bytes, one after the other, where input VCs and outputs are spread over many lines of memory.
    struct ActiveVc {
        std::uint8_t input_vc = 0;
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
        InputVcMask multicast = 0;   // input VCs whose front packet is a multicast that owns its outputs and may move
        Cycle signal_wake = kNever;  // when the first of ColdNode::signals is due
        Cycle interface_wake = kNever;
        Cycle quiet_until =
            0;  // while active VCs are tracked: windows that end by then are steady, unless a head arrives
        std::uint32_t steady_from = 0;  // the window, modulo 2^32, from which on it is looked whether windows are
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
        std::uint8_t last_multicast = 0;                // input VC of the multicast that sent a flit last
        std::array<std::uint8_t, kPorts> last_sent{};   // virtual channel, by output port
        std::array<std::uint16_t, kPorts> pool_used{};  // flits downstream beyond private buffers, by output port
        // The packets that own virtual channels, by output port; see steady_state.inl.
        bool tracks_active_vcs = false;        // the following are up to date, and input VCs and outputs are not
        bool active_vcs_interact = false;      // of different ports
        bool is_conflict_free = false;         // each input port has one at most, and so has each output port
        std::uint8_t windows_until_tried = 0;  // twice the wait before steady_from
        std::uint8_t num_active_vcs = 0;
        std::uint8_t num_read = 0;     // active VCs that are read from the tile
        std::uint8_t stream_read = 0;  // for the last of them
        // See memoised_windows.inl.
        bool repeats = false;                 // windows repeat: the state is not kept up meanwhile
        std::uint8_t remembered = 0;          // which of its windows is the last one
        std::uint8_t windows_remembered = 0;  // 2 at most
        // See fast_forward.inl.
        bool fast_forwards = false;       // over windows, which are made up for when it is stepped again
        bool has_fast_forwarded = false;  // since it has given the first of its guarantees
        std::uint8_t windows_without_guarantee = 0;
        std::uint32_t guaranteed = 0;  // bit per word of Traffic: its sender has, or had until lately, guaranteed it
        std::uint32_t guarantees = 0;  // bit per word of Sent that it has guaranteed
        std::uint32_t words_repeated = 0;  // of Sent: in the last window as in the one two windows before it
        Cycle guarantees_from = 0;         // the window from which on it gives some
        Pacer source;                      // of flits that are read out of the tile
        Pacer sink;                        // of those that go to it
        std::uint32_t source_ticks_per_data_flit = kTicksPerCycle;
        std::uint32_t sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<ConsecutiveFlits, kPorts - 1> link_use{};  // by output port to another router, while links idle
        std::array<ActiveVc, kActiveVcsMax> active_vcs{};
        /// By input virtual channel and, from kNumInputVcs on, by output virtual channel; see of_input_vc() and
        /// of_output().
        std::array<std::uint8_t, 2 * network_detail::at(kNumInputVcs)> active_vc_of{};
        std::array<Output, kPorts> outputs{};
        std::array<InputVc, kNumInputVcs> input_vcs{};
    };
    // At such a distance from each other, routers would have the same places of a cache.
    static_assert(sizeof(Node) % 1024 != 0);
    static_assert(kPorts <= 8 && kQueueSize <= std::numeric_limits<std::uint8_t>::max());

    /// What links bring to a router in a window of cycles, or what it sends. Flits that leave a router in the same
    /// cycle through several outputs may come from one input port, so credits have a lane for each of them.
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
        std::array<LinkWindow, kNumWords> words;

        /// Most words that come or are sent are before this one, and whether one of them is there is hard to foresee.
        static constexpr int kOften = kPorts + 4;

        Traffic() { words.fill(0); }
        void add(int word, LinkWindow bytes) {
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

    /// What a router sends in a window, in words of which those that are not 0 are there at all: numbered as those of
    /// Traffic, by its own ports. Flits of port 0 are those read out of the tile, which it receives itself.
    struct Sent {
        std::uint32_t present = 0;
        std::array<LinkWindow, Traffic::kNumWords>
            words;  // of those from kOften on, only those present are initialised

        Sent() { network_detail::clear_words(words, std::make_index_sequence<Traffic::kOften>()); }
        void add(int word, LinkWindow bytes) {
            LinkWindow& sent = words[network_detail::at(word)];
            sent = (word < Traffic::kOften ? sent : of_word(word)) | bytes;
            present |= std::uint32_t{1} << word;
        }
        [[nodiscard]] LinkWindow of_word(int word) const {
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

    /// What a link will bring in each window, or in every other one, until its sender says otherwise.
    struct Guarantee {
        std::array<LinkWindow, 2> words{};  // in even and in odd windows
        Cycle first_window = 0;
        Cycle end_window = 0;
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
        std::uint8_t input_vc = 0;  // of the receiving router; of a credit or a reply: the output port and ...
        std::uint8_t channel = 0;   // ... the virtual channel it concerns
        bool is_reserved = false;   // a reply: all of the tree from there on
        bool holds = false;         // a reply: the router's own outputs, at least

        auto operator<=>(const Signal&) const = default;
    };

    /// A reservation that passed an input VC on its way down the tree.
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
        /// [place][input_vc]: most queues are short, so that few lines of memory are used.
        std::array<std::array<PacketId, kNumInputVcs>, kQueueSize> queue{};
        std::array<Stream, kNumStreams> streams{};
        std::array<std::uint64_t, kPorts> flits_sent{};
        std::uint64_t flits_injected = 0;
        std::vector<Signal> signals;  // in order
        Tick multicast_sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<PathReservation, kNumInputVcs> reservations{};
        std::array<std::uint8_t, kNumInputVcs> precedences_given{};  // by a multicast to others, since its last flit
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
        int offset = 0;  // within its window
    };

    /// Where a unicast packet leaves a router.
    struct Way {
        int port = 0;
        int channel = 0;
    };

    /// Packets of one flit that leave a router in the cycle in which they arrive.
    struct Bypass {
        struct Single {
            PacketId packet;
            std::uint8_t input_vc;
            std::uint8_t channel;
        };
        std::uint32_t ports = 0;             // output ports that they go through
        std::uint32_t ports_asked = 0;       // output ports for which others may have come in the same cycle
        std::array<Single, kPorts> packets;  // by output port; not initialised
    };

    /// A latency, cut into whole windows and the cycles that are left; and where that is: what a router sends in a
    /// window is received in one or two later ones.
    struct alignas(64) Delay {
        Cycle windows = 0;
        int bits = 0;         // of a LinkWindow: the cycles that are left
        int bits_before = 0;  // those that are not, but for one
        std::array<Traffic*, 2> traffic{};
        std::array<std::uint64_t*, 2> wakes{};

        /// What is received in the later window, of what has been sent in one.
        [[nodiscard]] LinkWindow in_later(LinkWindow bytes) const { return bytes >> 8 >> bits_before; }
    };

    /// A router while it is stepped through a window of cycles.
    struct Step {
        NodeIndex index;
        Node& node;
        ColdNode& cold;
        Cycle start;
        Traffic& in;  // arrives in the window
        Sent& sent;   // leaves in it
        // Where cycles are stepped one by one, a byte for each of them: bit per port at which a flit arrives; and bit
        // per port and lane at which a credit does.
        LinkWindow flits_arriving = 0;
        std::array<LinkWindow, Traffic::kCreditBytes> credits_arriving{};
    };

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
    /// Of words that are guaranteed from this window on, what arrives in the later one is guaranteed already.
    void put_on_link(NodeIndex index, int word, LinkWindow bytes, std::uint32_t words_guaranteed = 0);
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
    /// One cycle of a router. Returns whether another one can do anything even if nothing arrives in it. Compilers do
    /// not inline this by themselves, nor bypass_router(): a twentieth more instructions with packets of one flit.
    [[gnu::always_inline]] inline bool step_cycle(Step& step, const Moment& now);
    bool take_flit(Node& node, int input_vc);
    void take_head(Step& step, int input_vc, const Moment& now, Bypass& bypass);
    [[gnu::always_inline]] inline bool bypass_router(Step& step, int port, const Bypass& bypass, unsigned used_inputs,
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
    void grant_virtual_channels(NodeIndex index, Node& node, int port);
    void grant(NodeIndex index, Node& node, int port, int channel, int input_vc);
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
    [[nodiscard]] ChannelMask wanted_channels(const InputVc& input_vc) const {
        const int channel = input_vc.output_channel & ~kDynamic;
        return (input_vc.output_channel & kDynamic) == 0 ? ChannelMask{1} << channel : group_of(channel);
    }
    /// The virtual channel that a packet which waits for one has if it is free.
    [[nodiscard]] static ChannelMask own_channel(const InputVc& input_vc) {
        return ChannelMask{1} << (input_vc.output_channel & ~kDynamic);
    }
    /// Gives a free virtual channel of an output to one of the packets that wait for it, if there are any.
    void grant_round_robin(NodeIndex index, Node& node, int port, int channel, InputVcMask candidates);
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
    void note_read(int stream, ActiveVcWindow& lane, LinkWindow& injected, LinkWindow read) const;
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
    void free_buffer(Step& step, int input_vc, int port, LinkWindow sent);
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

    // Windows that repeat; memoised_windows.inl.
    struct Repetition;
    Outcome repeat_window(Step& step);
    void remember_window(Step& step, const SteadyState& window, Outcome outcome);
    void end_repetition(NodeIndex index);

    // Windows that need not even be repeated; fast_forward.inl.
    Outcome repeat_or_fast_forward(Step& step);
    void take_guaranteed(Step& step);
    void send_or_guarantee(Step& step);
    std::uint32_t words_to_guarantee(NodeIndex index, const Sent& sent, std::uint32_t same);
    [[nodiscard]] static std::uint32_t words_alike(const Sent& one, const Sent& other, std::uint32_t words);
    void give_guarantees(NodeIndex index, std::uint32_t words);
    void guarantee(NodeIndex index, int word);
    void wake_receiver(const Receiver& receiver);
    void withdraw_guarantee(NodeIndex index, int word);
    [[nodiscard]] bool can_fast_forward(NodeIndex index) const;
    [[nodiscard]] Cycle windows_to_repeat(NodeIndex index) const;
    void catch_up(Step& step);
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

    // wait_for_graph.inl.
    struct Place {
        NodeIndex node = 0;
        int input_vc = 0;

        bool operator==(const Place&) const = default;
    };
    [[nodiscard]] std::vector<Place> waits_for(const Place& place) const;
    [[nodiscard]] WaitingPacket waiting_packet(const Place& place) const;

    std::array<Delay, kDelaysMax> delays_;  // num_delays_ different ones
    std::size_t num_delays_ = 0;
    const Topology topology_;
    const NetworkParameters parameters_;
    const BufferSpace space_;  // downstream
    PacketPool& packets_;
    NetworkClient& client_;
    std::vector<Node> nodes_;
    std::vector<ColdNode> cold_;
    std::vector<Repetition> repetitions_;
    std::vector<Receivers> receivers_;   // [node]
    std::vector<Guarantee> guarantees_;  // [node * Traffic::kNumWords + word of Traffic]
    std::vector<LinkEnd> upstream_;      // [node * kPorts + input port]
    std::vector<LinkEnd> downstream_;    // [node * kPorts + output port]
    std::vector<Tree> trees_;
    std::vector<Cycle> skews_;           // [node]: cycles
    std::vector<NodeIndex> order_;       // in which routers are stepped
    std::vector<std::uint16_t> rank_;    // [node]: its place in that order
    LinkWindow window_mask_ = 0;         // the bytes of a LinkWindow that are cycles
    ChannelMask response_channels_ = 0;  // virtual channels of responses
    Cycle ring_windows_ = 0;             // windows of cycles that links hold, a power of two
    std::vector<Traffic> links_;         // what arrives, [window % ring_windows_][rank]

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
    bool windows_repeat_ = true;       // for long: tiles send and take a flit in each cycle; see memoised_windows.inl
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
