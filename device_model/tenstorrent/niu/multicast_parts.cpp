#include "device_model/tenstorrent/niu/multicast_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "device_model/sim/narrow.h"

namespace nocbench {

TransactionId MulticastParts::begin(TransactionId multicast, const MulticastTree& tree) {
    const TransactionId id = environment_.state.transactions.allocate();
    Transaction& part = environment_.transaction(id);
    const Transaction& whole = environment_.transaction(multicast);
    static_cast<TransactionTimes&>(part) = whole.times();
    part.requestor = whole.requestor;
    part.issuer = whole.issuer;
    part.responder = node_;
    part.bytes = whole.bytes;
    part.requestor_address = whole.requestor_address;
    part.responder_address = whole.responder_address;
    part.operand = whole.operand;
    part.id = whole.id;
    part.multicast = multicast;
    const auto place = std::ranges::lower_bound(tree.receivers, node_) - tree.receivers.begin();
    part.request_hops = tree.hops[static_cast<std::size_t>(place)];
    const Grid& grid = environment_.state.grid;
    part.response_hops = narrow<std::uint16_t>(
        grid.hops(environment_.noc, grid.place_of_node(node_), grid.place_of_node(whole.requestor)),
        "hops between tiles");
    arriving_.push_back(id);
    return id;
}

TransactionId MulticastParts::end_arrival(TransactionId multicast) {
    const auto found = std::ranges::find_if(
        arriving_, [&](TransactionId part) { return environment_.transaction(part).multicast == multicast; });
    const TransactionId id = *found;
    arriving_.erase(found);
    return id;
}

}  // namespace nocbench
