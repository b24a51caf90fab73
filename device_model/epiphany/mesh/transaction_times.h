// Times of the transactions of an Epiphany machine, kept only for observers.
#pragma once

#include <vector>

#include "device_model/epiphany/mesh/mesh_plane.h"
#include "device_model/epiphany/mesh/mesh_transaction.h"
#include "device_model/noc/topology.h"
#include "device_model/sim/observers.h"

namespace nocbench {

class MeshTransactionTimes {
public:
    void ready(TransactionId id, MeshPort port, Tick tick) {
        (port == MeshPort::reply ? at(id).reply_ready : at(id).accepted) = tick;
    }
    void left(TransactionId id, MeshPort port, Tick tick) {
        (port == MeshPort::reply ? at(id).reply_left : at(id).left) = tick;
    }
    /// Notes when a transaction, not its reply, has arrived.
    void arrived(TransactionId id, Tick tick) { at(id).arrived = tick; }

    /// Returns the record of a transaction that completed at `tick`, in memory or at its requester.
    [[nodiscard]] TransactionRecord record(TransactionId id, const MeshTransaction& transaction,
                                           const Topology& topology, Tick tick) const;

private:
    struct Times {
        Tick accepted = 0;
        Tick left = 0;
        Tick arrived = 0;
        Tick reply_ready = 0;
        Tick reply_left = 0;
    };

    [[nodiscard]] Times& at(TransactionId id);

    std::vector<Times> times_;  // by TransactionId
};

}  // namespace nocbench
