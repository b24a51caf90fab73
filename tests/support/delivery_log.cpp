#include "tests/support/delivery_log.h"

#include <algorithm>

#include "device_model/tenstorrent/grid.h"

namespace nocbench::test {

DeliveryLog::DeliveryLog(Device& device) : grid_(device.grid()) {
    device.observers().delivered = [this](const Delivery& delivery) {
        bytes_[{grid_.place_of_node(delivery.source), grid_.place_of_node(delivery.destination)}] +=
            delivery.bytes.size();
    };
    device.observers().finished = [this](const TransactionRecord& transaction) {
        responders_[grid_.place_of_node(transaction.from)][transaction.accepted] = grid_.place_of_node(transaction.to);
    };
}

std::vector<PhysicalCoordinate> DeliveryLog::partners_in_order(PhysicalCoordinate requestor) const {
    std::vector<PhysicalCoordinate> partners;
    for (const auto& [cycle, partner] : responders_.at(requestor)) {
        if (std::ranges::find(partners, partner) == partners.end()) {
            partners.push_back(partner);
        }
    }
    return partners;
}

}  // namespace nocbench::test
