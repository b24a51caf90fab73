// Assignment of cores to DRAM banks and to the tiles of their channels.
//
// A channel is reached through several tiles. Routes and contention of data depend only on the positions of core and
// tile. Many channels lie in one column, so their flows share a ring of links unless cores are placed carefully.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/noc/topology.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench::dram_unary {

/// Data movement between one core and a bank, through one of the bank's tiles.
struct Flow {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
    PhysicalCoordinate tile;

    auto operator<=>(const Flow&) const = default;
};

/// Request for a placement.
struct FlowsWanted {
    TransactionKind kind = TransactionKind::read;
    int noc = 0;
    std::vector<std::uint32_t> banks;
    std::size_t num_cores = 0;  // distributed round-robin over the banks; at most the cores of the compute grid
};

/// Routes of data: from the DRAM tile to the core for reads, from the core to the tile for writes.
class DataWays {
public:
    DataWays(const Grid& grid, TransactionKind kind, int noc);

    /// Returns the numbers of the links between routers, and of the link between router and DRAM tile. Omits requests
    /// and acknowledgements, which use the remaining links of the rings and little of any link.
    [[nodiscard]] std::vector<int> links(const Flow& flow) const;
    [[nodiscard]] int num_links() const { return topology_.num_nodes * topology_.num_ports; }

private:
    const Grid& grid_;
    bool to_core_;
    Topology topology_;
};

/// Places flows so that as few banks as possible share a link; no banks share one if such a placement is found. The
/// cores of a bank are in one row, nearest to a tile of its channel. A search selects rows and tiles, starting with the
/// banks that have the fewest possible placements left.
std::vector<Flow> careful_placement(const TorusArchitecture& architecture, const Grid& grid, const FlowsWanted& wanted);

/// Places flows on random cores, determined by the seed on every machine. Each bank is reached through the tile that
/// programs use on NoC `wanted.noc`.
std::vector<Flow> random_placement(const Grid& grid, const FlowsWanted& wanted, std::uint64_t seed);

}  // namespace nocbench::dram_unary
