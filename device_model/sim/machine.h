// A machine, whatever its kind: put kernels on it, run it, and look at what came out.
//
// The contract. A kind of machine has a constructor of its own, its own ways to put data into its memories, and its own
// add_kernel(). From then on it is used through this interface:
//
//  - Set observers before run(); they cost nothing unless they are set, and change nothing.
//  - run() once. It returns when all kernels have finished and nothing is on its way.
//  - Ask for results after that. Each function counts the whole run.
//
// A kind of machine says how time goes on: next_step() is when anything can happen next, and step() simulates what
// happens from then on, up to a time of its own choice. Its processors (kernels run on them) add themselves to its
// Simulation; step() calls Processor::run() for the events that resume one. Whatever acts on the machine from outside,
// as a host does, is a processor, too, of a node kOutside.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "device_model/sim/coordinate.h"
#include "device_model/sim/ids.h"
#include "device_model/sim/observers.h"
#include "device_model/sim/processor.h"
#include "device_model/sim/simulated_time.h"

namespace nocbench {

struct Simulation;

/// After so many cycles a run is given up, unless another limit is asked for.
inline constexpr Cycle kDefaultCyclesMax = 2'000'000'000;
/// The highest limit.
inline constexpr Cycle kMostCycles = std::numeric_limits<Tick>::max() / kTicksPerCycle - 1;

/// Where a link of a router leads to: the next router there, or the tile.
enum class Direction : std::uint8_t { east, west, south, north, to_tile, from_tile };

/// Flits that went over one link of one router.
struct LinkUse {
    int noc = 0;  // among FloorPlan::networks
    PhysicalCoordinate router;
    Direction direction = Direction::to_tile;
    std::uint64_t flits = 0;
};

/// Data of reads and writes that entered the memory of one tile.
struct TileDeliveries {
    PhysicalCoordinate tile;
    std::uint64_t bytes = 0;
};

/// The tiles of a machine and where they stand, and the networks that join them.
struct FloorPlan {
    struct Tile {
        PhysicalCoordinate place;
        std::string kind;  // "Tensix", "DRAM", "core"
        std::optional<LogicalCoordinate> logical;
    };
    struct Network {
        std::string name;                   // "NoC 0"
        std::vector<Direction> directions;  // of the links between its routers, by port
        bool wraps = false;                 // links that leave at one edge come in at the opposite one
        int flits_per_cycle = 1;            // over one link
    };

    int columns = 0;
    int rows = 0;
    std::int64_t flit_bytes = 0;  // what a link carries per cycle
    std::vector<Tile> tiles;      // row by row
    std::vector<Network> networks;
};

/// Nodes in columns and rows, with a mesh between them.
FloorPlan floor_plan_of_mesh(int columns, int rows);

class Machine {
public:
    virtual ~Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    /// Who watches; set before run().
    [[nodiscard]] Observers& observers();

    /// Runs until all kernels have finished and nothing is on its way. Throws KernelError when a kernel does what the
    /// machine does not allow, waits for what never comes, or still runs after `cycles_max`; it names the kernels that
    /// have not finished.
    void run(Cycle cycles_max = kDefaultCyclesMax);

    /// One result per kernel, in the order in which kernels were added.
    [[nodiscard]] std::vector<KernelResult> kernel_results() const;

    /// Cycles until the last kernel has ended and nothing is on its way any more.
    [[nodiscard]] Cycle elapsed_cycles() const { return elapsed_cycles_; }

    [[nodiscard]] virtual FloorPlan floor_plan() const = 0;

    /// Where a tile is on the floor plan; not of kOutside.
    [[nodiscard]] virtual PhysicalCoordinate place_of_node(NodeIndex node) const = 0;

    /// Links out of routers that carried anything: to other routers and into tiles, by network and router.
    [[nodiscard]] virtual std::vector<LinkUse> link_use() const = 0;

    /// Flits that tiles sent into their routers, by network and tile. Tiles that sent none are left out.
    [[nodiscard]] virtual std::vector<LinkUse> injection_use() const = 0;

    /// Tiles that data were delivered to, row by row.
    [[nodiscard]] virtual std::vector<TileDeliveries> deliveries() const = 0;

    /// Flits that went through any router, for measurements of the simulator's own speed.
    [[nodiscard]] virtual std::uint64_t flit_hops() const = 0;

protected:
    Machine() = default;

    /// Something has happened up to the end of so many cycles.
    void extend_to(Cycle cycles) { elapsed_cycles_ = cycles > elapsed_cycles_ ? cycles : elapsed_cycles_; }

private:
    [[nodiscard]] virtual Simulation& simulation() = 0;
    [[nodiscard]] virtual const Simulation& simulation() const = 0;

    /// When the next step begins, or kNever.
    [[nodiscard]] virtual Tick next_step() const = 0;
    /// Simulates a step that begins at `begin`.
    virtual void step(Tick begin) = 0;
    /// Up to where it has been simulated, for the report of a deadlock.
    [[nodiscard]] virtual Cycle simulated_cycles() const = 0;
    /// What else waits when nothing moves any more: lines that begin with a line feed, or nothing.
    [[nodiscard]] virtual std::string further_waits() const { return {}; }

    /// A line for each kernel that has not finished, with what it waits for; empty if all have.
    [[nodiscard]] std::string unfinished() const;

    Cycle elapsed_cycles_ = 0;
};

}  // namespace nocbench
