// The state of a router. There are no flit objects. An input VC has two counts, of flits and of those left of the
// packet at its front, and a queue of packet ids. An id is pushed into the downstream queue when the output virtual
// channel is granted, before the first flit can arrive. A virtual channel has one owner at a time: ids have the order
// of flits.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "device_model/noc/engine/link_words.h"
#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"

namespace nocbench::engine {

using InputVcMask = std::uint64_t;
using ChannelMask = std::uint32_t;

inline constexpr unsigned kNiuBit = 1U << kNiuPort;
inline constexpr int kQueueSize = 32;  // packet ids in one input virtual channel
inline constexpr std::uint8_t kDynamic = 0x80;
inline constexpr std::uint8_t kNotGranted = 0xff;

/// Bits of Node::ports_pending.
inline constexpr unsigned kChangesBit = 0x80;   // an output is turning, or waits for its release
inline constexpr unsigned kReleasedBit = 0x40;  // a tail of this cycle has released an output

inline constexpr int kActiveVcsMax = 12;
inline constexpr int kActiveVcsOfPortMax = 8;
inline constexpr std::uint8_t kNoActiveVc = 0xff;

constexpr ChannelMask channel_bit(int channel) { return ChannelMask{1} << channel; }

constexpr bool is_one_bit(std::uint64_t mask) { return mask != 0 && (mask & (mask - 1)) == 0; }

struct InputVc {
    std::uint16_t flits = 0;                 // in the buffer
    std::uint16_t flits_left = 0;            // of the packet at the front; 0: no packet has been looked at
    std::uint8_t output_port = kNotGranted;  // of a unicast, once a virtual channel has been granted
    std::uint8_t output_channel = 0;         // wanted (with kDynamic) until granted, then owned
    std::uint8_t queue_head = 0;
    std::uint8_t queue_tail = 0;

    void pop_packet() {
        // An empty queue begins anew, so that few lines of memory are used. No branch: it would be mispredicted.
        const auto head = as_byte(queue_head + 1);
        const auto keep = as_byte(head == queue_tail ? 0 : 0xff);
        queue_head = head & keep;
        queue_tail &= keep;
    }
};

/// The packet that a tile sends through an input VC of its router.
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

    void begin(PacketId new_packet, std::uint16_t new_flits, Cycle new_start, Tick new_ticks_per_flit) {
        packet = new_packet;
        flits = new_flits;
        issued = 0;
        start = new_start;
        pacer.next_tick = ticks_from_cycles(new_start);
        ticks_per_flit = new_ticks_per_flit;
    }
};

/// A packet that owns a virtual channel of an output, with all that changes while it flows.
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

/// Messages between routers about the reservation of a tree, in the order in which those of one cycle are handled.
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

/// The output of a unicast packet, and its own virtual channel there.
struct Way {
    int port = 0;
    int channel = 0;
};

/// The state of a router of a shape. All its input VCs fit into one 64-bit mask.
template <int kPorts, int kVirtualChannels>
struct RouterState {
    static constexpr int kNumInputVcs = kPorts * kVirtualChannels;
    static_assert(kNumInputVcs <= 64 && kPorts <= 8 && kQueueSize <= 0xff);
    static_assert(1U << (kPorts - 1) < kReleasedBit);

    static constexpr InputVcMask input_vcs_of(int input_port) {
        return (bit(kVirtualChannels) - 1) << (input_port * kVirtualChannels);
    }
    /// Indices of Node::active_vc_of.
    static constexpr std::size_t of_input_vc(int input_vc) { return at(input_vc); }
    static constexpr std::size_t of_output(int port, int channel) {
        return at(kNumInputVcs + port * kVirtualChannels + channel);
    }

    /// An output port. Masks are over its virtual channels. Flits of active VCs are counted there, while they are
    /// tracked.
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

    struct alignas(64) Node {
        InputVcMask multicast = 0;   // input VCs whose front packet is a multicast that owns its outputs and may move
        Cycle signal_wake = kNever;  // when the first of ColdNode::signals is due
        Cycle interface_wake = kNever;
        Cycle quiet_until =
            0;  // while active VCs are tracked: windows that end by then are steady, unless a head comes
        std::uint32_t steady_from = 0;  // the window, modulo 2^32, from which on it is looked whether windows are
        std::uint32_t active_streams = 0;
        ChannelMask heads_to_eject = 0;  // virtual channels to the tile whose packet's header has not gone yet
        ChannelMask data_channels = ~ChannelMask{0};  // to the tile: whose data flits go, at a metered node
        ChannelMask blocked_channels = 0;             // to the tile, which takes no flits of them
        std::uint8_t ports_with_flits = 0;            // bit per output that has flits of unicasts
        std::uint8_t ports_pending = 0;               // ... of which virtual channels are pending; and kChangesBit etc.
        std::uint8_t datelines = 0;                   // ... that crosses a dateline
        bool metered = false;
        bool counted = false;
        std::uint8_t last_stream = 0;
        std::uint8_t last_multicast = 0;                // input VC of the multicast that sent a flit last
        std::array<std::uint8_t, kPorts> last_sent{};   // virtual channel, by output port
        std::array<std::uint16_t, kPorts> pool_used{};  // flits downstream beyond private buffers, by output port
        // The packets that own virtual channels, by output port; see active_vcs.h.
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
        /// By of_input_vc() and of_output().
        std::array<std::uint8_t, 2 * at(kNumInputVcs)> active_vc_of{};
        std::array<Output, kPorts> outputs{};
        std::array<InputVc, kNumInputVcs> input_vcs{};

        void set_has_flit(int port, ChannelMask channels) {
            outputs[at(port)].has_flit |= channels;
            ports_with_flits = as_byte(ports_with_flits | 1U << port);
        }
        void clear_has_flit(int port, ChannelMask channels) {
            Output& output = outputs[at(port)];
            output.has_flit &= ~channels;
            ports_with_flits = as_byte(ports_with_flits & ~(std::uint32_t{output.has_flit == 0} << port));
        }
        /// `channels` are free, and perhaps wanted.
        void set_pending(int port, ChannelMask channels) {
            Output& output = outputs[at(port)];
            output.pending |= channels;
            if (output.pending != 0) {
                ports_pending = as_byte(ports_pending | 1U << port);
            }
        }
        /// Flits of the packet that owns a virtual channel may leave from now on.
        void begin_flits(int port, int channel) {
            InputVc& input_vc = input_vcs[at(outputs[at(port)].owner[at(channel)])];
            input_vc.output_port = as_byte(port);
            if (input_vc.flits != 0) {
                set_has_flit(port, channel_bit(channel));
            }
        }
        /// A virtual channel has no owner any more.
        void free_channel(int port, int channel) {
            Output& output = outputs[at(port)];
            output.owned &= ~channel_bit(channel);
            if (output.waiting != 0) {
                set_pending(port, channel_bit(channel));
            }
        }
    };
    // At such a distance from each other, routers would have the same places of a cache.
    static_assert(sizeof(Node) % 1024 != 0);

    struct alignas(64) ColdNode {
        /// [place][input_vc]: most queues are short, so that few lines of memory are used.
        std::array<std::array<PacketId, kNumInputVcs>, kQueueSize> queue{};
        std::array<Stream, kVirtualChannels> streams{};
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

    /// A router while it is stepped through a window of cycles.
    struct Step {
        NodeIndex index;
        Node& node;
        ColdNode& cold;
        Cycle start;
        Traffic<kPorts>& in;  // arrives in the window
        Sent<kPorts>& sent;   // leaves in it
        // By cycle, a byte each: bit per port at which a flit, and bit per port and lane at which a credit arrives.
        LinkWindow flits_arriving = 0;
        std::array<LinkWindow, LinkWords<kPorts>::kCreditBytes> credits_arriving{};
    };
};

}  // namespace nocbench::engine
