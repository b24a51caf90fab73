// A network whose packets are all of one length, event by event: for meshes of short hops, on which Network would have
// to look at a router every few cycles for each of the flits that a transaction is long.
//
// It does what Network does with one virtual channel, to the cycle (tests/noc/test_transaction_network.cpp compares the
// two). What makes it short: a packet that has been granted an output keeps it, and then the cycles in which its flits
// leave follow, one from the other, from three times: when they arrive, when the flit before has left, and when the
// buffer ahead has room, which is when earlier flits leave that in turn. They are worked out as soon as these are
// known, often long before their time. So there is something to do only when a head arrives, when an output is granted,
// and when a tail has left.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <queue>
#include <vector>

#include "device_model/noc/network.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

/// What lies behind the ports: as NetworkClient, for packets that are known by a number only.
class TransactionNetworkClient {
public:
    virtual ~TransactionNetworkClient() = default;

    /// `node` asked to be called at this cycle. Returns the next cycle it wants to be called at.
    virtual Cycle interface_cycle(NodeIndex node, Cycle cycle) = 0;

    /// The last flit of the packet that `node` sent has been read out of the tile: it can send another one.
    virtual void can_start(NodeIndex node, Cycle cycle) = 0;

    /// The last flit of a packet went through the router's port to the tile of `node`.
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

    /// Begins to send a packet in cycle `start` at the earliest. The node must be able to.
    void start(NodeIndex node, NodeIndex destination, TransactionId transaction, Cycle start);
    [[nodiscard]] bool can_start(NodeIndex node) const { return outputs_[stream(node)].owner == kNoPacket; }

    /// While set, nothing leaves the router of `node` for its tile, but what has begun to.
    void block_ejection(NodeIndex node, bool blocked, Cycle cycle);

    /// Calls TransactionNetworkClient::interface_cycle for `node` at `cycle`, or earlier if it is to be called earlier.
    void wake_interface(NodeIndex node, Cycle cycle);

    /// When something happens next, or kNever.
    [[nodiscard]] Cycle next_cycle() const { return events_.next_cycle(); }

    /// Simulates all cycles before `end`.
    void run_until(Cycle end);

    /// Packets times routers that they went through.
    [[nodiscard]] std::uint64_t packet_hops() const { return packet_hops_; }

    /// Packets that an output of a router was granted to, and those that a tile began to send.
    [[nodiscard]] std::uint64_t packets_sent(NodeIndex node, int port) const {
        return outputs_[place(node, port)].granted;
    }
    [[nodiscard]] std::uint64_t packets_injected(NodeIndex node) const { return outputs_[stream(node)].granted; }

private:
    using PacketIndex = std::uint32_t;
    static constexpr PacketIndex kNoPacket = ~PacketIndex{0};
    static constexpr int kStream = kPorts;  // the output of the tile itself
    static constexpr std::size_t kOutputs = kPorts + 1;

    /// In the order in which they happen within a cycle.
    enum class Kind : std::uint8_t { release, head_arrives, interface, stream_is_free, grant, ejected };

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

    /// An output on the way of a packet: first that of its tile, then one of each router, the last one to the tile.
    struct Station {
        NodeIndex node = 0;
        std::uint8_t input_port = 0;
        std::uint8_t output_port = 0;
        Cycle granted = kNever;    // its head may leave from then on
        Cycle known = 0;           // of how many flits it is known when they leave
        std::uint64_t number = 0;  // of the packet among those of the output
    };

    struct Packet {
        TransactionId transaction = kNoTransaction;
        std::size_t arrived = 0;  // stations that its head has arrived at, less one
        std::vector<Station> way;
        std::vector<Cycle> leaves;  // [station * packet_flits + flit]
    };

    struct Output {
        PacketIndex owner = kNoPacket;
        std::uint32_t owner_station = 0;
        bool is_stalled = false;        // its owner waits for the tile
        bool waits_for_credit = false;  // it is not known when there is room for its owner's next flit
        std::uint8_t last_input = 0;    // that it was granted to
        std::uint32_t waiting = 0;      // inputs whose first packet wants it
        std::uint64_t granted = 0;      // packets
        Cycle credits_known = 0;        // flits that went out and of which it is known when they make room
    };

    /// How flits go from one station to the next one.
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

    /// Events by key: those of each of the next cycles in a heap of their own, and what is later in one for all.
    class EventWheel {
    public:
        void push(const Event& event) {
            const Cycle cycle = event.cycle();
            if (cycle - now_ >= kCycles) {
                later_.push(event);
                return;
            }
            std::vector<Event>& bucket = buckets_[input_vc(cycle)];
            bucket.push_back(event);
            std::ranges::push_heap(bucket, std::greater<>());
            occupied_ |= std::uint64_t{1} << input_vc(cycle);
        }
        /// The next cycle of which there are events, or kNever.
        [[nodiscard]] Cycle next_cycle() const {
            if (occupied_ == 0) {
                return later_.empty() ? kNever : later_.top().cycle();
            }
            const int turn = static_cast<int>(input_vc(now_));
            const Cycle near = now_ + std::countr_zero(std::rotr(occupied_, turn));
            return later_.empty() ? near : std::min(near, later_.top().cycle());
        }
        Event pop(Cycle cycle) {
            now_ = cycle;
            while (!later_.empty() && later_.top().cycle() - now_ < kCycles) {
                const Event event = later_.top();
                later_.pop();
                push(event);
            }
            std::vector<Event>& bucket = buckets_[input_vc(cycle)];
            std::ranges::pop_heap(bucket, std::greater<>());
            const Event event = bucket.back();
            bucket.pop_back();
            if (bucket.empty()) {
                occupied_ &= ~(std::uint64_t{1} << input_vc(cycle));
            }
            return event;
        }

    private:
        static constexpr Cycle kCycles = 64;
        static std::size_t input_vc(Cycle cycle) { return static_cast<std::size_t>(cycle) % kCycles; }

        Cycle now_ = 0;
        std::uint64_t occupied_ = 0;
        std::array<std::vector<Event>, kCycles> buckets_;
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
    std::vector<Cycle> credits_;                    // [output * credits kept + flit % credits kept]: when it makes room
    std::vector<Output> outputs_;                   // [node * kOutputs + port]
    std::vector<std::vector<PacketIndex>> inputs_;  // [node * kPorts + port]: packets whose head has arrived
    std::vector<bool> ejection_blocked_;
    std::vector<Cycle> interface_wake_;
    Pool<Packet> packets_;
    EventWheel events_;
    std::uint64_t packet_hops_ = 0;
};

}  // namespace nocbench
