// The cores of an Epiphany machine that run kernels, by node.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "device_model/epiphany/epiphany_core.h"
#include "device_model/sim/ids.h"

namespace nocbench {

class EpiphanyCores {
public:
    explicit EpiphanyCores(std::size_t num_nodes) : by_node_(num_nodes) {}

    /// Adds a core, which must outlive the simulation.
    void add(EpiphanyCore& core);
    /// Returns the core of a node, or null if it runs no kernel.
    [[nodiscard]] const EpiphanyCore* find(NodeIndex node) const { return by_node_[node]; }
    /// Returns the core of a node that runs a kernel.
    [[nodiscard]] EpiphanyCore& at(NodeIndex node) const { return *by_node_[node]; }
    /// Returns all, in the order of adding.
    [[nodiscard]] const std::vector<EpiphanyCore*>& all() const { return all_; }
    /// Returns "kernel 'copy' on core (0, 1): store".
    [[nodiscard]] std::string caller(NodeIndex node, std::string_view call) const;

private:
    std::vector<EpiphanyCore*> by_node_;  // null: runs no kernel
    std::vector<EpiphanyCore*> all_;
};

}  // namespace nocbench
