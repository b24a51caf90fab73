// Event-driven network for packets of equal length: for meshes with short hops, on which Network would have to step a
// router every few cycles for each flit of a transaction.
//
// Results equal those of Network with one virtual channel, to the cycle (tests/noc/test_transaction_network.cpp
// compares both). A packet keeps a granted output. Three times then determine when a flit leaves: its arrival, the
// departure of the previous flit, and the time at which the downstream buffer has space. The last one depends on the
// departure of earlier flits. Departures are computed as soon as these times are known, often far ahead. Events are
// therefore needed only for arrivals of heads, grants of outputs, and departures of tails.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// Client behind the ports: like NetworkClient, but packets are identified only by a number.
class TransactionNetworkClient {
public:
    virtual ~TransactionNetworkClient() = default;

    /// Called at a cycle that `node` asked for. Returns the next such cycle.
    virtual Cycle interface_cycle(NodeIndex node, Cycle cycle) = 0;

    /// Called when the last flit of the packet that `node` sends has been read from the tile: the node can send another
    /// packet.
    virtual void can_start(NodeIndex node, Cycle cycle) = 0;

    /// Called when the last flit of a packet has been ejected to the tile of `node`.
    virtual void packet_ejected(NodeIndex node, TransactionId transaction, Cycle cycle) = 0;
};

class TransactionNetwork {
public:
    struct Parameters {
        Cycle hop_cycles = 0;
        Cycle credit_return_cycles = 0;
        Cycle injection_cycles = 0;
        Cycle buffer_flits = 0;
        Cycle packet_flits = 0;
    };

    static constexpr int kPorts = 5;

    TransactionNetwork(const Topology& topology, const Parameters& parameters, TransactionNetworkClient& client);

    /// Begins to send a packet, not before cycle `start`. can_start() must be true.
    void start(NodeIndex node, NodeIndex destination, TransactionId transaction, Cycle start);
    [[nodiscard]] bool can_start(NodeIndex node) const { return outputs_[stream(node)].owner == kNoPacket; }

    /// Stops or resumes the ejection of packets to the tile of `node`. A packet whose ejection has begun is completed.
    void block_ejection(NodeIndex node, bool blocked, Cycle cycle);

    [[nodiscard]] bool ejection_is_blocked(NodeIndex node) const { return ejection_blocked_[node]; }

    /// Calls TransactionNetworkClient::interface_cycle for `node` at `cycle`, or at an earlier cycle if already
    /// requested.
    void wake_interface(NodeIndex node, Cycle cycle);

    /// Returns the cycle of the next event, or kNever.
    [[nodiscard]] Cycle next_cycle() const { return events_->next_cycle(); }

    /// Simulates all cycles before `end`.
    void run_until(Cycle end);

    /// Lets all packets stand still, so that others, which have outputs to themselves, can be simulated from `cycle`
    /// on.
    void set_aside(Cycle cycle) {
        std::swap(events_, events_aside_);
        events_->restart(cycle);
    }
    /// Lets the packets move again, and the others with them.
    void join() {
        std::swap(events_, events_aside_);
        for (Cycle cycle = events_aside_->next_cycle(); cycle != kNever; cycle = events_aside_->next_cycle()) {
            events_->push(events_aside_->pop(cycle));
        }
    }
    /// Counts packets that passed from one tile to another without being simulated.
    void count_passages(NodeIndex node, NodeIndex destination, std::uint64_t packets);

    /// Returns the number of routers passed, summed over all packets.
    [[nodiscard]] std::uint64_t packet_hops() const { return packet_hops_; }

    /// Return the packets that were granted an output of a router, and those that a tile began to send.
    [[nodiscard]] std::uint64_t packets_sent(NodeIndex node, int port) const {
        return outputs_[place(node, port)].passed();
    }
    [[nodiscard]] std::uint64_t packets_injected(NodeIndex node) const { return outputs_[stream(node)].passed(); }

private:
    using PacketIndex = std::uint32_t;
    static constexpr PacketIndex kNoPacket = ~PacketIndex{0};
    static constexpr int kStream = kPorts;  // output of the tile itself
    static constexpr std::size_t kOutputs = kPorts + 1;

    /// Kinds of events, in their order within a cycle.
    enum class Kind : std::uint8_t { release, head_arrives, interface, stream_is_free, grant, ejected };
    static constexpr std::size_t kKinds = 6;

    struct Event {
        std::uint64_t key = 0;  // cycle, kind, node and port
        PacketIndex packet = kNoPacket;

        [[nodiscard]] Cycle cycle() const { return static_cast<Cycle>(key >> kCycleShift); }
        [[nodiscard]] Kind kind() const { return static_cast<Kind>(key >> kKindShift & 7U); }
        [[nodiscard]] NodeIndex node() const { return static_cast<NodeIndex>(key >> kNodeShift & 0xffffU); }
        [[nodiscard]] int port() const { return static_cast<int>(key & 7U); }
        bool operator>(const Event& other) const { return key > other.key; }
    };
    static constexpr unsigned kNodeShift = 3;
    static constexpr unsigned kKindShift = kNodeShift + 16;
    static constexpr unsigned kCycleShift = kKindShift + 3;

    /// Output on the way of a packet: first that of its tile, then one of each router; the last one leads to the tile.
    struct Station {
        NodeIndex node = 0;
        std::uint8_t input_port = 0;
        std::uint8_t output_port = 0;
        Cycle granted = kNever;    // cycle from which the head may leave
        Cycle known = 0;           // flits whose departure cycles are known
        std::uint64_t number = 0;  // of the packet among all packets of the output
    };

    struct Packet {
        TransactionId transaction = kNoTransaction;
        std::size_t arrived = 0;  // stations that the head has reached, less one
        std::vector<Station> way;
        std::vector<Cycle> leaves;  // [station * packet_flits + flit]
    };

    struct Output {
        PacketIndex owner = kNoPacket;
        std::uint32_t owner_station = 0;
        bool is_stalled = false;        // the owner waits for the tile
        bool waits_for_credit = false;  // the cycle of space for the owner's next flit is not known
        std::uint8_t last_input = 0;    // input of the last grant
        std::uint32_t waiting = 0;      // inputs whose first packet requests this output
        std::uint64_t granted = 0;      // packets granted
        std::uint64_t unsimulated = 0;  // packets that passed without being simulated
        Cycle credits_known = 0;        // flits sent whose credits have known cycles

        [[nodiscard]] std::uint64_t passed() const { return granted + unsimulated; }
    };

    /// Latencies and buffer between two stations.
    struct Link {
        Cycle latency_cycles = 0;
        Cycle credit_return_cycles = 0;
        Cycle buffer_flits = 0;
    };

    static std::size_t place(NodeIndex node, int port) {
        return std::size_t{node} * kOutputs + static_cast<std::size_t>(port);
    }
    static std::size_t input(NodeIndex node, int port) {
        return std::size_t{node} * kPorts + static_cast<std::size_t>(port);
    }
    static std::size_t stream(NodeIndex node) { return place(node, kStream); }
    static std::size_t place(const Station& station) { return place(station.node, station.output_port); }
    [[nodiscard]] const Link& link_from(std::size_t station) const { return station == 0 ? injection_ : hop_; }
    [[nodiscard]] Cycle& credit(std::size_t output, Cycle flit) {
        return credits_[output * credits_kept_ + (static_cast<std::size_t>(flit) & (credits_kept_ - 1))];
    }

    /// Events by cycle and kind: lists for each of the next cycles, and a heap for all later events.
    class EventWheel {
    public:
        /// Begins at `cycle`, without events.
        void restart(Cycle cycle) { now_ = cycle; }
        void push(const Event& event) {
            const Cycle cycle = event.cycle();
            if (cycle - now_ >= kCycles) {
                later_.push(event);
                return;
            }
            Slot& slot = slots_[slot_of(cycle)];
            const auto kind = static_cast<unsigned>(event.kind());
            slot.events[kind].push_back(event);
            slot.kinds |= 1U << kind;
            occupied_ |= std::uint64_t{1} << slot_of(cycle);
        }
        /// Returns the next cycle with events, or kNever.
        [[nodiscard]] Cycle next_cycle() const {
            if (occupied_ == 0) {
                return later_.empty() ? kNever : later_.top().cycle();
            }
            const int turn = static_cast<int>(slot_of(now_));
            const Cycle near = now_ + std::countr_zero(std::rotr(occupied_, turn));
            return later_.empty() ? near : std::min(near, later_.top().cycle());
        }
        /// Removes and returns the first event of `cycle`, by kind. The order of events of one kind has no effect.
        Event pop(Cycle cycle) {
            now_ = cycle;
            while (!later_.empty() && later_.top().cycle() - now_ < kCycles) {
                const Event event = later_.top();
                later_.pop();
                push(event);
            }
            Slot& slot = slots_[slot_of(cycle)];
            const int kind = std::countr_zero(slot.kinds);
            std::vector<Event>& events = slot.events[static_cast<std::size_t>(kind)];
            const Event event = events.back();
            events.pop_back();
            if (events.empty()) {
                slot.kinds &= slot.kinds - 1;
                if (slot.kinds == 0) {
                    occupied_ &= ~(std::uint64_t{1} << slot_of(cycle));
                }
            }
            return event;
        }

    private:
        struct Slot {
            std::array<std::vector<Event>, kKinds> events;
            unsigned kinds = 0;  // those with events
        };
        static constexpr Cycle kCycles = 64;
        static std::size_t slot_of(Cycle cycle) { return static_cast<std::size_t>(cycle) % kCycles; }

        Cycle now_ = 0;
        std::uint64_t occupied_ = 0;
        std::array<Slot, kCycles> slots_;
        std::priority_queue<Event, std::vector<Event>, std::greater<>> later_;
    };

    void push(Cycle cycle, Kind kind, NodeIndex node, int port, PacketIndex packet);
    void handle(const Event& event);
    void head_arrives(PacketIndex index, Cycle cycle);
    void request(NodeIndex node, int input_port, Cycle cycle);
    void grant(NodeIndex node, int port, Cycle cycle);
    void release(NodeIndex node, int port, Cycle cycle);
    void extend(PacketIndex index, std::size_t number);

    const Topology& topology_;
    Cycle packet_flits_;
    Link injection_;
    Link hop_;
    TransactionNetworkClient& client_;
    std::size_t credits_kept_ = 0;                  // a power of two
    std::vector<Cycle> credits_;                    // [output * credits kept + flit % credits kept]: cycle of the
                                                    // credit
    std::vector<Output> outputs_;                   // [node * kOutputs + port]
    std::vector<std::vector<PacketIndex>> inputs_;  // [node * kPorts + port]: packets whose head has arrived
    std::vector<bool> ejection_blocked_;
    std::vector<Cycle> interface_wake_;
    Pool<Packet> packets_;
    std::unique_ptr<EventWheel> events_ = std::make_unique<EventWheel>();
    std::unique_ptr<EventWheel> events_aside_ = std::make_unique<EventWheel>();
    std::uint64_t packet_hops_ = 0;
};

}  // namespace nocbench
