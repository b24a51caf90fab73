// The mesh of an Epiphany machine: its planes, and the transactions on them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "device_model/epiphany/arch/constants.h"
#include "device_model/epiphany/cores/reservations.h"
#include "device_model/epiphany/epiphany_shape.h"
#include "device_model/epiphany/mesh/mesh_plane.h"
#include "device_model/epiphany/mesh/mesh_transaction.h"
#include "device_model/epiphany/mesh/mesh_ways.h"
#include "device_model/epiphany/mesh/transaction_times.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/pool.h"

namespace nocbench {

class EpiphanyMesh {
public:
    struct Way {
        Plane plane = Plane::on_chip_write;
        NodeIndex from = 0;
        NodeIndex to = 0;
    };

    /// `client` hears of all events of the planes.
    EpiphanyMesh(const MeshConstants& constants, const MeshWithEdgeLink& wiring, const Observers& observers,
                 MeshClient& client);

    /// Sends a transaction, to leave its requester at `ready` at the earliest. Returns its id, until end().
    TransactionId send(const MeshTransaction& transaction, Tick ready);
    /// Sends the reply to a read from its target.
    void reply(TransactionId id, Tick ready);
    [[nodiscard]] MeshTransaction& transaction(TransactionId id) { return transactions_[id]; }
    /// Takes a transaction that completed at `tick`, in memory or at its requester, from the mesh.
    MeshTransaction end(TransactionId id, Tick tick);

    /// Keeps further transactions of a plane from arriving at `node` until a time.
    void close_until(Plane plane, NodeIndex node, Tick tick);

    // Reservations of ways on a plane.

    /// Sets who is told of transactions that need a reserved way, and of all transactions of holders, before they are
    /// queued.
    void set_reservation_holder(ReservationHolder* holder) { holder_ = holder; }
    /// True if no transaction is on the way or on a part of it, and no part is reserved.
    [[nodiscard]] bool is_free(const Way& way) {
        return ways(way.plane).is_free(way.from, way.to) && !plane(way.plane).blocks_arrivals(way.to);
    }
    void reserve(const Way& way, NodeIndex holder) { ways(way.plane).reserve(way.from, way.to, holder); }
    void give_back(const Way& way) { ways(way.plane).give_back(way.from, way.to); }
    /// Counts transactions that passed without being simulated.
    void count_passages(const Way& way, std::uint64_t transactions) {
        plane(way.plane).count_passages(way.from, way.to, transactions);
    }
    // See TransactionNetwork.

    void set_aside(Cycle cycle);
    void join();

    // From the client, of each event.

    void left(MeshPort port, TransactionId id, Tick tick);
    void arrived(TransactionId id, Tick tick);
    void open(Plane plane, NodeIndex node) { this->plane(plane).block_arrivals(node, false); }

    /// Returns the next network cycle with any activity, or kNever.
    [[nodiscard]] Cycle next_cycle() const;
    void begin_cycle(Cycle cycle);
    void run_cycle();

    // See Machine.

    [[nodiscard]] std::vector<LinkUse> link_use(const EpiphanyShape& shape) const;
    [[nodiscard]] std::vector<LinkUse> injection_use(const EpiphanyShape& shape) const;
    [[nodiscard]] std::uint64_t flit_hops() const;

private:
    [[nodiscard]] MeshWays& ways(Plane which) { return ways_[static_cast<std::size_t>(which)]; }
    /// Returns the way of a transaction to its target, or of the reply to it.
    [[nodiscard]] static Way way_of(const MeshTransaction& transaction);
    /// Notes that a transaction has arrived.
    void leave(const MeshTransaction& transaction);
    [[nodiscard]] MeshPlane& plane(Plane which) { return *planes_[static_cast<std::size_t>(which)]; }
    void send(TransactionId id, MeshPort port, Tick ready);

    const MeshWithEdgeLink& wiring_;
    const Observers& observers_;
    std::array<std::unique_ptr<MeshPlane>, kNumPlanes> planes_;
    std::vector<MeshWays> ways_;  // by plane
    ReservationHolder* holder_ = nullptr;
    Pool<MeshTransaction> transactions_;
    MeshTransactionTimes times_;
};

}  // namespace nocbench
