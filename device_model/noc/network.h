// The contract of a network on chip that is simulated flit by flit: what its clients are told, what they may ask for.
//
// The specification (specification/flit_by_flit_network.h) is written to be read. The engine has its results, to the
// cycle, and is written to be fast; make_network.h makes one. docs/engine_rules.md has the rules in words.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// The network interfaces, which lie behind the network's ports. Called at most a few times per packet, but for flits
/// that are metered or counted.
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

    /// The head of `packet` went through the router's port to the tile of `node`, from virtual channel `channel`.
    virtual void head_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// A data flit of `packet` did, from virtual channel `channel`, at a node whose flits are metered.
    virtual void data_flit_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// So many more data flits of `packet` did, at a node whose flits are counted.
    virtual void data_flits_counted(NodeIndex /*node*/, PacketId /*packet*/, int /*flits*/) {}

    /// The last flit of `packet` did. The network has no further use for a unicast packet; nor for a multicast packet
    /// once it has been ejected at all its receivers.
    virtual void packet_ejected(NodeIndex node, PacketId packet, int channel, Cycle cycle) = 0;

    /// The tree of a multicast packet that asked for it in cycle `requested` is reserved: the packet goes on.
    virtual void path_reserved(NodeIndex node, PacketId packet, Cycle requested, Cycle cycle) = 0;
};

/// How outputs change hands, of unicasts only: where any of this is not as by default, there are no multicasts.
struct OutputRules {
    static constexpr int kNoInputPort = -1;

    /// From the grant of a virtual channel to a packet that does not come straight to its first flit. Straight is the
    /// input port with the number of the output port or, at the port to the tile, straight_input_of_tile.
    Cycle turn_cycles = 0;
    /// From a tail to the next grant of its virtual channel. 0: that is in the same cycle, after the flits, to a packet
    /// that was waiting before they left.
    Cycle release_cycles = 1;
    /// A virtual channel that is free when a cycle begins is at its straight input: a packet from there whose header
    /// can leave at once comes first, and turns begin after this input, whoever was the last owner.
    bool rest_at_straight_input = false;
    int straight_input_of_tile = kNoInputPort;
    /// Input ports, each once, in the order of their turns at links and at the tile's port. Empty: in that of numbers.
    std::vector<int> turns_at_links;
    std::vector<int> turns_at_tile;

    bool operator==(const OutputRules&) const = default;

    /// The input port that is straight for an output port.
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
    Cycle injection_cycles = 0;      // tile to router
    int injection_buffer_flits = 0;  // per stream: flits between tile and router
    int read_ahead_flits = 0;        // of a stream's packet left when the tile begins to read the next one
    Cycle window_cycles = 0;         // there must be a stepping_order() for windows of that length
    /// By node: cycles by which it skews behind those that have 0. None does, if this is empty. Where any does, clients
    /// may ask for calls at the node that they are called for only.
    std::vector<Cycle> skew_cycles;
    Cycle reservation_reply_cycles = 0;  // per hop: the answer to a reservation, back to the source
    Cycle reservation_backoff_cycles =
        0;  // mean wait of a source after its first reservation that failed is half of it
    int reservation_backoff_doublings_max = 0;                    // it doubles with each failure, so many times at most
    int software_virtual_channels = kNumSoftwareVirtualChannels;  // doubled where the topology has datelines
    int first_response_virtual_channel = kFirstResponseVirtualChannel;  // these and those above it are for responses
    int dynamic_group = 2;  // virtual channels, a power of two, among which a dynamic packet takes any at each hop
    int dynamic_response_group = 2;        // the same of responses
    bool one_flit_per_input_port = false;  // and cycle, however many outputs could take one; of unicasts only
    /// A link that has passed so many flits on end idles for a cycle; kNeverIdles: it never does. Where a router has
    /// more than two links, kNeverIdles. With less than window_cycles, networks are slow to simulate.
    int link_flits_on_end_max = kNeverIdles;

    OutputRules outputs;

    static constexpr int kNeverIdles = std::numeric_limits<std::uint16_t>::max();
};

inline constexpr int kEveryChannel = -1;
inline constexpr int kNoChannel = -2;

/// Virtual channels of a link, datelines included, and so the streams of a tile, of the two shapes that the engine
/// knows: Tenstorrent's routers with a port to the tile and one per axis, whose 8 virtual channels of software are
/// doubled by the dateline bit; and routers with a port to the tile and one for each direction.
inline constexpr int kTorusVirtualChannels = 16;
inline constexpr int kMeshVirtualChannels = 8;

class Network {
public:
    /// The longest window that can be simulated at once.
    static constexpr Cycle kWindowCyclesMax = 8;

    /// Longest latency that a link can have, in windows of cycles.
    static constexpr int kLatencyWindowsMax = 14;

    Network() = default;
    virtual ~Network() = default;
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// Rates at which the tile of `node` sends and receives data flits (headers go at one per cycle), in ticks per
    /// flit.
    virtual void set_rates(NodeIndex node, Tick source_ticks_per_data_flit, Tick sink_ticks_per_data_flit,
                           Tick multicast_sink_ticks_per_data_flit) = 0;

    /// Asks for NetworkClient::data_flit_ejected for packets to `node`.
    virtual void meter_data_flits(NodeIndex node) = 0;

    /// Asks for NetworkClient::data_flits_counted for packets to `node`, before the last flit of each is reported.
    /// Costs less than to meter them, since it is not said when each one comes.
    virtual void count_data_flits(NodeIndex node) = 0;

    /// Begins to send `packet` through `stream` of `node`, not before `start`. `ticks_per_flit` limits the rate of this
    /// packet's data flits beyond what the tile's source does (0: it does not). The stream must be able to start one;
    /// the packet follows the one that it is still sending.
    virtual void start_stream(NodeIndex node, int stream, PacketId packet, Cycle start, Tick ticks_per_flit) = 0;

    /// A stream can be given a packet while it sends none, or only the last flits of one: those that the tile's memory
    /// has been asked for already.
    [[nodiscard]] virtual bool can_start_stream(NodeIndex node, int stream) const = 0;

    /// Makes a multicast tree known. `outputs` has for each node a bit per output port that the tree uses there;
    /// `grant_cycles` pass at the source from the answer to a reservation to the header.
    virtual TreeIndex add_tree(std::vector<std::uint8_t> outputs, Cycle grant_cycles) = 0;

    /// From now on, no flit of a request that is on one of `channels`, a bit for each virtual channel, leaves the
    /// router of `node` for its tile. Bits of virtual channels of responses are ignored.
    virtual void block_request_ejection(NodeIndex node, std::uint32_t channels) = 0;

    /// From now on, of unicast requests to `node`, whose flits are metered, data flits of no other virtual channel than
    /// `channel` go to the tile; headers do. Of kEveryChannel, as it is at first: of all; of kNoChannel: of none.
    virtual void take_data_from(NodeIndex node, int channel) = 0;

    /// Calls NetworkClient::interface_cycle for `node` at `cycle` (or earlier, if it is already to be called earlier).
    virtual void wake_interface(NodeIndex node, Cycle cycle) = 0;

    /// Simulates the window of cycles that begins at `window_start`, a multiple of window_cycles.
    virtual void step_window(Cycle window_start) = 0;

    /// The first cycle of the next window in which anything can happen, or kNever.
    [[nodiscard]] virtual Cycle next_active_window() const = 0;

    /// Flits sent over the output `port` of `node` so far.
    [[nodiscard]] virtual std::uint64_t flits_sent(NodeIndex node, int port) const = 0;

    /// Flits of the packets that the tile of `node` began to send so far.
    [[nodiscard]] virtual std::uint64_t flits_injected(NodeIndex node) const = 0;

    /// Flits that went through any router so far, ejections included.
    [[nodiscard]] virtual std::uint64_t flit_hops() const = 0;
};

}  // namespace nocbench
