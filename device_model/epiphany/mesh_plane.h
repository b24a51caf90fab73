// One plane of an Epiphany mesh: a network of transactions, each an address with up to a dword of data, and the ports
// by which cores, their DMA engines, the replies to reads and the off-chip link use it.
//
// Routers and links behave as those of Network with one virtual channel, of which TransactionNetwork is the short form.
// A hop takes one and a half cycles, so the network's cycles are half cycles of the cores, and a transaction is as many
// flits as it occupies a link for in half cycles: a wider or faster plane has shorter packets. A packet that holds a
// link keeps it until its end has passed, and then the inputs of the router take turns.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/arch/epiphany_constants.h"
#include "device_model/noc/packet.h"
#include "device_model/noc/topology.h"
#include "device_model/noc/transaction_network.h"

namespace nocbench {

/// cMesh, xMesh and rMesh.
enum class Plane : std::uint8_t { on_chip_write, off_chip_write, read_request };
inline constexpr std::size_t kNumPlanes = 3;

/// Who sends, the first one first where several want to.
/// Source: Epiphany Architecture Reference, priorities of the network interface.
enum class MeshPort : std::uint8_t { reply, core, dma };
inline constexpr std::size_t kNumMeshPorts = 3;

/// What lies behind the ports of a plane.
class MeshClient {
public:
    virtual ~MeshClient() = default;

    /// A transaction that `port` of `node` waited to send has begun to leave.
    virtual void transaction_left(Plane plane, NodeIndex node, MeshPort port, TransactionId transaction, Tick tick) = 0;

    /// A transaction has arrived, as a whole.
    virtual void transaction_arrived(Plane plane, NodeIndex node, TransactionId transaction, Tick tick) = 0;

    /// The time at which `node` asked to be called has come; see MeshPlane::call_at.
    virtual void time_reached(Plane plane, NodeIndex node, Tick tick) = 0;
};

class MeshPlane final : public TransactionNetworkClient {
public:
    /// Cycles of the network in a cycle of the cores.
    static constexpr Cycle kNetworkCyclesPerCycle = 2;
    static constexpr Tick kTicksPerNetworkCycle = kTicksPerCycle / kNetworkCyclesPerCycle;

    MeshPlane(Plane plane, const MeshConstants& constants, const Topology& topology, MeshClient& client);

    /// Queues a transaction, to leave at `ready` at the earliest. Those of one port leave in order.
    void send(NodeIndex node, MeshPort port, NodeIndex destination, TransactionId transaction, Tick ready);

    /// While set, nothing more leaves the network at `node`. To be called by the client, when it is told of something.
    void block_arrivals(NodeIndex node, bool blocked) { network_.block_ejection(node, blocked, now_); }

    /// Asks for MeshClient::time_reached at `tick`, from one node only at a time.
    void call_at(NodeIndex node, Tick tick);

    /// The next cycle of the network in which anything can happen, or kNever.
    [[nodiscard]] Cycle next_cycle() const { return network_.next_cycle(); }
    /// Tells that `cycle` is being simulated: nothing is sent any more before it.
    void begin_cycle(Cycle cycle) { cycle_ = cycle; }
    /// Simulates it.
    void run_cycle() { network_.run_until(cycle_ + 1); }

    /// Over an output of a router, in flits that take a cycle of the network each; and by a tile into its router.
    [[nodiscard]] std::uint64_t flits_sent(NodeIndex node, int port) const {
        return network_.packets_sent(node, port) * static_cast<std::uint64_t>(flits_);
    }
    [[nodiscard]] std::uint64_t flits_injected(NodeIndex node) const {
        return network_.packets_injected(node) * static_cast<std::uint64_t>(flits_);
    }

    [[nodiscard]] std::uint64_t flit_hops() const {
        return network_.packet_hops() * static_cast<std::uint64_t>(flits_);
    }

    // Of the network.

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
    /// The first cycle that begins at `tick` or later and is not over.
    [[nodiscard]] Cycle cycle_from(Tick tick) const {
        return std::max(cycle_, (tick + kTicksPerNetworkCycle - 1) / kTicksPerNetworkCycle);
    }

    /// Starts what is first in turn, if the stream is free; returns when something else will be ready.
    Cycle start_next(NodeIndex node, Cycle cycle);

    Plane plane_;
    int flits_;
    Cycle cycle_ = 0;
    Cycle now_ = 0;  // when the client is told of something
    Cycle ejection_cycles_;
    MeshClient& client_;
    std::vector<Interface> interfaces_;
    TransactionNetwork network_;
};

}  // namespace nocbench
