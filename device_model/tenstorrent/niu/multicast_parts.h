// Transactions of the multicasts that are arriving at one tile: parts of multicasts, each with times of its own.
#pragma once

#include <vector>

#include "device_model/tenstorrent/multicast_tree.h"
#include "device_model/tenstorrent/niu/niu_environment.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench {

class MulticastParts {
public:
    MulticastParts(const NiuEnvironment& environment, NodeIndex node) : environment_(environment), node_(node) {}

    /// Begins the transaction of this receiver of a multicast through `tree`.
    TransactionId begin(TransactionId multicast, const MulticastTree& tree);
    /// Returns the transaction of a multicast whose last flit has come.
    TransactionId end_arrival(TransactionId multicast);

private:
    const NiuEnvironment& environment_;
    NodeIndex node_;
    std::vector<TransactionId> arriving_;  // last flit still to come
};

}  // namespace nocbench
