// The multicast trees that commands on one NoC have used.
#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device_model/noc/packet.h"
#include "device_model/tenstorrent/multicast_tree.h"
#include "device_model/tenstorrent/niu/niu_environment.h"

namespace nocbench {

class MulticastTrees {
public:
    explicit MulticastTrees(const NiuEnvironment& environment) : environment_(environment) {}

    /// Returns the tree from `source` to a rectangle, building it on first use.
    TreeIndex find(NodeIndex source, const MulticastRectangle& rectangle, bool includes_source);
    [[nodiscard]] const MulticastTree& operator[](TreeIndex index) const { return *trees_[index]; }

private:
    using Key = std::tuple<NodeIndex, MulticastRectangle, bool>;

    const NiuEnvironment& environment_;
    std::map<Key, TreeIndex> indices_;
    std::vector<std::unique_ptr<MulticastTree>> trees_;  // [TreeIndex]
};

}  // namespace nocbench
