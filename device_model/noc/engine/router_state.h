// The state of a router, and what links bring to it and take away. window_network.h has the class that steps it.
//
// There are no flit objects. A link carries one byte per cycle (the virtual channel of the flit). An input VC is a
// count of flits, a count of flits left of the packet at its front, and a queue of packet ids. The id is pushed into
// the downstream queue when the output virtual channel is granted, which is before the packet's first flit can arrive.
// A virtual channel has one owner at a time, so the order of ids is the order of flits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "device_model/noc/bits.h"
#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Ports and virtual channels are compile-time constants of a shape, so that all input VCs of a router fit into one
/// 64-bit mask.
template <int kPorts, int kVirtualChannels>
struct RouterState {
    static_assert(kPorts * kVirtualChannels <= 64);

    static constexpr int kNumStreams = kVirtualChannels;
    using InputVcMask = std::uint64_t;
    using ChannelMask = std::uint32_t;
    static constexpr int kNumInputVcs = kPorts * kVirtualChannels;  // input virtual channels of a router
    static constexpr int kQueueSize = 32;                           // packet ids in one input virtual channel
    static constexpr std::uint8_t kDynamic = 0x80;
    static constexpr std::uint8_t kNotGranted = 0xff;
    static constexpr int kPrecedencesGivenMax = 2;  // by a multicast, one after the other

    /// What a link brings in one window of cycles: a byte per cycle, 0 or the virtual channel + 1.
    using LinkWindow = std::uint64_t;
    static_assert(Network::kWindowCyclesMax == sizeof(LinkWindow));

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

    /// Bits of Node::ports_pending. An output is turning, or waits for its release; a tail of this cycle has released
    /// an output.
    static constexpr unsigned kChangesBit = 0x80;
    static constexpr unsigned kReleasedBit = 0x40;
    static_assert(1U << (kPorts - 1) < kReleasedBit);

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
        std::uint8_t ports_pending = 0;               // ... of which virtual channels are pending; and the bits below
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
        std::uint8_t num_read = 0;  // active VCs that are read from the tile
        Pacer source;               // of flits that are read out of the tile
        Pacer sink;                 // of those that go to it
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

    /// An output virtual channel that changes hands, and is done with it in a cycle to come.
    struct Change {
        Cycle cycle = 0;
        std::uint8_t port = 0;
        std::uint8_t channel = 0;
        bool is_turn = false;  // to the packet that has got it; otherwise, from one that has left, to nobody
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
        std::vector<Change> changes;                 // while outputs change hands in more than a cycle
        std::array<ChannelMask, kPorts> released{};  // by output port: by tails of this cycle, if released at once
        InputVcMask come_to_front = 0;               // input VCs whose packet has, behind one of these tails
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
};

}  // namespace nocbench
