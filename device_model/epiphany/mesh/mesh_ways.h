// Outputs of routers that the transactions of a plane use, and those that are reserved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device_model/noc/topology.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class MeshWays {
public:
    explicit MeshWays(const Topology& topology);

    // A transaction is on its way from being queued until it has arrived.

    void enter(NodeIndex from, NodeIndex to) {
        for (const Output output : way(from, to)) {
            ++uses_[output];
        }
    }
    void leave(NodeIndex from, NodeIndex to) {
        for (const Output output : way(from, to)) {
            --uses_[output];
        }
    }

    /// True if no output of the way is in use or reserved.
    [[nodiscard]] bool is_free(NodeIndex from, NodeIndex to);
    void reserve(NodeIndex from, NodeIndex to, NodeIndex holder);
    void give_back(NodeIndex from, NodeIndex to);
    /// Returns the holder of a reserved output of the way, if any is.
    [[nodiscard]] std::optional<NodeIndex> holder(NodeIndex from, NodeIndex to);

private:
    using Output = std::uint32_t;
    static constexpr NodeIndex kNobody = kOutside;

    /// Returns the outputs on a way: those of the tile and of each router.
    [[nodiscard]] const std::vector<Output>& way(NodeIndex from, NodeIndex to);

    const Topology& topology_;
    std::vector<std::vector<Output>> ways_;  // [from * nodes + to]; empty until it is used
    std::vector<std::uint32_t> uses_;        // by output
    std::vector<NodeIndex> holders_;         // by output
    std::size_t num_reservations_ = 0;
};

}  // namespace nocbench
