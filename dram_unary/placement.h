// Which cores use which bank of DRAM, and through which tile of its channel.
//
// A channel is reached through several tiles. Where data flow, and whom they meet, follows from the places of core and
// tile alone. Many channels lie in one column: their flows share a ring of links unless cores are placed with care.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device_model/noc/topology.h"
#include "device_model/tenstorrent/grid.h"
#include "device_model/tenstorrent/transaction.h"

namespace nocbench::dram_unary {

/// A core that moves data to or from a bank, through one of the tiles that reach it.
struct Flow {
    LogicalCoordinate core;
    std::uint32_t bank = 0;
    PhysicalCoordinate tile;

    auto operator<=>(const Flow&) const = default;
};

/// What is to be placed.
struct FlowsWanted {
    TransactionKind kind = TransactionKind::read;
    int noc = 0;
    std::vector<std::uint32_t> banks;
    std::size_t num_cores = 0;  // dealt to the banks in turn; at most those of the compute grid
};

/// The ways that data take: of reads from the DRAM tile to the core, of writes from the core to the tile.
class DataWays {
public:
    DataWays(const Grid& grid, TransactionKind kind, int noc);

    /// The links between routers, and the one between router and DRAM tile, by number. Requests and acknowledgements go
    /// on around the rings, and take little of any link.
    [[nodiscard]] std::vector<int> links(const Flow& flow) const;
    [[nodiscard]] int num_links() const { return topology_.num_nodes * topology_.num_ports; }

private:
    const Grid& grid_;
    bool to_core_;
    Topology topology_;
};

/// Places flows so that data of as few banks as possible share a link: of none, wherever a place for that is found. The
/// cores of a bank stand in one row, nearest to a tile of its channel; rows and tiles are found by search, which begins
/// with the banks that have the fewest places left.
std::vector<Flow> careful_placement(const TorusArchitecture& architecture, const Grid& grid, const FlowsWanted& wanted);

/// Places flows on cores at random, the same ones for the same seed everywhere. Each bank is reached through the tile
/// that programs use on this NoC.
std::vector<Flow> random_placement(const Grid& grid, const FlowsWanted& wanted, std::uint64_t seed);

}  // namespace nocbench::dram_unary
