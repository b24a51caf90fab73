// One plane of an Epiphany mesh: a network of transactions, each an address with up to a dword of data, and its ports
// for cores, DMA engines, read replies and the off-chip link.
//
// Routers and links behave as in Network with one virtual channel; TransactionNetwork is its short form. A hop takes
// one and a half cycles, so the network's cycles are half cycles of the cores. Transactions are as long, in flits, as
// they occupy a link in half cycles: shorter on a wider or faster plane. A packet holds a link until its tail has
// passed; then the inputs of the router take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/transaction_network.h"

namespace nocbench {

/// cMesh, xMesh and rMesh.
enum class Plane : std::uint8_t { on_chip_write, off_chip_write, read_request };
inline constexpr std::size_t kNumPlanes = 3;

/// Senders at a node, in order of priority.
/// Source: Epiphany Architecture Reference, priorities of the network interface.
enum class MeshPort : std::uint8_t { reply, core, dma };
inline constexpr std::size_t kNumMeshPorts = 3;

/// Receiver of the events of a plane's ports.
class MeshClient {
public:
    virtual ~MeshClient() = default;

    /// Reports that a queued transaction of `port` at `node` has begun to leave.
    virtual void transaction_left(Plane plane, NodeIndex node, MeshPort port, TransactionId transaction, Tick tick) = 0;

    /// Reports that a whole transaction has arrived.
    virtual void transaction_arrived(Plane plane, NodeIndex node, TransactionId transaction, Tick tick) = 0;

    /// Reports the time requested with MeshPlane::call_at.
    virtual void time_reached(Plane plane, NodeIndex node, Tick tick) = 0;
};

class MeshPlane final : public TransactionNetworkClient {
public:
    static constexpr Cycle kNetworkCyclesPerCycle = 2;
    static constexpr std::int64_t kFlitBytes = 8;
    static constexpr Tick kTicksPerNetworkCycle = kTicksPerCycle / kNetworkCyclesPerCycle;

    MeshPlane(Plane plane, const MeshConstants& constants, const Topology& topology, MeshClient& client);

    /// Queues a transaction, to leave at `ready` at the earliest. Each port sends in order.
    void send(NodeIndex node, MeshPort port, NodeIndex destination, TransactionId transaction, Tick ready);

    /// Sets whether packets may leave the network at `node`. Called by the client from within a report.
    void block_arrivals(NodeIndex node, bool blocked) { network_.block_ejection(node, blocked, now_); }

    [[nodiscard]] bool blocks_arrivals(NodeIndex node) const { return network_.ejection_is_blocked(node); }

    /// Requests MeshClient::time_reached at `tick`; one request per node at a time.
    void call_at(NodeIndex node, Tick tick);

    /// Returns the next network cycle with any activity, or kNever.
    [[nodiscard]] Cycle next_cycle() const { return network_.next_cycle(); }
    /// Begins to simulate `cycle`: nothing is sent before it any more.
    void begin_cycle(Cycle cycle) { cycle_ = cycle; }
    void run_cycle() { network_.run_until(cycle_ + 1); }

    // See TransactionNetwork.

    void set_aside(Cycle cycle) { network_.set_aside(cycle); }
    void join() { network_.join(); }
    void count_passages(NodeIndex from, NodeIndex to, std::uint64_t transactions) {
        network_.count_passages(from, to, transactions);
    }

    /// Return flits over an output of a router, or from a tile into its router. A flit takes a network cycle.
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const {
        return network_.packets_sent(node, port) * static_cast<std::uint64_t>(flits_);
    }
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const {
        return network_.packets_injected(node) * static_cast<std::uint64_t>(flits_);
    }

    [[nodiscard]] std::uint64_t flit_hops() const {
        return network_.packet_hops() * static_cast<std::uint64_t>(flits_);
    }

    // Interface to the network.

    Cycle interface_cycle(NodeIndex node, Cycle cycle) override;
    void can_start(NodeIndex node, Cycle cycle) override;
    void packet_ejected(NodeIndex node, TransactionId transaction, Cycle cycle) override;

private:
    struct Outgoing {
        NodeIndex destination = 0;
        TransactionId transaction = kNoTransaction;
        Cycle ready = 0;
    };

    struct Interface {
        std::array<std::vector<Outgoing>, kNumMeshPorts> waiting;  // by port; first in, first out
        Cycle call = kNever;
    };

    static TransactionNetwork::Parameters parameters(Plane plane, const MeshConstants& constants);
    static Tick tick_of(Cycle cycle) { return cycle * kTicksPerNetworkCycle; }
    /// Returns the first unfinished network cycle that begins at `tick` or later.
    [[nodiscard]] Cycle cycle_from(Tick tick) const {
        return std::max(cycle_, (tick + kTicksPerNetworkCycle - 1) / kTicksPerNetworkCycle);
    }

    /// Starts the next transaction in priority order if the stream is free. Returns when another will be ready.
    Cycle start_next(NodeIndex node, Cycle cycle);

    Plane plane_;
    int flits_;
    Cycle cycle_ = 0;
    Cycle now_ = 0;  // time of the event being reported
    Cycle ejection_cycles_;
    MeshClient& client_;
    std::vector<Interface> interfaces_;
    TransactionNetwork network_;
};

}  // namespace nocbench
