// Specification of a network's behaviour, as plain as possible: flits are objects, links are queues of flits in flight,
// and every router is stepped in every cycle. The engine must have the same results to the cycle;
// test_engine_against_specification.cpp compares both.
//
// Supports any topology and any number of ports and virtual channels.
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
    bool reserves = false;  // reservation flit ahead of the header of a multicast
    bool is_header = false;
    bool is_tail = false;

    bool operator==(const Flit&) const = default;
};

/// Virtual channel of a router's input port or output port. Ordered by port, then by channel.
struct ChannelPlace {
    int port = 0;
    int channel = 0;

    auto operator<=>(const ChannelPlace&) const = default;
};

/// Returns the next candidate after `last`, round-robin. `candidates` must not be empty.
template <class Candidate>
Candidate next_in_turn(const std::set<Candidate>& candidates, const Candidate& last) {
    const auto next = candidates.upper_bound(last);
    return next != candidates.end() ? *next : *candidates.begin();
}

/// Observer of every flit that moves, for tests of invariants.
class FlitObserver {
public:
    virtual ~FlitObserver() = default;

    /// Called when a flit has been read from the tile of `node` and is in flight to the router.
    virtual void flit_read(NodeIndex node, const Flit& flit, Cycle cycle) = 0;

    /// Called when a flit enters the buffer of an input VC.
    virtual void flit_buffered(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) = 0;

    /// Called when a flit leaves the buffer of an input VC.
    virtual void flit_taken(NodeIndex node, const ChannelPlace& input, const Flit& flit, Cycle cycle) = 0;

    /// Called when a flit is sent through an output; port 0 leads to the tile. A multicast calls it for each output.
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
    [[nodiscard]] FlitsRead flits_read(NodeIndex node, int stream, PacketId packet) const override;
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
    /// State of a multicast packet's reservation in one router.
    struct Reservation {
        bool has_outputs = false;  // all outputs of the tree in this router are reserved
        int answers_missing = 0;
        bool has_failed = false;           // according to the replies so far
        std::vector<int> holding_outputs;  // output ports behind which outputs are reserved
        // At the source only:
        Cycle requested = 0;
        int failures = 0;
        bool may_move = true;  // false while the packet waits for the reply or backs off
    };

    /// Packet whose flits are the next to leave an input VC, from the arrival of its head at the front until its tail
    /// has left.
    struct FrontPacket {
        PacketId id = 0;
        Packet packet;
        // Unicasts: output port and virtual channel. A dynamic packet accepts any channel of the group.
        int output_port = 0;
        int wanted_channel = 0;
        std::optional<int> granted_channel;
        Cycle first_flit_from = 0;  // earliest cycle, once granted
        // Multicasts:
        Reservation reservation;
        int precedences_given = 0;  // yields since its last flit

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
        std::optional<ChannelPlace> owner;  // input VC that owns this output VC
        ChannelPlace last_owner;
        Cycle last_tail = -1;      // cycle in which the last tail left
        Cycle free_from = 0;       // cycle from which the channel is free, if it has no owner
        int flits_downstream = 0;  // sent flits whose credits have not returned
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
        std::deque<Arriving<Flit>> link;  // from the upstream router; for port 0, from the tile
        NodeIndex upstream_node = 0;
        int upstream_port = 0;
    };

    struct OutputPort {
        std::vector<OutputChannel> channels;
        std::deque<Arriving<Credit>> credits;
        int last_sent = 0;  // virtual channel of the last flit
        std::uint64_t flits_sent = 0;
        int flits_on_end = 0;     // consecutive flits up to last_sent_in
        Cycle last_sent_in = -1;  // cycle of the last flit
    };

    /// Packet that a stream reads from the tile.
    struct StreamPacket {
        PacketId id = 0;
        int flits = 0;
        FlitsRead read;
        Cycle start = 0;
        Tick next_tick = 0;  // earliest tick of its next data flit by its own rate
        Tick ticks_per_flit = 0;
    };

    struct Stream {
        std::deque<StreamPacket> packets;  // the packet that is being read and possibly the next one
        int flits_in_buffer = 0;           // flits read from the tile and not yet taken by the router
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
        std::uint32_t blocked_channels = 0;  // bit for each virtual channel whose requests the tile does not accept
        bool is_metered = false;
        bool is_counted = false;
        int data_channel = kEveryChannel;  // virtual channel whose data the tile accepts
        std::uint64_t flits_injected = 0;
    };

    /// Messages between routers about reservations, not carried by links. A router handles the messages of a cycle in
    /// this order.
    enum class SignalKind : std::uint8_t {
        release,  // from upstream: release the outputs
        answer,   // from downstream: result of the reservation
        granted,  // at the source: the packet may go
        retry,    // at the source: try the reservation again
    };

    struct Signal {
        Cycle cycle = 0;
        SignalKind kind = SignalKind::release;
        ChannelPlace place;          // input VC; for an answer, the output VC that it comes from
        bool is_reserved = false;    // for an answer: the whole subtree is reserved
        bool holds_outputs = false;  // for an answer: at least the router's own outputs are reserved

        auto operator<=>(const Signal&) const = default;
    };

    struct Router {
        NodeIndex index = 0;
        std::vector<InputPort> inputs;
        std::vector<OutputPort> outputs;
        Tile tile;
        int num_front_packets = 0;  // packets at the front of its inputs
        std::multiset<Signal> signals;
        ChannelPlace last_multicast;  // input VC of the multicast that sent the last flit
        std::uint64_t num_backoffs = 0;

        /// Return the packet at the front of an input VC, and the owner of an output VC. Both must exist.
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

    // Phases of a cycle.
    void receive_flits(Router& router);
    void receive_credits(Router& router);
    void handle_signals(Router& router);
    void let_interface_act(Router& router);
    void read_flit_out_of_tile(Router& router);
    std::set<int> send_multicast_flits(Router& router);
    void grant_channels(Router& router, int port, std::set<ChannelPlace> waiting, const std::vector<int>& free);
    std::optional<int> send_unicast_flit(Router& router, int port, std::set<int>& inputs_used);

    // Packets at the front of an input VC.
    void look_at_front(Router& router, const ChannelPlace& input);
    void finish_front_packet(Router& router, const ChannelPlace& input);
    [[nodiscard]] Flit flit_of(PacketId packet_id, int number) const;
    Flit take_flit(Router& router, const ChannelPlace& input);
    void send_over_link(Router& router, const ChannelPlace& output, const Flit& flit);
    void eject(Router& router, const ChannelPlace& output, const Flit& flit, Tick data_flit_ticks);

    // Adaptive routing.
    void choose_adaptively(Router& router);
    [[nodiscard]] ChannelPlace best_output(const Router& router, const Packet& packet, int input_port) const;
    [[nodiscard]] bool needs_room(const ChannelPlace& output) const;

    // Virtual channels.
    [[nodiscard]] bool is_second_set(int channel) const { return channel >= num_software_channels_; }
    [[nodiscard]] bool is_response(int channel) const;
    [[nodiscard]] bool leaves_in_second_set(const Router& router, const ChannelPlace& input, int output_port) const;
    [[nodiscard]] int output_channel(const Router& router, const ChannelPlace& input, const Packet& packet,
                                     int output_port) const;
    /// Returns the group of channels that dynamic packets choose from, in ascending order. Groups of responses are
    /// separate.
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
    /// Returns the position of an input port in the round-robin order of an output port.
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
    /// Notes that this cycle has changed state, so that the next cycle can differ.
    void something_happened() { is_at_rest_ = false; }

    const Topology topology_;
    const NetworkParameters parameters_;
    const int num_software_channels_;
    const int num_channels_;  // virtual channels of a port
    PacketPool& packets_;
    NetworkClient& client_;
    FlitObserver* observer_ = nullptr;
    std::vector<Router> routers_;
    std::vector<Tree> trees_;
    Cycle now_ = -1;
    bool is_at_rest_ = true;  // the last cycle changed nothing
};

}  // namespace nocbench::specification
