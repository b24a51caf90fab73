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
#include "device_model/epiphany/mesh/mesh_ways.h"
#include "device_model/epiphany/mesh/mesh_transaction.h"
#include "device_model/epiphany/mesh/transaction_times.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/machine.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/pool.h"

namespace nocbench {

class EpiphanyMesh {
public:
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

    // Reservations of ways of on-chip writes.

    /// Sets who is told of transactions that need a reserved way, and of all transactions of holders, before they are
    /// queued.
    void set_reservation_holder(ReservationHolder* holder) { holder_ = holder; }
    /// True if no transaction is on the way or on a part of it, and no part is reserved.
    [[nodiscard]] bool is_free(NodeIndex from, NodeIndex to) { return ways_.is_free(from, to); }
    /// Reserves the way for transactions of `from`.
    void reserve(NodeIndex from, NodeIndex to) { ways_.reserve(from, to, from); }
    void give_back(NodeIndex from, NodeIndex to) { ways_.give_back(from, to); }
    /// Runs `send`, which sends transactions on a free way from `begin` on, up to the current cycle.
    template <class Send>
    void catch_up(Tick begin, const Send& send) {
        plane(Plane::on_chip_write).catch_up(begin, send);
    }
    /// Counts transactions that passed without being simulated.
    void count_passages(NodeIndex from, NodeIndex to, std::uint64_t transactions) {
        plane(Plane::on_chip_write).count_passages(from, to, transactions);
    }

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
    [[nodiscard]] MeshPlane& plane(Plane which) { return *planes_[static_cast<std::size_t>(which)]; }
    void send(Plane plane, NodeIndex from, MeshPort port, NodeIndex to, TransactionId id, Tick ready);

    const MeshWithEdgeLink& wiring_;
    const Observers& observers_;
    std::array<std::unique_ptr<MeshPlane>, kNumPlanes> planes_;
    MeshWays ways_;  // of on-chip writes
    ReservationHolder* holder_ = nullptr;
    Pool<MeshTransaction> transactions_;
    MeshTransactionTimes times_;
};

}  // namespace nocbench
