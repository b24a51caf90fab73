// State of a router. There are no flit objects: an input VC counts its flits and the remaining flits of the packet at
// its front, and has a queue of packet ids. An id is pushed into the downstream queue when the output virtual channel
// is granted, before the first flit can arrive. A virtual channel has one owner at a time, therefore the order of ids
// is the order of flits.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "device_model/noc/engine/link_words.h"
#include "device_model/noc/engine/router_rules.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"

namespace nocbench::engine {

using ChannelMask = std::uint32_t;

inline constexpr unsigned kNiuBit = 1U << kNiuPort;
inline constexpr int kQueueSize = 32;  // packet ids of one input virtual channel
inline constexpr std::uint8_t kDynamic = 0x80;
inline constexpr std::uint8_t kNotGranted = 0xff;

/// Bits of Node::ports_pending.
inline constexpr unsigned kChangesBit = 0x80;   // an output VC changes hands or is being released
inline constexpr unsigned kReleasedBit = 0x40;  // a tail has released an output in this cycle
inline constexpr unsigned kUnroutedBit = 0x20;  // a packet has yet to choose among outputs (adaptive routing)

inline constexpr int kActiveVcsMax = 12;
inline constexpr int kActiveVcsOfPortMax = 8;
inline constexpr std::uint8_t kNoActiveVc = 0xff;

constexpr ChannelMask channel_bit(int channel) { return ChannelMask{1} << channel; }

template <class Mask>
constexpr bool is_one_bit(const Mask& mask) {
    return mask != 0 && without_first_bit(mask) == 0;
}

struct InputVc {
    std::uint16_t flits = 0;                 // in the buffer
    std::uint16_t flits_left = 0;            // of the packet at the front; 0: none has been looked at
    std::uint8_t output_port = kNotGranted;  // of a unicast whose virtual channel has been granted
    std::uint8_t output_channel = 0;         // requested (with kDynamic), after the grant owned
    std::uint8_t queue_head = 0;
    std::uint8_t queue_tail = 0;

    void pop_packet() {
        // Resetting an empty queue keeps the number of used cache lines small. A branch would be mispredicted.
        const auto head = as_byte(queue_head + 1);
        const auto keep = as_byte(head == queue_tail ? 0 : 0xff);
        queue_head = head & keep;
        queue_tail &= keep;
    }
};

/// Packet that a tile sends through an input VC of its router.
struct Stream {
    PacketId packet = 0;
    std::uint16_t flits = 0;      // of the packet; 0: free
    std::uint16_t in_buffer = 0;  // flits read and not yet sent by the router, of this packet and earlier ones
    FlitsRead read;
    Cycle start = 0;
    Pacer pacer;
    Tick ticks_per_flit = 0;
    PacketId next_packet = 0;
    std::uint16_t next_flits = 0;  // 0: none
    Cycle next_start = 0;
    Tick next_ticks_per_flit = 0;

    void begin(PacketId new_packet, std::uint16_t new_flits, Cycle new_start, Tick new_ticks_per_flit) {
        packet = new_packet;
        flits = new_flits;
        read.flits = 0;
        start = new_start;
        pacer.next_tick = ticks_from_cycles(new_start);
        ticks_per_flit = new_ticks_per_flit;
    }
};

/// Packet that owns a virtual channel of an output, with all state that changes while its flits flow.
struct ActiveVc {
    std::uint8_t input_vc = 0;
    std::uint8_t port = 0;
    std::uint8_t channel = 0;
    std::uint8_t input_port = 0;
    bool is_read_from_tile = false;  // still being read from the tile
    std::uint8_t flits = 0;          // in the buffer
    std::uint8_t used = 0;           // flits downstream
    std::uint8_t flits_word = 0;     // number in Sent, unless the packet goes to the tile
    std::uint8_t credits_word = 0;   // number in Sent, unless the packet comes from the tile
    std::uint16_t flits_left = 0;    // of the packet
};

/// Messages between routers about the reservation of a tree. A router handles the messages of a cycle in this order.
enum class SignalKind : std::uint8_t {
    credit,   // from downstream: a reservation that ended there has left its buffer
    release,  // from upstream: release the outputs
    reply,    // from downstream: result of the reservation
    granted,  // at the source: the packet may go
    retry,    // at the source: try the reservation again
};

struct Signal {
    Cycle cycle = 0;
    SignalKind kind = SignalKind::release;
    std::uint8_t input_vc = 0;  // of the receiving router; for credits and replies: the output port
    std::uint8_t channel = 0;   // for credits and replies: the virtual channel
    bool is_reserved = false;   // for replies: the whole subtree is reserved
    bool holds = false;         // for replies: at least the router's own outputs are reserved

    auto operator<=>(const Signal&) const = default;
};

/// Pending change of the owner of an output virtual channel.
struct Change {
    Cycle cycle = 0;
    std::uint8_t port = 0;
    std::uint8_t channel = 0;
    bool is_turn = false;  // granted to a packet; otherwise released by one
};

/// Reservation that has passed an input VC on its way down the tree.
struct PathReservation {
    std::uint8_t replies_missing = 0;
    std::uint8_t holding = 0;  // bit per output port: routers behind the port hold outputs
    bool is_owned = false;     // outputs of this router are reserved
    bool has_failed = false;
    std::uint8_t attempts = 0;  // at the source
    Cycle requested = 0;        // at the source: cycle of the first attempt
};

struct Tree {
    std::vector<std::uint8_t> outputs;  // [node], bit per output port
    Cycle grant_cycles = 0;
};

struct LinkEnd {
    NodeIndex node = 0;
    std::uint8_t port = 0;
};

/// Cycle that a router is being stepped through.
struct Moment {
    Cycle cycle = 0;
    int offset = 0;  // within the router's window
};

/// Output of a unicast packet, and its own virtual channel there.
struct Way {
    int port = 0;
    int channel = 0;
};

/// State of a router with the given numbers of ports and virtual channels. All its input VCs fit into one mask, which
/// is an integer if 64 bits suffice.
template <int kPorts, int kVirtualChannels>
struct RouterState {
    static constexpr int kNumInputVcs = kPorts * kVirtualChannels;
    static constexpr bool kIsWide = kNumInputVcs > 64;
    static_assert(kNumInputVcs < kNotGranted && kPorts <= 8 && kQueueSize <= 0xff);
    static_assert(kVirtualChannels <= std::numeric_limits<ChannelMask>::digits);
    static_assert(kVirtualChannels < kDynamic);
    static_assert(1U << (kPorts - 1) < kUnroutedBit);

    using InputVcMask = std::conditional_t<kIsWide, network_detail::WideBits<(kNumInputVcs + 63) / 64>, std::uint64_t>;

    static constexpr InputVcMask input_vc_bit(int input_vc) {
        if constexpr (kIsWide) {
            return InputVcMask::of_bit(input_vc);
        } else {
            return bit(input_vc);
        }
    }
    static constexpr InputVcMask input_vcs_of(int input_port) {
        return InputVcMask{bit(kVirtualChannels) - 1} << (input_port * kVirtualChannels);
    }
    /// Indices of Node::active_vc_of.
    static constexpr std::size_t of_input_vc(int input_vc) { return at(input_vc); }
    static constexpr std::size_t of_output(int port, int channel) {
        return at(kNumInputVcs + port * kVirtualChannels + channel);
    }

    /// Output port. Masks are over its virtual channels. Counts of flits of tracked active VCs are in ActiveVc instead.
    struct Output {
        ChannelMask has_flit = 0;       // owned by a unicast that has a flit in its buffer
        ChannelMask below_private = 0;  // fewer flits downstream than the private buffer holds
        ChannelMask below_limit = 0;    // fewer flits downstream than the maximum of a virtual channel, shared pool
                                        // included
        ChannelMask owned = 0;
        ChannelMask pending = 0;                             // free or just freed, and possibly requested by a packet
        InputVcMask waiting = 0;                             // input VCs whose front packet requests a virtual channel
        std::array<std::uint8_t, kVirtualChannels> used{};   // flits downstream
        std::array<std::uint8_t, kVirtualChannels> owner{};  // input VC that owns it, or owned it last
    };

    struct alignas(64) Node {
        InputVcMask multicast = 0;   // input VCs whose front packet is a multicast that owns its outputs and may move
        Cycle signal_wake = kNever;  // cycle of the first of ColdNode::signals
        Cycle interface_wake = kNever;
        Cycle quiet_until =
            0;  // while active VCs are tracked: windows that end by this cycle are steady, unless a head arrives
        std::uint32_t steady_from = 0;  // window, modulo 2^32, from which on windows are tried as steady
        std::uint32_t active_streams = 0;
        ChannelMask heads_to_eject = 0;  // virtual channels to the tile whose packet's header has not left yet
        ChannelMask data_channels = ~ChannelMask{0};  // virtual channels whose data flits a metered tile accepts
        ChannelMask blocked_channels = 0;             // virtual channels whose flits the tile does not accept
        std::uint8_t ports_with_flits = 0;            // bit per output that has flits of unicasts
        std::uint8_t ports_pending = 0;               // bit per output with pending virtual channels; kChangesBit,
                                                      // kReleasedBit, kUnroutedBit
        std::uint8_t datelines = 0;                   // bit per output that crosses a dateline
        bool metered = false;
        bool counted = false;
        std::uint8_t last_stream = 0;
        std::uint8_t last_multicast = 0;                // input VC of the multicast that sent the last flit
        std::array<std::uint8_t, kPorts> last_sent{};   // virtual channel of the last flit, by output port
        std::array<std::uint16_t, kPorts> pool_used{};  // flits downstream beyond private buffers, by output port
        // Packets that own virtual channels, by output port (active_vcs.h).
        bool tracks_active_vcs = false;        // the following are up to date, input VCs and outputs are not
        bool active_vcs_interact = false;      // active VCs of different ports interact
        bool is_conflict_free = false;         // each input port and each output port has one packet at most
        std::uint8_t windows_until_tried = 0;  // twice the wait before steady_from
        std::uint8_t num_active_vcs = 0;
        std::uint8_t num_read = 0;  // active VCs that are read from the tile
        Pacer source;               // paces flits read from the tile
        Pacer sink;                 // paces flits to the tile
        std::uint32_t source_ticks_per_data_flit = kTicksPerCycle;
        std::uint32_t sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<ConsecutiveFlits, kPorts - 1> link_use{};  // by output port to another router, if links idle
        std::array<ActiveVc, kActiveVcsMax> active_vcs{};
        /// Indexed with of_input_vc() and of_output().
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
        /// Marks `channels` as free and possibly requested.
        void set_pending(int port, ChannelMask channels) {
            Output& output = outputs[at(port)];
            output.pending |= channels;
            if (output.pending != 0) {
                ports_pending = as_byte(ports_pending | 1U << port);
            }
        }
        /// Lets flits of the packet that owns a virtual channel leave from now on.
        void begin_flits(int port, int channel) {
            InputVc& input_vc = input_vcs[at(outputs[at(port)].owner[at(channel)])];
            input_vc.output_port = as_byte(port);
            if (input_vc.flits != 0) {
                set_has_flit(port, channel_bit(channel));
            }
        }
        /// Removes the owner of a virtual channel.
        void free_channel(int port, int channel) {
            Output& output = outputs[at(port)];
            output.owned &= ~channel_bit(channel);
            if (output.waiting != 0) {
                set_pending(port, channel_bit(channel));
            }
        }
    };
    // Routers at a multiple of 1024 bytes from each other would share cache sets.
    static_assert(sizeof(Node) % 1024 != 0);

    struct alignas(64) ColdNode {
        /// [slot][input_vc]: most queues are short, so that few cache lines are used.
        std::array<std::array<PacketId, kNumInputVcs>, kQueueSize> queue{};
        std::array<Stream, kVirtualChannels> streams{};
        std::array<std::uint64_t, kPorts> flits_sent{};
        std::uint64_t flits_injected = 0;
        std::vector<Signal> signals;  // by cycle
        Tick multicast_sink_ticks_per_data_flit = kTicksPerCycle;
        std::array<PathReservation, kNumInputVcs> reservations{};
        std::array<std::uint8_t, kNumInputVcs> precedences_given{};  // yields of a multicast since its last flit
        std::uint64_t num_backoffs = 0;
        std::vector<Change> changes;                 // pending changes of owners that take more than a cycle
        std::array<ChannelMask, kPorts> released{};  // by output port: virtual channels released by tails of this
                                                     // cycle, if released at once
        InputVcMask come_to_front = 0;               // input VCs whose packet has come to the front behind one of these
                                                     // tails
    };

    /// A router while it is stepped through a window of cycles.
    struct Step {
        NodeIndex index;
        Node& node;
        ColdNode& cold;
        Cycle start;
        Traffic<kPorts>& in;  // words that arrive in the window
        Sent<kPorts>& sent;   // words sent in the window
        // A byte per cycle: bit per port at which a flit arrives; bit per port and lane at which a credit arrives.
        LinkWindow flits_arriving = 0;
        std::array<LinkWindow, LinkWords<kPorts>::kCreditBytes> credits_arriving{};
    };
};

}  // namespace nocbench::engine
