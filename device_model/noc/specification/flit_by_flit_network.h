// What a network does, defined as plainly as can be: flits are objects, links are queues of what is on its way, and
// every router is looked at in every cycle. The engine must have the same results, to the cycle;
// test_engine_against_specification.cpp compares the two.
//
// Any number of ports and of virtual channels, any wiring: nothing here knows the shape of a network.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "device_model/noc/bits.h"
#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/wait_for_graph.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench::specification {

struct Flit {
    PacketId packet = 0;
    int number = 0;         // in its packet, from 0
    bool reserves = false;  // goes ahead of the header, to reserve the tree of a multicast
    bool is_header = false;
    bool is_tail = false;

    bool operator==(const Flit&) const = default;
};

/// A virtual channel of a port of a router: of an input port, where packets come in, or of an output port, where they
/// go out. Those of a set of places are in order of port, then channel.
struct ChannelPlace {
    int port = 0;
    int channel = 0;

    auto operator<=>(const ChannelPlace&) const = default;
};

/// Round robin: whoever comes next after `last`, round about. `candidates` must not be empty.
template <class Candidate>
Candidate next_in_turn(const std::set<Candidate>& candidates, const Candidate& last) {
    const auto next = candidates.upper_bound(last);
    return next != candidates.end() ? *next : *candidates.begin();
}

/// Sees every flit that moves, for tests of what no network may do.
class FlitObserver {
public:
    virtual ~FlitObserver() = default;

    /// The flit was read out of the tile of `node` and is on its way into the router.
    virtual void flit_read(NodeIndex node, const Flit& flit, Cycle cycle) = 0;

    /// The flit came into the buffer of the input virtual channel.
    virtual void flit_buffered(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) = 0;

    /// The flit left that buffer.
    virtual void flit_taken(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) = 0;

    /// The flit was sent through an output; that of port 0 leads to the tile. A flit of a multicast is sent through
    /// several.
    virtual void flit_sent(NodeIndex node, const ChannelPlace& output, const Flit& flit, Cycle cycle) = 0;
};

class FlitByFlitNetwork final : public Network, public WaitForGraph {
public:
    /// Throws InputError for latencies or windows of less than a cycle.
    FlitByFlitNetwork(const Topology& topology, const NetworkParameters& parameters, PacketPool& packets,
                      NetworkClient& client);

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
    [[nodiscard]] Cycle next_active_window() const override;
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const override;
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const override;
    [[nodiscard]] std::uint64_t flit_hops() const override;

    [[nodiscard]] std::vector<Place> front_packets() override;
    [[nodiscard]] std::vector<Place> waits_for(const Place& place) const override;
    [[nodiscard]] WaitingPacket waiting_packet(const Place& place) const override;

    void observe(FlitObserver& observer) { observer_ = &observer; }

private:
    /// What a multicast packet has to know of its reservation, in one router.
    struct Reservation {
        bool has_outputs = false;  // this router's, all that the tree uses here
        int answers_missing = 0;
        bool has_failed = false;           // according to the answers so far
        std::vector<int> holding_outputs;  // output ports behind which something is reserved
        // At the source only.
        Cycle requested = 0;
        int failures = 0;
        bool may_move = true;  // not while the packet waits for the answer, or to ask again
    };

    /// The packet whose flits are the next to leave an input virtual channel: from when its head is looked at until
    /// its tail has left.
    struct FrontPacket {
        PacketId id = 0;
        Packet packet;
        // A unicast: where it goes, on which virtual channel. A dynamic one wants any of the channel's group.
        int output_port = 0;
        int wanted_channel = 0;
        std::optional<int> granted_channel;
        Cycle first_flit_from = 0;  // once it is granted
        // A multicast.
        Reservation reservation;
        int precedences_given = 0;  // since its last flit

        [[nodiscard]] bool is_multicast() const { return packet.tree != kNoTree; }
        [[nodiscard]] bool waits_for(int port) const {
            return !is_multicast() && output_port == port && !granted_channel;
        }
    };

    struct InputChannel {
        std::deque<Flit> buffer;
        std::optional<FrontPacket> front;
    };

    struct OutputChannel {
        std::optional<ChannelPlace> owner;  // the input virtual channel that has it
        ChannelPlace last_owner;
        Cycle last_tail = -1;      // left in that cycle
        Cycle free_from = 0;       // where there is no owner
        int flits_downstream = 0;  // sent, and the credit for their place in the buffer is not back
    };

    template <class Thing>
    struct Arriving {
        Cycle cycle = 0;
        int channel = 0;
        Thing thing;
    };
    struct Credit {};

    struct InputPort {
        std::vector<InputChannel> channels;
        std::deque<Arriving<Flit>> link;  // from the router upstream; of port 0, from the tile
        // Where flits come from.
        NodeIndex upstream_node = 0;
        int upstream_port = 0;
    };

    struct OutputPort {
        std::vector<OutputChannel> channels;
        std::deque<Arriving<Credit>> credits;
        int last_sent = 0;  // virtual channel
        std::uint64_t flits_sent = 0;
        int flits_on_end = 0;     // on the link, up to ...
        Cycle last_sent_in = -1;  // ... this cycle
    };

    /// A packet that a stream reads out of the tile.
    struct StreamPacket {
        PacketId id = 0;
        int flits = 0;
        int flits_read = 0;
        Cycle start = 0;
        Tick next_tick = 0;  // of its next data flit, according to its own rate
        Tick ticks_per_flit = 0;
    };

    struct Stream {
        std::deque<StreamPacket> packets;  // the one that is being read and, maybe, the next one
        int flits_in_buffer = 0;           // read out of the tile and not yet taken by the router
    };

    struct Tile {
        std::vector<Stream> streams;
        int last_stream = 0;
        Cycle interface_wake = kNever;
        Tick source_next_tick = 0;
        Tick sink_next_tick = 0;
        Tick source_ticks_per_data_flit = kTicksPerCycle;
        Tick sink_ticks_per_data_flit = kTicksPerCycle;
        Tick multicast_sink_ticks_per_data_flit = kTicksPerCycle;
        std::uint32_t blocked_channels = 0;  // a bit for each whose requests it does not take
        bool is_metered = false;
        bool is_counted = false;
        int data_channel = kEveryChannel;  // whose data it takes
        std::uint64_t flits_injected = 0;
    };

    /// What routers tell each other about reservations, beside the links. Those of one cycle are handled in this order.
    enum class SignalKind : std::uint8_t {
        release,  // from upstream: give the outputs back
        answer,   // from downstream: the tree is reserved up to its leaves, or not
        granted,  // at the source: the packet may go
        retry,    // at the source: ask again
    };

    struct Signal {
        Cycle cycle = 0;
        SignalKind kind = SignalKind::release;
        ChannelPlace place;          // the input virtual channel; of an answer, the output one that it comes from
        bool is_reserved = false;    // an answer: everything from there on
        bool holds_outputs = false;  // an answer: of the router that answers, at least

        auto operator<=>(const Signal&) const = default;
    };

    struct Router {
        NodeIndex index = 0;
        std::vector<InputPort> inputs;
        std::vector<OutputPort> outputs;
        Tile tile;
        int num_front_packets = 0;  // at its inputs
        std::multiset<Signal> signals;
        ChannelPlace last_multicast;  // the input virtual channel of the multicast that sent a flit last
        std::uint64_t num_backoffs = 0;

        /// The packet at the front of an input virtual channel, and the owner of an output one; there must be one.
        FrontPacket& front(const ChannelPlace& place);
        [[nodiscard]] ChannelPlace owner(const ChannelPlace& place) const;

        InputChannel& input(const ChannelPlace& place) {
            return inputs[network_detail::at(place.port)].channels[network_detail::at(place.channel)];
        }
        [[nodiscard]] const InputChannel& input(const ChannelPlace& place) const {
            return inputs[network_detail::at(place.port)].channels[network_detail::at(place.channel)];
        }
        OutputChannel& output(const ChannelPlace& place) {
            return outputs[network_detail::at(place.port)].channels[network_detail::at(place.channel)];
        }
        [[nodiscard]] const OutputChannel& output(const ChannelPlace& place) const {
            return outputs[network_detail::at(place.port)].channels[network_detail::at(place.channel)];
        }
    };

    struct Tree {
        std::vector<std::uint8_t> outputs;  // [node], bit per output port
        Cycle grant_cycles = 0;
    };

    void step_cycle(Cycle cycle);
    void step_router(Router& router);

    /// Returns the next cycle in which anything can happen, or kNever.
    [[nodiscard]] Cycle next_active_cycle() const;

    // The phases of a cycle.
    void receive_flits(Router& router);
    void receive_credits(Router& router);
    void handle_signals(Router& router);
    void let_interface_act(Router& router);
    void read_flit_out_of_tile(Router& router);
    std::set<int> send_multicast_flits(Router& router);
    void grant_channels(Router& router, int port, std::set<ChannelPlace> waiting, const std::vector<int>& free);
    std::optional<int> send_unicast_flit(Router& router, int port, std::set<int>& inputs_used);

    // Packets come to the front of an input virtual channel, and leave it.
    void look_at_front(Router& router, const ChannelPlace& input);
    void finish_front_packet(Router& router, const ChannelPlace& input);
    [[nodiscard]] Flit flit_of(PacketId packet_id, int number) const;
    Flit take_flit(Router& router, const ChannelPlace& input);
    void send_over_link(Router& router, const ChannelPlace& output, const Flit& flit);
    void eject(Router& router, const ChannelPlace& output, const Flit& flit, Tick data_flit_ticks);

    // Virtual channels.
    [[nodiscard]] bool is_second_set(int channel) const { return channel >= num_software_channels_; }
    [[nodiscard]] bool is_response(int channel) const;
    [[nodiscard]] bool leaves_in_second_set(const Router& router, const ChannelPlace& input, int output_port) const;
    [[nodiscard]] int output_channel(const Router& router, const ChannelPlace& input, const Packet& packet,
                                     int output_port) const;
    /// The group of channels that dynamic packets choose from; those of responses are apart from the others. In
    /// ascending order of channels.
    [[nodiscard]] std::tuple<bool, bool, int> group_of(int channel) const {
        const bool responds = is_response(channel);
        return {is_second_set(channel), responds,
                channel / (responds ? parameters_.dynamic_response_group : parameters_.dynamic_group)};
    }
    [[nodiscard]] std::vector<int> free_channels_in_order(const Router& router, int port) const;
    [[nodiscard]] std::set<ChannelPlace> inputs_that_wait(const Router& router, int port) const;
    [[nodiscard]] bool can_take(const FrontPacket& unicast, int channel) const;
    ChannelPlace grant_channel(Router& router, const ChannelPlace& output, const std::set<ChannelPlace>& candidates);
    [[nodiscard]] ChannelPlace next_owner(const Router& router, const ChannelPlace& output,
                                          const std::set<ChannelPlace>& candidates) const;
    [[nodiscard]] bool is_straight(int input_port, int output_port) const {
        return parameters_.outputs.straight_input(output_port) == input_port;
    }
    /// The place of an input port among the turns at an output port.
    [[nodiscard]] int turn_of(int input_port, int output_port) const;
    [[nodiscard]] bool header_can_leave(const Router& router, const ChannelPlace& output) const;
    static void take_output(Router& router, const ChannelPlace& output, const ChannelPlace& input);
    [[nodiscard]] bool link_idles(const Router& router, int port) const;
    [[nodiscard]] bool has_space(const Router& router, const ChannelPlace& output) const;
    [[nodiscard]] bool tile_can_take(const Router& router, int channel) const;
    [[nodiscard]] bool tile_can_take_unicast(const Router& router, int channel) const;
    [[nodiscard]] std::set<int> unicast_candidates(const Router& router, int port) const;

    // Multicasts.
    [[nodiscard]] std::vector<ChannelPlace> tree_outputs(const Router& router, const ChannelPlace& input,
                                                         const Packet& packet) const;
    [[nodiscard]] std::vector<ChannelPlace> movable_multicasts(const Router& router) const;
    bool reserve_outputs(Router& router, const ChannelPlace& input);
    [[nodiscard]] bool is_its_turn(const Router& router, const std::vector<ChannelPlace>& outputs) const;
    void send_multicast_flit(Router& router, const ChannelPlace& input, const std::vector<ChannelPlace>& outputs);
    void answer(Router& router, const ChannelPlace& input, bool is_reserved, bool holds_outputs);
    void take_answer(Router& router, const Signal& signal);
    void release_outputs(Router& router, const ChannelPlace& input);
    void back_off(Router& router, const ChannelPlace& input);
    void ask_again(Router& router, const ChannelPlace& input);

    [[nodiscard]] bool is_later(Tick tick) const { return tick >= ticks_from_cycles(now_ + 1); }
    /// Notes that this cycle has changed something, so that the next one can differ.
    void something_happened() { is_at_rest_ = false; }

    const Topology topology_;
    const NetworkParameters parameters_;
    const int num_software_channels_;
    const int num_channels_;  // of a port
    PacketPool& packets_;
    NetworkClient& client_;
    FlitObserver* observer_ = nullptr;
    std::vector<Router> routers_;
    std::vector<Tree> trees_;
    Cycle now_ = -1;
    bool is_at_rest_ = true;  // nothing happened in the last cycle
};

}  // namespace nocbench::specification
