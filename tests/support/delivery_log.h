// Log of a device's deliveries, independent of the data checks.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "device_model/tenstorrent/device.h"

namespace nocbench::test {

class DeliveryLog {
public:
    /// Watches `device`, which must not outlive the log.
    explicit DeliveryLog(Device& device);
    DeliveryLog(const DeliveryLog&) = delete;
    DeliveryLog& operator=(const DeliveryLog&) = delete;

    struct Route {
        PhysicalCoordinate source;
        PhysicalCoordinate destination;
        auto operator<=>(const Route&) const = default;
    };

    /// Returns delivered bytes by source and destination.
    [[nodiscard]] const std::map<Route, std::uint64_t>& bytes() const { return bytes_; }

    /// Returns the other ends of the transactions of the tile at `requestor`, each once, ordered by first transaction.
    [[nodiscard]] std::vector<PhysicalCoordinate> partners_in_order(PhysicalCoordinate requestor) const;

private:
    const Grid& grid_;
    std::map<Route, std::uint64_t> bytes_;
    std::map<PhysicalCoordinate, std::map<Cycle, PhysicalCoordinate>> responders_;  // by requestor and acceptance
};

}  // namespace nocbench::test
