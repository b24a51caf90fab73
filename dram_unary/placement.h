// Assignment of cores to DRAM banks and to tiles of their channels.
//
// A channel is reached through several tiles. Routes and contention of data depend only on the positions of core and
// tile. Many channels lie in one column: their flows share a ring of links unless cores are placed carefully.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/noc/topology.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench::dram_unary {

/// A core that moves data to or from a bank, through one of the bank's tiles.
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
    std::size_t num_cores = 0;  // distributed over the banks in turn; at most the compute grid
};

/// Routes of data: reads from the DRAM tile to the core, writes from the core to the tile.
class DataWays {
public:
    DataWays(const Grid& grid, TransactionKind kind, int noc);

    /// Returns the numbers of the links between routers, and of the one between router and DRAM tile. Omits requests
    /// and acknowledgements, which use the rest of the rings and little of any link.
    [[nodiscard]] std::vector<int> links(const Flow& flow) const;
    [[nodiscard]] int num_links() const { return topology_.num_nodes * topology_.num_ports; }

private:
    const Grid& grid_;
    bool to_core_;
    Topology topology_;
};

/// Places flows so that the fewest possible banks share a link: none, if such a placement is found. The cores of a bank
/// are in one row, nearest to a tile of its channel. A search selects rows and tiles, starting with the banks that have
/// the fewest places left.
std::vector<Flow> careful_placement(const TorusArchitecture& architecture, const Grid& grid, const FlowsWanted& wanted);

/// Places flows on random cores, determined by the seed on every machine. Each bank is reached through the tile that
/// programs use on this NoC.
std::vector<Flow> random_placement(const Grid& grid, const FlowsWanted& wanted, std::uint64_t seed);

}  // namespace nocbench::dram_unary
