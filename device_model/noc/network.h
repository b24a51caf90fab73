// Interface of a network on chip that is simulated flit by flit.
//
// The specification (specification/flit_by_flit_network.h) is written to be read. The engine is written to be fast and
// has the same results to the cycle; make_network.h creates it. docs/engine_rules.md describes the rules in words.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Flits of a packet that have been read from its tile.
struct FlitsRead {
    int flits = 0;
    Cycle last = 0;            // cycle of the last of them
    std::uint64_t recent = 0;  // bit n: the stream read a flit n cycles before `last`

    void read_in(Cycle cycle) {
        const Cycle since = cycle - last;
        recent = (since < kRecentCycles ? recent << since : 0) | 1U;
        last = cycle;
        ++flits;
    }
    /// Returns the flits read before `cycle`, which is less than kRecentCycles before `last`.
    [[nodiscard]] int before(Cycle cycle) const {
        if (cycle > last) {
            return flits;
        }
        const std::uint64_t later = recent << (kRecentCycles - 1 - (last - cycle));
        return flits - std::min(flits, std::popcount(later));
    }

    static constexpr Cycle kRecentCycles = 64;
};

/// Network interfaces behind the network's ports. Called at most a few times per packet, except for metered or counted
/// flits.
class NetworkClient {
public:
    virtual ~NetworkClient() = default;

    /// Called at a cycle that the network interface of `node` asked for. Returns the next such cycle.
    virtual Cycle interface_cycle(NodeIndex node, Cycle cycle) = 0;

    /// Called when injection stream `stream` of `node` can accept another packet; see Network::can_start_stream.
    virtual void stream_can_start(NodeIndex node, int stream, Cycle cycle) = 0;

    /// Called when the last flit of `packet` has been read from the tile, in cycle `read.last`.
    virtual void stream_finished(NodeIndex node, int stream, PacketId packet, const FlitsRead& read) = 0;

    /// Called when the head of `packet` has been ejected to the tile of `node` from virtual channel `channel`.
    virtual void head_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// Called when a data flit of `packet` has been ejected, at a node whose flits are metered.
    virtual void data_flit_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// Called when `flits` more data flits of `packet` have been ejected, at a node whose flits are counted.
    virtual void data_flits_counted(NodeIndex /*node*/, PacketId /*packet*/, int /*flits*/) {}

    /// Called when the last flit of `packet` has been ejected. The network no longer uses a unicast packet, nor a
    /// multicast packet that has been ejected at all its receivers.
    virtual void packet_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// Called when the tree of a multicast packet is reserved and the packet goes on. The reservation was first
    /// requested in cycle `requested`.
    virtual void path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) = 0;
};

/// Rules for a change of the owner of an output VC. With values other than the defaults, multicasts are not supported.
struct OutputRules {
    static constexpr int kNoInputPort = -1;

    /// Cycles from the grant of a virtual channel to the first flit, unless the packet comes straight. The straight
    /// input port has the number of the output port; for the port to the tile, it is straight_input_of_tile.
    Cycle turn_cycles = 0;
    /// Cycles from a tail to the next grant of its virtual channel. 0: granted in the same cycle, after the flits, to a
    /// packet that requested it before they left.
    Cycle release_cycles = 1;
    /// True if a virtual channel that is free when a cycle begins rests at its straight input. A packet from there
    /// whose header can leave at once has precedence, and round-robin arbitration continues after this input instead of
    /// the last owner.
    bool rest_at_straight_input = false;
    int straight_input_of_tile = kNoInputPort;
    /// Input ports, each once, in round-robin order at links and at the tile's port. Empty: order of numbers.
    std::vector<int> turns_at_links;
    std::vector<int> turns_at_tile;

    bool operator==(const OutputRules&) const = default;

    /// Returns the straight input port of an output port.
    [[nodiscard]] int straight_input(int output_port) const {
        return output_port == kNiuPort ? straight_input_of_tile : output_port;
    }
};

struct NetworkParameters {
    Cycle hop_cycles = 0;
    Cycle credit_return_cycles = 0;
    int private_flits_per_virtual_channel = 0;
    int shared_flits_per_input_port = 0;
    int shared_flits_per_virtual_channel_max = 0;
    Cycle injection_cycles = 0;                     // tile to router
    Tick source_ticks_per_header = kTicksPerCycle;  // least time from a header to the next flit of the tile
    int injection_buffer_flits = 0;                 // per stream: flits between tile and router
    int read_ahead_flits = 0;  // flits of a stream's packet left when the tile begins to read the next packet
    Cycle window_cycles = 0;   // stepping_order() must exist for windows of this length
    /// Skew of each node's clock in cycles, relative to nodes with 0. Empty: no skew. With skews, clients may only
    /// request calls at the node that they are being called for.
    std::vector<Cycle> skew_cycles;
    Cycle reservation_reply_cycles = 0;    // per hop: reply to a reservation, back to the source
    Cycle reservation_backoff_cycles = 0;  // twice the mean back-off of a source after its first failed reservation
    int reservation_backoff_doublings_max = 0;                    // back-off doubles with each failure, up to this
                                                                  // number of times
    int software_virtual_channels = kNumSoftwareVirtualChannels;  // doubled if the topology has datelines
    int first_response_virtual_channel = kFirstResponseVirtualChannel;  // first virtual channel of responses; those
                                                                        // above are for responses, too
    int dynamic_group = 2;                 // virtual channels of which a dynamic packet takes any at each hop
    int dynamic_response_group = 2;        // likewise for responses
    bool one_flit_per_input_port = false;  // limits an input port to one flit per cycle over all outputs; unicasts only
    /// Consecutive flits after which a link idles for a cycle; kNeverIdles: none. Must be kNeverIdles for routers with
    /// more than two links. Values below window_cycles are slow to simulate.
    int link_flits_on_end_max = kNeverIdles;

    OutputRules outputs;

    static constexpr int kNeverIdles = std::numeric_limits<std::uint16_t>::max();
};

inline constexpr int kEveryChannel = -1;
inline constexpr int kNoChannel = -2;

/// Virtual channels of a link (datelines included), and streams of a tile, for the shapes of routers of the engine.
/// Torus: Tenstorrent's routers with a port to the tile and one per axis; the dateline bit doubles the 8 virtual
/// channels of software. Mesh: a port to the tile and one for each direction; with more than the usual virtual
/// channels, or with adaptive routing, it is slower. Masks of virtual channels have as many bits as the most.
inline constexpr int kTorusVirtualChannels = 16;
inline constexpr int kMeshVirtualChannels = 8;
inline constexpr int kMeshVirtualChannelsMax = 32;

class Network {
public:
    /// Maximum window that can be simulated at once, in cycles.
    static constexpr Cycle kWindowCyclesMax = 8;

    /// Maximum latency of a link, in windows of cycles.
    static constexpr int kLatencyWindowsMax = 14;

    Network() = default;
    virtual ~Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// Sets the rates at which the tile of `node` sends and receives data flits, in ticks per flit. Headers are
    /// received in a cycle, and sent in NetworkParameters::source_ticks_per_header.
    virtual void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                           Tick multicast_sink_ticks_per_data_flit) = 0;

    /// Requests calls of NetworkClient::data_flit_ejected for packets to `node`.
    virtual void meter_data_flits(NodeIndex node) = 0;

    /// Requests calls of NetworkClient::data_flits_counted for packets to `node`, before the last flit of each is
    /// reported. Cheaper than metering, since the cycle of each flit is not reported.
    virtual void count_data_flits(NodeIndex node) = 0;

    /// Begins to send `packet` through `stream` of `node`, not before `start`. `ticks_per_flit` further limits the rate
    /// of this packet's data flits (0: no limit). The stream must be able to start a packet; the new packet follows any
    /// packet that is still being sent.
    virtual void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) = 0;

    /// Returns whether a stream can accept a packet: it sends none, or only the last flits of one, already requested
    /// from the tile's memory.
    [[nodiscard]] virtual bool can_start_stream(NodeIndex node, int stream) const = 0;

    /// Returns the flits of `packet` that `stream` has read from the tile of `node` so far; none if it has not begun.
    [[nodiscard]] virtual FlitsRead flits_read(NodeIndex node, int stream, PacketId packet) const = 0;

    /// Adds a multicast tree. `outputs` has for each node a bit per output port of the tree. `grant_cycles` pass at the
    /// source from the reply to a reservation to the header.
    virtual TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) = 0;

    /// Stops flits of requests on `channels` (bit mask of virtual channels) from being ejected to the tile of `node`,
    /// from now on. Bits of virtual channels of responses are ignored.
    virtual void block_request_ejection(NodeIndex node, std::uint32_t channels) = 0;

    /// Limits data flits of unicast requests that the metered tile of `node` accepts to those of virtual channel
    /// `channel`, from now on. Headers are always accepted. kEveryChannel (the default) accepts all, kNoChannel none.
    virtual void take_data_from(NodeIndex node, int channel) = 0;

    /// Calls NetworkClient::interface_cycle for `node` at `cycle`, or at an earlier cycle if already requested.
    virtual void wake_interface(NodeIndex node, Cycle cycle) = 0;

    /// Simulates the window of cycles that begins at `window_start`, a multiple of window_cycles.
    virtual void step_window(Cycle window_start) = 0;

    /// Returns the first cycle of the next window in which anything can happen, or kNever.
    [[nodiscard]] virtual Cycle next_active_window() const = 0;

    /// Returns the flits sent so far over the output `port` of `node`.
    [[nodiscard]] virtual std::uint64_t flits_sent(NodeIndex node, int port) const = 0;

    /// Returns the flits of all packets that the tile of `node` has begun to send so far.
    [[nodiscard]] virtual std::uint64_t flits_injected(NodeIndex node) const = 0;

    /// Returns the flits that have passed any router so far, ejections included.
    [[nodiscard]] virtual std::uint64_t flit_hops() const = 0;
};

}  // namespace nocbench
